package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Limits bounds a process.
type Limits struct {
	Time   time.Duration
	Output int // the most bytes kept of stdout and stderr together
}

// Result says how a process ended and what it printed.
type Result struct {
	Output   []byte // stdout and stderr in the order of writing, up to the limit
	Cut      bool   // the process printed more than Output keeps
	ExitCode int    // -1 if it was killed
	TimedOut bool
}

// WorkDir is a folder for programs, which holds no file of the user's.
type WorkDir struct{ Path string }

// NewWorkDir makes an empty work dir in the system's temporary folder.
func NewWorkDir() (*WorkDir, error) {
	// Programs print the real path of their folder.
	temporary, err := RealPath(os.TempDir())
	if err != nil {
		return nil, fmt.Errorf("work dir: %w; set TMPDIR to a folder that is there", err)
	}
	path, err := os.MkdirTemp(temporary, "gen-")
	if err != nil {
		return nil, fmt.Errorf("work dir: %w", err)
	}
	return &WorkDir{path}, nil
}

// RealPath returns the absolute path, without links, of a file that must exist. Links
// lead nowhere inside namespaces.
func RealPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// Remove deletes the work dir and everything in it, even if a program changed the modes.
func (w *WorkDir) Remove() error {
	if err := os.RemoveAll(w.Path); err == nil {
		return nil
	}
	reopen(w.Path)
	return os.RemoveAll(w.Path)
}

// reopen gives this user back the rights to a folder and everything in it, which a
// process may have taken away.
func reopen(folder string) {
	filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() && !entry.Type().IsRegular() {
			return nil
		}
		least := fs.FileMode(0o600)
		if entry.IsDir() {
			least = 0o700
		}
		if info, err := entry.Info(); err == nil && info.Mode()&least != least {
			os.Chmod(path, info.Mode().Perm()|least)
		}
		return nil
	})
}

// Folder makes a folder in the work dir and returns its path.
func (w *WorkDir) Folder(name string) (string, error) {
	path := filepath.Join(w.Path, name)
	if err := os.MkdirAll(path, 0o755); err != nil {
		return "", fmt.Errorf("work dir: %w", err)
	}
	return path, nil
}

// Write puts a file into the work dir and returns its path. The name is slash-separated;
// a name that leads out of the work dir is an error.
func (w *WorkDir) Write(name string, text []byte) (string, error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", fmt.Errorf("work dir: %s leads out of it", name)
	}
	path := filepath.Join(w.Path, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", fmt.Errorf("work dir: %w", err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return "", fmt.Errorf("work dir: %w", err)
	}
	return path, nil
}

// Run runs a command in the work dir to its end. An exit code is a result, not
// an error; an error means that the command did not start.
func (w *WorkDir) Run(ctx context.Context, c Command, limits Limits) (*Result, error) {
	ctx, cancel := context.WithTimeout(ctx, limits.Time)
	defer cancel()
	program := c.Args[0]
	if filepath.Base(program) != program && !filepath.IsAbs(program) {
		program = filepath.Join(w.Path, filepath.FromSlash(c.Dir), filepath.FromSlash(program))
	}
	cmd := exec.CommandContext(ctx, program, c.Args[1:]...)
	cmd.Dir = filepath.Join(w.Path, filepath.FromSlash(c.Dir))
	cmd.Env = append(os.Environ(), c.Env...)
	ownGroup(cmd)
	output := &Capture{Most: limits.Output}
	err := runTo(cmd, output)
	result := &Result{Output: output.head, Cut: output.Cut(), TimedOut: errors.Is(ctx.Err(), context.DeadlineExceeded)}
	if cmd.ProcessState != nil {
		result.ExitCode = cmd.ProcessState.ExitCode()
		return result, nil
	}
	return nil, fmt.Errorf("run %s: %w", c.Args[0], err)
}

// runTo runs a command to its end, and reads all that it prints. Children that hold the
// pipe are killed. [exec.Cmd.WaitDelay] would not do: on a busy machine it loses the
// last text that the command printed.
func runTo(cmd *exec.Cmd, output io.Writer) error {
	const (
		grace = time.Second      // for children that end by themselves
		most  = 10 * time.Second // for reading the rest of the pipe
	)
	in, out, err := os.Pipe()
	if err != nil {
		return err
	}
	defer in.Close()
	cmd.Stdout, cmd.Stderr = out, out
	err = cmd.Start()
	out.Close()
	if err != nil {
		return err
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		io.Copy(output, in)
	}()
	err = cmd.Wait()
	select {
	case <-read:
		return err
	case <-time.After(grace):
	}
	cmd.Cancel()
	select {
	case <-read:
	case <-time.After(most):
		in.Close()
		<-read
	}
	return err
}
