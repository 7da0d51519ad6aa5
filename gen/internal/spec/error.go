package spec

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Error is a fault in a file that a person wrote, at the place where it stands.
type Error struct {
	File string
	Line int // 1-based; 0 if the fault has no place in the file
	Col  int // 1-based, in characters
	Msg  string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// errorAt places a fault at a byte offset of a file's text.
func errorAt(file string, text []byte, offset int, format string, args ...any) *Error {
	offset = min(max(offset, 0), len(text))
	// A library may point into the middle of a character.
	for back := 1; back < utf8.UTFMax && back <= offset; back++ {
		if _, size := utf8.DecodeRune(text[offset-back:]); size > back {
			offset -= back
			break
		}
	}
	before := text[:offset]
	lineStart := bytes.LastIndexByte(before, '\n') + 1
	return &Error{
		File: file,
		Line: bytes.Count(before, []byte{'\n'}) + 1,
		Col:  utf8.RuneCount(before[lineStart:]) + 1,
		Msg:  fmt.Sprintf(format, args...),
	}
}

// Fault places a fault at a value of a file.
func (v *Value) Fault(file string, text []byte, format string, args ...any) *Error {
	return errorAt(file, text, v.Offset, format, args...)
}
