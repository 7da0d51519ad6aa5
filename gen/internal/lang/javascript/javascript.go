// Package javascript writes the tests of an exercise in JavaScript, as modules for Node 20
// and later, with Node's own test framework unless the settings ask for jest.
//
// # What counts as equal
//
// The tests and the driver compare the result of a function as data:
//
//   - Numbers are compared by value, so -0 is 0. A BigInt is no number: a
//     property whose integers go beyond 2^53 has BigInt for all of them, and
//     every other property has none.
//   - A list is an array. Further properties of the array do not count.
//   - A record or a map is an object with its own enumerable properties, whatever its
//     prototype: an instance of a class is as good as a literal. A Map, a Set, a Date or
//     another object with a tag of its own is not.
//   - A property that is null or undefined counts as absent. Elsewhere undefined is never
//     right.
//   - A function that should fail throws an Error with exactly the expected message.
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

// facts are the facts of JavaScript.
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

// syntax tells which changes to a test file make no difference.
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

// isModule reports whether Node runs a file with this name.
func isModule(name string) bool {
	return slices.Contains([]string{".js", ".mjs", ".cjs"}, path.Ext(name))
}

// isSource reports whether a solution can import a file of its own. The files that npm has
// installed are not its own.
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

// render fills a template. Values of the data have been laid out before.
func render(t *template.Template, model any) ([]byte, error) {
	var b strings.Builder
	if err := t.Execute(&b, model); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}
