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
	if testing.Short() {
		t.Skip("takes long")
	}
	output, passed := solve(t, read(t, "../state.go"), casesTest)
	if passed || strings.Contains(output, "--- PASS") {
		t.Errorf("a case passes on the stub:\n%s", output)
	}
	if got := strings.Count(output, "    --- FAIL: "); got != 41 {
		t.Errorf("%d cases fail on the stub, want 41:\n%s", got, output)
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
	if testing.Short() {
		t.Skip("takes long")
	}
	solution := edited(t, "\tsquares :=", "\tif board[0] == \"OXO\" && board[1] == \" X \" {\n\t\t_ = board[len(board)]\n\t}\n\n\tsquares :=")
	before, _, _ := strings.Cut(string(solution), "_ = board")
	line := strings.Count(before, "\n") + 1
	output, passed := solve(t, solution, casesTest)
	if passed {
		t.Fatal("the panic passes")
	}
	if fails, passes := strings.Count(output, "    --- FAIL: "), strings.Count(output, "    --- PASS: "); fails != 1 || passes != 40 {
		t.Errorf("%d cases fail and %d pass, want 1 and 40:\n%s", fails, passes, output)
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
