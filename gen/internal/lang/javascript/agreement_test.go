package javascript_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// TestAgreement compares what the tests say of a result with what the harness
// says of it, which has it from the driver.
func TestAgreement(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, need := range js.Facts().Needs {
		needs(t, need.Program, need.Hint)
	}
	// Comparing it takes a step for each level, not twice as many.
	deep := strings.Repeat(`{"a": `, 40) + `1` + strings.Repeat(`}`, 40)
	rows := []struct {
		want   string   // the data
		also   []string // results of other cases, which shape the type
		got    string   // the body of the solution
		passes bool
	}{
		{`1`, nil, `return 1`, true},
		{`0`, nil, `return -0`, true},
		{`1`, nil, `return 1n`, false},
		{`1`, nil, `return '1'`, false},
		{`1`, nil, `return true`, false},
		{`1`, nil, `return new Number(1)`, false},
		{`1`, nil, `return Promise.resolve(1)`, false},
		{`1`, nil, `return NaN`, false},
		{`9007199254740993`, nil, `return 9007199254740993n`, true},
		{`9007199254740993`, nil, `return 9007199254740993`, false},
		{`9007199254740992`, []string{`9007199254740993`}, `return 9007199254740992`, false},
		{`1.5`, nil, `return 1.5 + 1e-12`, true},
		{`1.5`, nil, `return 1.6`, false},
		{`1.5`, nil, `return 1.5000001`, false},
		{`31.69`, nil, `return 31.689`, true},
		{`1.5`, nil, `return NaN`, false},
		{`1.5`, nil, `return Infinity`, false},
		{`1.5`, nil, `return '1.5'`, false},
		{`null`, nil, `return null`, true},
		{`null`, nil, `return undefined`, false},
		{`null`, []string{`[1]`}, `return []`, true},
		{`null`, []string{`[1]`, `[]`}, `return []`, false},
		{`[1]`, []string{`null`}, `return null`, false},
		{`null`, []string{`[1]`}, `return undefined`, false},
		{`"é"`, nil, `return 'é'`, true},
		{`"é"`, nil, `return 'e\u0301'`, false},
		{`"a"`, nil, `return new String('a')`, false},
		{`"\ufffd"`, nil, `return '\ud800'`, false},
		{deep, nil, `return ` + deep, true},
		{`[1, 2]`, nil, `return [1, 2]`, true},
		{`[1, 2]`, nil, `return [2, 1]`, false},
		{`[1, 2]`, nil, `return [1, 2, 3]`, false},
		{`[1, 2]`, nil, `return [1]`, false},
		{`[1, 2]`, nil, `return new Uint8Array([1, 2])`, false},
		{`[1, 2]`, nil, `return { 0: 1, 1: 2, length: 2 }`, false},
		{`["b"]`, nil, `return 'abc'.match(/b/)`, true},
		{`[null, 1]`, nil, `return [null, 1]`, true},
		{`[null, 1]`, nil, `return [, 1]`, false},
		{`[null, 1]`, nil, `return [undefined, 1]`, false},
		{`[]`, nil, `return []`, true},
		{`[]`, nil, `return {}`, false},
		{`[1.5, [2.5]]`, nil, `return [1.5, [2.5]]`, true},
		{`[[1.5], [2.5]]`, nil, `return [[1.5], [2.5 + 1e-12]]`, true},
		{`[[1.5], [2.5]]`, nil, `return [[1.5], [2.6]]`, false},
		{`{"a": 1, "b": 2}`, nil, `return { b: 2, a: 1 }`, true},
		{`{"a": 1, "b": 2}`, nil, `return { a: 1, b: 2, c: undefined }`, true},
		{`{"a": 1, "b": 2}`, nil, `return { a: 1, b: 2, c: null }`, true},
		{`{"a": 1, "b": 2}`, nil, `return { a: 1, b: 2, c: 3 }`, false},
		{`{"a": 1, "b": 2}`, nil, `return { a: 1 }`, false},
		{`{"a": 1, "b": 2}`, nil, `return Object.assign(Object.create(null), { a: 1, b: 2 })`, true},
		{`{"a": 1, "b": 2}`, nil, `class P { constructor() { this.a = 1; this.b = 2; } c() {} } return new P()`, true},
		{`{"a": 1, "b": 2}`, nil, `return new Map([['a', 1], ['b', 2]])`, false},
		{`{"a": 1, "b": null}`, nil, `return { a: 1 }`, true},
		{`{"a": 1}`, []string{`{"b": "text"}`}, `return { a: 1, b: null }`, true},
		{`{"a": 1.5, "b": 2}`, nil, `return { a: 1.5 + 1e-12, b: 2 }`, true},
		{`{"a": 1.5, "b": 2}`, nil, `return { a: 1.5, b: 2.5 }`, false},
		{`{"a": 1.5, "b": "c"}`, nil, `return { a: 1.5, b: 'c', d: null }`, true},
		{`{"a": 1.5, "b": "c"}`, nil, `return { a: 1.5, b: 'c', d: 1 }`, false},
		{`{"a": 1.5}`, []string{`{"b": 2.5}`}, `return { a: 1.5 - 1e-12 }`, true},
		{`{"a": {"c": [1]}, "b": 1}`, []string{`{"a": {"c": null}, "b": 1}`}, `return { a: { c: [1] }, b: 1 }`, true},
		{`{"n": 1, "c": [{"n": 2}]}`, nil, `return { n: 1, c: [{ n: 2, c: [] }] }`, true},
		{`{"n": 1, "c": [{"n": 2}]}`, nil, `return { n: 1, c: [{ n: 2, c: [null] }] }`, false},
		{`{"__proto__": 1, "a": 2}`, nil, `return JSON.parse('{"__proto__": 1, "a": 2}')`, true},
		{`{"__proto__": 1, "a": 2}`, nil, `return { __proto__: { x: 1 }, a: 2 }`, false},
		{`[1, "a", {"b": 2}]`, nil, `return [1, 'a', { b: () => 2 }]`, false},
		{`1`, nil, `throw new Error('1')`, false},
		{`{"error": "no"}`, []string{`1`}, `throw new Error('no')`, true},
		{`{"error": "no"}`, []string{`1`}, `throw new TypeError('no')`, true},
		{`{"error": "no"}`, []string{`1`}, `throw new Error('No')`, false},
		{`{"error": "no"}`, []string{`1`}, `throw 'no'`, false},
		{`{"error": "no"}`, []string{`1`}, `throw { message: 'no' }`, false},
		{`{"error": "no"}`, []string{`1`}, `return { error: 'no' }`, false},
		{`{"error": "no"}`, nil, `return new Error('no')`, false},
		{`{"error": ""}`, nil, `throw new Error()`, true},

		// What has a getter, its own or inherited, is read.
		{`{"error": "no"}`, []string{`1`}, `throw new (class extends Error { get message() { return 'no'; } })()`, true},
		{`{"error": "no"}`, []string{`1`}, `throw Object.defineProperty(new Error('yes'), 'message', { get: () => 'no' })`, true},
		{`{"error": "no"}`, []string{`1`}, `throw new DOMException('no', 'DataError')`, true},
		{`{"error": "no"}`, []string{`1`}, `throw new AggregateError([new Error('yes')], 'no')`, true},
		{`{"error": "no"}`, []string{`1`}, `throw new Error('no', { cause: new Error('yes') })`, true},
		{`{"error": "no"}`, []string{`1`}, `throw Object.create(Error.prototype, { message: { value: 'no' } })`, true},
		{`{"error": "no"}`, []string{`1`}, `throw new Proxy(new Error('no'), {})`, true},
		{`{"error": "no"}`, []string{`1`}, `throw new (class extends Error { get message() { throw new Error('no'); } })()`, false},
		{`{"error": "no"}`, []string{`1`}, `throw new (class extends Error { get message() { return new String('no'); } })()`, false},
		{`{"error": "no"}`, []string{`1`}, `throw Object.assign(new Error(), { message: 1 })`, false},
		{`{"error": "no"}`, []string{`1`}, `throw null`, false},
		{`{"error": "no"}`, []string{`1`}, `throw undefined`, false},
		{`{"error": "no"}`, []string{`1`}, `throw Symbol('no')`, false},
		{`{"error": "no"}`, []string{`1`}, `throw () => 'no'`, false},
		{`{"a": 1, "b": 2}`, nil, `return { a: 1, get b() { return 2; } }`, true},
		{`{"a": 1, "b": 2}`, nil, `return { a: 1, get b() { return 3; } }`, false},
		{`{"a": 1, "b": 2}`, nil, `return { a: 1, get b() { throw new Error('no'); } }`, false},
		{`{"a": 1, "b": 2}`, nil, `class P { a = 1; get b() { return 2; } } return new P()`, false},
		{`{"a": 1, "b": 2}`, nil, `return Object.defineProperty({ a: 1, b: 2 }, 'c', { value: 3 })`, true},
		{`{"a": 1, "b": 2}`, nil, `return { a: 1, b: 2, [Symbol('c')]: 3 }`, true},
		{`{"a": 1, "b": 2}`, nil, `return Object.freeze({ a: 1, b: 2 })`, true},
		{`{"a": 1, "b": 2}`, nil, `return new Proxy({ a: 1, b: 2 }, {})`, true},
		{`{"a": 1, "b": 2}`, nil, `return new Proxy({}, { ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }), get: () => 1 })`, false},
		{`{"a": 1, "b": 2}`, nil, `const p = Proxy.revocable({}, {}); p.revoke(); return p.proxy`, false},
		{`{"a": 1, "b": 2}`, nil, `return { a: 1, b: 2, [Symbol.toStringTag]: 'Object' }`, true},
		{`{"a": 1, "b": 2}`, nil, `return { a: 1, b: 2, [Symbol.toStringTag]: 'Pair' }`, false},
		{`{"a": 1, "b": 2}`, nil, `return { a: 1, b: 2, [Symbol.toStringTag]: 1 }`, true},
		{`{"a": 1, "b": 2}`, nil, `return Object.assign(new Date(), { a: 1, b: 2 })`, false},
		{`{"a": 1, "b": 2}`, nil, `return Object.assign(() => 1, { a: 1, b: 2 })`, false},
		{`{"a": 1, "b": 2}`, nil, `return Object.assign([], { a: 1, b: 2 })`, false},
		{`{"a": 1, "b": 2}`, nil, `return (function () { return arguments; })()`, false},
		{`[1, 2]`, nil, `return new Proxy([1, 2], {})`, true},
		{`[1, 2]`, nil, `return new (class extends Array {})(1, 2)`, true},
		{`[1, 2]`, nil, `return new Set([1, 2])`, false},
		{`[1, 2]`, nil, `return [1, 2].values()`, false},
		{`[1, 2]`, nil, `return (function* () { yield 1; yield 2; })()`, false},
		{`[1, 2]`, nil, `return Object.defineProperty([1, 2], 1, { get: () => 2 })`, true},
		{`[1, 2]`, nil, `return Object.assign([1, 2], { index: 3 })`, true},
		{`[1, 2]`, nil, `const a = [1]; a.length = 2; return a`, false},

		// Where a BigInt and a number can both be wanted, each is right in its own place.
		{`[1.0, 9007199254740993, "a"]`, nil, `return [1, 9007199254740993n, 'a']`, true},
		{`[1.0, 9007199254740993, "a"]`, nil, `return [1n, 9007199254740993n, 'a']`, false},
		{`[1, 9007199254740993, "a"]`, nil, `return [1n, 9007199254740993n, 'a']`, true},
		{`[1, 9007199254740993, "a"]`, nil, `return [1, 9007199254740993n, 'a']`, false},
		{`[1.5, 9007199254740993, "a"]`, nil, `return [1.5, 9007199254740993n, 'a']`, true},
		{`[1e3, 9007199254740993, "a"]`, nil, `return [1000, 9007199254740993n, 'a']`, true},
		{`[0.0, 9007199254740993, "a"]`, nil, `return [-0, 9007199254740993n, 'a']`, true},
		{`[1e300, 9007199254740993, "a"]`, nil, `return [1e300, 9007199254740993n, 'a']`, true},
		{`{"a": 9007199254740993, "b": 1.0, "c": [2.5]}`, nil, `return { a: 9007199254740993n, b: 1, c: [2.5] }`, true},
		{`{"a": 9007199254740993, "b": 1.0, "c": [2.5]}`, nil, `return { a: 9007199254740993n, b: 1n, c: [2.5] }`, false},
		{`{"a": 9007199254740992, "b": 1.0, "c": [2.5]}`, []string{`{"a": 9007199254740993, "b": 1.0, "c": [2.5]}`}, `return { a: 9007199254740992, b: 1, c: [2.5] }`, false},
		{`1.0`, []string{`"a"`}, `return 1`, true},
		{`1.0`, []string{`"a"`}, `return 1n`, false},

		// A property that is null is absent where results have no one type, too.
		{`{"a": 1}`, []string{`"a"`}, `return { a: 1, b: null }`, true},
		{`[{"a": 1, "b": null}, 1]`, nil, `return [{ a: 1 }, 1]`, true},
		{`[{"a": 1}, 1]`, nil, `return [{ a: 1, b: 2 }, 1]`, false},
	}
	var cases []map[string]any
	var solution strings.Builder
	for i, row := range rows {
		property := fmt.Sprintf("row%d", i)
		fmt.Fprintf(&solution, "export function %s() { %s }\n", property, row.got)
		for j, want := range append([]string{row.want}, row.also...) {
			cases = append(cases, map[string]any{
				"uuid":        fmt.Sprintf("%d-%d", i, j),
				"description": fmt.Sprintf("row %d-%d", i, j),
				"property":    property,
				"input":       map[string]any{"case": j},
				"expected":    json.RawMessage(want),
			})
		}
	}
	text, err := json.Marshal(map[string]any{"cases": cases})
	if err != nil {
		t.Fatal(err)
	}
	data, err := spec.ParseData("rows.json", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	u := lang.NewUnit(js, "rows", data.Cases, lang.Settings{})
	native := runTests(t, u, solution.String())
	d := drive(t, u, solution.String())
	at := 0
	for i, row := range rows {
		property := fmt.Sprintf("row%d", i)
		if at >= len(u.Suite.Functions) || u.Suite.Functions[at].Property != property {
			t.Fatalf("row %d (%s) needs a template", i, row.want)
		}
		f := u.Suite.Functions[at]
		at++
		name := fmt.Sprintf("row %d-0", i)
		outcome, reported := native[name]
		if !reported || outcome.Passed != row.passes {
			t.Errorf("want %s, solution %q: the test passes: %t, want %t\n%s", row.want, row.got, outcome.Passed, row.passes, outcome.Message)
		}
		reply := d.call(property, `{"case": 0}`)
		if sealed := judged(t, u, f, f.Cases[0].Expected, reply); sealed != row.passes {
			t.Errorf("want %s, solution %q: the harness lets %s pass: %t, want %t", row.want, row.got, reply, sealed, row.passes)
		}
	}
	d.end()
}

// judged judges a reply as the harness does.
func judged(t *testing.T, u *lang.Unit, f *spec.Function, want *spec.Value, reply string) bool {
	t.Helper()
	kind, text, _ := strings.Cut(reply, " ")
	_, wantsError := want.ErrorText()
	switch {
	case kind == "result" && !wantsError:
		got, err := spec.ParseJSON("reply", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return f.Equal(want, got, u.Comparison(f))
	case kind == "error" && wantsError:
		message, _ := want.ErrorText()
		return strings.Contains(text, fmt.Sprintf(" %q", message)) || message == "" && !strings.Contains(text, `"`)
	}
	return false
}

// runTests runs the tests of a unit as a student does, but with our reporter.
func runTests(t *testing.T, u *lang.Unit, solution string) map[string]lang.Outcome {
	t.Helper()
	tests, err := js.Tests(u)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files := js.Shared()
	files["program/"+u.Files.Test] = tests
	files["program/"+u.Files.Solution] = []byte(solution)
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	command := js.Run(lang.Program{Dir: "program", Unit: u})
	cmd := exec.CommandContext(context.Background(), command.Args[0], command.Args[1:]...)
	cmd.Dir = filepath.Join(dir, command.Dir)
	output, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	outcomes := js.Report(u, output)
	if len(outcomes) == 0 {
		t.Fatalf("no test reported:\n%s", output)
	}
	return outcomes
}
