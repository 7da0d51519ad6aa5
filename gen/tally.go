package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"stateoftictactoe/gen/internal/track"
)

// errFailed ends a command that could not do all of its work, after its errors have been
// printed.
var errFailed = errors.New("not all could be done")

// notes prints lines, each only once: exercises share files, so the same fault is found in
// several exercises.
type notes struct {
	out  io.Writer
	told map[string]bool
}

func (n *notes) print(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if !n.told[line] {
		n.told[line] = true
		fmt.Fprintln(n.out, line)
	}
}

// tally prints a line for each exercise that cannot be done, and counts these exercises.
// The others are done all the same.
type tally struct {
	notes *notes
	// alone reports whether the command names a single exercise, which it must not pass
	// over.
	alone bool
	// isTrack reports whether some exercises were found in a track, not named.
	isTrack bool

	passed []string // a description of each exercise that was passed over
	broken int      // the number of exercises with an error
}

// add prints why an exercise cannot be done, and counts it.
func (t *tally) add(err error) {
	var notOurs *track.NotOurs
	if errors.As(err, &notOurs) && !t.alone {
		t.passed = append(t.passed, notOurs.Is)
		t.notes.print("passed over: %s", err)
		return
	}
	t.broken++
	t.notes.print("gen: %s", err)
}

// addEach adds each of the errors that err joins, one for an exercise.
func (t *tally) addEach(err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range joined.Unwrap() {
			t.addEach(err)
		}
	} else if err != nil {
		t.add(err)
	}
}

// addAll prints why n exercises cannot be done, and counts them.
func (t *tally) addAll(err error, n int) {
	t.add(err)
	t.broken += n - 1
}

// isWorthSaying reports whether a summary says more than the results.
func (t *tally) isWorthSaying() bool {
	return t.isTrack || len(t.passed) > 0 || t.broken > 0 && !t.alone
}

// summary returns the end of a summary line: how many exercises were not done, and why. It
// is "" if all were done.
func (t *tally) summary() string {
	var b strings.Builder
	var reasons []string
	counts := map[string]int{}
	for _, is := range t.passed {
		if counts[is]++; counts[is] == 1 {
			reasons = append(reasons, is)
		}
	}
	for i, is := range reasons {
		lead := ", "
		if i == 0 {
			lead = "; passed over: "
		}
		fmt.Fprintf(&b, "%s%s %s", lead, plural(counts[is], "exercise"), is)
	}
	if t.broken > 0 && !t.alone {
		fmt.Fprintf(&b, "; not done: %s", plural(t.broken, "exercise"))
	}
	return b.String()
}

// verdict returns the error that ends a command. An exercise that is broken outranks a
// negative verdict.
func (t *tally) verdict(negative bool) error {
	switch {
	case t.broken > 0:
		return errFailed
	case negative:
		return errNegative
	}
	return nil
}

// outcome is the result for one exercise, or an error.
type outcome[R any] struct {
	result R
	err    error
}

// attempt calls f for each item on all cores and returns the results in the order of the
// items. It adds the errors to t instead of a result.
func attempt[T, R any](t *tally, items []T, f func(T) (R, error)) []R {
	return sift(t, try(items, f))
}

// try calls f for each item on all cores.
func try[T, R any](items []T, f func(T) (R, error)) []outcome[R] {
	return inParallel(items, func(item T) outcome[R] {
		result, err := f(item)
		return outcome[R]{result, err}
	})
}

// sift returns the results, and adds the errors to t.
func sift[R any](t *tally, outcomes []outcome[R]) []R {
	var results []R
	for _, o := range outcomes {
		if o.err != nil {
			t.add(o.err)
		} else {
			results = append(results, o.result)
		}
	}
	return results
}
