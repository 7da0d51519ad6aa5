package judge_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"stateoftictactoe/gen/internal/judge"
	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/golang"
	"stateoftictactoe/gen/internal/spec"
)

// question is a case whose input is a number.
type question struct {
	property string
	n        int
	expected any
}

// numbered is an exercise of such cases.
func numbered(t *testing.T, l lang.Language, questions []question) *lang.Unit {
	t.Helper()
	var cases []any
	for i, q := range questions {
		cases = append(cases, map[string]any{
			"uuid": fmt.Sprint(i), "description": fmt.Sprint("case ", i), "property": q.property,
			"input": map[string]int{"n": q.n}, "expected": q.expected,
		})
	}
	text, err := json.Marshal(map[string]any{"exercise": "numbered", "cases": cases})
	if err != nil {
		t.Fatal(err)
	}
	data, err := spec.ParseData("canonical-data.json", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return lang.NewUnit(l, "numbered", data.Cases, lang.Settings{})
}

// wantRows judges a solution that has time enough, and holds its rows to statuses
// and to texts in the messages.
func wantRows(t *testing.T, l lang.Language, u *lang.Unit, solution string, want []row) {
	t.Helper()
	v, err := judged(t.Context(), l, u, judge.Job{Solution: map[string][]byte{u.Files.Solution: []byte(solution)}, Time: 2 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Rows) != len(want) {
		t.Fatalf("%d rows, want %d: %s", len(v.Rows), len(want), v.Message)
	}
	for i, w := range want {
		if got := v.Rows[i]; got.Status != w.status || !strings.Contains(got.Message, w.message) {
			t.Errorf("%s: %s %.300q, want %s %q", got.Name, got.Status, got.Message, w.status, w.message)
		}
	}
}

// TestLargeResults holds that a result may be four times as long as the one that is
// wanted, and a megabyte in any case.
func TestLargeResults(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	const length, short = 200_000, 1000
	numbers := make([]int, length)
	for i := range numbers {
		numbers[i] = i
	}
	questions := []question{
		{"text", 2 * length, strings.Repeat("<é", 2*length)},
		{"text", length, "<é"},
		{"text", 3 * length, strings.Repeat("<é", length/8)},
		{"text", short, strings.Repeat("<é", short)},
		{"numbers", length, numbers},
		{"numbers", length - 1, numbers[:short]},
		{"numbers", short, numbers[:short]},
	}
	want := []row{
		{judge.Pass, ""}, {judge.Fail, ""}, {judge.Fail, "too long to be right"}, {judge.Pass, ""},
		{judge.Pass, ""}, {judge.Fail, ""}, {judge.Pass, ""},
	}
	solutions := map[string]string{
		"go": `package numbered

import "strings"

func Text(n int) string { return strings.Repeat("<é", n) }

func Numbers(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}
`,
		"python": `def text(n):
    return "<é" * n


def numbers(n):
    return list(range(n))
`,
		"javascript": `export const text = (n) => '<é'.repeat(n);

export const numbers = (n) => Array.from({ length: n }, (_, i) => i);
`,
	}
	for _, l := range languages {
		t.Run(l.Facts().Name, func(t *testing.T) {
			need(t, l)
			t.Parallel()
			wantRows(t, l, numbered(t, l, questions), solutions[l.Facts().Name], want)
		})
	}
}

// TestDeepRecursion holds that a call may be as deep as in the tests' own process,
// whatever the cases before it did to the stack.
func TestDeepRecursion(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	need(t, golang.Go{})
	t.Parallel()
	const endless, deep = -1, 4_000_000
	few := numbered(t, golang.Go{}, []question{{"count", -1, 0}, {"count", -2, 0}, {"count", -3, 0}, {"count", -4, 0}, {"count", -5, 0}, {"count", -6, 0}})
	const solution = `package numbered

// Count counts calls. The stack holds what each is for.
func Count(n int) int {
	var room [8]int
	if n == 0 {
		return 0
	}
	room[n&7] = n
	below := Count(n-1) + 1
	return below + room[n&7] - n
}
`
	const untried = "(not tried with a larger stack: 4 other cases overflowed it too)"
	u := numbered(t, golang.Go{}, []question{
		{"count", 3, 3}, {"count", endless, 0}, {"count", endless - 1, 0}, {"count", endless - 2, 0}, {"count", endless - 3, 0}, {"count", endless - 4, 0},
		{"count", deep, deep}, {"count", 5, 5}, {"count", deep + 1, 0},
	})
	const overflow = "stack overflow: does a recursion never end?\n    numbered.go:"
	wantRows(t, golang.Go{}, u, solution, []row{
		{judge.Pass, ""}, {judge.Error, overflow}, {judge.Error, overflow}, {judge.Error, overflow}, {judge.Error, overflow}, {judge.Error, overflow},
		{judge.Pass, ""}, {judge.Pass, ""}, {judge.Fail, ""},
	})
	wantRows(t, golang.Go{}, few, solution, []row{
		{judge.Error, overflow}, {judge.Error, overflow}, {judge.Error, overflow}, {judge.Error, overflow}, {judge.Error, untried}, {judge.Error, untried},
	})
}

// TestEveryCaseCrashes holds that each has a row that says so, and costs no other
// its own.
func TestEveryCaseCrashes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	var questions []question
	var want []row
	for n := range 12 {
		questions = append(questions, question{"leave", n, n})
		want = append(want, row{judge.Error, fmt.Sprintf("exited with code %d", n+1)})
	}
	for name, solution := range map[string]string{
		"go":         "package numbered\n\nimport \"os\"\n\nfunc Leave(n int) int {\n\tos.Exit(n + 1)\n\treturn 0\n}\n",
		"python":     "import os\n\n\ndef leave(n):\n    os._exit(n + 1)\n",
		"javascript": "export const leave = (n) => process.exit(n + 1);\n",
	} {
		for _, l := range languages {
			if l.Facts().Name != name {
				continue
			}
			t.Run(name, func(t *testing.T) {
				need(t, l)
				t.Parallel()
				wantRows(t, l, numbered(t, l, questions), solution, want)
			})
		}
	}
}
