package golang_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/golang"
	"stateoftictactoe/gen/internal/proof"
	"stateoftictactoe/gen/internal/spec"
)

var update = flag.Bool("update", false, "write the goldens anew")

// fixture reads an exercise of testdata, with its settings if it has any.
func fixture(t *testing.T, name string) *lang.Unit {
	t.Helper()
	dir := filepath.Join("testdata", name)
	text, err := os.ReadFile(filepath.Join(dir, "canonical-data.json"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := spec.ParseData("canonical-data.json", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	settings := &lang.SettingsFile{}
	if text, err := os.ReadFile(filepath.Join(dir, "gen.toml")); err == nil {
		if settings, err = lang.ParseSettings("gen.toml", text, "go", []string{"go"}); err != nil {
			t.Fatal(err)
		}
	}
	selected, _ := spec.Select(data, nil)
	return lang.NewUnit(golang.Go{}, name, selected, settings.Settings)
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (-want +got):\n%s", path, cmp.Diff(string(want), string(got)))
	}
}

func TestGoldens(t *testing.T) {
	for _, name := range []string{"odds", "ends"} {
		u := fixture(t, name)
		tests, err := golang.Go{}.Tests(u)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name+"/cases_test.golden", tests)
		stub, err := golang.Go{}.Stub(u)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name+"/stub.golden", stub)
	}
}

// TestProof compiles and runs what the goldens hold, with go-cmp and without.
func TestProof(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	var items []proof.Item
	for _, name := range []string{"odds", "ends"} {
		for _, compare := range []string{"", lang.CmpCompare} {
			u := fixture(t, name)
			u.Settings.Compare = compare
			items = append(items, proof.Item{Unit: u})
		}
	}
	reports, err := proof.Prove(context.Background(), golang.Go{}, items, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reports {
		if r.Cases == 0 || len(r.Checks) != 5 {
			t.Errorf("%s: %d cases, %d checks", r.Slug, r.Cases, len(r.Checks))
		}
		for _, c := range r.Checks {
			for _, problem := range c.Problems {
				t.Errorf("%s: %s: %s", r.Slug, c.Name, problem)
			}
		}
	}
}

// TestOldModule proves the tests of exercises whose modules ask for the oldest
// version of the language that they can be in: the first with type parameters.
func TestOldModule(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	old := map[string][]byte{"go.mod": []byte("module old\n\ngo 1.18\n")}
	var items []proof.Item
	for _, name := range []string{"odds", "ends"} {
		u := fixture(t, name)
		u.Project = old
		items = append(items, proof.Item{Unit: u})
	}
	data, err := spec.ParseData("canonical-data.json", []byte(`{"exercise": "sums", "cases": [
		{"description": "one", "property": "one", "input": {}, "expected": 1}]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	newer := lang.NewUnit(golang.Go{}, "sums", data.Cases, lang.Settings{})
	newer.Project = old
	items = append(items, proof.Item{Unit: newer, Example: map[string][]byte{newer.Files.Solution: []byte("package sums\n\nfunc One() (n int) {\n\tfor range 1 {\n\t\tn++\n\t}\n\treturn n\n}\n")}})
	reports, err := proof.Prove(context.Background(), golang.Go{}, items, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reports {
		for _, c := range r.Checks {
			refused := r.Slug == "sums" && c.Name == "example"
			if problems := strings.Join(c.Problems, "\n"); refused != strings.Contains(problems, "requires go1.22") || !refused && problems != "" {
				t.Errorf("%s: %s: %s", r.Slug, c.Name, problems)
			}
		}
	}
}

// TestPanicOfNothing wants a solution to fail that panics with nil, in a module of
// a version in which nobody can recover such a panic.
func TestPanicOfNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	u := fixture(t, "odds")
	u.Project = map[string][]byte{"go.mod": []byte("module odds\n\ngo 1.20\n")}
	tests, err := golang.Go{}.Tests(u)
	if err != nil {
		t.Fatal(err)
	}
	stub, err := golang.Go{}.Stub(u)
	if err != nil {
		t.Fatal(err)
	}
	head := regexp.MustCompile(`(?m)^func [A-Z].* \{$`)
	dir := t.TempDir()
	for name, text := range map[string][]byte{
		"go.mod": u.Project["go.mod"], u.Files.Test: tests, u.Files.Solution: head.ReplaceAll(stub, []byte("$0\n\tif true {\n\t\tpanic(nil)\n\t}")),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-v", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	output, err := cmd.CombinedOutput()
	if err == nil || strings.Contains(string(output), "--- PASS") || strings.Count(string(output), "panic called with nil argument") != len(u.Names) {
		t.Errorf("%v\n%s", err, output)
	}
}

// TestCmpVersion wants the go-cmp of a proof to be the one that this repository
// uses.
func TestCmpVersion(t *testing.T) {
	shared := golang.Go{}.Shared()
	for ours, file := range map[string]string{"cmp.mod": "go.mod", "cmp.sum": "go.sum"} {
		text, err := os.ReadFile("../../../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(shared[ours])) {
			line = strings.TrimPrefix(line, "require ")
			if strings.Contains(line, "go-cmp") && !strings.Contains(string(text), line) {
				t.Errorf("%s lacks %q, which %s has", file, line, ours)
			}
		}
	}
}

// TestCmp runs the oracle with tests that compare with go-cmp, in a package of
// this module, which has it.
func TestCmp(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	u := fixture(t, "ends")
	dir, err := os.MkdirTemp("testdata", "cmp-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	tests, err := golang.Go{}.Tests(u)
	if err != nil {
		t.Fatal(err)
	}
	stub, err := golang.Go{}.Stub(u)
	if err != nil {
		t.Fatal(err)
	}
	solution := strings.NewReplacer(
		`panic("write Divisors")`, "return map[int][]int{6: {3, 2}}[number], map[int]error{0: os.ErrInvalid}[number]",
		`panic("write KindOf")`, `return map[string]Kind{"meow": Cat, "woof": Dog}[sound]`,
		`panic("write Midpoint")`, "return MidpointResult{X: 0.3 + float64(from.X)/2 + float64(to.X)/5, Y: float64(from.Y+to.Y) / 2}",
		"package ends", "package ends\n\nimport \"os\"",
	).Replace(string(stub))
	for name, text := range map[string]string{"ends.go": solution, "cases_test.go": string(tests)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	output, err := exec.Command("go", "test", "-v", "./"+filepath.ToSlash(dir)).CombinedOutput()
	got := regexp.MustCompile(`--- (PASS|FAIL): Test\w+/\w+`).FindAllString(string(output), -1)
	want := []string{
		"--- PASS: TestDivisors/two", // in another order
		"--- PASS: TestDivisors/none",
		"--- PASS: TestDivisors/zero", // whatever the error
		"--- PASS: TestKindOf/a_cat",
		"--- PASS: TestKindOf/a_dog",
		"--- PASS: TestMidpoint/half_of_the_way", // within the tolerance
		"--- PASS: TestMidpoint/no_way",
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("outcomes differ (-want +got):\n%s%s", diff, output)
	}
}

// TestTableAlone wants the table without test function or imports.
func TestTableAlone(t *testing.T) {
	u := fixture(t, "ends")
	u.Settings.Tests = lang.TableTests
	text, err := golang.Go{}.Tests(u)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(text); strings.Contains(got, "func ") || strings.Contains(got, "import") || !strings.Contains(got, "var divisorTests = ") {
		t.Errorf("want tables alone:\n%s", got)
	}
}

// TestTableOfValues proves a test written by hand beside a table whose values no
// literal can write: the table has the functions that make them.
func TestTableOfValues(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	const text = `{"cases": [
		{"description": "one", "property": "f", "input": {"s": "a", "n": 1}, "expected": 1},
		{"description": "two", "property": "f", "input": {"s": null, "n": 18446744073709551616}, "expected": 2}
	]}`
	const test = `package values

import "testing"

func TestF(t *testing.T) {
	for _, tc := range testCases {
		t.Run(tc.description, func(t *testing.T) {
			if got := F(tc.s, tc.n); got != tc.expected {
				t.Errorf("got %v, want %v", got, tc.expected)
			}
		})
	}
}
`
	data, err := spec.ParseData("canonical-data.json", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	u := lang.NewUnit(golang.Go{}, "values", data.Cases, lang.Settings{Tests: lang.TableTests})
	item := proof.Item{Unit: u, Written: map[string][]byte{"values_test.go": []byte(test)}}
	reports, err := proof.Prove(context.Background(), golang.Go{}, []proof.Item{item}, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	if !reports[0].Proven() {
		t.Errorf("not proven: %+v", reports[0].Checks)
	}
}

// TestReportOfTable wants the cases of tests written by hand, whatever their
// functions are called; one that fails anywhere has failed.
func TestReportOfTable(t *testing.T) {
	f := &spec.Function{Property: "speak", Cases: []*spec.Case{{Description: "a dog"}, {Description: "a cat"}}}
	u := &lang.Unit{
		Suite:    &spec.Suite{Functions: []*spec.Function{f}},
		Names:    []string{"a dog", "a cat"},
		Settings: lang.Settings{Tests: lang.TableTests},
	}
	output := "\x16--- FAIL: TestPets (0.00s)\n" +
		"    \x16--- PASS: TestPets/a_dog (0.00s)\n" +
		"    \x16--- FAIL: TestPets/a_cat (0.00s)\n" +
		"\x16--- PASS: TestAgain (0.00s)\n" +
		"    \x16--- PASS: TestAgain/a_cat (0.00s)\n"
	outcomes := golang.Go{}.Report(u, []byte(output))
	if ids := (golang.Go{}).IDs(u); len(outcomes) != 2 || !outcomes[ids[0]].Passed || outcomes[ids[1]].Passed {
		t.Errorf("got %v, want the first case to pass and the second to fail", outcomes)
	}
}

// TestTemplate wants a template of the exercise's own to take the place of the
// language's, and to see the cases that no other template can use.
func TestTemplate(t *testing.T) {
	u := fixture(t, "ends")
	u.Template = "// Code generated by hand. DO NOT EDIT.\n\npackage {{.Package}}\n\nconst   functions = {{len .Functions}}\n"
	text, err := golang.Go{}.Tests(u)
	if err != nil {
		t.Fatal(err)
	}
	if want := "// Code generated by hand. DO NOT EDIT.\n\npackage ends\n\nconst functions = 3\n"; string(text) != want {
		t.Errorf("got %q, want %q", text, want)
	}
	u.Template = "package {{.Pakage}}"
	if _, err := (golang.Go{}).Tests(u); err == nil {
		t.Error("a template with an unknown field is no error")
	}
	u.Template = "package x; func {"
	if _, err := (golang.Go{}).Tests(u); err == nil {
		t.Error("a template that writes bad Go is no error")
	}
}

func TestReport(t *testing.T) {
	text, err := os.ReadFile("testdata/transcript.txt")
	if err != nil {
		t.Fatal(err)
	}
	got := golang.Go{}.Report(&lang.Unit{}, text)
	want := map[string]lang.Outcome{
		"TestA":          {Passed: false},
		"TestA/good":     {Passed: true, Message: "printed by good\n"},
		"TestA/bad_name": {Passed: false, Message: "    x_test.go:13: \n        first\n        second\n"},
		"TestA/cheat":    {Passed: false, Message: "--- PASS: TestA/bad_name (0.00s)\n    x_test.go:17: cheated\n"},
		"TestA/unended":  {Passed: true, Message: "no newline"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("report differs (-want +got):\n%s", diff)
	}
}

// TestOddNames proves tests of data whose keys and arguments have names that
// mean something in Go, or that no Go name can have.
func TestOddNames(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	var input, record []string
	for i, key := range []string{
		"", "-", "-,", ",omitempty", "a,b", "a`b", `a\"b`, `a\\b`, "a b", "é", "\u202e", "answer", "err", "result",
		"nil", "false", "json", "new", "map", "string", "reflect", "Key", "key", "KEY",
	} {
		input = append(input, fmt.Sprintf(`"%s": %d`, key, i))
		record = append(record, fmt.Sprintf(`"%s": ["%d"]`, key, i))
	}
	text := fmt.Sprintf(`{"cases": [
		{"description": "one", "property": "f", "input": {%[1]s}, "expected": {%[2]s, "n": 1}},
		{"description": "two", "property": "f", "input": {"n": {%[2]s, "n": 2}}, "expected": {%[2]s, "n": 2}},
		{"description": "three", "property": "g", "input": {"nil": 1, "false": 2}, "expected": [true]},
		{"description": "four", "property": "g", "input": {"nil": 1, "false": 3}, "expected": {"error": "no"}},
		{"description": "five", "property": "h", "input": {"nil": 1, "false": 2}, "expected": true},
		{"description": "six", "property": "h", "input": {"nil": 1, "false": 3}, "expected": {"error": "no"}}
	]}`, strings.Join(input, ", "), strings.Join(record, ", "))
	wantProven(t, "odd-names", text)
}

// wantProven proves the tests of an exercise with the given data.
func wantProven(t *testing.T, slug, text string) {
	t.Helper()
	data, err := spec.ParseData("canonical-data.json", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	u := lang.NewUnit(golang.Go{}, slug, data.Cases, lang.Settings{})
	reports, err := proof.Prove(context.Background(), golang.Go{}, []proof.Item{{Unit: u}}, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	if !reports[0].Proven() {
		t.Errorf("not proven: %+v", reports[0].Checks)
	}
}

// TestSolutionFile wants no file name that Go takes for a test, or for one
// system's alone.
func TestSolutionFile(t *testing.T) {
	for slug, want := range map[string]string{
		"two-fer":       "two_fer.go",
		"2-fer":         "x_2_fer.go",
		"test":          "test.go",
		"linux":         "linux.go",
		"unit-test":     "unittest.go",
		"cases-test":    "casestest.go",
		"hello-windows": "hellowindows.go",
		"hello-js":      "hellojs.go",
		"x-linux-arm64": "xlinuxarm64.go",
	} {
		if got := (golang.Go{}).Facts().Layout(slug).Solution; got != want {
			t.Errorf("%s: got %s, want %s", slug, got, want)
		}
	}
}

// TestCollidingNames proves tests of functions and records whose names are those
// of tests and helpers.
func TestCollidingNames(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	const text = `{"cases": [
		{"description": "one", "property": "foo", "input": {"benchmarkBar": {"s": "", "l": [1]}}, "expected": 1},
		{"description": "two", "property": "testFoo", "input": {"x": 1}, "expected": 2},
		{"description": "three", "property": "testBar", "input": {"x": 1}, "expected": 3},
		{"description": "four", "property": "bar", "input": {"x": 1}, "expected": 4},
		{"description": "five", "property": "list", "input": {}, "expected": {"items": [{"l": [1], "s": ""}], "any": {"l": [1.5], "a": ""}, "x": [1, ""]}}
	]}`
	wantProven(t, "fmt", text)
}

// TestEmptyError proves tests of errors without a message.
func TestEmptyError(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	wantProven(t, "empty", `{"cases": [
		{"description": "none", "property": "f", "input": {"x": 1}, "expected": 1},
		{"description": "empty", "property": "f", "input": {"x": 2}, "expected": {"error": ""}},
		{"description": "some", "property": "f", "input": {"x": 3}, "expected": {"error": "no"}},
		{"description": "only empty", "property": "g", "input": {}, "expected": {"error": ""}}
	]}`)
}

// settled is an exercise of one function with settings.
func settled(t *testing.T, settings string) *lang.Unit {
	t.Helper()
	const text = `{"cases": [
		{"description": "one", "property": "leap", "input": {"year": 1, "r": {"s": ""}}, "expected": "no"},
		{"description": "two", "property": "leap", "input": {"year": 2, "r": {"s": ""}}, "expected": "yes"}
	]}`
	data, err := spec.ParseData("canonical-data.json", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := lang.ParseSettings("gen.toml", []byte(settings), "go", []string{"go"})
	if err != nil {
		t.Fatal(err)
	}
	return lang.NewUnit(golang.Go{}, "leap", data.Cases, s.Settings)
}

// TestNamesInSettings wants names that Go does not allow to be refused.
func TestNamesInSettings(t *testing.T) {
	for settings, name := range map[string]string{
		`table = "func"`:                                "func",
		`types = {r = "1"}`:                             "1",
		"[properties.leap]\nfunction = \"is leap\"":     "is leap",
		"[properties.leap]\nfields = {year = \"type\"}": "type",
		"[properties.leap]\ntype = \"A\"\nconstants = {yes = \"Yes\", no = \"-\"}": "-",
	} {
		want := fmt.Sprintf("%q in the settings is no name that Go allows here; choose another", name)
		if _, err := (golang.Go{}).Tests(settled(t, settings)); err == nil || err.Error() != want {
			t.Errorf("%s: got %v", settings, err)
		}
	}
}

// TestFieldNames proves tests of which every field has another name.
func TestFieldNames(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	u := settled(t, "[properties.leap]\nfields = {description = \"name\", year = \"y\", expected = \"want\"}")
	reports, err := proof.Prove(context.Background(), golang.Go{}, []proof.Item{{Unit: u}}, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	if !reports[0].Proven() {
		t.Errorf("not proven: %+v", reports[0].Checks)
	}
}

// TestExampleInStub wants the texts of an example as the data have them.
func TestExampleInStub(t *testing.T) {
	const text = `{"cases": [{"description": "one", "property": "f", "input": {"s": "a  b { c, }", "l": [["", "X  "]]}, "expected": "  "}]}`
	data, err := spec.ParseData("canonical-data.json", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	stub, err := golang.Go{}.Stub(lang.NewUnit(golang.Go{}, "f", data.Cases, lang.Settings{}))
	if err != nil {
		t.Fatal(err)
	}
	if want := `// F("a  b { c, }", [][]string{{"", "X  "}}) returns "  ".`; !strings.Contains(string(stub), want) {
		t.Errorf("want %s in\n%s", want, stub)
	}
}

// TestCrash wants of an overflow of the stack what it is and where, and nothing
// of how Go shows it.
func TestCrash(t *testing.T) {
	const overflow = `counting
runtime: goroutine stack exceeds 134217728-byte limit
runtime: sp=0x2cddb12e03f0 stack=[0x2cddb12e0000, 0x2cddb92e0000]
fatal error: stack overflow

runtime stack:
runtime.throw({0x519bd2?, 0x60ff80?})
	/usr/local/go/src/runtime/panic.go:1229 +0x48 fp=0x7ffcf3dacc38 sp=0x7ffcf3dacc08 pc=0x47dd28

goroutine 1 gp=0x2cddb10061e0 m=0 mp=0x60ed20 [running]:
driver/solution.F(...)
	/tmp/gen-1/program/solution/f.go:7 fp=0x2cddb12e0400 sp=0x2cddb12e03f8 pc=0x4ffe45
driver/solution.F(...)
	/tmp/gen-1/program/solution/f.go:9 +0x5 fp=0x2cddb12e0410 sp=0x2cddb12e0408 pc=0x4ffe45
driver/solution.F(...)
	/tmp/gen-1/program/solution/f.go:9 +0x5 fp=0x2cddb12e0420 sp=0x2cddb12e0418 pc=0x4ffe45
main.main.func1(...)
	/tmp/gen-1/program/main.go:21 +0x5 fp=0x2cddb12e0430 sp=0x2cddb12e0428 pc=0x4ffe45
`
	const want = `stack overflow: does a recursion never end?
    /tmp/gen-1/program/solution/f.go:7
    /tmp/gen-1/program/solution/f.go:9`
	said, before := golang.Go{}.Crash(overflow)
	if said != want || before != "counting\n" {
		t.Errorf("got %q, before it %q", said, before)
	}
	if said, before := (golang.Go{}).Crash("no crash"); said != "" || before != "no crash" {
		t.Errorf("got %q, before it %q", said, before)
	}
}

// TestPackage takes the package from the files of the exercise in their order, and
// from the slug where none tells.
func TestPackage(t *testing.T) {
	const solution, example, tests = "two_fer.go", ".meta/example.go", "cases_test.go"
	for _, test := range []struct {
		standing map[string]string
		want     string
	}{
		{nil, "twofer"},
		{map[string]string{solution: "package sums\n", tests: "package twofer\n"}, "sums"},
		{map[string]string{solution: "// Package x.\npackage main\n", example: "package sums\n"}, "sums"},
		{map[string]string{solution: "func F() {}\n", tests: "package sums\n"}, "sums"},
		{map[string]string{solution: "package main\n"}, "twofer"},
	} {
		u := lang.NewUnit(golang.Go{}, "two-fer", nil, lang.Settings{})
		u.Standing = map[string][]byte{}
		for name, text := range test.standing {
			u.Standing[name] = []byte(text)
		}
		stub, err := golang.Go{}.Stub(u)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(stub), "\npackage "+test.want+"\n") {
			t.Errorf("%v: want package %s, got\n%s", test.standing, test.want, stub)
		}
	}
}

// TestImported holds that the go command compiles libraries only for an import that names
// a single package of the standard library.
func TestImported(t *testing.T) {
	for imported, want := range map[string]bool{
		"fmt": true, "math/rand/v2": true, "none": true, "standard": true,
		"std": false, "all": false, "cmd": false, "cmd/go": false, "tool": false, "work": false,
		"...": false, "fmt/...": false, "encoding...": false, "-x": false, "./fmt": false, "/fmt": false, "fmt@latest": false, "": false,
		"internal/abi": false, "vendor/golang.org/x/net/idna": false, "driver/solution": false, "example.com/none": false, "embed": false, "C": false,
	} {
		u := lang.NewUnit(golang.Go{}, "two-fer", nil, lang.Settings{})
		text := "package twofer\n\nimport _ \"" + imported + "\"\n"
		names, plain := golang.Imports(lang.Program{Unit: u}, map[string][]byte{"two_fer.go": []byte(text)})
		if got := slices.Contains(names, imported); got != want || plain != want {
			t.Errorf("%q: compiled %v, plain %v, want %v", imported, got, plain, want)
		}
	}
}

// TestSharedType wants a type that two functions return to have the constants of both.
func TestSharedType(t *testing.T) {
	data, err := spec.ParseData("canonical-data.json", []byte(`{"cases": [
		{"description": "a", "property": "begin", "input": {}, "expected": "open"},
		{"description": "b", "property": "end", "input": {}, "expected": "shut"}
	]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	u := lang.NewUnit(golang.Go{}, "door", data.Cases, lang.Settings{Properties: map[string]lang.Property{
		"begin": {Type: "State", Constants: map[string]string{"open": "Open"}},
		"end":   {Type: "State", Constants: map[string]string{"shut": "Shut"}},
	}})
	stub, err := golang.Go{}.Stub(u)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`Open State = "open"`, `Shut State = "shut"`} {
		if !strings.Contains(string(stub), want) {
			t.Errorf("the stub lacks %s:\n%s", want, stub)
		}
	}
}
