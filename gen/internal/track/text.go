package track

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"stateoftictactoe/gen/internal/spec"
)

// ReadText reads a text file and returns its text as spec.PlainText does.
func ReadText(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, plain(err)
	}
	return spec.PlainText(text), nil
}

// plain puts a file error into the form of all errors: the path, then the fault.
func plain(err error) error {
	var p *fs.PathError
	if !errors.As(err, &p) {
		return err
	}
	what := p.Err
	if errors.Is(err, fs.ErrNotExist) {
		return &missing{Show(p.Path)}
	}
	return fmt.Errorf("%s: %w", Show(p.Path), what)
}

type missing struct{ path string }

func (m *missing) Error() string { return m.path + ": no such file" }

func (m *missing) Is(target error) bool { return target == fs.ErrNotExist }

// Show cleans a path for messages, with slashes on every system.
func Show(path string) string { return filepath.ToSlash(filepath.Clean(path)) }
