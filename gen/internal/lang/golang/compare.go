package golang

import (
	"fmt"
	"slices"
	"strings"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// comparer writes the expressions that compare results, and notes which functions they
// need.
type comparer struct {
	*literals
	imports map[string]bool // packages
	records []*recordEqual  // in the order of their first use
	tables  lang.Taken
}

func newComparer(u *lang.Unit) *comparer {
	c := &comparer{
		literals: &literals{naming: newNaming(u), needs: map[string]bool{}},
		imports:  map[string]bool{},
		tables:   lang.Taken{},
	}
	for _, name := range []string{
		helpPointer, helpSame, helpFloat, helpBig, helpAny, helpBigInt, helpUnordered, helpOutcome, helpList, helpMap,
	} {
		c.needs[name] = false // a template may ask only for existing keys
	}
	return c
}

// recordEqual is a function that compares two records field by field.
type recordEqual struct {
	record *spec.Record
	Name   string // of the function
	Type   string
	Fields []string // conditions
}

// Helpers that the template writes if they are needed.
const (
	helpPointer   = "pointer"
	helpSame      = "samePointer"
	helpFloat     = "sameFloat"
	helpBig       = "sameBig"
	helpAny       = "sameAny"
	helpBigInt    = "bigInt"
	helpUnordered = "sameItems"
	helpOutcome   = "valueOrError"
	helpList      = "sameList"
	helpMap       = "sameMap"
)

// condition is a comparison of two values.
type condition struct {
	function string   // that compares them, or "" for ==
	values   []string // got and want
	more     []string // further arguments of the function
}

func (c condition) String() string {
	if c.function == "" {
		return strings.Join(c.values, " == ")
	}
	return c.function + "(" + strings.Join(slices.Concat(c.values, c.more), ", ") + ")"
}

// negated is the opposite of the condition.
func (c condition) negated() string {
	if c.function == "" {
		return strings.Join(c.values, " != ")
	}
	return "!" + c.String()
}

// equal is a condition under which got counts as want.
func (c *comparer) equal(t *spec.Type, got, want string, how spec.Comparison) condition {
	by := func(function string, more ...string) condition {
		return condition{function, []string{got, want}, more}
	}
	if isComparable(t) {
		return by("")
	}
	if levels, plain := levels(t); plain && levels > mostLevels {
		return by(c.equalAny())
	}
	if t.Kind == spec.ListType && how.Unordered && !isPointer(t) {
		how.Unordered = false
		c.needs[helpUnordered] = true
		return by("sameItems", c.function(t.Elem, how))
	}
	how.Unordered = false
	if isPointer(t) {
		inner := *t
		inner.Optional = false
		c.needs[helpSame] = true
		return by("samePointer", c.function(&inner, how))
	}
	switch t.Kind {
	case spec.ListType:
		function, items := c.collection("slices", t.Elem, how)
		return by(function, items...)
	case spec.MapType:
		function, items := c.collection("maps", t.Elem, how)
		return by(function, items...)
	case spec.FloatType:
		c.needs[helpFloat] = true
		c.imports["math"] = true
		return by("sameFloat", spec.AbsoluteTolerance(t, how))
	case spec.RecordType:
		return by(c.recordEqual(t.Record, how))
	case spec.IntType:
		c.needs[helpBig] = true
		return by("sameBig")
	}
	return by(c.equalAny())
}

// equalAny is the function that compares values of any type.
func (c *comparer) equalAny() string {
	c.needs[helpAny] = true
	c.imports["math/big"] = true
	c.imports["reflect"] = true
	return "sameAny"
}

// mostLevels is the depth up to which nested lists and maps are compared by functions of
// their types. Deeper values are compared as any: the text of the types grows with the
// square of the depth, and the compiler gives up at a hundred levels.
const mostLevels = 10

// levels counts the nested lists and maps, and reports whether == compares the items of
// the innermost.
func levels(t *spec.Type) (levels int, plain bool) {
	for ; (t.Kind == spec.ListType || t.Kind == spec.MapType) && !isPointer(t); t = t.Elem {
		levels++
	}
	return levels, isComparable(t)
}

// collection is the function that compares two lists or maps, and the functions that it
// takes to compare their items.
func (c *comparer) collection(pkg string, elem *spec.Type, how spec.Comparison) (function string, items []string) {
	if !has(c.unit, "go1.21") {
		helper := map[string]string{"slices": helpList, "maps": helpMap}[pkg]
		c.needs[helper] = true
		return helper, []string{c.function(elem, how)}
	}
	c.imports[pkg] = true
	if isComparable(elem) {
		return pkg + ".Equal", nil
	}
	return pkg + ".EqualFunc", []string{c.function(elem, how)}
}

// function is a function value that compares two values of a type.
func (c *comparer) function(t *spec.Type, how spec.Comparison) string {
	typ := c.typeOf(t)
	if isComparable(t) {
		return fmt.Sprintf("func(got, want %s) bool { return got == want }", typ)
	}
	switch equal := c.equal(t, "got", "want", how); {
	case len(equal.more) > 0:
		return fmt.Sprintf("func(got, want %s) bool { return %s }", typ, equal)
	case equal.function == "slices.Equal" || equal.function == "maps.Equal":
		return equal.function + "[" + typ + "]"
	default:
		return equal.function
	}
}

// isComparable reports whether == compares two values as it should.
func isComparable(t *spec.Type) bool {
	if isPointer(t) {
		return false
	}
	switch t.Kind {
	case spec.BoolType, spec.StringType:
		return true
	case spec.IntType:
		return t.Size != spec.BigInt
	}
	return false // a solution may add fields to a record
}

func (c *comparer) recordEqual(r *spec.Record, how spec.Comparison) string {
	for _, e := range c.records {
		if e.record == r {
			return e.Name
		}
	}
	taken := lang.Taken{helpSame: true, helpFloat: true, helpBig: true, helpAny: true, helpUnordered: true, helpList: true, helpMap: true}
	for _, e := range c.records {
		taken[e.Name] = true
	}
	e := &recordEqual{record: r, Name: taken.Name("same" + c.naming.records[r]), Type: c.naming.records[r]}
	c.records = append(c.records, e) // before its fields, which may hold the record itself
	for _, f := range r.Fields {
		name := c.naming.fields[f]
		e.Fields = append(e.Fields, c.equal(f.Type, "got."+name, "want."+name, how).String())
	}
	return e.Name
}
