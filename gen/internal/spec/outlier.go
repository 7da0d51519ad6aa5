package spec

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Outliers returns a warning for each value or key in which a few cases differ from all
// others, so that a type becomes wider than the others need: probably a typing error. The
// warnings are in the order of their places. Nulls, empty lists and integers among floats
// get no warning.
func (s *Suite) Outliers() []*Error {
	o := outliers{owner: map[*Value]*Case{}, visited: map[*Value]bool{}, mixed: map[mix]bool{}}
	for _, c := range s.Cases() {
		own := func(v *Value) { o.owner[v] = c }
		c.Input.walk(own)
		c.Expected.walk(own)
	}
	o.properties(s.Functions)
	for _, f := range s.Functions {
		var inputs, results []*Value
		for _, c := range f.Cases {
			inputs = append(inputs, c.Input)
			if _, failed := c.Expected.ErrorText(); !failed {
				results = append(results, c.Expected)
			}
		}
		o.keys(inputs, aParameter)
		byKey := valuesByKey(inputs)
		for _, key := range keysOf(inputs) {
			o.values(byKey[key], "parameter "+jsonQuote(key))
		}
		o.values(results, theResult)
	}
	o.dropDesigned()
	return o.placed()
}

type outliers struct {
	owner   map[*Value]*Case
	visited map[*Value]bool // objects of recursive records
	found   []finding
	odd     []oddKind
	mixed   map[mix]bool // the kinds that more than a few cases mix
}

// finding is a fault at a byte offset of a case's file.
type finding struct {
	owner  *Case
	offset int
	what   string
}

// placed returns the findings in the order of their places.
func (o *outliers) placed() []*Error {
	slices.SortStableFunc(o.found, func(a, b finding) int {
		return cmp.Or(strings.Compare(a.owner.data.File, b.owner.data.File), a.offset-b.offset)
	})
	var faults []*Error
	var places placer
	for i, f := range o.found {
		if data := f.owner.data; i == 0 || places.file != data.File {
			places = placer{file: data.File, text: data.text}
		}
		faults = append(faults, places.fault(f.offset, "%s (case %s)", f.what, jsonQuote(f.owner.Path())))
	}
	return faults
}

// mix is two kinds that stand at one position.
type mix struct{ odd, common Kind }

// oddKind is a value whose kind differs from that of the same value in other cases.
type oddKind struct {
	mix
	name string // of the position
	finding
}

// dropDesigned adds the values of an odd kind to the findings. It drops values that the
// exercise's design explains: the same kinds are mixed freely elsewhere, or at the same
// parameter of several functions.
func (o *outliers) dropDesigned() {
	type position struct {
		mix
		name string
	}
	functions := map[position]map[string]bool{}
	for _, odd := range o.odd {
		at := position{odd.mix, odd.name}
		if functions[at] == nil {
			functions[at] = map[string]bool{}
		}
		functions[at][odd.owner.Property] = true
	}
	const several = 3
	for _, odd := range o.odd {
		if !o.mixed[odd.mix] && len(functions[position{odd.mix, odd.name}]) < several {
			o.found = append(o.found, odd.finding)
		}
	}
}

func (o *outliers) add(c *Case, offset int, format string, args ...any) {
	o.found = append(o.found, finding{c, offset, fmt.Sprintf(format, args...)})
}

// areFew reports whether n of all cases are so few that they are exceptions, not a second
// kind of case.
func areFew(n, all int) bool {
	const fewestOthers, oneIn = 4, 8
	return n > 0 && all-n >= fewestOthers && (n == 1 || n*oneIn <= all)
}

// apart reports whether odd values are in few of the cases that hold odd or common values,
// or a single odd value stands beside many common ones in one case. It says how many
// others there are.
func (o *outliers) apart(odd, common []*Value) (few bool, others string) {
	n, all := o.casesOf(odd), o.casesOf(slices.Concat(odd, common))
	others = fmt.Sprintf("%d other cases", all-n)
	if !areFew(n, all) && len(odd) == 1 && areFew(1, 1+len(common)) {
		return true, fmt.Sprintf("%d other places", len(common))
	}
	return areFew(n, all), others
}

// casesOf counts the cases that hold the values.
func (o *outliers) casesOf(values []*Value) int {
	cases := map[*Case]bool{}
	for _, v := range values {
		cases[o.owner[v]] = true
	}
	return len(cases)
}

// values compares the values at one position.
func (o *outliers) values(values []*Value, name string) {
	common, odd := o.byKind(values)
	if len(common) == 0 {
		return
	}
	few, others := o.apart(odd, common)
	few = few || isWhole(name) && o.casesOf(odd) == 1 && o.casesOf(common) >= fewestAlike
	told := map[*Case]bool{}
	kind := common[0].Kind
	commonKind := ""
	if few && len(odd) > 0 {
		commonKind = kindOf(common...)
	}
	for _, v := range odd {
		c := o.owner[v]
		if !few {
			o.mixed[mix{v.Kind, kind}], o.mixed[mix{kind, v.Kind}] = true, true
		} else if !told[c] {
			told[c] = true
			what := fmt.Sprintf("%s is %s, where %s have %s; %s becomes any", shown(v), kindOf(v), others, commonKind, typeOf(name))
			o.odd = append(o.odd, oddKind{mix{v.Kind, kind}, name, finding{c, v.Offset, what}})
		}
	}
	switch kind {
	case Array:
		o.values(itemsOf(common), "an item of "+name)
	case Object:
		o.objects(common, name)
	}
}

// fewestAlike is how many cases must have the common kind of a whole argument or result
// before another kind in a single case is odd. Values inside of lists and objects are mixed
// more often, by design, and need more cases.
const fewestAlike = 2

// isWhole reports whether a position is a whole argument or result.
func isWhole(name string) bool {
	return name == theResult || strings.HasPrefix(name, aParameter+" ")
}

// byKind splits values into those of the kind that most cases have, and the others. It
// leaves out nulls.
func (o *outliers) byKind(values []*Value) (common, others []*Value) {
	byKind := map[Kind][]*Value{}
	for _, v := range withoutNull(values) {
		byKind[v.Kind] = append(byKind[v.Kind], v)
	}
	if len(byKind) == 0 {
		return nil, nil
	}
	counts := map[Kind]int{}
	for kind, values := range byKind {
		counts[kind] = o.casesOf(values)
	}
	most := slices.MaxFunc(slices.Sorted(maps.Keys(byKind)), func(a, b Kind) int {
		return cmp.Or(counts[a]-counts[b], len(byKind[a])-len(byKind[b]))
	})
	for _, v := range withoutNull(values) {
		if v.Kind != most {
			others = append(others, v)
		}
	}
	return byKind[most], others
}

// objects compares the objects at one position.
func (o *outliers) objects(objects []*Value, name string) {
	if o.visited[objects[0]] {
		return
	}
	if fields, same := fieldsOf(objects); !same && !o.haveCommonKeys(objects) {
		// They are a map if all values, with few exceptions, are of one kind.
		common, odd := o.byKind(fields)
		if few, _ := o.apart(odd, common); few || len(odd) == 0 {
			o.values(fields, "a value of "+name)
			return
		}
	}
	objects = withNested(objects)
	for _, v := range objects {
		o.visited[v] = true
	}
	keys := keysOf(objects)
	if len(keys) > mostKeys {
		return // a map of mixed values
	}
	o.keys(objects, "key")
	byKey := valuesByKey(objects)
	for _, key := range keys {
		o.values(byKey[key], "key "+jsonQuote(key))
	}
}

// mostKeys is how many different keys the objects at one position may have to be
// compared key by key.
const mostKeys = 100

// haveCommonKeys reports whether all objects, except in a few cases, have the same keys.
// The exceptions turn a record into a map if all values are of one kind.
func (o *outliers) haveCommonKeys(objects []*Value) bool {
	sequences := make([]string, len(objects))
	counts := map[string]int{}
	most := ""
	for i, v := range objects {
		var keys []string
		for _, f := range v.Fields {
			keys = append(keys, jsonQuote(f.Name))
		}
		slices.Sort(keys)
		sequences[i] = strings.Join(keys, " ")
		if counts[sequences[i]]++; counts[sequences[i]] > counts[most] {
			most = sequences[i]
		}
	}
	var common, others []*Value
	for i, v := range objects {
		if sequences[i] == most {
			common = append(common, v)
		} else {
			others = append(others, v)
		}
	}
	few, _ := o.apart(others, common)
	return few
}

// keys compares the keys of objects. A key that is a typing error away from a more
// frequent key is misspelt if no object has both.
func (o *outliers) keys(objects []*Value, what string) {
	with := map[string][]*Value{}
	keys := keysOf(objects)
	for _, v := range objects {
		for _, f := range v.Fields {
			with[f.Name] = append(with[f.Name], v)
		}
	}
	misspelt := map[*Value]map[string]bool{} // by object, the misspelt and the meant keys
	for _, key := range keys {
		meant := o.meant(key, keys, with)
		if meant == "" {
			continue
		}
		_, others := o.apart(with[key], with[meant])
		for _, v := range with[key] {
			if misspelt[v] == nil {
				misspelt[v] = map[string]bool{}
			}
			misspelt[v][key], misspelt[v][meant] = true, true
			o.add(o.owner[v], keyOffset(v, key), "key %s stands in place of %s, which %s have; did you mean %s? both %ss become optional",
				jsonQuote(key), jsonQuote(meant), others, meant, what)
		}
	}
	all := o.casesOf(objects)
	for _, key := range keys {
		// A key that most cases lack is no finding: there may be as many such keys as cases.
		if least := all - o.casesOf(with[key]); least > 1 && !areFew(least, all) {
			continue
		}
		without := slices.DeleteFunc(slices.Clone(objects), func(v *Value) bool { return v.Get(key) != nil })
		few, others := o.apart(without, with[key])
		if !few {
			continue
		}
		isOther := otherThan(with[key])
		for _, v := range without {
			if !misspelt[v][key] && (what == aParameter || !isOther(v)) {
				o.add(o.owner[v], v.Offset, "key %s is missing, which %s have; the %s becomes optional",
					jsonQuote(key), others, what)
			}
		}
	}
	o.extraKey(objects, keys, with, what)
}

// extraKey adds a finding for each object with an extra key that few other objects have.
// It does so only if all objects have the same keys except that key. Data that try many
// combinations of arguments have several optional keys, by design.
func (o *outliers) extraKey(objects []*Value, keys []string, with map[string][]*Value, what string) {
	optional := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return len(with[key]) == len(objects) })
	if len(optional) != 1 {
		return
	}
	key := optional[0]
	without := slices.DeleteFunc(slices.Clone(objects), func(v *Value) bool { return v.Get(key) != nil })
	few, others := o.apart(with[key], without)
	if !few {
		return
	}
	for _, v := range with[key] {
		o.add(o.owner[v], keyOffset(v, key), "key %s is there, which %s lack; the %s becomes optional", jsonQuote(key), others, what)
	}
}

// otherThan returns a function that reports whether an object is of another kind than
// some objects: it shares no key with them, and has more or fewer keys.
func otherThan(objects []*Value) func(v *Value) bool {
	lengths, keys := map[int]bool{}, map[string]bool{}
	for _, v := range objects {
		lengths[len(v.Fields)] = true
		for _, f := range v.Fields {
			keys[f.Name] = true
		}
	}
	return func(v *Value) bool {
		return !lengths[len(v.Fields)] && !slices.ContainsFunc(v.Fields, func(f Field) bool { return keys[f.Name] })
	}
}

// meant returns the key that a misspelt key probably stands for, or "".
func (o *outliers) meant(key string, keys []string, with map[string][]*Value) string {
	var known []string
	for _, k := range keys {
		if k != key && len(with[k]) > len(with[key]) && isTypo(key, k) &&
			!slices.ContainsFunc(with[key], func(v *Value) bool { return v.Get(k) != nil }) {
			known = append(known, k)
		}
	}
	return Nearest(key, known)
}

const (
	theResult  = "the result"
	aParameter = "parameter"
)

func typeOf(name string) string {
	if name == theResult {
		return name + "'s type"
	}
	return "the type of " + name
}

// shown writes a short value as the file has it, and "this" for a long value.
func shown(v *Value) string {
	const longest = 40
	if text := v.JSON(); len(text) <= longest {
		return text
	}
	return "this"
}

// kindOf names the common kind of values.
func kindOf(values ...*Value) string {
	switch values[0].Kind {
	case Bool:
		return "a bool"
	case String:
		return "a string"
	case Array:
		return "a list"
	case Object:
		return "an object"
	}
	t := &Type{}
	number(t, values)
	if t.Kind == FloatType {
		return "a float"
	}
	return "an int"
}

// properties adds a finding for each property of a few cases that is probably a misspelt
// property of many cases. Two properties that differ only in capitals or hyphens are always
// a finding: every language gives both the same name.
func (o *outliers) properties(functions []*Function) {
	for i, f := range functions {
		for j, g := range functions {
			n, others := len(f.Cases), len(g.Cases)
			isAgain := letters(f.Property) == letters(g.Property) && (n < others || n == others && i > j)
			if isAgain || areFew(n, n+others) && isTypo(f.Property, g.Property) {
				have := fmt.Sprintf("%d other cases have", others)
				if others == 1 {
					have = "1 other case has"
				}
				for _, c := range f.Cases {
					o.add(c, c.source.Get("property").Offset, "property %s stands beside %s, which %s; did you mean %s? it becomes a function of its own",
						jsonQuote(f.Property), jsonQuote(g.Property), have, g.Property)
				}
			}
		}
	}
}

// letters are the letters and digits of a name, as small ones.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// keyOffset is where a key of an object starts in its file.
func keyOffset(object *Value, key string) int {
	return object.Fields[slices.IndexFunc(object.Fields, func(f Field) bool { return f.Name == key })].Offset
}
