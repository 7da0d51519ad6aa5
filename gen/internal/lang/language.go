package lang

import "stateoftictactoe/gen/internal/spec"

// Language is a programming language: what it is, how the tests of an exercise are
// written in it, and how they and its solutions run.
type Language interface {
	Facts() *Facts
	Writer
	Tester
	Driven
}

// Facts are what there is to know of a language.
type Facts struct {
	// Name is the track's slug, as in --lang go.
	Name string
	// Title is the language's name for people.
	Title string
	// Needs names the programs that must be installed. The first runs the others'
	// programs.
	Needs []Need

	// Layout names the files of a new exercise.
	Layout func(slug string) Files
	// Mangle is what the language makes of a test's name: tests whose names are equal
	// after it are the same test.
	Mangle func(name string) string
	// IsTest reports whether a file of this name holds tests, by the custom of the
	// language.
	IsTest func(name string) bool
	// IsSource reports whether a file of this name, with slashes, is one that the tests
	// would have a solution use. Of a folder, whose name ends in a slash, it says whether
	// such a file can lie in it. It is nil where a solution has no further files.
	IsSource func(name string) bool
	// FunctionName names the function of a property to which the settings give no name.
	FunctionName func(property string) string

	// Syntax tells what of a test file makes no difference to the tests in it.
	Syntax Syntax
	// NullIsAbsent reports whether tests treat a map key with a null value like a missing
	// key.
	NullIsAbsent bool
	// Numbers tells which numbers are equal.
	Numbers Numbers

	// SolutionFolder is where in a program's folder the solution lies beside its driver;
	// "" is the folder itself.
	SolutionFolder string
	// SetsAside is how many bytes of addresses a program has no memory for at most; 0 if
	// that is not known.
	SetsAside uint64
}

// Writer writes what an exercise has in a language.
type Writer interface {
	// Tests writes the test file. The text is what the language's formatter would leave.
	Tests(u *Unit) ([]byte, error)
	// Stub writes the file that a student starts from. It compiles, and fails every case.
	Stub(u *Unit) ([]byte, error)
	// Oracle writes a solution that answers from the file that the environment variable
	// AnswersVariable names, in the format of Answers.
	Oracle(u *Unit) ([]byte, error)
	// Driver writes the program that calls a solution for the harness, by file name in
	// the program's folder.
	Driver(u *Unit) (map[string][]byte, error)
	// Codes is the code of each case alone, as the test file has it, in the order of
	// Names.
	Codes(u *Unit) ([]string, error)
	// Project writes what an exercise in a folder of its own needs beside its solution
	// and tests, by file name.
	Project(u *Unit) (map[string][]byte, error)
	// ErrorType names the type that an error of a solution must have, or is empty where
	// the language's errors have no types that tests compare.
	ErrorType(u *Unit) string
	// Wording is how the language writes the values of a function's cases.
	Wording(f *spec.Function) Wording
	// CheckSettings reports a setting that the language cannot follow. The fault of one
	// setting is a *SettingError.
	CheckSettings(u *Unit) error
}

// Tester is how the tests of a language are run. Programs lie side by side in one work
// dir, each in its own folder.
type Tester interface {
	// StudentCommand is what a student types in the exercise's folder.
	StudentCommand(u *Unit) []string
	// Shared is what the work dir holds beside the programs, by file name.
	Shared() map[string][]byte
	// Libraries are what the programs' tests import beside what comes with the language.
	Libraries(programs []Program) []Library
	// Build is the command that prepares all programs at once, or nil where nothing needs
	// to be built.
	Build(programs []Program) *Command
	// Run is the command that runs the tests of one program.
	Run(p Program) Command
	// Report reads what Run printed. A test that is not in it did not report.
	Report(u *Unit, output []byte) map[string]Outcome
	// IDs are the names under which Report tells of the cases of a unit, in the order
	// of Names.
	IDs(u *Unit) []string
}

// Driven is how a solution is run by its driver, which has been built if need be.
type Driven interface {
	// Drive is the command that runs a program's driver.
	Drive(p Program) Command
	// Crash returns what matters to a student of the crash that a program has printed, if
	// anything does, and what it had printed before: all of it if there was no crash.
	Crash(printed string) (said, before string)
	// Overflowed reports whether a program has printed that its stack overflowed, and all
	// that Crash needs of it. It may take seconds to print the rest. It is for languages
	// in which a stack that overflows ends the process.
	Overflowed(printed string) bool
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
	Facts    *Facts // of the language
	Suite    *spec.Suite
	Settings Settings
	Files    Files
	// Names holds the name of each case of the suite, in the order of Cases.
	Names []string
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
		Facts:    l.Facts(),
		Settings: settings,
		Files:    l.Facts().Layout(slug),
	}
	u.Suite = spec.Infer(slug, cases, u.Comparison)
	u.Names = spec.Names(u.Suite.Cases(), u.Facts.Mangle)
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

		NullIsAbsent:    u.Facts.NullIsAbsent,
		IntegersApart:   u.Facts.Numbers.IntegersApart && f.HasLargeInts(),
		BoolsAreNumbers: u.Facts.Numbers.IncludeBools,
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
