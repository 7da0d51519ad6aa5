package toolchain

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"stateoftictactoe/gen/internal/lang/python"
)

// Python finds Python's interpreter.
type Python struct{}

// Find implements Toolchain.
func (Python) Find() (Tools, error) {
	return installation{
		mark:  "lib*/python3.*/os.py",
		parts: []string{"lib*/python3.*", "lib/lib*.so*"},
		ask:   []string{python.Interpreter, "-c", "import sys; print(sys.executable); print(sys.base_prefix)"},
		shim:  pyenv,
	}.find(python.Python{}.Facts().Needs)
}

// Build implements Toolchain: there is nothing to build.
func (Python) Build(context.Context, *Workshop) (Built, error) { return Built{}, nil }

// pyenv finds the program that a script of pyenv would run, by pyenv's rules, in a
// hundredth of the time. It returns "" if the rules do not decide.
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
