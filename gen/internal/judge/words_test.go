package judge_test

import (
	"strings"
	"testing"
	"time"

	"stateoftictactoe/gen/internal/judge"
	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/golang"
	"stateoftictactoe/gen/internal/lang/javascript"
	"stateoftictactoe/gen/internal/lang/python"
	"stateoftictactoe/gen/internal/spec"
)

// wordsOf holds solutions that do not build or load, and the words for each. None
// of them speaks of a file or package of the driver's.
var wordsOf = []struct {
	language lang.Language
	slug     string
	data     string // cases
	settings lang.Settings
	words    []struct{ name, solution, want string }
}{}

// TestWords holds what is said of a solution that does not build or load.
func TestWords(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, group := range wordsOf {
		data, err := spec.ParseData("canonical-data.json", []byte(`{"exercise": "`+group.slug+`", "cases": [`+group.data+`]}`), nil)
		if err != nil {
			t.Fatal(err)
		}
		u := lang.NewUnit(group.language, group.slug, data.Cases, group.settings)
		for _, test := range group.words {
			t.Run(group.language.Facts().Name+"/"+group.slug+"/"+test.name, func(t *testing.T) {
				need(t, group.language)
				t.Parallel()
				v, err := judged(t.Context(), group.language, u, judge.Job{
					Solution: map[string][]byte{u.Files.Solution: []byte(test.solution)}, Time: time.Minute,
				})
				if err != nil {
					t.Fatal(err)
				}
				got, want := v.Message, test.want
				if group.language.Facts().Name != "go" { // versions of an interpreter quote the code differently
					got, want = lastLine(got), lastLine(want)
				}
				if len(v.Rows) > 0 || v.Status != judge.Error || got != want {
					t.Errorf("%d rows, %s:\n%s\nwant:\n%s", len(v.Rows), v.Status, v.Message, test.want)
				}
				for _, name := range []string{"tests.go", "driver", "serve", "package_of", "/tmp", "(node:", "solution/"} {
					if strings.Contains(v.Message, name) {
						t.Errorf("the words name %s:\n%s", name, v.Message)
					}
				}
			})
		}
	}
}

func lastLine(text string) string { return text[strings.LastIndex(text, "\n")+1:] }

func init() {
	const twoFer = `{"description": "a", "property": "twoFer", "input": {"name": "A"}, "expected": "B"}`
	const areas = `{"description": "a", "property": "area", "input": {"box": {"width": 1, "height": 2.5}}, "expected": 1.5},
		{"description": "b", "property": "grow", "input": {"box": {"width": 1, "height": 2.5}}, "expected": {"error": "no"}},
		{"description": "c", "property": "grow", "input": {"box": {"width": 2, "height": 2.5}}, "expected": {"width": 1, "height": 2.5}}`
	type words = []struct{ name, solution, want string }
	add := func(l lang.Language, slug, data string, settings lang.Settings, words words) {
		wordsOf = append(wordsOf, struct {
			language lang.Language
			slug     string
			data     string
			settings lang.Settings
			words    []struct{ name, solution, want string }
		}{l, slug, data, settings, words})
	}
	const head = "package twofer\n\n"
	add(golang.Go{}, "two-fer", twoFer, lang.Settings{}, words{
		{"wrong parameter", head + "func TwoFer(n int) string { return \"\" }", "two_fer.go:3:6: the tests call func TwoFer(name string) string; two_fer.go has func TwoFer(n int) string"},
		{"wrong result", head + "func TwoFer(name string) (string, error) { return \"\", nil }", "two_fer.go:3:6: the tests call func TwoFer(name string) string; two_fer.go has func TwoFer(name string) (string, error)"},
		{"no result", head + "func TwoFer(name string) {}", "two_fer.go:3:6: the tests call func TwoFer(name string) string; two_fer.go has func TwoFer(name string)"},
		{"more parameters", head + "func TwoFer(\n\tname string,\n\tn int,\n) string { return \"\" }", "two_fer.go:3:6: the tests call func TwoFer(name string) string; two_fer.go has func TwoFer(name string, n int) string"},
		{"named result", head + "type Text string\n\nfunc TwoFer(name string) Text { return \"\" }", "two_fer.go:5:6: the tests call func TwoFer(name string) string; two_fer.go has func TwoFer(name string) Text"},
		{"lower case", head + "func twoFer(name string) string { return \"\" }", "two_fer.go:3:6: the tests call func TwoFer(name string) string; two_fer.go has func twoFer(name string) string"},
		{"other name", head + "func Share(name string) string { return \"\" }", "two_fer.go:3:6: the tests call func TwoFer(name string) string; two_fer.go has no TwoFer, but func Share(name string) string"},
		{"method", head + "type T struct{}\n\nfunc (T) TwoFer(name string) string { return \"\" }", "two_fer.go:5:10: the tests call func TwoFer(name string) string; two_fer.go has func (T) TwoFer(name string) string"},
		{"a type of the name", head + "type TwoFer struct{ Name string }", "two_fer.go:3:6: the tests call func TwoFer(name string) string; two_fer.go has type TwoFer struct{ Name string }"},
		{"nothing", head, "two_fer.go: the tests call func TwoFer(name string) string; two_fer.go has no TwoFer"},
		{"empty", "", "two_fer.go:1:1: expected 'package', found 'EOF'"},
		{"main", "package main\n\nfunc TwoFer(name string) string { return \"\" }\n\nfunc main() {}", "two_fer.go:1:9: the tests are in package twofer, and two_fer.go is in package main; write package twofer"},
		{"test package", "package twofer_test\n\nfunc TwoFer(name string) string { return \"\" }", "two_fer.go:1:9: the tests are in package twofer, and two_fer.go is in package twofer_test; write package twofer"},
		{"unused import", head + "import \"fmt\"\n\nfunc TwoFer(name string) string { return \"\" }", "two_fer.go:3:8: \"fmt\" imported and not used"},
		{"unused variable", head + "func TwoFer(name string) string {\n\tn := 1\n\treturn \"\"\n}", "two_fer.go:4:2: declared and not used: n"},
		{"syntax", head + "func TwoFer(name string) string {\n\treturn \"\"\n", "two_fer.go:5:1: syntax error: unexpected EOF, expected }"},
		{"syntax without a package", "func TwoFer(name string) string { return \"\" }", "two_fer.go:1:1: expected 'package', found 'func'"},
		{"missing type", head + "func TwoFer(name Name) string { return \"\" }", "two_fer.go:3:18: undefined: Name"},
		{"foreign import", head + "import \"example.com/text\"\n\nfunc TwoFer(name string) string { return text.X }", "two_fer.go:3:8: there is no package example.com/text in Go's standard library, and no other can be imported"},
		{"import of no package", head + "import \"text/none\"\n\nfunc TwoFer(name string) string { return none.X }", "two_fer.go:3:8: there is no package text/none in Go's standard library, and no other can be imported"},
		{"two imports", head + "import (\n\t\"github.com/a/b\"\n\t\"none\"\n)\n\nfunc TwoFer(name string) string { return none.X + b.X }", "two_fer.go:4:2: there is no package github.com/a/b in Go's standard library, and no other can be imported\ntwo_fer.go:5:2: there is no package none in Go's standard library, and no other can be imported"},
		{"internal import", head + "import \"internal/abi\"\n\nfunc TwoFer(name string) string { return abi.X }", "two_fer.go:3:8: use of internal package internal/abi not allowed"},
		{"relative import", head + "import \"./text\"\n\nfunc TwoFer(name string) string { return text.X }", "two_fer.go:3:8: \"./text\" is relative, but relative import paths are not supported in module mode\ntwo_fer.go:3:8: local import \"./text\" in non-local package"},
		{"left out", "//go:build ignore\n\n" + head + "func TwoFer(name string) string { return \"\" }", "two_fer.go: the tests call func TwoFer(name string) string; two_fer.go has no TwoFer; its name, a build constraint or an import of C keeps two_fer.go from being compiled"},
		{"C", head + "import \"C\"\n\nfunc TwoFer(name string) string { return \"\" }", "two_fer.go: the tests call func TwoFer(name string) string; two_fer.go has no TwoFer; its name, a build constraint or an import of C keeps two_fer.go from being compiled"},
		{"twice", head + "func TwoFer(name string) string { return \"\" }\n\nfunc TwoFer(name string) string { return \"\" }", "two_fer.go:5:6: TwoFer redeclared in this block\n\ttwo_fer.go:3:6: other declaration of TwoFer"},
		{"a name of the tests", head + "var testCases, _ = 1, 2\n\ntype labelled struct{}\n\nfunc (labelled) shown() {}\n\nfunc BenchmarkTwoFer() {}\n\nfunc TwoFer(name string) string { return \"\" }",
			"two_fer.go:3:5: testCases is declared in the tests too; give it another name\ntwo_fer.go:5:6: labelled is declared in the tests too; give it another name\ntwo_fer.go:9:6: BenchmarkTwoFer is declared in the tests too; give it another name"},
		{"a package of the tests", head + "const strings, plain = 1, 2\n\nfunc TwoFer(name string) string { return \"\" }", "two_fer.go:3:7: strings is a package that the tests import; give it another name"},
		{"panic", head + "func init() { panic(\"no\") }\n\nfunc TwoFer(name string) string { return \"\" }", "the solution could not be loaded:\npanic: no\n    two_fer.go:3"},
	})
	add(golang.Go{}, "boxes", areas, lang.Settings{}, words{
		{"no type", "package boxes\n\nfunc Area(n int) float64 { return 1 }\n\nfunc Grow(n int) (int, error) { return 0, nil }", "boxes.go: the tests use type Box struct { Width int; Height float64 }; boxes.go has no Box"},
		{"no field", "package boxes\n\ntype Box struct {\n\tWidth int\n\theight float64\n}\n\nfunc Area(b Box) float64 { return 1 }\n\nfunc Grow(b Box) (Box, error) { return b, nil }", "boxes.go:3:6: the tests use type Box struct { Width int; Height float64 }; boxes.go has type Box struct { Width int; height float64 }"},
		{"field of another type", "package boxes\n\ntype Box struct {\n\tWidth  string\n\tHeight float64\n}\n\nfunc Area(b Box) float64 { return 1 }\n\nfunc Grow(b Box) (Box, error) { return b, nil }", "boxes.go:3:6: the tests use type Box struct { Width int; Height float64 }; boxes.go has type Box struct { Width string; Height float64 }"},
		{"both functions", "package boxes\n\ntype Box struct {\n\tWidth  int\n\tHeight float64\n}\n\nfunc Area(b *Box) float64 { return 1 }\n\nfunc Grow(b Box) Box { return b }", "boxes.go:8:6: the tests call func Area(box Box) float64; boxes.go has func Area(b *Box) float64\nboxes.go:10:6: the tests call func Grow(box Box) (Box, error); boxes.go has func Grow(b Box) Box"},
	})
	state := lang.Settings{Properties: map[string]lang.Property{"twoFer": {Type: "State", Constants: map[string]string{"B": "Both"}}}}
	add(golang.Go{}, "two-fer", twoFer, state, words{
		{"no type", head + "func TwoFer(name string) string { return \"\" }", "two_fer.go: the tests use a type State; two_fer.go has no State\ntwo_fer.go: the tests use a constant Both of type State; two_fer.go has no Both"},
		{"no constant", head + "type State string\n\nfunc TwoFer(name string) State { return \"\" }", "two_fer.go: the tests use a constant Both of type State; two_fer.go has no Both"},
		{"constant of another name", head + "type State string\n\nconst both State = \"B\"\n\nfunc TwoFer(name string) State { return both }", "two_fer.go: the tests use a constant Both of type State; two_fer.go has const both State"},
	})
	add(python.Python{}, "two-fer", twoFer, lang.Settings{ErrorType: "ShareError"}, words{
		{"near name", "def twofer(name):\n    return name\n\n\ndef other():\n    pass\n", "the tests call two_fer(name); two_fer.py has twofer(name)"},
		{"misspelt", "def tow_fer(name='you', *, n=1):\n    return name\n", "the tests call two_fer(name); two_fer.py has tow_fer(name='you', *, n=1)"},
		{"other name", "import math\n\n\ndef share(name):\n    return name\n\n\nclass Giver:\n    pass\n", "the tests call two_fer(name); two_fer.py has no two_fer, but share(name), class Giver"},
		{"method", "class TwoFer:\n    def two_fer(self, name):\n        return name\n", "the tests call two_fer(name); two_fer.py has two_fer as a method of the class TwoFer, and not as a function"},
		{"nothing", "", "the tests call two_fer(name); two_fer.py has no two_fer"},
		{"syntax", "def two_fer(name)\n    return name\n", "the solution could not be loaded:\nFile \"two_fer.py\", line 1\n    def two_fer(name)\n                     ^\nSyntaxError: expected ':'"},
		{"indentation", "def two_fer(name):\nreturn name\n", "the solution could not be loaded:\nFile \"two_fer.py\", line 2\n    return name\n    ^^^^^^\nIndentationError: expected an indented block after function definition on line 1"},
		{"tabs and spaces", "def two_fer(name):\n        if name:\n\treturn name\n", "the solution could not be loaded:\nFile \"two_fer.py\", line 3\n    return name\nTabError: inconsistent use of tabs and spaces in indentation"},
		{"missing module", "import numpy_or_so\n\n\ndef two_fer(name):\n    return name\n", "the solution could not be loaded:\nTraceback (most recent call last):\n  File \"two_fer.py\", line 1, in <module>\n    import numpy_or_so\nModuleNotFoundError: No module named 'numpy_or_so'"},
		{"name", "def two_fer(name: Text):\n    return name\n", "the solution could not be loaded:\nTraceback (most recent call last):\n  File \"two_fer.py\", line 1, in <module>\n    def two_fer(name: Text):\n                      ^^^^\nNameError: name 'Text' is not defined"},
		{"raises", "def check():\n    raise ValueError('no')\n\n\ncheck()\n", "the solution could not be loaded:\nTraceback (most recent call last):\n  File \"two_fer.py\", line 5, in <module>\n    check()\n  File \"two_fer.py\", line 2, in check\n    raise ValueError('no')\nValueError: no"},
		{"exits", "import sys\n\nsys.exit('no')\n", "the solution exited with code 1 while it was loaded:\n'no'"},
	})
	add(python.Python{}, "boxes", areas, lang.Settings{ErrorType: "BoxError"}, words{
		{"no exception", "class BoxErr(Exception):\n    pass\n\n\ndef area(box):\n    return 1\n\n\ndef grow(box):\n    return box\n", "the tests want errors of the class BoxError; boxes.py has class BoxErr"},
		{"two missing", "def area(box):\n    return 1\n", "the tests call grow(box); boxes.py has no grow, but area(box)"},
	})
	add(javascript.JavaScript{}, "two-fer", twoFer, lang.Settings{}, words{
		{"other name", "export const twofer = (name) => name;\n", "the tests call twoFer(name); two-fer.js exports no twoFer, but twofer"},
		{"not exported", "const twoFer = (name) => name;\n", "the tests call twoFer(name); two-fer.js exports no twoFer; write \"export\" in front of it"},
		{"default", "export default function twoFer(name) {\n  return name;\n}\n", "the tests call twoFer(name); two-fer.js exports no twoFer, but default; write \"export\" without \"default\""},
		{"class", "export class TwoFer {\n  twoFer(name) {\n    return name;\n  }\n}\n", "the tests call twoFer(name); two-fer.js exports no twoFer, but TwoFer"},
		{"no function", "export const twoFer = 'One';\n", "the tests call twoFer(name); two-fer.js exports twoFer = 'One'"},
		{"commonjs", "module.exports = { twoFer: (name) => name };\n", "the solution could not be loaded:\ntwo-fer.js:1\nmodule.exports = { twoFer: (name) => name };\n^\nReferenceError: module is not defined in ES module scope; write \"export\" in front of what the tests call\n    at two-fer.js:1:1"},
		{"syntax", "export const twoFer = (name) => {\n  return name;\n", "the solution could not be loaded:\ntwo-fer.js:3\nSyntaxError: Unexpected end of input"},
		{"missing module", "import text from './text.js';\n\nexport const twoFer = (name) => text;\n", "the solution could not be loaded:\nError [ERR_MODULE_NOT_FOUND]: Cannot find module 'text.js' imported from two-fer.js"},
		{"missing package", "import _ from 'lodash';\n\nexport const twoFer = (name) => name;\n", "the solution could not be loaded:\nError [ERR_MODULE_NOT_FOUND]: Cannot find package 'lodash' imported from two-fer.js"},
		{"missing name", "import { nothing } from 'node:fs';\n\nexport const twoFer = (name) => name;\n", "the solution could not be loaded:\ntwo-fer.js:1\nimport { nothing } from 'node:fs';\n         ^^^^^^^\nSyntaxError: The requested module 'node:fs' does not provide an export named 'nothing'"},
		{"throws", "function check() {\n  throw new Error('no');\n}\ncheck();\n", "the solution could not be loaded:\ntwo-fer.js:2\n  throw new Error('no');\n        ^\nError: no\n    at check (two-fer.js:2:9)\n    at two-fer.js:4:1"},
		{"throws no error", "throw 'no';\n", "the solution could not be loaded:\nno"},
	})
}

// crashes are solutions that end their process in a case, and what the row says of it.
var crashes = []struct {
	language lang.Language
	name     string
	top      string // of the file
	crash    string // in the function
	want     string
}{
	{golang.Go{}, "concurrent map writes", "", "m := map[int]int{}\n\tfor range 4 {\n\t\tgo func() {\n\t\t\tfor {\n\t\t\t\tm[1]++\n\t\t\t}\n\t\t}()\n\t}\n\tselect {}",
		"the solution exited with code 2:\nfatal error: concurrent map writes\n    two_fer.go:"},
	{golang.Go{}, "deadlock", "", "select {}", "the solution exited with code 2:\nfatal error: all goroutines are asleep - deadlock!\n    two_fer.go:5"},
	{golang.Go{}, "out of memory", "", "name += string(make([]byte, 1<<33))",
		"the solution ran out of its 2048 MB of memory; it exited with code 2:\nruntime: out of memory: cannot allocate 8589934592-byte block "},
	{golang.Go{}, "abort", "import (\n\t\"os\"\n\t\"syscall\"\n\t\"time\"\n)\n", "syscall.Kill(os.Getpid(), syscall.SIGABRT)\n\tfor {\n\t\ttime.Sleep(time.Second)\n\t}", "the solution exited with code 2:\nSIGABRT: abort\n    two_fer.go:"},
	{golang.Go{}, "fault", "import \"unsafe\"\n", "return *(*string)(unsafe.Pointer(uintptr(len(name)) << 40))", "the solution exited with code 2:\nfatal error: fault\n    two_fer.go:6"},
	{golang.Go{}, "unlock", "import \"sync\"\n", "new(sync.Mutex).Unlock()", "the solution exited with code 2:\nfatal error: sync: unlock of unlocked mutex\n    two_fer.go:6"},
	{golang.Go{}, "recursion", "", "return TwoFer(name)", "the solution crashed:\nstack overflow: does a recursion never end?\n    two_fer.go:"},
	{golang.Go{}, "panic elsewhere", "", "var p *int\n\tgo func() { *p = 1 }()\n\tselect {}",
		"the solution exited with code 2:\npanic: runtime error: invalid memory address or nil pointer dereference\n    two_fer.go:6"},
	{python.Python{}, "abort", "import os\n", "os.abort()", "the solution aborted (signal sigabrt):\nFatal Python error: Aborted\n    two_fer.py:5"},
	{python.Python{}, "abort with a report", "import faulthandler\nimport os\n\nfaulthandler.enable()\n", "os.abort()", "the solution aborted (signal sigabrt):\nFatal Python error: Aborted\n    two_fer.py:8"},
	{python.Python{}, "fault", "import ctypes\n", "ctypes.string_at(0)", "the solution was killed by signal sigsegv:\nFatal Python error: Segmentation fault\n    two_fer.py:5"},
	{python.Python{}, "recursion", "", "return two_fer(name)", "raises RecursionError('maximum recursion depth exceeded')\n    two_fer.py:4"},
	{javascript.JavaScript{}, "abort", "", "process.abort();", "the solution aborted (signal sigabrt):\n    at twoFer (two-fer.js:3:"},
	{javascript.JavaScript{}, "recursion", "", "return twoFer(name);", "throws RangeError 'Maximum call stack size exceeded'\n    two-fer.js:3"},
}

// TestCrashWords holds what is said of a solution that crashes: why, and which of its
// own lines led there. Nothing of it is taken for what the solution printed.
func TestCrashWords(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	heads := map[string]struct{ head, foot string }{
		"go":         {"package twofer\n\n%s\nfunc TwoFer(name string) string {\n\t", "\n\treturn name\n}\n"},
		"python":     {"%s\n\ndef two_fer(name):\n    ", "\n    return name\n"},
		"javascript": {"%s\nexport const twoFer = (name) => {\n  ", "\n  return name;\n};\n"},
	}
	for _, test := range crashes {
		t.Run(test.language.Facts().Name+"/"+test.name, func(t *testing.T) {
			need(t, test.language)
			t.Parallel()
			data, err := spec.ParseData("canonical-data.json", []byte(`{"exercise": "two-fer", "cases": [
				{"description": "a", "property": "twoFer", "input": {"name": "A"}, "expected": "B"}]}`), nil)
			if err != nil {
				t.Fatal(err)
			}
			u := lang.NewUnit(test.language, "two-fer", data.Cases, lang.Settings{})
			around := heads[test.language.Facts().Name]
			v, err := judged(t.Context(), test.language, u, judge.Job{
				Solution: map[string][]byte{u.Files.Solution: []byte(strings.Replace(around.head, "%s", test.top, 1) + test.crash + around.foot)},
				Time:     time.Minute,
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(v.Rows) != 1 || v.Rows[0].Status == judge.Pass || !strings.Contains(v.Rows[0].Problem, test.want) || v.Rows[0].Output != "" {
				t.Fatalf("%s:\n%+v\nwant:\n%s", v.Message, v.Rows, test.want)
			}
			for _, name := range []string{"driver", "serve", "/tmp", "node:", "solution/", "tests.go", "0x", "-byte limit", "lib/python"} {
				if strings.Contains(v.Rows[0].Message, name) {
					t.Errorf("the words name %s:\n%s", name, v.Rows[0].Message)
				}
			}
		})
	}
}
