package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// solve lays the exercise out in a folder with a solution as its state.go, and
// with the given test files, and runs go test there.
func solve(t *testing.T, solution []byte, tests ...string) (output string, passed bool) {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, text []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("state.go", solution)
	write("go.mod", []byte("module stateoftictactoe\n\ngo 1.24\n"))
	for _, path := range tests {
		write(filepath.Base(path), read(t, path))
	}
	cmd := exec.Command("go", "test", "-v", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=")
	text, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(text), err == nil
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

const (
	casesTest      = "../cases_test.go"
	exhaustiveTest = "testdata/exercise/exhaustive_test.go"
)

// TestExample compares the example with a search of all games.
func TestExample(t *testing.T) {
	if output, passed := solve(t, read(t, "../.meta/example.go"), casesTest, exhaustiveTest); !passed {
		t.Errorf("the example fails:\n%s", output)
	}
}

// TestStub wants the file that students get to compile, and every case to fail.
func TestStub(t *testing.T) {
	output, passed := solve(t, read(t, "../state.go"), casesTest)
	if passed || strings.Contains(output, "--- PASS") {
		t.Errorf("a case passes on the stub:\n%s", output)
	}
	if got := strings.Count(output, "    --- FAIL: "); got != 31 {
		t.Errorf("%d cases fail on the stub, want 31:\n%s", got, output)
	}
}

// TestWrongSolutions wants each wrong solution to fail: the example with one edit.
// Those that the published cases let through must be caught by one of the
// exercise's own.
func TestWrongSolutions(t *testing.T) {
	const (
		full        = "case x+o == len(squares):"
		oStarted    = "case o > x:"
		playedOn    = "case xWon && x == o, oWon && x > o:"
		loop        = "for _, line := range lines {"
		emptySquare = "One_square_is_empty_and_nobody_holds_a_line"
		oTwice      = "O_moves_twice_before_X_moves"
	)
	solutions := map[string][]byte{
		"six marks are a draw":    edited(t, full, "case x+o >= 6:"),
		"four Os are a draw":      edited(t, full, "case o == 4:"),
		"two apart is X twice":    edited(t, oStarted, "case x > o+1, o > x+1:\n\t\treturn \"\", errXWentTwice\n\t"+oStarted),
		"the game goes on if won": edited(t, playedOn, "case false:"),
	}
	caught := map[string]string{ // by which cases, if by our own alone
		"six marks are a draw": emptySquare,
		"four Os are a draw":   emptySquare,
		"two apart is X twice": oTwice,
	}
	for line := range 8 {
		for _, player := range []string{"X", "O"} {
			ignoring := fmt.Sprintf("for i, line := range lines {\n\t\tif i == %d && player == '%s' {\n\t\t\tcontinue\n\t\t}", line, player)
			solutions[fmt.Sprintf("line %d of %s is none", line, player)] = edited(t, loop, ignoring)
		}
	}
	for name, solution := range solutions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			output, passed := solve(t, solution, casesTest)
			if passed {
				t.Fatal("passes all cases")
			}
			if !strings.Contains(output, "    --- FAIL: ") {
				t.Fatalf("fails without failing a case:\n%s", output)
			}
			if own := caught[name]; own != "" {
				if strings.Count(output, "    --- FAIL: ") != 1 || !strings.Contains(output, "--- FAIL: TestStateOfTicTacToe/"+own) {
					t.Errorf("want %s alone to fail:\n%s", own, output)
				}
			}
		})
	}
}

// edited is the example with one text in place of another that stands in it once.
func edited(t *testing.T, old, text string) []byte {
	t.Helper()
	example := string(read(t, "../.meta/example.go"))
	if strings.Count(example, old) != 1 {
		t.Fatalf("the example does not have %q once", old)
	}
	return []byte(strings.Replace(example, old, text, 1))
}

// TestPanic wants a panic to be the failure of its own case, with the lines of
// the solution, and to hide no other case.
func TestPanic(t *testing.T) {
	solution := edited(t, "\tsquares :=", "\tif board[0] == \"OXO\" {\n\t\t_ = board[len(board)]\n\t}\n\n\tsquares :=")
	before, _, _ := strings.Cut(string(solution), "_ = board")
	line := strings.Count(before, "\n") + 1
	output, passed := solve(t, solution, casesTest)
	if passed {
		t.Fatal("the panic passes")
	}
	if fails, passes := strings.Count(output, "    --- FAIL: "), strings.Count(output, "    --- PASS: "); fails != 1 || passes != 30 {
		t.Errorf("%d cases fail and %d pass, want 1 and 30:\n%s", fails, passes, output)
	}
	for _, want := range []string{
		"board: \"OXO\"\n               \" X \"\n",
		"panic: runtime error: index out of range [3] with length 3\n",
		fmt.Sprintf("            state.go:%d\n", line),
	} {
		if !strings.Contains(output, want) {
			t.Errorf("the output lacks %q:\n%s", want, output)
		}
	}
}
