package track

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"stateoftictactoe/gen/internal/spec"
)

// Names of files, as Exercism lays an exercise out.
const (
	configFile     = ".meta/config.json"
	dataFile       = "canonical-data.json"
	settingsFile   = ".meta/gen.toml"
	additionalFile = ".meta/additional_tests.json"
)

// selectionFiles are the places of a tests.toml: beside the exercise's own data, and on a
// track.
var selectionFiles = []string{"tests.toml", ".meta/tests.toml"}

// Find lists the exercises that a folder holds: the exercises of a track; or the
// folder itself, with the same exercise in other languages below tracks/; or the
// exercises that lie in it side by side.
func Find(dir string) ([]string, error) {
	if info, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, noFolder(dir)
	} else if err != nil {
		return nil, plain(err)
	} else if !info.IsDir() {
		return nil, errNotFolder(dir)
	}
	if practice := exercisesIn(filepath.Join(dir, "exercises", "practice")); len(practice) > 0 {
		return practice, nil
	}
	if isExercise(dir) {
		return append([]string{filepath.Clean(dir)}, exercisesIn(filepath.Join(dir, "tracks"))...), nil
	}
	if children := exercisesIn(dir); len(children) > 0 {
		return children, nil
	}
	for _, child := range folders(dir) {
		if below := exercisesIn(child); len(below) > 0 {
			return nil, fmt.Errorf("%w; name the folders that hold some, such as %s", errNoExercise(dir), Show(child))
		}
	}
	return nil, errNoExercise(dir)
}

// exercisesIn lists the exercises that lie in a folder side by side.
func exercisesIn(dir string) []string {
	return slices.DeleteFunc(folders(dir), func(child string) bool { return !isExercise(child) })
}

// folders lists the folders in a folder, in the order of their names.
func folders(dir string) (found []string) {
	entries, _ := os.ReadDir(dir) // a folder that cannot be read counts as empty
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			found = append(found, path)
		}
	}
	return found
}

// isExercise reports whether a folder is meant to be an exercise, even if its config.json
// is missing or cannot be read.
func isExercise(dir string) bool {
	for _, name := range []string{configFile, settingsFile, ".meta/tests.toml"} {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// noFolder is the error for a folder that does not exist. It suggests a folder beside it
// or, for a slug, an exercise in the current folder.
func noFolder(dir string) error {
	byName := map[string]string{}
	add := func(dirs []string) {
		for _, d := range dirs {
			byName[filepath.Base(d)] = d
		}
	}
	if filepath.Base(dir) == filepath.Clean(dir) {
		exercises, _ := Find(".")
		add(exercises)
	}
	add(folders(filepath.Dir(dir)))
	var err error = &missing{Show(dir)}
	if near := spec.Nearest(filepath.Base(dir), slices.Sorted(maps.Keys(byName))); near != "" {
		return fmt.Errorf("%w; did you mean %s?", err, Show(byName[near]))
	}
	return err
}

func errNotFolder(path string) error {
	return fmt.Errorf("%s: not a folder; name the folder of an exercise", Show(path))
}

func errNoExercise(dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return noFolder(dir)
	}
	return fmt.Errorf("%s: no exercise here: %s is missing", Show(dir), configFile)
}
