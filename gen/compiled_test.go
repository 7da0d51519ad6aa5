//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/toolchain"
)

// compiledToy is a toy whose programs are compiled: a solution is a table as a toy's, and
// the compiler, which the test brings, makes a program of it that answers questions or
// runs a table of tests.
type compiledToy struct {
	toy
	compiler string
}

func (c compiledToy) Facts() *lang.Facts {
	facts := *toy{}.Facts()
	facts.Name, facts.Title = "compiled-toy", "Compiled Toy"
	facts.Needs = []lang.Need{{Program: c.compiler, Try: []string{"version"}}}
	return &facts
}

func (compiledToy) Shared() map[string][]byte { return nil }

// Driver implements lang.Writer: the compiler makes it of the solution alone.
func (compiledToy) Driver(*lang.Unit) (map[string][]byte, error) { return nil, nil }

func (c compiledToy) Build(programs []lang.Program) *lang.Command {
	args := []string{c.compiler}
	for _, p := range programs {
		args = append(args, p.Dir+"/"+p.Unit.Files.Solution, p.Dir+"/program")
	}
	return &lang.Command{Args: args}
}

func (compiledToy) Run(p lang.Program) lang.Command {
	return lang.Command{Dir: p.Dir, Args: []string{"./program", p.Unit.Files.Test}}
}

func (compiledToy) Drive(p lang.Program) lang.Command {
	return lang.Command{Dir: p.Dir, Args: []string{"./program"}}
}

// compiledToolchain calls the compiler of a compiledToy.
type compiledToolchain struct{ compiler string }

func (c compiledToolchain) Find() (toolchain.Tools, error) {
	return toolchain.Tools{Root: filepath.Dir(c.compiler), Read: []string{c.compiler}}, nil
}

func (c compiledToolchain) Build(ctx context.Context, w *toolchain.Workshop) (toolchain.Built, error) {
	printed, how, err := w.Run(ctx, nil, nil, w.Deadline, lang.Command{
		Dir: w.Program.Dir, Args: []string{c.compiler, w.Program.Unit.Files.Solution, "program"},
	})
	if err != nil || how == "" {
		return toolchain.Built{}, err
	}
	return toolchain.Built{Said: w.Shorten(printed)}, nil
}

// toyCompiler is the compiler: a program that it makes is itself with the table behind.
const toyCompiler = `package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

type answer struct {
	ID, Property  string
	Input, Result json.RawMessage
}

// mark stands before a table. It is nowhere in the compiler's own text.
var mark = strings.Join([]string{"\n// table", " "}, ":")

func main() {
	path, _ := os.Executable()
	self, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	if at := bytes.LastIndex(self, []byte(mark)); at >= 0 {
		work(string(self[at+len(mark):]))
		return
	}
	for args := os.Args[1:]; len(args) > 1; args = args[2:] {
		table, err := os.ReadFile(args[0])
		var answers []answer
		if err == nil && !bytes.HasPrefix(table, []byte("$")) {
			err = json.Unmarshal(table, &answers)
		}
		if err != nil {
			fmt.Printf("%s: %v\n", args[0], err)
			os.Exit(1)
		}
		if err := os.WriteFile(args[1], append(append(self[:len(self):len(self)], mark...), table...), 0o755); err != nil {
			panic(err)
		}
	}
}

func work(table string) {
	if name, ok := strings.CutPrefix(strings.TrimSpace(table), "$"); ok {
		text, _ := os.ReadFile(os.Getenv(name))
		table = string(text)
	}
	var answers []answer
	if err := json.Unmarshal([]byte(table), &answers); err != nil {
		panic(err)
	}
	find := func(input json.RawMessage) string {
		for _, a := range answers {
			if plain(a.Input) == plain(input) {
				return plain(a.Result)
			}
		}
		return "null"
	}
	if len(os.Args) > 1 {
		tests, _ := os.ReadFile(os.Args[1])
		for _, line := range strings.Split(string(tests), "\n") {
			var test answer
			if json.Unmarshal([]byte(line), &test) == nil {
				verdict := map[bool]string{true: "pass", false: "fail"}[find(test.Input) == plain(test.Result)]
				fmt.Println(verdict, test.Property)
			}
		}
		return
	}
	questions, replies := os.NewFile(3, "questions"), os.NewFile(4, "replies")
	fmt.Fprintln(replies, "{\"ready\":true}")
	for in := bufio.NewScanner(questions); in.Scan(); {
		var question answer
		if err := json.Unmarshal(in.Bytes(), &question); err != nil {
			panic(err)
		}
		fmt.Fprintf(replies, "{\"id\":%q,\"result\":%s}\n", question.ID, find(question.Input))
	}
}

func plain(text json.RawMessage) string {
	var v any
	json.Unmarshal(text, &v)
	written, _ := json.Marshal(v)
	return string(written)
}
`

// TestCompiledToyLanguage adds a compiled language from here alone: its tests are
// generated and proven, and solutions are judged sealed.
func TestCompiledToyLanguage(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("compiler.go", toyCompiler)
	compiler := filepath.Join(dir, "compiler")
	if text, err := exec.Command("go", "build", "-o", compiler, "compiler.go").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	write("specs/exercises/double/canonical-data.json", `{"exercise": "double", "cases": [
		{"uuid": "0d9a3d36-8c1c-4a3c-8a50-5a3cb7a1f001", "description": "one", "property": "double", "input": {"n": 1}, "expected": 2},
		{"uuid": "0d9a3d36-8c1c-4a3c-8a50-5a3cb7a1f002", "description": "two", "property": "double", "input": {"n": 2}, "expected": 4}]}`)
	all := append(languages[:len(languages):len(languages)], language{compiledToy{compiler: compiler}, compiledToolchain{compiler}})
	gen := func(args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		run(t.Context(), all, args, &stdout, &stderr)
		return stdout.String() + stderr.String()
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"generate", "--specs", "specs", "--lang", "compiled-toy", "--out", "track"}, "track/compiled-toy/double/double.test.toy written (2 cases)"},
		{[]string{"generate", "--check", "--specs", "specs", "track/compiled-toy/double"}, "up to date"},
		{[]string{"verify", "--specs", "specs", "track/compiled-toy/double"}, "1 of 1 exercise proven, 2 cases"},
	} {
		if got := gen(test.args...); !strings.Contains(got, test.want) {
			t.Errorf("%s says %s", test.args[0], got)
		}
	}
	for name, test := range map[string]struct{ solution, want string }{
		"right":     {`[{"input": {"n": 1}, "result": 2}, {"input": {"n": 2}, "result": 4}]`, "pass: 2 of 2 cases pass"},
		"half":      {`[{"input": {"n": 1}, "result": 2}, {"input": {"n": 2}, "result": 5}]`, "fail: 1 of 2 cases pass"},
		"no answer": {`[]`, "fail: 0 of 2 cases pass"},
		"no table":  {`[{]`, "error"},
	} {
		write(name+"/double.toy", test.solution)
		if got := gen("run", "double", name, name+"/out", "--specs", "specs", "--exercise", "track/compiled-toy/double"); !strings.Contains(got, test.want) {
			t.Errorf("%s: run says %s, want %q", name, got, test.want)
		}
	}
	if text, err := os.ReadFile("no table/out/results.json"); err != nil || !strings.Contains(string(text), "double.toy: invalid character") {
		t.Errorf("results.json: %s, %v", text, err)
	}
}
