// Package golang writes the tests of an exercise in Go, with only the standard library
// unless the settings ask for go-cmp.
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

// Facts implements lang.Language.
func (Go) Facts() *lang.Facts { return &facts }

// facts are the facts of Go.
var facts = lang.Facts{
	Name:           "go",
	Title:          "Go",
	Needs:          []lang.Need{{Program: "go", Hint: "install Go from go.dev/doc/install", Try: []string{"version"}}},
	Layout:         filesOf,
	Mangle:         mangle,
	IsTest:         func(name string) bool { return strings.HasSuffix(name, "_test.go") },
	IsSource:       isSource,
	FunctionName:   func(property string) string { return lang.Pascal(property, "Run") },
	Ignores:        []string{"error_type"},
	Syntax:         syntax,
	SolutionFolder: solutionFolder,
	SetsAside:      2 << 30,
}

// filesOf names the files of an exercise.
func filesOf(slug string) lang.Files {
	return lang.Files{
		Solution: solutionFile(slug),
		Test:     "cases_test.go",
		Example:  ".meta/example.go",
	}
}

// solutionFile is the slug with underscores, or with its words joined if the last word
// would make the file a test or keep it from being built on some system.
func solutionFile(slug string) string {
	name := lang.Snake(slug, "x")
	if !builtAnywhere(name + ".go") {
		name = strings.ReplaceAll(name, "_", "")
	}
	return name + ".go"
}

// syntax tells which changes to a test file make no difference.
var syntax = lang.Syntax{
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

// isSource reports whether a file can be a part of a solution. All Go files of a folder
// are one package.
func isSource(name string) bool {
	return path.Ext(name) == ".go" && path.Base(name) == name
}

// mangle turns underscores and slashes into spaces. Exercism's test runner, which looks a
// test up by its name, takes them for spaces and nested tests.
func mangle(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '/' || unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, name)
}

// packageName is the package of an exercise: that of its solution, its example or its
// tests, the first of these files that exists and names a package. Without them it is the
// slug without hyphens.
func packageName(u *lang.Unit) string {
	for _, file := range []string{u.Files.Solution, u.Files.Example, u.Files.Test} {
		text, stands := u.Standing[file]
		if !stands {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.PackageClauseOnly)
		if err == nil && parsed.Name.Name != "main" { // nothing can import main
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

// render fills a template and formats the text as gofmt does. A text that does not parse
// is an error.
func render(t *template.Template, model any) ([]byte, error) {
	var b strings.Builder
	if err := t.Execute(&b, model); err != nil {
		return nil, err
	}
	return format.Source([]byte(b.String()))
}
