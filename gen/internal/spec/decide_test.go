package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/spec"
)

func TestDecide(t *testing.T) {
	const clash = "another case with the same input wants another result"
	tests := []struct {
		name  string
		cases []string
		want  map[int]string // the reason, by the number of the case
	}{
		{"results that are all {}", []string{`run {"a": 1} => {}`, `run {"a": 2} => {}`, `other {} => 1`},
			map[int]string{1: "every result of run is {}", 2: "every result of run is {}"}},
		{"one result that is not {}", []string{`run {"a": 1} => {}`, `run {"a": 2} => {"x": 1}`}, nil},
		{"{} and an error", []string{`run {"a": 1} => {}`, `run {"a": 2} => {"error": "no"}`}, nil},
		{"[] and null", []string{`run {"a": 1} => []`, `walk {"a": 2} => null`}, nil},

		{"equal input, other result", []string{`f {"a": 1, "b": 2} => 1`, `f {"b": 2, "a": 1.0} => 2`, `f {"a": 2, "b": 2} => 3`},
			map[int]string{1: clash, 2: clash}},
		{"equal input, other kind of result", []string{`f {} => 1`, `f {} => "1"`, `f {} => {"error": "1"}`},
			map[int]string{1: clash, 2: clash, 3: clash}},
		{"equal input, equal result", []string{`f {"a": 1} => {"x": 1, "y": null}`, `f {"a": 1} => {"x": 1.0}`}, nil},
		{"equal input, other property", []string{`f {"a": 1} => 1`, `g {"a": 1} => 2`}, nil},
		{"zero and minus zero", []string{`f {"a": 0} => 1`, `f {"a": -0} => 2`, `f {"a": -0.0} => 3`}, map[int]string{1: clash, 2: clash, 3: clash}},
		{"absent and null input", []string{`f {} => 1`, `f {"a": null} => 2`}, map[int]string{1: clash, 2: clash}},
		{"input in another order", []string{`f {"l": [1, 2]} => 1`, `f {"l": [2, 1]} => 2`}, nil},
		{"0 and false and empty", []string{`f {"a": 0} => 1`, `f {"a": false} => 2`, `f {"a": ""} => 3`, `f {"a": []} => 4`, `f {"a": {}} => 5`, `f {"a": "0"} => 6`}, nil},
		{"keys and texts that look alike", []string{`f {"a": "x,y"} => 1`, `f {"a": ["x", "y"]} => 2`, `f {"a": "[\"x\",]"} => 3`, `f {"a": {"x": "y"}} => 4`}, nil},

		{"a lambda", []string{
			`f {"f": "(x) -> x + 1"} => 1`, `f {"f": "fn(a, b) => a"} => 1`, `f {"f": "() -> 1"} => 1`,
			`f {"f": " function ( x ) => 1"} => 1`, `f {"list": [{"deep": "(acc,el)->acc"}]} => 1`},
			map[int]string{1: "code as text: (x) -> x + 1", 2: "code as text: fn(a, b) => a", 3: "code as text: () -> 1",
				4: "code as text: function ( x ) => 1", 5: "code as text: (acc,el)->acc"}},
		{"text that is no lambda", []string{
			`f {"s": "a -> b"} => 1`, `f {"s": "(a) - b"} => 2`, `f {"s": "see (x) -> y"} => 3`, `f {"s": "x => 1"} => 4`,
			`f {"s": "(two words) -> three"} => 5`, `f {"s": "(x + 1) -> x"} => 6`, `f {"s": "(;A[B])"} => "(a) or (b)"`}, nil},

		{"a comparison for a result", []string{
			`f {"a": 1} => "size == 2"`, `f {"a": 2} => {"low": "low >= 1 && low <= 6"}`, `f {"a": 3} => ["a.b !== c"]`,
			`f {"a": 4} => "x === x"`, `f {"a": 5} => "n < 3"`, `f {"a": 6} => "n != m"`},
			map[int]string{1: "code as text: size == 2", 2: "code as text: low >= 1 && low <= 6", 3: "code as text: a.b !== c",
				4: "code as text: x === x", 5: "code as text: n < 3", 6: "code as text: n != m"}},
		{"text that is no comparison", []string{
			`f {"a": 1} => "a = b"`, `f {"a": 2} => "one + two == three"`, `f {"a": 3} => "== 3"`, `f {"a": 4} => "x ==> y"`,
			`f {"a": 5} => "it is > 5"`, `f {"a": 6} => "a << b"`, `f {"a": 7} => "<b>x</b>"`, `f {"a": 8} => "1 < 2"`, `f {"a": 9} => "x=="`}, nil},
		{"a comparison to judge", []string{`f {"puzzle": "A == B"} => null`, `f {"puzzle": "A + B == C"} => {"A": 1}`}, nil},
		{"a comparison in a message", []string{`f {"n": 1} => {"error": "n < 2"}`}, nil},
		{"a pattern for a result", []string{`f {"a": 1} => {"match": "^[a-z]+$"}`, `f {"a": 2} => "^.$"`},
			map[int]string{1: "code as text: ^[a-z]+$", 2: "code as text: ^.$"}},
		{"text that is no pattern", []string{`f {"a": "^x$"} => "^"`, `f {"a": 2} => "^$"`, `f {"a": 3} => "costs 5$"`, `f {"a": 4} => "2^3"`}, nil},

		{"a call of a method, and a member of its object",
			[]string{`f {"a": "box.key.slice(0, 2)"} => "x"`, `f {"a": 1} => "box.key"`, `f {"a": "bag.key"} => "boxes.key"`, `f {"a": 2} => "box"`},
			map[int]string{1: "code as text: box.key.slice(0, 2)", 2: "code as text: box.key"}},
		{"text with dots", []string{`f {"a": "www.example.com"} => "v1.2"`, `f {"a": "e.g. (this)"} => "end."`, `f {"a": "x.y (z)"} => "f(x)"`, `f {"a": "a.b() c"} => "3.14"`}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			checkDecided(t, casesOf(t, test.cases...), test.want)
		})
	}
}

func checkDecided(t *testing.T, cases []*spec.Case, want map[int]string) {
	t.Helper()
	decided, undecided := spec.Decide(cases)
	if len(decided)+len(undecided) != len(cases) {
		t.Errorf("%d and %d of %d cases", len(decided), len(undecided), len(cases))
	}
	got := map[string]string{}
	for _, u := range undecided {
		got[u.Case.Description] = u.Reason
	}
	for i, c := range cases {
		if got[c.Description] != want[i+1] {
			t.Errorf("case %d: got reason %q, want %q", i+1, got[c.Description], want[i+1])
		}
	}
}

func TestDecideRandom(t *testing.T) {
	const head = `{"scenarios": %s, "description": %q, "property": "f", "input": {"n": %d}, "expected": %s}`
	items := []string{
		fmt.Sprintf(head, `["random"]`, "text", 1, `"x"`),
		fmt.Sprintf(head, `["slow", "random"]`, "list", 2, `[1]`),
		fmt.Sprintf(head, `["random"]`, "number", 3, `0.5`),
		fmt.Sprintf(head, `["slow"]`, "no random one", 4, `"x"`),
	}
	const reason = "the result is random and no number"
	cases := parse(t, `{"cases": [`+strings.Join(items, ",")+`]}`).Cases
	checkDecided(t, cases, map[int]string{1: reason, 2: reason})
}
