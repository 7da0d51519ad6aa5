package judge

import "time"

// schedule decides how long a case is waited for before it is put off: ended with
// the process it runs in, to be tried again when the others have been.
//
// To put off a case costs the time that it was given and another start, so that a
// right solution that is slow must not be put off often; to wait for one that never
// ends takes time from the others. So the first cases put off are given little.
// Patience grows where most cases take longer. Where some do, one of them is tried
// for long: if it ends, the others may take twice as long; if not, they seem to be
// such as never end.
type schedule struct {
	total time.Duration // that the solution has
	cases int
	load  time.Duration // the longest that a start took

	patience time.Duration // 0 before the first case
	longest  time.Duration // that a case took which has ended
	ended    int           // cases that have ended since patience grew last
	late     int           // cases that were put off since then or since the last trial
	wasted   time.Duration // on these
	trial    bool          // the next case is tried for long
	trials   int           // that came to nothing
}

const (
	// growth is by how much longer a case is waited for the next time.
	growth = 4
	// leastPatience is no more than what a busy machine may do other things for.
	leastPatience = 50 * time.Millisecond
)

// started takes note of how long the solution took to load.
func (s *schedule) started(took time.Duration) { s.load = max(s.load, took) }

// finished takes note of a case that has ended.
func (s *schedule) finished(took time.Duration) {
	s.ended++
	s.longest = max(s.longest, took)
	if 2*took > s.patience {
		s.patience, s.trial, s.late, s.wasted = 2*took, false, 0, 0
	}
}

// putOff takes note of a case that has not ended within a limit.
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

// limit is how long to wait for a case that was given so much before, 0 if it has
// not been tried, where so many cases are pending, itself among them, and so much
// time is left.
func (s *schedule) limit(given time.Duration, pending int, left time.Duration) time.Duration {
	if s.patience == 0 {
		// A wait as long as a start at most doubles what a case costs that never ends.
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
		// Nobody knows of one of these that it ends: each gets its share.
		limit = max(share, 2*given)
	}
	limit = max(limit, s.load)
	if left-limit <= s.load {
		return left // for nothing could be started any more
	}
	return limit
}
