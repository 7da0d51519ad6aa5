package spec

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
)

// Wrong returns a wrong result of the same type as the expected result, which the
// comparison must not accept. An error becomes another error, or a value if the comparison
// accepts any error.
func (f *Function) Wrong(want *Value, c Comparison) (*Value, error) {
	var wrong *Value
	if text, failed := want.ErrorText(); failed {
		wrong = errorValue("not: " + text)
		if c.AnyError {
			if f.Result == nil {
				wrong = &Value{Kind: Null} // no error at all
			} else {
				wrong = f.anyResult()
			}
		}
	} else {
		wrong = unlike(f.Result, want, c)
	}
	if wrong == nil || f.Equal(want, wrong, c) {
		return nil, fmt.Errorf("property %s: found no wrong result instead of %s", f.Property, want.JSON())
	}
	return wrong, nil
}

func errorValue(text string) *Value {
	return &Value{Kind: Object, Fields: []Field{{Name: "error", Value: &Value{Kind: String, Text: text}}}}
}

// anyResult returns the first result in the data that is no error.
func (f *Function) anyResult() *Value {
	for _, c := range f.Cases {
		if _, failed := c.Expected.ErrorText(); !failed {
			return c.Expected
		}
	}
	return nil
}

// unlike returns a value of type t that does not equal v, or nil.
func unlike(t *Type, v *Value, c Comparison) *Value {
	var candidates []*Value
	switch v.Kind {
	case Null:
		candidates = []*Value{sample(t, nil)}
	case Bool:
		candidates = []*Value{{Kind: Bool, Bool: !v.Bool}}
	case Number:
		candidates = []*Value{wrongNumber(t, v, c)}
	case String:
		candidates = []*Value{{Kind: String, Text: v.Text + "?"}}
	case Array:
		candidates = wrongLists(t, v, c)
	case Object:
		candidates = wrongObjects(t, v, c)
	}
	for _, other := range candidates {
		if other != nil && !equal(t, v, other, c) {
			return other
		}
	}
	return nil
}

func wrongNumber(t *Type, v *Value, c Comparison) *Value {
	if n, whole := v.Int(); whole && t.Kind != FloatType {
		next := new(big.Int).Add(n, big.NewInt(1))
		if t.Kind == IntType && sizeOf(next) > t.Size {
			next.Sub(n, big.NewInt(1))
		}
		return &Value{Kind: Number, Text: next.String()}
	}
	x, err := strconv.ParseFloat(v.Text, 64)
	if err != nil {
		return &Value{Kind: Number, Text: "1.5"} // v is beyond the range
	}
	away := 1 + math.Abs(x)/2 + 2*c.Tolerance
	if x+away > math.MaxFloat64 {
		away = -away
	}
	digits := min(max(t.Decimals, 1), 17) // a float64 has no more
	return &Value{Kind: Number, Text: strconv.FormatFloat(x+away, 'f', digits, 64)}
}

// wrongLists returns copies of a list: with its last item wrong, with an item more, and
// with an item less.
func wrongLists(t *Type, v *Value, c Comparison) (lists []*Value) {
	elem := &Type{}
	if t.Kind == ListType {
		elem = t.Elem
	}
	add := func(items []*Value) { lists = append(lists, &Value{Kind: Array, Items: items}) }
	c.Unordered = false
	last := len(v.Items) - 1
	if last >= 0 {
		if item := unlike(elem, v.Items[last], c); item != nil {
			items := slices.Clone(v.Items)
			items[last] = item
			add(items)
		}
	}
	if item := sample(elem, nil); item != nil {
		add(append(slices.Clone(v.Items), item))
	}
	if last >= 0 {
		add(v.Items[:last])
	}
	return lists
}

// wrongObjects returns copies of an object: with a field wrong, and with a field more.
func wrongObjects(t *Type, v *Value, c Comparison) (objects []*Value) {
	add := func(fields []Field) { objects = append(objects, &Value{Kind: Object, Fields: fields}) }
	c.Unordered = false
	for i, field := range v.Fields {
		if other := unlike(typeAt(t, field.Name), field.Value, c); other != nil {
			fields := slices.Clone(v.Fields)
			fields[i].Value = other
			add(fields)
			break
		}
	}
	if t.Kind != RecordType {
		name := "?"
		for v.Get(name) != nil {
			name += "?"
		}
		if item := sample(typeAt(t, name), nil); item != nil {
			add(append(slices.Clone(v.Fields), Field{Name: name, Value: item}))
		}
		return objects
	}
	for _, field := range t.Record.Fields {
		if v.Get(field.Key) == nil {
			if item := sample(field.Type, nil); item != nil {
				add(append(slices.Clone(v.Fields), Field{Name: field.Key, Value: item}))
			}
		}
	}
	return objects
}

// typeAt is the type of an object's key.
func typeAt(t *Type, name string) *Type {
	switch t.Kind {
	case MapType:
		return t.Elem
	case RecordType:
		if f := t.Record.Field(name); f != nil {
			return f.Type
		}
	}
	return &Type{}
}

// sample makes a value of a type. The records around it guard against a record that holds
// itself.
func sample(t *Type, around []*Record) *Value {
	switch t.Kind {
	case BoolType:
		return &Value{Kind: Bool, Bool: true}
	case IntType:
		return &Value{Kind: Number, Text: "1"}
	case FloatType:
		return &Value{Kind: Number, Text: "1.5"}
	case StringType, AnyType:
		return &Value{Kind: String, Text: "?"}
	case ListType:
		list := &Value{Kind: Array}
		if item := sample(t.Elem, around); item != nil {
			list.Items = append(list.Items, item)
		}
		return list
	case MapType:
		m := &Value{Kind: Object}
		if item := sample(t.Elem, around); item != nil {
			m.Fields = append(m.Fields, Field{Name: "?", Value: item})
		}
		return m
	case RecordType:
		if slices.Contains(around, t.Record) {
			return nil
		}
		around = append(around, t.Record)
		object := &Value{Kind: Object}
		for _, f := range t.Record.Fields {
			if f.Type.Optional && f.Type.Kind == RecordType {
				continue
			}
			item := sample(f.Type, around)
			if item == nil {
				return nil
			}
			object.Fields = append(object.Fields, Field{Name: f.Key, Value: item})
		}
		return object
	}
	return nil
}
