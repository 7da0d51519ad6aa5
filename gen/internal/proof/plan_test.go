package proof

import (
	"fmt"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/golang"
	"stateoftictactoe/gen/internal/spec"
)

// TestPlanOfManyCases plans for so many cases that comparing each with each
// would outlast the time that go test has. Half of them have one input.
func TestPlanOfManyCases(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	const many = 200_000
	cases := make([]string, many)
	for i := range cases {
		n := max(0, i-many/2)
		cases[i] = fmt.Sprintf(`{"description": "sum", "property": "sum", "input": {"n": %d}, "expected": %d.5}`, n, n)
	}
	text := `{"exercise": "sums", "cases": [` + strings.Join(cases, ",") + "]}"
	parsed, err := spec.ParseData("canonical-data.json", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := newPlan(lang.NewUnit(golang.Go{}, "sums", parsed.Cases, lang.Settings{}))
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.right) != many {
		t.Errorf("the plan has %d answers, want %d", len(plan.right), many)
	}
	for i, fits := range plan.fits {
		if want := i <= many/2; fits != want {
			t.Fatalf("the commonest result fits case %d: %v, want %v", i, fits, want)
		}
	}
}

// TestCommonest counts results that are the same data, and all errors as one
// where every error is right.
func TestCommonest(t *testing.T) {
	parsed, err := spec.ParseData("canonical-data.json", []byte(`{"exercise": "sums", "cases": [
		{"description": "a", "property": "sum", "input": {"n": 1}, "expected": {"error": "one"}},
		{"description": "b", "property": "sum", "input": {"n": 2}, "expected": {"error": "two"}},
		{"description": "c", "property": "sum", "input": {"n": 3}, "expected": {"error": "three"}},
		{"description": "d", "property": "sum", "input": {"n": 4}, "expected": {"x": 1, "y": 2}},
		{"description": "e", "property": "sum", "input": {"n": 5}, "expected": {"y": 2, "x": 1}}]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	f := spec.Infer("sums", parsed.Cases, nil).Functions[0]
	if got := commonest(f, spec.Comparison{}).Description; got != "d" {
		t.Errorf("the commonest result is that of %q, want %q", got, "d")
	}
	if got := commonest(f, spec.Comparison{AnyError: true}).Description; got != "a" {
		t.Errorf("where every error is right, the commonest result is that of %q, want %q", got, "a")
	}
}
