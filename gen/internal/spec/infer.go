package spec

import (
	"slices"
	"strconv"
	"strings"
)

// Infer finds the signatures of the functions that the selected cases of an exercise test.
// It sets apart the cases whose data do not decide an answer, also those whose inputs are
// equal only by the function's comparison. The comparison may be nil.
func Infer(slug string, selected []*Case, comparison func(*Function) Comparison) *Suite {
	if comparison == nil {
		comparison = func(*Function) Comparison { return Comparison{} }
	}
	decided, undecided := Decide(selected)
	for {
		suite := infer(slug, decided)
		clashing := suite.clashing(comparison)
		if len(clashing) == 0 {
			suite.Undecided = undecided
			return suite
		}
		decided = slices.DeleteFunc(decided, func(c *Case) bool { return clashing[c] })
		for _, c := range selected {
			if clashing[c] {
				undecided = append(undecided, Undecided{c, "another case with an equal input expects another result"})
			}
		}
	}
}

func infer(slug string, decided []*Case) *Suite {
	suite := &Suite{Slug: slug}
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

// clashing finds the cases whose inputs count as equal, such as two numbers that round to
// the same float64, but whose results differ.
func (s *Suite) clashing(comparison func(*Function) Comparison) map[*Case]bool {
	clashing := map[*Case]bool{}
	for _, f := range s.Functions {
		how := comparison(f)
		same := map[string][]*Case{}
		for _, c := range f.Cases {
			key := f.InputKey(c, how)
			same[key] = append(same[key], c)
		}
		for _, cases := range same {
			if slices.ContainsFunc(cases[1:], func(c *Case) bool { return !f.Equal(c.Expected, cases[0].Expected, how) }) {
				for _, c := range cases {
					clashing[c] = true
				}
			}
		}
	}
	return clashing
}

type inferrer struct {
	// records holds the record of each object.
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
	byKey := valuesByKey(inputs)
	for _, key := range keysOf(inputs) {
		t := in.infer(byKey[key], key)
		t.Optional = t.Optional || len(byKey[key]) < len(inputs)
		f.Params = append(f.Params, Param{Key: key, Type: t})
	}
	if len(results) > 0 {
		f.Result = in.infer(results, f.Property)
	}
}

// infer unifies all values that stand at one position. The hint names it.
func (in *inferrer) infer(values []*Value, hint string) *Type {
	present := withoutNull(values)
	t := &Type{Optional: len(present) < len(values)}
	if len(present) == 0 {
		t.Unseen = true
		return t
	}
	if !ofOneKind(present) {
		t.Large = slices.ContainsFunc(present, holdsLarge)
		return t // any
	}
	switch present[0].Kind {
	case Bool:
		t.Kind = BoolType
	case String:
		t.Kind = StringType
	case Number:
		number(t, present)
	case Array:
		t.Kind = ListType
		t.HasEmpty = slices.ContainsFunc(present, func(v *Value) bool { return len(v.Items) == 0 })
		t.Elem = in.infer(itemsOf(present), singular(hint))
	case Object:
		in.object(t, present, hint)
	}
	return t
}

func withoutNull(values []*Value) []*Value {
	isNull := func(v *Value) bool { return v.Kind == Null }
	if !slices.ContainsFunc(values, isNull) {
		return values
	}
	return slices.DeleteFunc(slices.Clone(values), isNull)
}

// ofOneKind reports whether values, which must not be null, unify to one type.
func ofOneKind(values []*Value) bool {
	return !slices.ContainsFunc(values, func(v *Value) bool { return v.Kind != values[0].Kind })
}

// itemsOf joins lists.
func itemsOf(lists []*Value) []*Value {
	var items []*Value
	for _, v := range lists {
		items = append(items, v.Items...)
	}
	return items
}

func number(t *Type, values []*Value) {
	t.Kind = IntType
	negative := false
	for _, v := range values {
		if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			negative = negative || n < 0
			t.Large = t.Large || n > maxSafe || n < -maxSafe
			continue
		}
		n, whole := v.Int()
		if !whole {
			t.Kind = FloatType
			t.Decimals = max(t.Decimals, decimals(v.Text))
			continue
		}
		negative = negative || n.Sign() < 0
		t.Size = max(t.Size, sizeOf(n))
		t.Large = t.Large || isLarge(n)
	}
	switch {
	case t.Kind == FloatType && slices.ContainsFunc(values, isBeyondFloat):
		*t = Type{Optional: t.Optional, Large: true} // any
	case t.Kind == FloatType:
		t.Size, t.Large = Int64, false
	case t.Size == Uint64 && negative:
		t.Size = BigInt
	}
}

// isBeyondFloat reports whether a number is larger than any float64.
func isBeyondFloat(v *Value) bool {
	_, err := strconv.ParseFloat(v.Text, 64)
	return err != nil
}

// decimals counts the decimal places of a number's literal.
func decimals(literal string) int {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(literal), "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	shift, err := strconv.Atoi(exponent)
	if err != nil {
		shift = 0 // no exponent, or one beyond any float64
	}
	return max(0, len(fraction)-shift)
}

// holdsLarge reports whether a value holds a large integer.
func holdsLarge(v *Value) bool {
	found := false
	v.walk(func(v *Value) {
		if n, whole := v.Int(); whole {
			found = found || isLarge(n)
		}
	})
	return found
}

// object tells a map from a record. Objects that differ in their keys but not
// in the type of their values are a map.
func (in *inferrer) object(t *Type, values []*Value, hint string) {
	// If one object at a position belongs to a recursive record, all do.
	if r := in.records[values[0]]; r != nil {
		t.Kind, t.Record = RecordType, r
		return
	}
	if fields, same := fieldsOf(values); !same || len(fields) == 0 {
		if ofOneKind(withoutNull(fields)) {
			t.Kind = MapType
			t.HasEmpty = slices.ContainsFunc(values, func(v *Value) bool { return len(v.Fields) == 0 })
			t.Elem = in.infer(fields, singular(hint))
			return
		}
	}
	t.Kind = RecordType
	t.Record = in.record(values, hint)
}

// fieldsOf returns all values in objects, and whether the objects have the same
// keys.
func fieldsOf(objects []*Value) (fields []*Value, same bool) {
	same = true
	for _, v := range objects {
		same = same && len(v.Fields) == len(objects[0].Fields)
		for i, f := range v.Fields {
			fields = append(fields, f.Value)
			same = same && (objects[0].Fields[i].Name == f.Name || objects[0].Get(f.Name) != nil)
		}
	}
	return fields, same
}

func (in *inferrer) record(values []*Value, hint string) *Record {
	r := &Record{Hint: hint}
	values = withNested(values)
	for _, v := range values {
		in.records[v] = r
	}
	byKey := valuesByKey(values)
	for _, key := range keysOf(values) {
		t := in.infer(byKey[key], key)
		t.Optional = t.Optional || len(byKey[key]) < len(values)
		r.Fields = append(r.Fields, &RecordField{Key: key, Type: t})
	}
	return r
}

// withNested adds to a group of objects the nested objects of the same recursive record:
// all objects at a key, or in lists there, which share a key with the group, if all keys
// of the one are keys of the other.
func withNested(group []*Value) []*Value {
	apart := map[string]bool{}
	for {
		all, key, ok := nest(group, apart)
		if ok {
			return all
		}
		apart[key] = true
	}
}

// nest does the work of withNested, without the objects at the keys that are set apart.
// Objects that it adds may have keys and values which show that the objects at some key
// should not have been added: then ok is false, and wrong is that key.
func nest(group []*Value, apart map[string]bool) (all []*Value, wrong string, ok bool) {
	keys := map[string]bool{}
	below := map[string]*nested{}
	var order []string // the keys in the order of their first use
	for fresh := group; len(fresh) > 0; {
		all = append(all, fresh...)
		for _, v := range fresh {
			for _, f := range v.Fields {
				if below[f.Name] == nil {
					below[f.Name] = &nested{keys: map[string]bool{}}
					order = append(order, f.Name)
				}
				keys[f.Name] = true
				below[f.Name].add(f.Value, 0)
			}
		}
		fresh = nil
		for _, key := range order {
			n := below[key]
			switch {
			case apart[key]:
			case n.belongsTo(keys):
				fresh = append(fresh, n.objects[n.taken:]...)
				n.taken = len(n.objects)
			case n.taken > 0:
				return nil, key, false
			}
		}
	}
	return all, "", true
}

// nested holds facts about the values at one key of a group of objects.
type nested struct {
	objects []*Value // at the key, or in lists there
	keys    map[string]bool
	kinds   []Kind // of the values at the key, in lists there, in lists of lists, ...
	mixed   bool   // values at one depth have different kinds
	taken   int    // how many of the objects have become part of the group
}

func (n *nested) add(v *Value, depth int) {
	if v.Kind == Null {
		return
	}
	if depth == len(n.kinds) {
		n.kinds = append(n.kinds, v.Kind)
	}
	n.mixed = n.mixed || n.kinds[depth] != v.Kind
	for _, item := range v.Items {
		n.add(item, depth+1)
	}
	if v.Kind == Object {
		n.objects = append(n.objects, v)
		for _, f := range v.Fields {
			n.keys[f.Name] = true
		}
	}
}

// belongsTo reports whether the objects share a key with a group that has these keys, and
// all keys of the one are keys of the other.
func (n *nested) belongsTo(keys map[string]bool) bool {
	if n.mixed || len(n.keys) == 0 {
		return false
	}
	fewer, more := n.keys, keys
	if len(fewer) > len(more) {
		fewer, more = more, fewer
	}
	for key := range fewer {
		if !more[key] {
			return false
		}
	}
	return true
}

// keysOf merges the keys of objects in their order: a key that earlier objects lack goes
// behind the key that it follows, or else before the key that it precedes.
func keysOf(objects []*Value) []string {
	var keys []string
	var different []*Value // objects with a sequence of keys of their own
	seen := map[string]bool{}
	for i, v := range objects {
		if i > 0 && sameSequence(v, objects[i-1]) {
			continue
		}
		different = append(different, v)
		for i, f := range v.Fields {
			if seen[f.Name] {
				continue
			}
			seen[f.Name] = true
			at := len(keys)
			if i > 0 {
				at = slices.Index(keys, v.Fields[i-1].Name) + 1
			} else if next := slices.IndexFunc(v.Fields[1:], func(f Field) bool { return seen[f.Name] }); next >= 0 {
				at = slices.Index(keys, v.Fields[1+next].Name)
			}
			keys = slices.Insert(keys, at, f.Name)
		}
	}
	if len(different) > 1 {
		return arranged(keys, different)
	}
	return keys
}

func sameSequence(a, b *Value) bool {
	return slices.EqualFunc(a.Fields, b.Fields, func(f, g Field) bool { return f.Name == g.Name })
}

// arranged puts keys in the order that the objects agree on, and otherwise in the order
// given.
func arranged(keys []string, objects []*Value) []string {
	before := map[string][]string{} // the keys directly in front of a key
	for _, v := range objects {
		for i := 1; i < len(v.Fields); i++ {
			name, front := v.Fields[i].Name, v.Fields[i-1].Name
			if !slices.Contains(before[name], front) {
				before[name] = append(before[name], front)
			}
		}
	}
	left := slices.Clone(keys)
	placed := map[string]bool{}
	for i := range keys {
		next := slices.IndexFunc(left, func(key string) bool {
			return !slices.ContainsFunc(before[key], func(front string) bool { return !placed[front] })
		})
		next = max(next, 0) // the objects disagree
		keys[i] = left[next]
		placed[left[next]] = true
		left = slices.Delete(left, next, next+1)
	}
	return keys
}

// valuesByKey collects the values of each key, in the order of the objects that have
// the key.
func valuesByKey(objects []*Value) map[string][]*Value {
	values := map[string][]*Value{}
	for _, v := range objects {
		for _, f := range v.Fields {
			values[f.Name] = append(values[f.Name], f.Value)
		}
	}
	return values
}

// singular turns a plural into a singular. It serves names only: a wrong guess is just a
// less pretty name.
func singular(name string) string {
	switch {
	case strings.HasSuffix(name, "ies") && len(name) > 4:
		return name[:len(name)-3] + "y"
	case strings.HasSuffix(name, "xes"), strings.HasSuffix(name, "ches"), strings.HasSuffix(name, "shes"), strings.HasSuffix(name, "sses"):
		return name[:len(name)-2]
	case strings.HasSuffix(name, "ss"), strings.HasSuffix(name, "us"), len(name) < 3:
		return name
	}
	return strings.TrimSuffix(name, "s")
}

// mergeRecords makes equal records of an exercise one record, and returns the remaining
// records in the order of their first use.
func mergeRecords(functions []*Function) []*Record {
	m := merger{merged: map[*Record]*Record{}}
	for {
		records := m.reachable(functions)
		done := true
		for i, b := range records {
			for _, a := range records[:i] {
				if m.find(a) == a && m.find(b) == b && m.compatible(a, b) {
					m.join(a, b)
					done = false
				}
			}
		}
		if done {
			return records
		}
	}
}

// merger knows which records have been merged into others.
type merger struct {
	merged map[*Record]*Record
}

// find returns the record that r has been merged into, or r.
func (m *merger) find(r *Record) *Record {
	for m.merged[r] != nil {
		r = m.merged[r]
	}
	return r
}

// reachable lists the records of functions in the order of their first use, and gives each
// type the record that its own has been merged into.
func (m *merger) reachable(functions []*Function) []*Record {
	var records []*Record
	seen := map[*Record]bool{}
	visit := func(t *Type) {
		if t.Record == nil {
			return
		}
		t.Record = m.find(t.Record)
		if !seen[t.Record] {
			seen[t.Record] = true
			records = append(records, t.Record)
		}
	}
	for _, f := range functions {
		for _, p := range f.Params {
			Walk(p.Type, visit)
		}
		Walk(f.Result, visit)
	}
	return records
}

// compatible reports whether two records can be merged so that every position keeps its
// kind.
func (m *merger) compatible(a, b *Record) bool {
	return (&unifier{merger: m, assumed: map[[2]*Record]bool{}, bound: map[*Type]*Type{}}).records(a, b)
}

// unifier finds out whether two records can be merged. A type without any value can become
// any other type, but always the same at one position.
type unifier struct {
	*merger
	assumed map[[2]*Record]bool
	bound   map[*Type]*Type
}

func (u *unifier) records(a, b *Record) bool {
	a, b = u.find(a), u.find(b)
	if a == b || u.assumed[[2]*Record{a, b}] {
		return true
	}
	u.assumed[[2]*Record{a, b}] = true
	return sameKeys(a, b) && !slices.ContainsFunc(a.Fields, func(f *RecordField) bool {
		return !u.types(f.Type, b.Field(f.Key).Type)
	})
}

func (u *unifier) types(a, b *Type) bool {
	for u.bound[a] != nil {
		a = u.bound[a]
	}
	for u.bound[b] != nil {
		b = u.bound[b]
	}
	switch {
	case a == b:
		return true
	case a == nil || b == nil:
		return false
	case b.Unseen && (a.Optional || !b.Optional):
		u.bound[b] = a
		return true
	case a.Unseen && (b.Optional || !a.Optional):
		u.bound[a] = b
		return true
	case a.Kind != b.Kind || a.Optional != b.Optional || a.Size != b.Size:
		return false
	case a.Kind == RecordType:
		return u.records(a.Record, b.Record)
	}
	return u.types(a.Elem, b.Elem)
}

// join merges b into a, and the records inside b into those inside a.
func (m *merger) join(a, b *Record) {
	a, b = m.find(a), m.find(b)
	if a == b {
		return
	}
	m.merged[b] = a
	for _, f := range a.Fields {
		m.joinTypes(f.Type, b.Field(f.Key).Type)
	}
}

func (m *merger) joinTypes(a, b *Type) {
	switch {
	case a == nil || a == b:
		return
	case b.Unseen:
		a.Optional = a.Optional || b.Optional
		return
	case a.Unseen:
		*a = *b
		return
	}
	a.Decimals = max(a.Decimals, b.Decimals)
	a.HasEmpty = a.HasEmpty || b.HasEmpty
	a.Large = a.Large || b.Large
	if a.Record != nil {
		m.join(a.Record, b.Record)
	}
	m.joinTypes(a.Elem, b.Elem)
}
