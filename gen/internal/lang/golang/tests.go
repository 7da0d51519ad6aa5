package golang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// testFile is the data for the template of a test file.
type testFile struct {
	Package string
	// NilPanics reports whether the module's version lets panic(nil) end a test in silence,
	// unless the file forbids it.
	NilPanics bool
	HasLoop   bool // the module's version has testing.B.Loop
	Imports   []string
	Functions []testFunction
	Records   []*recordEqual
	Needs     map[string]bool
	TableOnly bool
	// Undecided are the cases that need the exercise's own template.
	Undecided []spec.Undecided
}

// testFunction is one function under test, with its table.
type testFunction struct {
	Name    string
	Table   string
	Fields  []tableField
	Rows    []tableRow
	Input   string // an expression: the arguments, each behind its label
	Call    string
	HasArgs bool
	HasGot  bool // the function has a result beside an error
	CanFail bool
	// Description, Expected and Error name the table's fields; Differs is the
	// condition under which a result is wrong.
	Description string
	Expected    string
	Error       string
	AnyError    bool
	// EmptyError reports whether some error has an empty message. The table then holds
	// errors, for an empty text would mean no error.
	EmptyError bool
	Differs    string
	Diff       string // an expression that shows the difference, or ""
	Ignored    string // the variables for the results of a benchmark's call
	HasError   bool   // some case expects an error, so the table has the field
}

type tableField struct{ Name, Type string }

type tableRow struct{ Fields []tableField } // Type holds the literal

// Tests implements lang.Writer.
func (Go) Tests(u *lang.Unit) ([]byte, error) {
	if err := (Go{}).CheckSettings(u); err != nil {
		return nil, err
	}
	c := newComparer(u)
	file := testFile{
		Package:   packageName(u),
		TableOnly: u.Settings.Tests == lang.TableTests,
		Undecided: u.Suite.Undecided,
		NilPanics: !has(u, "go1.21"),
		HasLoop:   has(u, "go1.24"),
		Needs:     c.needs,
	}
	for f, names := range u.Functions() {
		file.Functions = append(file.Functions, c.testFunction(f, names))
	}
	file.Records = c.records
	c.note(&file)
	for path := range c.imports {
		file.Imports = append(file.Imports, strconv.Quote(path))
	}
	slices.Sort(file.Imports)
	t := parsed().Lookup("test.go.tmpl")
	if u.Template != "" {
		own, err := template.New(u.TemplateName()).Option("missingkey=error").Parse(u.Template)
		if err != nil {
			return nil, err
		}
		t = own
	}
	return render(t, file)
}

// note adds the helpers and imports that the content of the file needs.
func (c *comparer) note(file *testFile) {
	if file.TableOnly || len(file.Functions) == 0 {
		clear(c.imports) // they are the test function's
	} else {
		for _, path := range []string{"fmt", "path/filepath", "reflect", "runtime", "sort", "strconv", "strings", "testing"} {
			c.imports[path] = true
		}
	}
	if c.needs[helpBigInt] || c.needs[helpBig] || c.usesBig() {
		c.imports["math/big"] = true
	}
	for _, f := range file.Functions {
		c.needs[helpOutcome] = c.needs[helpOutcome] || f.HasGot && f.CanFail
		if f.HasError && !f.AnyError && !file.TableOnly || f.EmptyError {
			c.imports["errors"] = true
		}
	}
}

func (c *comparer) testFunction(f *spec.Function, names []string) testFunction {
	settings := c.unit.Settings
	how := c.unit.Comparison(f)
	table := table{comparer: c, f: f, anyError: how.AnyError, emptyError: c.hasEmptyError(f)}
	fields := c.fieldNames(f)
	name := c.functions[f]
	t := testFunction{
		Name:        name,
		HasArgs:     len(f.Params) > 0,
		HasGot:      f.Result != nil,
		CanFail:     f.CanFail,
		AnyError:    how.AnyError,
		EmptyError:  table.emptyError,
		Description: "tc." + fields[descriptionField],
		Expected:    "tc." + fields[expectedField],
		Error:       "tc." + fields[errorField],
	}
	t.Table = c.tables.Name(c.unit.TableName(f, "testCases", strings.ToLower(name[:1])+name[1:]+"Cases"))

	var args, input []string
	for _, param := range f.Params {
		field := "tc." + fields[inputField+param.Key]
		args = append(args, field)
		input = append(input, fmt.Sprintf("labelled(%q, %s)", param.Key, field))
	}
	t.Call = name + "(" + strings.Join(args, ", ") + ")"
	t.Input = strings.Join(input, " + ")
	if len(input) == 0 {
		t.Input = strconv.Quote("\n" + name + "()")
	}
	t.Ignored = strings.Repeat("_, ", len(c.results(f)))
	t.Ignored = strings.TrimSuffix(t.Ignored, ", ")
	switch {
	case f.Result == nil:
	case settings.Compare == lang.CmpCompare:
		c.compareWithCmp(&t, f, how)
	default:
		t.Differs = c.equal(f.Result, "got", t.Expected, how).negated()
	}

	columns := table.columns(fields)
	for _, col := range columns {
		t.Fields = append(t.Fields, tableField{col.name, col.typ})
		t.HasError = t.HasError || col.key == errorField
	}
	for i, cs := range f.Cases {
		var row tableRow
		for _, col := range columns {
			if text := table.cell(cs, names[i], col); text != "" {
				row.Fields = append(row.Fields, tableField{col.name, text})
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// hasEmptyError reports whether a function's tests want an error without a
// message.
func (c *comparer) hasEmptyError(f *spec.Function) bool {
	return !c.unit.Comparison(f).AnyError && slices.ContainsFunc(f.Cases, func(cs *spec.Case) bool {
		message, failed := cs.Expected.ErrorText()
		return failed && message == ""
	})
}

// compareWithCmp has go-cmp compare results by the same rules.
func (c *comparer) compareWithCmp(t *testFunction, f *spec.Function, how spec.Comparison) {
	c.imports["github.com/google/go-cmp/cmp"] = true
	c.imports["github.com/google/go-cmp/cmp/cmpopts"] = true
	options := []string{"cmpopts.EquateEmpty()"}
	if uses(f, func(t *spec.Type) bool { return t.Kind == spec.FloatType }) {
		tolerance := "1e-9"
		spec.Walk(f.Result, func(t *spec.Type) {
			if t.Kind == spec.FloatType {
				tolerance = spec.AbsoluteTolerance(t, how)
			}
		})
		options = append(options, fmt.Sprintf("cmpopts.EquateApprox(1e-9, %s)", tolerance))
	}
	if uses(f, isBig) {
		c.needs[helpBig] = true
		options = append(options, "cmp.Comparer(sameBig)")
	}
	if how.Unordered && f.Result.Kind == spec.ListType {
		elem := c.typeOf(f.Result.Elem)
		options = append(options, fmt.Sprintf("cmpopts.SortSlices(func(a, b %s) bool { return fmt.Sprint(a) < fmt.Sprint(b) })", elem))
	}
	arguments := fmt.Sprintf("%s, got, %s", t.Expected, strings.Join(options, ", "))
	t.Differs = "!cmp.Equal(" + arguments + ")"
	t.Diff = "cmp.Diff(" + arguments + ")"
}

// table is the table of a function's cases.
type table struct {
	*comparer
	f          *spec.Function
	anyError   bool // any error passes
	emptyError bool // some error has no message
}

type column struct {
	key, name, typ string
	param          spec.Param // of an argument
}

// columns are the fields of a table in their order.
func (c *table) columns(fields map[string]string) []column {
	var columns []column
	add := func(key, typ string, param spec.Param) {
		columns = append(columns, column{key, fields[key], typ, param})
	}
	none, f := spec.Param{}, c.f
	add(descriptionField, "string", none)
	for _, p := range f.Params {
		add(inputField+p.Key, c.typeOf(p.Type), p)
	}
	if f.Result != nil {
		add(expectedField, c.result(f), none)
	}
	switch {
	case f.CanFail && c.anyError:
		add(errorField, "bool", none)
	case c.emptyError:
		add(errorField, "error", none)
	case f.CanFail:
		add(errorField, "string", none)
	}
	lang.SortFields(c.unit, f, columns[1:], func(col column) string { return strings.TrimPrefix(col.key, inputField) })
	return columns
}

// cell is the literal of a field, or "" for a zero value.
func (c *table) cell(cs *spec.Case, name string, col column) string {
	f := c.f
	message, failed := cs.Expected.ErrorText()
	switch col.key {
	case descriptionField:
		return strconv.Quote(mangle(name))
	case errorField:
		if !failed {
			return ""
		}
		if c.anyError {
			return "true"
		}
		if c.emptyError {
			return "errors.New(" + strconv.Quote(message) + ")"
		}
		return strconv.Quote(message)
	case expectedField:
		if failed || cs.Expected.Kind == spec.Null {
			return ""
		}
		if constant := c.constants[c.enums[f]][cs.Expected.Text]; constant != "" && c.enums[f] != "" && !isPointer(f.Result) {
			return constant
		}
		if c.enums[f] != "" && isPointer(f.Result) {
			return c.pointerTo(c.enums[f] + "(" + strconv.Quote(cs.Expected.Text) + ")")
		}
		return c.literal(f.Result, cs.Expected)
	}
	value := cs.Input.Get(col.param.Key)
	if value == nil || value.Kind == spec.Null {
		return ""
	}
	return c.literal(col.param.Type, value)
}
