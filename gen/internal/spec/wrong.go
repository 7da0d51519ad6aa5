package spec

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
)

// Wrong returns another result of the same type as the one wanted, which no
// comparison may accept. An error becomes another error, or a value where every
// error is accepted.
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
		wrong = f.wrong(f.Result, want, c)
	}
	if wrong == nil || f.Equal(want, wrong, c) {
		return nil, fmt.Errorf("property %s: found no wrong result instead of %s", f.Property, want.JSON())
	}
	return wrong, nil
}

func errorValue(text string) *Value {
	return &Value{Kind: Object, Fields: []Field{{"error", &Value{Kind: String, Text: text}}}}
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

func (f *Function) wrong(t *Type, v *Value, c Comparison) *Value {
	if v.Kind == Null {
		return sample(t, nil)
	}
	switch v.Kind {
	case Bool:
		return &Value{Kind: Bool, Bool: !v.Bool}
	case Number:
		return wrongNumber(t, v, c)
	case String:
		return &Value{Kind: String, Text: v.Text + "?"}
	case Array:
		return f.wrongList(t, v, c)
	case Object:
		return f.wrongObject(t, v, c)
	}
	return nil
}

func wrongNumber(t *Type, v *Value, c Comparison) *Value {
	if n, whole := v.Int(); whole && t.Kind != FloatType {
		next := new(big.Int).Add(n, big.NewInt(1))
		if sizeOf(next) > t.Size {
			next.Sub(n, big.NewInt(1))
		}
		return &Value{Kind: Number, Text: next.String()}
	}
	x, err := strconv.ParseFloat(v.Text, 64)
	if err != nil {
		return nil
	}
	x += 1 + math.Abs(x)/2 + 2*c.Tolerance
	return &Value{Kind: Number, Text: strconv.FormatFloat(x, 'f', max(t.Decimals, 1), 64)}
}

func (f *Function) wrongList(t *Type, v *Value, c Comparison) *Value {
	elem := t.Elem
	if t.Kind != ListType {
		elem = &Type{}
	}
	wrong := &Value{Kind: Array, Items: slices.Clone(v.Items)}
	if last := len(v.Items) - 1; last >= 0 {
		if item := f.wrong(elem, v.Items[last], c); item != nil {
			wrong.Items[last] = item
			return wrong
		}
	}
	if item := sample(elem, nil); item != nil {
		wrong.Items = append(wrong.Items, item)
	} else if len(wrong.Items) > 0 {
		wrong.Items = wrong.Items[1:]
	} else {
		return nil
	}
	return wrong
}

func (f *Function) wrongObject(t *Type, v *Value, c Comparison) *Value {
	wrong := &Value{Kind: Object, Fields: slices.Clone(v.Fields)}
	for i, field := range v.Fields {
		if other := f.wrong(typeAt(t, field.Name), field.Value, c); other != nil {
			wrong.Fields[i].Value = other
			return wrong
		}
	}
	if t.Kind == RecordType {
		for _, field := range t.Record.Fields {
			if v.Get(field.Key) == nil {
				if item := sample(field.Type, nil); item != nil {
					wrong.Fields = append(wrong.Fields, Field{field.Key, item})
					return wrong
				}
			}
		}
		return nil
	}
	if item := sample(typeAt(t, "?"), nil); item != nil {
		wrong.Fields = append(wrong.Fields, Field{"?", item})
		return wrong
	}
	return nil
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

// sample makes a value of a type out of nothing. The records around it guard
// against one that holds itself.
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
			m.Fields = append(m.Fields, Field{"?", item})
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
			object.Fields = append(object.Fields, Field{f.Key, item})
		}
		return object
	}
	return nil
}
