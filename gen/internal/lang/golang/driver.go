package golang

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// driver is the data for the template of a driver.
type driver struct {
	UsesBig   bool
	Functions []driverFunction
	Records   []declaration
}

type driverFunction struct {
	Name     string
	Property string
	Params   []driverParam
	Result   string // its type, "" if there is none
	CanFail  bool
	Args     string
	// Comparable reports whether the tests compare the result by ==, so that an interface
	// can hold it.
	Comparable bool
	// Constants are the constants that the tests compare the result with.
	Constants []constant
}

type driverParam struct{ Name, Type, Key string }

// solutionFolder holds the solution beside its driver, for it is a package of
// its own.
const solutionFolder = "solution"

// serve is the package that all drivers share.
//
//go:embed serve/serve.go
var serve []byte

// driverFile holds the calls of a driver. A compile error in this file means that the
// solution lacks a function or a type that the tests need; students see the file's name in
// it.
const driverFile = "tests.go"

// driverModule is the module of a driver.
const driverModule = "driver"

// packageFile is a file that names the package of the solution.
const packageFile = "package_of_the_exercise.go"

// Driver implements lang.Writer.
func (Go) Driver(u *lang.Unit) (map[string][]byte, error) {
	n := newNaming(u)
	if err := (Go{}).CheckSettings(u); err != nil {
		return nil, err
	}
	d := driver{UsesBig: n.usesBig()}
	for _, f := range u.Suite.Functions {
		fn := driverFunction{Name: n.functions[f], Property: f.Property, CanFail: f.CanFail}
		var args []string
		for _, p := range f.Params {
			name := lang.Pascal(p.Key, "Argument")
			for slices.Contains(args, "arguments."+name) {
				name += "_"
			}
			args = append(args, "arguments."+name)
			fn.Params = append(fn.Params, driverParam{name, n.typeOf(p.Type), p.Key})
		}
		fn.Args = strings.Join(args, ", ")
		if f.Result != nil {
			fn.Result = n.result(f)
			fn.Constants = n.usedConstants(f)
			fn.Comparable = isComparable(f.Result)
		}
		d.Functions = append(d.Functions, fn)
	}
	for _, r := range n.declarations() {
		if r.Fields != nil {
			d.Records = append(d.Records, r)
		}
	}
	text, err := render(parsed().Lookup("driver.go.tmpl"), d)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		driverFile:       text,
		"serve/serve.go": serve,
		"go.mod":         []byte("module " + driverModule + "\n\ngo " + languageVersion(u) + "\n"),
		// A solution in a package of another name does not build, as beside its tests.
		solutionFolder + "/" + packageFile: []byte("package " + packageName(u) + "\n"),
	}, nil
}

// Codes implements lang.Writer: a test function for each case, with the row of the
// table in place of the loop.
func (Go) Codes(u *lang.Unit) ([]string, error) {
	c := newComparer(u)
	var codes []string
	for f, names := range u.Functions() {
		t := c.testFunction(f, names)
		rows := t.Rows
		for i := range rows {
			t.Rows = rows[i : i+1]
			text, err := render(parsed().Lookup("code.go.tmpl"), t)
			if err != nil {
				return nil, fmt.Errorf("case %q: %w", names[i], err)
			}
			codes = append(codes, string(text))
		}
	}
	return codes, nil
}

// ErrorType implements lang.Writer: tests compare only the text of errors.
func (Go) ErrorType(*lang.Unit) string { return "" }

// Wording implements lang.Writer.
func (Go) Wording(*spec.Function) lang.Wording {
	return lang.Wording{
		Null: "nil", True: "true", False: "false",
		Quote: strconv.Quote, Key: strconv.Quote,
		Number: func(literal string) string { return literal },
		Error: func(e lang.ReplyError) string {
			if !e.HasMessage {
				return "any error"
			}
			return "error " + strconv.Quote(e.Message)
		},
	}
}

// driverBinary is the built driver in a program's folder.
const driverBinary = "driver"

// Drive implements lang.Driven.
func (Go) Drive(p lang.Program) lang.Command {
	return lang.Command{Args: []string{"./" + driverBinary}, Dir: p.Dir}
}
