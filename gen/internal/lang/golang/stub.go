package golang

import (
	"fmt"
	"go/version"
	"strconv"
	"strings"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lazy"
	"stateoftictactoe/gen/internal/spec"
)

// solution is the data for the templates of a stub and an oracle.
type solution struct {
	Package   string
	Slug      string
	Variable  string
	Imports   []string
	Types     []declaration
	Tags      bool // write the data's keys beside the fields of a type
	Functions []solutionFunction
}

type solutionFunction struct {
	Name      string
	Property  string
	Doc       []string
	Signature string // parameters and results
	Params    []solutionParam
	Result    string // type of the result, "" if there is none
	CanFail   bool
	Zero      string // the result beside an error
	// MustPanic reports whether the stub must panic, for its error would pass a test.
	MustPanic bool
}

type solutionParam struct{ Name, Type, Key string }

// solution fills a template, with the names of each function's parameters.
func (n *naming) solution(params func(f *spec.Function) []string) solution {
	s := solution{
		Package:  packageName(n.unit),
		Slug:     n.unit.Suite.Slug,
		Variable: lang.AnswersVariable,
		Types:    n.declarations(),
	}
	for _, f := range n.unit.Suite.Functions {
		names := params(f)
		fn := solutionFunction{
			Name:      n.functions[f],
			Property:  f.Property,
			Doc:       n.doc(f),
			CanFail:   f.CanFail,
			MustPanic: n.unit.Comparison(f).AnyError,
		}
		var declared []string
		for i, p := range f.Params {
			declared = append(declared, names[i]+" "+n.typeOf(p.Type))
			fn.Params = append(fn.Params, solutionParam{names[i], n.typeOf(p.Type), p.Key})
		}
		results := strings.Join(n.results(f), ", ")
		if f.Result != nil && f.CanFail {
			results = "(" + results + ")"
		}
		fn.Signature = "(" + strings.Join(declared, ", ") + ") " + results
		if f.Result != nil {
			fn.Result = n.result(f)
			fn.Zero = n.zero(f)
		}
		s.Functions = append(s.Functions, fn)
	}
	return s
}

// zero is the zero value of a function's result.
func (n *naming) zero(f *spec.Function) string {
	t := f.Result
	if isPointer(t) {
		return "nil"
	}
	switch t.Kind {
	case spec.BoolType:
		return "false"
	case spec.StringType:
		return `""`
	case spec.IntType, spec.FloatType:
		if !isBig(t) {
			return "0"
		}
	case spec.RecordType:
		return n.records[t.Record] + "{}"
	}
	return "nil"
}

// doc writes the comment of a function from the data: an example, and an error.
func (n *naming) doc(f *spec.Function) []string {
	name := n.functions[f]
	var example, failure *spec.Case
	for _, c := range f.Cases {
		if _, failed := c.Expected.ErrorText(); failed {
			if failure == nil {
				failure = c
			}
		} else if example == nil && size(c) <= 60 {
			example = c
		}
	}
	lines := []string{name + " is yours to write."}
	if example != nil {
		shown := &literals{naming: n, shown: true}
		lines = []string{
			name + " is yours to write. For example,",
			shown.call(f, example) + " returns " + shown.literal(f.Result, example.Expected) + ".",
		}
		if shown.pointers {
			lines = append(lines, "Here & stands before what a pointer points to.")
		}
	}
	if failure != nil {
		text, _ := failure.Expected.ErrorText()
		lines = append(lines, "Where no result is right it returns an error, such as", strconv.Quote(text)+".")
	}
	return lines
}

func size(c *spec.Case) int { return len(c.Input.JSON()) + len(c.Expected.JSON()) }

func (n *literals) call(f *spec.Function, c *spec.Case) string {
	var args []string
	for _, p := range f.Params {
		args = append(args, n.literal(p.Type, c.Input.Get(p.Key)))
	}
	return n.functions[f] + "(" + strings.Join(args, ", ") + ")"
}

// Stub implements lang.Writer.
func (Go) Stub(u *lang.Unit) ([]byte, error) {
	n := newNaming(u)
	if err := (Go{}).CheckSettings(u); err != nil {
		return nil, err
	}
	s := n.solution(n.params)
	for _, f := range s.Functions {
		if f.CanFail && !f.MustPanic {
			s.Imports = []string{`"errors"`}
		}
	}
	if n.usesBig() {
		s.Imports = append(s.Imports, `"math/big"`)
	}
	return render(parsed().Lookup("stub.go.tmpl"), s)
}

// Oracle implements lang.Writer.
func (Go) Oracle(u *lang.Unit) ([]byte, error) {
	n := newNaming(u)
	// Names from the data must not hide names that the oracle uses.
	s := n.solution(func(f *spec.Function) []string {
		names := make([]string, len(f.Params))
		for i := range names {
			names[i] = fmt.Sprintf("argument%d", i+1)
		}
		return names
	})
	s.Tags = true
	s.Imports = []string{`"bytes"`, `"encoding/json"`, `"errors"`, `"math/big"`, `"os"`, `"reflect"`, `"strconv"`, `"strings"`}
	return render(parsed().Lookup("oracle.go.tmpl"), s)
}

// Project implements lang.Writer.
func (Go) Project(u *lang.Unit) (map[string][]byte, error) {
	module := "module " + packageName(u) + "\n\ngo " + newVersion + "\n"
	if u.Settings.Compare != lang.CmpCompare {
		return map[string][]byte{"go.mod": []byte(module)}, nil
	}
	return map[string][]byte{
		"go.mod": []byte(module + cmpRequirement),
		"go.sum": []byte(cmpSums),
	}, nil
}

// newVersion is the version of Go that new exercises ask for.
const newVersion = "1.24"

// languageVersion is the version of Go that an exercise's module asks for. It decides
// which code compiles, and what some code means.
func languageVersion(u *lang.Unit) string {
	module, there := u.Project["go.mod"]
	if !there {
		return newVersion
	}
	if line := versionLine().FindSubmatch(module); line != nil {
		return string(line[1])
	}
	return "1.16" // the go command's default
}

// has reports whether an exercise's module asks for at least a version of Go, so that its
// tests may use the version's features.
func has(u *lang.Unit, since string) bool {
	return version.Compare("go"+languageVersion(u), since) >= 0
}

var versionLine = lazy.Regexp(`(?m)^go[ \t]+([0-9][0-9a-z.]*)`)
