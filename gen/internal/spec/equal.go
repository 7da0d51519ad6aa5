package spec

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Comparison is how a result is compared with the one wanted.
type Comparison struct {
	// Unordered compares the outermost list of a result without regard to order.
	Unordered bool
	// Tolerance, if positive, takes the place of every float's absolute tolerance.
	Tolerance float64
	// AnyError accepts every error where one is wanted, whatever its text.
	AnyError bool
}

// Same reports whether two values are the same data: numbers by value, objects
// without regard to the order of their keys.
func Same(a, b *Value) bool {
	return key(a) == key(b)
}

// InputKey identifies an input. An absent argument and a null one are the same.
func InputKey(c *Case) string {
	return key(c.Input)
}

// key writes a value so that the same data give the same text.
func key(v *Value) string {
	switch v.Kind {
	case Number:
		if r, ok := v.Rat(); ok {
			return r.RatString()
		}
		return v.Text
	case Array:
		items := make([]string, len(v.Items))
		for i, item := range v.Items {
			items[i] = key(item)
		}
		return "[" + strings.Join(items, ",") + "]"
	case Object:
		fields := make([]string, 0, len(v.Fields))
		for _, f := range v.Fields {
			if f.Value.Kind != Null {
				fields = append(fields, jsonQuote(f.Name)+":"+key(f.Value))
			}
		}
		slices.Sort(fields)
		return "{" + strings.Join(fields, ",") + "}"
	}
	return v.JSON()
}

// Equal reports whether a result of the function counts as the one wanted.
// Either may be an error in its one form.
func (f *Function) Equal(want, got *Value, c Comparison) bool {
	wantText, wantError := want.ErrorText()
	gotText, gotError := got.ErrorText()
	if wantError || gotError {
		return wantError == gotError && (c.AnyError || wantText == gotText)
	}
	if f.Result == nil {
		return false // only errors are right
	}
	return equal(f.Result, want, got, c)
}

func equal(t *Type, want, got *Value, c Comparison) bool {
	unordered := c.Unordered
	c.Unordered = false
	if t.AbsentIsEmpty() && isNothing(want) && isNothing(got) {
		return true
	}
	if want.Kind != got.Kind {
		return false
	}
	switch {
	case want.Kind == Number && t.Kind == FloatType:
		return near(want, got, AbsoluteTolerance(t, c))
	case t.Kind == ListType && want.Kind == Array:
		return equalLists(t.Elem, want.Items, got.Items, c, unordered)
	case t.Kind == MapType && want.Kind == Object:
		return equalFields(func(string) *Type { return t.Elem }, want, got, c)
	case t.Kind == RecordType && want.Kind == Object:
		return equalFields(func(name string) *Type {
			if f := t.Record.Field(name); f != nil {
				return f.Type
			}
			return nil
		}, want, got, c)
	case want.Kind == Number:
		a, aOK := want.Rat()
		b, bOK := got.Rat()
		return aOK && bOK && a.Cmp(b) == 0
	}
	return Same(want, got)
}

func isNothing(v *Value) bool {
	return v.Kind == Null || len(v.Items)+len(v.Fields) == 0 && (v.Kind == Array || v.Kind == Object)
}

func equalLists(elem *Type, want, got []*Value, c Comparison, unordered bool) bool {
	if len(want) != len(got) {
		return false
	}
	if !unordered {
		for i := range want {
			if !equal(elem, want[i], got[i], c) {
				return false
			}
		}
		return true
	}
	left := slices.Clone(got)
	for _, w := range want {
		i := slices.IndexFunc(left, func(g *Value) bool { return equal(elem, w, g, c) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// equalFields compares two objects; a null field is an absent one.
func equalFields(typeOf func(string) *Type, want, got *Value, c Comparison) bool {
	names := keysOf([]*Value{want, got})
	null := &Value{Kind: Null}
	for _, name := range names {
		w, g := want.Get(name), got.Get(name)
		if w == nil {
			w = null
		}
		if g == nil {
			g = null
		}
		t := typeOf(name)
		if t == nil {
			t = &Type{} // a key that no data has
		}
		if !equal(t, w, g, c) {
			return false
		}
	}
	return true
}

// near compares two numbers as float64, as every language of the tests does.
func near(want, got *Value, absolute string) bool {
	w, wantErr := strconv.ParseFloat(want.Text, 64)
	g, gotErr := strconv.ParseFloat(got.Text, 64)
	limit, err := strconv.ParseFloat(absolute, 64)
	if wantErr != nil || gotErr != nil || err != nil {
		return false
	}
	return math.Abs(w-g) <= max(limit, RelativeTolerance*math.Abs(w))
}

// RelativeTolerance is how far a float may be from the one wanted, in units of
// the latter. The absolute tolerance holds where that is larger.
const RelativeTolerance = 1e-9

// AbsoluteTolerance is the literal of how far a float of type t may be from the
// one wanted, however small that is: 1e-9, or half a unit of the last decimal
// that the data have at this position where they have two or more.
func AbsoluteTolerance(t *Type, c Comparison) string {
	switch {
	case c.Tolerance > 0:
		return strconv.FormatFloat(c.Tolerance, 'g', -1, 64)
	case t.Decimals >= 2 && t.Decimals <= 8:
		return "0." + strings.Repeat("0", t.Decimals) + "5"
	}
	return "1e-9"
}
