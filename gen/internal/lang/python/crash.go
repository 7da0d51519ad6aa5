package python

import (
	"slices"
	"strings"

	"stateoftictactoe/gen/internal/lazy"
)

// Parts of Python's output when a signal ends it: the reason, and the calls that led there.
var (
	crash     = lazy.Regexp(`(?m)^Fatal Python error: .*$`)
	crashCall = lazy.Regexp(`(?m)^  File "([^"<].*)", line (\d+)`)
)

// Crash returns the reason for a crash with the lines of the solution that led to it, and
// the output before it. It leaves out lines of the driver and of Python's own modules.
func (Python) Crash(printed string) (said, before string) {
	head := crash().FindStringIndex(printed)
	if head == nil {
		return "", printed
	}
	lines := []string{printed[head[0]:head[1]]}
	for _, call := range crashCall().FindAllStringSubmatch(printed[head[1]:], -1) {
		if !strings.HasSuffix(call[1], "/"+driverFile) && !strings.Contains(call[1], "/lib/python3") {
			lines = append(lines, "    "+call[1]+":"+call[2])
		}
	}
	return strings.Join(slices.Compact(lines), "\n"), printed[:head[0]]
}

// Overflowed implements lang.Driven: in Python an overflow is an exception.
func (Python) Overflowed(string) bool { return false }
