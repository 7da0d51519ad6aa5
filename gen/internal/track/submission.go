package track

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// maxSolution is how large a submitted file may be, in bytes.
const maxSolution = 1 << 20

// ErrSubmission is a fault of what was submitted, not of the harness.
type ErrSubmission struct{ Message string }

func (e *ErrSubmission) Error() string { return e.Message }

// Submission reads the solution of a submission: the files of the exercise that
// a student edits, and nothing else. A link that leads out of the folder is no
// file of it.
func (e *Exercise) Submission(dir string) (map[string][]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, plain(err)
	}
	defer root.Close()
	files := map[string][]byte{}
	for _, name := range e.Solution {
		text, err := readSubmitted(root, filepath.FromSlash(name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, &ErrSubmission{fmt.Sprintf("%s is missing from the submission", name)}
		case err != nil:
			return nil, &ErrSubmission{fmt.Sprintf("%s: %s", name, reason(err))}
		}
		files[name] = text
	}
	return files, nil
}

func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

func readSubmitted(root *os.Root, name string) ([]byte, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	// Opening a pipe would wait for somebody to write to it.
	if !info.Mode().IsRegular() {
		return nil, errors.New("no regular file")
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSolution+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxSolution {
		return nil, fmt.Errorf("larger than %d bytes", maxSolution)
	}
	return text, nil
}
