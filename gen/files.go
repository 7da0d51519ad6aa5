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

// change says how writing a file would change it, or has changed it.
type change int

const (
	unchanged change = iota
	changed
	created
)

// withOwnTests describes an exercise whose tests are written by hand.
const withOwnTests = "with tests written by hand"

// errByHand is the error for a file that is not generated.
var errByHand = errors.New("the file is not marked as generated, and is left alone; move it away to have it written")

func byHand(path string) error { return fmt.Errorf("%s:1:1: %w", track.Show(path), errByHand) }

// compare reads the file at an output's path and says how writing would change it. It
// returns an error for a file that is neither empty nor marked as generated. Other line ends are no
// change.
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
	case !isGenerated(old) && !isBlank(old):
		return unchanged, old, byHand(o.path)
	}
	return changed, old, nil
}

// isGenerated reports whether the first line of a file marks it as generated.
func isGenerated(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return bytes.Contains(line, []byte("Code generated")) && bytes.Contains(line, []byte("DO NOT EDIT"))
}

// isBlank reports whether a file holds nothing but white space. Nobody wrote such a file by
// hand.
func isBlank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// difference shows how a file would change.
func difference(path string, old, text []byte) string {
	return string(diff.Diff(track.Show(path)+" (on disk)", old, track.Show(path)+" (generated)", text))
}

// removeOld removes a file of results of an earlier run, or a link in its place. It returns
// an error for a folder in its place.
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

// replace writes a file as a whole or not at all: the text goes to a new file, which then
// takes the old file's place.
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

// plural writes a number and the name of a thing, in the singular or plural.
func plural(n int, thing string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", thing)
	}
	return fmt.Sprintf("%d %ss", n, strings.TrimSuffix(thing, "s"))
}

// need is the verb "need" for a number of things.
func need(n int) string {
	if n == 1 {
		return "needs"
	}
	return "need"
}
