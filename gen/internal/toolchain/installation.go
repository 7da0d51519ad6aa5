package toolchain

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"stateoftictactoe/gen/internal/lang"
)

// Tools says where the programs of a language are installed.
type Tools struct {
	Root string   // the folder that the first program is installed in
	Read []string // the files and folders that they need
	// Program is the program that runs drivers, or "" for the first on the path.
	Program string
	// Version changes when the first program is replaced.
	Version string
}

// installation says how to recognize the folder that a language is installed in, and which
// files of it programs need. All names are patterns relative to the folder, which holds
// the program in bin.
type installation struct {
	// mark is a file that only such a folder has, or "" if there is no such file.
	mark string
	// parts are the files and folders that programs need beside the program itself.
	parts []string
	// ask is a command that prints the path of the program and the folder that it is
	// installed in, a line each, or the folder alone if the program lies in its bin. It
	// runs if the folder above the program's lacks the mark, so that the program is a copy
	// or lies elsewhere, and if the program on the path is a script that finds the real
	// program.
	ask []string
	// shim finds the program that such a script would run, without starting the script,
	// or returns "".
	shim func(script string) (program, folder string)
	// compiled means that the program on the path is never such a script.
	compiled bool
}

// found holds the Tools of earlier calls of find, by language and PATH: a process that
// judges many submissions looks for them once.
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
			return t, errors.New(need.Missing())
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

// isIn reports whether the language is installed in a folder. The program alone is no
// sign: people copy programs into folders of their own files.
func (i installation) isIn(root string) bool {
	if i.mark == "" {
		return true
	}
	marks, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(i.mark)))
	return err == nil && len(marks) > 0
}

// partsIn lists the files and folders that programs may read in a folder. It never lists
// the folder itself, which may be somebody's home.
func (i installation) partsIn(root string) (paths []string) {
	for _, pattern := range i.parts {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err == nil {
			paths = append(paths, found...)
		}
	}
	return paths
}

// isScript reports whether a program is a script, which finds the real program.
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

// ask runs a command that prints where a program is installed. If the command prints only
// a folder, the program lies in the folder's bin.
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

// version identifies a file's content by its path, size and time. It is "" if there is no
// such file.
func version(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano())
}
