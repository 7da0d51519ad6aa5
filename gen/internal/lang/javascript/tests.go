package javascript

import (
	"path"
	"strings"
	"text/template"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// testFile is the data for the template of a test file. Code is laid out and strings are
// quoted.
type testFile struct {
	Imports   string   // the statement that imports the functions under test
	Load      string   // the statement that loads the solution
	Exports   []string // the constants that hold the functions under test
	Solution  string   // a constant that tells the solution's lines in a stack
	Test      string   // the same for the test file
	Jest      bool
	Functions []testFunction
	Records   []*recordComparer
	Needs     map[string]bool
	ErrorType string // a constant: the name of the type of errors
	// TypedError reports whether an error of another type is wrong.
	TypedError bool
	AnyError   bool // for some function any error passes
	TextError  bool // for some function the message matters
	TableOnly  bool
	// Undecided are the cases that need the exercise's own template.
	Undecided []spec.Undecided
}

// testFunction is one function under test with its cases.
type testFunction struct {
	Name  string
	Title string
	Cases []testCase
	Table string // the table of all cases, if the file is a table alone
}

type testCase struct {
	Title      string
	Statements []string
}

// Tests implements lang.Writer.
func (JavaScript) Tests(u *lang.Unit) ([]byte, error) {
	n := newNaming(u)
	if err := (JavaScript{}).CheckSettings(u); err != nil {
		return nil, err
	}
	c := newComparer(n)
	file := testFile{
		Imports:   layOut(n.imports(), 0),
		Load:      n.load(),
		Exports:   n.exports(),
		Solution:  constant("solutionFile", path.Base(u.Files.Solution), 0),
		Test:      constant("testFile", path.Base(u.Files.Test), tabWidth),
		Jest:      u.Settings.Framework == jest,
		Needs:     c.needs,
		ErrorType: constant("errorType", "Error", tabWidth),
		TableOnly: u.Settings.Tests == lang.TableTests,
		Undecided: u.Suite.Undecided,
	}
	if t := u.Settings.ErrorType; t != "" && t != "Error" {
		file.ErrorType, file.TypedError = constant("errorType", t, tabWidth), true
	}
	for f, names := range u.Functions() {
		file.Functions = append(file.Functions, c.testFunction(f, names))
		if how := u.Comparison(f); f.CanFail {
			file.AnyError = file.AnyError || how.AnyError
			file.TextError = file.TextError || !how.AnyError
		}
	}
	file.Records = c.records
	t := parsed().Lookup("test.js.tmpl")
	if u.Template != "" {
		own, err := template.New(u.TemplateName()).
			Option("missingkey=error").
			Funcs(template.FuncMap{"quote": quote}).
			Parse(u.Template)
		if err != nil {
			return nil, err
		}
		t = own
	}
	return render(t, file)
}

// constant declares a string at an indentation.
func constant(name, text string, indent int) string {
	return layOut(concat{assigned("const "+name, " =", literal{doc: quote(text), isString: true}), ";"}, indent)
}

// imports is the statement that imports the functions under test.
func (n *naming) imports() doc {
	var names []doc
	for _, f := range n.unit.Suite.Functions {
		name := n.functions[f]
		if local := n.locals[f]; local != name {
			name += " as " + local
		}
		names = append(names, name)
	}
	source := " from " + quote("./"+path.Base(n.unit.Files.Solution)) + ";"
	if len(names) == 1 {
		return concat{"import { ", names[0], " }", source}
	}
	return concat{"import ", list("{", line{}, names, "}"), source}
}

// load is the statement that loads the solution. It follows other statements, for a
// solution can end the process while it loads. jest allows no await there.
func (n *naming) load() string {
	file := quote("./" + path.Base(n.unit.Files.Solution))
	if n.unit.Settings.Framework == jest {
		return "import * as solution from " + file + ";"
	}
	module := literal{doc: "await import(" + file + ")", isString: true}
	return layOut(concat{assigned("const solution", " =", module), ";"}, 0)
}

// exports are the constants that hold the functions under test.
func (n *naming) exports() []string {
	var constants []string
	for _, f := range n.unit.Suite.Functions {
		value := literal{doc: call("exported", quote(n.functions[f]))}
		constants = append(constants, layOut(concat{assigned("const "+n.locals[f], " =", value), ";"}, 0))
	}
	return constants
}

func (c *comparer) testFunction(f *spec.Function, names []string) testFunction {
	t := testFunction{Name: c.functions[f], Title: quote(c.functions[f])}
	if c.unit.Settings.Tests == lang.TableTests {
		t.Table = c.table(f, names)
	} else {
		t.Cases = c.testCases(f, names)
	}
	return t
}

func (c *comparer) testCases(f *spec.Function, names []string) []testCase {
	how := c.unit.Comparison(f)
	var same doc
	if f.Result != nil {
		same = c.same(f.Result, how)
		c.needs[needStructures] = c.needs[needStructures] || !isScalar(f.Result)
	}
	constants := c.constants(f)
	var cases []testCase
	for i, cs := range f.Cases {
		cases = append(cases, testCase{
			Title:      quote(names[i]),
			Statements: c.statements(f, cs, constants, same, how.AnyError),
		})
	}
	return cases
}

// Codes implements lang.Writer: the test of each case.
func (JavaScript) Codes(u *lang.Unit) ([]string, error) {
	c := newComparer(newNaming(u))
	var codes []string
	for f, names := range u.Functions() {
		for _, t := range c.testCases(f, names) {
			lines := []string{"test(" + t.Title + ", () => {"}
			for _, statement := range t.Statements {
				lines = append(lines, "  "+strings.ReplaceAll(statement, "\n  ", "\n"))
			}
			codes = append(codes, strings.Join(append(lines, "});"), "\n")+"\n")
		}
	}
	return codes, nil
}

// statements are the body of a test: a constant for each argument, a constant for the
// expected result, and the call.
func (c *comparer) statements(f *spec.Function, cs *spec.Case, constants map[string]string, same doc, anyError bool) []string {
	const indent = 2 * tabWidth
	w := writer{big: f.HasLargeInts()}
	var statements []string
	declare := func(name string, value literal) {
		d := concat{assigned("const "+name, " =", value), ";"}
		statements = append(statements, layOut(d, indent))
	}
	var given, args []doc
	last := 0
	for _, p := range f.Params {
		value := cs.Input.Get(p.Key)
		if value == nil {
			args = append(args, "undefined")
			continue
		}
		name := constants[argument+p.Key]
		declare(name, w.value(p.Type, value))
		given = append(given, name)
		args = append(args, name)
		last = len(args)
	}
	args = args[:last] // absent arguments at the end are left out
	var input doc = "{}"
	if len(given) > 0 {
		input = list("{", line{}, given, "}")
	}
	check := []doc{input, arrow(call(c.locals[f], args...))}
	helper := needReturns
	message, failed := cs.Expected.ErrorText()
	switch {
	case failed && anyError:
		helper = needThrows
		check = append(check, "Error")
	case failed:
		helper = needThrows
		declare(constants[wanted], literal{doc: quote(message), isString: true})
		check = append(check, constants[wanted])
	default:
		declare(constants[wanted], w.value(f.Result, cs.Expected))
		check = append(check, constants[wanted])
		if same != nil {
			check = append(check, same)
		}
	}
	c.needs[helper] = true
	return append(statements, layOut(concat{call(helper, check...), ";"}, indent))
}

// table is the table of a function's cases, for tests written by hand.
func (c *comparer) table(f *spec.Function, names []string) string {
	settings := c.unit.Settings
	p := settings.Properties[f.Property]
	w := writer{big: f.HasLargeInts()}
	fieldNames := tableFields(f, p.Fields)
	var rows []doc
	for i, cs := range f.Cases {
		description := literal{doc: quote(names[i]), isString: true}
		fields := []tableField{{"description", field{key(fieldNames["description"]), description}}}
		for _, param := range f.Params {
			if value := cs.Input.Get(param.Key); value != nil {
				fields = append(fields, tableField{param.Key, field{key(fieldNames[argument+param.Key]), w.value(param.Type, value)}})
			}
		}
		message, failed := cs.Expected.ErrorText()
		switch {
		case !failed:
			fields = append(fields, tableField{"expected", field{key(fieldNames["expected"]), w.value(f.Result, cs.Expected)}})
		case c.unit.Comparison(f).AnyError:
			fields = append(fields, tableField{"error", field{key(fieldNames["error"]), literal{doc: "true", stays: true}}})
		default:
			fields = append(fields, tableField{"error", field{key(fieldNames["error"]), literal{doc: quote(message), isString: true}}})
		}
		lang.SortFields(c.unit, f, fields[1:], func(t tableField) string { return t.name })
		var row []field
		for _, t := range fields {
			row = append(row, t.field)
		}
		object := objectOf(row).doc.(*group)
		object.broken = true
		rows = append(rows, &group{contents: object})
	}
	name := c.unit.TableName(f, "testCases", c.functions[f]+"Cases")
	whole := list("[", line{soft: true}, rows, "]")
	return layOut(concat{"export const " + c.tables.Name(name) + " = ", whole, ";"}, 0)
}

type tableField struct {
	name string
	field
}

// tableFields names the fields of a table's rows.
func tableFields(f *spec.Function, renamed map[string]string) map[string]string {
	names := map[string]string{}
	taken := lang.Taken{}
	for _, own := range []string{"description", "expected", "error"} {
		name := renamed[own]
		if name == "" {
			name = own
		}
		names[own] = taken.Name(name)
	}
	for _, p := range f.Params {
		name := renamed[p.Key]
		if name == "" {
			name = lang.Camel(p.Key, "value")
		}
		names[argument+p.Key] = taken.Name(name, variable("input "+p.Key, ""))
	}
	return names
}
