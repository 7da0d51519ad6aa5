package judge

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// never is how long a case takes that does not end.
const never = time.Hour

// simulate runs cases of a solution that loads for so long by a clock of its own,
// and returns which of them end in time. The first case of a process takes longer
// by first.
func simulate(total, load, first time.Duration, cases []time.Duration) (ends []bool) {
	s := schedule{total: total, cases: len(cases)}
	ends = make([]bool, len(cases))
	given := make([]time.Duration, len(cases))
	var pending []int
	for i := range cases {
		pending = append(pending, i)
	}
	left, running, answered := total, false, false
	for len(pending) > 0 && left > 0 {
		if !running {
			left -= load
			s.started(load)
			running, answered = true, false
			continue
		}
		i := pending[0]
		limit := s.limit(given[i], len(pending), left)
		pending = pending[1:]
		took := cases[i]
		if !answered {
			took += first
		}
		if took <= min(limit, left) {
			left -= took
			ends[i], answered = true, true
			s.finished(took)
			continue
		}
		left -= limit
		running = false
		given[i] = max(given[i], limit)
		s.putOff(limit)
		pending = append(pending, i)
	}
	return ends
}

// TestSchedule holds which cases get a verdict: all of a right solution that is
// slow, and all but those that never end.
func TestSchedule(t *testing.T) {
	const ms, s = time.Millisecond, time.Second
	all := func(n int, each time.Duration) []time.Duration { return slices.Repeat([]time.Duration{each}, n) }
	// every puts another case at each so many places.
	every := func(n int, other time.Duration, cases []time.Duration) []time.Duration {
		for i := 0; i < len(cases); i += n {
			cases[i] = other
		}
		return cases
	}
	at := func(i int, other time.Duration, cases []time.Duration) []time.Duration {
		cases[i] = other
		return cases
	}
	for _, test := range []struct {
		name               string
		total, load, first time.Duration
		cases              []time.Duration
	}{
		{"quick", 5 * s, 30 * ms, 0, all(31, ms)},
		{"slow to load", 5 * s, 4 * s, 0, all(31, ms)},
		{"loads for 7 s", 18 * s, 7 * s, 0, all(31, 300*ms)},
		{"loads for 1 s, half slow", 5 * s, s, 0, every(2, 150*ms, all(31, ms))},
		{"loads for 1 s, all slow", 5 * s, s, 0, all(31, 125*ms)},
		{"loads for 2 s, all slow", 5500 * ms, 2 * s, 0, all(31, 100*ms)},
		{"loads for 2 s, slow", 18 * s, 2 * s, 0, all(31, 450*ms)},
		{"loads for 0.1 s, all slow", 5 * s, 100 * ms, 0, all(31, 145*ms)},
		{"all slow", 5 * s, 30 * ms, 0, all(31, 145*ms)},
		{"all slower", 18 * s, 30 * ms, 0, all(31, 500*ms)},
		{"few slow", 18 * s, 30 * ms, 0, all(5, 3*s)},
		{"half slow", 10 * s, 30 * ms, 0, every(2, 500*ms, all(31, ms))},
		{"a third slow", 5 * s, 30 * ms, 0, every(3, 300*ms, all(31, 10*ms))},
		{"one of 6 s", 18 * s, 60 * ms, 0, at(3, 6*s, all(31, ms))},
		{"one of 6 s, the others slow", 18 * s, 60 * ms, 0, at(3, 6*s, all(31, 250*ms))},
		{"one of 6 s comes first", 18 * s, 500 * ms, 0, at(0, 6*s, all(31, 200*ms))},
		{"one of 6 s, one never", 18 * s, 60 * ms, 0, at(3, never, at(9, 6*s, all(31, ms)))},
		{"first calls of 3 s", 18 * s, 30 * ms, 3 * s, all(31, ms)},
		{"first calls of 1 s", 5 * s, 30 * ms, s, all(31, ms)},
		{"first calls of 1 s, one never", 18 * s, 30 * ms, s, at(9, never, all(31, ms))},
		{"three hundred", 5 * s, 30 * ms, 0, all(300, 14*ms)},
		{"three hundred, slow", 18 * s, 30 * ms, 0, every(10, 200*ms, all(300, 30*ms))},
		{"three thousand", 18 * s, 30 * ms, 0, every(100, 100*ms, all(3000, 3*ms))},
		{"two of a minute", time.Minute, 30 * ms, 0, every(2, 20*s, all(4, s))},
		{"first never", 18 * s, 30 * ms, 0, at(0, never, all(31, 500*ms))},
		{"first never, loads for 2 s", 18 * s, 2 * s, 0, at(0, never, all(31, 300*ms))},
		{"first never, loads for 5 s", 18 * s, 5 * s, 0, at(0, never, all(31, 50*ms))},
		{"first ten never", 18 * s, 30 * ms, 0, append(all(10, never), all(21, 100*ms)...)},
		{"half never", 18 * s, 30 * ms, 0, every(2, never, all(31, 200*ms))},
		{"half never, of 5 s", 5 * s, 30 * ms, 0, every(2, never, all(31, 20*ms))},
		{"all but the last never", 18 * s, 30 * ms, 0, at(30, ms, all(31, never))},
		{"a third of three hundred never", 18 * s, 30 * ms, 0, every(3, never, all(300, ms))},
	} {
		for i, ends := range simulate(test.total, test.load, test.first, test.cases) {
			if want := test.cases[i] != never; ends != want {
				t.Errorf("%s: case %d ends: %v, want %v", test.name, i, ends, want)
				break
			}
		}
	}
}

// TestOutOfTime holds that the other cases are said to have taken the time only
// where they have.
func TestOutOfTime(t *testing.T) {
	for _, test := range []struct {
		trial   trial
		loading time.Duration
		want    string
	}{
		{trial{}, 30 * time.Millisecond, "not tried, for the other cases took all of the 18s that there are"},
		{trial{}, 14 * time.Second, "not tried: of the 18s that there are, loading the solution took 14s, and the other cases the rest"},
		{trial{deep: true, crashed: "stack overflow"}, 14 * time.Second, "stack overflow\nno time was left to try it with a larger stack"},
		{trial{given: 7 * time.Second, late: 1}, 14 * time.Second, "no result within 7s (does a loop never end?); all cases together have 18s"},
		{trial{given: time.Second, crashed: "the solution exited with code 3"}, 0, "the solution exited with code 3"},
	} {
		s := &session{Job: Job{Time: 18 * time.Second}, loading: test.loading, starts: 1}
		if got := s.outOfTime(&test.trial); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
	s := &session{Job: Job{Time: 18 * time.Second}, loading: 14 * time.Second, starts: 3}
	if got := s.outOfTime(&trial{}); !strings.Contains(got, "loading the solution 3 times took 14s") {
		t.Errorf("got %q", got)
	}
}

// TestAboutFiles holds that a solution that wants to write a file reads that it cannot.
func TestAboutFiles(t *testing.T) {
	for text, want := range map[string]bool{
		"raises FileNotFoundError(2, \"No usable temporary directory found in ['/tmp']\")": true,
		"error \"open /tmp/x: read-only file system\"":                                     true,
		"throws Error \"EROFS: read-only file system, mkdtemp '/tmp/x'\"":                  true,
		"OSError: [Errno 30] Read-only file system: 'x'":                                   true,
		"panic: open x3296005584: permission denied":                                       true,
		"throws Error \"EPERM: operation not permitted, mkdtemp '/tmp/xXXXXXX'\"":          true,
		"throws Error \"EACCES: permission denied, open '/tmp/x'\"":                        true,
		"raises PermissionError(13, 'Permission denied')":                                  true,
		"want: 1\ngot:  2": false,
		"want: error \"permission denied\"\ngot:  error \"open\"": false,
		"raises PermissionError(1, 'Operation not permitted')":    false, // a socket
		"panic: dial tcp 1.2.3.4:80: socket: permission denied":   false,
	} {
		if got := aboutFiles(text) != text; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
