// Package golang writes the tests of an exercise in Go, on the standard library
// alone unless the settings ask for go-cmp.
package golang

import (
	"embed"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"strings"
	"sync"
	"text/template"
	"unicode"

	"stateoftictactoe/gen/internal/lang"
)

// Go is the Go language.
type Go struct{}

var _ lang.Language = Go{}

// Name implements lang.Language.
func (Go) Name() string { return "go" }

// Title implements lang.Language.
func (Go) Title() string { return "Go" }

// NullIsAbsent implements lang.Language: a nil in a map is a value.
func (Go) NullIsAbsent() bool { return false }

// Layout implements lang.Language.
func (Go) Layout(slug string) lang.Files {
	return lang.Files{
		Solution: solutionFile(slug),
		Test:     "cases_test.go",
		Example:  ".meta/example.go",
	}
}

// solutionFile is the slug with underscores, or without where the last word
// would make it a test or keep it from being built on some system.
func solutionFile(slug string) string {
	name := lang.Snake(slug, "x")
	if !builtAnywhere(name + ".go") {
		name = strings.ReplaceAll(name, "_", "")
	}
	return name + ".go"
}

// Syntax implements lang.Language.
func (Go) Syntax() lang.Syntax {
	return lang.Syntax{
		LineComment:  "//",
		BlockComment: [2]string{"/*", "*/"},
		Quotes: []lang.Quote{
			{Mark: `"`, Kind: `"`},
			{Mark: "`", Kind: "`", Raw: true, Lines: true},
			{Mark: "'", Kind: "'"},
		},
		Operators: []string{"return", "case", "range", "go", "defer"},
		Enders:    []string{"return", "break", "continue", "fallthrough"},
	}
}

// IsTest implements lang.Language.
func (Go) IsTest(name string) bool {
	return strings.HasSuffix(name, "_test.go")
}

// IsSource reports whether a file is one of a solution's. All Go files of a folder
// are one package.
func (Go) IsSource(name string) bool {
	return path.Ext(name) == ".go" && path.Base(name) == name
}

// Mangle implements lang.Language. The characters that Exercism's test runner
// takes for a space or for a nested test become spaces, as it looks a test up
// by its name.
func (Go) Mangle(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '/' || unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, name)
}

// packageName is the package of an exercise: that of its solution, its example or
// its tests, the first of these that stand and belong to one. It is the slug
// without its hyphens where none does.
func packageName(u *lang.Unit) string {
	for _, file := range []string{u.Files.Solution, u.Files.Example, u.Files.Test} {
		text, stands := u.Standing[file]
		if !stands {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.PackageClauseOnly)
		if err == nil && parsed.Name.Name != "main" { // a program that nothing can import
			return parsed.Name.Name
		}
	}
	name := strings.ToLower(lang.Pascal(u.Suite.Slug, "x"))
	if token.IsKeyword(name) || name == "main" {
		name += "_"
	}
	return name
}

//go:embed templates
var templates embed.FS

var parsed = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Option("missingkey=error").ParseFS(templates, "templates/*.tmpl"))
})

// render fills a template and lays it out as gofmt does. Text that does not
// parse is an error, never written as it is.
func render(t *template.Template, model any) ([]byte, error) {
	var b strings.Builder
	if err := t.Execute(&b, model); err != nil {
		return nil, err
	}
	return format.Source([]byte(b.String()))
}
