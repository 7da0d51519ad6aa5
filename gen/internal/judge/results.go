package judge

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// Bounds of the results.json interface. The host keeps 500 KB of the file.
const (
	interfaceVersion = 3
	maxMessage       = 65_535 // characters
	maxShown         = 500    // characters of a test's output
	maxResults       = 480_000
)

// noMessage is the message of a row that has none, for the interface requires one.
const noMessage = "no reason is known"

// results is the content of a results.json.
type results struct {
	Version int      `json:"version"`
	Status  Status   `json:"status"`
	Message string   `json:"message,omitempty"`
	Tests   []result `json:"tests"`
}

type result struct {
	Name     string `json:"name"`
	Status   Status `json:"status"`
	Message  string `json:"message,omitempty"`
	Output   string `json:"output,omitempty"`
	TestCode string `json:"test_code"`
	TaskID   int    `json:"task_id,omitempty"`
}

// Results writes a verdict as a results.json of the published interface. It
// stays below 500 KB: the longest texts are shortened first.
func (v *Verdict) Results() []byte {
	r := results{Version: interfaceVersion, Status: v.Status, Message: cut(v.Message, maxMessage), Tests: []result{}}
	if r.Status == Error {
		r.Message = cmp.Or(r.Message, noMessage)
	}
	for _, row := range v.Rows {
		t := result{Name: row.Name, Status: row.Status, Output: cut(row.Output, maxShown), TestCode: row.TestCode, TaskID: row.Task}
		if row.Status != Pass {
			t.Message = cmp.Or(cut(row.Message, maxMessage), noMessage)
		}
		r.Tests = append(r.Tests, t)
	}
	if v.Warning != "" && len(r.Tests) > 0 {
		r.Tests[0].Output = cut(v.Warning+"\n"+v.Rows[0].Output, maxShown)
	}
	for most := maxMessage; ; most /= 2 {
		text := encode(r)
		if len(text) <= maxResults || most < 16 {
			return text
		}
		for i := range r.Tests {
			t := &r.Tests[i]
			t.Message = cut(t.Message, most)
			t.TestCode = cut(t.TestCode, most)
			t.Output = cut(t.Output, most)
		}
		r.Message = cut(r.Message, most)
	}
}

func encode(r results) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	// Strings and numbers always encode, and a bytes.Buffer never fails.
	_ = encoder.Encode(r)
	return b.Bytes()
}

// cut shortens a text to most characters, the mark of the cut included.
func cut(text string, most int) string {
	length := utf8.RuneCountInString(text)
	if length <= most {
		return text
	}
	mark := fmt.Sprintf("\n... (%d characters in all)", length)
	keep := max(most-utf8.RuneCountInString(mark), 0)
	for i := range text {
		if keep == 0 {
			return text[:i] + mark
		}
		keep--
	}
	return text
}

// Shorten cuts a test's output to the length that results.json allows.
func Shorten(output string) string { return cut(output, maxShown) }

// Summary states the verdict in a few words.
func (v *Verdict) Summary() string {
	if len(v.Rows) == 0 {
		return string(v.Status) + ": no case was tried"
	}
	passed := 0
	for _, row := range v.Rows {
		if row.Status == Pass {
			passed++
		}
	}
	noun, verb := "cases", "pass"
	if len(v.Rows) == 1 {
		noun = "case"
	}
	if passed == 1 || len(v.Rows) == 1 {
		verb = "passes"
	}
	text := fmt.Sprintf("%s: %d of %d %s %s", v.Status, passed, len(v.Rows), noun, verb)
	if len(v.Rows) < v.Cases {
		were := "were"
		if len(v.Rows) == 1 {
			were = "was"
		}
		text += fmt.Sprintf(", %d of %d %s tried", len(v.Rows), v.Cases, were)
	}
	return text
}
