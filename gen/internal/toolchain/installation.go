package toolchain

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"stateoftictactoe/gen/internal/lang"
)

// Tools is where the programs of a language are installed.
type Tools struct {
	Root string   // the folder that the first of them is installed in
	Read []string // the files and folders that they need
	// Program runs drivers, if it is another than the first on the path.
	Program string
	// Version changes when the first of them is replaced.
	Version string
}

// installation says what of the folder that a language is installed in its programs
// need. All names are patterns, relative to the folder; the program lies in bin there.
type installation struct {
	// mark is a file that such a folder has and no other; "" if no part tells more than
	// the program itself.
	mark string
	// parts are the files and folders that programs need beside the program itself.
	parts []string
	// ask is a command that prints the path of the program and the folder that it is
	// installed in, a line each, or the folder alone if it lies in bin there. It is asked
	// where there is no mark two folders above the program, which is then a copy, or lies
	// elsewhere; and where the program on the path is a script that finds the real one.
	ask []string
	// shim finds what such a script would run without a start of it, or returns "".
	shim func(script string) (program, folder string)
	// compiled says that the program on the path is never such a script.
	compiled bool
}

// found holds the Tools that have been found, by language and path. One process judges
// many submissions, but looks once.
var found sync.Map

// find finds the programs of a language and what they need of their folders.
func (i installation) find(needs []lang.Need) (Tools, error) {
	key := fmt.Sprint(needs) + "\n" + os.Getenv("PATH")
	if tools, ok := found.Load(key); ok {
		return tools.(Tools), nil
	}
	var t Tools
	for _, need := range needs {
		path, err := exec.LookPath(need.Program)
		if err != nil {
			return t, &MissingError{need}
		}
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return t, fmt.Errorf("%s: %w", need.Program, err)
		}
		root := filepath.Dir(filepath.Dir(real))
		if !i.compiled && isScript(real) {
			if i.shim != nil {
				t.Program, root = i.shim(real)
			}
			if t.Program == "" {
				if t.Program, root, err = ask(i.ask); err != nil {
					return t, err
				}
			}
			real = t.Program
		} else if !i.isIn(root) {
			program := ""
			if program, root, err = ask(i.ask); err != nil {
				return t, err
			}
			if found, err := filepath.EvalSymlinks(program); err == nil {
				real = found
			}
		}
		t.Root, t.Version = cmp.Or(t.Root, root), cmp.Or(t.Version, version(real))
		t.Read = append(t.Read, real)
		t.Read = append(t.Read, i.partsIn(root)...)
	}
	found.Store(key, t)
	return t, nil
}

// MissingError says that a program is not installed.
type MissingError struct{ Need lang.Need }

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s is not installed; %s", e.Need.Program, e.Need.Hint)
}

// isIn reports whether the language is installed in a folder. That a program lies in it
// tells little: people copy them to where their own files lie.
func (i installation) isIn(root string) bool {
	if i.mark == "" {
		return true
	}
	marks, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(i.mark)))
	return err == nil && len(marks) > 0
}

// partsIn lists what of a folder programs may read, never all of it: that may be
// somebody's home.
func (i installation) partsIn(root string) (paths []string) {
	for _, pattern := range i.parts {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err == nil {
			paths = append(paths, found...)
		}
	}
	return paths
}

// isScript reports whether a program is a script that finds the real one.
func isScript(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [2]byte
	f.Read(head[:])
	return string(head[:]) == "#!"
}

// ask has a program say where it is installed. One that names a folder alone lies
// in its bin folder.
func ask(args []string) (program, folder string, err error) {
	text, err := exec.Command(args[0], args[1:]...).Output()
	if err != nil {
		return "", "", fmt.Errorf("ask %s where it is installed: %w", args[0], err)
	}
	program, folder, both := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if program, folder = strings.TrimSpace(program), strings.TrimSpace(folder); !both {
		program, folder = filepath.Join(program, "bin", args[0]), program
	}
	return program, folder, nil
}

// version tells a file from others of its name, as far as that is to be had at a
// glance. It is empty if there is none.
func version(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano())
}
