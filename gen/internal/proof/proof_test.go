package proof_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/golang"
	"stateoftictactoe/gen/internal/lang/python"
	"stateoftictactoe/gen/internal/proof"
	"stateoftictactoe/gen/internal/spec"
)

// broken is Go with a fault in what it writes.
type broken struct {
	golang.Go
	tests func(text []byte) []byte
}

func (b broken) Tests(u *lang.Unit) ([]byte, error) {
	text, err := b.Go.Tests(u)
	return b.tests(text), err
}

func replaced(old, new string) func([]byte) []byte {
	return func(text []byte) []byte {
		if !bytes.Contains(text, []byte(old)) {
			panic("the tests lack " + old)
		}
		return bytes.ReplaceAll(text, []byte(old), []byte(new))
	}
}

const data = `{
  "exercise": "sums",
  "cases": [
    {"description": "small", "property": "sum", "input": {"numbers": [1, 2]}, "expected": 3},
    {"description": "large", "property": "sum", "input": {"numbers": [9007199254740992, 1]}, "expected": 9007199254740993},
    {"description": "text", "property": "quote", "input": {"text": "a\"b\\"}, "expected": "'a\"b\\'"},
    {"description": "empty", "property": "quote", "input": {"text": ""}, "expected": {"error": "nothing to quote"}}
  ]
}`

func unit(t *testing.T, text string) *lang.Unit {
	t.Helper()
	return unitIn(t, golang.Go{}, text)
}

func unitIn(t *testing.T, l lang.Language, text string) *lang.Unit {
	t.Helper()
	parsed, err := spec.ParseData("canonical-data.json", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return lang.NewUnit(l, "sums", parsed.Cases, lang.Settings{})
}

// prove returns what does not hold, by check.
func prove(t *testing.T, l lang.Language, item proof.Item) map[string]string {
	t.Helper()
	reports, err := proof.Prove(context.Background(), l, []proof.Item{item}, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	problems := map[string]string{}
	for _, c := range reports[0].Checks {
		if len(c.Problems) > 0 {
			problems[c.Name] = strings.Join(c.Problems, "\n")
		}
	}
	return problems
}

func TestSound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	if problems := prove(t, golang.Go{}, proof.Item{Unit: unit(t, data)}); len(problems) > 0 {
		t.Errorf("problems: %v", problems)
	}
}

// TestBrokenWriter breaks what the writer puts into the tests, and wants the
// proof to see it.
func TestBrokenWriter(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	tests := []struct {
		name    string
		fault   func([]byte) []byte
		check   string
		problem string
	}{
		{"a rounded number", replaced("9007199254740993", "9007199254740992"), "oracle", `"large" failed, but should pass`},
		{"an input that is not the data's", replaced("{1, 2}", "{1, 3}"), "oracle", `"small" failed, but should pass`},
		{"a wrong escape", replaced(`"a\"b\\"`, `"a\"b"`), "oracle", `"text" failed, but should pass`},
		{"another message", replaced("nothing to quote", "nothing"), "oracle", `"empty" failed, but should pass`},
		{"a comparison that never fails", replaced("got != tc.expected", "got != got"), "wrong-even", `"small" passed, but should fail`},
		{"an error that is not compared", replaced("err.Error() != tc.expectedError", "false"), "stub", `"empty" passed, but should fail`},
		{"a case that is not run", replaced("t.Run(tc.description,", "if len(tc.description) == 4 {\ncontinue\n}\nt.Run(tc.description,"), "oracle", `"text" did not report`},
		{"a name that is changed", replaced(`"small"`, `"smaller"`), "oracle", `"small" did not report`},
		{"text that does not compile", replaced("package", "pakage"), "oracle", "does not build"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			problems := prove(t, broken{tests: tc.fault}, proof.Item{Unit: unit(t, data)})
			if !strings.Contains(problems[tc.check], tc.problem) {
				t.Errorf("want %q among the problems of %s, got %v", tc.problem, tc.check, problems)
			}
		})
	}
}

// example is a reference solution in Go.
func example(text []byte) map[string][]byte { return map[string][]byte{"sums.go": text} }

// TestExample wants the run of an example to name exactly the cases at fault.
func TestExample(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	right := []byte(`package sums

import "errors"

func Sum(numbers []int) int {
	sum := 0
	for _, n := range numbers {
		sum += n
	}
	return sum
}

func Quote(text string) (string, error) {
	if text == "" {
		return "", errors.New("nothing to quote")
	}
	return "'" + text + "'", nil
}
`)
	if problems := prove(t, golang.Go{}, proof.Item{Unit: unit(t, data), Example: example(right)}); len(problems) > 0 {
		t.Errorf("a right example has problems: %v", problems)
	}
	wrong := bytes.Replace(right, []byte("sum := 0"), []byte("sum := len(numbers) - 2"), 1)
	wrong = bytes.Replace(wrong, []byte("nothing to quote"), []byte("nothing"), 1)
	problems := prove(t, golang.Go{}, proof.Item{Unit: unit(t, data), Example: example(wrong)})
	got := problems["example"]
	if !strings.HasPrefix(got, `"empty" failed, but should pass:`) || strings.Count(got, "should pass") != 1 || len(problems) != 1 {
		t.Errorf("got %v, want \"empty\" alone, from the example alone", problems)
	}
	for _, want := range []string{`want: error "nothing to quote"`, `got:  error "nothing"`} {
		if !strings.Contains(got, want) {
			t.Errorf("the example's failure does not say %q: %s", want, got)
		}
	}
	leaving := bytes.Replace(right, []byte(`import "errors"`), []byte("import (\n\"errors\"\n\"os\"\n)"), 1)
	leaving = bytes.Replace(leaving, []byte("sum := 0"), []byte("sum := 0\nif len(numbers) == 2 && numbers[0] > 1 {\nos.Exit(0)\n}"), 1)
	problems = prove(t, golang.Go{}, proof.Item{Unit: unit(t, data), Example: example(leaving)})
	if got := problems["example"]; !strings.Contains(got, `"large" did not report`) {
		t.Errorf("an example that exits has problems %v", problems)
	}
}

// TestManyCases proves an exercise with more cases than any that is published.
// An oracle that compared each question with each case would outlast its run.
func TestManyCases(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	const many = 6000
	shared := strings.Repeat("7, ", 50) // inputs that differ only late
	cases := make([]string, many)
	for i := range cases {
		cases[i] = fmt.Sprintf(`{"description": "sum %d", "property": "sum", "input": {"numbers": [%s%d]}, "expected": %d}`, i, shared, i, 350+i)
	}
	text := `{"exercise": "sums", "cases": [` + strings.Join(cases, ",") + "]}"
	for _, l := range []lang.Language{golang.Go{}, python.Python{}} {
		t.Run(l.Facts().Name, func(t *testing.T) {
			t.Parallel()
			for _, need := range l.Facts().Needs {
				if _, err := exec.LookPath(need.Program); err != nil {
					t.Skip(err)
				}
			}
			if problems := prove(t, l, proof.Item{Unit: unitIn(t, l, text)}); len(problems) > 0 {
				t.Errorf("problems: %.2000v", problems)
			}
		})
	}
}

// TestSameSlug proves two exercises of one slug, each by its own files.
func TestSameSlug(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	const right = "package sums\n\nfunc One() int { return 1 }\n"
	u := unit(t, `{"exercise": "sums", "cases": [{"description": "one", "property": "one", "input": {}, "expected": 1}]}`)
	items := []proof.Item{
		{Unit: u, Example: example([]byte(strings.Replace(right, "return 1", "return 2", 1)))},
		{Unit: u, Example: example([]byte(right))},
	}
	reports, err := proof.Prove(context.Background(), golang.Go{}, items, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	if reports[0].Proven() || !reports[1].Proven() {
		t.Errorf("the first is proven: %v, the second: %v", reports[0].Proven(), reports[1].Proven())
	}
}

// TestOddSlug proves an exercise whose slug is no name of a folder.
func TestOddSlug(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	u := unit(t, data)
	u.Suite.Slug = "../a/b c"
	if problems := prove(t, golang.Go{}, proof.Item{Unit: u}); len(problems) > 0 {
		t.Errorf("problems: %v", problems)
	}
}

// TestLeavesNothing wants no work dir to be left behind.
func TestLeavesNothing(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	prove(t, golang.Go{}, proof.Item{Unit: unit(t, data)})
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	if err != nil {
		t.Fatal(err)
	}
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
