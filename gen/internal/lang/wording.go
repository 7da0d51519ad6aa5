package lang

import (
	"cmp"
	"encoding/json"
	"strings"

	"stateoftictactoe/gen/internal/spec"
)

// Wording says how a language writes the message of a failure for a student. OrJSON fills
// in the fields that are not set.
type Wording struct {
	Null, True, False string
	// Pad stands between the brackets of a list or an object and its content.
	Pad string
	// NoReturn explains where a null may come from if another result is expected, or is "".
	NoReturn string
	// Quote writes a text, and Key a key of an object.
	Quote, Key func(text string) string
	// Number writes a number, given as the data have it.
	Number func(literal string) string
	// Error says that a call ended with an error. An error without a type or message stands
	// for any type or message.
	Error func(e ReplyError) string
}

// OrJSON returns the wording with JSON's form in place of the fields that are not set.
func (w Wording) OrJSON() Wording {
	w.Null, w.True, w.False = cmp.Or(w.Null, "null"), cmp.Or(w.True, "true"), cmp.Or(w.False, "false")
	quote := func(text string) string {
		quoted, _ := json.Marshal(text) // a text always encodes
		return string(quoted)
	}
	if w.Quote == nil {
		w.Quote = quote
	}
	if w.Key == nil {
		w.Key = quote
	}
	if w.Number == nil {
		w.Number = func(literal string) string { return literal }
	}
	if w.Error == nil {
		w.Error = func(e ReplyError) string { return strings.TrimSpace("error " + e.Type + " " + quote(e.Message)) }
	}
	return w
}

// Show writes a value on one line.
func (w Wording) Show(v *spec.Value) string {
	var b strings.Builder
	w.write(&b, v)
	return b.String()
}

func (w Wording) write(b *strings.Builder, v *spec.Value) {
	switch v.Kind {
	case spec.Null:
		b.WriteString(w.Null)
	case spec.Bool:
		text := w.False
		if v.Bool {
			text = w.True
		}
		b.WriteString(text)
	case spec.Number:
		b.WriteString(w.Number(v.Text))
	case spec.String:
		b.WriteString(w.Quote(v.Text))
	case spec.Array:
		w.inBrackets(b, "[]", len(v.Items), func(i int) { w.write(b, v.Items[i]) })
	case spec.Object:
		w.inBrackets(b, "{}", len(v.Fields), func(i int) {
			b.WriteString(w.Key(v.Fields[i].Name) + ": ")
			w.write(b, v.Fields[i].Value)
		})
	}
}

func (w Wording) inBrackets(b *strings.Builder, brackets string, count int, write func(i int)) {
	pad := w.Pad
	if count == 0 {
		pad = ""
	}
	b.WriteString(brackets[:1] + pad)
	for i := range count {
		if i > 0 {
			b.WriteString(", ")
		}
		write(i)
	}
	b.WriteString(pad + brackets[1:])
}
