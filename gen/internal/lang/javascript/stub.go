package javascript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// solution is what the templates of a stub, an oracle and a driver are filled
// with. Strings are quoted.
type solution struct {
	Slug      string
	Module    string // the solution's file, as it is imported
	Variable  string
	ErrorType string
	Functions []solutionFunction
}

type solutionFunction struct {
	Name     string
	Quoted   string // the name in quotes
	Call     string // name(parameters), in quotes
	Property string
	Head     string // the declaration up to the body
	Doc      []string
	Todo     string // the statement that fails, laid out
	Keys     string // the keys of the arguments in order, as a list
	Big      bool
	Shapes   string // the types of the property, or null
	// AnyError says that throwing an error would pass for the one wanted.
	AnyError bool
}

func (n *naming) solution() (solution, error) {
	if err := (JavaScript{}).CheckSettings(n.unit); err != nil {
		return solution{}, err
	}
	s := solution{
		Slug:      n.unit.Suite.Slug,
		Module:    quote("./" + path.Base(n.unit.Files.Solution)),
		Variable:  quote(lang.AnswersVariable),
		ErrorType: quote("Error"),
	}
	if t := n.unit.Settings.ErrorType; t != "" {
		s.ErrorType = quote(t)
	}
	for _, f := range n.unit.Suite.Functions {
		name := n.functions[f]
		fn := solutionFunction{
			Name:     name,
			Quoted:   quote(name),
			Property: quote(f.Property),
			Doc:      n.doc(f),
			Big:      f.HasLargeInts(),
			Shapes:   "null",
			AnyError: n.unit.Comparison(f).AnyError,
		}
		var params, keys []doc
		for i, p := range n.params(f) {
			params = append(params, p)
			keys = append(keys, quote(f.Params[i].Key))
		}
		fn.Call = quote(flat(call(name, params...)))
		fn.Head = layOut(concat{"export ", call("function "+name, params...), " {"}, 0)
		message := quote("Write the function " + name + ".")
		fn.Todo = layOut(concat{"throw ", call("new Error", message), ";"}, tabWidth)
		fn.Keys = flat(list("[", line{soft: true}, keys, "]"))
		if fn.Big {
			text, err := json.Marshal(shapesOf(f))
			if err != nil {
				return s, err
			}
			// As a literal, a key could set the prototype.
			fn.Shapes = "JSON.parse(" + quote(string(text)) + ")"
		}
		s.Functions = append(s.Functions, fn)
	}
	return s, nil
}

// shape is a type as a solution at run time needs to know it, to tell numbers
// from integers: a float, anything, a list or map of another shape, or a record of shapes
// by key. Shapes go by their numbers, for a record may hold itself.
type shape struct {
	Float  bool           `json:"float,omitempty"`
	Any    bool           `json:"any,omitempty"`
	Elem   *int           `json:"elem,omitempty"`
	Fields map[string]int `json:"fields,omitempty"`
}

// shapesOf lists the shapes of a function: first its input, then its result.
func shapesOf(f *spec.Function) []shape {
	shapes := []shape{{Fields: map[string]int{}}, {}}
	records := map[*spec.Record]int{}
	var describe func(t *spec.Type, at int)
	add := func(t *spec.Type) int {
		if at, seen := records[t.Record]; seen && t.Record != nil {
			return at
		}
		at := len(shapes)
		shapes = append(shapes, shape{})
		describe(t, at)
		return at
	}
	describe = func(t *spec.Type, at int) {
		switch t.Kind {
		case spec.FloatType:
			shapes[at].Float = true
		case spec.AnyType:
			shapes[at].Any = true
		case spec.ListType, spec.MapType:
			elem := add(t.Elem)
			shapes[at].Elem = &elem
		case spec.RecordType:
			records[t.Record] = at
			fields := map[string]int{}
			for _, f := range t.Record.Fields {
				fields[f.Key] = add(f.Type)
			}
			shapes[at].Fields = fields
		}
	}
	for _, p := range f.Params {
		shapes[0].Fields[p.Key] = add(p.Type)
	}
	if f.Result != nil {
		describe(f.Result, 1)
	}
	return shapes
}

// doc says what the data tell of a function: an example, the types of its
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
		// Two characters would end the comment.
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

// typeOf is a type as JSDoc writes it.
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

// Stub implements lang.Writer.
func (JavaScript) Stub(u *lang.Unit) ([]byte, error) { return fromSolution(u, "stub.js.tmpl") }

// Oracle implements lang.Writer.
func (JavaScript) Oracle(u *lang.Unit) ([]byte, error) { return fromSolution(u, "oracle.js.tmpl") }

func fromSolution(u *lang.Unit, name string) ([]byte, error) {
	s, err := newNaming(u).solution()
	if err != nil {
		return nil, err
	}
	return render(parsed().Lookup(name), s)
}

// Project implements lang.Writer.
func (JavaScript) Project(u *lang.Unit) (map[string][]byte, error) {
	p := project{
		Name:    strings.TrimSuffix(path.Base(u.Files.Solution), ".js"),
		Private: true,
		Type:    "module",
	}
	p.Engines.Node = ">=20"
	p.Scripts.Test = "node --test " + path.Base(u.Files.Test)
	if u.Settings.Framework == jest {
		p.Scripts.Test = "node --experimental-vm-modules node_modules/jest/bin/jest.js " + path.Base(u.Files.Test)
		p.DevDependencies = map[string]string{"jest": "^30.0.0"}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(p); err != nil {
		return nil, err
	}
	return map[string][]byte{"package.json": text.Bytes()}, nil
}

// project is a package.json.
type project struct {
	Name    string `json:"name"`
	Private bool   `json:"private"`
	Type    string `json:"type"`
	Scripts struct {
		Test string `json:"test"`
	} `json:"scripts"`
	DevDependencies map[string]string `json:"devDependencies,omitempty"`
	Engines         struct {
		Node string `json:"node"`
	} `json:"engines"`
}
