package judge

import (
	"fmt"
	"slices"
	"strings"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/sandbox"
	"stateoftictactoe/gen/internal/spec"
)

// Status is what a test or a whole submission came to.
type Status string

// The three statuses. An error says that there is no verdict: what ended the
// case, or kept it from being tried.
const (
	Pass  Status = "pass"
	Fail  Status = "fail"
	Error Status = "error"
)

// Row is the verdict on one case.
type Row struct {
	Name     string
	Group    string // the groups around it that its name does not show
	Status   Status
	Message  string // why it did not pass, with its input
	Problem  string // why it did not pass, alone
	Output   string // what the solution printed
	TestCode string
	Task     int // the number of its task, or 0
}

// Title is the row's name for a reader. The name of a case is one everywhere: in the
// native tests, in results.json and here (see spec.Names). What a person reads alone,
// gen test and JUnit, puts its groups in front where it is so short that it says
// little without them, as "empty" does.
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
	// Message says why there are no rows: the compiler's words, or what the
	// solution did instead of loading.
	Message string
	Rows    []Row
	Cases   int // how many the exercise has
	// Warning says why the native tests would not run, or is empty. It does not
	// change the status.
	Warning string
	// Missing lists layers of isolation that were not in force, or not whole.
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
	shown := s.display(t, "got", got)
	_, failed := t.of.Expected.ErrorText()
	if hint := s.wording(t).NoReturn; hint != "" && got.Kind == spec.Null && !failed {
		shown += "; " + hint
	}
	return Fail, s.wanted(t, shown+traced(r))
}

// reasonable reports whether all numbers of a result are such as can be compared
// in no time. None that is wanted comes near the bounds.
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

// traced shows below a failure the lines that led to it, each once: a function that
// calls itself comes by one line again and again.
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
	// A function that calls itself is one line.
	return "\n    " + strings.Join(slices.Compact(slices.Clone(lines)), "\n    ")
}

// wording is how the language writes what a failure of a case shows.
func (s *session) wording(t *trial) lang.Wording { return s.language.Wording(t.function).OrJSON() }

// explain shows a case's input, and what happened.
func (s *session) explain(t *trial) string {
	var lines []string
	for _, p := range t.function.Params {
		if v := t.of.Input.Get(p.Key); v != nil {
			lines = append(lines, label(p.Key, s.display(t, p.Key, v)))
		}
	}
	return strings.Join(append(lines, t.what), "\n")
}

// wanted shows the result wanted and the one that came.
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
	rows := len(v.Items) > 1 // one alone would look like a string
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

// maxOutput is how much of what a case prints is kept, in bytes: more than is
// shown, for the last words of a crash.
const maxOutput = 16_000

// maxWords is how much of the end of that is shown where a crash says nothing of its own.
const maxWords = 2000
