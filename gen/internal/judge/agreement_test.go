package judge_test

import (
	"context"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"stateoftictactoe/gen/internal/judge"
	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/golang"
	"stateoftictactoe/gen/internal/lang/javascript"
	"stateoftictactoe/gen/internal/lang/python"
	"stateoftictactoe/gen/internal/sandbox"
	"stateoftictactoe/gen/internal/spec"
	"stateoftictactoe/gen/internal/track"
)

// exerciseRoot is the exercise of this repository.
var exerciseRoot = filepath.Join("..", "..", "..")

func ownExercise(t testing.TB, l lang.Language) *track.Exercise {
	t.Helper()
	dir := exerciseRoot
	if l.Facts().Name != "go" {
		dir = filepath.Join(dir, "tracks", l.Facts().Name)
	}
	e, err := track.Open(dir, track.Source{Languages: languages, Language: l})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// native runs an exercise's own tests on a solution, as a student does, and
// returns which cases pass: none where it does not build.
func native(t *testing.T, l lang.Language, u *lang.Unit, solution map[string][]byte) []bool {
	t.Helper()
	passes := make([]bool, len(u.Names))
	for i, outcome := range nativeOutcomes(t, l, u, solution) {
		passes[i] = outcome.Passed
	}
	return passes
}

// nativeOutcomes are what those tests report of each case.
func nativeOutcomes(t *testing.T, l lang.Language, u *lang.Unit, solution map[string][]byte) []lang.Outcome {
	t.Helper()
	dir, err := sandbox.NewWorkDir()
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Remove()
	test, err := l.Tests(u)
	if err != nil {
		t.Fatal(err)
	}
	program := lang.Program{Dir: "program", Unit: u}
	files := map[string][]byte{program.Dir + "/" + u.Files.Test: test}
	for name, text := range solution {
		files[program.Dir+"/"+name] = text
	}
	for name, text := range l.Shared() {
		files[name] = text
	}
	for name, text := range files {
		if _, err := dir.Write(name, text); err != nil {
			t.Fatal(err)
		}
	}
	limits := sandbox.Limits{Time: 2 * time.Minute, Output: 64 << 20}
	if build := l.Build([]lang.Program{program}); build != nil {
		result, err := dir.Run(t.Context(), sandbox.Command(*build), limits)
		if err != nil {
			t.Fatal(err)
		}
		if result.ExitCode != 0 {
			t.Logf("the tests do not build:\n%s", result.Output)
			return make([]lang.Outcome, len(u.Names))
		}
	}
	result, err := dir.Run(t.Context(), sandbox.Command(l.Run(program)), limits)
	if err != nil {
		t.Fatal(err)
	}
	reports := l.Report(u, result.Output)
	outcomes := make([]lang.Outcome, len(u.Names))
	for i := range outcomes {
		outcome, reported := reports[l.IDs(u)[i]]
		if !reported {
			t.Fatalf("%s did not report:\n%s", u.Names[i], result.Output)
		}
		outcomes[i] = outcome
	}
	return outcomes
}

// TestAgreement holds that sealed judging and the tests that a student runs come
// to the same verdict on each case of honest solutions, right and wrong.
func TestAgreement(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, l := range languages {
		t.Run(l.Facts().Name, func(t *testing.T) {
			need(t, l)
			u := ownExercise(t, l).Unit
			archive, err := txtar.ParseFile(filepath.Join("testdata", "agreement", l.Facts().Name+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			stub, err := l.Stub(u)
			if err != nil {
				t.Fatal(err)
			}
			solutions := append(archive.Files, txtar.File{Name: "stub", Data: stub})
			if l.Facts().Name == "go" {
				for name, file := range map[string]string{"example": ".meta/example.go", "the student's stub": "state.go"} {
					text, err := os.ReadFile(filepath.Join(exerciseRoot, filepath.FromSlash(file)))
					if err != nil {
						t.Fatal(err)
					}
					solutions = append(solutions, txtar.File{Name: name, Data: text})
				}
			}
			for _, solution := range solutions {
				t.Run(solution.Name, func(t *testing.T) {
					t.Parallel()
					passes := agree(t, l, u, solution)
					if right := solution.Name == "right" || solution.Name == "example"; right && slices.Contains(passes, false) {
						t.Error("a right solution does not pass")
					}
				})
			}
			// Exercises of other kinds of data.
			others, err := filepath.Glob(filepath.Join("testdata", "agreement", l.Facts().Name, "*.txtar"))
			if err != nil || len(others) == 0 {
				t.Fatalf("no further exercises: %v", err)
			}
			for _, name := range others {
				u, solutions := exerciseOf(t, l, name)
				for _, solution := range solutions {
					t.Run(u.Suite.Slug+"/"+solution.Name, func(t *testing.T) {
						t.Parallel()
						passes := agree(t, l, u, solution)
						if builds := !strings.HasPrefix(solution.Name, "no_"); builds != slices.Contains(passes, true) {
							t.Errorf("some cases pass: %v", !builds)
						}
					})
				}
			}
		})
	}
}

// agree judges a solution in both ways, and returns which cases pass.
func agree(t *testing.T, l lang.Language, u *lang.Unit, solution txtar.File) []bool {
	t.Helper()
	verdict, err := judged(t.Context(), l, u, judge.Job{
		Time:     time.Minute,
		Solution: map[string][]byte{u.Files.Solution: solution.Data},
	})
	if err != nil {
		t.Fatal(err)
	}
	passes := native(t, l, u, map[string][]byte{u.Files.Solution: solution.Data})
	if len(verdict.Rows) == 0 {
		if slices.Contains(passes, true) {
			t.Errorf("some cases pass natively; sealed there are no rows: %s", verdict.Message)
		}
		t.Log(verdict.Message)
		return passes
	}
	for i, row := range verdict.Rows {
		if passes[i] != (row.Status == judge.Pass) {
			t.Errorf("%s: native pass is %v, sealed %s:\n%s", row.Name, passes[i], row.Status, row.Message)
		}
	}
	return passes
}

// exerciseOf reads an exercise and its solutions from an archive.
func exerciseOf(t *testing.T, l lang.Language, archive string) (*lang.Unit, []txtar.File) {
	t.Helper()
	a, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	var solutions []txtar.File
	var data *spec.Data
	settings := &lang.SettingsFile{}
	for _, file := range a.Files {
		switch file.Name {
		case "canonical-data.json":
			data, err = spec.ParseData(archive, file.Data, nil)
		case "gen.toml":
			settings, err = lang.ParseSettings(archive, file.Data, l.Facts().Name, []string{l.Facts().Name})
		default:
			solutions = append(solutions, file)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return lang.NewUnit(l, data.Exercise, data.Cases, settings.Settings), solutions
}

// TestProcesses holds that a Python solution may share its work out among processes
// where there are namespaces, and says what it may not do where there are none.
func TestProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	l := python.Python{}
	need(t, l)
	const solution = `import multiprocessing
from concurrent.futures import ProcessPoolExecutor


def work(n):
    return 2 * n


def give(n, value, queue):
    queue.put(2 * n)
    with value.get_lock():
        value.value = 1


def double(n):
    if n == 1:
        with multiprocessing.Pool(2) as pool:
            return pool.map(work, [n, 5])[0]
    if n == 2:
        with ProcessPoolExecutor(2) as pool:
            return list(pool.map(work, [n, 5]))[0]
    value = multiprocessing.Value("i", 0)
    queue = multiprocessing.Queue()
    child = multiprocessing.Process(target=give, args=(n, value, queue))
    child.start()
    got = queue.get()
    child.join()
    return got if value.value == 1 else 0
`
	u := numbered(t, l, []question{{"double", 1, 2}, {"double", 2, 4}, {"double", 3, 6}})
	files := map[string][]byte{u.Files.Solution: []byte(solution)}
	if slices.Contains(native(t, l, u, files), false) {
		t.Error("natively some case fails")
	}
	for _, without := range [][]sandbox.Layer{nil, {sandbox.Namespaces}} {
		v, err := judged(t.Context(), l, u, judge.Job{Solution: files, Time: time.Minute, Without: without})
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Rows) != len(u.Names) {
			t.Fatalf("%+v", v)
		}
		shares := !slices.ContainsFunc(v.Missing, func(s sandbox.Standing) bool { return s.Layer == sandbox.Namespaces })
		for _, row := range v.Rows {
			if shares != (row.Status == judge.Pass) || !shares && !strings.Contains(row.Message, "raises PermissionError") {
				t.Errorf("without %v: %s: %s\n%s", without, row.Name, row.Status, row.Message)
			}
		}
	}
}

// TestHelperFiles holds that a solution's further files may have the names of what a
// driver consists of or needs, where they may beside the tests.
func TestHelperFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	const goHelper, jsHelper = "package numbered\n\nfunc helper(n int) int { return n + 1 }\n", "export const helper = (n) => n + 1;\n"
	for _, test := range []struct {
		language         lang.Language
		names            []string
		solution, helper string // NAME is the helper's, without the extension
	}{
		{golang.Go{}, []string{"main.go", "driver.go", "serve.go", "tests.go", "fmt.go"}, "package numbered\n\nfunc Next(n int) int { return helper(n) }\n", goHelper},
		{javascript.JavaScript{}, []string{"driver.js", "fs.js", "main.js", "package.js"}, "import { helper } from './NAME.js';\n\nexport const next = (n) => helper(n);\n", jsHelper},
		{python.Python{}, []string{"json.py", "_json.py", "decoder.py", "driver.py", "faulthandler_.py", "string.py", "decimal.py", "fractions.py", "traceback_.py"},
			"from NAME import helper\n\n\ndef next(n):\n    return helper(n)\n", "def helper(n):\n    return n + 1\n"},
	} {
		for _, name := range test.names {
			t.Run(test.language.Facts().Name+"/"+name, func(t *testing.T) {
				need(t, test.language)
				t.Parallel()
				u := numbered(t, test.language, []question{{"next", 1, 2}, {"next", 2, 3}})
				solution := map[string][]byte{
					u.Files.Solution: []byte(strings.ReplaceAll(test.solution, "NAME", strings.TrimSuffix(name, path.Ext(name)))),
					name:             []byte(test.helper),
				}
				v, err := judged(t.Context(), test.language, u, judge.Job{Solution: solution, Time: time.Minute})
				if err != nil || v.Status != judge.Pass {
					t.Errorf("sealed: %+v, %v", v, err)
				}
				if test.language.Facts().Name != "python" {
					if slices.Contains(native(t, test.language, u, solution), false) {
						t.Error("natively some case fails")
					}
					return
				}
				// What reports to the harness has loaded more than unittest has.
				dir, err := sandbox.NewWorkDir()
				if err != nil {
					t.Fatal(err)
				}
				defer dir.Remove()
				if solution[u.Files.Test], err = test.language.Tests(u); err != nil {
					t.Fatal(err)
				}
				for name, text := range solution {
					if _, err := dir.Write(name, text); err != nil {
						t.Fatal(err)
					}
				}
				result, err := dir.Run(t.Context(), sandbox.Command{Args: test.language.StudentCommand(u)}, sandbox.Limits{Time: time.Minute, Output: 1 << 20})
				if err != nil || result.ExitCode != 0 {
					t.Errorf("natively: %+v, %v", result, err)
				}
			})
		}
	}
}

// TestRecords holds that the fields of records are those of the solution, as the
// tests that a student runs have them.
func TestRecords(t *testing.T) {
	need(t, golang.Go{})
	data, err := spec.ParseData("canonical-data.json", []byte(`{"exercise": "boxes", "cases": [
		{"description": "none", "property": "heaviest", "input": {"boxes": []}, "expected": null},
		{"description": "one", "property": "heaviest", "input": {"boxes": [{"weight": 300, "label": "a"}]}, "expected": {"weight": 300, "label": "a"}},
		{"description": "two", "property": "heaviest", "input": {"boxes": [{"weight": 1, "label": "a"}, {"weight": 200, "label": "b"}]}, "expected": {"weight": 200, "label": "b"}}
	]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	u := lang.NewUnit(golang.Go{}, "boxes", data.Cases, lang.Settings{})
	const solution = `package boxes

type Box struct {
	Weight WEIGHT
	Label  string
}

type weight int32

func Heaviest(boxes []Box) *Box {
	var best *Box
	for i := range boxes {
		if best == nil || boxes[i].Weight > best.Weight {
			best = &boxes[i]
		}
	}
	return best
}
`
	for _, weight := range []string{"int", "int64", "int16", "uint", "uint32", "float32", "float64", "weight"} {
		t.Run(weight, func(t *testing.T) {
			t.Parallel()
			text := []byte(strings.Replace(solution, "WEIGHT", weight, 1))
			v, err := judged(t.Context(), golang.Go{}, u, judge.Job{Solution: map[string][]byte{u.Files.Solution: text}, Time: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			if len(v.Rows) != len(u.Names) {
				t.Fatalf("no rows: %s", v.Message)
			}
			for i, passes := range native(t, golang.Go{}, u, map[string][]byte{u.Files.Solution: text}) {
				if !passes || v.Rows[i].Status != judge.Pass {
					t.Errorf("%s: native pass is %v, sealed %s:\n%s", v.Rows[i].Name, passes, v.Rows[i].Status, v.Rows[i].Message)
				}
			}
		})
	}
	missing := strings.NewReplacer("WEIGHT", "int", "Label ", "Lable ").Replace(solution)
	v, err := judged(t.Context(), golang.Go{}, u, judge.Job{Solution: map[string][]byte{u.Files.Solution: []byte(missing)}, Time: time.Minute})
	if err != nil || !strings.Contains(v.Message, "Label") || v.Status != judge.Error {
		t.Errorf("a field that is missing: %+v, %v", v, err)
	}
}

// TestAgreementCorpus judges the oracle of each published exercise, with right
// answers and with wrong ones in every second case. That the native tests come to
// the verdicts wanted here is what "gen verify" proves.
func TestAgreementCorpus(t *testing.T) {
	specs := os.Getenv("PROBLEM_SPECIFICATIONS")
	if specs == "" || os.Getenv(longVariable) == "" {
		t.Skipf("SKIPPED: takes minutes; set PROBLEM_SPECIFICATIONS to a checkout and %s=1", longVariable)
	}
	slugs, err := track.Slugs(specs)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range languages {
		t.Run(l.Facts().Name, func(t *testing.T) {
			need(t, l)
			var lock sync.Mutex
			cases := 0
			t.Cleanup(func() { t.Logf("%d cases", cases) })
			// More than the cores makes the deadlines of cases hard to hold.
			slots := make(chan struct{}, runtime.NumCPU())
			for _, slug := range slugs {
				t.Run(slug, func(t *testing.T) {
					t.Parallel()
					slots <- struct{}{}
					defer func() { <-slots }()
					e, err := track.Published(specs, slug, l)
					if err != nil {
						t.Fatal(err)
					}
					u := e.Unit
					if len(u.Names) == 0 {
						t.Skipf("SKIPPED: all %d cases need a template", len(u.Suite.Undecided))
					}
					lock.Lock()
					cases += len(u.Names)
					lock.Unlock()
					oracle(t, l, u, false)
					oracle(t, l, u, true)
				})
			}
		})
	}
}

// oracle judges an oracle whose answers are right, or wrong in every second case.
func oracle(t *testing.T, l lang.Language, u *lang.Unit, wrong bool) {
	t.Helper()
	var answers lang.Answers
	var passes []bool
	groups := map[string]int{} // cases of equal input, which an oracle cannot tell apart
	for _, f := range u.Suite.Functions {
		for _, c := range f.Cases {
			key := f.Property + " " + spec.InputKey(c)
			if _, seen := groups[key]; !seen {
				groups[key] = len(groups)
			}
			answer := lang.Answer{Property: f.Property, Input: c.RawInput, Result: c.RawExpected}
			isWrong := wrong && groups[key]%2 == 0
			if isWrong {
				v, err := f.Wrong(c.Expected, u.Comparison(f))
				if err != nil {
					t.Fatal(err)
				}
				answer.Result = lang.RawJSON(v.JSON())
			}
			answers = append(answers, answer)
			passes = append(passes, !isWrong)
		}
	}
	file, err := json.Marshal(answers)
	if err != nil {
		t.Fatal(err)
	}
	text, err := l.Oracle(u)
	if err != nil {
		t.Fatal(err)
	}
	// Nothing that tells of answers is in the environment of a sealed solution, so
	// this one has its answers beside it.
	const answersFile = "answers.json"
	where := `"` + path.Join(l.Facts().SolutionFolder, answersFile) + `"`
	solution := strings.NewReplacer(
		`os.Getenv("`+lang.AnswersVariable+`")`, where,
		`_os.environ["`+lang.AnswersVariable+`"]`, where,
		`process.env['`+lang.AnswersVariable+`']`, where,
	).Replace(string(text))
	verdict, err := judged(context.Background(), l, u, judge.Job{
		Time:     time.Minute,
		Solution: map[string][]byte{u.Files.Solution: []byte(solution), answersFile: file},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(verdict.Rows) != len(passes) {
		t.Fatalf("%d rows: %s", len(verdict.Rows), verdict.Message)
	}
	for i, row := range verdict.Rows {
		if passes[i] != (row.Status == judge.Pass) {
			t.Errorf("%s: wrong answers %v: %s\n%s", row.Name, wrong, row.Status, row.Message)
		}
	}
}
