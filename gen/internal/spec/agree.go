package spec

import (
	"slices"
	"strings"
)

// Agrees reports whether two properties can be tests of one function: the same
// arguments in the same order, and values of the same kinds. Either may lack
// results, errors, or nulls.
func (f *Function) Agrees(o *Function) bool {
	a := agreement{assumed: map[[2]*Record]bool{}}
	return slices.EqualFunc(f.Params, o.Params, func(x, y Param) bool {
		return x.Key == y.Key && a.types(x.Type, y.Type)
	}) && (f.Result == nil || o.Result == nil || a.types(f.Result, o.Result))
}

// agreement compares types. It assumes that two records it has already met agree, for a
// record may hold itself.
type agreement struct{ assumed map[[2]*Record]bool }

func (a agreement) types(x, y *Type) bool {
	switch {
	case x.Unseen || y.Unseen:
		return true
	case x.Kind != y.Kind:
		return false
	case x.Kind == RecordType:
		return a.records(x.Record, y.Record)
	}
	return x.Elem == nil || a.types(x.Elem, y.Elem)
}

func (a agreement) records(x, y *Record) bool {
	if a.assumed[[2]*Record{x, y}] {
		return true
	}
	a.assumed[[2]*Record{x, y}] = true
	return sameKeys(x, y) && !slices.ContainsFunc(x.Fields, func(f *RecordField) bool {
		return !a.types(f.Type, y.Field(f.Key).Type)
	})
}

// Signature writes the arguments and the result for people, as in
// "(a int, b list of string) bool".
func (f *Function) Signature() string {
	var params []string
	for _, p := range f.Params {
		params = append(params, p.Key+" "+p.Type.String())
	}
	signature := "(" + strings.Join(params, ", ") + ")"
	if f.Result != nil {
		signature += " " + f.Result.String()
	}
	return signature
}

// String names a type for people.
func (t *Type) String() string {
	switch t.Kind {
	case BoolType:
		return "bool"
	case IntType:
		return "int"
	case FloatType:
		return "float"
	case StringType:
		return "string"
	case ListType:
		return "list of " + t.Elem.String()
	case MapType:
		return "map of " + t.Elem.String()
	case RecordType:
		var keys []string
		for _, f := range t.Record.Fields {
			keys = append(keys, f.Key)
		}
		return "object of " + strings.Join(keys, ", ")
	}
	return "any"
}
