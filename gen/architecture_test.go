package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "stateoftictactoe"

// allowed says what each package of the harness may import of the others, in
// the direction in which data flow. A language may import only what all
// languages share.
var allowed = map[string][]string{
	"gen/internal/lazy":      {},
	"gen/internal/spec":      {"gen/internal/lazy"},
	"gen/internal/lang":      {"gen/internal/spec"},
	"gen/internal/lang/*":    {"gen/internal/lazy", "gen/internal/spec", "gen/internal/lang"},
	"gen/internal/sandbox":   {},
	"gen/internal/toolchain": {"gen/internal/lang", "gen/internal/lang/golang", "gen/internal/lang/javascript", "gen/internal/lang/python", "gen/internal/sandbox"},
	"gen/internal/proof":     {"gen/internal/spec", "gen/internal/lang", "gen/internal/toolchain", "gen/internal/sandbox"},
	"gen/internal/judge":     {"gen/internal/lazy", "gen/internal/spec", "gen/internal/lang", "gen/internal/toolchain", "gen/internal/sandbox"},
	"gen/internal/track":     {"gen/internal/spec", "gen/internal/lang"},
	"gen/internal/docs":      {"gen/internal/lazy", "gen/internal/spec"},
	"gen":                    {"*"},

	// A part of drivers, which run in the solution's process.
	"gen/internal/lang/golang/serve": {},
}

// impure are packages of the standard library that touch disk, processes or the
// terminal, which only some packages may.
var impure = map[string][]string{
	"os":           {"gen", "gen/internal/sandbox", "gen/internal/toolchain", "gen/internal/track", "gen/internal/judge", "gen/internal/lang/golang/serve"},
	"os/exec":      {"gen/internal/sandbox", "gen/internal/toolchain", "gen/internal/proof"},
	"log":          nil,
	"math/rand":    nil,
	"math/rand/v2": nil,
}

// TestImports holds the directions in which packages may import each other.
func TestImports(t *testing.T) {
	seen := 0
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && entry.Name() == "testdata" {
			return fs.SkipDir
		}
		if filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		seen++
		pkg := path.Join("gen", path.Dir(filepath.ToSlash(file)))
		for _, imported := range importsOf(t, file) {
			if own, ok := strings.CutPrefix(imported, module+"/"); ok {
				if !mayImport(t, pkg, own) {
					t.Errorf("%s: %s may not import %s", file, pkg, own)
				}
			} else if imported == module {
				t.Errorf("%s: the harness may not import the exercise", file)
			}
			if users, limited := impure[imported]; limited && !slices.Contains(users, pkg) {
				t.Errorf("%s: %s may not import %s", file, pkg, imported)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 10 {
		t.Fatalf("only %d files seen", seen)
	}
}

// TestExerciseImports wants the exercise to need the standard library alone.
func TestExerciseImports(t *testing.T) {
	for _, file := range []string{"../state.go", "../cases_test.go", "../.meta/example.go"} {
		for _, imported := range importsOf(t, file) {
			if first, _, _ := strings.Cut(imported, "/"); strings.Contains(first, ".") || first == module {
				t.Errorf("%s imports %s", file, imported)
			}
		}
	}
}

func importsOf(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, imported)
	}
	return paths
}

func mayImport(t *testing.T, pkg, imported string) bool {
	t.Helper()
	rules, known := allowed[pkg]
	if !known {
		rules, known = allowed[path.Dir(pkg)+"/*"]
	}
	if !known {
		t.Errorf("no rule says what %s may import", pkg)
	}
	return slices.ContainsFunc(rules, func(rule string) bool { return rule == "*" || rule == imported })
}
