// Package python writes the tests of an exercise in Python, with unittest.
package python

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"text/template"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"stateoftictactoe/gen/internal/lang"
)

// Python is the Python language, from version 3.10.
type Python struct{}

var _ lang.Language = Python{}

// Facts implements lang.Language.
func (Python) Facts() *lang.Facts { return &facts }

// facts are the facts of Python.
var facts = lang.Facts{
	Name:         "python",
	Title:        "Python",
	Needs:        []lang.Need{{Program: Interpreter, Hint: "install Python 3.10 or later from python.org/downloads", Try: []string{"--version"}}},
	Layout:       filesOf,
	Mangle:       mangle,
	IsTest:       isTest,
	IsSource:     isSource,
	FunctionName: func(property string) string { return identifier(property, "run") },
	Ignores:      []string{"compare", "constants", "type", "types"},
	Syntax:       syntax,
	NullIsAbsent: true,                             // a key with None reads like a missing key
	Numbers:      lang.Numbers{IncludeBools: true}, // True is equal to 1
	SetsAside:    2 << 30,                          // the C library sets addresses aside for each thread
}

// filesOf names the files of an exercise.
func filesOf(slug string) lang.Files {
	name := identifier(slug, "exercise")
	if slices.Contains(modules, name) {
		name += "_"
	}
	return lang.Files{
		Solution: name + ".py",
		Test:     name + "_test.py",
		Example:  ".meta/example.py",
	}
}

// syntax tells which changes to a test file make no difference.
var syntax = lang.Syntax{
	LineComment: "#",
	Quotes: []lang.Quote{
		{Mark: `"""`, Kind: `"`, Lines: true},
		{Mark: "'''", Kind: `"`, Lines: true},
		{Mark: `"`, Kind: `"`},
		{Mark: "'", Kind: `"`},
	},
	Prefixes: true,
	Indents:  true,
	Operators: []string{
		"return", "in", "not", "and", "or", "is", "if", "elif", "else", "while", "assert", "yield", "await",
		"from", "import", "lambda", "del", "raise", "with", "as", "for",
	},
}

// isTest reports whether a file holds tests: Exercism's end in _test, and those that
// unittest finds by itself start with test_.
func isTest(name string) bool {
	return strings.HasSuffix(name, "_test.py") || strings.HasPrefix(name, "test_") && strings.HasSuffix(name, ".py")
}

// isSource reports whether a solution can import a file of its own. The files of a virtual
// environment are not its own.
func isSource(name string) bool {
	folder, isFolder := strings.CutSuffix(name, "/")
	if isFolder {
		return path.Base(folder) != "site-packages" && path.Base(folder) != "__pycache__"
	}
	return path.Ext(name) == ".py"
}

// mangle names the test method of a case.
func mangle(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r <= unicode.MaxASCII && unicode.IsLetter(r) }) {
		return "test_" + lang.Snake(name, "")
	}
	return "test_" + strings.Join(spelled(name), "_")
}

// spelled are the words of a name without ASCII letters or digits. Python allows letters of
// other alphabets in names, in their normal form, but no symbols.
func spelled(name string) (words []string) {
	word := ""
	end := func() {
		if word != "" {
			words = append(words, word)
		}
		word = ""
	}
	for _, r := range norm.NFKC.String(name) {
		switch {
		case unicode.In(r, unicode.L, unicode.Nd) || word != "" && unicode.In(r, unicode.Mn, unicode.Mc) && !unicode.Is(unicode.Variation_Selector, r):
			word += string(unicode.ToLower(r))
			continue
		case unicode.IsSpace(r) || unicode.In(r, unicode.C, unicode.Variation_Selector) || strings.ContainsRune(`_"'`, r):
			end()
			continue
		}
		end()
		if symbol := symbols[r]; symbol != "" {
			words = append(words, symbol)
		} else {
			words = append(words, fmt.Sprintf("u%04x", r))
		}
	}
	end()
	return words
}

var symbols = map[rune]string{
	'+': "plus", '-': "minus", '*': "times", '/': "slash", '\\': "backslash", '=': "equals", '<': "less", '>': "greater",
	'!': "not", '?': "question", '%': "percent", '&': "and", '|': "or", '^': "caret", '~': "tilde", '@': "at", '#': "hash",
	'$': "dollar", '.': "dot", ',': "comma", ':': "colon", ';': "semicolon", '(': "open", ')': "close", '[': "open", ']': "close",
	'{': "open", '}': "close",
}

// module is the name under which a file is imported.
func module(file string) (string, error) {
	name := strings.TrimSuffix(path.Base(file), ".py")
	if !isIdentifier(name) {
		return "", fmt.Errorf("%s: Python cannot import a file of this name; use small letters, digits and _", file)
	}
	return name, nil
}

// Project implements lang.Writer. A Python exercise needs no file beside its
// solution and tests.
func (Python) Project(*lang.Unit) (map[string][]byte, error) { return nil, nil }

//go:embed templates
var templates embed.FS

// functions are the functions that a template can call. A value of the data enters the text
// only through quote; all other text has been laid out before.
var functions = template.FuncMap{"quote": quote}

var parsed = sync.OnceValue(func() *template.Template { return template.Must(parse("", "")) })

func parse(name, text string) (*template.Template, error) {
	t := template.New(name).Option("missingkey=error").Funcs(functions)
	if text != "" {
		return t.Parse(text)
	}
	return t.ParseFS(templates, "templates/*.tmpl")
}

func render(t *template.Template, model any) ([]byte, error) {
	var b strings.Builder
	if err := t.Execute(&b, model); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}
