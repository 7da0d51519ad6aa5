package spec

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Error is a fault in a file that a person wrote, with its place.
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
	p := placer{file: file, text: text}
	return p.fault(offset, format, args...)
}

// placer finds the lines and columns of faults in a file. Faults in the order of their
// offsets take one walk over the text in all.
type placer struct {
	file string
	text []byte

	offset    int // the end of the text that it has walked over
	line, col int // of the offset, counted from 0
}

// fault places a fault at a byte offset.
func (p *placer) fault(offset int, format string, args ...any) *Error {
	offset = min(max(offset, 0), len(p.text))
	// A library may point into the middle of a character.
	for back := 1; back < utf8.UTFMax && back <= offset; back++ {
		if _, size := utf8.DecodeRune(p.text[offset-back:]); size > back {
			offset -= back
			break
		}
	}
	if offset < p.offset {
		p.offset, p.line, p.col = 0, 0, 0
	}
	passed := p.text[p.offset:offset]
	if end := bytes.LastIndexByte(passed, '\n'); end >= 0 {
		p.line += bytes.Count(passed, []byte{'\n'})
		p.col, passed = 0, passed[end+1:]
	}
	p.col += utf8.RuneCount(passed)
	p.offset = offset
	return &Error{File: p.file, Line: p.line + 1, Col: p.col + 1, Msg: fmt.Sprintf(format, args...)}
}

// Fault places a fault at a value of a file.
func (v *Value) Fault(file string, text []byte, format string, args ...any) *Error {
	return errorAt(file, text, v.Offset, format, args...)
}
