package spec

import (
	"math/big"
	"slices"
	"strings"
)

// Infer finds the signatures that the selected cases of an exercise have in
// common. Cases whose data do not decide an answer are set apart.
func Infer(slug string, selected []*Case) *Suite {
	decided, undecided := Decide(selected)
	suite := &Suite{Slug: slug, Undecided: undecided}
	byProperty := map[string]*Function{}
	for _, c := range decided {
		f := byProperty[c.Property]
		if f == nil {
			f = &Function{Property: c.Property}
			byProperty[c.Property] = f
			suite.Functions = append(suite.Functions, f)
		}
		f.Cases = append(f.Cases, c)
	}
	in := inferrer{records: map[*Value]*Record{}}
	for _, f := range suite.Functions {
		in.function(f)
	}
	suite.Records = mergeRecords(suite.Functions)
	return suite
}

type inferrer struct {
	// records holds the record that an object was found to belong to.
	records map[*Value]*Record
}

func (in *inferrer) function(f *Function) {
	var results []*Value
	inputs := make([]*Value, 0, len(f.Cases))
	for _, c := range f.Cases {
		inputs = append(inputs, c.Input)
		if _, failed := c.Expected.ErrorText(); failed {
			f.CanFail = true
		} else {
			results = append(results, c.Expected)
		}
	}
	for _, key := range keysOf(inputs) {
		values, missing := valuesOf(inputs, key)
		t := in.infer(values, key)
		t.Optional = t.Optional || missing
		f.Params = append(f.Params, Param{Key: key, Type: t})
	}
	if len(results) > 0 {
		f.Result = in.infer(results, f.Property)
	}
}

// infer unifies all values that stand at one position. The hint names it.
func (in *inferrer) infer(values []*Value, hint string) *Type {
	present := make([]*Value, 0, len(values))
	for _, v := range values {
		if v.Kind != Null {
			present = append(present, v)
		}
	}
	t := &Type{Optional: len(present) < len(values)}
	if len(present) == 0 {
		t.Unseen = true
		return t
	}
	if slices.ContainsFunc(present, func(v *Value) bool { return v.Kind != present[0].Kind }) {
		return t // any
	}
	switch present[0].Kind {
	case Bool:
		t.Kind = BoolType
	case String:
		t.Kind = StringType
	case Number:
		in.number(t, present)
	case Array:
		t.Kind = ListType
		var items []*Value
		for _, v := range present {
			items = append(items, v.Items...)
			t.HasEmpty = t.HasEmpty || len(v.Items) == 0
		}
		t.Elem = in.infer(items, singular(hint))
	case Object:
		in.object(t, present, hint)
	}
	return t
}

func (in *inferrer) number(t *Type, values []*Value) {
	t.Kind = IntType
	for _, v := range values {
		n, whole := v.Int()
		if !whole {
			t.Kind = FloatType
			t.Decimals = max(t.Decimals, decimals(v.Text))
			continue
		}
		t.Size = max(t.Size, sizeOf(n))
		t.Large = t.Large || new(big.Int).Abs(n).Cmp(maxFloat) > 0
	}
	if t.Kind == FloatType {
		t.Size, t.Large = Int64, false
	}
}

// decimals counts the digits that a number's literal has after the point.
func decimals(literal string) int {
	mantissa, _, _ := strings.Cut(strings.ToLower(literal), "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	return len(fraction)
}

// object tells a map from a record. Objects that differ in their keys but not
// in the type of their values are a map.
func (in *inferrer) object(t *Type, values []*Value, hint string) {
	if r := in.records[values[0]]; r != nil {
		t.Kind, t.Record = RecordType, r
		return
	}
	keys := keysOf(values)
	same := !slices.ContainsFunc(values, func(v *Value) bool { return len(v.Fields) != len(keys) })
	if !same || len(keys) == 0 {
		var all []*Value
		for _, v := range values {
			t.HasEmpty = t.HasEmpty || len(v.Fields) == 0
			for _, f := range v.Fields {
				all = append(all, f.Value)
			}
		}
		if elem := (&inferrer{records: map[*Value]*Record{}}).infer(all, singular(hint)); elem.Kind != AnyType || elem.Unseen {
			t.Kind, t.Elem = MapType, in.infer(all, singular(hint))
			return
		}
		t.HasEmpty = false
	}
	t.Kind = RecordType
	t.Record = in.record(values, hint)
}

func (in *inferrer) record(values []*Value, hint string) *Record {
	r := &Record{Hint: hint}
	values = withNested(values)
	for _, v := range values {
		in.records[v] = r
	}
	for _, key := range keysOf(values) {
		at, missing := valuesOf(values, key)
		t := in.infer(at, key)
		t.Optional = t.Optional || missing
		r.Fields = append(r.Fields, &RecordField{Key: key, Type: t})
	}
	return r
}

// withNested adds to a group of objects those nested in them that are the same
// recursive record: all objects at one key, or in lists there, which share a
// key with the group while one key set lies inside the other.
func withNested(group []*Value) []*Value {
	member := map[*Value]bool{}
	for _, v := range group {
		member[v] = true
	}
	for grown := true; grown; {
		grown = false
		keys := keysOf(group)
		for _, key := range keys {
			values, _ := valuesOf(group, key)
			nested := objectsIn(values)
			if inner := keysOf(nested); len(inner) == 0 || !nestedKeys(keys, inner) {
				continue
			}
			for _, v := range nested {
				if !member[v] {
					member[v] = true
					group = append(group, v)
					grown = true
				}
			}
		}
	}
	return group
}

// objectsIn returns the objects among values and in lists among them, or none
// if something else than null stands beside them.
func objectsIn(values []*Value) []*Value {
	var objects []*Value
	for _, v := range values {
		switch v.Kind {
		case Object:
			objects = append(objects, v)
		case Array:
			objects = append(objects, objectsIn(v.Items)...)
		case Null:
		default:
			return nil
		}
	}
	return objects
}

func nestedKeys(a, b []string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return !slices.ContainsFunc(a, func(key string) bool { return !slices.Contains(b, key) })
}

// keysOf merges the keys of objects in their order: a key that the objects so
// far lack goes behind the one it follows, else before the one it precedes.
func keysOf(objects []*Value) []string {
	var keys []string
	for _, v := range objects {
		for i, f := range v.Fields {
			if slices.Contains(keys, f.Name) {
				continue
			}
			at := len(keys)
			if i > 0 {
				at = slices.Index(keys, v.Fields[i-1].Name) + 1
			} else if next := slices.IndexFunc(v.Fields, func(f Field) bool { return slices.Contains(keys, f.Name) }); next >= 0 {
				at = slices.Index(keys, v.Fields[next].Name)
			}
			keys = slices.Insert(keys, at, f.Name)
		}
	}
	return keys
}

// valuesOf collects a key's values and reports whether an object lacks the key.
func valuesOf(objects []*Value, key string) (values []*Value, missing bool) {
	for _, v := range objects {
		if value := v.Get(key); value != nil {
			values = append(values, value)
		} else {
			missing = true
		}
	}
	return values, missing
}

// singular makes one thing's name of many things' name, for names only: a
// wrong guess is a less pretty name.
func singular(name string) string {
	switch {
	case strings.HasSuffix(name, "ies") && len(name) > 4:
		return name[:len(name)-3] + "y"
	case strings.HasSuffix(name, "ss"), strings.HasSuffix(name, "us"), len(name) < 3:
		return name
	}
	return strings.TrimSuffix(name, "s")
}

// mergeRecords makes equal records of an exercise one record, and returns those
// that are left in the order of their first use.
func mergeRecords(functions []*Function) []*Record {
	for {
		records, merged := mergeOnce(functions)
		if !merged {
			return records
		}
	}
}

// mergeOnce merges all equal records that it meets. A merge may bring records
// within reach that were not met yet.
func mergeOnce(functions []*Function) (records []*Record, merged bool) {
	replaced := map[*Record]*Record{}
	visit := func(t *Type) {
		if t.Record == nil {
			return
		}
		if r := replaced[t.Record]; r != nil {
			t.Record = r
			return
		}
		for _, r := range records {
			if compatible(r, t.Record, nil) {
				join(r, t.Record, replaced)
				t.Record = r
				merged = true
				return
			}
		}
		records = append(records, t.Record)
		replaced[t.Record] = t.Record
	}
	for _, f := range functions {
		for _, p := range f.Params {
			Walk(p.Type, visit)
		}
		Walk(f.Result, visit)
	}
	return records, merged
}

type pair struct{ a, b *Record }

// compatible reports whether two records can be one without any position
// changing its kind.
func compatible(a, b *Record, assumed []pair) bool {
	if a == b || slices.Contains(assumed, pair{a, b}) {
		return true
	}
	if !sameKeys(a, b) {
		return false
	}
	assumed = append(assumed, pair{a, b})
	for _, f := range a.Fields {
		if !compatibleTypes(f.Type, b.Field(f.Key).Type, assumed) {
			return false
		}
	}
	return true
}

func compatibleTypes(a, b *Type, assumed []pair) bool {
	switch {
	case a == nil || b == nil:
		return a == b
	case a.Unseen || b.Unseen:
		return true
	case a.Kind != b.Kind || a.Optional != b.Optional || a.Size != b.Size:
		return false
	case a.Kind == RecordType:
		return compatible(a.Record, b.Record, assumed)
	}
	return compatibleTypes(a.Elem, b.Elem, assumed)
}

// join lets a stand for b, and for the records inside b.
func join(a, b *Record, replaced map[*Record]*Record) {
	if a == b || replaced[b] != nil {
		return
	}
	replaced[b] = a
	for _, f := range a.Fields {
		joinTypes(f.Type, b.Field(f.Key).Type, replaced)
	}
}

func joinTypes(a, b *Type, replaced map[*Record]*Record) {
	if a == nil || b.Unseen {
		return
	}
	if a.Unseen {
		*a = *b
		return
	}
	a.Decimals = max(a.Decimals, b.Decimals)
	a.HasEmpty = a.HasEmpty || b.HasEmpty
	a.Large = a.Large || b.Large
	if a.Record != nil {
		join(a.Record, b.Record, replaced)
	}
	joinTypes(a.Elem, b.Elem, replaced)
}
