package spec_test

import (
	"testing"

	"stateoftictactoe/gen/internal/spec"
)

func TestSame(t *testing.T) {
	same := [][2]string{
		{`1`, `1.0`}, {`1e2`, `100`}, {`-0`, `0`}, {`0.10`, `1e-1`}, {`1e99999999999`, `1e99999999999`},
		{`{"a": 1, "b": 2}`, `{"b": 2.0, "a": 1}`}, {`"\u00e9"`, `"é"`}, {`[1, null]`, `[1, null]`}, {`null`, `null`},
	}
	for _, pair := range same {
		if !spec.Same(value(t, pair[0]), value(t, pair[1])) {
			t.Errorf("%s and %s are not the same", pair[0], pair[1])
		}
	}
	other := [][2]string{
		{`1`, `2`}, {`1`, `"1"`}, {`18446744073709551615`, `18446744073709551616`}, {`0.1`, `0.10000000000000001`},
		{`[1, 2]`, `[2, 1]`}, {`[1]`, `[1, 1]`}, {`[]`, `{}`}, {`null`, `[]`}, {`true`, `false`}, {`"a"`, `"A"`},
		{`{"a": null}`, `{}`}, {`{"a": 1}`, `{"b": 1}`}, {`{"a": 1}`, `{"a": 2}`}, {`1e99999999999`, `1e99999999998`},
	}
	for _, pair := range other {
		for _, p := range [][2]string{pair, {pair[1], pair[0]}} {
			if spec.Same(value(t, p[0]), value(t, p[1])) {
				t.Errorf("%s and %s are the same", p[0], p[1])
			}
		}
	}
}

func TestEqual(t *testing.T) {
	floats := []string{`f {} => 1.0`}
	mixed := []string{`f {"n": 1} => 1.0`, `f {"n": 2} => "a"`}
	cents := []string{`f {} => 31.69`, `f {"n": 1} => 2.5`}
	lists := []string{`f {} => [[1.5, 2.25], []]`}
	records := []string{`f {"n": 1} => {"name": "a", "at": {"x": 1.25, "y": null}}`, `f {"n": 2} => {"name": "b", "at": {"x": 1, "y": 2}, "more": [1]}`}
	trees := []string{`f {} => {"v": 1.5, "l": {"v": 2, "l": null, "r": null}, "r": {"v": 2, "l": null, "r": null}}`}
	maps := []string{`f {"n": 1} => {"a": 1.5}`, `f {"n": 2} => {"b": null, "c": 1}`}
	errs := []string{`f {"n": 1} => {"error": "no"}`, `f {"n": 2} => 1`}
	tests := []struct {
		name      string
		cases     []string
		how       spec.Comparison
		want, got string
		equal     bool
	}{
		{"bool", []string{`f {} => true`}, spec.Comparison{}, `true`, `false`, false},
		{"text", []string{`f {} => "a"`}, spec.Comparison{}, `"a"`, `"a"`, true},
		{"text and number", []string{`f {} => "1"`}, spec.Comparison{}, `"1"`, `1`, false},
		{"big integers", []string{`f {} => 18446744073709551615`}, spec.Comparison{}, `18446744073709551615`, `18446744073709551614`, false},
		{"an integer as a float", []string{`f {} => 2`}, spec.Comparison{}, `2`, `2.0`, true},
		{"an integer has no tolerance", []string{`f {} => 2000000000000`}, spec.Comparison{}, `2000000000000`, `2000000000001`, false},

		{"a float among other values, as a float64 has it", mixed, spec.Comparison{}, `9007199254740993.0`, `9007199254740992`, true},
		{"an integer among other values", mixed, spec.Comparison{}, `9007199254740993`, `9007199254740992.0`, false},

		{"half a unit of the last decimal", cents, spec.Comparison{}, `31.69`, `31.689`, true},
		{"half a unit above", cents, spec.Comparison{}, `31.69`, `31.6949`, true},
		{"more than half a unit", cents, spec.Comparison{}, `31.69`, `31.6951`, false},
		{"decimals of the position, not of the value", cents, spec.Comparison{}, `2.5`, `2.504`, true},
		{"one decimal is no tolerance", floats, spec.Comparison{}, `1.0`, `1.4`, false},
		{"one decimal, closer", floats, spec.Comparison{}, `1.0`, `1.04`, false},
		{"1e-9", floats, spec.Comparison{}, `1.0`, `1.0000000009`, true},
		{"above 1e-9", floats, spec.Comparison{}, `1.0`, `1.0000000011`, false},
		{"1e-9 below one", floats, spec.Comparison{}, `0.0`, `0.0000000009`, true},
		{"1e-9 of a large one", floats, spec.Comparison{}, `1000000.0`, `1000000.0009`, true},
		{"above 1e-9 of a large one", floats, spec.Comparison{}, `1000000.0`, `1000000.0011`, false},
		{"negative", floats, spec.Comparison{}, `-1000000.0`, `-1000000.0009`, true},
		{"sign", floats, spec.Comparison{}, `1.0`, `-1.0`, false},
		{"a float as an integer", floats, spec.Comparison{}, `1.0`, `1`, true},
		{"own tolerance", floats, spec.Comparison{Tolerance: 0.5}, `1.0`, `1.4`, true},
		{"beyond the own tolerance", floats, spec.Comparison{Tolerance: 0.5}, `1.0`, `1.6`, false},
		{"own tolerance is smaller", cents, spec.Comparison{Tolerance: 1e-6}, `31.69`, `31.689`, false},
		{"beyond a float64", floats, spec.Comparison{}, `1e999`, `1e999`, true},
		{"beyond a float64, and another", floats, spec.Comparison{}, `1e999`, `1e998`, false},
		{"a float64 and one beyond", floats, spec.Comparison{}, `1.0`, `1e999`, false},
		{"a word for a float", floats, spec.Comparison{}, `1.0`, `"1.0"`, false},

		{"nested floats", lists, spec.Comparison{}, `[[1.5, 2.25], []]`, `[[1.5, 2.254], []]`, true},
		{"nested floats apart", lists, spec.Comparison{}, `[[1.5, 2.25], []]`, `[[1.5, 2.256], []]`, false},
		{"longer", lists, spec.Comparison{}, `[[1.5]]`, `[[1.5], []]`, false},
		{"order", lists, spec.Comparison{}, `[[1], [2]]`, `[[2], [1]]`, false},
		{"unordered", lists, spec.Comparison{Unordered: true}, `[[1], [2], [1]]`, `[[2], [1], [1.001]]`, true},
		{"unordered counts", lists, spec.Comparison{Unordered: true}, `[[1], [2], [1]]`, `[[2], [1], [2]]`, false},
		{"unordered, longer", lists, spec.Comparison{Unordered: true}, `[[1]]`, `[[1], [1]]`, false},
		{"only the outermost is unordered", lists, spec.Comparison{Unordered: true}, `[[1, 2]]`, `[[2, 1]]`, false},
		{"unordered within a tolerance", []string{`f {} => [10.0, 5.0, 15.0]`}, spec.Comparison{Unordered: true, Tolerance: 5}, `[10, 5, 15]`, `[15, 10, 5]`, true},
		{"unordered beyond a tolerance", []string{`f {} => [10.0, 5.0, 15.0]`}, spec.Comparison{Unordered: true, Tolerance: 5}, `[10, 5, 15]`, `[15, 21, 5]`, false},
		{"a list for a record", records, spec.Comparison{}, `{"name": "a", "at": {"x": 1}}`, `[]`, false},

		{"record", records, spec.Comparison{}, `{"name": "a", "at": {"x": 1.25, "y": null}}`, `{"at": {"y": null, "x": 1.254}, "name": "a"}`, true},
		{"a null field is an absent one", records, spec.Comparison{}, `{"name": "a", "at": {"x": 1.25, "y": null}}`, `{"name": "a", "at": {"x": 1.25}, "more": null}`, true},
		{"and the other way round", records, spec.Comparison{}, `{"name": "a", "at": {"x": 1.25}}`, `{"name": "a", "at": {"x": 1.25, "y": null}}`, true},
		{"a field that is missing", records, spec.Comparison{}, `{"name": "b", "at": {"x": 1, "y": 2}}`, `{"name": "b", "at": {"x": 1}}`, false},
		{"a field that is too much", records, spec.Comparison{}, `{"name": "b", "at": {"x": 1}}`, `{"name": "b", "at": {"x": 1, "y": 2}}`, false},
		{"a field that no data have", records, spec.Comparison{}, `{"name": "b", "at": {"x": 1}}`, `{"name": "b", "at": {"x": 1, "z": null}}`, true},
		{"an absent list that is never empty", records, spec.Comparison{}, `{"name": "b", "at": {"x": 1}}`, `{"name": "b", "at": {"x": 1}, "more": []}`, true},
		{"an absent list is no map", records, spec.Comparison{}, `{"name": "b", "at": {"x": 1}}`, `{"name": "b", "at": {"x": 1}, "more": {}}`, false},
		{"nested records", trees, spec.Comparison{}, `{"v": 1, "l": {"v": 2}}`, `{"v": 1, "l": {"v": 2, "l": null}, "r": null}`, true},
		{"nested records apart", trees, spec.Comparison{}, `{"v": 1, "l": {"v": 2}}`, `{"v": 1, "l": {"v": 3}}`, false},

		{"map", maps, spec.Comparison{}, `{"a": 1.5, "b": 1}`, `{"b": 1.0, "a": 1.5000000001}`, true},
		{"map with another key", maps, spec.Comparison{}, `{"a": 1}`, `{"b": 1}`, false},
		{"map with more keys", maps, spec.Comparison{}, `{"a": 1}`, `{"a": 1, "b": 1}`, false},
		{"a map's null is no absent key", maps, spec.Comparison{}, `{"a": null}`, `{}`, false},
		{"and the other way round", maps, spec.Comparison{}, `{}`, `{"a": null}`, false},
		{"a map's null", maps, spec.Comparison{}, `{"a": null}`, `{"a": null}`, true},

		{"null", []string{`f {"n": 1} => null`, `f {"n": 2} => 1`}, spec.Comparison{}, `null`, `null`, true},
		{"null and a value", []string{`f {"n": 1} => null`, `f {"n": 2} => 0`}, spec.Comparison{}, `null`, `0`, false},
		{"a value and null", []string{`f {"n": 1} => null`, `f {"n": 2} => 0`}, spec.Comparison{}, `0`, `null`, false},
		{"absent is empty", []string{`f {"n": 1} => null`, `f {"n": 2} => [1]`}, spec.Comparison{}, `null`, `[]`, true},
		{"absent is told from empty", []string{`f {"n": 1} => null`, `f {"n": 2} => []`}, spec.Comparison{}, `null`, `[]`, false},
		{"empty, where none is absent", []string{`f {} => [1]`}, spec.Comparison{}, `[1]`, `null`, false},
		{"an absent map is empty", []string{`f {"n": 1} => null`, `f {"n": 2} => {"a": 1}`, `f {"n": 3} => {"b": 1}`}, spec.Comparison{}, `null`, `{}`, true},

		{"an absent map is no list", []string{`f {"n": 1} => null`, `f {"n": 2} => {"a": 1}`, `f {"n": 3} => {"b": 1}`}, spec.Comparison{}, `null`, `[]`, false},

		{"no type", []string{`f {"n": 1} => 1`, `f {"n": 2} => "a"`}, spec.Comparison{}, `1`, `1.0`, true},
		{"no type, exact", []string{`f {"n": 1} => 1.25`, `f {"n": 2} => "a"`}, spec.Comparison{}, `1.25`, `1.2500000000001`, false},
		{"no type, keys in any order", []string{`f {"n": 1} => 1`, `f {"n": 2} => "a"`}, spec.Comparison{}, `{"a": 1, "b": [2]}`, `{"b": [2], "a": 1}`, true},

		{"error", errs, spec.Comparison{}, `{"error": "no"}`, `{"error": "no"}`, true},
		{"another error", errs, spec.Comparison{}, `{"error": "no"}`, `{"error": "No"}`, false},
		{"another error, any counts", errs, spec.Comparison{AnyError: true}, `{"error": "no"}`, `{"error": ""}`, true},
		{"a result for any error", errs, spec.Comparison{AnyError: true}, `{"error": "no"}`, `1`, false},
		{"an error for a result", errs, spec.Comparison{AnyError: true}, `1`, `{"error": "no"}`, false},
		{"a result where there is none", []string{`f {} => {"error": "no"}`}, spec.Comparison{}, `1`, `1`, false},
		{"an error where there is no result", []string{`f {} => {"error": "no"}`}, spec.Comparison{}, `{"error": "no"}`, `{"error": "no"}`, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := suite(t, test.cases...).Functions[0]
			if got := f.Equal(value(t, test.want), value(t, test.got), test.how); got != test.equal {
				t.Errorf("%s for %s: got %v", test.got, test.want, got)
			}
		})
	}
}

func TestAbsoluteTolerance(t *testing.T) {
	tests := []struct {
		decimals int
		how      spec.Comparison
		want     string
	}{
		{0, spec.Comparison{}, "1e-9"},
		{1, spec.Comparison{}, "1e-9"},
		{2, spec.Comparison{}, "0.005"},
		{8, spec.Comparison{}, "0.000000005"},
		{9, spec.Comparison{}, "1e-9"},
		{16, spec.Comparison{}, "1e-9"},
		{2, spec.Comparison{Tolerance: 0.25}, "0.25"},
	}
	for _, test := range tests {
		got := spec.AbsoluteTolerance(&spec.Type{Kind: spec.FloatType, Decimals: test.decimals}, test.how)
		if got != test.want {
			t.Errorf("%d decimals, %+v: got %s, want %s", test.decimals, test.how, got, test.want)
		}
	}
}

func TestTypeFacts(t *testing.T) {
	s := suite(t,
		`f {"list": [1], "map": {"a": 1}, "empty": [], "n": 9007199254740993} => {"v": 1, "sub": [{"v": 1, "sub": []}]}`,
		`f {"map": {"b": 1}} => {"v": 9007199254740993, "sub": []}`,
		`g {"x": 9007199254740993.5} => 1`)
	f, g := s.Functions[0], s.Functions[1]
	wants := map[string]bool{"list": true, "map": false, "empty": false, "n": false}
	for _, p := range f.Params {
		if p.Type.AbsentIsEmpty() != wants[p.Key] {
			t.Errorf("%s: AbsentIsEmpty is %v", p.Key, !wants[p.Key])
		}
	}
	if !f.HasLargeInts() || g.HasLargeInts() {
		t.Errorf("large integers: %v, %v; want true, false", f.HasLargeInts(), g.HasLargeInts())
	}
	if got := len(s.Cases()); got != 3 {
		t.Errorf("%d cases", got)
	}
	if r := s.Records[0]; r.Field("sub") == nil || r.Field("none") != nil {
		t.Error("Field does not find a record's fields")
	}
	count := 0
	spec.Walk(f.Result, func(*spec.Type) { count++ })
	if count != 4 { // the record, v, sub, and the record again in sub
		t.Errorf("Walk visited %d types", count)
	}
}
