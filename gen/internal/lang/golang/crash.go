package golang

import (
	"strings"

	"stateoftictactoe/gen/internal/lazy"
)

// crash matches the first line of Go's report of a crash.
var crash = lazy.Regexp(`(?m)^(panic: |fatal error: |runtime: (goroutine stack exceeds|program exceeds|failed to create|out of memory)|unexpected fault address |SIG[A-Z]+: |runtime\.Goexit was called )`)

// machine matches lines of a crash about the machine, and about the limit of the stack,
// which is at first the driver's choice.
var machine = lazy.Regexp(`^(runtime: sp=|runtime: goroutine stack exceeds |unexpected fault address |\[signal |PC=)`)

// frame matches the second line of a call in a trace, with its file and line.
var frame = lazy.Regexp(`^\t(.*\.go:[0-9]+)( .*)?$`)

// Overflowed reports whether a program has printed that its stack overflowed, and the last
// calls before that. Go prints these first, and takes seconds to count the others.
func (Go) Overflowed(printed string) bool {
	const calls = 20
	at := strings.LastIndex(printed, "\nfatal error: stack overflow\n")
	return at >= 0 && strings.Count(printed[at:], "\n\t") >= calls
}

// Crash returns the message of a crash with the lines of the solution that led to it, and
// the output before it. It leaves out lines of the driver and of Go itself.
func (Go) Crash(printed string) (said, before string) {
	found := crash().FindStringIndex(printed)
	if found == nil {
		return "", printed
	}
	const mostLines, mostFrames = 10, 8
	var lines, frames []string
	inTrace := false
	for line := range strings.Lines(printed[found[0]:]) {
		line = strings.TrimRight(line, "\r\n")
		inTrace = inTrace || strings.HasPrefix(line, "goroutine ") || line == "runtime stack:"
		if !inTrace {
			if len(lines) < mostLines && line != "" && !machine().MatchString(line) {
				lines = append(lines, strings.Replace(line, "fatal error: stack overflow", "stack overflow: does a recursion never end?", 1))
			}
			continue
		}
		m := frame().FindStringSubmatch(line)
		if m == nil || !strings.Contains(m[1], "/"+solutionFolder+"/") || len(frames) == mostFrames {
			continue
		}
		// The frames of a recursive function become one line.
		if at := "    " + m[1]; len(frames) == 0 || frames[len(frames)-1] != at {
			frames = append(frames, at)
		}
	}
	return strings.Join(append(lines, frames...), "\n"), printed[:found[0]]
}
