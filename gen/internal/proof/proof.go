package proof

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/sandbox"
)

// Item is an exercise whose tests are to be proven.
type Item struct {
	Unit *lang.Unit
	// Stub are the student's files, by name. If the unit's solution file is not among
	// them, the generated stub takes their place.
	Stub map[string][]byte
	// Example are the files of the reference solution, by the names that a student would
	// give them. It is empty if there is no such solution.
	Example map[string][]byte
	// Written are the test files written by hand beside a table, by name.
	Written map[string][]byte
}

// Report is the result of one item's proof.
type Report struct {
	Slug      string  `json:"exercise"`
	Language  string  `json:"language"`
	Cases     int     `json:"cases"`
	Undecided int     `json:"needs_template"`
	Checks    []Check `json:"checks"`

	// Err says why the item could not be tried, for a reason other than a tool.
	Err error `json:"-"`
}

// Proven reports whether every check holds.
func (r *Report) Proven() bool {
	for _, c := range r.Checks {
		if len(c.Problems) > 0 {
			return false
		}
	}
	return true
}

// Check is one run of the tests against a solution whose answers are known.
type Check struct {
	Name string `json:"check"`
	// Claim is what must hold, for people.
	Claim string `json:"claim"`
	// Problems lists what does not hold; empty is good.
	Problems []string `json:"problems,omitempty"`
}

// ToolError means that a tool or library that a proof needs is not installed, or does not
// work. It says nothing about the tests.
type ToolError struct {
	Need   lang.Need
	Output string // how the tool failed, or "" if it is not installed
}

func (e *ToolError) Error() string {
	if e.Output == "" {
		return e.Need.Missing()
	}
	return fmt.Sprintf("%s cannot be used; %s:\n%s", e.Need.Program, e.Need.Hint, e.Output)
}

// Limits of one run. They are wide: a run takes a fraction of a second, but on a
// busy machine the tools take long to start.
const (
	toolTime  = 20 * time.Minute
	runTime   = 2 * time.Minute
	maxOutput = 64 << 20
)

// Language is the part of a language that a proof needs.
type Language interface {
	lang.Tester
	Facts() *lang.Facts
	Tests(u *lang.Unit) ([]byte, error)
	Stub(u *lang.Unit) ([]byte, error)
	Oracle(u *lang.Unit) ([]byte, error)
}

// Prove checks all items in one language, and returns a report for each. It calls progress
// with the number of items done. An error means that no item could be tried.
func Prove(ctx context.Context, l Language, items []Item, progress func(done int)) ([]Report, error) {
	for _, need := range l.Facts().Needs {
		if _, err := exec.LookPath(need.Program); err != nil {
			return nil, &ToolError{Need: need}
		}
	}
	dir, err := sandbox.NewWorkDir()
	if err != nil {
		return nil, err
	}
	defer dir.Remove()
	p := prover{language: l, dir: dir, folders: lang.Taken{}}
	for name, text := range l.Shared() {
		if _, err := dir.Write(name, text); err != nil {
			return nil, err
		}
	}
	reports := make([]Report, len(items))
	exercises := make([]*exercise, len(items))
	for i, item := range items {
		reports[i] = newReport(l, item.Unit)
		exercises[i], reports[i].Err = p.prepare(i, item)
	}
	if len(p.programs) == 0 {
		return reports, nil
	}
	build, err := p.build(ctx)
	if err != nil {
		return nil, err
	}
	var lock sync.Mutex
	done := 0
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, e := range exercises {
		group.Go(func() error {
			var err error
			if reports[i].Err == nil {
				err = e.prove(ctx, &reports[i], build)
			}
			var tool *ToolError
			if err != nil && ctx.Err() == nil && !errors.As(err, &tool) {
				reports[i].Err, err = err, nil // the other items go on
			}
			lock.Lock()
			defer lock.Unlock()
			done++
			progress(done)
			return err
		})
	}
	return reports, group.Wait()
}

type prover struct {
	language Language
	dir      *sandbox.WorkDir
	folders  lang.Taken
	programs []lang.Program
}

// exercise is an item whose programs are laid out in the work dir.
type exercise struct {
	*prover
	index                 int
	item                  Item
	stub, example, oracle *lang.Program // example is nil if there is none
}

func (p *prover) prepare(index int, item Item) (*exercise, error) {
	e := &exercise{prover: p, index: index, item: item}
	test, err := p.language.Tests(item.Unit)
	if err != nil {
		return nil, err
	}
	tests := map[string][]byte{item.Unit.Files.Test: test}
	maps.Copy(tests, item.Written)
	stub := item.Stub
	solution := item.Unit.Files.Solution
	if _, given := stub[solution]; !given {
		text, err := p.language.Stub(item.Unit)
		if err != nil {
			return nil, err
		}
		stub = map[string][]byte{solution: text}
	}
	oracle, err := p.language.Oracle(item.Unit)
	if err != nil {
		return nil, err
	}
	// Two exercises in different folders may have the same slug.
	folder := p.folders.Name(lang.Kebab(item.Unit.Suite.Slug, "exercise"))
	if e.stub, err = p.add(item, folder+"-stub", stub, tests); err != nil {
		return nil, err
	}
	if e.oracle, err = p.add(item, folder+"-oracle", map[string][]byte{solution: oracle}, tests); err != nil {
		return nil, err
	}
	if len(item.Example) > 0 {
		e.example, err = p.add(item, folder+"-example", item.Example, tests)
	}
	return e, err
}

func (p *prover) add(item Item, folder string, solution, tests map[string][]byte) (*lang.Program, error) {
	u := item.Unit
	files := maps.Clone(u.Helpers)
	if files == nil {
		files = map[string][]byte{}
	}
	maps.Copy(files, tests)
	maps.Copy(files, solution)
	// A table has no test to run.
	if len(item.Written) > 0 {
		copied := *u
		copied.Files.Test = slices.Min(slices.Collect(maps.Keys(item.Written)))
		u = &copied
	}
	program := lang.Program{Dir: folder, Unit: u}
	for name, text := range files {
		if _, err := p.dir.Write(program.Dir+"/"+name, text); err != nil {
			return nil, err
		}
	}
	p.programs = append(p.programs, program)
	return &program, nil
}

// build builds all programs and returns the tool's output. A program that does not build
// shows when it is run. If the tool fails and names no program, it has built none, and
// build returns an error.
func (p *prover) build(ctx context.Context) (string, error) {
	for _, l := range p.language.Libraries(p.programs) {
		if err := p.check(ctx, l.Need, l.Check); err != nil {
			return "", err
		}
	}
	command := p.language.Build(p.programs)
	if command == nil {
		return "", nil
	}
	result, err := p.runTool(ctx, p.tool(), *command)
	if err != nil {
		return "", err
	}
	output := string(result.Output)
	named := func(p lang.Program) bool { return about(output, p.Dir) != "" }
	if result.ExitCode != 0 && !slices.ContainsFunc(p.programs, named) {
		return "", failure(p.tool(), result)
	}
	return output, nil
}

// tool is the tool that runs the language's programs.
func (p *prover) tool() lang.Need { return p.language.Facts().Needs[0] }

// works returns an error if the tool that runs programs cannot start at all.
func (p *prover) works(ctx context.Context) error {
	need := p.tool()
	return p.check(ctx, need, lang.Command{Args: append([]string{need.Program}, need.Try...)})
}

// check runs a command that fails if the need is not met.
func (p *prover) check(ctx context.Context, need lang.Need, command lang.Command) error {
	result, err := p.runTool(ctx, need, command)
	if err == nil && result.ExitCode != 0 {
		return failure(need, result)
	}
	return err
}

// runTool runs a tool, but no program of an exercise.
func (p *prover) runTool(ctx context.Context, need lang.Need, command lang.Command) (*sandbox.Result, error) {
	result, err := p.dir.Run(ctx, sandbox.Command(command), sandbox.Limits{Time: toolTime, Output: maxOutput})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, &ToolError{need, err.Error()}
	case result.TimedOut:
		return nil, &ToolError{need, fmt.Sprintf("it took more than %v", toolTime)}
	}
	return result, nil
}

func failure(need lang.Need, result *sandbox.Result) error {
	how := fmt.Sprintf("exit code %d\n%s", result.ExitCode, tail(string(result.Output)))
	return &ToolError{need, strings.TrimSpace(how)}
}

// verdict is what the tests say of one case.
type verdict int

const (
	silent verdict = iota // it did not report
	failed
	passed
)

// outcome is a verdict with the test's message.
type outcome struct {
	verdict verdict
	message string
}

// shown is how many cases of one kind are described in full.
const shown = 3

// run runs a program's tests and returns the outcome of each case; problems say
// which cases did not report, and why.
func (e *exercise) run(ctx context.Context, p *lang.Program, build string, env ...string) (got []outcome, problems []string, err error) {
	got = make([]outcome, len(p.Unit.Names))
	command := e.language.Run(*p)
	command.Env = append(command.Env, env...)
	result, err := e.dir.Run(ctx, sandbox.Command(command), sandbox.Limits{Time: runTime, Output: maxOutput})
	if err != nil {
		// A program that was not built cannot start.
		if build != "" {
			return got, []string{"does not build:\n" + e.withoutFolder(p, cmp.Or(about(build, p.Dir), tail(build)))}, nil
		}
		return nil, nil, cmp.Or(e.works(ctx), err)
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	outcomes := e.language.Report(p.Unit, result.Output)
	var mute []string
	ids := e.language.IDs(p.Unit)
	for i, name := range p.Unit.Names {
		reported, found := outcomes[ids[i]]
		switch {
		case !found:
			mute = append(mute, name)
		case reported.Passed:
			got[i] = outcome{verdict: passed}
		default:
			got[i] = outcome{failed, e.withoutFolder(p, reported.Message)}
		}
	}
	// A test written by hand may not catch the stub's exception; the run then ends at the
	// first case.
	hasFailed := func(o outcome) bool { return o.verdict == failed }
	if p == e.stub && len(e.item.Written) > 0 && result.ExitCode != 0 && slices.ContainsFunc(got, hasFailed) {
		return got, nil, nil
	}
	switch len(mute) {
	case 0:
		return got, nil, nil
	case len(got): // all cases, so they need no names
		if err := e.works(ctx); err != nil {
			return nil, nil, err
		}
	default:
		for _, name := range mute[:min(shown, len(mute))] {
			problems = append(problems, fmt.Sprintf("%q did not report", name))
		}
	}
	problems = append(problems, fmt.Sprintf("%d of %d cases did not report; exit code %d:\n%s",
		len(mute), len(got), result.ExitCode, e.withoutFolder(p, tail(string(result.Output)))))
	if len(e.item.Written) > 0 {
		problems = append(problems, "a test written by hand must run each case as a test named by its description")
	}
	return got, problems, nil
}

// withoutFolder takes the program's folder out of a text, so that files have the names
// that the exercise gives them.
func (e *exercise) withoutFolder(p *lang.Program, text string) string {
	for _, folder := range []string{filepath.Join(e.dir.Path, p.Dir) + string(filepath.Separator), p.Dir + "/"} {
		text = strings.ReplaceAll(text, folder, "")
	}
	return strings.ReplaceAll(text, p.Dir, e.item.Unit.Suite.Slug)
}

// about keeps the lines of a build's output that name one program's folder, and the
// indented lines that follow them.
func about(output, dir string) string {
	var lines []string
	concerns := false
	for line := range strings.Lines(output) {
		if !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t") || strings.Contains(line, dir) {
			concerns = strings.Contains(line, dir)
		}
		if concerns {
			lines = append(lines, line)
		}
	}
	return strings.TrimSpace(strings.Join(lines, ""))
}

func tail(text string) string {
	const most = 2000
	text = strings.TrimSpace(text)
	if len(text) > most {
		text = "..." + text[len(text)-most:]
	}
	return strings.ToValidUTF8(text, "?")
}

func newReport(l Language, u *lang.Unit) Report {
	return Report{
		Slug:      u.Suite.Slug,
		Language:  l.Facts().Name,
		Cases:     len(u.Names),
		Undecided: len(u.Suite.Undecided),
	}
}

func (e *exercise) prove(ctx context.Context, report *Report, build string) error {
	u := e.item.Unit
	if len(u.Names) == 0 {
		return nil
	}
	plan, err := newPlan(u)
	if err != nil {
		return err
	}
	check := func(name, claim string, p *lang.Program, want []bool, env ...string) error {
		got, problems, err := e.run(ctx, p, build, env...)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		problems = append(problems, differences(u.Names, want, got)...)
		report.Checks = append(report.Checks, Check{name, claim, problems})
		return nil
	}
	all, none := make([]bool, len(u.Names)), make([]bool, len(u.Names))
	for i := range all {
		all[i] = true
	}
	if err := check("stub", "fails every case", e.stub, none); err != nil {
		return err
	}
	if e.example != nil {
		if err := check("example", "passes every case", e.example, all); err != nil {
			return err
		}
	}
	for _, run := range plan.runs() {
		text, err := json.Marshal(run.answers)
		if err != nil {
			return err
		}
		path, err := e.dir.Write("_answers/"+strconv.Itoa(e.index)+"-"+run.name+".json", text)
		if err != nil {
			return err
		}
		if err := check(run.name, run.claim, e.oracle, run.passes, lang.AnswersVariable+"="+path); err != nil {
			return err
		}
	}
	return nil
}

// differences names the cases that wrongly passed, and the cases that wrongly failed, the
// first few of these with the test's message.
func differences(names []string, want []bool, got []outcome) []string {
	var problems []string
	said := 0
	for i := range want {
		switch {
		case want[i] && got[i].verdict == failed:
			problem := fmt.Sprintf("%q failed, but should pass", names[i])
			if message := tail(got[i].message); message != "" && said < shown {
				problem += ":\n" + message
				said++
			}
			problems = append(problems, problem)
		case !want[i] && got[i].verdict == passed:
			problems = append(problems, fmt.Sprintf("%q passed, but should fail", names[i]))
		}
	}
	return problems
}
