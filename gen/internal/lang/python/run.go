package python

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"stateoftictactoe/gen/internal/lang"
)

// Interpreter is the program that runs Python.
const Interpreter = "python3"

//go:embed programs/report.py
var reporter []byte

// reporterFile runs tests in the work dir. No exercise has a module of this
// name.
const reporterFile = "_report.py"

// Shared implements lang.Tester.
func (Python) Shared() map[string][]byte { return map[string][]byte{reporterFile: reporter} }

// Libraries implements lang.Tester.
func (Python) Libraries([]lang.Program) []lang.Library { return nil }

// Build implements lang.Tester. Nothing is built.
func (Python) Build([]lang.Program) *lang.Command { return nil }

// options keep Python from reading the user's settings and packages and from writing caches
// beside the programs, and let it print any text in any locale.
var options = []string{"-E", "-s", "-B", "-X", "utf8"}

// Run implements lang.Tester.
func (Python) Run(p lang.Program) lang.Command {
	// Writing the tests has refused a name that cannot be imported.
	name, _ := module(p.Unit.Files.Test)
	return lang.Command{
		Args: slices.Concat([]string{Interpreter}, options, []string{"../" + reporterFile, name}),
		Dir:  p.Dir,
	}
}

// IDs implements lang.Tester.
func (Python) IDs(u *lang.Unit) []string {
	ids := make([]string, len(u.Names))
	for i, name := range u.Names {
		ids[i] = mangle(name)
	}
	return ids
}

// Report implements lang.Tester. A mark in front tells the reporter's lines from the
// solution's output.
func (Python) Report(_ *lang.Unit, output []byte) map[string]lang.Outcome {
	outcomes := map[string]lang.Outcome{}
	for line := range strings.Lines(string(output)) {
		text, marked := strings.CutPrefix(line, "\x16")
		if !marked {
			continue
		}
		var test struct {
			Test    string
			Passed  bool
			Message string
			Case    string // the description of a case that is run inside the test
		}
		if err := json.Unmarshal([]byte(text), &test); err == nil && test.Test != "" {
			if test.Case != "" {
				test.Test = mangle(test.Case)
			}
			// A case that two tests run passes if it passes in both.
			if other, seen := outcomes[test.Test]; !seen || other.Passed {
				outcomes[test.Test] = lang.Outcome{Passed: test.Passed, Message: test.Message}
			}
		}
	}
	return outcomes
}

// Drive implements lang.Driven.
func (Python) Drive(p lang.Program) lang.Command {
	return lang.Command{
		Args: []string{Interpreter, "-I", "-B", "-X", "utf8", driverFile},
		Dir:  p.Dir,
	}
}

// StudentCommand implements lang.Tester.
func (Python) StudentCommand(u *lang.Unit) []string {
	module := strings.TrimSuffix(path.Base(u.Files.Test), ".py")
	return []string{Interpreter, "-m", "unittest", module}
}

// ErrorType implements lang.Writer.
func (Python) ErrorType(u *lang.Unit) string {
	return cmp.Or(u.Settings.ErrorType, defaultErrorType)
}
