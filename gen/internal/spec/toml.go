package spec

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"

	"stateoftictactoe/gen/internal/lazy"
)

// ParseTOML decodes a TOML file into v, with faults placed in the file. A byte
// order mark in front is legal.
func ParseTOML(file string, text []byte, v any) (toml.MetaData, error) {
	text = withoutMark(text)
	meta, err := toml.NewDecoder(bytes.NewReader(text)).Decode(v)
	return meta, tomlError(file, text, "bad TOML", err)
}

// DecodeTOML decodes a part of a TOML file that ParseTOML left undecoded, with faults
// placed in the file.
func DecodeTOML(file string, text []byte, meta *toml.MetaData, part toml.Primitive, v any) error {
	return tomlError(file, withoutMark(text), "bad TOML", meta.PrimitiveDecode(part, v))
}

func withoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

// The library's messages about a value of the wrong type.
var (
	wrongType = lazy.Regexp(`^toml: (?:line (\d+) )?\(last key "(.*?)"\): (.*)$`)
	ofType    = lazy.Regexp(`^incompatible types: TOML value has type (.+); destination has type (.+)$`)
	noTable   = lazy.Regexp(`^type mismatch for .+: expected (table) but found (.+)$`)
)

// typeName returns TOML's name for a type in the library's messages.
func typeName(t string) string {
	switch t {
	case "bool":
		return "boolean"
	case "int64":
		return "integer"
	case "float64":
		return "float"
	case "slice", "[]any":
		return "array"
	case "map[string]any", "[]map[string]any":
		return "table"
	}
	return t
}

// tomlError puts an error of the library in our words, at its place.
func tomlError(file string, text []byte, what string, err error) error {
	if err == nil {
		return nil
	}
	var parse toml.ParseError
	if errors.As(err, &parse) {
		return errorAt(file, text, parse.Position.Start, "%s: %s", what, strings.TrimSuffix(parse.Message, "."))
	}
	message := strings.TrimPrefix(err.Error(), "toml: ")
	m := wrongType().FindStringSubmatch(err.Error())
	if m == nil {
		return &Error{File: file, Msg: what + ": " + message}
	}
	key, message := m[2], m[3]
	if types := ofType().FindStringSubmatch(message); types != nil {
		message = fmt.Sprintf("must be of type %s; it is of type %s", typeName(types[2]), typeName(types[1]))
	} else if types := noTable().FindStringSubmatch(message); types != nil {
		message = fmt.Sprintf("must be of type %s; it is of type %s", types[1], typeName(types[2]))
	}
	return TOMLFaultAt(file, text, strings.Split(key, "."), "%s %s", key, message)
}

// TOMLFaultAt places a fault at the key with this path, or at the header of the innermost
// table around it that the file has.
func TOMLFaultAt(file string, text []byte, path []string, format string, args ...any) *Error {
	text = withoutMark(text)
	var tables map[string]toml.Primitive
	meta, err := toml.Decode(string(text), &tables)
	if err != nil {
		return &Error{File: file, Msg: fmt.Sprintf(format, args...)}
	}
	offset, found := 0, false
	for _, name := range path {
		part, given := tables[name]
		if !given {
			break
		}
		if at, placed := placeOf(&meta, part); placed {
			offset, found = keyBefore(text, at, name), true
		}
		tables = nil
		if meta.PrimitiveDecode(part, &tables) != nil {
			break // no table
		}
	}
	if !found {
		return &Error{File: file, Msg: fmt.Sprintf(format, args...)}
	}
	return errorAt(file, text, offset, format, args...)
}

// placeOf is the byte offset of a value, or of a table's header. The library tells offsets
// only in errors, so placeOf provokes an error.
func placeOf(meta *toml.MetaData, part toml.Primitive) (offset int, found bool) {
	var parse toml.ParseError
	if err := meta.PrimitiveDecode(part, new(refusal)); errors.As(err, &parse) && parse.Position.Line > 0 {
		return parse.Position.Start, true
	}
	// A table that only dotted keys mention has the place of the first of them.
	var parts map[string]toml.Primitive
	if meta.PrimitiveDecode(part, &parts) != nil {
		return 0, false
	}
	for _, inner := range parts {
		if at, placed := placeOf(meta, inner); placed && (!found || at < offset) {
			offset, found = at, true
		}
	}
	return offset, found
}

// refusal is a type that no TOML value decodes into.
type refusal struct{}

func (*refusal) UnmarshalTOML(any) error { return errors.New("refused") }

// keyBefore finds the key of the value at an offset, in the same line, or else the start
// of the line's text.
func keyBefore(text []byte, offset int, key string) int {
	offset = min(offset, len(text))
	start := bytes.LastIndexByte(text[:offset], '\n') + 1
	line := text[start:offset]
	if at := bytes.LastIndex(line, []byte(key)); at > 0 && (line[at-1] == '"' || line[at-1] == '\'') {
		return start + at - 1
	} else if at >= 0 {
		return start + at
	}
	return start + len(line) - len(bytes.TrimLeft(line, " \t"))
}
