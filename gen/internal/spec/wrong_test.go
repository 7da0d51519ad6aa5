package spec_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/spec"
)

// conforms says why a value is not of a type, or "".
func conforms(t *spec.Type, v *spec.Value) string {
	if v.Kind == spec.Null {
		if t.Optional || t.Kind == spec.AnyType {
			return ""
		}
		return "null for what is never null"
	}
	kinds := map[spec.TypeKind]spec.Kind{
		spec.BoolType: spec.Bool, spec.IntType: spec.Number, spec.FloatType: spec.Number, spec.StringType: spec.String,
		spec.ListType: spec.Array, spec.MapType: spec.Object, spec.RecordType: spec.Object,
	}
	if kind, typed := kinds[t.Kind]; typed && kind != v.Kind {
		return v.JSON() + " is of another kind"
	}
	switch t.Kind {
	case spec.IntType:
		n, whole := v.Int()
		switch {
		case !whole:
			return v.Text + " is no integer"
		case t.Size == spec.Int64 && !n.IsInt64(), t.Size == spec.Uint64 && !n.IsUint64():
			return v.Text + " is too large"
		case !t.Large && (n.Int64() > 1<<53 || n.Int64() < -1<<53):
			return v.Text + " is no exact float64"
		}
	case spec.ListType:
		for _, item := range v.Items {
			if why := conforms(t.Elem, item); why != "" {
				return why
			}
		}
	case spec.MapType:
		for _, f := range v.Fields {
			if why := conforms(t.Elem, f.Value); why != "" {
				return why
			}
		}
	case spec.RecordType:
		for _, f := range v.Fields {
			field := t.Record.Field(f.Name)
			if field == nil {
				return "no key " + f.Name
			}
			if why := conforms(field.Type, f.Value); why != "" {
				return why
			}
		}
		for _, f := range t.Record.Fields {
			if v.Get(f.Key) == nil && !f.Type.Optional {
				return "key " + f.Key + " is missing"
			}
		}
	}
	return ""
}

var comparisons = []spec.Comparison{
	{},
	{Unordered: true},
	{Tolerance: 0.25},
	{Tolerance: 1000},
	{AnyError: true},
	{Unordered: true, Tolerance: 10, AnyError: true},
}

// checkFunctions checks, for each case of a suite, that its own result counts as
// the one wanted, is of the inferred type, and that the wrong one is of that
// type too and does not count.
func checkFunctions(t *testing.T, s *spec.Suite) {
	t.Helper()
	for _, f := range s.Functions {
		for _, how := range comparisons {
			for _, c := range f.Cases {
				checkCase(t, f, c, how)
			}
		}
	}
}

func checkCase(t *testing.T, f *spec.Function, c *spec.Case, how spec.Comparison) {
	t.Helper()
	for _, p := range f.Params {
		arg := c.Input.Get(p.Key)
		if arg == nil && !p.Type.Optional {
			t.Errorf("argument %s is missing in %s", p.Key, c.Input.JSON())
		} else if arg != nil && conforms(p.Type, arg) != "" {
			t.Errorf("argument %s: %s", p.Key, conforms(p.Type, arg))
		}
	}
	want := c.Expected
	if !f.Equal(want, want, how) {
		t.Errorf("%s does not equal itself", want.JSON())
	}
	wrong, err := f.Wrong(want, how)
	if err != nil {
		t.Error(err)
		return
	}
	if f.Equal(want, wrong, how) {
		t.Errorf("wrong %s equals %s (%+v)", wrong.JSON(), want.JSON(), how)
	}
	if back, err := spec.ParseJSON("wrong.json", []byte(wrong.JSON())); err != nil {
		t.Errorf("wrong result is no JSON: %v", err)
	} else if !spec.Same(wrong, back) {
		t.Errorf("wrong %s reads as %s", wrong.JSON(), back.JSON())
	}
	for _, v := range []*spec.Value{want, wrong} {
		if _, failed := v.ErrorText(); failed {
			if !f.CanFail {
				t.Errorf("an error %s of a function that cannot fail", v.JSON())
			}
			continue
		}
		if f.Result == nil {
			if v.Kind != spec.Null {
				t.Errorf("a result %s of a function with errors only", v.JSON())
			}
			continue
		}
		if why := conforms(f.Result, v); why != "" {
			t.Errorf("%s (wrong for %s): %s", v.JSON(), want.JSON(), why)
		}
	}
}

func TestWrong(t *testing.T) {
	tests := []struct {
		name  string
		cases []string
		want  string // wrong for the first case
	}{
		{"bool", []string{`f {} => true`}, `false`},
		{"int", []string{`f {} => 3`}, `4`},
		{"the largest int64", []string{`f {} => 9223372036854775807`}, `9223372036854775806`},
		{"the largest uint64", []string{`f {} => 18446744073709551615`}, `18446744073709551614`},
		{"a big integer", []string{`f {} => 18446744073709551616`}, `18446744073709551617`},
		{"float", []string{`f {} => 2.0`}, `4.0`},
		{"the largest float64", []string{`f {} => 1.7976931348623157e308`}, ""},
		{"text", []string{`f {} => ""`}, `"?"`},
		{"list", []string{`f {} => [1, 2]`}, `[1,3]`},
		{"empty list", []string{`f {"n": 1} => []`, `f {"n": 2} => [1]`}, `[1]`},
		{"list of nothing known", []string{`f {} => []`}, `["?"]`},
		{"map", []string{`f {"n": 1} => {"a": 1}`, `f {"n": 2} => {}`}, `{"a":2}`},
		{"empty map", []string{`f {"n": 2} => {}`, `f {"n": 1} => {"a": 1}`}, `{"?":1}`},
		{"record", []string{`f {} => {"a": "x", "b": 1}`}, `{"a":"x?","b":1}`},
		{"record without its keys", []string{`f {"n": 1} => {"l": null}`, `f {"n": 2} => {"l": {"l": null}}`}, `{"l":{}}`},
		{"null", []string{`f {"n": 1} => null`, `f {"n": 2} => [1]`}, `[1]`},
		{"only null", []string{`f {"n": 1} => null`}, `"?"`},
		{"null for a tree", []string{`f {"n": 1} => null`, `f {"n": 2} => {"v": 1, "sub": [{"v": 1, "sub": []}]}`}, `{"v":1,"sub":[]}`},
		{"error", []string{`f {} => {"error": "no"}`}, `{"error":"not: no"}`},
		{"list within a wide tolerance", []string{`f {} => [10.0, 20.0, 0.0]`}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := suite(t, test.cases...)
			checkFunctions(t, s)
			f := s.Functions[0]
			wrong, err := f.Wrong(f.Cases[0].Expected, spec.Comparison{})
			if err != nil {
				t.Fatal(err)
			}
			if test.want != "" && wrong.JSON() != test.want {
				t.Errorf("got %s, want %s", wrong.JSON(), test.want)
			}
		})
	}
}

func TestWrongError(t *testing.T) {
	errs := suite(t, `f {} => {"error": "no"}`).Functions[0]
	wrong, err := errs.Wrong(errs.Cases[0].Expected, spec.Comparison{AnyError: true})
	if err != nil || wrong.Kind != spec.Null {
		t.Errorf("errors only, any counts: got %v, %v", wrong, err)
	}
	both := suite(t, `f {"n": 1} => {"error": "no"}`, `f {"n": 2} => 7`).Functions[0]
	wrong, err = both.Wrong(both.Cases[0].Expected, spec.Comparison{AnyError: true})
	if err != nil || wrong.JSON() != "7" {
		t.Errorf("errors and results, any counts: got %v, %v", wrong, err)
	}
}

// generator makes data of random shapes, the same for the same seed.
type generator struct{ *rand.Rand }

func (g generator) pick(texts ...string) string { return texts[g.IntN(len(texts))] }

// shape returns a function that writes values of one random type.
func (g generator) shape(depth int) func() string {
	n := 10
	if depth == 0 {
		n = 6
	}
	switch g.IntN(n) {
	case 0:
		return func() string { return g.pick("true", "false") }
	case 1:
		return func() string { return g.pick("0", "-1", "7", "9007199254740991", "-9007199254740992") }
	case 2:
		return func() string {
			return g.pick("1", "9223372036854775807", "18446744073709551615", "18446744073709551614")
		}
	case 3:
		return func() string {
			return g.pick("-1", "18446744073709551615", "18446744073709551616", "-9223372036854775809", "0")
		}
	case 4:
		return func() string {
			return g.pick("0.5", "-1.25", "3", "1e300", "1.7976931348623157e308", "-2.5e-7", "100.125")
		}
	case 5:
		return func() string { return g.pick(`""`, `"a"`, `"?"`, `"\u0000é"`, `"😀"`) }
	case 6:
		item := g.shape(depth - 1)
		return func() string { return "[" + g.repeat(3, func(int) string { return item() }) + "]" }
	case 7:
		item := g.shape(depth - 1)
		return func() string {
			first := g.IntN(5)
			return "{" + g.repeat(3, func(i int) string { return fmt.Sprintf(`"k%d": %s`, first+i, item()) }) + "}"
		}
	case 8:
		var items []func() string
		for range 1 + g.IntN(3) {
			items = append(items, g.sometimes(g.shape(depth-1), "null", ""))
		}
		return func() string {
			var fields []string
			for i, item := range items {
				if text := item(); text != "" {
					fields = append(fields, fmt.Sprintf(`"f%d": %s`, i, text))
				}
			}
			return "{" + strings.Join(fields, ",") + "}"
		}
	}
	var tree func(depth int) string
	leaf, list := g.pick("null", "{}"), g.IntN(2) == 0
	tree = func(depth int) string {
		sub := func(int) string {
			if depth == 0 || g.IntN(2) == 0 {
				return leaf
			}
			return tree(depth - 1)
		}
		if list {
			if depth == 0 {
				return fmt.Sprintf(`{"v": %d, "sub": []}`, g.IntN(9))
			}
			return fmt.Sprintf(`{"v": %d, "sub": [%s]}`, g.IntN(9), g.repeat(2, func(int) string { return tree(depth - 1) }))
		}
		return fmt.Sprintf(`{"v": %d, "l": %s, "r": %s}`, g.IntN(9), sub(0), sub(1))
	}
	return func() string { return tree(3) }
}

func (g generator) repeat(most int, item func(i int) string) string {
	var items []string
	for i := range g.IntN(most + 1) {
		items = append(items, item(i))
	}
	return strings.Join(items, ", ")
}

// sometimes gives another text in one of six times, if in this shape at all.
func (g generator) sometimes(item func() string, others ...string) func() string {
	if g.IntN(2) == 0 {
		return item
	}
	other := g.pick(others...)
	return func() string {
		if g.IntN(6) == 0 {
			return other
		}
		return item()
	}
}

// Whatever the shape of the data, a wrong result is of the right type and is
// never taken for the right one.
func TestWrongOfAnyShape(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for seed := range uint64(3000) {
		g := generator{rand.New(rand.NewPCG(seed, 0))}
		arg, result := g.shape(3), g.sometimes(g.sometimes(g.shape(3), "null"), `{"error": "no"}`, `"mixed"`)
		var lines []string
		for i := range 1 + g.IntN(6) {
			lines = append(lines, fmt.Sprintf(`f {"n": %d, "arg": %s} => %s`, i, arg(), result()))
		}
		checkFunctions(t, suite(t, lines...))
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, strings.Join(lines, "\n"))
		}
	}
}
