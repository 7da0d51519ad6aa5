package track

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"stateoftictactoe/gen/internal/spec"
)

// places says where the parts of an exercise lie.
type places struct {
	slug string
	own  string // the folder of tests.toml and .meta
	data string // the path of canonical-data.json
}

// Paths are the absolute paths of a folder: its path as given and, if that goes through a
// link, its real path.
func Paths(dir string) []string {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil // the current folder is gone
	}
	paths := []string{absolute}
	if real, err := filepath.EvalSymlinks(absolute); err == nil && real != absolute {
		paths = append(paths, real)
	}
	return paths
}

// home finds an exercise's data: in its folder; for tracks/<language> two folders up,
// in the exercise in the repository's first language; or else in a checkout of
// problem-specifications.
func home(dir string, specs []string) (places, error) {
	if home, found := ownHome(dir); found {
		return home, nil
	}
	if len(specs) == 0 {
		return places{}, PassOver(noData, fmt.Errorf("%s: %s is missing; %w, or as in --specs CHECKOUT %s", Show(dir), dataFile, ErrNoCheckout, Show(dir)))
	}
	var slug string
	for _, path := range slices.Backward(Paths(dir)) {
		slug = filepath.Base(path)
		for _, checkout := range specs {
			path := filepath.Join(checkout, "exercises", slug, dataFile)
			if _, err := os.Stat(path); err == nil {
				return places{slug: slug, own: dir, data: path}, nil
			}
		}
	}
	return places{}, PassOver(noData, fmt.Errorf("%s: no canonical data for %q in %s", Show(dir), slug, strings.Join(specs, ", ")))
}

// ownHome finds data that lie in an exercise's folder or, for tracks/<language>,
// two folders up.
func ownHome(dir string) (places, bool) {
	candidates := []string{dir}
	for i, path := range Paths(dir) {
		if filepath.Base(filepath.Dir(path)) != "tracks" {
			continue
		}
		if i == 0 {
			path = dir // the path as given
		}
		candidates = append(candidates, filepath.Join(path, "..", ".."))
	}
	for _, own := range candidates {
		path := filepath.Join(own, dataFile)
		if _, err := os.Stat(path); err == nil {
			return places{own: own, data: path}, true
		}
	}
	return places{}, false
}

// Kinds of exercises that are passed over.
const (
	noData = "without canonical data"
	noCase = "without a selected case"
)

// NotOurs is the error for a sound exercise that the harness can do nothing with. A run
// over a track counts it and goes on.
type NotOurs struct {
	// Is describes the exercise in a few words, for a summary.
	Is  string
	err error
}

// PassOver wraps an error in a NotOurs, so that a run over a track passes the exercise
// over.
func PassOver(is string, err error) error { return &NotOurs{is, err} }

func (n *NotOurs) Error() string { return n.err.Error() }

// Unwrap returns the wrapped error.
func (n *NotOurs) Unwrap() error { return n.err }

// ErrNoCheckout is the error if an exercise's folder holds no data and no checkout of
// problem-specifications is named.
var ErrNoCheckout = errors.New("name a checkout of problem-specifications in PROBLEM_SPECIFICATIONS")

// selectCases reads the data, tests.toml and the exercise's own cases.
func (e *Exercise) selectCases(home places) ([]*spec.Case, error) {
	data, text, err := readData(home.data, nil)
	if err != nil {
		return nil, err
	}
	e.data, e.dataText = data, text
	if e.Slug == "" {
		e.Slug = data.Exercise
	} else if err := data.CheckExercise(e.Slug); err != nil { // they lie in the folder of the slug
		return nil, err
	}
	if e.Slug == "" {
		return nil, fmt.Errorf("%s: key \"exercise\" is missing; add the slug", Show(home.data))
	}
	selection, err := readSelection(home.own, data)
	if err != nil {
		return nil, err
	}
	var selected []*spec.Case
	selected, e.Unlisted = spec.Select(data, selection)
	e.cases = slices.Clone(data.Cases)
	e.misspelt = slices.Clone(data.Misspelt)
	path := filepath.Join(home.own, filepath.FromSlash(additionalFile))
	additional, _, err := readData(path, data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		selected = append(selected, additional.Cases...)
		e.cases = append(e.cases, additional.Cases...)
		e.misspelt = append(e.misspelt, additional.Misspelt...)
	}
	switch {
	case len(selected) > 0:
		return selected, nil
	case selection == nil:
		return nil, PassOver(noCase, fmt.Errorf("%s: no cases; add one", Show(home.data)))
	default:
		return nil, PassOver(noCase, fmt.Errorf("%s: no case is selected; include one in tests.toml", Show(home.own)))
	}
}

func readData(path string, base *spec.Data) (data *spec.Data, text []byte, err error) {
	if text, err = ReadText(path); err != nil {
		return nil, nil, err
	}
	if data, err = spec.ParseData(Show(path), text, base); err != nil {
		return nil, nil, err
	}
	return data, text, data.CheckUUIDs()
}

// readSelection reads tests.toml. The selection is nil if there is no such file.
func readSelection(dir string, data *spec.Data) (*spec.Selection, error) {
	for _, name := range selectionFiles {
		path := filepath.Join(dir, filepath.FromSlash(name))
		text, err := ReadText(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		}
		if err := data.NeedUUIDs(); err != nil {
			return nil, err
		}
		return spec.ParseSelection(Show(path), text, data)
	}
	return nil, nil
}
