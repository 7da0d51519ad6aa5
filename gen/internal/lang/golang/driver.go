package golang

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lazy"
	"stateoftictactoe/gen/internal/spec"
)

// driver is what the template of a driver is filled with.
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
	// Comparable says that the tests compare the result by ==, so that an interface
	// can hold it.
	Comparable bool
	// Constants are those that the tests compare the result with.
	Constants []constant
}

type driverParam struct{ Name, Type, Key string }

// solutionFolder holds the solution beside its driver, for it is a package of
// its own.
const solutionFolder = "solution"

// serve is what all drivers share.
//
//go:embed serve/serve.go
var serve []byte

// driverFile holds the calls of a driver. What does not compile there is what the
// tests want, to a student who reads of it.
const driverFile = "tests.go"

// driverModule is the module of a driver.
const driverModule = "driver"

// packageFile names the package that a solution must be of.
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

// ErrorType implements lang.Writer: tests compare the text alone.
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

// crash matches the first line of what Go prints when a program crashes.
var crash = lazy.Regexp(`(?m)^(panic: |fatal error: |runtime: (goroutine stack exceeds|program exceeds|failed to create|out of memory)|unexpected fault address |SIG[A-Z]+: |runtime\.Goexit was called )`)

// machine matches lines of a crash that tell only of the machine, and of the limit of
// the stack, which is the driver's own at first.
var machine = lazy.Regexp(`^(runtime: sp=|runtime: goroutine stack exceeds |unexpected fault address |\[signal |PC=)`)

// frame matches the second line of a call in a trace, with its file and line.
var frame = lazy.Regexp(`^\t(.*\.go:[0-9]+)( .*)?$`)

// Overflowed reports whether a program's stack has overflowed: the calls that led
// there, the first to be printed, are there. To count the others takes seconds.
func (Go) Overflowed(printed string) bool {
	const calls = 20
	at := strings.LastIndex(printed, "\nfatal error: stack overflow\n")
	return at >= 0 && strings.Count(printed[at:], "\n\t") >= calls
}

// Crash shows the message of a crash and the lines of the solution that led to
// it, and what was printed before. Other lines of the trace concern the driver and
// Go itself.
func (Go) Crash(printed string) (said, before string) {
	found := crash().FindStringIndex(printed)
	if found == nil {
		return "", printed
	}
	const mostLines, mostFrames = 10, 8
	var lines, frames []string
	inTrace := false
	for line := range strings.Lines(printed[found[0]:]) {
		line = strings.TrimRight(line, "\r\n")
		inTrace = inTrace || strings.HasPrefix(line, "goroutine ") || line == "runtime stack:"
		if !inTrace {
			if len(lines) < mostLines && line != "" && !machine().MatchString(line) {
				lines = append(lines, strings.Replace(line, "fatal error: stack overflow", "stack overflow: does a recursion never end?", 1))
			}
			continue
		}
		m := frame().FindStringSubmatch(line)
		if m == nil || !strings.Contains(m[1], "/"+solutionFolder+"/") || len(frames) == mostFrames {
			continue
		}
		// A function that calls itself is one line.
		if at := "    " + m[1]; len(frames) == 0 || frames[len(frames)-1] != at {
			frames = append(frames, at)
		}
	}
	return strings.Join(append(lines, frames...), "\n"), printed[:found[0]]
}
