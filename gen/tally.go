package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"stateoftictactoe/gen/internal/track"
)

// errFailed ends a command that could not do all of its work. What there is to
// say has been printed.
var errFailed = errors.New("not all could be done")

// notes prints lines, each of them once: exercises share files, whose faults are
// found in each of them.
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

// tally says in a line each what keeps exercises from being done, and counts
// them. An obstacle in one exercise keeps no other from being done.
type tally struct {
	notes *notes
	// alone says that one exercise is asked for, by its own name: it cannot be passed
	// over.
	alone bool
	// isTrack says that some of the exercises were not named but found in a track.
	isTrack bool

	passed []string // what the exercises are that were passed over
	broken int      // in how many exercises something is broken
}

// add says what keeps an exercise from being done.
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

// addEach says what keeps several exercises from being done, of which err joins
// the reasons.
func (t *tally) addEach(err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range joined.Unwrap() {
			t.addEach(err)
		}
	} else if err != nil {
		t.add(err)
	}
}

// addAll says what keeps so many exercises from being done.
func (t *tally) addAll(err error, n int) {
	t.add(err)
	t.broken += n - 1
}

// isWorthSaying reports whether a summary says more than the results.
func (t *tally) isWorthSaying() bool {
	return t.isTrack || len(t.passed) > 0 || t.broken > 0 && !t.alone
}

// summary tells at the end of a line how many exercises were not done, and why;
// it is empty if all were.
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

// verdict is how a command ends: what is broken outranks what is negative.
func (t *tally) verdict(negative bool) error {
	switch {
	case t.broken > 0:
		return errFailed
	case negative:
		return errNegative
	}
	return nil
}

// outcome is what came of one exercise.
type outcome[R any] struct {
	result R
	err    error
}

// attempt calls f for each item on all cores and returns the results in the
// order of the items. Where f fails there is none, and t has the reason.
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

// sift returns the results that there are, and tells t why the others are not.
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
