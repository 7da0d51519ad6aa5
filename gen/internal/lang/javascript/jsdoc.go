package javascript

import (
	"fmt"
	"strings"

	"stateoftictactoe/gen/internal/spec"
)

// doc writes the comment of a function from the data: an example, the types of its
// arguments and of its result, and an error.
func (n *naming) doc(f *spec.Function) []string {
	w := writer{big: f.HasLargeInts()}
	var example, failure *spec.Case
	for _, c := range f.Cases {
		if _, failed := c.Expected.ErrorText(); failed {
			if failure == nil {
				failure = c
			}
		} else if example == nil && len(c.Input.JSON())+len(c.Expected.JSON()) <= 60 {
			example = c
		}
	}
	lines := []string{"The tests call this function."}
	if example != nil {
		lines = []string{fmt.Sprintf("For example, %s returns %s.", n.example(f, example, w), flat(w.value(f.Result, example.Expected).doc))}
	}
	lines = append(lines, "")
	for i, name := range n.params(f) {
		lines = append(lines, "@param "+w.param(f, f.Params[i], name))
	}
	if f.Result != nil {
		lines = append(lines, fmt.Sprintf("@returns {%s}", w.typeOf(f.Result)))
	}
	if failure != nil {
		errorType := n.unit.Settings.ErrorType
		if errorType == "" {
			errorType = "Error"
		}
		message, _ := failure.Expected.ErrorText()
		lines = append(lines, fmt.Sprintf("@throws {%s} such as %s", errorType, quote(message)))
	}
	for i, text := range lines {
		// The characters */ would end the comment.
		lines[i] = strings.ReplaceAll(text, "*/", `*\/`)
	}
	return lines
}

// param is a parameter with its type, in brackets if some case leaves it out.
func (w writer) param(f *spec.Function, p spec.Param, name string) string {
	typ := *p.Type
	typ.Optional = false
	isAbsent := false
	for _, c := range f.Cases {
		switch v := c.Input.Get(p.Key); {
		case v == nil:
			isAbsent = true
		case v.Kind == spec.Null:
			typ.Optional = true
		}
	}
	if isAbsent {
		name = "[" + name + "]"
	}
	return fmt.Sprintf("{%s} %s", w.typeOf(&typ), name)
}

func (n *naming) example(f *spec.Function, c *spec.Case, w writer) string {
	var args []doc
	last := 0
	for _, p := range f.Params {
		if v := c.Input.Get(p.Key); v != nil {
			args = append(args, w.value(p.Type, v).doc)
			last = len(args)
		} else {
			args = append(args, "undefined")
		}
	}
	return flat(call(n.functions[f], args[:last]...))
}

// typeOf writes a type as in JSDoc.
func (w writer) typeOf(t *spec.Type) string {
	name := w.bare(t)
	if t.Optional && t.Kind != spec.AnyType {
		name += " | null"
	}
	return name
}

func (w writer) bare(t *spec.Type) string {
	switch t.Kind {
	case spec.BoolType:
		return "boolean"
	case spec.IntType:
		if w.big {
			return "bigint"
		}
		return "number"
	case spec.FloatType:
		return "number"
	case spec.StringType:
		return "string"
	case spec.ListType:
		elem := w.typeOf(t.Elem)
		if strings.Contains(elem, " | ") {
			elem = "(" + elem + ")"
		}
		return elem + "[]"
	case spec.MapType:
		return "Object<string, " + w.typeOf(t.Elem) + ">"
	case spec.RecordType:
		return "object"
	}
	return "*"
}
