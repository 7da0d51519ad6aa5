package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/spec"
	"stateoftictactoe/gen/internal/track"
)

// example is the reference solution in one language, with the parts of it that a
// wrong solution gets wrong. Each part stands in its text once.
type example struct {
	path string
	// oStarted, xTwice, xOver, oOver and full are its comparisons: of the marks of O
	// with those of X, of X with O, of X with O after X won and after O won, and
	// whether the board is full. They are formats for an operator and a number.
	oStarted, xTwice, xOver, oOver, full comparison
	// line is the text of a line that both players share, a format for its squares.
	line string
	// won are formats of the conditions that X and that O has a line, and dead is the
	// condition that each line has marks of both players.
	won  map[string]string
	dead string
	// not negates a condition, and and and or join two.
	not, and, or string
	// lines is where a player's lines are looked at. Instead is a format for the
	// number of a line, a player and the squares that take its place, and without
	// for a line and a player.
	lines, instead, without string
	// checks are the starts of the checks, in order; the last one is where they end.
	checks []string
	// write lays wrong solutions out in a folder, and run is the command that tries
	// them.
	write func(dir string, solutions []string) error
	run   []string
}

// comparison is the text of a comparison, and a format for another one in its
// place.
type comparison struct{ text, format string }

var examples = map[string]example{
	"go": {
		path:     "../.meta/example.go",
		oStarted: comparison{"case o > x:", "case o %s x+(%d):"},
		xTwice:   comparison{"case x > o+1:", "case x %s o+(%d):"},
		xOver:    comparison{"xWon && x == o", "xWon && x %s o+(%d)"},
		oOver:    comparison{"oWon && x > o:", "oWon && x %s o+(%d):"},
		full:     comparison{"case x+o == len(squares):", "case x+o %s %d:"},
		line:     "{%d, %d, %d}",
		won:      map[string]string{"X": "xWon", "O": "oWon"},
		dead: `func() bool {
			for _, l := range lines {
				if marks := squares[l[0]:l[0]+1] + squares[l[1]:l[1]+1] + squares[l[2]:l[2]+1]; !strings.Contains(marks, "X") || !strings.Contains(marks, "O") {
					return false
				}
			}
			return true
		}()`,
		not: "!", and: "&&", or: "||",
		lines:   "for _, line := range lines {",
		instead: "for i, line := range lines {\n\t\tif i == %d && player == '%s' {\n\t\t\tline = [3]int{%d, %d, %d}\n\t\t}",
		without: "for i, line := range lines {\n\t\tif i == %d && player == '%s' {\n\t\t\tcontinue\n\t\t}",
		checks:  []string{"\tcase o > x:", "\tcase x > o+1:", "\tcase xWon &&", "\tcase xWon ||", "\tcase x+o =="},
		write:   writeGo,
		run:     []string{"go", "run", "."},
	},
	"python": {
		path:     "../tracks/python/.meta/example.py",
		oStarted: comparison{"if o > x:", "if o %s x + (%d):"},
		xTwice:   comparison{"if x > o + 1:", "if x %s o + (%d):"},
		xOver:    comparison{"x_won and x == o", "x_won and x %s o + (%d)"},
		oOver:    comparison{"o_won and x > o)", "o_won and x %s o + (%d))"},
		full:     comparison{`"ongoing" if " " in squares else "draw"`, `"draw" if x + o %s %d else "ongoing"`},
		line:     "(%d, %d, %d)",
		won:      map[string]string{"X": "x_won", "O": "o_won"},
		dead:     `all({"X", "O"} <= {squares[i] for i in line} for line in LINES)`,
		not:      "not ", and: "and", or: "or",
		lines:   "for line in LINES)",
		instead: "for line in [(%[3]d, %[4]d, %[5]d) if n == %[1]d and player == '%[2]s' else line for n, line in enumerate(LINES)])",
		without: "for line in [line for n, line in enumerate(LINES) if n != %d or player != '%s'])",
		checks:  []string{"    if o > x:", "    if x > o + 1:", "    # The winner", "    if x_won or o_won:", `    return "ongoing"`},
		write:   writeModules("example%d.py"),
		run:     []string{"python3", "-B", "wrong.py"},
	},
	"javascript": {
		path:     "../tracks/javascript/.meta/proof.ci.js",
		oStarted: comparison{"if (o > x) {", "if (o %s x + (%d)) {"},
		xTwice:   comparison{"if (x > o + 1) {", "if (x %s o + (%d)) {"},
		xOver:    comparison{"xWon && x === o", "xWon && x %s o + (%d)"},
		oOver:    comparison{"oWon && x > o)", "oWon && x %s o + (%d))"},
		full:     comparison{"squares.includes(' ') ? 'ongoing' : 'draw'", "x + o %s %d ? 'draw' : 'ongoing'"},
		line:     "[%d, %d, %d]",
		won:      map[string]string{"X": "xWon", "O": "oWon"},
		dead:     "LINES.every((line) => ['X', 'O'].every((mark) => line.some((i) => squares[i] === mark)))",
		not:      "!", and: "&&", or: "||",
		lines:   "LINES.some(",
		instead: "LINES.map((line, n) => (n === %d && mark === '%s' ? [%d, %d, %d] : line)).some(",
		without: "LINES.filter((_, n) => n !== %d || mark !== '%s').some(",
		checks:  []string{"  if (o > x)", "  if (x > o + 1)", "  // The winner", "  if (xWon || oWon)", "  return squares"},
		write:   writeModules("example%d.mjs"),
		run:     []string{"node", "wrong.mjs"},
	},
}

// linesOfBoard are the lines in the order in which the examples list them. Squares
// are numbered from 0 at the top left.
var linesOfBoard = [8][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}

// wrongSolutions are edits of the example, by what is wrong with them.
func (e example) wrongSolutions(t *testing.T) map[string]string {
	text := string(read(t, e.path))
	solutions := map[string]string{}
	edit := func(name, old, instead string) {
		t.Helper()
		if strings.Count(text, old) != 1 {
			t.Fatalf("%s does not have %q once", e.path, old)
		}
		if solutions[name] != "" {
			t.Fatalf("two wrong solutions are called %q", name)
		}
		solutions[name] = strings.Replace(text, old, instead, 1)
	}

	for n, line := range linesOfBoard {
		for _, player := range []string{"X", "O"} {
			edit(fmt.Sprintf("line %v of %s left out", line, player), e.lines, fmt.Sprintf(e.without, n, player))
		}
		for i := range line {
			for square := range 9 {
				other := line
				other[i] = square
				if square == line[i] || square == line[(i+2)%3] {
					continue // the line itself; and twice the same two squares
				}
				name := fmt.Sprintf("line %v is %v for ", line, other)
				for _, player := range []string{"X", "O"} {
					edit(name+player, e.lines, fmt.Sprintf(e.instead, n, player, other[0], other[1], other[2]))
				}
				edit(name+"both", fmt.Sprintf(e.line, line[0], line[1], line[2]), fmt.Sprintf(e.line, other[0], other[1], other[2]))
			}
		}
	}

	compare := func(name string, c comparison, from, to int) {
		for _, operator := range []string{"<", "<=", ">", ">=", "==", "!="} {
			for n := from; n <= to; n++ {
				edit(fmt.Sprintf("%s: %s %d", name, operator, n), c.text, fmt.Sprintf(c.format, operator, n))
			}
		}
	}
	compare("O started if O against X", e.oStarted, -3, 3)
	compare("X went twice if X against O", e.xTwice, -3, 3)
	compare("play after X won if X against O", e.xOver, -3, 3)
	compare("play after O won if X against O", e.oOver, -3, 3)
	compare("full if marks", e.full, 0, 10)
	compare("full if marks of X", comparison{e.full.text, strings.Replace(strings.Replace(e.full.format, "x + o", "x", 1), "x+o", "x", 1)}, 0, 5)
	compare("full if marks of O", comparison{e.full.text, strings.Replace(strings.Replace(e.full.format, "x + o", "o", 1), "x+o", "o", 1)}, 0, 5)

	// Conditions that another one joins: a win excuses the turn order, or a position ends
	// the game too soon.
	join := func(name string, c comparison, operator string, n int, with string) {
		number := "%d"
		if strings.Contains(c.format, "(%d)") {
			number = "(%d)"
		}
		condition := strings.Replace(c.format, number, fmt.Sprintf("%d %s", n, with), 1)
		edit(name, c.text, fmt.Sprintf(condition, operator))
	}
	for _, player := range []string{"X", "O"} {
		unless := e.and + " " + e.not + e.won[player]
		join("O started unless "+player+" won", e.oStarted, ">", 0, unless)
		join("X went twice unless "+player+" won", e.xTwice, ">", 1, unless)
	}
	join("draw if no line can be won", e.full, "==", 9, e.or+" "+e.dead)
	empty := e.or + " x+o == 0"
	join("draw if empty", e.full, "==", 9, empty)
	join("O started if empty", e.oStarted, ">", 0, empty)
	join("X went twice if empty", e.xTwice, ">", 1, empty)
	join("played on if empty", e.oOver, ">", 0, empty)
	edit("O twice is X twice", e.oStarted.text, strings.ReplaceAll(e.oStarted.text, "x", "x+1"))
	e.exchange(t, text, func(name, solution string) { solutions[name] = solution })
	return solutions
}

// exchange calls f with the example for each other order of its checks.
func (e example) exchange(t *testing.T, text string, f func(name, solution string)) {
	var at []int
	for _, start := range e.checks {
		if strings.Count(text, start) != 1 {
			t.Fatalf("%s does not have %q once", e.path, start)
		}
		at = append(at, strings.Index(text, start))
	}
	if !slices.IsSorted(at) {
		t.Fatalf("%s: the checks stand in another order than %q", e.path, e.checks)
	}
	last := len(at) - 1
	var permute func(order, rest []int)
	permute = func(order, rest []int) {
		if len(rest) > 0 {
			for i, next := range rest {
				permute(append(slices.Clone(order), next), slices.Delete(slices.Clone(rest), i, i+1))
			}
			return
		}
		if slices.IsSorted(order) {
			return
		}
		solution := text[:at[0]]
		for _, i := range order {
			solution += text[at[i]:at[i+1]]
		}
		f(fmt.Sprintf("checks in the order %v", order), solution+text[at[last]:])
	}
	permute(nil, []int{0, 1, 2, 3})
}

// TestWrongSolutions wants a case to fail on each wrong solution, in each language,
// and none of the exercise's own cases to be without a wrong solution that it alone
// catches. An edit that changes no answer on any board is no wrong solution.
func TestWrongSolutions(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for name, e := range examples {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testWrongSolutions(t, e)
		})
	}
}

func testWrongSolutions(t *testing.T, e example) {
	cases, own := ownCases(t)
	wrong := e.wrongSolutions(t)
	names := slices.Sorted(maps.Keys(wrong))
	solutions := []string{string(read(t, e.path))}
	for _, name := range names {
		solutions = append(solutions, wrong[name])
	}

	dir := t.TempDir()
	boards, err := json.Marshal(cases)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "cases.json"), boards, 0o644)
	}
	if err == nil {
		err = e.write(dir, solutions)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(e.run[0], append(e.run[1:], fmt.Sprint(len(solutions)))...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", e.run, err, stderr.Bytes())
	}
	var tried []struct {
		Failed []int  // the cases that fail
		Board  string // one that tells it from the example, if no case does; or ""
	}
	if err := json.Unmarshal(output, &tried); err != nil || len(tried) != len(solutions) {
		t.Fatalf("%v tries %d of %d solutions: %v", e.run, len(tried), len(solutions), err)
	}
	if len(tried[0].Failed) > 0 {
		t.Errorf("the example fails cases %v", tried[0].Failed)
	}

	needed := map[int]bool{}
	killed := 0
	for i, name := range names {
		switch outcome := tried[i+1]; {
		case len(outcome.Failed) > 0:
			killed++
			if len(outcome.Failed) == 1 {
				needed[outcome.Failed[0]] = true
			}
		case outcome.Board != "":
			t.Errorf("%s: passes all cases; the board %q tells", name, outcome.Board)
		}
	}
	for i := len(cases) - own; i < len(cases); i++ {
		if !needed[i] {
			t.Errorf("case %d, %q: no wrong solution is caught by it alone", i, cases[i].Name)
		}
	}
	if killed < 750 {
		t.Errorf("%d wrong solutions, want 750 and more", killed)
	}
}

// boardCase is a case as the programs that try wrong solutions read it.
type boardCase struct {
	Name  string   `json:"name"`
	Board []string `json:"board"`
	Want  string   `json:"want"`
	Error string   `json:"error"`
}

// ownCases returns all cases of the exercise, and how many of the last are its own.
func ownCases(t *testing.T) (cases []boardCase, own int) {
	t.Helper()
	e, err := track.Open("..", track.Source{Languages: writers(languages)})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range e.Unit.Suite.Cases() {
		var rows []string
		for _, row := range c.Input.Get("board").Items {
			rows = append(rows, row.Text)
		}
		message, _ := c.Expected.ErrorText()
		one := boardCase{Name: e.Unit.Names[i], Board: rows, Error: message}
		if c.Expected.Kind == spec.String {
			one.Want = c.Expected.Text
		}
		cases = append(cases, one)
	}
	var additional struct{ Cases []struct{} }
	if err := json.Unmarshal(read(t, "../.meta/additional_tests.json"), &additional); err != nil {
		t.Fatal(err)
	}
	return cases, len(additional.Cases)
}

// writeModules writes each solution as a module of its own, and the program that
// tries them.
func writeModules(name string) func(dir string, solutions []string) error {
	return func(dir string, solutions []string) error {
		for i, solution := range solutions {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf(name, i)), []byte(solution), 0o644); err != nil {
				return err
			}
		}
		program := "wrong" + filepath.Ext(name)
		text, err := os.ReadFile(filepath.Join("testdata", "exercise", program))
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, program), text, 0o644)
	}
}

// writeGo writes all solutions into one package, which the compiler takes in a
// fraction of the time: each name that a solution declares gets its number.
func writeGo(dir string, solutions []string) error {
	text, err := os.ReadFile(filepath.Join("testdata", "exercise", "wrong.go.txt"))
	if err != nil {
		return err
	}
	files := map[string][]byte{
		"go.mod":  []byte("module wrong\n\ngo 1.24\n"),
		"main.go": text,
	}
	var table bytes.Buffer
	table.WriteString("package main\n\nvar solutions = []func([]string) (string, error){\n")
	for i, solution := range solutions {
		files[fmt.Sprintf("example%d.go", i)], err = numbered(solution, i)
		if err != nil {
			return err
		}
		fmt.Fprintf(&table, "\tfunc(board []string) (string, error) { state, err := StateOfTicTacToe%d(board); return string(state), err },\n", i)
	}
	table.WriteString("}\n")
	files["solutions.go"] = table.Bytes()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// numbered adds a number to all names that a Go file declares, and makes it one of
// package main.
func numbered(solution string, n int) ([]byte, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "example.go", solution, 0)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, solution)
	}
	file.Name.Name = "main"
	ast.Inspect(file, func(node ast.Node) bool {
		if name, ok := node.(*ast.Ident); ok && file.Scope.Lookup(name.Name) != nil {
			defer func() { name.Name = fmt.Sprint(name.Name, n) }()
		}
		return true
	})
	var text bytes.Buffer
	err = format.Node(&text, set, file)
	return text.Bytes(), err
}
