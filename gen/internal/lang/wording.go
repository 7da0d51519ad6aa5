package lang

import (
	"strings"

	"stateoftictactoe/gen/internal/spec"
)

// Wording is how a language writes what a failure shows to a student.
type Wording struct {
	Null, True, False string
	// Quote writes a text, and Key a key of an object.
	Quote, Key func(text string) string
	// Number writes a number, given as the data have it.
	Number func(literal string) string
	// Error says that a call ended with an error. Of one without a type or message,
	// any will do.
	Error func(e ReplyError) string
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
		b.WriteByte('[')
		for i, item := range v.Items {
			if i > 0 {
				b.WriteString(", ")
			}
			w.write(b, item)
		}
		b.WriteByte(']')
	case spec.Object:
		b.WriteByte('{')
		for i, field := range v.Fields {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(w.Key(field.Name) + ": ")
			w.write(b, field.Value)
		}
		b.WriteByte('}')
	}
}
