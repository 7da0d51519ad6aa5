package judge_test

import (
	"testing"

	"stateoftictactoe/gen/internal/judge"
)

// TestSummary holds the words for one and for many.
func TestSummary(t *testing.T) {
	for _, test := range []struct {
		passed, tried, cases int
		want                 string
	}{
		{0, 0, 3, "fail: no case was tried"},
		{0, 1, 1, "fail: 0 of 1 case passes"},
		{1, 1, 1, "fail: 1 of 1 case passes"},
		{0, 3, 3, "fail: 0 of 3 cases pass"},
		{1, 3, 3, "fail: 1 of 3 cases passes"},
		{2, 3, 3, "fail: 2 of 3 cases pass"},
		{1, 1, 3, "fail: 1 of 1 case passes, 1 of 3 was tried"},
		{2, 2, 3, "fail: 2 of 2 cases pass, 2 of 3 were tried"},
	} {
		v := judge.Verdict{Status: judge.Fail, Cases: test.cases}
		for i := range test.tried {
			status := judge.Fail
			if i < test.passed {
				status = judge.Pass
			}
			v.Rows = append(v.Rows, judge.Row{Status: status})
		}
		if got := v.Summary(); got != test.want {
			t.Errorf("%d of %d: got %q, want %q", test.passed, test.tried, got, test.want)
		}
	}
}
