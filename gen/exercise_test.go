package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"text/template"
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

// TestWrongSolutions wants each wrong solution to fail. Those that the published
// cases let through must be caught by one of the exercise's own.
func TestWrongSolutions(t *testing.T) {
	const (
		emptySquare = "One_square_is_empty_and_nobody_holds_a_line"
		oTwice      = "O_moves_twice_before_X_moves"
	)
	solutions := map[string][]byte{}
	caught := map[string]string{ // by which cases, if by our own alone
		"six_marks_draw":    emptySquare,
		"four_os_draw":      emptySquare,
		"two_apart_x_twice": oTwice,
	}
	for _, name := range []string{"six_marks_draw", "four_os_draw", "two_apart_x_twice", "plays_on"} {
		solutions[name] = read(t, "testdata/exercise/wrong/"+name+".go")
	}
	ignoring := template.Must(template.ParseFiles("testdata/exercise/wrong/ignores_line.go.tmpl"))
	for line := range 8 {
		for _, player := range []string{"X", "O"} {
			var text strings.Builder
			if err := ignoring.Execute(&text, map[string]any{"Line": line, "Player": player}); err != nil {
				t.Fatal(err)
			}
			solutions["ignores_line_"+string(rune('0'+line))+"_of_"+player] = []byte(text.String())
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

// TestPanic wants a panic to be the failure of its own case, with the lines of
// the solution, and to hide no other case.
func TestPanic(t *testing.T) {
	solution := strings.Replace(string(read(t, "../.meta/example.go")),
		"\tsquares :=", "\tif board[0] == \"OXO\" {\n\t\t_ = board[len(board)]\n\t}\n\n\tsquares :=", 1)
	before, _, _ := strings.Cut(solution, "_ = board")
	line := strings.Count(before, "\n") + 1
	output, passed := solve(t, []byte(solution), casesTest)
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
