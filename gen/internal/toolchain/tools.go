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

// found holds the Tools that have been found, by language and path.
var found sync.Map

// FindTools finds the folders that a language's programs lie in. One process
// judges many submissions, but looks once.
func FindTools(l lang.Language) (Tools, error) {
	key := l.Name() + "\n" + os.Getenv("PATH")
	if tools, ok := found.Load(key); ok {
		return tools.(Tools), nil
	}
	var t Tools
	installation := lang.Installation{Parts: usualParts}
	if l, ok := l.(lang.Installed); ok {
		installation = l.Installation()
	}
	for _, need := range l.Needs() {
		path, err := exec.LookPath(need.Program)
		if err != nil {
			return t, fmt.Errorf("%s is not installed; %s", need.Program, need.Hint)
		}
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return t, fmt.Errorf("%s: %w", need.Program, err)
		}
		root := filepath.Dir(filepath.Dir(real))
		if resolve := l.Resolve(); resolve != nil && isScript(real) {
			if t.Program, root = pyenv(real); t.Program == "" {
				if t.Program, root, err = ask(resolve.Args); err != nil {
					return t, err
				}
			}
			real = t.Program
		} else if !isInstallation(root, installation) && len(installation.Ask.Args) > 0 {
			program := ""
			if program, root, err = ask(installation.Ask.Args); err != nil {
				return t, err
			}
			if found, err := filepath.EvalSymlinks(program); err == nil {
				real = found
			}
		}
		t.Root, t.Version = cmp.Or(t.Root, root), cmp.Or(t.Version, version(real))
		t.Read = append(t.Read, real)
		t.Read = append(t.Read, parts(root, installation)...)
	}
	found.Store(key, t)
	return t, nil
}

// usualParts are what most programs need of the folder that they are installed in.
var usualParts = []string{"lib*", "pkg", "src", "share", "VERSION", "go.env"}

// isInstallation reports whether a language is installed in a folder. That a program
// lies in it tells little: people copy them to where their own files lie.
func isInstallation(root string, i lang.Installation) bool {
	if i.Mark == "" {
		return true
	}
	marks, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(i.Mark)))
	return err == nil && len(marks) > 0
}

// parts lists what of an installation programs may read, never all of its folder: that
// may be somebody's home.
func parts(root string, i lang.Installation) (paths []string) {
	for _, pattern := range i.Parts {
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
