package javascript

import (
	"encoding/json"

	"stateoftictactoe/gen/internal/lang"
)

// solution is the data for the templates of a stub and an oracle. Strings are quoted.
type solution struct {
	Variable  string
	ErrorType string
	Functions []solutionFunction
}

type solutionFunction struct {
	Name     string
	Property string
	Head     string // the declaration up to the body
	Doc      []string
	Todo     string // the statement that fails, laid out
	Keys     string // the keys of the arguments in order, as a list
	Big      bool
	Shapes   string // the types of the property, or null
	// AnyError reports whether any error passes, so that the stub must not throw one.
	AnyError bool
}

func (n *naming) solution() (solution, error) {
	if err := (JavaScript{}).CheckSettings(n.unit); err != nil {
		return solution{}, err
	}
	s := solution{
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
