package python

import (
	"fmt"
	"strings"
	"unicode"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// quote writes a text as a string literal: in double quotes, unless single quotes save
// backslashes, as black does. It escapes invisible characters.
func quote(text string) string {
	if strings.Count(text, `'`) < strings.Count(text, `"`) {
		return quoted(text, `'`)
	}
	return quoted(text, `"`)
}

// shown writes a text as Python and unittest show it: in single quotes, unless double
// quotes save backslashes.
func shown(text string) string {
	if strings.Contains(text, `'`) && !strings.Contains(text, `"`) {
		return quoted(text, `"`)
	}
	return quoted(text, `'`)
}

func quoted(text, mark string) string {
	var b strings.Builder
	b.WriteString(mark)
	for _, r := range text {
		switch {
		case string(r) == mark || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteString(mark)
	return b.String()
}

// Wording implements lang.Writer.
func (Python) Wording(*spec.Function) lang.Wording {
	return lang.Wording{
		Null: "None", True: "True", False: "False",
		Quote: shown, Key: shown,
		NoReturn: "is a return missing?",
		Number:   func(literal string) string { return literal },
		Error: func(e lang.ReplyError) string {
			if !e.HasMessage {
				return "raises " + e.Type + e.Message
			}
			return "raises " + e.Type + "(" + shown(e.Message) + ")"
		},
	}
}

// literal writes a value as it is.
func literal(v *spec.Value) node { return (&wanted{}).value(&spec.Type{}, v) }

// wanted writes expected values. A number in the position of a float accepts numbers near
// it.
type wanted struct {
	how   spec.Comparison
	needs map[string]bool // helpers of the template
}

func (w *wanted) value(t *spec.Type, v *spec.Value) node {
	switch v.Kind {
	case spec.Bool:
		if v.Bool {
			return atom("True")
		}
		return atom("False")
	case spec.Number:
		number := strings.Replace(strings.ToLower(v.Text), "e+", "e", 1) // 1E+5 is 1e5 to black
		if t.Kind != spec.FloatType {
			return atom(number)
		}
		w.needs[helpNear] = true
		if tolerance := spec.AbsoluteTolerance(t, w.how); tolerance != defaultTolerance {
			return call("Near", atom(number), atom(tolerance))
		}
		return call("Near", atom(number))
	case spec.String:
		return atom(quote(v.Text))
	case spec.Array:
		n := node{open: "[", close: "]"}
		for _, item := range v.Items {
			n.items = append(n.items, w.value(inner(t, ""), item))
		}
		return n
	case spec.Object:
		n := node{open: "{", close: "}"}
		for _, f := range v.Fields {
			n.items = append(n.items, w.value(inner(t, f.Name), f.Value).keyed(quote(f.Name)+": "))
		}
		return n
	}
	return atom("None")
}

// defaultTolerance is the default of Near's absolute tolerance.
const defaultTolerance = "1e-9"

// inner is the type of a list's items or of the value at a key of a map or a record.
func inner(t *spec.Type, key string) *spec.Type {
	switch t.Kind {
	case spec.ListType, spec.MapType:
		return t.Elem
	case spec.RecordType:
		if f := t.Record.Field(key); f != nil {
			return f.Type
		}
	}
	return &spec.Type{}
}

// areGrids reports whether the values at one position are lists of rows, which read best
// below each other: in each list all strings have the same length.
func areGrids(values []*spec.Value) bool {
	found := false
	for _, v := range values {
		for _, item := range v.Items {
			if item.Kind != spec.String || len(item.Text) < 2 || len(item.Text) != len(v.Items[0].Text) {
				return false
			}
		}
		found = found || len(v.Items) > 1
	}
	return found
}
