// Package javascript writes the tests of an exercise in JavaScript, as modules
// for Node 20 and later, on what comes with Node unless the settings ask for
// jest.
//
// # What counts as equal
//
// The tests compare what a function returns as data, and so does the driver:
//
//   - Numbers are compared by value, so -0 is 0. A BigInt is no number: a
//     property whose integers go beyond 2^53 has BigInt for all of them, and
//     every other property has none.
//   - A list is an array. What else the array has as properties does not count.
//   - A record or a map is an object of its own enumerable properties, whatever
//     its prototype: an instance of a class is as good as a literal. A Map, a
//     Set, a Date or whatever else calls itself something is not.
//   - A property that is null or undefined is an absent one. Elsewhere undefined
//     is nothing that any data wants.
//   - A function that should fail throws an Error with the very message.
package javascript

import (
	"embed"
	"path"
	"slices"
	"strings"
	"sync"
	"text/template"

	"stateoftictactoe/gen/internal/lang"
)

// JavaScript is the JavaScript language.
type JavaScript struct{}

var _ lang.Language = JavaScript{}

// Facts implements lang.Language.
func (JavaScript) Facts() *lang.Facts { return &facts }

// facts is what the harness knows of JavaScript.
var facts = lang.Facts{
	Name:         "javascript",
	Title:        "JavaScript",
	Needs:        []lang.Need{{Program: "node", Hint: "install Node 20 or later from nodejs.org", Try: []string{"--version"}}},
	Layout:       filesOf,
	Mangle:       func(name string) string { return name }, // a test's name is reported as it is
	IsTest:       isTest,
	IsSource:     isSource,
	FunctionName: func(property string) string { return variable(property, "run") },
	Ignores:      []string{"compare", "constants", "type", "types"},
	Syntax:       syntax,
	NullIsAbsent: true,                              // both read as undefined or null
	Numbers:      lang.Numbers{IntegersApart: true}, // a BigInt is equal to no number
	SetsAside:    16 << 30,                          // Node sets 10 GB aside for each memory of WebAssembly
}

// filesOf names the files of an exercise.
func filesOf(slug string) lang.Files {
	name := lang.Kebab(slug, "exercise")
	return lang.Files{
		Solution: name + ".js",
		Test:     name + ".spec.js",
		Example:  ".meta/proof.ci.js",
	}
}

// syntax tells what of a test file makes no difference.
var syntax = lang.Syntax{
	LineComment:  "//",
	BlockComment: [2]string{"/*", "*/"},
	Quotes: []lang.Quote{
		{Mark: `"`, Kind: `"`},
		{Mark: "'", Kind: `"`},
		{Mark: "`", Kind: "`", Lines: true, Hole: "${"},
	},
	Bare:    true,
	Regexps: true,
	Operators: []string{
		"return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "instanceof", "await", "yield", "else", "do",
	},
	Enders: []string{"return", "break", "continue", "throw", "yield"},
}

// isTest reports whether a file holds tests.
func isTest(name string) bool {
	stem := strings.TrimSuffix(name, path.Ext(name))
	return isModule(name) && (strings.HasSuffix(stem, ".spec") || strings.HasSuffix(stem, ".test"))
}

// isModule reports whether Node runs a file of this name.
func isModule(name string) bool {
	return slices.Contains([]string{".js", ".mjs", ".cjs"}, path.Ext(name))
}

// isSource reports whether a solution can import a file. What npm has installed is
// no file of a solution's.
func isSource(name string) bool {
	folder, isFolder := strings.CutSuffix(name, "/")
	if isFolder {
		return path.Base(folder) != "node_modules"
	}
	return isModule(name) || path.Ext(name) == ".json" && path.Base(name) != "package-lock.json"
}

// jest is the framework that the settings may name.
const jest = "jest"

//go:embed templates
var templates embed.FS

var parsed = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").
		Option("missingkey=error").
		Funcs(template.FuncMap{"quote": quote}).
		ParseFS(templates, "templates/*.tmpl"))
})

// render fills a template. What it holds of the data was laid out before.
func render(t *template.Template, model any) ([]byte, error) {
	var b strings.Builder
	if err := t.Execute(&b, model); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}
