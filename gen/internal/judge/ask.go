package judge

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/sandbox"
	"stateoftictactoe/gen/internal/spec"
)

// trial is one case being judged.
type trial struct {
	function *spec.Function
	of       *spec.Case
	row      Row
	output   sandbox.Capture // what the solution printed
	given    time.Duration   // the longest time that it was waited for
	late     int             // how often it did not end in time
	crashed  string          // how it ended a process that had answered before
	deep     bool            // it overflowed the smaller stack
	what     string          // why it did not pass
}

// mostBottomless is how many cases may overflow the larger stack before any case ends on
// it. The recursion then seems endless, and the other cases are not tried with the larger
// stack, for each overflow of it takes half a second.
const mostBottomless = 4

// overflowing returns the cases to try next. Once all pending cases have overflowed the
// smaller stack, it sorts them by the size of their input, or makes them final if no
// recursion seems to end.
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

// try puts a case to the solution, and reports whether its row is final. A case without a
// final row is to be tried again after the others.
func (s *session) try(ctx context.Context, t *trial, limit time.Duration) (ended bool) {
	const blameless = 2 // times late beside others
	if s.answered && (t.crashed != "" || t.late >= blameless) {
		s.stop() // a process of its own, so that no other case is to blame
	}
	if s.process == nil {
		if s.startAgain(ctx, t); s.process == nil {
			return t.row.Status != ""
		}
		limit = min(limit, s.left())
	}
	// A failure in a process that has answered before may be due to an earlier case: a
	// thread left behind, a second reply. A process of its own tells.
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

// startAgain starts the driver once more. If the start fails, the row is final, unless
// the time is over.
func (s *session) startAgain(ctx context.Context, t *trial) {
	message, err := s.start(ctx)
	switch {
	case ctx.Err() != nil: // the caller handles it
	case err != nil:
		s.final(t, Error, "the solution could not be started again: "+err.Error())
	case message != "" && s.left() > 0:
		s.final(t, Error, "the solution loaded once, but not again: "+message)
	}
}

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
		times := ""
		if s.starts > 1 {
			times = fmt.Sprintf(" %d times", s.starts)
		}
		return fmt.Sprintf("not tried: of the %v that there are, loading the solution%s took %v, and the other cases the rest", s.Time, times, rounded(s.loading))
	}
	return fmt.Sprintf("not tried, for the other cases took all of the %v that there are", s.Time)
}

func rounded(d time.Duration) time.Duration { return d.Round(10 * time.Millisecond) }

// outcome is the result of a question.
type outcome struct {
	status   Status // "" if no answer came in time
	what     string // why the case did not pass
	judged   bool   // an answer came, and the process can take the next question
	overflow bool   // the stack overflowed
}

// A reply may have leastReply bytes, or replyFactor times the bytes of the expected
// result, whichever is more.
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

var errChannel = errors.New("the solution wrote to the harness's channel")

// final writes a row. It shortens all texts, for a solution may return a megabyte in each
// case.
func (s *session) final(t *trial, status Status, what string) {
	if status != Pass {
		what = aboutFiles(what)
	}
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
