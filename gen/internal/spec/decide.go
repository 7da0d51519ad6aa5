package spec

import (
	"slices"
	"strings"

	"stateoftictactoe/gen/internal/lazy"
)

// Undecided is a case whose data do not decide the right answer, so that its test needs
// a template. Without a template it gets no test, and it never counts as proven.
type Undecided struct {
	Case   *Case
	Reason string
}

// Decide splits cases into those that say "function (input) == output" and those that
// only seem to.
func Decide(cases []*Case) (decided []*Case, undecided []Undecided) {
	empty := propertiesOfEmptyResults(cases)
	objects := codeObjects(cases)
	conflicting := conflictingInputs(cases)
	for _, c := range cases {
		reason := ""
		switch {
		case empty[c.Property]:
			reason = "every result of " + c.Property + " is {}"
		case conflicting[c]:
			reason = "another case with the same input wants another result"
		case slices.Contains(c.Scenarios, "random") && c.Expected.Kind != Number:
			reason = "the result is random and no number"
		default:
			if code := codeIn(c, objects); code != "" {
				reason = "code as text: " + code
			}
		}
		if reason == "" {
			decided = append(decided, c)
		} else {
			undecided = append(undecided, Undecided{c, reason})
		}
	}
	return decided, undecided
}

func propertiesOfEmptyResults(cases []*Case) map[string]bool {
	empty := map[string]bool{}
	for _, c := range cases {
		isEmpty := c.Expected.Kind == Object && len(c.Expected.Fields) == 0
		if before, seen := empty[c.Property]; !seen {
			empty[c.Property] = isEmpty
		} else {
			empty[c.Property] = before && isEmpty
		}
	}
	return empty
}

func conflictingInputs(cases []*Case) map[*Case]bool {
	asked := map[string][]*Case{}
	for _, c := range cases {
		question := c.Property + " " + InputKey(c)
		asked[question] = append(asked[question], c)
	}
	conflicting := map[*Case]bool{}
	for _, same := range asked {
		// In a record an absent key and a null key may be the same.
		differs := func(c *Case) bool { return Key(c.Expected) != Key(same[0].Expected) }
		if slices.ContainsFunc(same[1:], differs) {
			for _, c := range same {
				conflicting[c] = true
			}
		}
	}
	return conflicting
}

// Shapes of text that is code: a lambda, a call of an object's method, and, as a result,
// a comparison of names or a pattern. As an input a comparison may be plain data, as in
// a puzzle.
var (
	lambda     = lazy.Regexp(`^(fn|func|function|lambda)?\s*\(\s*(\w+\s*(,\s*\w+\s*)*)?\)\s*[-=]>`)
	methodCall = lazy.Regexp(`^([A-Za-z_]\w*)(\.\w+)+\(.*\)$`)
	member     = lazy.Regexp(`^([A-Za-z_]\w*)(\.\w+)+$`)
	comparison = lazy.Regexp(`^[A-Za-z_][\w.]*\s+([=!]==?|[<>]=?)\s+\w+`)
	pattern    = lazy.Regexp(`^\^.+\$$`)
)

// codeObjects names the objects whose methods are called in a text of the cases.
func codeObjects(cases []*Case) map[string]bool {
	objects := map[string]bool{}
	for _, c := range cases {
		eachText(c, func(text string, _ bool) {
			if !strings.HasSuffix(text, ")") {
				return
			}
			if m := methodCall().FindStringSubmatch(text); m != nil {
				objects[m[1]] = true
			}
		})
	}
	return objects
}

// codeIn returns the first text in a case that is code, or "".
func codeIn(c *Case, objects map[string]bool) string {
	found := ""
	eachText(c, func(text string, result bool) {
		if found == "" && isCode(text, result, objects) {
			found = text
		}
	})
	return found
}

func isCode(text string, result bool, objects map[string]bool) bool {
	// Most text is ruled out faster than a regular expression would.
	switch {
	case strings.Contains(text, ">") && lambda().MatchString(text):
		return true
	case strings.HasSuffix(text, ")") && methodCall().MatchString(text):
		return true
	case result && strings.ContainsAny(text, "=<>") && comparison().MatchString(text):
		return true
	case result && strings.HasPrefix(text, "^") && pattern().MatchString(text):
		return true
	case len(objects) == 0:
		return false
	}
	m := member().FindStringSubmatch(text)
	return m != nil && objects[m[1]]
}

// eachText visits the texts of a case's input and result, trimmed, but not the message of
// an error, which is never code.
func eachText(c *Case, visit func(text string, result bool)) {
	texts := func(v *Value, result bool) {
		v.walk(func(v *Value) {
			if v.Kind == String {
				visit(strings.TrimSpace(v.Text), result)
			}
		})
	}
	texts(c.Input, false)
	if _, failed := c.Expected.ErrorText(); !failed {
		texts(c.Expected, true)
	}
}
