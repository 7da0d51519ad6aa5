package spec

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Comparison says how a result is compared with the expected result.
type Comparison struct {
	// Unordered compares the outermost list of a result without regard to order.
	Unordered bool
	// Tolerance, if positive, takes the place of every float's absolute tolerance.
	Tolerance float64
	// NullIsAbsent treats a map key with a null value like a missing key, for languages
	// that read both alike.
	NullIsAbsent bool
	// IntegersApart treats an integer and a number with a decimal point as different in
	// a result of type any, for languages whose large integers have a type of their own.
	IntegersApart bool
	// BoolsAreNumbers treats true as 1 and false as 0 in a result of type any.
	BoolsAreNumbers bool
	// AnyError accepts any error, whatever its text, where an error is expected.
	AnyError bool
}

// Same reports whether two values are the same data: numbers by value, objects
// without regard to the order of their keys.
func Same(a, b *Value) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case Bool:
		return a.Bool == b.Bool
	case Number:
		return sameNumber(a, b)
	case String:
		return a.Text == b.Text
	case Array:
		return slices.EqualFunc(a.Items, b.Items, Same)
	case Object:
		return sameObject(a, b, Same)
	}
	return true
}

// sameObject reports whether two objects have the same keys with equal values.
func sameObject(a, b *Value, equal func(a, b *Value) bool) bool {
	if len(a.Fields) != len(b.Fields) {
		return false
	}
	for _, f := range a.Fields {
		if other := b.Get(f.Name); other == nil || !equal(f.Value, other) {
			return false
		}
	}
	return true
}

func sameNumber(a, b *Value) bool {
	if a.Text == b.Text {
		return true
	}
	x, xOK := a.Rat()
	y, yOK := b.Rat()
	return xOK && yOK && x.Cmp(y) == 0
}

// InputKey identifies a case's input. An absent argument and a null argument are the same.
func InputKey(c *Case) string {
	return Key(c.Input)
}

// InputKey identifies a case's input as the function sees it: an integer in a position of
// floats is rounded to a float, and a null field of a map may count as absent.
func (f *Function) InputKey(c *Case, how Comparison) string {
	w := keyWriter{keepNulls: !how.NullIsAbsent}
	return string(w.fields(nil, c.Input, false, func(key string) *Type {
		for _, p := range f.Params {
			if p.Key == key {
				return p.Type
			}
		}
		return &Type{}
	}))
}

// Key writes a value so that the same data give the same text. A null field of an object
// counts as absent, for the field may be optional. Numbers that are not integers are the
// same if they round to the same float64.
func Key(v *Value) string {
	return string(keyWriter{}.value(nil, &Type{}, v))
}

// keyWriter writes values so that the same data give the same text.
type keyWriter struct {
	// keepNulls makes a null field differ from an absent field, except in a record.
	keepNulls bool
}

func (w keyWriter) value(b []byte, t *Type, v *Value) []byte {
	switch v.Kind {
	case Number:
		return appendNumberKey(b, t, v)
	case Array:
		elem := &Type{}
		if t.Kind == ListType {
			elem = t.Elem
		}
		b = append(b, '[')
		for _, item := range v.Items {
			b = append(w.value(b, elem, item), ',')
		}
		return append(b, ']')
	case Object:
		return w.fields(b, v, w.keepNulls && t.Kind != RecordType, func(key string) *Type { return typeAt(t, key) })
	}
	return v.appendJSON(b)
}

func (w keyWriter) fields(b []byte, v *Value, keepNulls bool, at func(key string) *Type) []byte {
	fields := slices.Clone(v.Fields)
	if !keepNulls {
		fields = withoutNulls(v).Fields
	}
	slices.SortFunc(fields, func(x, y Field) int { return strings.Compare(x.Name, y.Name) })
	b = append(b, '{')
	for _, f := range fields {
		b = append(appendQuoted(b, f.Name), ':')
		b = append(w.value(b, at(f.Name), f.Value), ',')
	}
	return append(b, '}')
}

func appendNumberKey(b []byte, t *Type, v *Value) []byte {
	if n, whole := v.Int(); whole && t.Kind != FloatType {
		return n.Append(b, 10)
	}
	if x, err := strconv.ParseFloat(v.Text, 64); err == nil {
		if r := new(big.Rat).SetFloat64(x); r != nil {
			return append(b, r.RatString()...)
		}
	}
	return append(b, v.Text...) // beyond the range of a float64
}

// Equal reports whether a result of the function counts as the expected result. Either
// may be an error in the form {"error": "text"}.
func (f *Function) Equal(want, got *Value, c Comparison) bool {
	wantText, wantError := want.ErrorText()
	gotText, gotError := got.ErrorText()
	if wantError || gotError {
		return wantError == gotError && (c.AnyError || wantText == gotText)
	}
	if f.Result == nil {
		return false // the function only ever returns errors
	}
	return equal(f.Result, want, got, c)
}

func equal(t *Type, want, got *Value, c Comparison) bool {
	unordered := c.Unordered
	c.Unordered = false
	if t.AbsentIsEmpty() && isNothing(t, want) && isNothing(t, got) {
		return true
	}
	if t.Kind == AnyType {
		return sameAny(want, got, c)
	}
	if want.Kind != got.Kind {
		return false
	}
	switch {
	case t.Kind == FloatType && want.Kind == Number:
		return near(want, got, AbsoluteTolerance(t, c))
	case t.Kind == ListType && want.Kind == Array:
		same := func(w, g *Value) bool { return equal(t.Elem, w, g, c) }
		if unordered {
			return sameItems(want.Items, got.Items, same)
		}
		return slices.EqualFunc(want.Items, got.Items, same)
	case t.Kind == MapType && want.Kind == Object:
		if c.NullIsAbsent {
			want, got = withoutNulls(want), withoutNulls(got)
		}
		return sameObject(want, got, func(w, g *Value) bool { return equal(t.Elem, w, g, c) })
	case t.Kind == RecordType && want.Kind == Object:
		return equalRecords(t.Record, want, got, c)
	}
	return Same(want, got)
}

// sameAny compares two values of type any.
func sameAny(want, got *Value, c Comparison) bool {
	if c.BoolsAreNumbers {
		want, got = asNumber(want), asNumber(got)
	}
	if want.Kind != got.Kind {
		return false
	}
	same := func(w, g *Value) bool { return sameAny(w, g, c) }
	switch {
	case want.Kind == Number:
		_, wantInt := want.Int()
		_, gotInt := got.Int()
		return (wantInt == gotInt || !c.IntegersApart) && Key(want) == Key(got)
	case want.Kind == Array:
		return slices.EqualFunc(want.Items, got.Items, same)
	case want.Kind == Object:
		if c.NullIsAbsent {
			want, got = withoutNulls(want), withoutNulls(got)
		}
		return sameObject(want, got, same)
	}
	return Same(want, got)
}

// asNumber returns 1 or 0 for a bool, or the value itself.
func asNumber(v *Value) *Value {
	switch {
	case v.Kind != Bool:
		return v
	case v.Bool:
		return &Value{Kind: Number, Text: "1"}
	}
	return &Value{Kind: Number, Text: "0"}
}

// withoutNulls leaves out the fields of an object that are null.
func withoutNulls(v *Value) *Value {
	fields := slices.DeleteFunc(slices.Clone(v.Fields), func(f Field) bool { return f.Value.Kind == Null })
	return &Value{Kind: Object, Fields: fields}
}

// isNothing reports whether a value is an absent list or map, or an empty one.
func isNothing(t *Type, v *Value) bool {
	switch v.Kind {
	case Null:
		return true
	case Array:
		return t.Kind == ListType && len(v.Items) == 0
	case Object:
		return t.Kind == MapType && len(v.Fields) == 0
	}
	return false
}

// sameItems reports whether the items of two lists can be paired off, each with an equal
// item. Equality within a tolerance is not transitive, so an item may have to give up its
// partner for another.
func sameItems(want, got []*Value, same func(w, g *Value) bool) bool {
	if len(want) != len(got) {
		return false
	}
	partner := make([]int, len(got)) // the index in want, plus 1
	var pair func(w int, tried []bool) bool
	pair = func(w int, tried []bool) bool {
		for g := range got {
			if tried[g] || !same(want[w], got[g]) {
				continue
			}
			tried[g] = true
			if partner[g] == 0 || pair(partner[g]-1, tried) {
				partner[g] = w + 1
				return true
			}
		}
		return false
	}
	for w := range want {
		if !pair(w, make([]bool, len(got))) {
			return false
		}
	}
	return true
}

// absent is the value of a field that an object lacks.
var absent = &Value{Kind: Null}

// equalRecords compares two records field by field. A null field counts as absent; a field
// that the record's type lacks is wrong unless it is null.
func equalRecords(r *Record, want, got *Value, c Comparison) bool {
	for _, f := range r.Fields {
		w, g := want.Get(f.Key), got.Get(f.Key)
		if !equal(f.Type, cmp.Or(w, absent), cmp.Or(g, absent), c) {
			return false
		}
	}
	return !slices.ContainsFunc(got.Fields, func(f Field) bool { return f.Value.Kind != Null && r.Field(f.Name) == nil })
}

// near compares two numbers as float64, as every language of the tests does.
func near(want, got *Value, absolute string) bool {
	if want.Text == got.Text {
		return true // even where it is beyond the range of a float64
	}
	w, wantErr := strconv.ParseFloat(want.Text, 64)
	g, gotErr := strconv.ParseFloat(got.Text, 64)
	limit, err := strconv.ParseFloat(absolute, 64)
	if wantErr != nil || gotErr != nil || err != nil {
		return false
	}
	return math.Abs(w-g) <= max(limit, RelativeTolerance*math.Abs(w))
}

// RelativeTolerance is how far a float may be from the expected float, as a fraction of
// it. The absolute tolerance holds if it is larger.
const RelativeTolerance = 1e-9

// AbsoluteTolerance is how far a float of type t may be from the expected float, however
// small that is, as a literal: 1e-9, or half a unit of the last decimal in the data at
// this position if they have two or more decimals.
func AbsoluteTolerance(t *Type, c Comparison) string {
	switch {
	case c.Tolerance > 0:
		return strconv.FormatFloat(c.Tolerance, 'g', -1, 64)
	case t.Decimals >= 2 && t.Decimals <= 8:
		return "0." + strings.Repeat("0", t.Decimals) + "5"
	}
	return "1e-9"
}
