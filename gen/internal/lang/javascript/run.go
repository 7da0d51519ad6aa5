package javascript

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"path"

	"stateoftictactoe/gen/internal/lang"
)

// Files that all programs of a work dir share.
const (
	reporterFile = "reporter.mjs"
	jestFile     = "node_modules/@jest/globals/index.js"
)

// modulePackage is a package.json that makes files modules.
var modulePackage = []byte("{ \"type\": \"module\" }\n")

//go:embed programs/reporter.mjs
var reporter []byte

// The module that stands in for jest.
var (
	//go:embed programs/jest.js
	jestModule []byte
	//go:embed programs/jest.json
	jestPackage []byte
)

// Shared implements lang.Tester. Tests for jest run without jest: they use little of it,
// and a small module stands in for it.
func (JavaScript) Shared() map[string][]byte {
	return map[string][]byte{
		"package.json":                       modulePackage,
		reporterFile:                         reporter,
		jestFile:                             jestModule,
		path.Dir(jestFile) + "/package.json": jestPackage,
	}
}

// Libraries implements lang.Tester.
func (JavaScript) Libraries([]lang.Program) []lang.Library { return nil }

// Build implements lang.Tester. Nothing is built.
func (JavaScript) Build([]lang.Program) *lang.Command { return nil }

// Run implements lang.Tester. The test file is run by itself, which takes one
// process where "node --test" takes two.
func (JavaScript) Run(p lang.Program) lang.Command {
	return lang.Command{
		Args: []string{
			"node",
			"--test-reporter=../" + reporterFile,
			"--test-reporter-destination=stdout",
			path.Base(p.Unit.Files.Test),
		},
		Dir: p.Dir,
		Env: environment,
	}
}

// environment unsets variables for other runs of Node: a test runner around this run,
// options, folders of modules and of coverage.
var environment = []string{"NODE_TEST_CONTEXT=", "NODE_OPTIONS=", "NODE_PATH=", "NODE_V8_COVERAGE="}

// IDs implements lang.Tester. No two tests of a file share a name.
func (JavaScript) IDs(u *lang.Unit) []string { return u.Names }

// mark stands before each line of our reporter, and tells it from the solution's output.
const mark = '\x16'

// Report implements lang.Tester.
func (JavaScript) Report(_ *lang.Unit, output []byte) map[string]lang.Outcome {
	outcomes := map[string]lang.Outcome{}
	for line := range bytes.Lines(output) {
		at := bytes.LastIndexByte(line, mark)
		if at < 0 {
			continue
		}
		var result struct {
			Name    string `json:"name"`
			Passed  bool   `json:"passed"`
			Message string `json:"message"`
		}
		if err := json.Unmarshal(line[at+1:], &result); err == nil {
			outcomes[result.Name] = lang.Outcome{Passed: result.Passed, Message: result.Message}
		}
	}
	return outcomes
}

// StudentCommand implements lang.Tester.
func (JavaScript) StudentCommand(*lang.Unit) []string { return []string{"npm", "test"} }

// ErrorType implements lang.Writer.
func (JavaScript) ErrorType(u *lang.Unit) string { return u.Settings.ErrorType }
