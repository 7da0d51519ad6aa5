package spec

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Kind is the kind of a JSON value.
type Kind uint8

// The six kinds of JSON value.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// Value is a JSON value, exactly as written: numbers keep their literal and
// objects the order of their keys.
type Value struct {
	Kind   Kind
	Bool   bool
	Text   string // a String's characters, or a Number's literal
	Items  []*Value
	Fields []Field
	Offset int // where the value starts in its file, in bytes
	End    int // where it ends
}

// Field is one key of an object with its value.
type Field struct {
	Name   string
	Value  *Value
	Offset int // where the key starts in its file, in bytes
}

// Get returns the value of a key, or nil if the object lacks it.
func (v *Value) Get(name string) *Value {
	if v == nil {
		return nil
	}
	for _, f := range v.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return nil
}

// Int returns the exact integer of a Number, or false if its literal has a fraction or an
// exponent.
func (v *Value) Int() (*big.Int, bool) {
	if v.Kind != Number || strings.ContainsAny(v.Text, ".eE") {
		return nil, false
	}
	return new(big.Int).SetString(v.Text, 10)
}

// Rat returns the exact value of a Number.
func (v *Value) Rat() (*big.Rat, bool) {
	if v.Kind != Number {
		return nil, false
	}
	return new(big.Rat).SetString(v.Text)
}

// ErrorText returns the message of an error, and whether v is an error: an object whose
// only key is "error", with a text.
func (v *Value) ErrorText() (string, bool) {
	if v.Kind == Object && len(v.Fields) == 1 && v.Fields[0].Name == "error" && v.Fields[0].Value.Kind == String {
		return v.Fields[0].Value.Text, true
	}
	return "", false
}

// JSON writes the value on one line, numbers as they were written and keys in
// their order.
func (v *Value) JSON() string {
	return string(v.appendJSON(nil))
}

func (v *Value) appendJSON(b []byte) []byte {
	switch v.Kind {
	case Bool:
		return strconv.AppendBool(b, v.Bool)
	case Number:
		return append(b, v.Text...)
	case String:
		return appendQuoted(b, v.Text)
	case Array:
		b = append(b, '[')
		for i, item := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.appendJSON(b)
		}
		return append(b, ']')
	case Object:
		b = append(b, '{')
		for i, f := range v.Fields {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendQuoted(b, f.Name), ':')
			b = f.Value.appendJSON(b)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

func appendQuoted(b []byte, s string) []byte {
	// Invalid UTF-8 is replaced; a text that was read from a file is always valid.
	b, _ = jsontext.AppendQuote(b, s)
	return b
}

func jsonQuote(s string) string { return string(appendQuoted(nil, s)) }

// below returns the first list or object that lies more than so many levels deep in v, or
// nil.
func (v *Value) below(levels int) *Value {
	if v.Kind != Array && v.Kind != Object {
		return nil
	}
	if levels == 0 {
		return v
	}
	for _, item := range v.Items {
		if found := item.below(levels - 1); found != nil {
			return found
		}
	}
	for _, f := range v.Fields {
		if found := f.Value.below(levels - 1); found != nil {
			return found
		}
	}
	return nil
}

// walk calls f for v and all values inside it.
func (v *Value) walk(f func(*Value)) {
	f(v)
	for _, item := range v.Items {
		item.walk(f)
	}
	for _, field := range v.Fields {
		field.Value.walk(f)
	}
}
