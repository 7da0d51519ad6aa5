package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/lang/golang"
	"stateoftictactoe/gen/internal/track"
)

// TestExercismShape wants every Go test file to have the shape that Exercism's
// own test runner can cut the code of a subtest from: a table whose rows start
// with the description, and a test function that is one loop over it with one
// t.Run, and nothing else.
func TestExercismShape(t *testing.T) {
	files := map[string][]byte{"cases_test.go": read(t, "../cases_test.go")}
	if specs := os.Getenv("PROBLEM_SPECIFICATIONS"); specs != "" {
		slugs, err := track.Slugs(specs)
		if err != nil {
			t.Fatal(err)
		}
		for _, slug := range slugs {
			e, err := track.Published(specs, slug, golang.Go{})
			if err != nil {
				t.Fatal(err)
			}
			if files[slug], err = e.Language.Tests(e.Unit); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, text := range files {
		if err := exercismShape(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, fault := range [][2]string{
		{"\t\tdescription: \"X wins with the left column\",\n", ""},
		{"{\n\tfor _, tc := range testCases {\n\t\tt.Run", "{\n\tt.Log()\n\tfor _, tc := range testCases {\n\t\tt.Run"},
		{"t.Run(tc.description, func(t *testing.T) {", "t.Run(tc.description, func(t *testing.T) {\n}); t.Run(\"\", func(t *testing.T) {"},
	} {
		text := strings.Replace(string(files["cases_test.go"]), fault[0], fault[1], 1)
		if text == string(files["cases_test.go"]) {
			t.Fatalf("the tests lack %q", fault[0])
		}
		if exercismShape([]byte(text)) == nil {
			t.Errorf("%q for %q goes unnoticed", fault[1], fault[0])
		}
	}
}

func exercismShape(text []byte) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), "cases_test.go", text, 0)
	if err != nil {
		return err
	}
	tables := map[string]*ast.CompositeLit{}
	for _, decl := range parsed.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && len(v.Values) == 1 {
					if table, ok := v.Values[0].(*ast.CompositeLit); ok {
						tables[v.Names[0].Name] = table
					}
				}
			}
		case *ast.FuncDecl:
			if strings.HasPrefix(decl.Name.Name, "Test") {
				if err := exercismFunction(decl, tables); err != nil {
					return fmt.Errorf("%s: %w", decl.Name.Name, err)
				}
			}
		}
	}
	return nil
}

func exercismFunction(f *ast.FuncDecl, tables map[string]*ast.CompositeLit) error {
	if len(f.Body.List) != 1 {
		return fmt.Errorf("%d statements, want a loop alone", len(f.Body.List))
	}
	loop, ok := f.Body.List[0].(*ast.RangeStmt)
	if !ok || len(loop.Body.List) != 1 {
		return fmt.Errorf("want a loop with one statement")
	}
	ranged, ok := loop.X.(*ast.Ident)
	if !ok || tables[ranged.Name] == nil || fmt.Sprint(loop.Value) != "tc" {
		return fmt.Errorf("want a loop over a table, with tc as its row")
	}
	statement, ok := loop.Body.List[0].(*ast.ExprStmt)
	if !ok {
		return fmt.Errorf("want one call in the loop")
	}
	call, ok := statement.X.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return fmt.Errorf("want one call of t.Run in the loop")
	}
	if _, ok := call.Args[1].(*ast.FuncLit); !ok {
		return fmt.Errorf("want a function in t.Run")
	}
	for i, row := range tables[ranged.Name].Elts {
		first, ok := row.(*ast.CompositeLit).Elts[0].(*ast.KeyValueExpr)
		if !ok || fmt.Sprint(first.Key) != "description" {
			return fmt.Errorf("row %d does not start with its description", i)
		}
		literal, ok := first.Value.(*ast.BasicLit)
		if !ok {
			return fmt.Errorf("row %d: the description is no literal", i)
		}
		name, err := strconv.Unquote(literal.Value)
		if err != nil || literal.Value != strconv.Quote(strings.ReplaceAll(name, "_", " ")) {
			return fmt.Errorf("row %d: %s is not what the runner looks for", i, literal.Value)
		}
	}
	return nil
}
