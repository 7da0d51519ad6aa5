package judge

import (
	"fmt"
	"strings"

	"stateoftictactoe/gen/internal/lazy"
	"stateoftictactoe/gen/internal/sandbox"
)

// overflowWatch captures the output of a process, and ends the process once the output
// says that the stack has overflowed.
type overflowWatch struct {
	*sandbox.Capture
	session *session
	seen    bool
}

func (w *overflowWatch) Write(p []byte) (int, error) {
	n, err := w.Capture.Write(p)
	if !w.seen && w.session.language.Overflowed(w.All()) {
		w.seen = true
		w.session.process.Cancel()
	}
	return n, err
}

// outOfMemory matches the last output of a process that ran out of memory.
var outOfMemory = lazy.Regexp(`(?i)out of memory|cannot allocate memory|allocation failed|failed to allocate|\bMemoryError\b`)

// wildEnd matches the end of a process that may have used memory which the system had
// refused to it.
var wildEnd = lazy.Regexp(`signal sig(segv|bus|ill|trap)`)

// noFiles matches what a program says that may not write a file. A refusal tells of a file
// only beside the name of a call that makes a file, or by the number 13: sockets are refused
// too, and an exercise's own errors may have such a text.
var noFiles = lazy.Regexp(`(?i)read-only file ?system|\bEROFS\b|no usable temporary directory` +
	`|\b(open|mkdir) [^"\n]*: permission denied|\b(EPERM|EACCES): [a-z ]+, (open|mkdir|mkdtemp)\b|\b13\b.{1,3}permission denied`)

// aboutFiles adds to what went wrong that a solution can write no file, if it tried to: it
// can where its tests run.
func aboutFiles(what string) string {
	if noFiles().MatchString(what) {
		what += "\n(a solution can write no files here, temporary ones neither)"
	}
	return what
}

// died says how a process ended, in a case or while it was loaded, and shows its last
// output.
func (s *session) died(how string, printed *sandbox.Capture, loading bool) string {
	words, uncaught := s.crash(printed)
	if loading && uncaught && strings.HasPrefix(how, "exited") && !outOfMemory().MatchString(words) {
		return unloaded + words
	}
	if loading {
		how += " while it was loaded"
	}
	megabytes := s.Memory >> 20
	switch {
	case outOfMemory().MatchString(words):
		how = fmt.Sprintf("ran out of its %d MB of memory; it %s", megabytes, how)
	case words == "" && wildEnd().MatchString(how):
		how += fmt.Sprintf("; did it need more than the %d MB of memory that it may have?", megabytes)
	}
	if words != "" {
		how += ":\n" + words
	}
	return "the solution " + how
}

// crash returns the text printed right before a process ended, and reports whether it is
// the language's report of an uncaught error. It takes such a report out of the
// solution's output.
func (s *session) crash(output *sandbox.Capture) (said string, uncaught bool) {
	if said, before := s.language.Crash(output.All()); len(before) < len(output.All()) {
		output.KeepHead(len(before))
		return s.workshop.Shorten(said), true
	}
	return s.workshop.Shorten(output.Tail(maxWords)), false
}
