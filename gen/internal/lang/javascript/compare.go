package javascript

import (
	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// comparer writes the functions that compare results, and notes which of the template's
// functions they need.
type comparer struct {
	*naming
	needs   map[string]bool
	records []*recordComparer // in the order of their first use
	tables  lang.Taken
}

func newComparer(n *naming) *comparer {
	c := &comparer{naming: n, needs: map[string]bool{}, tables: lang.Taken{}}
	for _, name := range []string{
		needReturns, needThrows, needStructures, needNear, needListOf, needMapOf, needRecords, needAnyOrder, needOrEmpty,
	} {
		c.needs[name] = false // a template may ask only for existing keys
	}
	return c
}

// recordComparer is a function that compares two records.
type recordComparer struct {
	Name   string
	Fields []string // key and function, laid out
}

// Functions that the template writes if they are needed.
const (
	needReturns    = "returns"
	needThrows     = "throws"
	needStructures = "structures"
	needNear       = "near"
	needListOf     = "listOf"
	needMapOf      = "mapOf"
	needRecords    = "equalRecords"
	needAnyOrder   = "anyOrder"
	needOrEmpty    = "orEmpty"
)

// same is the function that compares values of a type, or nil if it is the function that
// compares all data.
func (c *comparer) same(t *spec.Type, how spec.Comparison) doc {
	inner := how
	inner.Unordered = false
	var same doc
	switch t.Kind {
	case spec.FloatType:
		same = c.helper(needNear, numberText(spec.AbsoluteTolerance(t, how)))
	case spec.ListType:
		elem := c.same(t.Elem, inner)
		switch {
		case how.Unordered:
			same = c.helper(needAnyOrder, orEqual(elem))
		case elem != nil:
			same = c.helper(needListOf, elem)
		}
	case spec.MapType:
		if elem := c.same(t.Elem, inner); elem != nil {
			same = c.helper(needMapOf, elem)
		}
	case spec.RecordType:
		if isSpecial(t) {
			same = c.record(t.Record, inner)
		}
	}
	if t.AbsentIsEmpty() {
		same = c.helper(needOrEmpty, orEqual(same))
	}
	return same
}

func orEqual(same doc) doc {
	if same == nil {
		return "equal"
	}
	return same
}

func (c *comparer) helper(name string, arg doc) doc {
	c.needs[name] = true
	if name != needNear {
		c.needs[needStructures] = true
	}
	return call(name, arg)
}

// isSpecial reports whether some value inside is not compared like all data.
func isSpecial(t *spec.Type) bool {
	special := false
	spec.Walk(t, func(t *spec.Type) {
		special = special || t.Kind == spec.FloatType || t.AbsentIsEmpty()
	})
	return special
}

func (c *comparer) record(r *spec.Record, how spec.Comparison) doc {
	if name := c.naming.records[r]; name != "" {
		return name
	}
	c.needs[needRecords], c.needs[needStructures] = true, true
	e := &recordComparer{Name: c.taken.Name("same" + lang.Pascal(r.Hint, "Record"))}
	c.naming.records[r] = e.Name // before its fields, which may hold the record itself
	c.records = append(c.records, e)
	for _, f := range r.Fields {
		if same := c.same(f.Type, how); same != nil {
			e.Fields = append(e.Fields, layOut(assigned(key(f.Key), ":", literal{doc: same}), 2*tabWidth))
		}
	}
	return e.Name
}

// isScalar reports whether === compares two values of a type.
func isScalar(t *spec.Type) bool {
	switch t.Kind {
	case spec.BoolType, spec.IntType, spec.FloatType, spec.StringType:
		return true
	}
	return false
}
