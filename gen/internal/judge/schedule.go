package judge

import "time"

// schedule decides how long to wait for a case before it is put off: its process is
// ended, and the case is tried again after the others.
//
// Putting a case off costs the time that it was given and another start, so a right but
// slow solution must not be put off often. Waiting for a case that never ends takes time
// from the others. So the first cases to be late are given little time. If most cases
// take longer, patience grows. If some do, one of them is tried for long: if it ends,
// the others may take twice as long; if it does not, they seem never to end.
type schedule struct {
	total time.Duration // for all cases of the solution
	cases int
	load  time.Duration // the longest that a start took

	patience time.Duration // 0 before the first case
	longest  time.Duration // that a case has taken to end
	ended    int           // cases that have ended since patience grew last
	late     int           // cases that were put off since then or since the last trial
	wasted   time.Duration // on the late cases
	trial    bool          // the next case is tried for long
	trials   int           // of cases that did not end
}

const (
	// growth is the factor by which a case is waited for longer the next time.
	growth = 4
	// leastPatience is a time for which a busy machine may leave a process waiting.
	leastPatience = 50 * time.Millisecond
)

// started notes how long the solution took to load.
func (s *schedule) started(took time.Duration) { s.load = max(s.load, took) }

// finished notes that a case has ended.
func (s *schedule) finished(took time.Duration) {
	s.ended++
	s.longest = max(s.longest, took)
	if 2*took > s.patience {
		s.patience, s.trial, s.late, s.wasted = 2*took, false, 0, 0
	}
}

// putOff notes that a case has not ended within a limit.
func (s *schedule) putOff(limit time.Duration) {
	s.late++
	s.wasted += limit + s.load
	if s.trial {
		s.trial, s.late, s.wasted = false, 0, 0
		s.trials++
	}
	if s.late > s.ended && s.wasted > s.total/32 {
		s.patience *= growth
		s.ended, s.late, s.wasted = 0, 0, 0
	}
	s.trial = s.late > 1 && s.wasted > s.total/16<<s.trials
}

// limit returns how long to wait for a case. It was given so much time before, or 0 if it
// has not been tried; pending counts the cases without a final row, this one included;
// left is the time left for all.
func (s *schedule) limit(given time.Duration, pending int, left time.Duration) time.Duration {
	if s.patience == 0 {
		// A wait no longer than a start at most doubles the cost of an endless case.
		s.patience = max(s.total/time.Duration(8*s.cases), leastPatience, min(2*s.load, max(s.load, s.total/16)))
	}
	starts := time.Duration(pending-1) * s.load
	share := (left - starts) / time.Duration(pending)
	limit := max(s.patience, growth*given)
	switch {
	case pending == 1:
		return left
	case given == 0:
		if s.trial {
			limit = max(limit, s.total/8)
		}
		// The others keep their share of the time, or half of it all. Cases that take
		// as long as some that have ended may end.
		limit = min(limit, max(share, min(left/3, left-s.total/2), min(2*s.longest, left/2)))
	case time.Duration(pending)*limit+starts > left/4:
		// Each of these cases may be endless: each gets its share.
		limit = max(share, 2*given)
	}
	limit = max(limit, s.load)
	if left-limit <= s.load {
		return left // too little would be left to start again
	}
	return limit
}
