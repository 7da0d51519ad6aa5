package javascript

import (
	"slices"
	"strings"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// reserved are the words that cannot be names in a module.
var reserved = strings.Fields(`
	arguments await break case catch class const continue debugger default delete
	do else enum eval export extends false finally for function if implements
	import in instanceof interface let new null package private protected public
	return static super switch this throw true try typeof undefined var void while
	with yield`)

// variable turns a name of the data into a variable's name.
func variable(name, front string) string {
	name = lang.Camel(name, front)
	if slices.Contains(reserved, name) {
		name += "_"
	}
	return name
}

// helpers are the names that a test file needs for itself.
var helpers = strings.Fields(`
	after afterAll anyOrder assert attempt beside console describe described endProcess
	equal equalFields equalLists equalRecords exitEarly expect exported fail fieldsOf
	frames inspect isNothing isObject isOver labelled listOf mapOf near orEmpty
	process quoted returns solution solutionFile test throws titled`)

// naming holds the names of one exercise.
type naming struct {
	unit *lang.Unit
	// functions are the names that the solution exports, and locals the names by which
	// the tests call them.
	functions map[*spec.Function]string
	locals    map[*spec.Function]string
	// records are the functions that compare records.
	records map[*spec.Record]string
	taken   lang.Taken
}

func newNaming(u *lang.Unit) *naming {
	n := &naming{
		unit:      u,
		functions: map[*spec.Function]string{},
		locals:    map[*spec.Function]string{},
		records:   map[*spec.Record]string{},
		taken:     lang.Taken{},
	}
	exported := lang.Taken{}
	for _, f := range u.Suite.Functions {
		name := facts.Function(u.Settings, f.Property)
		n.functions[f] = exported.Name(name)
	}
	for _, name := range helpers {
		n.taken[name] = true
	}
	for _, f := range u.Suite.Functions {
		name := n.functions[f]
		n.locals[f] = n.taken.Name(name, name+"Function")
	}
	return n
}

// CheckSettings implements lang.Writer.
func (JavaScript) CheckSettings(u *lang.Unit) error {
	if err := u.CheckFramework(JavaScript{}, jest, "node:test"); err != nil {
		return err
	}
	fault := func(key, name string) string {
		switch {
		case !isIdentifier(name) || slices.Contains(reserved, name):
			return lang.NoName(JavaScript{})
		case (key == "function" || key == "table") && (slices.Contains(noErrors, name) || slices.Contains(errorTypes, name)):
			return "is a name of JavaScript's own; choose another"
		case key == "error_type" && slices.Contains(noErrors, name):
			return "is no type of errors; choose another"
		}
		return ""
	}
	// The fields of a table are in quotes if needed.
	isTable := u.Settings.Tests == lang.TableTests
	return u.CheckNames(lang.Names{Fields: !isTable, Fault: fault})
}

// noErrors are the global names that are not types of errors.
var noErrors = strings.Fields(`
	Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean Buffer DataView Date
	Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array Intl JSON Map
	Math NaN Number Object Promise Proxy Reflect RegExp Set SharedArrayBuffer String Symbol
	URL Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet console
	global globalThis process undefined`)

// errorTypes are the errors that come with JavaScript.
var errorTypes = strings.Fields(`
	AggregateError Error EvalError RangeError ReferenceError SyntaxError TypeError URIError`)

// params names the parameters of a function in its solution's declaration.
func (n *naming) params(f *spec.Function) []string {
	taken := lang.Taken{}
	var names []string
	for _, p := range f.Params {
		names = append(names, taken.Name(variable(p.Key, "value")))
	}
	return names
}

// expectedName is the key by which the settings rename the expected result.
const expectedName = "expected"

// constants names the arguments of a function and the expected result in its tests, by
// key. No name hides a function that a test calls.
func (n *naming) constants(f *spec.Function) map[string]string {
	taken := lang.Taken{}
	for name := range n.taken {
		taken[name] = true
	}
	renamed := n.unit.Settings.Properties[f.Property].Fields
	names := map[string]string{}
	want := renamed[expectedName]
	if want == "" {
		want = "expected"
	}
	names[wanted] = taken.Name(want)
	for _, p := range f.Params {
		name := renamed[p.Key]
		if name == "" {
			name = variable(p.Key, "value")
		}
		names[argument+p.Key] = taken.Name(name, variable("input "+p.Key, ""))
	}
	return names
}

// Prefixes that tell an expected result from an argument of the same name.
const (
	wanted   = "want"
	argument = "argument "
)
