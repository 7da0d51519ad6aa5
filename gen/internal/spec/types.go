package spec

import (
	"math/big"
	"slices"
)

// TypeKind is the kind of an inferred type.
type TypeKind uint8

// The kinds of type that data can have. Values that do not unify have AnyType.
const (
	AnyType TypeKind = iota
	BoolType
	IntType
	FloatType
	StringType
	ListType
	MapType
	RecordType
)

// IntSize says how large the integers at one position are.
type IntSize uint8

// A position's size is the smallest that holds all its values.
const (
	Int64 IntSize = iota
	Uint64
	BigInt
)

// Type is the common type of all values at one position of a property.
type Type struct {
	Kind TypeKind
	// Unseen, for AnyType, reports whether no value but null stands at its position.
	Unseen bool
	// Optional reports whether a value may be null, or its key missing.
	Optional bool
	// Size is set for IntType.
	Size IntSize
	// Large, for IntType or AnyType, reports whether some integer is outside of ±(2^53-1),
	// where a float64 no longer tells every integer from the next.
	Large bool
	// Decimals is the most digits after the point, for FloatType.
	Decimals int
	// Elem is the type of a list's items or of a map's values.
	Elem *Type
	// HasEmpty, for a list or map, reports whether some value is empty, so that an absent
	// value must differ from it.
	HasEmpty bool
	// Record is set for RecordType. Equal records are one *Record.
	Record *Record
}

// AbsentIsEmpty reports whether an absent list or map counts as empty, because no value
// at this position is empty.
func (t *Type) AbsentIsEmpty() bool {
	return t.Optional && !t.HasEmpty && (t.Kind == ListType || t.Kind == MapType)
}

// Record is an object with known keys.
type Record struct {
	// Hint is the key, parameter or property where the record first stands, a
	// plural made singular. Two records of a Suite may share it.
	Hint   string
	Fields []*RecordField
}

// RecordField is a key of a record. It is optional if its type is.
type RecordField struct {
	Key  string
	Type *Type
}

// Field returns the field of a key, or nil.
func (r *Record) Field(key string) *RecordField {
	for _, f := range r.Fields {
		if f.Key == key {
			return f
		}
	}
	return nil
}

// Param is one argument of a function under test.
type Param struct {
	Key  string
	Type *Type
}

// Function is the signature of one property with its cases.
type Function struct {
	Property string
	Params   []Param
	// Result is nil where every case expects an error.
	Result *Type
	// CanFail reports whether some case expects an error.
	CanFail bool
	Cases   []*Case
}

// HasLargeInts reports whether an integer that a float64 may not hold stands
// anywhere in the function's arguments or result, other than among floats.
func (f *Function) HasLargeInts() bool {
	types := []*Type{f.Result}
	for _, p := range f.Params {
		types = append(types, p.Type)
	}
	found := false
	for _, t := range types {
		Walk(t, func(t *Type) { found = found || t.Large })
	}
	return found
}

// Suite is an exercise as inference sees it: the functions under test in the order of the
// data, and the cases that decide no answer.
type Suite struct {
	Slug      string
	Functions []*Function
	// Records in the order of their first use.
	Records []*Record
	// Undecided cases need a template, for the reason given.
	Undecided []Undecided
}

// Cases returns all cases of all functions, in the order of a test file.
func (s *Suite) Cases() []*Case {
	var cases []*Case
	for _, f := range s.Functions {
		cases = append(cases, f.Cases...)
	}
	return cases
}

// Walk calls visit once for t and for each type inside it.
func Walk(t *Type, visit func(*Type)) {
	seen := map[*Record]bool{}
	var walk func(*Type)
	walk = func(t *Type) {
		if t == nil {
			return
		}
		visit(t)
		walk(t.Elem)
		if t.Record == nil || seen[t.Record] {
			return
		}
		seen[t.Record] = true
		for _, f := range t.Record.Fields {
			walk(f.Type)
		}
	}
	walk(t)
}

// maxSafe is the largest integer up to which a float64 holds every integer.
const maxSafe = 1<<53 - 1

// sizeOf is the smallest size that holds an integer.
func sizeOf(n *big.Int) IntSize {
	switch {
	case n.IsInt64():
		return Int64
	case n.IsUint64():
		return Uint64
	}
	return BigInt
}

// isLarge reports whether an integer is outside of ±maxSafe.
func isLarge(n *big.Int) bool {
	return !n.IsInt64() || n.Int64() > maxSafe || n.Int64() < -maxSafe
}

// sameKeys reports whether two records have the same keys in any order.
func sameKeys(a, b *Record) bool {
	return len(a.Fields) == len(b.Fields) && !slices.ContainsFunc(a.Fields, func(f *RecordField) bool {
		return b.Field(f.Key) == nil
	})
}
