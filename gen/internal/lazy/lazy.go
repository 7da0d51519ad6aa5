// Package lazy makes values when they are first needed, not when a program starts. The
// harness starts itself anew to supervise each process that it contains, and a supervisor
// needs none of these values.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns a function that returns the compiled expression. It panics at its
// first call if the expression is malformed, as [regexp.MustCompile] does.
func Regexp(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
