package javascript

import (
	"strings"

	"stateoftictactoe/gen/internal/lazy"
)

// crashHead and crashEnd match the first and last lines of Node's report of an uncaught
// error; the first is the place where it was thrown. noModule matches the error that a
// CommonJS file throws.
var (
	crashEnd  = lazy.Regexp(`(?m)^Node\.js v\d\S*$`)
	crashHead = lazy.Regexp(`(?m)^(file://|node:)\S+:\d+$`)
	noModule  = lazy.Regexp(`^ReferenceError: (module|exports) is not defined`)
)

// isOurs reports whether a line of a stack belongs to Node or the driver.
func isOurs(line string) bool {
	return strings.Contains(line, "node:") || strings.Contains(line, "/"+driverFile)
}

// Crash returns Node's report of an uncaught error without the lines of Node itself and of
// the driver, and the output before it.
func (JavaScript) Crash(printed string) (said, before string) {
	ends := crashEnd().FindAllStringIndex(printed, -1)
	if ends == nil {
		return abort(printed)
	}
	text := printed[:ends[len(ends)-1][0]]
	heads := crashHead().FindAllStringIndex(text, -1)
	if heads == nil {
		return "", printed
	}
	head := heads[len(heads)-1][0]
	before, text = text[:head], text[head:]
	var lines []string
	excerpt := false // lines of code of the driver or of Node
	details := false // properties of the error
	for i, line := range strings.Split(text, "\n") {
		switch {
		case i == 0 && isOurs(line):
			excerpt = true
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "(Use `node --trace-uncaught"):
			excerpt = false
		case details:
			details = line != "}"
		case excerpt:
			excerpt = strings.Trim(line, " ^") != "" // the mark below the code is its last line
		case strings.HasPrefix(line, "    at ") && isOurs(line):
			details = strings.HasSuffix(line, " {")
		case strings.HasPrefix(line, "This file is being treated as an ES module"): // advice to rename it
		case noModule().MatchString(line):
			lines = append(lines, line+`; write "export" in front of what the tests call`)
		default:
			lines = append(lines, strings.ReplaceAll(line, "file://", ""))
		}
	}
	return strings.Join(lines, "\n"), before
}

// Parts of Node's output when it aborts: the beginning, the reason if it has one, and the
// calls that led there. Other lines show Node's own calls, with their addresses.
var (
	abortHead   = lazy.Regexp(`(?m)<--- Last few GCs --->|^FATAL ERROR: |^#\n# Fatal error in |^ *#  \S+\[\d+\]: |----- Native stack trace -----`)
	abortReason = lazy.Regexp(`(?m)^(FATAL ERROR: .+|# Check failed: .+| *#  Assertion failed: .+)$`)
	abortCall   = lazy.Regexp(`(?m)^ *\d+: (.*\bfile://\S+)$`)
)

// abort returns the reason and calls from Node's output when it aborts, and the output
// before.
func abort(printed string) (said, before string) {
	head := abortHead().FindStringIndex(printed)
	if head == nil {
		return "", printed
	}
	text := printed[head[0]:]
	var lines []string
	if reason := abortReason().FindString(text); reason != "" {
		lines = append(lines, strings.TrimLeft(reason, " #"))
	}
	for _, call := range abortCall().FindAllStringSubmatch(text, -1) {
		if !isOurs(call[1]) {
			lines = append(lines, "    at "+strings.ReplaceAll(call[1], "file://", ""))
		}
	}
	return strings.Join(lines, "\n"), strings.TrimSuffix(printed[:head[0]], "\n")
}

// Overflowed implements lang.Driven: in JavaScript an overflow is an exception.
func (JavaScript) Overflowed(string) bool { return false }
