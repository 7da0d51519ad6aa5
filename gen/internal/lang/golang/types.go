package golang

import (
	"cmp"
	"fmt"
	"go/doc"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// naming holds the Go names of one exercise.
type naming struct {
	unit      *lang.Unit
	functions map[*spec.Function]string
	records   map[*spec.Record]string
	fields    map[*spec.RecordField]string
	enums     map[*spec.Function]string // named types of string results
	// constants are the constants of each named type, by text. Each function that returns
	// the type may name some.
	constants map[string]map[string]string
}

func newNaming(u *lang.Unit) *naming {
	n := &naming{
		unit:      u,
		functions: map[*spec.Function]string{},
		records:   map[*spec.Record]string{},
		fields:    map[*spec.RecordField]string{},
		enums:     map[*spec.Function]string{},
		constants: map[string]map[string]string{},
	}
	taken := lang.Taken{}
	for _, f := range u.Suite.Functions {
		n.functions[f] = functionName(taken, facts.Function(u.Settings, f.Property))
	}
	for _, f := range u.Suite.Functions {
		p := u.Settings.Properties[f.Property]
		if p.Type == "" || f.Result == nil || f.Result.Kind != spec.StringType {
			continue
		}
		n.enums[f] = p.Type // several properties may share one type
		taken[p.Type] = true
		if n.constants[p.Type] == nil {
			n.constants[p.Type] = map[string]string{}
		}
		for text, constant := range p.Constants {
			taken[constant] = true
			n.constants[p.Type][text] = cmp.Or(n.constants[p.Type][text], constant)
		}
	}
	for _, r := range u.Suite.Records {
		if name := u.Settings.Types[r.Hint]; name != "" {
			n.records[r] = taken.Name(name)
		} else {
			name := lang.Pascal(r.Hint, "Record")
			n.records[r] = taken.Name(name, name+"Result")
		}
		keys := lang.Taken{}
		for _, f := range r.Fields {
			n.fields[f] = keys.Name(lang.Pascal(f.Key, "Field"))
		}
	}
	return n
}

// functionName gives a function a name that is free for the function, its test and its
// benchmark.
func functionName(taken lang.Taken, wanted string) string {
	name := wanted
	for i := 2; taken[name] || taken["Test"+name] || taken["Benchmark"+name]; i++ {
		name = wanted + strconv.Itoa(i)
	}
	taken[name], taken["Test"+name], taken["Benchmark"+name] = true, true, true
	return name
}

// CheckSettings implements lang.Writer.
func (Go) CheckSettings(u *lang.Unit) error {
	if err := u.CheckFramework(Go{}, "testing"); err != nil {
		return err
	}
	scope := map[string]string{}
	for _, f := range u.Suite.Functions {
		name := facts.Function(u.Settings, f.Property)
		if u.Settings.Properties[f.Property].Function == "" {
			scope[name] = "the function of " + f.Property
		}
		scope["Test"+name] = "the test of " + name
		scope["Benchmark"+name] = "the benchmark of " + name
	}
	return u.CheckNames(lang.Names{Types: true, Fields: true, Fault: nameFault, Scope: scope})
}

// nameFault says what is wrong with a name of the settings.
func nameFault(key, name string) string {
	switch {
	case !token.IsIdentifier(name) || name == "_":
		return lang.NoName(Go{})
	case key == "error_type" || key == "fields": // not declared in the file
		return ""
	case slices.Contains(helpers, name):
		return lang.OwnName
	case key == "table" && (name == "b" || name == "t"): // the parameters of what ranges over it
		return lang.OwnName
	case doc.IsPredeclared(name):
		return "is a name of Go's own; choose another"
	case key != "table" && !token.IsExported(name):
		return "must start with a capital letter, for other packages to see it; write " + strconv.Quote(strings.ToUpper(name[:1])+name[1:])
	}
	return ""
}

// helpers are the names that a test file needs for itself.
var helpers = []string{
	"_", "bigInt", "errors", "exactNumber", "failOnPanic", "filepath", "fmt", "init", "json", "labelled", "main", "maps", "math",
	"pointerTo", "reflect", "runtime", "sameAny", "sameBig", "sameFloat", "sameItems", "sameList", "sameMap", "samePointer",
	"shown", "slices", "sort", "strconv",
	"strings", "testing", "valueOrError",
}

// typeOf writes a type in Go. An optional type is a pointer, unless its own nil can mean
// that the value is absent.
func (n *naming) typeOf(t *spec.Type) string {
	name := n.bare(t)
	if isPointer(t) {
		return "*" + name
	}
	return name
}

// bare writes a type as if it were not optional.
func (n *naming) bare(t *spec.Type) string {
	switch t.Kind {
	case spec.BoolType:
		return "bool"
	case spec.IntType:
		return [...]string{spec.Int64: "int", spec.Uint64: "uint64", spec.BigInt: "*big.Int"}[t.Size]
	case spec.FloatType:
		return "float64"
	case spec.StringType:
		return "string"
	case spec.ListType:
		return "[]" + n.typeOf(t.Elem)
	case spec.MapType:
		return "map[string]" + n.typeOf(t.Elem)
	case spec.RecordType:
		return n.records[t.Record]
	}
	return "any"
}

// result is the type of a function's result, its named type if it has one.
func (n *naming) result(f *spec.Function) string {
	if enum := n.enums[f]; enum != "" {
		if isPointer(f.Result) {
			return "*" + enum
		}
		return enum
	}
	return n.typeOf(f.Result)
}

// results are the types of all results of a function, the error included.
func (n *naming) results(f *spec.Function) []string {
	var results []string
	if f.Result != nil {
		results = append(results, n.result(f))
	}
	if f.CanFail {
		results = append(results, "error")
	}
	return results
}

// isPointer reports whether a type is a pointer because it is optional. A list or map
// needs no pointer unless empty and absent values differ; any and big integers have a nil
// of their own.
func isPointer(t *spec.Type) bool {
	return t.Optional && !t.AbsentIsEmpty() && t.Kind != spec.AnyType && !isBig(t)
}

func isBig(t *spec.Type) bool { return t.Kind == spec.IntType && t.Size == spec.BigInt }

// fieldNames names the fields of a function's table. The description comes
// first, for Exercism's test runner looks for it there.
func (n *naming) fieldNames(f *spec.Function) map[string]string {
	renamed := n.unit.Settings.Properties[f.Property].Fields
	names := map[string]string{}
	taken := lang.Taken{}
	for _, own := range []struct{ key, name string }{
		{descriptionField, "description"}, {expectedField, "expected"}, {errorField, "expectedError"},
	} {
		name := own.name
		if renamed[own.key] != "" {
			name = renamed[own.key]
		}
		names[own.key] = taken.Name(name)
	}
	for _, p := range f.Params {
		name := renamed[p.Key]
		if name == "" {
			name = variable(p.Key)
		}
		names[inputField+p.Key] = taken.Name(name, "input"+lang.Pascal(p.Key, ""))
	}
	return names
}

// The table's fields that are not arguments. The key of an argument has inputField in
// front, so that it differs from these.
const (
	descriptionField = "description"
	expectedField    = "expected"
	errorField       = "error"
	inputField       = "input "
)

// variable turns a name of the data into a variable's name.
func variable(key string) string {
	name := lang.Camel(key, "value")
	if token.IsKeyword(name) {
		name += "_"
	}
	return name
}

// params names the parameters of a function so that they hide no name that its stub uses.
func (n *naming) params(f *spec.Function) []string {
	taken := lang.Taken{}
	for _, name := range []string{"any", "bool", "int", "uint64", "float64", "string", "error", "map", "errors", "big", "panic", "nil", "false"} {
		taken[name] = true
	}
	var names []string
	for _, p := range f.Params {
		name := variable(p.Key)
		names = append(names, taken.Name(name, name+"_"))
	}
	return names
}

// usesBig reports whether a type of the exercise is a big integer.
func (n *naming) usesBig() bool {
	return slices.ContainsFunc(n.unit.Suite.Functions, func(f *spec.Function) bool {
		return uses(f, isBig)
	})
}

// uses reports whether a function's arguments or result hold a type.
func uses(f *spec.Function, what func(*spec.Type) bool) bool {
	found := false
	visit := func(t *spec.Type) { found = found || what(t) }
	for _, p := range f.Params {
		spec.Walk(p.Type, visit)
	}
	spec.Walk(f.Result, visit)
	return found
}

// declaration is a type declaration of a stub.
type declaration struct {
	Name   string
	Doc    string
	Fields []declaredField
	// Constants is set for a named string type.
	Constants []constant
}

type declaredField struct {
	Name, Type, Key string
	Sample          string // a value of the type, as the tests could write it
	IsFloat         bool   // the tests compare it as a float64
}

type constant struct{ Name, Value string }

func (n *naming) declarations() []declaration {
	var all []declaration
	for _, f := range n.unit.Suite.Functions {
		enum := n.enums[f]
		if enum == "" || slices.ContainsFunc(all, func(d declaration) bool { return d.Name == enum }) {
			continue
		}
		d := declaration{Name: enum, Doc: n.returnedBy(func(g *spec.Function) bool { return n.enums[g] == enum })}
		for _, value := range sortedKeys(n.constants[enum]) {
			d.Constants = append(d.Constants, constant{n.constants[enum][value], value})
		}
		all = append(all, d)
	}
	for _, r := range n.unit.Suite.Records {
		d := declaration{Name: n.records[r], Doc: n.recordDoc(r)}
		for _, f := range r.Fields {
			d.Fields = append(d.Fields, declaredField{
				Name: n.fields[f], Type: n.typeOf(f.Type), Key: f.Key,
				Sample: n.sample(f.Type), IsFloat: n.typeOf(f.Type) == "float64",
			})
		}
		all = append(all, d)
	}
	return all
}

// sample is a value of a type as the tests may write it: an untyped number or text fits
// any type of its kind.
func (n *naming) sample(t *spec.Type) string {
	if !isPointer(t) && !isBig(t) {
		switch t.Kind {
		case spec.BoolType:
			return "false"
		case spec.IntType:
			return "0"
		case spec.FloatType:
			return "0.5"
		case spec.StringType:
			return `""`
		}
	}
	return "*new(" + n.typeOf(t) + ")"
}

// usedConstants are the constants that stand for a result in the data.
func (n *naming) usedConstants(f *spec.Function) []constant {
	if n.enums[f] == "" || isPointer(f.Result) {
		return nil
	}
	results := map[string]bool{}
	for _, c := range f.Cases {
		if c.Expected.Kind == spec.String {
			results[c.Expected.Text] = true
		}
	}
	var used []constant
	constants := n.constants[n.enums[f]]
	for _, text := range sortedKeys(constants) {
		if results[text] {
			used = append(used, constant{constants[text], text})
		}
	}
	return used
}

// recordDoc says where the data hold a record.
func (n *naming) recordDoc(r *spec.Record) string {
	elsewhere := false // in an argument, or within a result
	for _, f := range n.unit.Suite.Functions {
		see := func(t *spec.Type) { elsewhere = elsewhere || t != f.Result && t.Record == r }
		for _, p := range f.Params {
			spec.Walk(p.Type, see)
		}
		spec.Walk(f.Result, see)
	}
	if doc := n.returnedBy(func(f *spec.Function) bool { return f.Result != nil && f.Result.Record == r }); doc != "" && !elsewhere {
		return doc
	}
	return fmt.Sprintf("has the fields of %q in the exercise's data.", r.Hint)
}

// returnedBy says which functions return a type, or is "" if no function does.
func (n *naming) returnedBy(returns func(f *spec.Function) bool) string {
	var names []string
	for _, f := range n.unit.Suite.Functions {
		if returns(f) {
			names = append(names, n.functions[f])
		}
	}
	switch last := len(names) - 1; {
	case last < 0:
		return ""
	case last == 0:
		return fmt.Sprintf("is what %s returns.", names[0])
	default:
		return fmt.Sprintf("is what %s and %s return.", strings.Join(names[:last], ", "), names[last])
	}
}
