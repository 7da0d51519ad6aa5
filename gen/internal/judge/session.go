package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/sandbox"
	"stateoftictactoe/gen/internal/toolchain"
)

// session is one submission being judged.
type session struct {
	*Exercise
	Job
	dir      *sandbox.WorkDir
	workshop *toolchain.Workshop // where the driver is built
	deadline time.Time
	run      *sandbox.Box
	trials   []*trial

	process *sandbox.Process // nil if none runs
	release func() bool      // ends the process's tie to the context
	// answered reports whether the process has answered before. A later failure of it
	// may be due to an earlier case.
	answered bool

	// checker runs the check that the native tests begin with, or is nil.
	checker func(ctx context.Context) string
	warning string // the output of checker

	schedule schedule
	// bottomless counts the cases that have overflowed the larger stack, until a case
	// ends on it.
	bottomless int
	loading    time.Duration // the time of all starts together
	starts     int
}

// programFolder is the folder of the solution and its driver in the work dir.
const programFolder = "program"

// newSession lays out a solution beside its driver.
func (e *Exercise) newSession(job Job, deadline time.Time) (*session, error) {
	tools, err := e.toolchain.Find()
	if err != nil {
		return nil, err
	}
	dir, err := sandbox.NewWorkDir()
	if err != nil {
		return nil, err
	}
	s := &session{Exercise: e, Job: job, dir: dir, deadline: deadline}
	s.Solution = maps.Clone(s.Solution)
	maps.Copy(s.Solution, s.unit.Helpers)
	s.workshop = &toolchain.Workshop{
		Tools:    tools,
		Dir:      dir,
		Program:  lang.Program{Dir: programFolder, Unit: s.unit},
		Solution: s.Solution,
		Tests:    s.tests,
		Folder:   s.unit.Facts.SolutionFolder,
		Box:      s.box,
	}
	s.run = s.box()
	if aside := s.unit.Facts.SetsAside; aside > 0 {
		s.run.Address = aside + s.Memory
	}
	files := map[string][]byte{}
	for name, text := range s.Solution {
		files[path.Join(s.unit.Facts.SolutionFolder, name)] = text
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

// box returns a box for the compiler or the solution.
func (s *session) box() *sandbox.Box {
	return &sandbox.Box{
		Isolation: s.Isolation,
		Work:      s.dir.Path,
		Read:      s.workshop.Tools.Read,
		Hide:      s.Hide,
		Memory:    s.Memory,
		Without:   s.Without,
	}
}

func (s *session) judge(ctx context.Context) (*Verdict, error) {
	go s.rows() // while the solution is built
	message, err := s.build(ctx)
	if err == nil && message == "" {
		wait := s.check(ctx) // while the solution loads
		message, err = s.start(ctx)
		wait()
	}
	if err == nil && message != "" && !s.names(message) {
		s.dir.Remove() // files that the solution has left take no room from the stub
		err = s.control(ctx)
	}
	if err != nil || message != "" {
		return &Verdict{Status: Error, Message: message}, err
	}
	waiting := time.Now()
	rows, err := s.rows()
	if err != nil {
		return nil, err
	}
	s.exclude(waiting)
	for i, c := range s.unit.Cases() {
		if s.Cases == nil || s.Cases(i) {
			s.trials = append(s.trials, &trial{function: c.Function, of: c.Case, row: rows[i]})
		}
	}
	s.schedule.total, s.schedule.cases = s.Time, len(s.trials)
	pending := slices.Clone(s.trials)
	for len(pending) > 0 && s.left() > 0 {
		if pending = s.overflowing(pending); len(pending) == 0 {
			break
		}
		t := pending[0]
		limit := s.schedule.limit(t.given, len(pending), s.left())
		pending = pending[1:]
		ended := s.try(ctx, t, limit)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !ended {
			pending = append(pending, t) // behind those that have not been tried
		}
	}
	for _, t := range pending {
		s.final(t, Error, s.outOfTime(t))
	}
	return s.sum(), nil
}

// exclude gives back the time since begin, which the harness took for itself.
func (s *session) exclude(begin time.Time) { s.deadline = s.deadline.Add(time.Since(begin)) }

// load builds the driver with the solution and starts it. The message says why the
// solution does not build or load, or is "".
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

// control returns an error if not even the stub can be built and started, for a broken
// compiler is not the solution's fault. It says nothing if the time is over.
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

// sum makes a verdict from the rows.
func (s *session) sum() *Verdict {
	v := &Verdict{Status: Pass, Cases: len(s.unit.Names), Warning: s.warning}
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

// start starts the driver and waits until the solution is loaded. The message says what
// the solution did instead, or is "".
func (s *session) start(ctx context.Context) (message string, err error) {
	begin := time.Now()
	command := s.language.Drive(s.workshop.Program)
	if program := s.workshop.Tools.Program; program != "" {
		command.Args = append([]string{program}, command.Args[1:]...)
	}
	if s.process, err = s.run.Start(true, sandbox.Command(command)); err != nil {
		return "", err
	}
	s.release = context.AfterFunc(ctx, s.process.Cancel)
	s.answered = false
	printed := sandbox.Capture{Most: maxOutput}
	line, err := s.process.Ask(nil, s.deadline, leastReply, &printed)
	took := time.Since(begin)
	s.loading += took
	s.starts++
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	var r lang.Reply
	if err == nil && json.Unmarshal(line, &r) == nil && r.Ready {
		s.schedule.started(took)
		return "", nil
	}
	switch {
	case err == nil && r.Missing != "":
		message = s.workshop.Shorten(r.Missing)
	case err == nil && r.Unloaded != "":
		message = unloaded + s.workshop.Shorten(r.Unloaded)
	case errors.Is(err, sandbox.ErrDeadline):
		message = fmt.Sprintf("the solution did not load within %v", took.Round(10*time.Millisecond))
	case err == nil || errors.Is(err, sandbox.ErrTooLong):
		message = errChannel.Error() + " while it was loaded"
	default:
		message = s.died(s.process.How(s.deadline), &printed, true)
	}
	s.stop()
	return aboutFiles(message), nil
}

// unloaded stands above the language's report of an error that kept the solution from
// loading.
const unloaded = "the solution could not be loaded:\n"

func (s *session) stop() {
	if s.process != nil {
		s.release()
		s.process.Kill()
		s.process = nil
	}
}

// left is the time until the deadline.
func (s *session) left() time.Duration { return time.Until(s.deadline) }
