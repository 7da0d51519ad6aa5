package python

import (
	"maps"
	"slices"
	"strings"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// testFile is the data for the template of a test file.
type testFile struct {
	Module  string
	Slug    string
	Import  string // the statement that imports the functions under test
	Load    string // the same, indented
	Exits   string // the statement that reports an exit during the import
	Class   string
	Cases   []testCase
	Tables  []string // assignments, if the file is a table alone
	NoLimit bool     // show differences in full, for some are long
	Needs   map[string]bool
	// Undecided are the cases that need the exercise's own template.
	Undecided []spec.Undecided
}

// testCase is one method of the test class.
type testCase struct {
	Head        string // def test_...(self):
	Name        string
	Description string
	Property    string
	Body        []string // statements, indented
}

// Helpers that the template writes if they are needed.
const (
	helpNear      = "Near"
	helpAnyOrder  = "AnyOrder"
	helpGiven     = "given"
	helpAbsent    = "without_none"
	helpMessage   = "message_of"
	methodIndent  = 4
	bodyIndent    = 8
	longResult    = 300 // bytes of JSON
	longestInline = 60  // columns of an argument that needs no variable
)

// Tests implements lang.Writer.
func (Python) Tests(u *lang.Unit) ([]byte, error) {
	n, err := newNaming(u)
	if err != nil {
		return nil, err
	}
	file := testFile{
		Module:    n.module,
		Slug:      u.Suite.Slug,
		Class:     className(u),
		Needs:     map[string]bool{helpNear: false, helpAnyOrder: false, helpGiven: false, helpAbsent: false, helpMessage: false},
		Undecided: u.Suite.Undecided,
	}
	if names := n.imports(); len(names) > 0 {
		file.Import = importFrom(n.module, names, 0)
		file.Load = importFrom(n.module, names, 4)
		exits := quote(n.module + ".py exits while it is imported")
		file.Exits = layout(call("raise ImportError", atom(exits)), 4, " from error")
	}
	tables := lang.Taken{}
	for f, names := range u.Functions() {
		if u.Settings.Tests == lang.TableTests {
			file.Tables = append(file.Tables, n.table(f, names, tables))
		}
		w := n.methods(f, file.Needs)
		for i, c := range f.Cases {
			file.Cases = append(file.Cases, w.testCase(c, names[i]))
			file.NoLimit = file.NoLimit || len(c.Expected.JSON()) > longResult
		}
	}
	t := parsed().Lookup("test.py.tmpl")
	if u.Template != "" {
		if t, err = parse(u.TemplateName(), u.Template); err != nil {
			return nil, err
		}
	}
	return render(t, file)
}

// testCase is the method that tests one case.
func (w *methods) testCase(c *spec.Case, description string) testCase {
	name := mangle(description)
	return testCase{
		Head:        define(name, []string{"self"}, methodIndent),
		Name:        name,
		Description: description,
		Property:    w.f.Property,
		Body:        w.body(c),
	}
}

// Codes implements lang.Writer: the method of each case.
func (Python) Codes(u *lang.Unit) ([]string, error) {
	n, err := newNaming(u)
	if err != nil {
		return nil, err
	}
	var codes []string
	for f, names := range u.Functions() {
		w := n.methods(f, map[string]bool{})
		for i, c := range f.Cases {
			t := w.testCase(c, names[i])
			code := strings.Join(append([]string{t.Head}, t.Body...), "\n")
			codes = append(codes, outdent(code, methodIndent)+"\n")
		}
	}
	return codes, nil
}

// outdent takes so many spaces from the front of each line.
func outdent(code string, indent int) string {
	lines := strings.Split(code, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, strings.Repeat(" ", indent))
	}
	return strings.Join(lines, "\n")
}

// methods writes the methods that test one function.
type methods struct {
	*naming
	f        *spec.Function
	how      spec.Comparison
	needs    map[string]bool
	params   []string // variables of the arguments
	expected string   // variable of the expected result
	grids    []bool   // which arguments are lists of rows
	rows     bool     // results are lists of rows
	// absent reports whether a result can hold a key that is absent or None, which is the
	// same; empty lists the keys that may also hold an empty list.
	absent bool
	empty  []string
}

func (n *naming) methods(f *spec.Function, needs map[string]bool) *methods {
	w := &methods{naming: n, f: f, how: n.unit.Comparison(f), needs: needs}
	w.params, w.expected = n.locals(f)
	for i := range f.Params {
		var values []*spec.Value
		for _, c := range f.Cases {
			if given := arguments(f, c); i < len(given) {
				values = append(values, given[i])
			}
		}
		w.grids = append(w.grids, areGrids(values))
	}
	var results []*spec.Value
	for _, c := range f.Cases {
		if _, failed := c.Expected.ErrorText(); !failed {
			results = append(results, c.Expected)
		}
	}
	w.rows = areGrids(results)
	w.findAbsent(results)
	return w
}

// findAbsent sets absent if a result holds keys that may be absent.
func (w *methods) findAbsent(results []*spec.Value) {
	empty := map[string]bool{}
	spec.Walk(w.f.Result, func(t *spec.Type) {
		switch {
		case t.Kind == spec.MapType && t.Elem.Optional:
			w.absent = true
		case t.Kind == spec.RecordType:
			for _, field := range t.Record.Fields {
				w.absent = w.absent || field.Type.Optional
				before, seen := empty[field.Key]
				empty[field.Key] = field.Type.AbsentIsEmpty() && (before || !seen)
			}
		case t.Kind == spec.AnyType:
			// Results of type any may hold objects of any kind.
			w.absent = w.absent || slices.ContainsFunc(results, holdsNullField)
		}
	})
	for _, key := range slices.Sorted(maps.Keys(empty)) {
		if empty[key] {
			w.empty = append(w.empty, key)
		}
	}
}

func holdsNullField(v *spec.Value) bool {
	if slices.ContainsFunc(v.Items, holdsNullField) {
		return true
	}
	return slices.ContainsFunc(v.Fields, func(f spec.Field) bool {
		return f.Value.Kind == spec.Null || holdsNullField(f.Value)
	})
}

// body writes the statements of one case: a single line if it fits. If not, the expected
// result is a variable. If that does not fit either, the arguments are variables too, and
// a failure shows them, because its traceback does not.
func (w *methods) body(c *spec.Case) []string {
	var args []node
	grid := false
	for i, v := range arguments(w.f, c) {
		arg := literal(v)
		arg.tall = w.grids[i] && len(arg.items) > 1
		grid = grid || arg.tall
		args = append(args, arg)
	}
	if message, failed := c.Expected.ErrorText(); failed {
		return w.failing(args, message)
	}
	want := (&wanted{w.how, w.needs}).value(w.f.Result, c.Expected)
	want.tall = w.rows && len(want.items) > 1
	assert := w.assertion(c.Expected)
	result := call(w.local[w.f], args...)
	if statement := assert(result, want); !grid && statement.fits(bodyIndent, "") {
		return []string{layout(statement, bodyIndent, "")}
	}
	name := atom(w.expected)
	if statement := assert(result, name); !grid && cells(result.flat()) <= longestInline && statement.fits(bodyIndent, "") {
		return []string{assign(w.expected, want, bodyIndent), layout(statement, bodyIndent, "")}
	}
	lines, result, with, indent := w.variables(args)
	statement := assert(result, want)
	if !statement.fits(indent, "") {
		lines = append(lines, assign(w.expected, want, bodyIndent))
		statement = assert(result, name)
	}
	return append(append(lines, with...), layout(statement, indent, ""))
}

// variables assigns the arguments to variables. It returns the call with the variables, and
// the head and indentation of a block that shows them in a failure, as they were before the
// call.
func (w *methods) variables(args []node) (lines []string, result node, with []string, indent int) {
	var names, shown []node
	for i, arg := range args {
		lines = append(lines, assign(w.params[i], arg, bodyIndent))
		names = append(names, atom(w.params[i]))
		shown = append(shown, atom(w.params[i]).keyed(w.params[i]+"="))
	}
	indent = bodyIndent
	if len(args) > 0 {
		w.needs[helpGiven] = true
		with = []string{layout(call("given", shown...).keyed("with "), indent, ":")}
		indent += 4
	}
	return lines, call(w.local[w.f], names...), with, indent
}

// assertion returns a function that writes the statement that compares a result.
func (w *methods) assertion(expected *spec.Value) func(got, want node) node {
	t := w.f.Result
	assert := func(method string, args ...node) node { return call("self."+method, args...) }
	switch {
	case expected.Kind == spec.Null && t.AbsentIsEmpty():
		empty := "(None, [])"
		if t.Kind == spec.MapType {
			empty = "(None, {})"
		}
		return func(got, _ node) node { return assert("assertIn", got, atom(empty)) }
	case expected.Kind == spec.Null:
		return func(got, _ node) node { return assert("assertIsNone", got) }
	case t.Kind == spec.BoolType:
		// 1 equals True, but it does not answer a yes-or-no question.
		return func(got, want node) node { return assert("assertIs", got, want) }
	}
	return func(got, want node) node {
		if w.absent {
			w.needs[helpAbsent] = true
			got, want = w.settled(got), w.settled(want)
		}
		if w.how.Unordered && t.Kind == spec.ListType {
			w.needs[helpAnyOrder] = true
			want = call("AnyOrder", want)
		}
		return assert("assertEqual", got, want)
	}
}

// settled writes a call that leaves out of a value the keys that count as absent.
func (w *methods) settled(value node) node {
	args := []node{value}
	if len(w.empty) > 0 {
		empty := node{open: "[", close: "]"}
		for _, key := range w.empty {
			empty.items = append(empty.items, atom(quote(key)))
		}
		args = append(args, empty)
	}
	return call("without_none", args...)
}

// failing writes the statements of a case that expects an error. The error must have the
// expected type, not a type derived from it, and the expected message. The traceback does
// not show a call that raised nothing, so the arguments are variables.
func (w *methods) failing(args []node, message string) []string {
	lines, statement, with, indent := w.variables(args)
	lines = append(append(lines, with...),
		layout(call("self.assertRaises", atom(w.errorType)).keyed("with "), indent, " as err:"),
		layout(statement, indent+4, ""),
		layout(call("self.assertIs", atom("type(err.exception)"), atom(w.errorType)), indent, ""))
	if !w.how.AnyError {
		w.needs[helpMessage] = true
		lines = append(lines, layout(call("self.assertEqual", call("message_of", atom("err.exception")), atom(quote(message))), indent, ""))
	}
	return lines
}

// table writes the cases of a function as data, for a test written by hand.
func (n *naming) table(f *spec.Function, names []string, tables lang.Taken) string {
	p := n.unit.Settings.Properties[f.Property]
	field := func(key string) string {
		if p.Fields[key] != "" {
			return p.Fields[key]
		}
		return key
	}
	table := node{open: "[", close: "]", tall: true}
	for i, c := range f.Cases {
		type column struct {
			key   string
			value node
		}
		columns := []column{}
		for j, v := range arguments(f, c) {
			columns = append(columns, column{f.Params[j].Key, literal(v)})
		}
		message, failed := c.Expected.ErrorText()
		switch {
		case !failed:
			columns = append(columns, column{"expected", literal(c.Expected)})
		case n.unit.Comparison(f).AnyError:
			columns = append(columns, column{"error", atom("True")})
		default:
			columns = append(columns, column{"error", atom(quote(message))})
		}
		lang.SortFields(n.unit, f, columns, func(c column) string { return c.key })
		row := node{open: "{", close: "}", tall: true}
		row.items = append(row.items, atom(quote(names[i])).keyed(quote(field("description"))+": "))
		for _, col := range columns {
			row.items = append(row.items, col.value.keyed(quote(field(col.key))+": "))
		}
		table.items = append(table.items, row)
	}
	name := n.unit.TableName(f, "CASES", strings.ToUpper(n.functions[f])+"_CASES")
	return assign(tables.Name(name), table, 0)
}
