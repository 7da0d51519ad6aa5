package judge

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

// toolchain is where the programs of a language are installed.
type toolchain struct {
	root string   // the folder that the first of them is installed in
	read []string // the folders that they need
	// program runs drivers, if it is another than the first on the path.
	program string
}

// toolchains holds what has been found by language and path.
var toolchains sync.Map

// findTools finds the folders that a language's programs lie in. One process
// judges many submissions, but looks once.
func findTools(l lang.Language) (toolchain, error) {
	key := l.Name() + "\n" + os.Getenv("PATH")
	if found, ok := toolchains.Load(key); ok {
		return found.(toolchain), nil
	}
	var t toolchain
	for _, need := range l.Needs() {
		found, err := exec.LookPath(need.Program)
		if err != nil {
			return t, err
		}
		real, err := filepath.EvalSymlinks(found)
		if err != nil {
			return t, fmt.Errorf("%s: %w", need.Program, err)
		}
		if resolve := l.Resolve(); resolve != nil && isScript(real) {
			folder := ""
			if t.program, folder = pyenv(real); t.program == "" {
				if t.program, folder, err = ask(resolve.Args); err != nil {
					return t, err
				}
			}
			real = t.program
			t.read = append(t.read, folder)
		}
		root := filepath.Dir(filepath.Dir(real))
		t.root = cmp.Or(t.root, root)
		t.read = append(t.read, root)
	}
	toolchains.Store(key, t)
	return t, nil
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

// pyenv finds what one of pyenv's scripts would run, by its rules, in a hundredth
// of the time. It returns "" where that is not plain.
func pyenv(script string) (program, folder string) {
	root := filepath.Dir(filepath.Dir(script))
	if filepath.Base(filepath.Dir(script)) != "shims" {
		return "", ""
	}
	version := os.Getenv("PYENV_VERSION")
	if dir, err := os.Getwd(); err == nil && version == "" {
		for version == "" {
			version = firstWord(filepath.Join(dir, ".python-version"))
			parent := filepath.Dir(dir)
			if parent == dir {
				break
			}
			dir = parent
		}
	}
	if version == "" {
		version = firstWord(filepath.Join(root, "version"))
	}
	if version == "" || version != filepath.Base(version) {
		return "", ""
	}
	folder = filepath.Join(root, "versions", version)
	program, err := filepath.EvalSymlinks(filepath.Join(folder, "bin", filepath.Base(script)))
	if err != nil {
		return "", ""
	}
	return program, folder
}

func firstWord(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	if words := strings.Fields(string(text)); len(words) > 0 && !strings.HasPrefix(words[0], "#") {
		return words[0]
	}
	return ""
}

// ask has a program say where it is installed.
func ask(args []string) (program, folder string, err error) {
	text, err := exec.Command(args[0], args[1:]...).Output()
	if err != nil {
		return "", "", fmt.Errorf("ask %s where it is installed: %w", args[0], err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.TrimSpace(lines[0]), strings.TrimSpace(lines[len(lines)-1]), nil
}
