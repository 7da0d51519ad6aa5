package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"stateoftictactoe/gen/internal/sandbox"
)

func TestMain(m *testing.M) {
	if sandbox.IsSupervisor() {
		os.Exit(sandbox.Supervise())
	}
	testscript.Main(m, map[string]func(){
		"gen": func() {
			os.Exit(run(context.Background(), languages, os.Args[1:], os.Stdout, os.Stderr))
		},
	})
}

// TestScripts runs the command as a user does. Each script starts in an empty
// folder, with a copy of the exercise in $EXERCISE.
func TestScripts(t *testing.T) {
	testscript.Run(t, scripts("testdata/script", func(*testscript.Env) error { return nil }))
}

// laterFound are the folders of FOUND that hold no input yet which works.
var laterFound = []string{"docs-nbsp", "js-bigint-arguments", "omitted-argument"}

// TestFound runs the inputs that once failed, which lie in the folder that FOUND
// names. Each has a script of its name, which starts in a copy of its folder, and
// finds the exercise in other languages in $REPOSITORY.
func TestFound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	found := os.Getenv("FOUND")
	if found == "" {
		t.Skip("FOUND names no folder of inputs that once failed")
	}
	folders, err := filepath.Glob(filepath.Join(found, "*", "README*"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("no inputs in %s: %v", found, err)
	}
	for _, readme := range folders {
		name := filepath.Base(filepath.Dir(readme))
		if _, err := os.Stat(filepath.Join("testdata", "found", name+".txtar")); err != nil && !slices.Contains(laterFound, name) {
			t.Errorf("%s: no script runs it", name)
		}
	}
	repository, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, scripts("testdata/found", func(env *testscript.Env) error {
		env.Setenv("REPOSITORY", repository) // to read alone
		name := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")
		return os.CopyFS(env.WorkDir, os.DirFS(filepath.Join(found, name)))
	}))
}

// scripts are those of a folder. Setup puts further files into a script's folder.
func scripts(dir string, setup func(*testscript.Env) error) testscript.Params {
	return testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE") != "",
		Setup: func(env *testscript.Env) error {
			exercise := filepath.Join(env.WorkDir, "exercise")
			env.Setenv("EXERCISE", exercise)
			env.Setenv("PROBLEM_SPECIFICATIONS", "")
			setGoCaches(env.Setenv)
			// Scripts that change the path need to find these two all the same.
			for variable, program := range map[string]string{"GO": "go", "GEN": "gen"} {
				path, err := exec.LookPath(program)
				if err != nil {
					return err
				}
				env.Setenv(variable, path)
			}
			if err := copyExercise(exercise); err != nil {
				return err
			}
			return setup(env)
		},
		Condition: func(name string) (bool, error) {
			if name == "sealed" { // the system contains solutions
				return runtime.GOOS == "linux", nil
			}
			if name == "corpus" {
				return os.Getenv("PROBLEM_SPECIFICATIONS") != "", nil
			}
			return false, errors.New("unknown condition " + strconv.Quote(name))
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits,
		},
	}
}

// exits runs a command that must end with an exit code: exits CODE COMMAND...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	code := "0"
	err := ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		code = strconv.Itoa(exit.ExitCode())
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if code != args[0] {
		ts.Fatalf("exit code %s, want %s", code, args[0])
	}
}

// setGoCaches lets the go command work although HOME is not the user's.
func setGoCaches(setenv func(key, value string)) {
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		if value, err := exec.Command("go", "env", name).Output(); err == nil {
			setenv(name, string(value[:len(value)-1]))
		}
	}
}

// exerciseFiles are the files of the exercise at the root of the repository.
var exerciseFiles = []string{
	".docs/instructions.append.md", ".docs/instructions.md",
	".meta/additional_tests.json", ".meta/config.json", ".meta/example.go", ".meta/gen.toml",
	"canonical-data.json", "cases_test.go", "go.mod", "go.sum", "state.go", "tests.toml",
}

// copyExercise copies the exercise into a folder.
func copyExercise(dir string) error {
	for _, name := range exerciseFiles {
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
