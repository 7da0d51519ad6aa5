package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/sandbox"
	"stateoftictactoe/gen/internal/spec"
)

// Status is the result of a test or of a whole submission.
type Status string

// The three statuses. Error means that the case gave no answer: something ended it, or
// kept it from being tried.
const (
	Pass  Status = "pass"
	Fail  Status = "fail"
	Error Status = "error"
)

// Row is the verdict on one case.
type Row struct {
	Name     string
	Group    string // the groups around it, without those that its name shows
	Status   Status
	Message  string // its input, and why it did not pass
	Problem  string // only why it did not pass
	Output   string // what the solution printed
	TestCode string
	Task     int // the number of its task, or 0
}

// Title is the row's name for the output of gen test and for JUnit files. It puts the
// groups in front of a name of one or two words, such as "empty". Native tests and
// results.json use the name alone (see spec.Names).
func (r Row) Title() string {
	const short = 2 // words
	if r.Group == "" || len(strings.Fields(r.Name)) > short {
		return r.Name
	}
	return r.Group + arrow + r.Name
}

// Verdict is the verdict on a submission.
type Verdict struct {
	Status Status
	// Message says why there are no rows: it holds the compiler's messages, or says what
	// the solution did instead of loading.
	Message string
	Rows    []Row
	Cases   int // how many the exercise has
	// Warning says why the native tests would not run, or is "". It does not change the
	// status.
	Warning string
	// Missing lists the layers of isolation that were not in force, or only in part.
	Missing []sandbox.Standing
}

// compare judges a reply.
func (s *session) compare(t *trial, r lang.Reply) (Status, string) {
	how := s.unit.Comparison(t.function)
	switch {
	case r.Panic != "":
		return Fail, r.Panic + traced(r)
	case r.Error != nil:
		wanted := s.language.ErrorType(s.unit)
		rightType := wanted == "" || r.Error.Type == wanted
		if rightType && (r.Error.HasMessage || how.AnyError) && t.function.Equal(t.of.Expected, errorValue(r.Error.Message), how) {
			return Pass, ""
		}
		return Fail, s.wanted(t, s.wording(t).Error(*r.Error)+traced(r))
	case r.Other != "":
		return Fail, s.wanted(t, r.Other+traced(r))
	}
	got, err := spec.ParseJSON("result", r.Result)
	if err != nil {
		return Error, "the result is no data: " + err.Error()
	}
	if !reasonable(got) {
		return Fail, s.wanted(t, "a number with more digits than any answer has")
	}
	if _, isError := got.ErrorText(); !isError && t.function.Equal(t.of.Expected, got, how) {
		return Pass, ""
	}
	shown := cmp.Or(r.Shown, s.display(t, "got", got))
	_, failed := t.of.Expected.ErrorText()
	if hint := s.wording(t).NoReturn; hint != "" && got.Kind == spec.Null && !failed {
		shown += "; " + hint
	}
	return Fail, s.wanted(t, shown+traced(r))
}

// reasonable reports whether all numbers of a result can be compared quickly. No expected
// number comes near the bounds.
func reasonable(v *spec.Value) bool {
	const maxDigits, maxExponentDigits = 10_000, 4
	switch v.Kind {
	case spec.Number:
		exponent := strings.IndexAny(v.Text, "eE")
		return len(v.Text) <= maxDigits && (exponent < 0 || len(strings.TrimLeft(v.Text[exponent+1:], "+-0")) <= maxExponentDigits)
	case spec.Array:
		return !slices.ContainsFunc(v.Items, func(item *spec.Value) bool { return !reasonable(item) })
	case spec.Object:
		return !slices.ContainsFunc(v.Fields, func(field spec.Field) bool { return !reasonable(field.Value) })
	}
	return true
}

func errorValue(message string) *spec.Value {
	return &spec.Value{Kind: spec.Object, Fields: []spec.Field{{Name: "error", Value: &spec.Value{Kind: spec.String, Text: message}}}}
}

// traced returns the lines of code that led to a failure, each once: a recursive function
// passes the same line again and again.
func traced(r lang.Reply) string {
	const most = 8
	var lines []string
	again := 0
	for _, line := range r.Trace {
		switch {
		case slices.Contains(lines, line):
			again++
		case len(lines) < most:
			lines = append(lines, line)
		}
	}
	if again > 0 {
		them := "this"
		if len(lines) > 1 {
			them = "these"
		}
		lines = append(lines, fmt.Sprintf("... %d more like %s", again, them))
	}
	if r.Note != "" {
		lines = append(lines, r.Note)
	}
	if len(lines) == 0 {
		return ""
	}
	return "\n    " + strings.Join(lines, "\n    ")
}

// wording says how the language writes values and errors in the message of a failure.
func (s *session) wording(t *trial) lang.Wording { return s.language.Wording(t.function).OrJSON() }

// explain shows a case's input, and why it did not pass.
func (s *session) explain(t *trial) string {
	var lines []string
	for _, p := range t.function.Params {
		if v := t.of.Input.Get(p.Key); v != nil {
			lines = append(lines, label(p.Key, s.display(t, p.Key, v)))
		}
	}
	return strings.Join(append(lines, t.what), "\n")
}

// wanted shows the expected result and the result that came.
func (s *session) wanted(t *trial, got string) string {
	var wanted string
	if text, failed := t.of.Expected.ErrorText(); failed {
		e := lang.ReplyError{Type: s.language.ErrorType(s.unit)}
		if !s.unit.Comparison(t.function).AnyError {
			e.Message, e.HasMessage = text, true
		}
		wanted = s.wording(t).Error(e)
	} else {
		wanted = s.display(t, "want", t.of.Expected)
	}
	return label("want", wanted) + "\n" + label("got", got)
}

// label writes a text behind its name, as the tests themselves do.
func label(name, text string) string { return fmt.Sprintf("%-5s %s", name+":", text) }

// display writes a value. The items of a list of strings go below each other.
func (s *session) display(t *trial, name string, v *spec.Value) string {
	wording := s.wording(t)
	rows := len(v.Items) > 1 // a single item would look like a string
	for _, item := range v.Items {
		rows = rows && item.Kind == spec.String
	}
	if !rows {
		return wording.Show(v)
	}
	lines := make([]string, len(v.Items))
	for i, item := range v.Items {
		lines[i] = wording.Show(item)
	}
	indent := max(len(name)+2, 6)
	return strings.Join(lines, "\n"+strings.Repeat(" ", indent))
}

// maxOutput is how many bytes of a case's output are kept: more than are shown, so that
// the report of a crash is among them.
const maxOutput = 16_000

// maxWords is how many bytes of the end of the output are shown if a crash has no report.
const maxWords = 2000
