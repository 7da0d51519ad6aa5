package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/track"
)

// TestSettings goes through every key of a gen.toml with what it cannot hold, in each
// language: what would break the tests later is refused at its place.
func TestSettings(t *testing.T) {
	const data = `{"exercise": "tic-tac", "cases": [
{"uuid": "00000000-0000-4000-8000-000000000001", "description": "a", "property": "state", "input": {"board": {"x": 1}, "turn": 2}, "expected": "win"},
{"uuid": "00000000-0000-4000-8000-000000000002", "description": "b", "property": "state", "input": {"board": {"x": 2}, "turn": 3}, "expected": "draw"},
{"uuid": "00000000-0000-4000-8000-000000000003", "description": "c", "property": "state", "input": {"board": {"x": 3}, "turn": 4}, "expected": {"error": "no"}},
{"uuid": "00000000-0000-4000-8000-000000000004", "description": "d", "property": "sum", "input": {"n": [1.5]}, "expected": [1.5]},
{"uuid": "00000000-0000-4000-8000-000000000005", "description": "e", "property": "sum", "input": {"n": [2.5]}, "expected": [1.5, 2]}
]}`
	const state = "[properties.state]\n"
	none := func(name, language string) string {
		return strconv.Quote(name) + " in the settings is no name that " + language + " allows here; choose another"
	}
	// What each language says of the settings; "" if they are right. One text alone is
	// what all of them say.
	tests := []struct {
		text string
		want []string
	}{
		{"", []string{""}},
		{state + "function = 'Play'\ntable = 'plays'\ntype = 'State'\nconstants = {win = 'Win', draw = 'Draw'}\nfields = {turn = 'move', expected = 'want'}\norder = ['turn', 'expected']\ntask = 1", []string{""}},

		{"errors = ''", []string{"1:1: errors is empty; write something between the quotes, or remove it"}},
		{"errors = 'some'", []string{`1:1: errors must be "text" or "any"; it is "some"`}},
		{"errors = 1", []string{"1:1: errors must be of type string; it is of type integer"}},
		{"tests = ''", []string{"1:1: tests is empty; write something between the quotes, or remove it"}},
		{"compare = ' '", []string{`1:1: compare must be "cmp"; it is " "`}},
		{"framework = ''", []string{"1:1: framework is empty; write something between the quotes, or remove it"}},

		{"error_type = ''", []string{"1:1: error_type is empty; write something between the quotes, or remove it"}},
		{"error_type = 'x y'", []string{"1:1: " + none("x y", "Go"), "1:1: " + none("x y", "Python"), "1:1: " + none("x y", "JavaScript")}},
		{"error_type = 'class'", []string{"", "1:1: " + none("class", "Python"), "1:1: " + none("class", "JavaScript")}},
		{"error_type = 'func'", []string{"1:1: " + none("func", "Go"), "", ""}},
		{"error_type = 'Fault'", []string{""}},
		{"error_type = 'TicTacTest'", []string{"", `1:1: "TicTacTest" in the settings is the name of the test class too; choose another`, ""}},
		{"error_type = 'int'", []string{"", `1:1: "int" in the settings is a name of the test file's own; choose another`, ""}},
		{"error_type = 'Map'", []string{"", "", `1:1: "Map" in the settings is no type of errors; choose another`}},
		{"error_type = 'Play'\n" + state + "function = 'Play'", []string{`3:1: "Play" in the settings is the name of the type of errors too; choose another`}},

		{"[go]\nerror_type = 'Fault'", []string{"2:1: error_type is of no use to tests in Go; remove it", "", ""}},
		{"[python]\ncompare = 'cmp'", []string{"", "2:1: compare is of no use to tests in Python; remove it", ""}},
		{"[javascript]\ncompare = 'cmp'", []string{"", "", "2:1: compare is of no use to tests in JavaScript; remove it"}},
		{"compare = 'cmp'", []string{""}},
		{"[python]\ntypes.board = 'Board'", []string{"", "2:7: types is of no use to tests in Python; remove it", ""}},
		{"[javascript.properties.state]\ntype = 'Result'", []string{"", "", "2:1: type is of no use to tests in JavaScript; remove it"}},

		{"table = 'rows'", []string{"1:1: table is for an exercise with one property, and this one has 2; name each with properties.NAME.table"}},
		{"types.board = ''", []string{"1:7: board is empty; write something between the quotes, or remove it"}},
		{"types.board = 'x y'", []string{"1:7: " + none("x y", "Go"), "", ""}},
		{"types.board = 'int'", []string{`1:7: "int" in the settings is a name of Go's own; choose another`, "", ""}},
		{"types.board = 'board'", []string{`1:7: "board" in the settings must start with a capital letter, for other packages to see it; write "Board"`, "", ""}},
		{"types.bored = 'Board'", []string{`1:7: no record is called "bored"; choose from board`}},
		{"types.board = 'Sum'", []string{`1:7: "Sum" in the settings is the name of the function of sum too; choose another`, "", ""}},
		{"types.board = 'BenchmarkSum'", []string{`1:7: "BenchmarkSum" in the settings is the name of the benchmark of Sum too; choose another`, "", ""}},
		{"exclude.x = 'slow'", []string{"1:9: case x: the exercise has no such case; remove it, or correct the uuid"}},

		{"[properties.stat]\nfunction = 'X'", []string{`1:1: no case has the property "stat"; did you mean state? choose from state, sum`}},
		{state + "function = ''", []string{"2:1: function is empty; write something between the quotes, or remove it"}},
		{state + "function = ['X']", []string{"2:1: properties.state.function must be of type string; it is of type array"}},
		{state + "function = 'lower'", []string{`2:1: "lower" in the settings must start with a capital letter, for other packages to see it; write "Lower"`, "", ""}},
		{state + "function = 'a b'", []string{"2:1: " + none("a b", "Go"), "2:1: " + none("a b", "Python"), "2:1: " + none("a b", "JavaScript")}},
		{state + "function = 'for'", []string{"2:1: " + none("for", "Go"), "2:1: " + none("for", "Python"), "2:1: " + none("for", "JavaScript")}},
		{state + "function = 'len'", []string{`2:1: "len" in the settings is a name of Go's own; choose another`, "", ""}},
		{state + "function = 'labelled'", []string{`2:1: "labelled" in the settings is a name of the test file's own; choose another`, "", ""}},
		{state + "function = 'TestSum'", []string{`2:1: "TestSum" in the settings is the name of the test of Sum too; choose another`, "", ""}},
		{state + "function = 'TicTacTest'", []string{"", `2:1: "TicTacTest" in the settings is the name of the test class too; choose another`, ""}},
		{state + "function = 'Error'", []string{"", "", `2:1: "Error" in the settings is a name of JavaScript's own; choose another`}},
		{state + "function = 'Object'", []string{"", "", `2:1: "Object" in the settings is a name of JavaScript's own; choose another`}},
		{state + "function = 'Array'", []string{"", "", `2:1: "Array" in the settings is a name of JavaScript's own; choose another`}},
		{state + "function = 'Math'", []string{"", "", `2:1: "Math" in the settings is a name of JavaScript's own; choose another`}},
		{state + "table = 'Set'", []string{"", "", `2:1: "Set" in the settings is a name of JavaScript's own; choose another`}},
		{state + "function = 'ValueError'", []string{"", `2:1: "ValueError" in the settings is an exception of Python's own; choose another`, ""}},
		{state + "function = 'Exception'", []string{"", `2:1: "Exception" in the settings is an exception of Python's own; choose another`, ""}},
		{state + "function = 'string'", []string{`2:1: "string" in the settings is a name of Go's own; choose another`, "", ""}},
		{state + "function = 'errors'", []string{`2:1: "errors" in the settings is a name of the test file's own; choose another`, "", ""}},
		// Python's tests take a function of a name that they need under another one.
		{"[python.properties.state]\nfunction = 'list'", []string{""}},
		{"[python.properties.state]\nfunction = 'unittest'", []string{""}},
		{state + "table = 'sameFloat'", []string{`2:1: "sameFloat" in the settings is a name of the test file's own; choose another`, "", ""}},
		{state + "table = 't'", []string{`2:1: "t" in the settings is a name of the test file's own; choose another`, "", ""}},
		{state + "table = 'rows'\n[properties.sum]\ntable = 'rows'", []string{`4:1: "rows" in the settings is the name of the table of state too; choose another`}},
		{state + "table = 'State'", []string{`2:1: "State" in the settings is the name of the function of state too; choose another`, "", ""}},

		{state + "type = 'int'", []string{`2:1: "int" in the settings is a name of Go's own; choose another`, "", ""}},
		{state + "type = 'range'", []string{"2:1: " + none("range", "Go"), "", ""}},
		{state + "type = 'State'", []string{`2:1: "State" in the settings is the name of the function of state too; choose another`, "", ""}},
		{state + "type = 'Sum'\n[properties.sum]\nfunction = 'Sum'", []string{`4:1: "Sum" in the settings is the name of the type Sum too; choose another`}},
		{"[properties.sum]\ntype = 'X'", []string{"2:1: type is for results that are strings, and those of sum are of type list of float; remove it"}},
		{state + "constants = {win = 'Won'}", []string{"2:1: constants are those of a type, and state has none; name it with properties.state.type"}},
		{state + "type = 'Result'\nconstants = {win = 'Won', draw = 'Won'}", []string{`3:1: "Won" in the settings is the name of the constant of type Result for "draw" too; choose another`}},
		{state + "constants = 'win'", []string{`2:1: properties.state.constants must be a table, as in {key = "text"}`}},
		{state + "constants = {won = 'Won'}", []string{`2:1: no case of state has the result "won"; did you mean win? choose from draw, win`}},
		{state + "constants = {win = ''}", []string{"2:1: win is empty; write something between the quotes, or remove it"}},
		{state + "type = 'Result'\nconstants = {win = 'nil'}", []string{`3:1: "nil" in the settings is a name of Go's own; choose another`, "", ""}},
		{state + "type = 'Result'\nconstants = {win = 'Sum'}", []string{`3:1: "Sum" in the settings is the name of the function of sum too; choose another`, "", ""}},
		{state + "type = 'Result'\nconstants = {win = 'Result'}", []string{`3:1: "Result" in the settings is the name of the type Result too; choose another`}},

		{state + "errors = 'some'", []string{`2:1: errors must be "text" or "any"; it is "some"`}},
		{state + "tolerance = 0.5", []string{"2:1: tolerance is for results that are floats, and those of state are of type string; remove it"}},
		{"[properties.sum]\ntolerance = -1.0", []string{"2:1: tolerance must be a number from 0 to 1e300; it is -1"}},
		{state + "unordered = true", []string{"2:1: unordered is for results that are lists, and those of state are of type string; remove it"}},
		{state + "fields = {turns = 'x'}", []string{`2:1: state has no field "turns"; did you mean turn? choose from board, description, error, expected, turn`}},
		{state + "fields = {turn = ''}", []string{"2:1: turn is empty; write something between the quotes, or remove it"}},
		{state + "fields = {turn = 'x y'}", []string{"2:1: " + none("x y", "Go"), "2:1: " + none("x y", "Python"), "2:1: " + none("x y", "JavaScript")}},
		{state + "fields = {turn = 'x', board = 'x'}", []string{`2:1: "x" in the settings is the name of the field of state for "board" too; choose another`}},
		{state + "order = ['turns']", []string{`2:1: state has no field "turns"; did you mean turn? choose from board, description, error, expected, turn`}},
		{state + "order = ['turn', 'turn']", []string{`2:1: order names "turn" twice; remove one`}},
		{state + "order = [1]", []string{"2:1: properties.state.order must be of type string; it is of type integer"}},
		{state + "task = 0", []string{"2:1: task must be 1 or more; it is 0"}},
		{state + "task = -3", []string{"2:1: task must be 1 or more; it is -3"}},
		{state + "task = '1'", []string{"2:1: properties.state.task must be of type integer; it is of type string"}},
	}
	all := writers(languages)
	for _, test := range tests {
		for i, l := range all {
			dir := t.TempDir()
			for name, text := range map[string]string{
				"canonical-data.json": data,
				".meta/config.json":   `{"files": {"solution": ["` + l.Facts().Layout("tic-tac").Solution + `"]}}`,
				".meta/gen.toml":      test.text,
			} {
				path := filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			e, err := track.Open(dir, track.Source{Languages: all})
			want := test.want[min(i, len(test.want)-1)]
			got := ""
			if err != nil {
				got = strings.TrimPrefix(err.Error(), track.Show(filepath.Join(dir, ".meta/gen.toml"))+":")
			} else if _, err := e.Language.Tests(e.Unit); err != nil {
				t.Errorf("%s: %s\naccepted, and then: %v", l.Facts().Name, test.text, err)
			}
			if got != want {
				t.Errorf("%s: %s\ngot  %s\nwant %s", l.Facts().Name, test.text, got, want)
			}
		}
	}
}
