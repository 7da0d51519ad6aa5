package javascript

import (
	"stateoftictactoe/gen/internal/spec"
)

// shape is a type at run time, which tells floats from integers: a float, any value, a list
// or map of another shape, or a record of shapes by key. Shapes refer to others by number,
// for a record may hold itself.
type shape struct {
	Float  bool           `json:"float,omitempty"`
	Any    bool           `json:"any,omitempty"`
	Elem   *int           `json:"elem,omitempty"`
	Fields map[string]int `json:"fields,omitempty"`
}

// shapesOf lists the shapes of a function: first its input, then its result.
func shapesOf(f *spec.Function) []shape {
	shapes := []shape{{Fields: map[string]int{}}, {}}
	records := map[*spec.Record]int{}
	var describe func(t *spec.Type, at int)
	add := func(t *spec.Type) int {
		if at, seen := records[t.Record]; seen && t.Record != nil {
			return at
		}
		at := len(shapes)
		shapes = append(shapes, shape{})
		describe(t, at)
		return at
	}
	describe = func(t *spec.Type, at int) {
		switch t.Kind {
		case spec.FloatType:
			shapes[at].Float = true
		case spec.AnyType:
			shapes[at].Any = true
		case spec.ListType, spec.MapType:
			elem := add(t.Elem)
			shapes[at].Elem = &elem
		case spec.RecordType:
			records[t.Record] = at
			fields := map[string]int{}
			for _, f := range t.Record.Fields {
				fields[f.Key] = add(f.Type)
			}
			shapes[at].Fields = fields
		}
	}
	for _, p := range f.Params {
		shapes[0].Fields[p.Key] = add(p.Type)
	}
	if f.Result != nil {
		describe(f.Result, 1)
	}
	return shapes
}
