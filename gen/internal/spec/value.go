package spec

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
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
	Name  string
	Value *Value
}

// Get returns the value of a key, or nil where an object lacks it.
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

// Int reports the exact integer a Number stands for, or false where its literal
// has a fraction or an exponent.
func (v *Value) Int() (*big.Int, bool) {
	if v.Kind != Number || strings.ContainsAny(v.Text, ".eE") {
		return nil, false
	}
	return new(big.Int).SetString(v.Text, 10)
}

// Rat reports the exact value of a Number.
func (v *Value) Rat() (*big.Rat, bool) {
	if v.Kind != Number {
		return nil, false
	}
	return new(big.Rat).SetString(v.Text)
}

// ErrorText returns the message of the one error form, an object whose only
// key is "error" with a text, and whether v is one.
func (v *Value) ErrorText() (string, bool) {
	if v.Kind == Object && len(v.Fields) == 1 && v.Fields[0].Name == "error" && v.Fields[0].Value.Kind == String {
		return v.Fields[0].Value.Text, true
	}
	return "", false
}

// JSON writes the value on one line, numbers as they were written and keys in
// their order.
func (v *Value) JSON() string {
	var b bytes.Buffer
	v.write(&b)
	return b.String()
}

func (v *Value) write(b *bytes.Buffer) {
	switch v.Kind {
	case Null:
		b.WriteString("null")
	case Bool:
		if v.Bool {
			b.WriteString("true")
		} else {
			b.WriteString("false")
		}
	case Number:
		b.WriteString(v.Text)
	case String:
		writeString(b, v.Text)
	case Array:
		b.WriteByte('[')
		for i, item := range v.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b)
		}
		b.WriteByte(']')
	case Object:
		b.WriteByte('{')
		for i, f := range v.Fields {
			if i > 0 {
				b.WriteByte(',')
			}
			writeString(b, f.Name)
			b.WriteByte(':')
			f.Value.write(b)
		}
		b.WriteByte('}')
	}
}

func writeString(b *bytes.Buffer, s string) {
	encoder := json.NewEncoder(b)
	encoder.SetEscapeHTML(false)
	// A string always encodes, and a bytes.Buffer never fails.
	_ = encoder.Encode(s)
	b.Truncate(b.Len() - 1) // the encoder's newline
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
