package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// progress tells how far a long command has got: on a terminal in a line that is
// overwritten, elsewhere in a new line now and then.
type progress struct {
	out      io.Writer
	what     string
	total    int
	terminal bool
}

// quiet is the most items for which a log gets no lines of progress.
const quiet = 50

func newProgress(out io.Writer, what string, total int) *progress {
	f, ok := out.(*os.File)
	return &progress{out: out, what: what, total: total, terminal: ok && term.IsTerminal(int(f.Fd()))}
}

// done shows that n items are done.
func (p *progress) done(n int) {
	switch {
	case p.terminal:
		fmt.Fprintf(p.out, "\r%s: %d of %d", p.what, n, p.total)
	case p.total > quiet && n%(quiet/2) == 0:
		fmt.Fprintf(p.out, "%s: %d of %d\n", p.what, n, p.total)
	}
}

// end clears the line.
func (p *progress) end() {
	if p.terminal {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
