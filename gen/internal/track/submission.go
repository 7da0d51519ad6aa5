package track

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"stateoftictactoe/gen/internal/spec"
)

// Bounds of a submission.
const (
	maxFile    = 1 << 20 // bytes of one file
	maxFiles   = 200     // files beside those that a student is given
	maxTotal   = 8 << 20 // bytes of these files together
	maxEntries = 10_000  // files and folders
	maxDepth   = 10      // folders inside one another
)

// ErrSubmission is the error for a fault of the submission.
type ErrSubmission struct{ Message string }

func (e *ErrSubmission) Error() string { return e.Message }

// Submission reads the solution of a submission, by slash-separated name: the files of the
// exercise that a student edits, and further sources beside them. It leaves out the
// exercise's other files and links that lead out of the folder. The error is an
// ErrSubmission if the submission is at fault.
func (e *Exercise) Submission(dir string) (map[string][]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, plain(err)
	}
	defer root.Close()
	files := map[string][]byte{}
	for _, name := range e.Solution {
		text, err := readSubmitted(root, name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, &ErrSubmission{e.missing(root, name)}
		case err != nil:
			return nil, &ErrSubmission{fmt.Sprintf("%s: %s", name, reason(err))}
		}
		files[name] = text
	}
	further, err := e.further(root)
	if err != nil {
		return nil, err
	}
	total := 0
	for _, name := range further {
		text, err := readSubmitted(root, name)
		if total += len(text); err == nil && total > maxTotal {
			err = fmt.Errorf("with this file the files beside %s have more than %d bytes", e.Solution[0], maxTotal)
		}
		if err != nil {
			return nil, &ErrSubmission{fmt.Sprintf("%s: %s", name, reason(err))}
		}
		files[name] = text
	}
	return files, nil
}

// missing says that a submission lacks a file, and suggests a file that may be meant.
func (e *Exercise) missing(root *os.Root, name string) string {
	const most = 3
	text := name + " is missing from the submission"
	others, _ := e.further(root) // a file that cannot be read is not suggested
	if near := spec.Nearest(name, others); near != "" {
		return fmt.Sprintf("%s; if it is %s, rename that", text, near)
	}
	if len(others) > 0 {
		text += ", which has " + strings.Join(others[:min(most, len(others))], ", ")
	}
	return text
}

// Stub reads the files that a student edits, as they are handed out. It is empty if the
// first file does not exist.
func (e *Exercise) Stub() (map[string][]byte, error) {
	return e.readSolution(e.Solution, e.Solution)
}

// Example reads the reference solution, by the names of the student's files. It is empty
// if its first file does not exist.
func (e *Exercise) Example() (map[string][]byte, error) {
	names := e.named.Files.Example
	if len(names) == 0 {
		names = e.named.Files.Exemplar
	}
	if len(names) == 0 {
		names = []string{e.Unit.Files.Example}
	}
	return e.readSolution(names, inPlaceOf(e.Solution, names))
}

// inPlaceOf finds for each file of an example the student's file that it replaces: the
// file with the same name in any folder, or else the next file that is left. An example
// file without a counterpart keeps its name, beside the first of the student's files.
func inPlaceOf(solution, example []string) []string {
	left := slices.Clone(solution)
	places := make([]string, len(example))
	take := func(i, at int) {
		places[i] = left[at]
		left = slices.Delete(left, at, at+1)
	}
	for i, name := range example {
		isSame := func(other string) bool { return path.Base(other) == path.Base(name) }
		if at := slices.IndexFunc(left, isSame); at >= 0 {
			take(i, at)
		}
	}
	for i, name := range example {
		switch {
		case places[i] != "":
		case len(left) > 0:
			take(i, 0)
		default:
			places[i] = path.Join(path.Dir(solution[0]), path.Base(name))
		}
	}
	return places
}

// readSolution reads files of the exercise and gives them names.
func (e *Exercise) readSolution(files, names []string) (map[string][]byte, error) {
	solution := map[string][]byte{}
	for i, file := range files {
		text, err := ReadText(filepath.Join(e.Dir, filepath.FromSlash(file)))
		switch {
		case err == nil:
			solution[names[i]] = text
		case i == 0 && errors.Is(err, fs.ErrNotExist):
			return nil, nil
		default:
			return nil, err
		}
	}
	return solution, nil
}

// further lists the names of the sources beside the solution files, folder by folder.
func (e *Exercise) further(root *os.Root) (names []string, err error) {
	isSource := e.Language.Facts().IsSource
	if isSource == nil {
		return nil, nil
	}
	own := e.ownFiles()
	entries := 0
	folders := []string{"."}
	for len(folders) > 0 {
		folder := folders[0]
		folders = folders[1:]
		listed, err := list(root, folder, maxEntries-entries)
		if err != nil {
			return nil, &ErrSubmission{fmt.Sprintf("%s: %s", folder, reason(err))}
		}
		if entries += len(listed); entries >= maxEntries {
			return nil, &ErrSubmission{fmt.Sprintf("the submission has %d files or more; submit the solution alone", maxEntries)}
		}
		for _, entry := range listed {
			name := path.Join(folder, entry.Name())
			switch {
			case strings.HasPrefix(entry.Name(), "."):
			case entry.IsDir():
				if isSource(name+"/") && strings.Count(name, "/") < maxDepth {
					folders = append(folders, name)
				}
			case !own[name] && entry.Name() != dataFile && !e.Language.Facts().IsTest(entry.Name()) && isSource(name):
				// A link may lead out of the folder, or nowhere.
				if info, err := root.Stat(filepath.FromSlash(name)); err == nil && info.Mode().IsRegular() {
					names = append(names, name)
				}
			}
		}
	}
	if len(names) > maxFiles {
		return nil, &ErrSubmission{fmt.Sprintf("the submission has %d files of sources beside %s; submit %d at most", len(names), e.Solution[0], maxFiles)}
	}
	return names, nil
}

// list lists a folder in the order of names, most entries at most.
func list(root *os.Root, folder string, most int) ([]fs.DirEntry, error) {
	f, err := root.Open(filepath.FromSlash(folder))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(most)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// ownFiles are the names of all files that the exercise knows: those that a student edits,
// and those that a submission must not replace.
func (e *Exercise) ownFiles() map[string]bool {
	files := e.named.Files
	own := map[string]bool{}
	for _, names := range [][]string{
		e.Solution, files.Test, files.Example, files.Exemplar, files.Editor,
		{e.Unit.Files.Test, e.Unit.Files.Example},
		slices.Collect(maps.Keys(e.Unit.Project)),
	} {
		for _, name := range names {
			own[path.Clean(name)] = true
		}
	}
	return own
}

func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// readSubmitted reads a file of the submission, by its name with slashes.
func readSubmitted(root *os.Root, name string) ([]byte, error) {
	name = filepath.FromSlash(name)
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
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("larger than %d bytes", maxFile)
	}
	return text, nil
}
