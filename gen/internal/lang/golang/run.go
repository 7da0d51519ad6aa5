package golang

import (
	"go/version"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lazy"
)

// StudentCommand implements lang.Tester.
func (Go) StudentCommand(*lang.Unit) []string { return []string{"go", "test"} }

// Shared implements lang.Tester. All programs are packages of one module, so that
// one command builds them all.
func (Go) Shared() map[string][]byte {
	const module = "module " + programsModule + "\n\ngo " + newVersion + "\n"
	return map[string][]byte{
		"go.mod":  []byte(module),
		"cmp.mod": []byte(module + cmpRequirement),
		"cmp.sum": []byte(cmpSums),
	}
}

const programsModule = "programs"

// The version of go-cmp is that of this repository. With its sums at hand the go
// command asks no server for them.
const (
	cmpModule  = "github.com/google/go-cmp"
	cmpVersion = "v0.7.0"

	cmpRequirement = "\nrequire " + cmpModule + " " + cmpVersion + "\n"

	cmpSums = cmpModule + " " + cmpVersion + " h1:wk8382ETsv4JYUZwIsn6YpYiWiBsYLSJiTsyBybVuN8=\n" +
		cmpModule + " " + cmpVersion + "/go.mod h1:pXiqmnSA92OHEEa9HXL2W4E7lf9JzCmGVUdgjX3N/iU=\n"
)

func usesCmp(programs []lang.Program) bool {
	return slices.ContainsFunc(programs, func(p lang.Program) bool {
		return p.Unit.Settings.Compare == lang.CmpCompare
	})
}

// environment keeps the go command off the network and from building for another machine,
// and keeps it from go-cmp if no program uses it.
func environment(programs []lang.Program) []string {
	flags := "GOFLAGS=-mod=mod"
	if usesCmp(programs) {
		flags += " -modfile=cmp.mod"
	}
	return []string{
		"GOWORK=off", flags, "GOPROXY=off", "GO111MODULE=on", "GOTOOLCHAIN=local",
		"GOOS=" + runtime.GOOS, "GOARCH=" + runtime.GOARCH, "GOEXPERIMENT=", "GODEBUG=",
	}
}

// Libraries implements lang.Tester.
func (Go) Libraries(programs []lang.Program) []lang.Library {
	if !usesCmp(programs) {
		return nil
	}
	return []lang.Library{{
		Need: lang.Need{
			Program: "go-cmp",
			Hint:    "fetch it with go mod download " + cmpModule + "@" + cmpVersion,
		},
		Check: lang.Command{Args: []string{"go", "mod", "download", cmpModule}, Env: environment(programs)},
	}}
}

// Build implements lang.Tester.
func (Go) Build(programs []lang.Program) *lang.Command {
	args := []string{"go", "test", "-c", "-vet=off", "-o", binaries + "/"}
	var dirs []string
	for _, p := range programs {
		if language := languageVersion(p.Unit); language != newVersion {
			args = append(args, "-gcflags="+programsModule+"/"+p.Dir+"=-lang="+version.Lang("go"+language))
		}
		dirs = append(dirs, "./"+p.Dir)
	}
	args = append(args, dirs...)
	return &lang.Command{Args: args, Env: environment(programs)}
}

// binaries is the folder of built tests in the work dir. Go ignores a folder
// whose name starts with an underscore.
const binaries = "_bin"

// Run implements lang.Tester. It runs the built test, so that no cached result is taken
// for a new one.
func (Go) Run(p lang.Program) lang.Command {
	return lang.Command{
		Args: []string{path.Join("..", binaries, p.Dir+".test"), "-test.v=test2json"},
		Dir:  p.Dir,
		Env:  []string{"GODEBUG="}, // a setting would change how programs behave
	}
}

// IDs implements lang.Tester.
func (Go) IDs(u *lang.Unit) []string {
	n := newNaming(u)
	ids := make([]string, len(u.Names))
	for i, c := range u.Cases() {
		ids[i] = testName(mangle(c.Name))
		if u.Settings.Tests != lang.TableTests {
			ids[i] = "Test" + n.functions[c.Function] + "/" + ids[i]
		}
	}
	return ids
}

// testName is the name that package testing gives a subtest.
func testName(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte('_')
		case !strconv.IsPrint(r):
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// marked matches a line of the test framework: its mark tells it from the solution's
// output.
var marked = lazy.Regexp(`\x16 *(=== RUN   |=== NAME  |--- PASS: |--- FAIL: |--- SKIP: )(.*)`)

// duration follows the name of a test in its result line.
var duration = lazy.Regexp(` \([0-9.]+s\)$`)

// Report implements lang.Tester.
func (Go) Report(u *lang.Unit, output []byte) map[string]lang.Outcome {
	outcomes := map[string]lang.Outcome{}
	messages := map[string]*strings.Builder{}
	current := ""
	say := func(text string) {
		if messages[current] == nil {
			messages[current] = &strings.Builder{}
		}
		messages[current].WriteString(text)
	}
	for line := range strings.Lines(string(output)) {
		m := marked().FindStringSubmatchIndex(line)
		if m == nil {
			say(line)
			continue
		}
		say(line[:m[0]]) // output without a line end
		verb, name := line[m[2]:m[3]], line[m[4]:m[5]]
		if verb == "=== RUN   " || verb == "=== NAME  " {
			current = name
			continue
		}
		current = duration().ReplaceAllString(name, "")
		outcomes[current] = lang.Outcome{Passed: verb == "--- PASS: "}
	}
	for name, outcome := range outcomes {
		if text := messages[name]; text != nil {
			outcome.Message = text.String()
			outcomes[name] = outcome
		}
	}
	if u.Settings.Tests == lang.TableTests {
		return bySubtest(outcomes)
	}
	return outcomes
}

// bySubtest leaves out the name of the test function, which a test written by hand can
// choose. A case that two functions test passes if it passes in both.
func bySubtest(outcomes map[string]lang.Outcome) map[string]lang.Outcome {
	subtests := map[string]lang.Outcome{}
	for name, outcome := range outcomes {
		_, name, isSubtest := strings.Cut(name, "/")
		if other, seen := subtests[name]; isSubtest && (!seen || other.Passed) {
			subtests[name] = outcome
		}
	}
	return subtests
}
