package spec

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"stateoftictactoe/gen/internal/lazy"
)

// ParseJSON reads one JSON value. Bad syntax, a key given twice, invalid UTF-8
// and text after the value are errors with their place in the file.
func ParseJSON(file string, text []byte) (*Value, error) {
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		return nil, errorAt(file, text, 0, "starts with a byte order mark; save the file without one")
	}
	p := parser{file: file, text: text, decoder: jsontext.NewDecoder(bytes.NewBuffer(text))}
	v, err := p.value()
	if err != nil {
		return nil, err
	}
	if _, err := p.decoder.ReadToken(); err != io.EOF {
		offset := len(text) - len(bytes.TrimLeft(text[v.End:], " \t\r\n"))
		return nil, errorAt(file, text, offset, "text after the end of the JSON value; remove it")
	}
	return v, nil
}

type parser struct {
	file    string
	text    []byte
	decoder *jsontext.Decoder
	uuid    string // of the case being read, once it has been read
}

// next skips the space and punctuation between two tokens.
func (p *parser) next(offset int) int {
	for offset < len(p.text) && strings.IndexByte(" \t\r\n,:", p.text[offset]) >= 0 {
		offset++
	}
	return offset
}

func (p *parser) value() (*Value, error) {
	v, err := p.open()
	if err != nil {
		return nil, err
	}
	switch v.Kind {
	case Array:
		err = p.items(v)
	case Object:
		err = p.fields(v)
	}
	v.End = int(p.decoder.InputOffset())
	return v, err
}

// open reads a whole scalar, or the bracket that opens an array or an object.
func (p *parser) open() (*Value, error) {
	offset := p.next(int(p.decoder.InputOffset()))
	token, err := p.decoder.ReadToken()
	if err != nil {
		return nil, p.explain(err)
	}
	v := &Value{Offset: offset}
	switch token.Kind() {
	case 'n':
		v.Kind = Null
	case 't', 'f':
		v.Kind, v.Bool = Bool, token.Bool()
	case '0':
		v.Kind, v.Text = Number, token.String()
	case '"':
		v.Kind, v.Text = String, token.String()
	case '[':
		v.Kind = Array
	case '{':
		v.Kind = Object
	}
	return v, nil
}

func (p *parser) items(v *Value) error {
	for p.decoder.PeekKind() != ']' {
		item, err := p.value()
		if err != nil {
			return err
		}
		v.Items = append(v.Items, item)
	}
	return p.end()
}

func (p *parser) fields(v *Value) error {
	outer := p.uuid
	for p.decoder.PeekKind() != '}' {
		offset := p.next(int(p.decoder.InputOffset()))
		name, err := p.decoder.ReadToken()
		if err != nil {
			return p.explain(err)
		}
		// The token is only valid until the next read.
		field := Field{Name: name.String(), Offset: offset}
		if field.Value, err = p.value(); err != nil {
			return err
		}
		// An error inside a case names the case's uuid, not that of an object in it.
		if field.Name == "uuid" && field.Value.Kind == String && p.uuid == "" {
			p.uuid = field.Value.Text
		}
		v.Fields = append(v.Fields, field)
	}
	if err := p.end(); err != nil {
		return err
	}
	p.uuid = outer
	return nil
}

// end reads the bracket that closes an array or an object.
func (p *parser) end() error {
	if _, err := p.decoder.ReadToken(); err != nil {
		return p.explain(err)
	}
	return nil
}

var trailingComma = lazy.Regexp(`^,\s*[\]}]`)

// explain puts a decoder's error in our words, at its place.
func (p *parser) explain(err error) error {
	offset, what := int(p.decoder.InputOffset()), err.Error()
	var syntactic *jsontext.SyntacticError
	switch {
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		offset, what = len(p.text), "the JSON value is cut off; is part of the file missing?"
	case errors.Is(err, jsontext.ErrDuplicateName):
		errors.As(err, &syntactic)
		offset = p.next(int(syntactic.ByteOffset))
		what = "key " + jsonQuote(syntactic.JSONPointer.LastToken()) + " stands twice in one object; remove one"
	case errors.As(err, &syntactic):
		offset, what = int(syntactic.ByteOffset), "bad JSON: "+syntactic.Err.Error()
		if trailingComma().Match(p.text[offset:]) {
			what = "bad JSON: no value follows this comma; remove it"
		}
	}
	if p.uuid != "" {
		what += " (case " + p.uuid + ")"
	}
	return errorAt(p.file, p.text, offset, "%s", what)
}
