package golang

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lazy"
	"stateoftictactoe/gen/internal/spec"
)

// Explain rewrites the compiler's messages about a solution for a student. It names the
// solution's files, and says what the tests need where the messages are about the driver.
func Explain(u *lang.Unit, solution map[string][]byte, said string) string {
	e := newExplainer(u, solution)
	if wrong := e.otherPackages(); len(wrong) > 0 {
		return strings.Join(wrong, "\n")
	}
	said = strings.ReplaceAll(said, "\t"+solutionFolder+"/", "\t")
	if !slices.ContainsFunc(strings.Split(said, "\n"), func(line string) bool { return positioned().MatchString(strings.TrimSpace(line)) }) {
		return said // it is about no file
	}
	var lines []string
	ofTests := false // the line before is about the driver
	for line := range strings.Lines(said) {
		line = strings.TrimRight(line, "\r\n")
		if len(lines) == 0 {
			line = strings.TrimSpace(line) // it continues no line
		}
		m := positioned().FindStringSubmatch(line)
		switch {
		case m == nil:
			if !ofTests && strings.HasPrefix(line, "\t") {
				lines = append(lines, line) // it continues the line before
			}
		case e.files[m[1]] == nil:
			ofTests = true
			at, _ := strconv.Atoi(m[2])
			if wanted := e.wanted(at, m[3]); m[1] == driverFile && wanted != "" {
				lines = append(lines, wanted)
			}
		default:
			ofTests = false
			if foreign := notInLibrary().FindStringSubmatch(m[3]); foreign != nil {
				place, _, _ := strings.Cut(line, ": ")
				line = fmt.Sprintf("%s: there is no package %s in Go's standard library, and no other can be imported", place, foreign[1]+foreign[2]+foreign[3])
				ofTests = true // the advice below it is of no use
			}
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		for _, f := range u.Suite.Functions {
			lines = append(lines, e.function(f))
		}
	}
	seen := map[string]bool{}
	lines = slices.DeleteFunc(lines, func(line string) bool {
		again := seen[line]
		seen[line] = true
		return again
	})
	return strings.Join(lines, "\n")
}

// positioned matches a line of the compiler's: a file, a line, and the rest.
var positioned = lazy.Regexp(`^(?:\./)?([^:\s][^:]*):(\d+)(?::\d+)?: (.*)$`)

// notInLibrary matches the go command's message about a package that does not exist.
var notInLibrary = lazy.Regexp(`^(?:package (\S+) is not in std|no required module provides package ([^;\s]+)|cannot find (?:package|module providing package) "?([^":\s]+))`)

// Clash says which names a solution and the tests both declare, or is "". The two are one
// package, so they do not compile together, although the solution compiles beside the
// driver, which is a package of its own.
func Clash(u *lang.Unit, solution map[string][]byte, tests []byte) string {
	written, err := parser.ParseFile(token.NewFileSet(), "", tests, parser.SkipObjectResolution)
	if err != nil || written.Name.Name != packageName(u) {
		return ""
	}
	what := map[string]string{}
	for _, i := range written.Imports {
		imported, _ := strconv.Unquote(i.Path.Value)
		what[path.Base(imported)] = "a package that the tests import"
	}
	for _, name := range declaredNames(written) {
		what[name.Name] = "declared in the tests too"
	}
	var lines []string
	e := newExplainer(u, solution)
	for _, file := range e.names {
		for _, name := range declaredNames(e.files[file]) {
			if is := what[name.Name]; is != "" {
				lines = append(lines, fmt.Sprintf("%s: %s is %s; give it another name", e.place(name.Pos()), name.Name, is))
			}
		}
	}
	return strings.Join(lines, "\n")
}

// declaredNames are the names that a file declares for its package.
func declaredNames(file *ast.File) (names []*ast.Ident) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name != "init" {
				names = append(names, d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names = append(names, s.Name)
				case *ast.ValueSpec:
					names = append(names, s.Names...)
				}
			}
		}
	}
	return slices.DeleteFunc(names, func(name *ast.Ident) bool { return name.Name == "_" })
}

// explainer holds a solution's files.
type explainer struct {
	*naming
	names []string // of the files, the student's own first
	files map[string]*ast.File
	set   *token.FileSet
}

func newExplainer(u *lang.Unit, solution map[string][]byte) *explainer {
	e := &explainer{naming: newNaming(u), files: map[string]*ast.File{}, set: token.NewFileSet()}
	for _, name := range slices.Sorted(maps.Keys(solution)) {
		if path.Ext(name) != ".go" {
			continue
		}
		// A file with a syntax error is parsed as far as possible.
		file, _ := parser.ParseFile(e.set, name, solution[name], parser.SkipObjectResolution)
		if file == nil {
			file = &ast.File{Name: ast.NewIdent("")}
		}
		e.files[name] = file
		if isBuilt(name, solution[name]) && !importsC(file) {
			e.names = append(e.names, name)
		}
	}
	slices.SortStableFunc(e.names, func(a, b string) int {
		own := func(name string) bool { return name != u.Files.Solution }
		return cmp.Compare(strconv.FormatBool(own(a)), strconv.FormatBool(own(b)))
	})
	return e
}

// importsC reports whether a file needs a C compiler, without which tests are run.
func importsC(file *ast.File) bool {
	return slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` })
}

// isBuilt reports whether a file is part of its package here.
func isBuilt(name string, text []byte) bool {
	here := build.Default
	here.CgoEnabled = false
	here.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	built, err := here.MatchFile("", name)
	return built || err != nil
}

// otherPackages names the files whose package is not that of the tests.
func (e *explainer) otherPackages() (wrong []string) {
	want := packageName(e.unit)
	for _, name := range e.names {
		file := e.files[name]
		if got := file.Name.Name; file.Package.IsValid() && got != "" && got != want {
			wrong = append(wrong, fmt.Sprintf("%s: the tests are in package %s, and %s is in package %s; write package %s", e.place(file.Name.Pos()), want, name, got, want))
		}
	}
	return wrong
}

func (e *explainer) place(at token.Pos) string {
	p := e.set.Position(at)
	return fmt.Sprintf("%s:%d:%d", p.Filename, p.Line, p.Column)
}

// solutionFile is the file that a student writes.
func (e *explainer) solutionFile() string {
	if len(e.names) > 0 {
		return e.names[0]
	}
	return e.unit.Files.Solution
}

// wanted says what the tests need if a line of the driver does not compile, or returns ""
// if the line does not tell.
func (e *explainer) wanted(line int, problem string) string {
	if m := undefined().FindStringSubmatch(problem); m != nil {
		if text := e.undefined(m[1]); text != "" {
			return text
		}
	}
	written, err := Go{}.Driver(e.unit)
	if err != nil {
		return ""
	}
	driver := strings.Split(string(written[driverFile]), "\n")
	for i := min(line, len(driver)) - 1; i >= 0; i-- {
		text := strings.TrimSpace(driver[i])
		for _, f := range e.unit.Suite.Functions {
			if strings.HasPrefix(text, strconv.Quote(f.Property)+": func(") {
				return e.function(f)
			}
		}
		for _, r := range e.unit.Suite.Records {
			if name := e.records[r]; strings.HasPrefix(text, "_ = "+name+"{") {
				return e.record(name)
			}
		}
	}
	return ""
}

// undefined matches a name that the solution lacks.
var undefined = lazy.Regexp(`^undefined: (\w+)$`)

// undefined says that the tests need a name, or returns "" for a name that no student
// knows.
func (e *explainer) undefined(name string) string {
	for _, f := range e.unit.Suite.Functions {
		if e.functions[f] == name {
			return e.function(f)
		}
		for _, c := range e.usedConstants(f) {
			if c.Name == name {
				return fmt.Sprintf("%s: the tests use a constant %s of type %s; %s", e.solutionFile(), name, e.enums[f], e.has(name))
			}
		}
	}
	for _, d := range e.declarations() {
		if d.Name != name {
			continue
		}
		if d.Fields != nil {
			return e.record(name)
		}
		return fmt.Sprintf("%s: the tests use a type %s; %s", e.solutionFile(), name, e.has(name))
	}
	return ""
}

// function says which function the tests call, and which the solution has in its place.
func (e *explainer) function(f *spec.Function) string {
	name := e.functions[f]
	want := "func " + name
	for _, s := range e.solution(e.params).Functions {
		if s.Name == name {
			want += strings.TrimSpace(s.Signature)
		}
	}
	if other := e.other(); other != nil && e.find(name) == nil {
		return fmt.Sprintf("%s: the tests call %s; %s has no %s, but %s", e.place(other.at), want, e.set.Position(other.at).Filename, name, other.text)
	}
	return fmt.Sprintf("%s: the tests call %s; %s", e.placeOf(name), want, e.has(name))
}

// other is the first exported function that the tests do not call, or nil.
func (e *explainer) other() *declared {
	for _, file := range e.names {
		for _, d := range e.files[file].Decls {
			f, isFunction := d.(*ast.FuncDecl)
			if !isFunction || f.Recv != nil || !f.Name.IsExported() {
				continue
			}
			if !slices.ContainsFunc(e.unit.Suite.Functions, func(tested *spec.Function) bool { return e.functions[tested] == f.Name.Name }) {
				return e.declared(f.Name, &ast.FuncDecl{Name: f.Name, Type: f.Type})
			}
		}
	}
	return nil
}

// record says which fields the tests use, and which type the solution has.
func (e *explainer) record(name string) string {
	var fields []string
	for _, d := range e.declarations() {
		if d.Name == name {
			for _, f := range d.Fields {
				fields = append(fields, f.Name+" "+f.Type)
			}
		}
	}
	return fmt.Sprintf("%s: the tests use type %s struct { %s }; %s", e.placeOf(name), name, strings.Join(fields, "; "), e.has(name))
}

// placeOf is the place where the solution declares a name or a similar name, or the file
// that should declare it.
func (e *explainer) placeOf(name string) string {
	if d := e.find(name); d != nil {
		return e.place(d.at)
	}
	return e.solutionFile()
}

// has says which declaration the solution has for a name that the tests use.
func (e *explainer) has(name string) string {
	d := e.find(name)
	if d == nil {
		text := fmt.Sprintf("%s has no %s", e.solutionFile(), name)
		for _, file := range slices.Sorted(maps.Keys(e.files)) {
			if !slices.Contains(e.names, file) && !facts.IsTest(file) {
				text += fmt.Sprintf("; its name, a build constraint or an import of C keeps %s from being compiled", file)
			}
		}
		return text
	}
	return fmt.Sprintf("%s has %s", e.set.Position(d.at).Filename, d.text)
}

// declared is a declaration of the solution.
type declared struct {
	at   token.Pos
	text string // on one line, without a body
}

func (e *explainer) declared(name *ast.Ident, node ast.Node) *declared {
	return &declared{name.Pos(), e.oneLine(node)}
}

// find finds the solution's declaration of a name, or else a method of that name, or a
// declaration whose name differs only in case and underscores, or returns nil.
func (e *explainer) find(name string) *declared {
	var best *declared
	bestRank := 4 // the rank of a declaration that is not similar
	consider := func(found *ast.Ident, rank int, node ast.Node) {
		plain := func(name string) string { return strings.ReplaceAll(name, "_", "") }
		switch {
		case found.Name == name:
		case strings.EqualFold(plain(found.Name), plain(name)):
			rank += 2
		default:
			return
		}
		if rank < bestRank {
			best, bestRank = e.declared(found, node), rank
		}
	}
	for _, file := range e.names {
		for _, d := range e.files[file].Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				rank := 0
				if d.Recv != nil {
					rank = 1
				}
				consider(d.Name, rank, &ast.FuncDecl{Recv: d.Recv, Name: d.Name, Type: d.Type})
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						consider(s.Name, 0, &ast.GenDecl{Tok: d.Tok, Specs: []ast.Spec{s}})
					case *ast.ValueSpec:
						for _, n := range s.Names {
							consider(n, 0, &ast.GenDecl{Tok: d.Tok, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{n}, Type: s.Type}}})
						}
					}
				}
			}
		}
	}
	return best
}

// oneLine writes a declaration on one line.
func (e *explainer) oneLine(node ast.Node) string {
	var b bytes.Buffer
	if err := format.Node(&b, e.set, node); err != nil {
		return "another declaration"
	}
	lines := strings.Split(b.String(), "\n")
	text := ""
	for i, line := range lines {
		line = strings.Join(strings.Fields(line), " ")
		switch {
		case i == 0 || line == "":
			text += line
		case strings.HasSuffix(text, "(") || strings.HasPrefix(line, ")"):
			text = strings.TrimSuffix(text, ",") + line
		case strings.HasSuffix(text, "{") || strings.HasSuffix(text, ",") || line == "}":
			text += " " + line
		default:
			text += "; " + line
		}
	}
	const most = 200
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}
