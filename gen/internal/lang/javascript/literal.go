package javascript

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lazy"
	"stateoftictactoe/gen/internal/spec"
)

// literal is a value as JavaScript writes it, with the facts that decide its layout.
type literal struct {
	doc      doc
	isString bool
	// stays reports whether the value never goes to a line of its own.
	stays bool
	// isFlowing reports whether a list of such items fills its lines.
	isFlowing bool
	// size counts the items of a list or the keys of an object.
	size int
	kind spec.Kind
}

// Wording implements lang.Writer.
func (JavaScript) Wording(f *spec.Function) lang.Wording {
	return lang.Wording{
		Null: "null", True: "true", False: "false",
		Quote: quote, Key: func(name string) string {
			if isNumberKey(name) {
				return quote(name)
			}
			return key(name)
		},
		Pad: " ", // as Node shows lists and objects
		Number: func(literal string) string {
			if f.HasLargeInts() && !strings.ContainsAny(literal, ".eE") {
				return literal + "n"
			}
			return literal
		},
		Error: func(e lang.ReplyError) string {
			text := "throws " + cmp.Or(e.Type, "Error")
			if e.HasMessage {
				text += " " + quote(e.Message)
			}
			return text
		},
	}
}

// writer writes the values of one property.
type writer struct {
	// big reports whether integers are written as BigInt.
	big bool
}

// value writes a value. A key that is missing is not a value.
func (w writer) value(t *spec.Type, v *spec.Value) literal {
	switch v.Kind {
	case spec.Array:
		return w.array(t, v)
	case spec.Object:
		return w.object(t, v)
	case spec.String:
		return literal{doc: quote(v.Text), isString: true, kind: spec.String}
	case spec.Number:
		return w.number(t, v)
	case spec.Bool:
		return literal{doc: fmt.Sprint(v.Bool), stays: true, kind: spec.Bool}
	}
	return literal{doc: "null", kind: spec.Null}
}

func (w writer) array(t *spec.Type, v *spec.Value) literal {
	elem := &spec.Type{}
	if t.Kind == spec.ListType {
		elem = t.Elem
	}
	items := make([]literal, len(v.Items))
	for i, item := range v.Items {
		items[i] = w.value(elem, item)
	}
	return arrayOf(items)
}

// arrayOf writes a list. Numbers fill its lines; objects of several keys, or
// lists of several items, go below each other.
func arrayOf(items []literal) literal {
	whole := literal{doc: "[]", kind: spec.Array, size: len(items)}
	if len(items) == 0 {
		return whole
	}
	if !slices.ContainsFunc(items, func(l literal) bool { return !l.isFlowing }) {
		id := &groupID{}
		var contents fill
		for i, item := range items {
			if i == len(items)-1 {
				contents = append(contents, concat{item.doc, ifBroken{",", id}})
			} else {
				contents = append(contents, concat{item.doc, ","}, line{})
			}
		}
		soft := line{soft: true}
		whole.doc = &group{contents: concat{"[", indented{concat{soft, contents}}, soft, "]"}, id: id}
		return whole
	}
	docs := make([]doc, len(items))
	for i, item := range items {
		docs[i] = &group{contents: item.doc}
	}
	l := list("[", line{soft: true}, docs, "]")
	l.broken = len(items) > 1 && !slices.ContainsFunc(items, func(l literal) bool {
		return l.kind != items[0].kind || l.size < 2
	})
	whole.doc = l
	return whole
}

func (w writer) object(t *spec.Type, v *spec.Value) literal {
	var fields []field
	for _, f := range v.Fields {
		typ := &spec.Type{}
		switch {
		case t.Kind == spec.MapType:
			typ = t.Elem
		case t.Kind == spec.RecordType && t.Record.Field(f.Name) != nil:
			typ = t.Record.Field(f.Name).Type
		}
		fields = append(fields, field{key(f.Name), w.value(typ, f.Value)})
	}
	return objectOf(fields)
}

// field is a key as it is written, with its value.
type field struct {
	key   string
	value literal
}

func objectOf(fields []field) literal {
	whole := literal{doc: "{}", kind: spec.Object, size: len(fields)}
	if len(fields) == 0 {
		return whole
	}
	docs := make([]doc, len(fields))
	for i, f := range fields {
		docs[i] = &group{contents: assigned(f.key, ":", f.value)}
	}
	whole.doc = list("{", line{}, docs, "}")
	return whole
}

func (w writer) number(t *spec.Type, v *spec.Value) literal {
	text := numberText(v.Text)
	if _, whole := v.Int(); whole && w.big && t.Kind != spec.FloatType {
		return literal{doc: text + "n", kind: spec.Number}
	}
	return literal{
		doc:       text,
		stays:     !strings.HasPrefix(text, "-"),
		isFlowing: true,
		kind:      spec.Number,
	}
}

// Parts of a number that prettier removes: a plus and zeros in the exponent, an exponent of
// zero, and zeros behind the last decimal.
var (
	exponentFront = lazy.Regexp(`^(-?[\d.]+e)(?:\+|(-))?0*(\d)`)
	exponentZero  = lazy.Regexp(`^(-?[\d.]+)e[+-]?0+$`)
	decimalZeros  = lazy.Regexp(`(\.\d+?)0+(e|$)`)
)

// numberText writes a number of the data as prettier does.
func numberText(literal string) string {
	text := strings.ToLower(literal)
	text = exponentFront().ReplaceAllString(text, "$1$2$3")
	text = exponentZero().ReplaceAllString(text, "$1")
	return decimalZeros().ReplaceAllString(text, "$1$2")
}

// quote writes a string in the quotes that need fewer escapes, in single quotes if both
// need as many. It escapes invisible characters.
func quote(s string) string {
	mark := '\''
	if strings.Count(s, "'") > strings.Count(s, `"`) {
		mark = '"'
	}
	var b strings.Builder
	b.WriteRune(mark)
	for _, r := range s {
		switch {
		case r == mark || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case strings.ContainsRune("\n\r\t\b\f\v", r):
			b.WriteByte('\\')
			b.WriteByte("btnvfr"[r-'\b'])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteRune(mark)
	return b.String()
}

// key writes the key of an object, in quotes only if it needs them. A key that would set
// the object's prototype is computed.
func key(name string) string {
	switch {
	case name == "__proto__":
		return "['__proto__']"
	case isIdentifier(name), isNumberKey(name):
		return name
	}
	return quote(name)
}

// isIdentifier reports whether a key needs no quotes. It allows only letters of a single
// code unit, which every version of JavaScript knows.
func isIdentifier(name string) bool {
	for i, r := range name {
		switch {
		case r == '_' || r == '$' || r <= 0xffff && unicode.In(r, unicode.L, unicode.Nl):
		case i > 0 && r <= 0xffff && unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc):
		default:
			return false
		}
	}
	return name != ""
}

var decimal = lazy.Regexp(`^\d+(\.\d+)?$`)

// isNumberKey reports whether a key reads the same as a number.
func isNumberKey(name string) bool {
	if !decimal().MatchString(name) {
		return false
	}
	x, err := strconv.ParseFloat(name, 64)
	return err == nil && (x == 0 || x >= 1e-6) && x < 1e21 && strconv.FormatFloat(x, 'f', -1, 64) == name
}

// flat writes a doc on one line, however long that gets.
func flat(d doc) string {
	var b strings.Builder
	var write func(d doc)
	write = func(d doc) {
		switch d := d.(type) {
		case string:
			b.WriteString(d)
		case concat:
			for _, part := range d {
				write(part)
			}
		case fill:
			for _, part := range d {
				write(part)
			}
		case indented:
			write(d.doc)
		case indentIfBroken:
			write(d.doc)
		case *group:
			write(d.contents)
		case line:
			if !d.soft {
				b.WriteByte(' ')
			}
		}
	}
	write(d)
	return b.String()
}
