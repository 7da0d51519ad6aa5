package python

import (
	"slices"
	"strings"
	"unicode"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// solution is the data for the templates of a stub and an oracle, and for a driver.
type solution struct {
	Module    string
	Variable  string
	ErrorType string
	OwnError  bool
	Functions []solutionFunction
}

type solutionFunction struct {
	Name     string
	Call     string // name(parameters)
	Property string
	Head     string   // def name(parameters):
	Doc      []string // lines below the first of the docstring
	Raw      string   // "r" if the docstring holds a backslash
	Raise    string   // the statement of a stub
	Params   []solutionParam
}

type solutionParam struct{ Name, Key string }

func (n *naming) solution() solution {
	s := solution{
		Module:    n.module,
		Variable:  lang.AnswersVariable,
		ErrorType: n.errorType,
		OwnError:  n.ownError && n.canFail(),
	}
	for _, f := range n.unit.Suite.Functions {
		names := n.params(f)
		fn := solutionFunction{Name: n.functions[f], Property: f.Property}
		params := slices.Clone(names)
		for i := required(f); i < len(params); i++ {
			params[i] += "=None"
		}
		for i, p := range f.Params {
			fn.Params = append(fn.Params, solutionParam{names[i], p.Key})
		}
		fn.Call = fn.Name + "(" + strings.Join(names, ", ") + ")"
		fn.Head = define(fn.Name, params, 0)
		fn.Doc = n.doc(f)
		if strings.Contains(strings.Join(fn.Doc, ""), `\`) {
			fn.Raw = "r"
		}
		// The error of a stub must not be the error that a test expects.
		failure := "NotImplementedError"
		if n.errorType == failure {
			failure = "RuntimeError"
		}
		fn.Raise = layout(call("raise "+failure, atom(quote("write "+fn.Name))), 4, "")
		s.Functions = append(s.Functions, fn)
	}
	return s
}

// doc writes the docstring of a function from the data: an example, and an error.
func (n *naming) doc(f *spec.Function) []string {
	var example, failure string
	nothing := false
	for _, c := range f.Cases {
		args := make([]node, 0, len(f.Params))
		for _, v := range arguments(f, c) {
			args = append(args, literal(v))
		}
		text := call(n.functions[f], args...).flat()
		if message, failed := c.Expected.ErrorText(); failed {
			raise := "raise " + n.errorType + "(" + quote(message) + ")"
			if failure == "" && fitsDoc(raise) {
				failure = raise
			}
			continue
		}
		// A result other than None shows more.
		if text += " returns " + literal(c.Expected).flat(); fitsDoc(text) && (example == "" || nothing) {
			example = text
			nothing = c.Expected.Kind == spec.Null || literal(c.Expected).isEmpty()
		}
	}
	var lines []string
	if example != "" {
		lines = append(lines, "", "An example from the tests:", "", "    "+example)
	}
	if failure != "" {
		lines = append(lines, "", "Where there is no result, say so with an error, as in:", "", "    "+failure)
	}
	return lines
}

// fitsDoc reports whether code can stand in a docstring as it is.
func fitsDoc(code string) bool {
	return cells(code) <= lineLength-8 && !strings.Contains(code, `"""`) &&
		!strings.ContainsFunc(code, func(r rune) bool { return r > unicode.MaxASCII })
}

// Stub implements lang.Writer.
func (Python) Stub(u *lang.Unit) ([]byte, error) {
	n, err := newNaming(u)
	if err != nil {
		return nil, err
	}
	return render(parsed().Lookup("stub.py.tmpl"), n.solution())
}

// Oracle implements lang.Writer.
func (Python) Oracle(u *lang.Unit) ([]byte, error) {
	n, err := newNaming(u)
	if err != nil {
		return nil, err
	}
	return render(parsed().Lookup("oracle.py.tmpl"), n.solution())
}
