package main

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
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
	"gen/internal/proof":     {"gen/internal/spec", "gen/internal/lang", "gen/internal/sandbox"},
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
	"os":           {"gen", "gen/internal/sandbox", "gen/internal/toolchain", "gen/internal/track", "gen/internal/lang/golang/serve"},
	"os/exec":      {"gen/internal/sandbox", "gen/internal/toolchain", "gen/internal/proof"},
	"log":          nil,
	"math/rand":    nil,
	"math/rand/v2": nil,
}

// TestImports holds the directions in which packages may import each other.
func TestImports(t *testing.T) {
	seen := 0
	used := map[string]bool{}
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
			used[ruleOf(pkg)+" "+strings.TrimPrefix(imported, module+"/")] = true
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
	for pkg, rights := range allowed {
		for _, right := range rights {
			if right != "*" && !used[pkg+" "+right] {
				t.Errorf("%s may import %s and does not: take the right away", pkg, right)
			}
		}
	}
	for imported, users := range impure {
		for _, pkg := range users {
			if !used[ruleOf(pkg)+" "+imported] {
				t.Errorf("%s may import %s and does not: take the right away", pkg, imported)
			}
		}
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
	rules, known := allowed[ruleOf(pkg)]
	if !known {
		t.Errorf("no rule says what %s may import", pkg)
	}
	return slices.ContainsFunc(rules, func(rule string) bool { return rule == "*" || rule == imported })
}

// shared are the packages that serve all languages, and so name none.
var shared = []string{"spec", "lang", "sandbox", "judge", "proof", "track", "lazy"}

// ofOne matches what belongs to one language: its name, its programs, their variables,
// the endings of its files, what its tools print.
var ofOne = regexp.MustCompile(`(?i)golang|python|javascript|pyenv|node_?js|gocache|goroot|goproxy|gofmt|goroutine|unittest|pytest|\bnpm\b|\bjest\b|panic: |\.(go|py|js|mjs|cjs)\b|\bgo\.mod|package\.json`)

// TestNoLanguage wants no name and no text of the packages that serve all languages to
// belong to one of them. Comments may give examples.
func TestNoLanguage(t *testing.T) {
	excused := map[string]string{
		// Help texts.
		"python3 -c": "a command that prints a uuid",
	}
	seen := 0
	for _, pkg := range shared {
		files, err := filepath.Glob(filepath.Join("internal", pkg, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pkg, len(files), err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			check := func(text string) {
				seen++
				for help := range excused {
					if strings.Contains(text, help) {
						return
					}
				}
				if word := ofOne.FindString(text); word != "" {
					t.Errorf("%s: %q belongs to one language: %s", file, word, text)
				}
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ImportSpec:
					return false
				case *ast.Ident:
					check(n.Name)
				case *ast.BasicLit:
					if text, err := strconv.Unquote(n.Value); err == nil {
						check(text)
					}
				}
				return true
			})
		}
	}
	if seen < 1000 {
		t.Errorf("only %d names and texts seen", seen)
	}
}

// ruleOf is the entry of allowed that holds for a package.
func ruleOf(pkg string) string {
	if _, known := allowed[pkg]; known {
		return pkg
	}
	return path.Dir(pkg) + "/*"
}

// TestFunctionLength wants each function to fit on a screen.
func TestFunctionLength(t *testing.T) {
	const most = 60 // lines
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && entry.Name() == "testdata" {
			return cmp.Or(err, fs.SkipDir)
		}
		if filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			return err
		}
		for _, declared := range parsed.Decls {
			if f, ok := declared.(*ast.FuncDecl); ok {
				if lines := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; lines > most {
					t.Errorf("%s: %s has %d lines, want %d at most", file, f.Name.Name, lines, most)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
