package judge_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/quick"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"stateoftictactoe/gen/internal/judge"
)

// The host keeps so much of a results.json.
const hostKeeps = 500_000

var schema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	return jsonschema.NewCompiler().Compile("testdata/results.schema.json")
})

// validate checks a results.json against the interface.
func validate(text []byte) error {
	if len(text) > hostKeeps {
		return fmt.Errorf("%d bytes long", len(text))
	}
	if !utf8.Valid(text) {
		return fmt.Errorf("invalid UTF-8")
	}
	s, err := schema()
	if err != nil {
		return err
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(instance)
}

// texts are such as a hostile solution has the harness write.
var texts = []string{
	"", "plain\n", "\xff\xfe\xf0\x9f", "\x00\x01\x1b[2J", "\u2028\u2029</script>", "\"\\\"\\", "日本語", "👩‍👩‍👧‍👦", "e\u0301", "\ufffd",
}

// hostileText repeats one of them, or mixes them.
func hostileText(r *rand.Rand) string {
	sizes := []int{0, 1, 3, 40, 499, 500, 501, 5_000, 70_000}
	size := sizes[r.IntN(len(sizes))]
	var b strings.Builder
	mixed := r.IntN(2) == 0
	text := texts[r.IntN(len(texts))]
	for b.Len() < size {
		if mixed {
			text = texts[r.IntN(len(texts))]
		}
		if text == "" {
			text = "x"
		}
		b.WriteString(text)
	}
	return b.String()
}

// TestResultsBounds holds the bounds of the interface against all that a
// solution can print or return.
func TestResultsBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	property := func(seed uint64) bool {
		r := rand.New(rand.NewPCG(seed, 1))
		v := &judge.Verdict{Status: judge.Pass}
		count := []int{0, 1, 5, 30, 300}[r.IntN(5)]
		if count == 0 {
			v.Status, v.Message = judge.Error, hostileText(r)
		}
		long := strings.Repeat(hostileText(r), 1+9*r.IntN(2))
		for i := range count {
			row := judge.Row{Name: fmt.Sprint("case ", i), Status: judge.Pass, Output: hostileText(r), TestCode: "code"}
			if r.IntN(2) == 0 {
				row.Status, row.Message = judge.Fail, long
				v.Status = judge.Fail
			}
			if r.IntN(8) == 0 {
				row.TestCode = "code " + hostileText(r)
			}
			v.Rows = append(v.Rows, row)
		}
		text := v.Results()
		if err := validate(text); err != nil {
			t.Logf("seed %d: %v", seed, err)
			return false
		}
		var read struct {
			Tests []struct{ Name, Output string }
		}
		if err := json.Unmarshal(text, &read); err != nil || len(read.Tests) != count {
			t.Logf("seed %d: %d tests, %v", seed, len(read.Tests), err)
			return false
		}
		for i, test := range read.Tests {
			if test.Name != v.Rows[i].Name {
				t.Logf("seed %d: test %d is %s", seed, i, test.Name)
				return false
			}
			if whole := string([]rune(v.Rows[i].Output)); test.Output != whole && !strings.Contains(test.Output, "characters in all)") {
				t.Logf("seed %d: output %q", seed, test.Output)
				return false
			}
		}
		return true
	}
	if err := quick.Check(property, &quick.Config{MaxCount: 40}); err != nil {
		t.Error(err)
	}
}

// TestSchemaRefuses holds that the schema tells right from wrong.
func TestSchemaRefuses(t *testing.T) {
	for _, text := range []string{
		`{}`,
		`{"version": 2, "status": "pass", "tests": []}`,
		`{"version": 3, "status": "pass", "tests": []}`,
		`{"version": 3, "status": "error", "tests": []}`,
		`{"version": 3, "status": "pass", "tests": [{"name": "a", "status": "fail", "message": "m", "test_code": "c"}]}`,
		`{"version": 3, "status": "fail", "tests": [{"name": "a", "status": "fail", "test_code": "c"}]}`,
		`{"version": 3, "status": "fail", "tests": [{"name": "a", "status": "pass", "test_code": "c"}]}`,
		`{"version": 3, "status": "error", "message": "m", "tests": [{"name": "a", "status": "fail", "message": "m", "test_code": "c"}]}`,
		`{"version": 3, "status": "pass", "tests": [{"name": "a", "status": "pass", "test_code": "c", "output": "` + strings.Repeat("x", 501) + `"}]}`,
	} {
		if validate([]byte(text)) == nil {
			t.Errorf("accepted: %s", text)
		}
	}
	if err := validate([]byte(`{"version": 3, "status": "pass", "tests": [{"name": "a", "status": "pass", "test_code": "c"}]}`)); err != nil {
		t.Error(err)
	}
}
