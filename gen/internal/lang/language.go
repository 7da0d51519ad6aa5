package lang

import (
	"cmp"

	"stateoftictactoe/gen/internal/spec"
)

// Language is a programming language: its facts, how it writes the tests of an exercise,
// and how its tests and solutions run.
type Language interface {
	Facts() *Facts
	Writer
	Tester
	Driven
}

// Facts are the properties of a language.
type Facts struct {
	// Name is the track's slug, as in --lang go.
	Name string
	// Title is the language's name for people.
	Title string
	// Needs names the programs that must be installed. The first runs the language's
	// programs.
	Needs []Need

	// Layout names the files of a new exercise.
	Layout func(slug string) Files
	// Mangle changes a test's name as the language does. Tests whose mangled names are
	// equal are the same test.
	Mangle func(name string) string
	// IsTest reports whether a file with this name holds tests, by the language's custom.
	IsTest func(name string) bool
	// IsSource reports whether a solution can use a file with this slash-separated name
	// when the tests run. For a folder, whose name ends in a slash, it reports whether such
	// a file can lie in it. It is nil if a solution can have no further files.
	IsSource func(name string) bool
	// FunctionName names the function of a property that has no name in the settings.
	FunctionName func(property string) string

	// Ignores lists the keys of settings that the language does not use. In the language's
	// own table they are an error.
	Ignores []string

	// Syntax tells which changes to a test file leave its tests the same.
	Syntax Syntax
	// NullIsAbsent reports whether tests treat a map key with a null value like a missing
	// key.
	NullIsAbsent bool
	// Numbers tells which numbers are equal.
	Numbers Numbers

	// SolutionFolder is the folder of the solution and its driver, relative to the
	// program's folder; "" is the program's folder itself.
	SolutionFolder string
	// SetsAside is the most bytes of addresses that a program reserves without using them
	// as memory, or 0 if unknown.
	SetsAside uint64
}

// Function names the function of a property: as the settings do, or else as FunctionName
// does.
func (f *Facts) Function(s Settings, property string) string {
	return cmp.Or(s.Properties[property].Function, f.FunctionName(property))
}

// Writer writes the files of an exercise in a language.
type Writer interface {
	// Tests writes the test file. The language's formatter would not change the text.
	Tests(u *Unit) ([]byte, error)
	// Stub writes the file that a student starts from. It compiles, and fails every case.
	Stub(u *Unit) ([]byte, error)
	// Oracle writes a solution that answers from the file that the environment variable
	// AnswersVariable names, in the format of Answers.
	Oracle(u *Unit) ([]byte, error)
	// Driver writes the program that calls a solution for the harness, by file name in
	// the program's folder.
	Driver(u *Unit) (map[string][]byte, error)
	// Codes is the code of each case from the test file, in the order of Names.
	Codes(u *Unit) ([]string, error)
	// Project writes the files that an exercise in a folder of its own needs beside its
	// solution and tests, by file name.
	Project(u *Unit) (map[string][]byte, error)
	// ErrorType names the type that an error of a solution must have, or is "" if the
	// language's tests compare no types of errors.
	ErrorType(u *Unit) string
	// Wording says how the language writes the values of a function's cases.
	Wording(f *spec.Function) Wording
	// CheckSettings returns an error for a setting that the language cannot follow. The
	// error is a *SettingError if a single setting is at fault.
	CheckSettings(u *Unit) error
}

// Tester says how the tests of a language are run. Programs lie side by side in one work
// dir, each in its own folder.
type Tester interface {
	// StudentCommand is the command that a student types in the exercise's folder.
	StudentCommand(u *Unit) []string
	// Shared are the files in the work dir beside the programs, by file name.
	Shared() map[string][]byte
	// Libraries are the libraries that the programs' tests import and that do not come
	// with the language.
	Libraries(programs []Program) []Library
	// Build is the command that prepares all programs at once, or nil if nothing needs to
	// be built.
	Build(programs []Program) *Command
	// Run is the command that runs the tests of one program.
	Run(p Program) Command
	// Report reads the output of Run into outcomes by test. A test without an outcome did
	// not report.
	Report(u *Unit, output []byte) map[string]Outcome
	// IDs are the keys of a unit's cases in Report's result, in the order of Names.
	IDs(u *Unit) []string
}

// Driven says how a driver, built if need be, runs a solution.
type Driven interface {
	// Drive is the command that runs a program's driver.
	Drive(p Program) Command
	// Crash splits the output of a program: said is the part of the report of a crash that
	// helps a student, and before is the output before the report, or all of it if there
	// was no crash.
	Crash(printed string) (said, before string)
	// Overflowed reports whether a program has printed that its stack overflowed, and as
	// much of the report as Crash needs: the rest may take seconds. It is for languages
	// in which an overflow ends the process.
	Overflowed(printed string) bool
}

// Need is a program that a language needs to run tests.
type Need struct {
	Program string
	Hint    string   // how to get it
	Try     []string // arguments with which it starts and does nothing else
}

// Missing says that the program is not installed, and how to get it.
func (n Need) Missing() string { return n.Program + " is not installed; " + n.Hint }

// Library is code that tests import and that must be installed.
type Library struct {
	Need  Need
	Check Command // fails if it is not installed
}

// Program is a solution with its tests in one folder.
type Program struct {
	Dir  string // relative to the work dir, slash-separated; one path element
	Unit *Unit
}

// Command is a process to start.
type Command struct {
	Args []string
	Dir  string   // relative to the work dir
	Env  []string // added to the environment
}

// Outcome is the result of a test.
type Outcome struct {
	Passed  bool
	Message string
}

// Files names the files of an exercise, relative to its folder.
type Files struct {
	Solution string
	Test     string
	Example  string
}

// Unit is one exercise, ready to be written in one language.
type Unit struct {
	Facts    *Facts // of the language
	Suite    *spec.Suite
	Settings Settings
	Files    Files
	// Names holds the name of each case of the suite, in the order of Cases.
	Names []string
	// Template, if any, takes the place of the language's own test template.
	Template string
	// TemplateFile is the path of the template, for errors.
	TemplateFile string
	// Project holds the files of Language.Project that the exercise already has.
	Project map[string][]byte
	// Standing holds those of the solution, the example and the tests that the exercise
	// already has.
	Standing map[string][]byte
	// Helpers are the exercise's own files beside every solution, by slash-separated name.
	// Solutions use them; submissions cannot change them.
	Helpers map[string][]byte
}

// NewUnit prepares the selected cases of an exercise for a language, without the cases
// that the settings exclude.
func NewUnit(l Language, slug string, selected []*spec.Case, settings Settings) *Unit {
	cases, settings := share(l, settings.left(selected), settings)
	u := &Unit{
		Facts:    l.Facts(),
		Settings: settings,
		Files:    l.Facts().Layout(slug),
	}
	u.Suite = spec.Infer(slug, cases, u.Comparison)
	u.Names = spec.Names(u.Suite.Cases(), u.Facts.Mangle)
	return u
}

// Numbers says how the tests of a language compare numbers in results of type any.
type Numbers struct {
	// IntegersApart reports whether the integers of a function with large integers have a
	// type that no other number is equal to.
	IntegersApart bool
	// IncludeBools reports whether true equals 1 and false equals 0.
	IncludeBools bool
}

// TemplateName is the name of the exercise's own template in errors: its file.
func (u *Unit) TemplateName() string {
	if u.TemplateFile == "" {
		return "template"
	}
	return u.TemplateFile
}

// HasTests reports whether the unit's test file has a test, for a case or from the
// exercise's own template.
func (u *Unit) HasTests() bool { return len(u.Names) > 0 || u.Template != "" }

// Comparison says how the results of a function are compared.
func (u *Unit) Comparison(f *spec.Function) spec.Comparison {
	p := u.Settings.Properties[f.Property]
	errors := p.Errors
	if errors == "" {
		errors = u.Settings.Errors
	}
	return spec.Comparison{
		Unordered: p.Unordered,
		Tolerance: p.Tolerance,
		AnyError:  errors == AnyError,

		NullIsAbsent:    u.Facts.NullIsAbsent,
		IntegersApart:   u.Facts.Numbers.IntegersApart && f.HasLargeInts(),
		BoolsAreNumbers: u.Facts.Numbers.IncludeBools,
	}
}

// AnswersVariable names the environment variable with the path of the file
// that an oracle reads.
const AnswersVariable = "ORACLE_ANSWERS"

// Answers is the file that an oracle reads: for each case the input, byte for byte as in
// the canonical data, and the result to give.
type Answers []Answer

// Answer is one line of Answers.
type Answer struct {
	Property string  `json:"property"`
	Input    RawJSON `json:"input"`
	Result   RawJSON `json:"result"`
}

// RawJSON is a JSON value as it was read, byte for byte.
type RawJSON []byte

// MarshalJSON implements json.Marshaler.
func (r RawJSON) MarshalJSON() ([]byte, error) { return r, nil }
