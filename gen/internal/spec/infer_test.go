package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/spec"
)

// suite infers cases written as "property {input} -> expected", in JSON.
func suite(t testing.TB, lines ...string) *spec.Suite {
	t.Helper()
	return spec.Infer("slug", casesOf(t, lines...), nil)
}

func casesOf(t testing.TB, lines ...string) []*spec.Case {
	t.Helper()
	var items []string
	for i, line := range lines {
		property, rest, _ := strings.Cut(line, " ")
		arrow := strings.LastIndex(rest, " => ")
		if arrow < 0 {
			t.Fatalf("no => in %s", line)
		}
		input, expected := rest[:arrow], rest[arrow+len(" => "):]
		items = append(items, fmt.Sprintf(`{"description": "case %d", "property": %q, "input": %s, "expected": %s}`,
			i+1, property, input, expected))
	}
	return parse(t, `{"cases": [`+strings.Join(items, ",\n")+`]}`).Cases
}

// typeText writes a type in short: int, uint, big, float.2 (with its decimals),
// a ? for optional, +0 for a list or map of which one is empty, ! for large.
func typeText(t *spec.Type) string {
	if t == nil {
		return "none"
	}
	var text string
	switch t.Kind {
	case spec.AnyType:
		text = "any"
		if t.Unseen {
			text = "unseen"
		}
	case spec.BoolType:
		text = "bool"
	case spec.IntType:
		text = [...]string{"int", "uint", "big"}[t.Size]
	case spec.FloatType:
		text = fmt.Sprintf("float.%d", t.Decimals)
	case spec.StringType:
		text = "string"
	case spec.ListType:
		text = "[" + typeText(t.Elem) + "]"
	case spec.MapType:
		text = "map[" + typeText(t.Elem) + "]"
	case spec.RecordType:
		text = t.Record.Hint
	}
	if t.HasEmpty {
		text += "+0"
	}
	if t.Large {
		text += "!"
	}
	if t.Optional {
		text += "?"
	}
	return text
}

// suiteText writes the functions of a suite, then its records, a line each.
func suiteText(s *spec.Suite) string {
	var lines []string
	for _, f := range s.Functions {
		var params []string
		for _, p := range f.Params {
			params = append(params, p.Key+" "+typeText(p.Type))
		}
		line := f.Property + "(" + strings.Join(params, ", ") + ") " + typeText(f.Result)
		if f.CanFail {
			line += " or error"
		}
		lines = append(lines, line)
	}
	for _, r := range s.Records {
		var fields []string
		for _, f := range r.Fields {
			fields = append(fields, f.Key+" "+typeText(f.Type))
		}
		lines = append(lines, r.Hint+"{"+strings.Join(fields, ", ")+"}")
	}
	return strings.Join(lines, "\n")
}

func TestInfer(t *testing.T) {
	tests := []struct {
		name  string
		cases []string
		want  string
	}{
		{"no input", []string{`f {} => 1`}, "f() int"},
		{"order of keys", []string{`f {"z": 1, "a": true, "m": "x"} => "y"`}, "f(z int, a bool, m string) string"},
		{"order of properties", []string{`z {} => 1`, `a {} => "x"`, `z {} => 1`}, "z() int\na() string"},
		{"order of keys that come late",
			[]string{`f {"b": 1, "d": 1} => 1`, `f {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1} => 1`},
			"f(a int?, b int, c int?, d int, e int?) int"},
		{"order of a key in front of none known", []string{`f {"a": 1} => 1`, `f {"b": 1, "c": 1} => 2`}, "f(a int?, b int?, c int?) int"},
		{"order that a later case shows", []string{`f {"a": 1, "r": 1} => 1`, `f {"c": 1, "d": 1} => 2`, `f {"c": 1, "r": 1} => 3`, `f {"a": 1, "b": 1, "d": 1} => 4`},
			"f(a int?, b int?, c int?, r int?, d int?) int"},
		{"order that cases leave open",
			[]string{`f {"p": 1, "a": 1} => 1`, `f {"r": 1, "f": 1} => 1`, `f {"i": 1, "a": 1} => 1`, `f {"r": 1, "a": 1} => 1`, `f {"p": 1, "b": 1, "f": 1} => 1`, `f {"r": 1, "c": 1, "f": 1} => 1`},
			"f(p int?, b int?, i int?, r int?, a int?, c int?, f int?) int"},
		{"order that cases disagree on", []string{`f {"a": 1, "b": 1, "c": 1} => 1`, `f {"b": 1, "a": 1} => 2`}, "f(a int, b int, c int?) int"},
		{"errors beside results", []string{`f {"n": 1} => 1`, `f {"n": -1} => {"error": "no"}`}, "f(n int) int or error"},
		{"errors only", []string{`f {"n": 1} => {"error": "no"}`}, "f(n int) none or error"},

		{"int64", []string{`f {} => 9223372036854775807`, `f {"n": 1} => -9223372036854775808`}, "f(n int?) int!"},
		{"uint64", []string{`f {} => 9223372036854775808`, `f {"n": 1} => 18446744073709551615`}, "f(n int?) uint!"},
		{"above uint64", []string{`f {} => 18446744073709551616`}, "f() big!"},
		{"below int64", []string{`f {} => -9223372036854775809`}, "f() big!"},
		{"uint64 beside a negative", []string{`f {} => 9223372036854775808`, `f {"n": 1} => -1`}, "f(n int?) big!"},
		{"sizes per position", []string{`f {"n": [1, 9223372036854775808], "m": 5} => 0`}, "f(n [uint!], m int) int"},
		{"large starts behind 2^53-1", []string{`f {"n": 9007199254740991, "m": 9007199254740992} => -9007199254740991`, `f {"n": 1, "m": 1} => 1`}, "f(n int, m int!) int"},
		{"large and negative", []string{`f {} => -9007199254740992`}, "f() int!"},
		{"large in what has no type", []string{`f {"n": ["a", [9007199254740992]], "m": ["a", 1]} => 1`}, "f(n [any!], m [any]) int"},
		{"minus zero", []string{`f {} => -0`}, "f() int"},

		{"float", []string{`f {} => 1.0`, `f {"x": 0.25} => 3`}, "f(x float.2?) float.1"},
		{"decimals of an exponent", []string{`f {"x": 1.25e1, "y": 15e-4, "z": 1E3} => 2.5E-3`}, "f(x float.1, y float.4, z float.0) float.4"},
		{"large beside floats", []string{`f {} => 1.5`, `f {"n": 1} => 18446744073709551616`}, "f(n int?) float.1"},

		{"null is optional", []string{`f {"n": null, "s": "x"} => null`, `f {"n": 1, "s": "y"} => "z"`}, "f(n int?, s string) string?"},
		{"missing is optional", []string{`f {"n": 1} => 1`, `f {} => 1`}, "f(n int?) int"},
		{"only null", []string{`f {"n": null} => null`}, "f(n unseen?) unseen?"},
		{"empty list", []string{`f {"l": []} => [[]]`}, "f(l [unseen]+0) [[unseen]+0]"},
		{"list", []string{`f {"l": [1, 2]} => [["a"], []]`}, "f(l [int]) [[string]+0]"},
		{"list of optional", []string{`f {"l": [1, null]} => [null]`}, "f(l [int?]) [unseen?]"},
		{"absent list told from an empty one", []string{`f {"l": [1]} => 1`, `f {} => 1`, `f {"l": []} => 0`}, "f(l [int]+0?) int"},

		{"no common type", []string{`f {"v": 1} => "a"`, `f {"v": "1"} => 2`}, "f(v any) any"},
		{"no common type, and null", []string{`f {"v": 1} => 1`, `f {"v": null} => 1`, `f {"v": []} => 1`}, "f(v any?) int"},
		{"list of different things", []string{`f {"l": [1, "a", true]} => 1`}, "f(l [any]) int"},
		{"lists of different things", []string{`f {"l": [1], "m": [[1], 2]} => 1`, `f {"l": ["a"], "m": []} => 1`}, "f(l [any], m [any]+0) int"},

		{"record", []string{`f {"p": {"x": 1, "y": "a"}} => {"x": true}`}, "f(p p) f\np{x int, y string}\nf{x bool}"},
		{"record of numbers with the same keys", []string{`f {"p": {"x": 1, "y": 2}} => 1`, `f {"p": {"y": 1, "x": 2}} => 1`}, "f(p p) int\np{x int, y int}"},
		{"record with a missing key", []string{`f {"p": {"x": 1, "y": "a"}} => 1`, `f {"p": {"x": 1}} => 1`}, "f(p p) int\np{x int, y string?}"},
		{"record with a key for each case", []string{`f {"p": {"x": 1}} => 1`, `f {"p": {"y": "a"}} => 1`}, "f(p p) int\np{x int?, y string?}"},
		{"a list's record is one of them", []string{`f {"entries": [{"a": 1, "s": ""}]} => 1`}, "f(entries [entry]) int\nentry{a int, s string}"},

		{"map", []string{`f {"m": {"a": 1}} => {"x": [1], "y": []}`, `f {"m": {"b": 2}} => {"z": [2]}`}, "f(m map[int]) map[[int]+0]"},
		{"map of optional", []string{`f {} => {"a": null}`, `f {"n": 1} => {"b": 1}`}, "f(n int?) map[int?]"},
		{"map of records", []string{`f {} => {"a": {"x": 1, "s": ""}}`, `f {"n": 1} => {"b": {"x": 1, "s": ""}, "c": {"x": 2, "s": ""}}`}, "f(n int?) map[f]\nf{x int, s string}"},
		{"map of maps", []string{`f {} => {"a": {"b": 1}}`, `f {"n": 1} => {"c": {"d": 1}, "e": {}}`}, "f(n int?) map[map[int]+0]"},
		{"empty map", []string{`f {"m": {}} => 1`}, "f(m map[unseen]+0) int"},
		{"empty and full map", []string{`f {"m": {}} => 1`, `f {"m": {"a": 1, "b": 2}} => 1`}, "f(m map[int]+0) int"},
		{"absent map", []string{`f {"m": {"a": 1}} => 1`, `f {"m": {"b": 1}} => 1`, `f {} => 1`}, "f(m map[int]?) int"},

		{"recursive with null leaves", []string{`f {"tree": {"v": 1, "l": {"v": 2, "l": null, "r": null}, "r": {"v": 3, "l": null, "r": null}}} => 1`}, "f(tree tree) int\ntree{v int, l tree?, r tree?}"},
		{"recursive with {} leaves", []string{`f {"tree": {"v": 1, "l": {"v": 2, "l": {}, "r": {}}, "r": {"v": 3, "l": {}, "r": {}}}} => 1`}, "f(tree tree) int\ntree{v int?, l tree?, r tree?}"},
		{"recursive with missing keys", []string{`f {"tree": {"v": 1, "next": {"v": 2}}} => 1`}, "f(tree tree) int\ntree{v int, next tree?}"},
		{"recursive through lists", []string{`f {"tree": {"v": 1, "children": [{"v": 2, "children": []}, {"v": 3, "children": [{"v": 4, "children": []}]}]}} => 1`}, "f(tree tree) int\ntree{v int, children [tree]+0}"},
		{"recursive through lists, left out", []string{`f {"tree": {"v": 1, "children": [{"v": 2}]}} => 1`}, "f(tree tree) int\ntree{v int, children [tree]?}"},
		{"recursive from another key", []string{`f {"list": {"head": {"v": 1, "next": {"v": 2, "next": null}}}} => 1`}, "f(list list) int\nlist{head head}\nhead{v int, next head?}"},
		{"recursive with more keys inside", []string{`f {"op": {"name": "a", "ops": [{"name": "b", "amount": 1}, {"name": "c", "ops": []}]}} => 1`}, "f(op op) int\nop{name string, amount int?, ops [op]+0?}"},
		{"nested, but no key shared", []string{`f {"a": {"x": 1, "b": {"y": 1, "s": ""}}} => 1`}, "f(a a) int\na{x int, b b}\nb{y int, s string}"},
		{"nested, but neither set inside the other", []string{`f {"a": {"x": 1, "b": {"x": 1, "y": 2}, "c": 1}} => 1`}, "f(a a) int\na{x int, b b, c int}\nb{x int, y int}"},
		{"nested, but always empty", []string{`f {"a": {"x": 1, "s": "", "b": {}}} => 1`}, "f(a a) int\na{x int, s string, b map[unseen]+0}"},
		{"nested beside something else", []string{`f {"a": {"x": 1, "b": [{"x": 1}, 2]}} => 1`}, "f(a a) int\na{x int, b [any]}"},
		{"nested alone and in a list", []string{`f {"a": {"x": 1, "b": {"x": 2, "b": [{"x": 3, "c": 1}]}}} => 1`}, "f(a a) int\na{x int, b b}\nb{x int, b [b]}\nb{x int, c int}"},
		{"nested, and a number at its key", []string{`f {"a": {"a": {"a": 0}}, "": {"": {"": 0}}} => 1`}, "f(a a,  ) int\na{a a}\na{a int}\n{ }\n{ int}"},
		{"a deeper one does not belong", []string{`f {"t": {"a": 1, "b": {"a": 1, "b": {"a": 1, "z": ""}}, "y": ""}} => 1`}, "f(t t) int\nt{a int, b b, y string}\nb{a int, b b}\nb{a int, z string}"},

		{"equal records are one", []string{`f {"p": {"x": 1, "s": ""}, "q": {"s": "", "x": 2}} => {"x": 1, "s": ""}`}, "f(p p, q p) p\np{x int, s string}"},
		{"equal records of properties", []string{`f {} => {"x": 1, "s": ""}`, `g {} => {"x": 1, "s": ""}`}, "f() f\ng() f\nf{x int, s string}"},
		{"records of other sizes", []string{`f {"p": {"x": 1}} => {"x": 9223372036854775808}`}, "f(p p) f\np{x int}\nf{x uint!}"},
		{"records of other optionality", []string{`f {"p": {"x": 1, "s": ""}} => {"x": 1, "s": null}`, `f {"p": {"x": 2, "s": ""}} => {"x": 1, "s": "a"}`}, "f(p p) f\np{x int, s string}\nf{x int, s string?}"},
		{"an empty list takes the other's type", []string{`f {"p": {"l": []}} => {"l": ["a"]}`}, "f(p p) p\np{l [string]+0}"},
		{"an empty list of the second", []string{`f {"p": {"l": ["a"]}} => {"l": []}`}, "f(p p) p\np{l [string]+0}"},
		{"empty lists, one of null", []string{`f {"p": {"l": []}} => {"l": [null]}`}, "f(p p) p\np{l [unseen?]+0}"},
		{"decimals of the second", []string{`f {"p": {"x": 1.5}} => {"x": 1.25}`}, "f(p p) p\np{x float.2}"},
		{"records inside equal ones", []string{`f {"p": {"q": {"x": 1.5, "s": ""}, "t": ""}} => {"q": {"x": 1.25, "s": ""}, "t": ""}`}, "f(p p) p\np{q q, t string}\nq{x float.2, s string}"},
		{"only null is no other type", []string{`f {"p": {"n": null}} => {"n": 1}`}, "f(p p) f\np{n unseen?}\nf{n int}"},
		{"only null is no other type, the other way round", []string{`f {"p": {"n": 1}} => {"n": null}`}, "f(p p) f\np{n int}\nf{n unseen?}"},
		{"only null takes an optional type", []string{`f {"p": {"n": null}, "i": 1} => {"n": 1}`, `f {"p": {"n": null}, "i": 2} => {"n": null}`}, "f(p p, i int) p\np{n int?}"},
		{"decimals of both", []string{`f {"p": {"x": 1.25}} => {"x": 1.5}`}, "f(p p) p\np{x float.2}"},
		{"large of one is large", []string{`f {"p": {"x": 1}} => {"x": 9007199254740992}`}, "f(p p) p\np{x int!}"},
		{"equal recursive records", []string{`f {"t": {"v": 1, "n": {"v": 2, "n": null}}} => {"v": 1, "n": {"v": 2, "n": null}}`}, "f(t t) t\nt{v int, n t?}"},
		{"an unseen type becomes one other only",
			[]string{`f {"a": {"p": {"l": []}, "q": {"l": []}}} => {"p": {"l": [1]}, "q": {"l": ["a"]}}`},
			"f(a a) f\na{p p, q p}\np{l [int]+0}\nf{p p, q q}\nq{l [string]}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := suiteText(suite(t, test.cases...)); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// However deep the data are nested, inference does not take a step
// for each combination of levels.
func TestInferDeep(t *testing.T) {
	list, maps := `null`, `1`
	for range 180 {
		list = `{"v": 1, "next": ` + list + `}`
	}
	for i := range 40 {
		maps = fmt.Sprintf(`{"a%d": %s}`, i, maps)
	}
	other := strings.ReplaceAll(maps, "a", "b")
	s := suite(t, `f {"list": `+list+`, "maps": `+maps+`} => 1`, `f {"list": `+list+`, "maps": `+other+`} => 1`)
	want := "f(list list, maps " + strings.Repeat("map[", 40) + "int" + strings.Repeat("]", 40) + ") int\nlist{v int, next list?}"
	if got := suiteText(s); got != want {
		t.Errorf("got %s", got)
	}
}

// TestClashing sets cases apart whose inputs count as equal to a language while
// their results do not.
func TestClashing(t *testing.T) {
	apart, absent := spec.Comparison{IntegersApart: true}, spec.Comparison{NullIsAbsent: true}
	tests := []struct {
		name  string
		cases []string
		how   spec.Comparison
		want  int
	}{
		{"a null that the language tells from nothing", []string{`f {"x": {"k": null}} => {}`, `f {"x": {}} => {"k": null}`, `f {"x": 1} => false`}, spec.Comparison{}, 0},
		{"a null that it does not, in the result as well", []string{`f {"x": {"k": null}} => {}`, `f {"x": {}} => {"k": null}`, `f {"x": 1} => false`}, absent, 0},
		{"a null in a result for one input", []string{`f {"x": 1} => {}`, `f {"x": 1.0} => {"k": null}`, `f {"x": "a"} => 1`}, spec.Comparison{}, 2},
		{"a null in a record", []string{`f {"x": 1} => {"a": 1}`, `f {"x": 1.0} => {"a": 1, "k": null}`, `f {"x": 2} => {"a": 1, "k": "x"}`}, spec.Comparison{}, 0},
		{"large integers", []string{`f {"x": 1} => 1`, `f {"x": 1.0} => 1.0`, `f {"x": "a"} => 18446744073709551616`, `f {"x": "b"} => "a"`}, spec.Comparison{}, 0},
		{"large integers of a type of their own", []string{`f {"x": 1} => 1`, `f {"x": 1.0} => 1.0`, `f {"x": "a"} => 18446744073709551616`, `f {"x": "b"} => "a"`}, apart, 2},
		{"inputs that a float rounds", []string{`f {"x": 9007199254740993} => 1`, `f {"x": 9007199254740992.0} => 2`, `f {"x": 0.5} => 3`}, spec.Comparison{}, 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			suite := spec.Infer("slug", casesOf(t, test.cases...), func(*spec.Function) spec.Comparison { return test.how })
			if len(suite.Undecided) != test.want {
				t.Errorf("%d cases are undecided, want %d", len(suite.Undecided), test.want)
			}
		})
	}
}
