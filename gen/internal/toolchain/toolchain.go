package toolchain

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"
	"time"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/sandbox"
)

// Toolchain finds and calls the compiler or interpreter of one language.
type Toolchain interface {
	// Find finds the programs of the language. The error says which program is not
	// installed, and how to get it.
	Find() (Tools, error)
	// Build builds the driver of a program together with the solution. For an interpreted
	// language it does nothing. The error is the context's, sandbox.ErrDeadline, or says
	// why the tools do not work.
	Build(ctx context.Context, w *Workshop) (Built, error)
}

// Built is the result of a build.
type Built struct {
	// Said is the compiler's message, or says how it ended; it is "" if all is well.
	Said string
	// Check, unless it is nil, returns why the command that runs the tests would refuse to
	// test a solution that compiles, or "". It runs no code of the solution.
	Check func(ctx context.Context) string
}

// Workshop holds all that a build of a program needs. The driver and the solution lie in
// a work dir.
type Workshop struct {
	Tools    Tools
	Dir      *sandbox.WorkDir
	Program  lang.Program
	Solution map[string][]byte
	// Tests returns the tests that a student runs.
	Tests func() ([]byte, error)
	// Folder is the folder of the solution and its driver, relative to the program's
	// folder; "" is the program's folder itself.
	Folder string
	// Box returns a box like the solution's own.
	Box func() *sandbox.Box
	// Deadline is the end of the time for the build. Work that does not count as the
	// solution's moves it.
	Deadline time.Time
	// Missing lists the layers of isolation that compilers lacked.
	Missing []sandbox.Standing
}

// Limits of a compiler.
const (
	maxOutput = 60_000 // bytes of its output
	// maxArchive is how many bytes a compiled package or program may have: several times
	// the size of the largest library, for the build tool keeps it on disk.
	maxArchive = 64 << 20
)

// Run runs commands of a compiler one after another, which may read and write to the named
// folders. It returns their output, and how they ended, or "" if they succeeded. The
// compiler may read folders that are hidden from solutions: it runs no code of theirs,
// and its cache may lie in one of them.
func (w *Workshop) Run(ctx context.Context, read, write []string, deadline time.Time, commands ...lang.Command) (printed, how string, err error) {
	box := w.Box()
	box.Hide = nil
	box.Tools = true
	box.File = maxArchive
	box.Read = append(box.Read[:len(box.Read):len(box.Read)], read...)
	box.Write = append([]string{w.Dir.Path}, write...)
	var steps []sandbox.Command
	for _, command := range commands {
		steps = append(steps, sandbox.Command(command))
	}
	process, err := box.Start(false, steps...)
	w.Missing = box.Missing()
	if err != nil {
		return "", "", err
	}
	defer process.Kill()
	defer context.AfterFunc(ctx, process.Cancel)()
	output := sandbox.Capture{Most: maxOutput}
	code, how, err := process.Wait(deadline, &output)
	if err := cmp.Or(ctx.Err(), err); err != nil {
		return "", "", err
	}
	if code == 0 {
		how = ""
	}
	return output.Head(), how, nil
}

// write puts files into the work dir.
func (w *Workshop) write(files map[string][]byte) error {
	for name, text := range files {
		if _, err := w.Dir.Write(name, text); err != nil {
			return err
		}
	}
	return nil
}

// Shorten makes the paths of the work dir in a text relative to the solution.
func (w *Workshop) Shorten(text string) string {
	program := filepath.Join(w.Dir.Path, w.Program.Dir)
	var pairs []string
	if own := w.Folder; own != "" {
		pairs = append(pairs, filepath.Join(program, own)+"/", "", " ./"+own+"/", " ", "\n./"+own+"/", "\n", "\n"+own+"/", "\n")
		text = strings.TrimPrefix(strings.TrimPrefix(text, "./"), own+"/")
	}
	pairs = append(pairs, program+"/", "", program, ".", w.Dir.Path+"/", "", w.Dir.Path, ".")
	return strings.ToValidUTF8(strings.NewReplacer(pairs...).Replace(text), "\uFFFD")
}
