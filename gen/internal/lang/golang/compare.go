package golang

import (
	"fmt"
	"strings"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// comparer writes the expressions that compare results, and remembers which
// functions those need.
type comparer struct {
	*naming
	needs   map[string]bool // helpers of the template
	imports map[string]bool // packages
	records []*recordEqual  // in the order of their first use
	tables  lang.Taken
}

func newComparer(u *lang.Unit) *comparer {
	return &comparer{naming: newNaming(u), needs: map[string]bool{}, imports: map[string]bool{}, tables: lang.Taken{}}
}

// recordEqual is a function that compares two records field by field.
type recordEqual struct {
	record *spec.Record
	Name   string // of the function
	Type   string
	Fields []string // conditions
}

// Helpers that the template writes where they are needed.
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

// equal is a condition under which got counts as want. It is written so that a
// leading "!" negates it, or as "got == want".
func (c *comparer) equal(t *spec.Type, got, want string, how spec.Comparison) string {
	if c.comparable(t) {
		return got + " == " + want
	}
	if levels, plain := c.levels(t); plain && levels > mostLevels {
		return c.equalAny(got, want)
	}
	if t.Kind == spec.ListType && how.Unordered && !isPointer(t) {
		how.Unordered = false
		c.needs[helpUnordered] = true
		return fmt.Sprintf("sameItems(%s, %s, %s)", got, want, c.function(t.Elem, how))
	}
	how.Unordered = false
	if isPointer(t) {
		inner := *t
		inner.Optional = false
		c.needs[helpSame] = true
		return fmt.Sprintf("samePointer(%s, %s, %s)", got, want, c.function(&inner, how))
	}
	switch t.Kind {
	case spec.ListType:
		return c.collection("slices", t.Elem, got, want, how)
	case spec.MapType:
		return c.collection("maps", t.Elem, got, want, how)
	case spec.FloatType:
		c.needs[helpFloat] = true
		c.imports["math"] = true
		return fmt.Sprintf("sameFloat(%s, %s, %s)", got, want, spec.AbsoluteTolerance(t, how))
	case spec.RecordType:
		return fmt.Sprintf("%s(%s, %s)", c.recordEqual(t.Record, how), got, want)
	case spec.IntType:
		c.needs[helpBig] = true
		return fmt.Sprintf("sameBig(%s, %s)", got, want)
	}
	return c.equalAny(got, want)
}

func (c *comparer) equalAny(got, want string) string {
	c.needs[helpAny] = true
	c.imports["math/big"] = true
	c.imports["reflect"] = true
	return fmt.Sprintf("sameAny(%s, %s)", got, want)
}

// mostLevels is how many lists and maps inside each other are compared by functions
// of their types. More are compared by what they hold: the text of so many types
// grows with their square, and the compiler gives up at a hundred.
const mostLevels = 10

// levels counts the lists and maps inside each other, and reports whether what the
// innermost holds is compared by ==.
func (c *comparer) levels(t *spec.Type) (levels int, plain bool) {
	for ; (t.Kind == spec.ListType || t.Kind == spec.MapType) && !isPointer(t); t = t.Elem {
		levels++
	}
	return levels, c.comparable(t)
}

func (c *comparer) collection(pkg string, elem *spec.Type, got, want string, how spec.Comparison) string {
	if !has(c.unit, "go1.21") {
		helper := map[string]string{"slices": helpList, "maps": helpMap}[pkg]
		c.needs[helper] = true
		return fmt.Sprintf("%s(%s, %s, %s)", helper, got, want, c.function(elem, how))
	}
	c.imports[pkg] = true
	if c.comparable(elem) {
		return fmt.Sprintf("%s.Equal(%s, %s)", pkg, got, want)
	}
	return fmt.Sprintf("%s.EqualFunc(%s, %s, %s)", pkg, got, want, c.function(elem, how))
}

// function is a function value that compares two values of a type.
func (c *comparer) function(t *spec.Type, how spec.Comparison) string {
	typ := c.typeOf(t)
	if c.comparable(t) {
		return fmt.Sprintf("func(got, want %s) bool { return got == want }", typ)
	}
	call := c.equal(t, "got", "want", how)
	// A call of a named function with these very arguments is that function.
	if name, found := strings.CutSuffix(call, "(got, want)"); found {
		if name == "slices.Equal" || name == "maps.Equal" {
			return name + "[" + typ + "]"
		}
		return name
	}
	return fmt.Sprintf("func(got, want %s) bool { return %s }", typ, call)
}

// comparable reports whether == compares two values as it should.
func (c *comparer) comparable(t *spec.Type) bool {
	if isPointer(t) {
		return false
	}
	switch t.Kind {
	case spec.BoolType, spec.StringType:
		return true
	case spec.IntType:
		return t.Size != spec.BigInt
	}
	return false // a record may have fields of the solution's own
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
	c.records = append(c.records, e) // before its fields, which may hold it
	for _, f := range r.Fields {
		name := c.naming.fields[f]
		e.Fields = append(e.Fields, c.equal(f.Type, "got."+name, "want."+name, how))
	}
	return e.Name
}

// negated is a condition that does not hold.
func negated(condition string) string {
	if got, want, found := strings.Cut(condition, " == "); found && !strings.Contains(condition, "(") {
		return got + " != " + want
	}
	return "!" + condition
}
