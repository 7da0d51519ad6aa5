package judge

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lazy"
	"stateoftictactoe/gen/internal/sandbox"
	"stateoftictactoe/gen/internal/spec"
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
	// answered says that the process has answered before. What it does wrong then
	// may be another case's doing.
	answered bool

	// checker is the command that the tests are preceded by, or nil.
	checker func(ctx context.Context) string
	warning string // what it prints

	schedule schedule
	// bottomless counts the cases that have overflowed the larger stack, until one has
	// not.
	bottomless int
	loading    time.Duration // what all starts took together
}

// trial is one case being judged.
type trial struct {
	function *spec.Function
	of       *spec.Case
	row      Row
	output   sandbox.Capture // what the solution printed
	given    time.Duration   // how long it was waited for at most
	late     int             // how often it did not end in time
	crashed  string          // how it ended a process that had answered before
	deep     bool            // its stack overflowed where stacks are smaller
	what     string          // what happened if it did not pass
}

// programFolder is where in the work dir the solution and its driver lie.
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

// box is what the compiler and the solution are contained in.
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
		s.dir.Remove() // what the solution has left there takes no room from the stub
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

// mostBottomless is how many cases may overflow the larger stack, and none not, before
// the others are left with the smaller one: the recursion never ends, and each larger
// stack takes half a second to overflow.
const mostBottomless = 4

// overflowing sees to those cases that have overflowed a smaller stack, once no others
// are pending: a recursion that ends is the deepest for the largest input, so that comes
// first. Where no recursion ends, none is pending any more.
func (s *session) overflowing(pending []*trial) []*trial {
	if slices.ContainsFunc(pending, func(t *trial) bool { return !t.deep }) {
		return pending
	}
	if s.bottomless >= mostBottomless {
		for _, t := range pending {
			s.final(t, Error, fmt.Sprintf("%s\n(not tried with a larger stack: %d other cases overflowed it too)", t.crashed, s.bottomless))
		}
		return nil
	}
	slices.SortStableFunc(pending, func(a, b *trial) int { return cmp.Compare(len(b.of.Input.JSON()), len(a.of.Input.JSON())) })
	return pending
}

// exclude gives back the time since begin, which the harness took for itself.
func (s *session) exclude(begin time.Time) { s.deadline = s.deadline.Add(time.Since(begin)) }

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

// start starts the driver and waits until the solution is loaded. A message says
// what the solution did instead.
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
	return message, nil
}

// unloaded stands above what the language says of an error that kept the solution from
// being loaded.
const unloaded = "the solution could not be loaded:\n"

func (s *session) stop() {
	if s.process != nil {
		s.release()
		s.process.Kill()
		s.process = nil
	}
}

// try puts a case to the solution, and reports whether its row is final. If not it
// is to be tried again once the others have been.
func (s *session) try(ctx context.Context, t *trial, limit time.Duration) (ended bool) {
	const blameless = 2 // times late beside others
	if s.answered && (t.crashed != "" || t.late >= blameless) {
		s.stop() // by itself, so that it has only itself to blame
	}
	if s.process == nil {
		if s.startAgain(ctx, t); s.process == nil {
			return t.row.Status != ""
		}
		limit = min(limit, s.left())
	}
	// What goes wrong in a process that has answered before may be another case's
	// doing: a thread left behind, a second reply. A process of its own tells.
	alone := !s.answered
	begin := time.Now()
	o := s.ask(t, limit)
	if o.status != "" {
		s.schedule.finished(time.Since(begin))
	}
	if o.judged {
		s.answered = true
	} else {
		s.stop()
	}
	switch {
	case ctx.Err() != nil:
		return false
	case o.status == "":
		t.given = max(t.given, limit)
		t.late++
		s.schedule.putOff(time.Since(begin))
		return false
	case o.overflow && !t.deep:
		// A deep stack takes half a second to overflow, so the other cases come first.
		t.deep = true
		t.crashed = o.what
		return false
	case !o.judged && !alone:
		t.crashed = o.what
		return false
	}
	switch {
	case t.deep && o.overflow:
		s.bottomless++
	case t.deep:
		s.bottomless = math.MinInt // some recursion ends
	}
	s.final(t, o.status, o.what)
	return true
}

// startAgain starts the driver once more. If that fails the row is final, unless
// the time is over.
func (s *session) startAgain(ctx context.Context, t *trial) {
	message, err := s.start(ctx)
	switch {
	case ctx.Err() != nil: // the caller looks at it
	case err != nil:
		s.final(t, Error, "the solution could not be started again: "+err.Error())
	case message != "" && s.left() > 0:
		s.final(t, Error, "the solution loaded once, but not again: "+message)
	}
}

// left is how much of the time is left.
func (s *session) left() time.Duration { return time.Until(s.deadline) }

// outOfTime says why a case has no verdict when the time is over.
func (s *session) outOfTime(t *trial) string {
	switch {
	case t.deep:
		return t.crashed + "\nno time was left to try it with a larger stack"
	case t.crashed != "":
		return t.crashed
	case t.given > 0:
		return fmt.Sprintf("no result within %v (does a loop never end?); all cases together have %v", rounded(t.given), s.Time)
	case s.loading > s.Time/20:
		return fmt.Sprintf("not tried: of the %v that there are, loading the solution took %v, and the other cases the rest", s.Time, rounded(s.loading))
	}
	return fmt.Sprintf("not tried, for the other cases took all of the %v that there are", s.Time)
}

func rounded(d time.Duration) time.Duration { return d.Round(10 * time.Millisecond) }

// outcome is what came of a question.
type outcome struct {
	status   Status // "" if no answer came in time
	what     string // happened, if it did not pass
	judged   bool   // there was an answer, and the process is fit for the next
	overflow bool   // the stack overflowed
}

// leastReply is how many bytes the longest reply may have at least. It may have
// replyFactor times as many as what is wanted, if that is more.
const (
	leastReply  = 1 << 20
	replyFactor = 4
)

// ask puts one case to the solution.
func (s *session) ask(t *trial, limit time.Duration) outcome {
	begin := time.Now()
	most := max(leastReply, replyFactor*len(t.of.Expected.JSON()))
	id := rand.Text()
	question, err := json.Marshal(lang.Question{
		ID: id, Property: t.function.Property, Input: lang.RawJSON(t.of.Input.JSON()), Most: most, Deep: t.deep,
	})
	if err != nil {
		return outcome{status: Error, what: err.Error(), judged: true}
	}
	s.exclude(begin)
	deadline := time.Now().Add(limit)
	t.output = sandbox.Capture{Most: maxOutput}
	watch := &overflowWatch{Capture: &t.output, session: s}
	line, err := s.process.Ask(question, deadline, most, watch)
	switch {
	case watch.seen:
		words, _ := s.crash(&t.output)
		return outcome{status: Error, what: "the solution crashed:\n" + words, overflow: true}
	case errors.Is(err, sandbox.ErrUnread):
		return outcome{status: Error, what: "the solution does not read the harness's channel"}
	case errors.Is(err, sandbox.ErrDeadline):
		return outcome{}
	case errors.Is(err, sandbox.ErrTooLong):
		return outcome{status: Fail, what: "the result is too long to be right"}
	case err != nil:
		return outcome{status: Error, what: s.died(s.process.How(deadline), &t.output, false)}
	}
	defer s.exclude(time.Now())
	var r lang.Reply
	if json.Unmarshal(line, &r) != nil || r.ID != id {
		return outcome{status: Error, what: errChannel.Error()}
	}
	status, message := s.compare(t, r)
	return outcome{status: status, what: message, judged: true}
}

// overflowWatch captures what a process prints, and ends it once that says that
// the stack has overflowed.
type overflowWatch struct {
	*sandbox.Capture
	session *session
	seen    bool
}

func (w *overflowWatch) Write(p []byte) (int, error) {
	n, err := w.Capture.Write(p)
	if !w.seen && w.session.language.Overflowed(w.All()) {
		w.seen = true
		w.session.process.Cancel()
	}
	return n, err
}

var errChannel = errors.New("the solution wrote to the harness's channel")

// outOfMemory matches the last words of a process that got no more memory.
var outOfMemory = lazy.Regexp(`(?i)out of memory|cannot allocate memory|allocation failed|failed to allocate|\bMemoryError\b`)

// wildEnd matches the end of a process that may have used memory which it did not get.
var wildEnd = lazy.Regexp(`signal sig(segv|bus|ill|trap)`)

// died says how a process ended, in a case or while it was loaded, and its last words.
func (s *session) died(how string, printed *sandbox.Capture, loading bool) string {
	words, uncaught := s.crash(printed)
	if loading && uncaught && strings.HasPrefix(how, "exited") && !outOfMemory().MatchString(words) {
		return unloaded + words
	}
	if loading {
		how += " while it was loaded"
	}
	megabytes := s.Memory >> 20
	switch {
	case outOfMemory().MatchString(words):
		how = fmt.Sprintf("ran out of memory, of which it may have %d MB; it %s", megabytes, how)
	case words == "" && wildEnd().MatchString(how):
		how += fmt.Sprintf("; did it need more than the %d MB of memory that it may have?", megabytes)
	}
	if words != "" {
		how += ":\n" + words
	}
	return "the solution " + how
}

// crash shows what was printed right before a process ended, and reports whether it is
// what the language prints of an error that nothing caught, which is no output of the
// solution's.
func (s *session) crash(output *sandbox.Capture) (said string, uncaught bool) {
	if said, before := s.language.Crash(output.All()); len(before) < len(output.All()) {
		output.KeepHead(len(before))
		return s.workshop.Shorten(said), true
	}
	return s.workshop.Shorten(output.Tail(maxWords)), false
}

// final writes a row. Nothing in it is longer than a row may be, for a solution
// may return a megabyte in each.
func (s *session) final(t *trial, status Status, what string) {
	t.what = s.workshop.Shorten(what)
	t.row.Status, t.row.Output = status, s.workshop.Shorten(t.output.Head())
	if status != Pass {
		t.row.Message = cut(s.explain(t), maxMessage)
		t.row.Problem = cut(t.what, maxMessage)
	}
	if s.Done != nil {
		s.Done(t.row)
	}
}
