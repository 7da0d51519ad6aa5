package judge

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/sandbox"
	"stateoftictactoe/gen/internal/spec"
	"stateoftictactoe/gen/internal/toolchain"
)

// Language is the part of a language that judging needs.
type Language interface {
	lang.Driven
	Tests(u *lang.Unit) ([]byte, error)
	Stub(u *lang.Unit) ([]byte, error)
	Driver(u *lang.Unit) (map[string][]byte, error)
	Codes(u *lang.Unit) ([]string, error)
	ErrorType(u *lang.Unit) string
	Wording(f *spec.Function) lang.Wording
}

// Exercise holds the parts that all submissions to an exercise share.
type Exercise struct {
	language  Language
	toolchain toolchain.Toolchain
	unit      *lang.Unit
	driver    map[string][]byte
	// rows returns a row without a verdict for each case.
	rows func() ([]Row, error)
	// tests returns the tests that a student runs.
	tests func() ([]byte, error)
}

// NewExercise prepares an exercise for judging.
func NewExercise(l Language, t toolchain.Toolchain, u *lang.Unit) (*Exercise, error) {
	if len(u.Names) == 0 {
		return nil, fmt.Errorf("%s: no case can be judged; each needs a template", u.Suite.Slug)
	}
	driver, err := l.Driver(u)
	if err != nil {
		return nil, fmt.Errorf("%s: write the driver: %w", u.Suite.Slug, err)
	}
	e := &Exercise{language: l, toolchain: t, unit: u, driver: driver}
	e.rows = sync.OnceValues(e.newRows)
	e.tests = sync.OnceValues(func() ([]byte, error) { return l.Tests(u) })
	return e, nil
}

func (e *Exercise) newRows() ([]Row, error) {
	codes, err := e.language.Codes(e.unit)
	if err != nil {
		return nil, fmt.Errorf("%s: code of the cases: %w", e.unit.Suite.Slug, err)
	}
	rows := make([]Row, len(codes))
	for i, c := range e.unit.Cases() {
		rows[i] = Row{
			Name: c.Name, Group: groupOf(c.Case, c.Name), TestCode: codes[i],
			Task: e.unit.Settings.Properties[c.Function.Property].Task,
		}
	}
	return rows, nil
}

// arrow stands between the groups and the description of a case.
const arrow = " -> "

// groupOf is the path of the groups around a case, without those that its name shows.
func groupOf(c *spec.Case, name string) string {
	shown := strings.Count(name, arrow) - strings.Count(c.Description, arrow)
	return strings.Join(c.Groups[:max(len(c.Groups)-max(shown, 0), 0)], arrow)
}

// Paths are the names of all cases behind all groups around them.
func (e *Exercise) Paths() ([]string, error) {
	rows, err := e.rows()
	paths := make([]string, len(rows))
	for i, row := range rows {
		if paths[i] = row.Name; row.Group != "" {
			paths[i] = row.Group + arrow + row.Name
		}
	}
	return paths, err
}

// Job is a submission to judge.
type Job struct {
	// Solution holds the submitted files, by slash-separated name.
	Solution map[string][]byte
	// Time is the limit for building and trying all cases.
	Time time.Duration
	// Memory is how many bytes of data the solution may have; 0 is the default.
	Memory    uint64
	Isolation sandbox.Isolation
	// Hide names folders that the solution may not read, wherever they lie: the folders
	// of the expected results and of the submission.
	Hide []string
	// Without leaves out layers of isolation, for tests.
	Without []sandbox.Layer
	// Cases, if set, picks the cases to try, by their index.
	Cases func(i int) bool
	// Done, if set, is called with each final row, in any order.
	Done func(Row)
}

// Defaults. The host of a test runner gives 20 seconds and 3 GB.
const (
	DefaultTime   = 18 * time.Second
	DefaultMemory = 2 << 30
)

// Judge judges a submission. An error means that the submission could not be tried, and
// that this is not its fault.
func (e *Exercise) Judge(ctx context.Context, job Job) (*Verdict, error) {
	if job.Time == 0 {
		job.Time = DefaultTime
	}
	if job.Memory == 0 {
		job.Memory = DefaultMemory
	}
	s, err := e.newSession(job, time.Now().Add(job.Time))
	if err != nil {
		return nil, err
	}
	defer s.close()
	verdict, err := s.judge(ctx)
	if err != nil {
		return nil, err
	}
	if verdict.Missing = s.run.Missing(); len(verdict.Missing) == 0 {
		verdict.Missing = s.workshop.Missing
	}
	return verdict, nil
}
