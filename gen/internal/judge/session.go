package judge

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"strings"
	"time"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/runner"
	"stateoftictactoe/gen/internal/spec"
)

// session is one submission being judged.
type session struct {
	*Exercise
	Job
	dir      *runner.WorkDir
	program  lang.Program
	deadline time.Time
	run      *runner.Box
	tools    runner.Tools
	missing  []string // layers of isolation that the compiler lacked
	trials   []*trial

	process *runner.Process // nil if none runs
	release func() bool     // ends the process's tie to the context
	// answered says that the process has answered before. What it does wrong then
	// may be another case's doing.
	answered bool
}

// trial is one case being judged.
type trial struct {
	function *spec.Function
	of       *spec.Case
	row      Row
	output   capture       // what the solution printed
	given    time.Duration // how long it was waited for at most
	what     string        // what happened if it did not pass
}

// programFolder is where in the work dir the solution and its driver lie.
const programFolder = "program"

// newSession lays out a solution beside its driver.
func (e *Exercise) newSession(job Job, deadline time.Time) (*session, error) {
	tools, err := runner.FindTools(e.language)
	if err != nil {
		return nil, err
	}
	dir, err := runner.NewWorkDir()
	if err != nil {
		return nil, err
	}
	s := &session{Exercise: e, Job: job, dir: dir, tools: tools, deadline: deadline}
	s.program = lang.Program{Dir: programFolder, Unit: s.unit}
	s.run = s.box()
	s.Solution = maps.Clone(s.Solution)
	maps.Copy(s.Solution, s.unit.Helpers)
	files := map[string][]byte{}
	for name, text := range s.Solution {
		files[path.Join(s.language.SolutionFolder(), name)] = text
	}
	maps.Copy(files, s.driver) // no file of the submission takes its place
	for name, text := range files {
		if _, err := dir.Write(path.Join(programFolder, name), text); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

func (s *session) close() {
	s.stop()
	s.dir.Remove()
}

// box is what the compiler and the solution are contained in.
func (s *session) box() *runner.Box {
	return &runner.Box{
		Isolation: s.Isolation,
		Work:      s.dir.Path,
		Read:      s.tools.Read,
		Hide:      s.Hide,
		Memory:    s.Memory,
		Without:   s.Without,
	}
}

func (s *session) judge(ctx context.Context) (*Verdict, error) {
	go s.rows() // while the solution is built
	message, err := s.load(ctx)
	if err == nil && message != "" && !s.names(message) {
		s.dir.Remove() // what the solution has left there takes no room from the stub
		err = s.control(ctx)
	}
	if err != nil || message != "" {
		return &Verdict{Status: Error, Message: message}, err
	}
	rows, err := s.rows()
	if err != nil {
		return nil, err
	}
	for _, f := range s.unit.Suite.Functions {
		for _, c := range f.Cases {
			s.trials = append(s.trials, &trial{function: f, of: c, row: rows[len(s.trials)]})
		}
	}
	// Most cases take no time. Each gets little of it at first, so that one that
	// hangs takes none from the others; but not where that is too little for most.
	quick := s.Time / time.Duration(8*len(s.trials))
	rest, err := s.pass(ctx, s.trials, func(int) time.Duration { return quick }, func(done, late int) bool {
		return late > 3 && late > done
	})
	// Then each gets half of what is left, the last one all of it, again and again.
	for err == nil && len(rest) > 0 && s.left() > 0 {
		rest, err = s.pass(ctx, rest, func(left int) time.Duration {
			return s.left() / time.Duration(min(left, 2))
		}, func(int, int) bool { return false })
	}
	if err != nil {
		return nil, err
	}
	for _, t := range rest {
		s.final(t, Error, s.outOfTime(t))
	}
	return s.sum(), nil
}

// load builds the driver with the solution and starts it. A message says why the
// solution does not get as far.
func (s *session) load(ctx context.Context) (message string, err error) {
	message, err = s.build(ctx)
	if err == nil && message == "" {
		message, err = s.start(ctx)
	}
	return message, err
}

// names reports whether a message names a file of the solution.
func (s *session) names(message string) bool {
	for name := range s.Solution {
		if strings.Contains(message, path.Base(name)) {
			return true
		}
	}
	return false
}

// control finds out whether anything can be built and started here, for a broken
// compiler is not the solution's fault: the stub can, unless there is no time.
func (s *session) control(ctx context.Context) error {
	stub, err := s.language.Stub(s.unit)
	if err != nil {
		return err
	}
	job := s.Job
	job.Solution = map[string][]byte{s.unit.Files.Solution: stub}
	c, err := s.newSession(job, s.deadline)
	if err != nil {
		return err
	}
	defer c.close()
	message, err := c.load(ctx)
	if err == nil && message != "" && c.left() > 0 {
		err = fmt.Errorf("%s: no solution can be judged here, not even the stub: %s", s.unit.Suite.Slug, message)
	}
	return err
}

// sum makes one verdict of the rows.
func (s *session) sum() *Verdict {
	v := &Verdict{Status: Pass}
	errors := 0
	for _, t := range s.trials {
		v.Rows = append(v.Rows, t.row)
		switch t.row.Status {
		case Pass:
		case Error:
			errors++
			fallthrough
		default:
			v.Status = Fail
		}
	}
	if errors == len(v.Rows) {
		v.Status, v.Message = Error, "no case could be judged; of the first: "+s.trials[0].what
	}
	return v
}

// resolved puts the real program in the place of a script that finds it.
func (s *session) resolved(c lang.Command) lang.Command {
	if s.tools.Program != "" && c.Args[0] == s.language.Needs()[0].Program {
		c.Args = append([]string{s.tools.Program}, c.Args[1:]...)
	}
	return c
}

// loadShare is which part of the time a solution may take to load.
const loadShare = 3

// start starts the driver and waits until the solution is loaded. A message says
// what the solution did instead.
func (s *session) start(ctx context.Context) (message string, err error) {
	command := s.resolved(s.language.Drive(s.program))
	if s.process, err = s.run.Start(true, command); err != nil {
		return "", err
	}
	s.release = context.AfterFunc(ctx, s.process.Cancel)
	s.answered = false
	limit := min(s.Time/loadShare, s.left())
	printed := capture{most: maxCompilerOutput}
	line, err := s.process.Hear(time.Now().Add(limit), &printed)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	var r lang.Reply
	if err == nil && json.Unmarshal(line, &r) == nil && r.Ready {
		return "", nil
	}
	switch {
	case err == nil && r.Missing != "":
		message = s.shorten(r.Missing)
	case errors.Is(err, runner.ErrDeadline):
		message = fmt.Sprintf("the solution did not load within %v", limit.Round(10*time.Millisecond))
	case err == nil || errors.Is(err, runner.ErrTooLong):
		message = errChannel.Error() + " while it was loaded"
	default:
		message = "the solution " + s.process.How() + " while it was loaded"
		if said := s.crash(&printed); said != "" {
			message += ":\n" + said
		}
	}
	s.stop()
	return message, nil
}

func (s *session) stop() {
	if s.process != nil {
		s.release()
		s.process.Kill()
		s.process = nil
	}
}

// pass puts cases to the solution, and returns those that did not end in the time
// that limit gives them, and those that it has not come to when enough says so.
// The others' rows are final.
func (s *session) pass(ctx context.Context, trials []*trial, limit func(left int) time.Duration, enough func(done, late int) bool) (rest []*trial, err error) {
	for n, t := range trials {
		if enough(n-len(rest), len(rest)) {
			return append(rest, trials[n:]...), ctx.Err()
		}
		if t.given > 0 && s.answered {
			s.stop() // by itself, so that it has only itself to blame
		}
		ended := false
		for tried := false; !tried && s.left() > 0; {
			if s.process == nil && !s.startAgain(ctx, t) {
				ended = true
				break
			}
			// What goes wrong in a process that has answered before may be another
			// case's doing: a thread left behind, a second reply. A process of its own
			// tells.
			tried = !s.answered
			o := s.ask(t, limit(len(trials)-n))
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if o.judged {
				s.answered = true
			} else {
				s.stop()
			}
			if o.judged || o.status != "" && tried {
				s.final(t, o.status, o.what)
				ended = true
			}
			if o.judged || o.status == "" {
				break
			}
		}
		if !ended {
			rest = append(rest, t)
		}
	}
	return rest, ctx.Err()
}

// startAgain starts the driver once more. If that fails the row is final.
func (s *session) startAgain(ctx context.Context, t *trial) bool {
	message, err := s.start(ctx)
	switch {
	case ctx.Err() != nil:
		return true // the caller looks at it
	case err != nil:
		s.final(t, Error, "the solution could not be started again: "+err.Error())
	case message != "" && s.left() <= 0:
		s.final(t, Error, s.outOfTime(t))
	case message != "":
		s.final(t, Error, "the solution loaded once, but not again: "+message)
	default:
		return true
	}
	return false
}

// left is how much of the time is left.
func (s *session) left() time.Duration { return time.Until(s.deadline) }

func (s *session) outOfTime(t *trial) string {
	if t.given <= 0 {
		return fmt.Sprintf("not tried, for the other cases took all of the %v that there are", s.Time)
	}
	return fmt.Sprintf("no result within %v; all cases together have %v", t.given.Round(10*time.Millisecond), s.Time)
}

// outcome is what came of a question.
type outcome struct {
	status Status // "" if no answer came in time
	what   string // happened, if it did not pass
	judged bool   // there was an answer, and the process is fit for the next
}

// ask puts one case to the solution.
func (s *session) ask(t *trial, limit time.Duration) outcome {
	t.given = max(t.given, limit)
	deadline := time.Now().Add(limit)
	t.output = capture{most: maxOutput}
	if s.process == nil {
		return outcome{}
	}
	id := rand.Text()
	question, err := json.Marshal(lang.Question{ID: id, Property: t.function.Property, Input: lang.RawJSON(t.of.Input.JSON())})
	if err != nil {
		return outcome{Error, err.Error(), true}
	}
	said := s.process.Say(question)
	line, err := s.process.Hear(deadline, &t.output)
	switch {
	case errors.Is(err, runner.ErrDeadline) && said != nil:
		return outcome{Error, "the solution does not read the harness's channel", false}
	case errors.Is(err, runner.ErrDeadline):
		return outcome{}
	case errors.Is(err, runner.ErrTooLong):
		return outcome{Fail, "the result is too long to be right", false}
	case err != nil:
		what := "the solution " + s.process.How()
		if words := s.crash(&t.output); words != "" {
			what += ":\n" + words
			if outOfMemory.MatchString(words) {
				what = "the solution ran out of memory; it " + strings.TrimPrefix(what, "the solution ")
			}
		}
		return outcome{Error, what, false}
	}
	var r lang.Reply
	if json.Unmarshal(line, &r) != nil || r.ID != id {
		return outcome{Error, errChannel.Error(), false}
	}
	status, message := s.compare(t, r)
	return outcome{status, message, true}
}

var errChannel = errors.New("the solution wrote to the harness's channel")

// outOfMemory matches the last words of a process that got no more memory.
var outOfMemory = regexp.MustCompile(`(?i)out of memory|cannot allocate memory|memory allocation failed|failed to allocate`)

// crashReader is a language that knows what a crash of its programs looks like.
type crashReader interface {
	// Crash returns what matters of it to a student, or "", and what the program had
	// printed before.
	Crash(printed string) (said, before string)
}

// crash shows what was printed right before a process ended. What the language
// itself prints of a crash is no output of the solution's.
func (s *session) crash(output *capture) string {
	if reader, ok := s.language.(crashReader); ok {
		if said, before := reader.Crash(output.all()); said != "" {
			output.head = output.head[:min(len(before), len(output.head))]
			return s.shorten(said)
		}
	}
	return s.shorten(output.tail())
}

// final writes a row. Nothing in it is longer than a row may be, for a solution
// may return a megabyte in each.
func (s *session) final(t *trial, status Status, what string) {
	t.what = s.shorten(what)
	t.row.Status, t.row.Output = status, s.shorten(t.output.String())
	if status != Pass {
		t.row.Message = cut(explain(t), maxMessage)
	}
	if s.Done != nil {
		s.Done(t.row)
	}
}
