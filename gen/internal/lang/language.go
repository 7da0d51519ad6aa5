package lang

import "stateoftictactoe/gen/internal/spec"

// Language writes the tests of an exercise in one programming language, and
// says how they are run and how the report of that run reads.
type Language interface {
	// Name is the track's slug, as in --lang go.
	Name() string
	// Title is the language's name for people.
	Title() string
	// Layout names the files of a new exercise.
	Layout(slug string) Files
	// Mangle is what the language makes of a test's name: tests whose names are
	// equal after it are the same test.
	Mangle(name string) string

	// IsTest reports whether a file of this name holds tests, by the custom of the
	// language.
	IsTest(name string) bool

	// Syntax tells what of a test file makes no difference to the tests in it.
	Syntax() Syntax

	// NullIsAbsent says that the tests take a map's key without a value for a key
	// that is not there.
	NullIsAbsent() bool

	// Tests writes the test file. Names collide in no package, and the text is
	// what the language's formatter would leave.
	Tests(u *Unit) ([]byte, error)
	// Stub writes the file that a student starts from. It compiles, and fails
	// every case.
	Stub(u *Unit) ([]byte, error)
	// Oracle writes a solution that answers from the file that the environment
	// variable AnswersVariable names, in the format of Answers.
	Oracle(u *Unit) ([]byte, error)
	// Driver writes the program that calls a solution for the harness, by file
	// name in the program's folder.
	Driver(u *Unit) (map[string][]byte, error)
	// Codes is the code of each case alone, as the test file has it, in the order of
	// Names.
	Codes(u *Unit) ([]string, error)
	// ErrorType names the type that an error of a solution must have, or is empty
	// where the language's errors have no types that tests compare.
	ErrorType(u *Unit) string
	// Wording is how the language writes the values of a function's cases.
	Wording(f *spec.Function) Wording
	// Project writes what an exercise in a folder of its own needs beside its
	// solution and tests, by file name.
	Project(u *Unit) (map[string][]byte, error)

	Tool
}

// Tool is how the tests of a language are run. Programs lie side by side in one
// work dir, each in its own folder.
type Tool interface {
	// Needs names the programs that must be installed, and how to get them.
	Needs() []Need
	// StudentCommand is what a student types in the exercise's folder.
	StudentCommand(u *Unit) []string
	// Shared is what the work dir holds beside the programs, by file name.
	Shared() map[string][]byte
	// Libraries are what the programs' tests import beside what comes with the
	// language.
	Libraries(programs []Program) []Library
	// Build is the command that prepares all programs at once, or nil where
	// nothing needs to be built.
	Build(programs []Program) *Command
	// Run is the command that runs the tests of one program.
	Run(p Program) Command
	// SolutionFolder is where in a program's folder the solution lies beside its
	// driver; "" is the folder itself.
	SolutionFolder() string
	// Drive is the command that runs a program's driver.
	Drive(p Program) Command
	// Report reads what Run printed. A test that is not in it did not report.
	Report(u *Unit, output []byte) map[string]Outcome
	// IDs are the names under which Report tells of the cases of a unit, in the order
	// of Names.
	IDs(u *Unit) []string
}

// Need is a program that a language's tests are run with.
type Need struct {
	Program string
	Hint    string   // how to get it
	Try     []string // arguments with which it starts and does nothing else
}

// Library is code that tests import, which must be installed.
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

// Outcome is what a test came to.
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
	Suite    *spec.Suite
	Settings Settings
	Files    Files
	// Names holds the name of each case of the suite, in the order of Cases.
	Names []string
	// NullIsAbsent is the language's.
	NullIsAbsent bool
	numbers      Numbers
	// Template, if any, takes the place of the language's own test template.
	Template string
	// TemplateFile is where the template stands, for errors.
	TemplateFile string
	// Project holds those files of Language.Project that the exercise has already.
	Project map[string][]byte
	// Standing holds the solution, the example and the tests, as far as they stand
	// in the exercise already.
	Standing map[string][]byte
	// Helpers are the exercise's own files beside every solution, by slash-separated
	// name: solutions use them, and no submission changes them.
	Helpers map[string][]byte
}

// NewUnit prepares the selected cases of an exercise for a language. Cases that
// the settings leave out are left out.
func NewUnit(l Language, slug string, selected []*spec.Case, settings Settings) *Unit {
	cases, settings := share(l, settings.left(selected), settings)
	u := &Unit{
		Settings:     settings,
		Files:        l.Layout(slug),
		NullIsAbsent: l.NullIsAbsent(),
	}
	if n, ok := l.(numeric); ok {
		u.numbers = n.Numbers()
	}
	u.Suite = spec.Infer(slug, cases, u.Comparison)
	u.Names = spec.Names(u.Suite.Cases(), l.Mangle)
	return u
}

// Numbers says how the tests of a language compare numbers in results that have no
// one type.
type Numbers struct {
	// IntegersApart: where a function has large integers, these are of a type that no
	// other number is equal to.
	IntegersApart bool
	// IncludeBools: true is 1, and false is 0.
	IncludeBools bool
}

// numeric is a Language in which equal numbers are not all that is equal.
type numeric interface{ Numbers() Numbers }

// TemplateName names the exercise's own template in errors: by its file.
func (u *Unit) TemplateName() string {
	if u.TemplateFile == "" {
		return "template"
	}
	return u.TemplateFile
}

// HasTests reports whether a test file of the unit has a test: for a case that the
// data decide, or from the exercise's own template.
func (u *Unit) HasTests() bool { return len(u.Names) > 0 || u.Template != "" }

// Comparison is how the results of a property are compared.
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

		NullIsAbsent:    u.NullIsAbsent,
		IntegersApart:   u.numbers.IntegersApart && f.HasLargeInts(),
		BoolsAreNumbers: u.numbers.IncludeBools,
	}
}

// AnswersVariable names the environment variable with the path of the file
// that an oracle reads.
const AnswersVariable = "ORACLE_ANSWERS"

// Answers is the file an oracle reads: for each case the input as the canonical
// data write it, byte for byte, and the result to give.
type Answers []Answer

// Answer is one line of Answers.
type Answer struct {
	Property string  `json:"property"`
	Input    RawJSON `json:"input"`
	Result   RawJSON `json:"result"`
}

// RawJSON is a value that is written as it was read.
type RawJSON []byte

// MarshalJSON implements json.Marshaler.
func (r RawJSON) MarshalJSON() ([]byte, error) { return r, nil }
