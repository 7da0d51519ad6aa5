package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"stateoftictactoe/gen/internal/spec"
	"stateoftictactoe/gen/internal/track"
)

// change says what writing a file would do, or has done.
type change int

const (
	unchanged change = iota
	changed
	created
)

// withOwnTests is what an exercise is whose tests are not ours.
const withOwnTests = "with tests written by hand"

// errByHand says that a file is somebody's work.
var errByHand = errors.New("the file is not marked as generated, and is left alone; move it away to have it written")

func byHand(path string) error { return fmt.Errorf("%s:1:1: %w", track.Show(path), errByHand) }

// compare reads what stands at an output's path and says what writing would do.
// A file that is not marked as generated is not ours to replace. Line ends are
// no change; a file that changes otherwise is written with line feeds alone.
func compare(o output) (change, []byte, error) {
	old, err := track.ReadText(o.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && o.text == nil:
		return unchanged, nil, nil
	case errors.Is(err, fs.ErrNotExist):
		return created, nil, nil
	case err != nil:
		return unchanged, nil, err
	case o.keep || o.text != nil && bytes.Equal(old, spec.PlainText(o.text)):
		return unchanged, old, nil
	case o.text == nil && !isGenerated(old):
		return unchanged, old, nil
	case !isGenerated(old):
		return unchanged, old, byHand(o.path)
	}
	return changed, old, nil
}

// isGenerated reports whether the first line of a file marks it as generated.
func isGenerated(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return bytes.Contains(line, []byte("Code generated")) && bytes.Contains(line, []byte("DO NOT EDIT"))
}

// difference shows how a file would change.
func difference(path string, old, text []byte) string {
	return string(diff.Diff(track.Show(path)+" (on disk)", old, track.Show(path)+" (generated)", text))
}

// removeOld removes a file of results that an earlier run left, or a link of its
// name. What else has the name is not ours to remove.
func removeOld(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", track.Show(path), errors.Unwrap(err))
	case info.IsDir():
		return fmt.Errorf("%s: is a folder, where a file is to be written; move it away", track.Show(path))
	case !info.Mode().IsRegular() && info.Mode().Type() != fs.ModeSymlink:
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", track.Show(path), errors.Unwrap(err))
	}
	return nil
}

// replace writes a file whole or not at all: the text goes to a new file, which
// then takes the old one's place.
func replace(path string, text []byte) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("%s: %w", track.Show(path), errors.Unwrap(err))
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("%s: %w", track.Show(path), errors.Unwrap(err))
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(text); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", track.Show(path), err)
	}
	if err := f.Chmod(0o644); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", track.Show(path), err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("%s: %w", track.Show(path), err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("%s: %w", track.Show(path), err)
	}
	return nil
}

// plural writes a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", thing)
	}
	return fmt.Sprintf("%d %ss", n, strings.TrimSuffix(thing, "s"))
}

// need is the verb for a number of things that need something.
func need(n int) string {
	if n == 1 {
		return "needs"
	}
	return "need"
}
