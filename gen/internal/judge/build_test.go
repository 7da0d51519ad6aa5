package judge_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stateoftictactoe/gen/internal/judge"
	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/golang"
	"stateoftictactoe/gen/internal/lang/python"
	"stateoftictactoe/gen/internal/toolchain"
)

// The two ways to build Go, each alone.
var (
	toolAlone     = toolchain.Go{Without: toolchain.GoCompiler}
	compilerAlone = toolchain.Go{Without: toolchain.GoCommand}
)

// loop has one result with variables that a loop's rounds share, as before
// version 1.22 of Go, and another with one for each round.
const loop = `
func answer() State {
	var last func() int
	for i := 0; i < 3; i++ {
		if i == 0 {
			last = func() int { return i }
		}
	}
	return [...]State{"win", "draw", "ongoing", "three"}[last()]
}`

// TestDirectBuild holds that calling Go's compiler by itself comes to what the go
// command comes to, and is done for what is plain.
func TestDirectBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	need(t, golang.Go{})
	u := ownExercise(t, golang.Go{}).Unit
	const rest = `
type State string
const Win, Draw, Ongoing State = "win", "draw", "ongoing"
func StateOfTicTacToe([]string) (State, error) { return answer(), nil }
`
	const answer = "\nfunc answer() State { return \"win\" }\n"
	const name = "package stateoftictactoe\n"
	for _, test := range []struct {
		name   string
		files  map[string]string // beside a state.go that lacks answer; go.mod is the exercise's
		direct bool
	}{
		{"plain", map[string]string{"a.go": name + answer}, true},
		{"byte order mark", map[string]string{"a.go": "\ufeff" + name + answer}, true},
		{"libraries", map[string]string{"a.go": name + `
			import ("fmt"; "math/rand/v2"; "regexp"; "slices"; . "strings"; _ "text/template"; "unsafe")
			func answer() State {
				_ = rand.Int()
				_ = unsafe.Pointer(nil)
				return State(regexp.MustCompile("w").ReplaceAllString(fmt.Sprint(Repeat("w", slices.Max([]int{1})), "in"), "w"))
			}`}, true},
		{"default of the module's version", map[string]string{"a.go": name + `
			import "net/url"
			func answer() State {
				if _, err := url.Parse("http://localhost:80:80/"); err != nil {
					return "win"
				}
				return "draw"
			}`}, true},
		{"no module", map[string]string{"a.go": name + loop}, true},
		{"older module", map[string]string{"go.mod": "module x\n\ngo 1.21.3\n", "a.go": name + loop}, true},
		{"older language", map[string]string{"go.mod": "module x // go 1.24\n\ngo 1.18\n", "a.go": name + `
			func answer() State {
				for range 3 {
				}
				return "win"
			}`}, false},
		{"version of none", map[string]string{"go.mod": "module x\n", "a.go": name + answer}, true},
		{"generics of none", map[string]string{"go.mod": "module x\n", "a.go": name + "func f[T any](T) {}" + answer}, false},
		{"newer language", map[string]string{"a.go": name + "func answer() State { return *new(State(\"win\")) }"}, false},
		{"unused import", map[string]string{"a.go": name + "import \"fmt\"\n" + answer}, false},
		{"no function", map[string]string{"a.go": name}, false},
		{"no body", map[string]string{"a.go": name + "func answer() State"}, false},
		{"linked name", map[string]string{"a.go": name + `
			import _ "unsafe"
			//go:linkname nanotime runtime.nanotime
			func nanotime() int64
			func answer() State {
				if nanotime() > 0 {
					return "win"
				}
				return "draw"
			}`}, false},
		{"other package", map[string]string{"a.go": "package other" + answer}, false},
		{"internal package", map[string]string{"a.go": name + "import _ \"internal/abi\"" + answer}, false},
		{"vendored package", map[string]string{"a.go": name + "import _ \"vendor/golang.org/x/net/idna\"" + answer}, false},
		{"program", map[string]string{"a.go": name + "import _ \"cmd/go\"" + answer}, false},
		{"many packages", map[string]string{"a.go": name + "import (_ \"std\"; _ \"all\"; _ \"work\")" + answer}, false},
		{"package elsewhere", map[string]string{"a.go": name + "import _ \"example.com/none\"" + answer}, false},
		{"no package", map[string]string{"a.go": name + "import _ \"none\"" + answer}, false},
		{"pattern", map[string]string{"a.go": name + "import _ \"encoding/...\"" + answer}, false},
		{"option", map[string]string{"a.go": name + "import _ \"-x\"" + answer}, false},
		{"relative", map[string]string{"a.go": name + "import _ \"./none\"" + answer}, false},
		{"driver", map[string]string{"a.go": name + "import _ \"driver/serve\"" + answer}, false},
		{"itself", map[string]string{"a.go": name + "import _ \"driver/solution\"" + answer}, false},
		{"C", map[string]string{"a.go": name + "import \"C\"" + answer}, false},
		{"embedded file", map[string]string{"a.go": name + "import _ \"embed\"\n//go:embed state.go\nvar text string" + answer}, false},
		{"left out by a constraint", map[string]string{"a.go": "//go:build ignore\n\n" + name + answer}, false},
		{"left out by its name", map[string]string{"a_plan9.go": name + answer}, false},
		{"test", map[string]string{"a_test.go": name + answer}, false},
		{"hidden", map[string]string{"_a.go": name + answer}, false},
		{"in a folder", map[string]string{"a/a.go": name + answer}, false},
		{"the driver's file", map[string]string{"package_of_the_exercise.go": name + answer}, false},
		{"assembly", map[string]string{"a.go": name + "func unused()\n" + answer, "a.s": "TEXT ·unused(SB), 0, $0\n\tRET\n"}, false},
		{"nothing", map[string]string{"a.go": ""}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			solution := map[string][]byte{"state.go": []byte(name + rest)}
			u := *u
			u.Project = nil
			for name, text := range test.files {
				if name == "go.mod" {
					u.Project = map[string][]byte{name: []byte(text)}
				} else {
					solution[name] = []byte(text)
				}
			}
			job := judge.Job{Solution: solution, Time: time.Minute}
			got, err := judged(t.Context(), golang.Go{}, &u, job)
			if err != nil {
				t.Fatal(err)
			}
			want, err := judgedWith(t.Context(), golang.Go{}, toolAlone, &u, job)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-tool +direct):\n%s", diff)
			}
			alone, err := judgedWith(t.Context(), golang.Go{}, compilerAlone, &u, job)
			if err != nil {
				t.Fatal(err)
			}
			if direct := len(alone.Rows) > 0; direct != test.direct {
				t.Errorf("built directly: %v\n%s", direct, got.Message)
			}
		})
	}
}

// TestLinkedFolders judges where the folders of the user's choice are links.
func TestLinkedFolders(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	need(t, golang.Go{})
	for variable, folder := range map[string]string{toolchain.CacheVariable: os.Getenv(toolchain.CacheVariable), "TMPDIR": t.TempDir()} {
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(folder, link); err != nil {
			t.Fatal(err)
		}
		t.Setenv(variable, link)
	}
	u := ownExercise(t, golang.Go{}).Unit
	for text, want := range map[string]string{
		"package stateoftictactoe\nfunc answer() { no() }":        "state.go:2:17: undefined: no",
		"package stateoftictactoe\nfunc init() { panic(\"no\") }": "the solution could not be loaded:\npanic: no\n    state.go:2",
	} {
		text += "\ntype State string\nconst Win, Draw, Ongoing State = \"win\", \"draw\", \"ongoing\"\nfunc StateOfTicTacToe([]string) (State, error) { return \"\", nil }\n"
		v, err := judged(t.Context(), golang.Go{}, u, judge.Job{Solution: map[string][]byte{"state.go": []byte(text)}, Time: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if v.Message != want {
			t.Errorf("got %q, want %q", v.Message, want)
		}
	}
}

// TestScriptedTool judges where the go command on the path is a script, as that of
// a version manager is, and lets the cache lie in a folder that is hidden.
func TestScriptedTool(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	need(t, golang.Go{})
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "go"), []byte("#!/bin/sh\nexec '"+real+"' \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
	u := ownExercise(t, golang.Go{}).Unit
	example, err := os.ReadFile(filepath.Join(exerciseRoot, ".meta", "example.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range []toolchain.Toolchain{toolchain.Go{}, toolAlone} {
		v, err := judgedWith(t.Context(), golang.Go{}, way, u, judge.Job{
			Solution: map[string][]byte{"state.go": example}, Time: time.Minute, Hide: []string{os.Getenv(toolchain.CacheVariable)},
		})
		if err != nil || v.Status != judge.Pass {
			t.Errorf("got %+v, %v", v, err)
		}
	}
}

// TestCacheGrowth holds that nothing of a solution stays in the compiler's cache, even
// if the go command builds it.
func TestCacheGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	need(t, golang.Go{})
	cache := os.Getenv(toolchain.CacheVariable)
	known := map[string]bool{}
	look := func(see func(path string)) {
		for _, path := range globbed(t, filepath.Join(cache, "[0-9a-f][0-9a-f]", "*")) {
			see(path)
		}
	}
	look(func(path string) { known[path] = true })
	mark := fmt.Sprintf("mark%dmark", time.Now().UnixNano())
	u := ownExercise(t, golang.Go{}).Unit
	solution := "package stateoftictactoe\n\n//go:noinline\nfunc mark() string { return \"" + mark + "\" }\n" +
		"\ntype State string\n\nconst Win, Draw, Ongoing State = \"win\", \"draw\", \"ongoing\"\n" +
		"\nfunc StateOfTicTacToe([]string) (State, error) { return State(mark()), nil }\n"
	v, err := judged(t.Context(), golang.Go{}, u, judge.Job{Solution: map[string][]byte{"state.go": []byte(solution)}, Time: time.Minute})
	if err != nil || len(v.Rows) == 0 || !strings.Contains(v.Rows[0].Message, mark) {
		t.Fatalf("got %+v, %v", v, err)
	}
	look(func(path string) {
		if text, err := os.ReadFile(path); !known[path] && err == nil && strings.Contains(string(text), mark) {
			t.Errorf("%s holds it", path)
		}
	})
}

func globbed(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// TestColdCache holds that the time in which libraries are compiled is not the solution's,
// even if the cache cannot take them.
func TestColdCache(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	need(t, golang.Go{})
	if os.Getenv(longVariable) == "" {
		t.Skipf("SKIPPED: compiles the standard library; set %s=1", longVariable)
	}
	for name, cache := range map[string]string{"empty": t.TempDir(), "not writable": "/sys/kernel"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(toolchain.CacheVariable, cache)
			t.Setenv("TMPDIR", t.TempDir())
			judgeThrice(t)
		})
	}
}

// judgeThrice judges the example three times at once, in little time.
func judgeThrice(t *testing.T) {
	e, err := judge.NewExercise(golang.Go{}, toolchain.Go{}, ownExercise(t, golang.Go{}).Unit)
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile(filepath.Join(exerciseRoot, ".meta", "example.go"))
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			v, err := e.Judge(t.Context(), judge.Job{Solution: map[string][]byte{"state.go": example}, Time: 5 * time.Second})
			if err != nil || v.Status != judge.Pass {
				t.Errorf("got %+v, %v", v, err)
			}
		})
	}
	group.Wait()
}

// brokenCompiler is a compiler that compiles nothing.
type brokenCompiler struct{ toolchain.Go }

func (brokenCompiler) Build(context.Context, *toolchain.Workshop) (toolchain.Built, error) {
	return toolchain.Built{Said: "the compiler exited with code 1"}, nil
}

// brokenDriver is a language of drivers that do not start.
type brokenDriver struct{ python.Python }

func (brokenDriver) Drive(p lang.Program) lang.Command {
	return lang.Command{Args: []string{"python3", "-c", "raise SystemExit('no such version')"}, Dir: p.Dir}
}

// TestBrokenTools holds that a solution is not blamed for tools that do not work.
func TestBrokenTools(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, test := range []struct {
		broken    lang.Language
		toolchain toolchain.Toolchain
		plain     lang.Language
		want      string
	}{
		{golang.Go{}, brokenCompiler{}, golang.Go{}, "no solution can be judged here, not even the stub: the compiler exited with code 1"},
		{brokenDriver{}, toolchain.Python{}, python.Python{}, "not even the stub: the solution exited with code 1 while it was loaded:\nno such version"},
	} {
		t.Run(test.plain.Facts().Name, func(t *testing.T) {
			need(t, test.plain)
			u := ownExercise(t, test.plain).Unit
			stub, err := test.plain.Stub(u)
			if err != nil {
				t.Fatal(err)
			}
			v, err := judgedWith(t.Context(), test.broken, test.toolchain, u, judge.Job{Solution: map[string][]byte{u.Files.Solution: stub}})
			if err == nil || !strings.HasSuffix(err.Error(), test.want) {
				t.Errorf("got %+v, %v; want %s", v, err, test.want)
			}
		})
	}
}

// TestLanguageVersion holds that a solution means what it means in the exercise's
// own module.
func TestLanguageVersion(t *testing.T) {
	need(t, golang.Go{})
	for module, want := range map[string]bool{"": true, "module x\n\ngo 1.22\n": true, "module x\n\ngo 1.21\n": false} {
		t.Run(module, func(t *testing.T) {
			t.Parallel()
			u := *ownExercise(t, golang.Go{}).Unit
			u.Project = nil
			if module != "" {
				u.Project = map[string][]byte{"go.mod": []byte(module)}
			}
			text := "package stateoftictactoe\ntype State string\nconst Win, Draw, Ongoing State = \"win\", \"draw\", \"ongoing\"\nfunc StateOfTicTacToe([]string) (State, error) { return answer(), nil }\n" + loop
			v, err := judged(t.Context(), golang.Go{}, &u, judge.Job{
				Solution: map[string][]byte{"state.go": []byte(text)}, Time: time.Minute,
			})
			if err != nil {
				t.Fatal(err)
			}
			wins := slices.ContainsFunc(v.Rows, func(r judge.Row) bool { return r.Status == judge.Pass })
			if len(v.Rows) == 0 || wins != want {
				t.Errorf("answers the first round's value: %v, want %v\n%s", wins, want, v.Message)
			}
		})
	}
}
