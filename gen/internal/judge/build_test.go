package judge_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stateoftictactoe/gen/internal/judge"
	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/golang"
)

// toolAlone is a language whose compiler is not called by itself.
type toolAlone struct{ lang.Language }

// compilerAlone is Go with a build tool that builds nothing.
type compilerAlone struct{ golang.Go }

func (compilerAlone) Compile(lang.Program) *lang.Command {
	return &lang.Command{Args: []string{"false"}}
}

// TestDirectBuild holds that calling Go's compiler by itself comes to what the go
// command comes to, and is done for what is plain.
func TestDirectBuild(t *testing.T) {
	need(t, golang.Go{})
	u := ownExercise(t, golang.Go{}).Unit
	const rest = `
type State string
func StateOfTicTacToe([]string) (State, error) { return answer(), nil }
`
	const answer = "\nfunc answer() State { return \"win\" }\n"
	const name = "package stateoftictactoe\n"
	for _, test := range []struct {
		name   string
		files  map[string]string // beside a state.go that lacks answer
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
		{"newer language", map[string]string{"a.go": name + "func answer() State { return *new(State(\"win\")) }"}, false},
		{"unused import", map[string]string{"a.go": name + "import \"fmt\"\n" + answer}, false},
		{"no function", map[string]string{"a.go": name}, false},
		{"no body", map[string]string{"a.go": name + "func answer() State"}, false},
		{"linked name", map[string]string{"a.go": name + `
			import _ "unsafe"
			//go:linkname pid syscall.runtime_envs
			func pid() []string
			func answer() State { return State(pid()[0]) }`}, false},
		{"other package", map[string]string{"a.go": "package other" + answer}, false},
		{"internal package", map[string]string{"a.go": name + "import _ \"internal/abi\"" + answer}, false},
		{"vendored package", map[string]string{"a.go": name + "import _ \"vendor/golang.org/x/net/idna\"" + answer}, false},
		{"program", map[string]string{"a.go": name + "import _ \"cmd/go\"" + answer}, false},
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
		{"assembly", map[string]string{"a.go": name + "func answer() State", "a.s": "TEXT ·answer(SB), 0, $0\n\tRET\n"}, false},
		{"nothing", map[string]string{"a.go": ""}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			solution := map[string][]byte{"state.go": []byte(name + rest)}
			for name, text := range test.files {
				solution[name] = []byte(text)
			}
			verdict := func(l lang.Language) *judge.Verdict {
				t.Helper()
				v, err := judge.Judge(t.Context(), judge.Job{Language: l, Unit: u, Solution: solution, Time: time.Minute})
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
			got, want := verdict(golang.Go{}), verdict(toolAlone{golang.Go{}})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-tool +direct):\n%s", diff)
			}
			if direct := len(verdict(compilerAlone{}).Rows) > 0; direct != test.direct {
				t.Errorf("built directly: %v\n%s", direct, got.Message)
			}
		})
	}
}
