package javascript_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/javascript"
	"stateoftictactoe/gen/internal/proof"
	"stateoftictactoe/gen/internal/spec"
)

var update = flag.Bool("update", false, "write the goldens instead of comparing with them")

var js = javascript.JavaScript{}

// read reads a data file and its settings, if there are any, into a unit.
func read(t testing.TB, data, settings string, change ...func(*lang.Settings)) *lang.Unit {
	t.Helper()
	text, err := os.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := spec.ParseData(data, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &lang.SettingsFile{}
	switch text, err := os.ReadFile(settings); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		t.Fatal(err)
	default:
		if s, err = lang.ParseSettings(settings, text, js.Facts().Name, []string{"go", js.Facts().Name}); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range change {
		f(&s.Settings)
	}
	selected, _ := spec.Select(parsed, nil)
	slug := parsed.Exercise
	if slug == "" {
		slug = filepath.Base(filepath.Dir(data))
	}
	return lang.NewUnit(js, slug, selected, s.Settings)
}

func fixture(t testing.TB, name string, change ...func(*lang.Settings)) *lang.Unit {
	t.Helper()
	return read(t, filepath.Join("testdata", name+".json"), filepath.Join("testdata", name+".toml"), change...)
}

func useJest(s *lang.Settings) { s.Framework = "jest" }

func tableOnly(s *lang.Settings) { s.Tests = lang.TableTests }

// units are the fixtures, by the name of their goldens.
func units(t testing.TB) map[string]*lang.Unit {
	root := filepath.Join("..", "..", "..", "..")
	return map[string]*lang.Unit{
		"tic-tac-toe":  read(t, filepath.Join(root, "canonical-data.json"), filepath.Join(root, ".meta", "gen.toml")),
		"garden":       fixture(t, "garden"),
		"ledger":       fixture(t, "ledger"),
		"words":        fixture(t, "words"),
		"atoms":        fixture(t, "atoms"),
		"ledger-jest":  fixture(t, "ledger", useJest),
		"ledger-table": fixture(t, "ledger", tableOnly),
		"errors":       fixture(t, "errors"),
		"words-any": fixture(t, "words", func(s *lang.Settings) {
			s.Errors = lang.AnyError
			s.ErrorType = ""
		}),
	}
}

// written are the files of a unit that a student or a maintainer sees.
func written(t testing.TB, name string, u *lang.Unit) map[string][]byte {
	t.Helper()
	tests, err := js.Tests(u)
	if err != nil {
		t.Fatal(err)
	}
	stub, err := js.Stub(u)
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{name + ".spec.js": tests, name + ".js": stub}
}

func TestGoldens(t *testing.T) {
	for name, u := range units(t) {
		for file, got := range written(t, name, u) {
			path := filepath.Join("testdata", "golden", file)
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s differs from its golden; look at the difference after \"go test -update\"", path)
			}
		}
	}
}

func TestProject(t *testing.T) {
	want, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "tracks", "javascript", "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	u := units(t)["tic-tac-toe"]
	project, err := js.Project(u)
	if err != nil {
		t.Fatal(err)
	}
	if got := project["package.json"]; !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	project, err = js.Project(fixture(t, "ledger", useJest))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(project["package.json"]); !strings.Contains(got, "jest.js ledger-of-votes.spec.js") {
		t.Errorf("jest is not run by\n%s", got)
	}
}

// TestOwnTemplate gives an exercise a template of its own.
func TestOwnTemplate(t *testing.T) {
	u := fixture(t, "garden")
	u.Template = "{{range .Functions}}{{range .Cases}}// {{.Title}}\n{{end}}{{end}}"
	got, err := js.Tests(u)
	if err != nil {
		t.Fatal(err)
	}
	if want := "// 'a lone bush'\n"; !strings.HasPrefix(string(got), want) {
		t.Errorf("got\n%s\nwant first\n%s", got, want)
	}
	u.Template = "{{.Missing}}"
	if _, err := js.Tests(u); err == nil {
		t.Error("a template that asks for what is not there gave no error")
	}
}

// TestExclude leaves out a case.
func TestExclude(t *testing.T) {
	u := fixture(t, "garden", func(s *lang.Settings) {
		s.Exclude = map[string]string{"10000000-0000-4000-8000-000000000005": "not here"}
	})
	got, err := js.Tests(u)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(got), "no height at all") || strings.Contains(string(got), "function throws") {
		t.Errorf("the case is not left out:\n%s", got)
	}
}

// TestBadNames has settings with names that are none.
func TestBadNames(t *testing.T) {
	for _, name := range []string{"two words", "class", "x;y", "1st"} {
		u := fixture(t, "garden", func(s *lang.Settings) {
			s.Properties = map[string]lang.Property{"mean": {Function: name}}
		})
		if _, err := js.Tests(u); err == nil {
			t.Errorf("tests call a function %q", name)
		}
		if _, err := js.Stub(u); err == nil {
			t.Errorf("a stub has a function %q", name)
		}
	}
}

// TestNothingDecided writes the tests of data that decide nothing.
func TestNothingDecided(t *testing.T) {
	u := lang.NewUnit(js, "empty", nil, lang.Settings{})
	got, err := js.Tests(u)
	if err != nil {
		t.Fatal(err)
	}
	want := "// Code generated by \"gen generate\" from the exercise's data. DO NOT EDIT.\n\n" +
		"// No case of the exercise's data can be tested without a template.\n"
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestReport reads what Node printed for good and bad solutions.
func TestReport(t *testing.T) {
	passed := lang.Outcome{Passed: true}
	for _, tc := range []struct {
		transcript string
		want       map[string]lang.Outcome
	}{
		{"noisy.txt", map[string]lang.Outcome{
			"a lone bush":       passed,
			"nothing grows":     {Message: "expected: null\ngot:      'no plant'"},
			"the height of all": passed,
			"no height at all":  {Message: "expected: throws Error 'nothing to measure'\ngot:      throws TypeError"},
			"a hedge with two branches that are both too long for this very small garden, as everybody can see": {Message: "got:      throws Error 'late'"},
		}},
		{"does-not-load.txt", nil},
	} {
		t.Run(tc.transcript, func(t *testing.T) {
			output, err := os.ReadFile(filepath.Join("testdata", "transcripts", tc.transcript))
			if err != nil {
				t.Fatal(err)
			}
			got := js.Report(fixture(t, "garden"), output)
			if len(got) != len(tc.want) {
				t.Errorf("%d tests reported, want %d: %v", len(got), len(tc.want), got)
			}
			for name, want := range tc.want {
				outcome, reported := got[name]
				if !reported || outcome.Passed != want.Passed || !strings.Contains(outcome.Message, want.Message) {
					t.Errorf("%q came to %+v, want %+v", name, outcome, want)
				}
			}
		})
	}
}

// needs skips a test, so that it is seen, where a program is missing.
func needs(t *testing.T, program, hint string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("SKIPPED: %s is not installed; %s", program, hint)
	}
}

// TestProof proves the tests of the fixtures.
func TestProof(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, need := range js.Facts().Needs {
		needs(t, need.Program, need.Hint)
	}
	var items []proof.Item
	for name, u := range units(t) {
		if name != "ledger-table" {
			u.Suite.Slug = name // no two share a folder
			items = append(items, proof.Item{Unit: u})
		}
	}
	reports, err := proof.Prove(context.Background(), js, items, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reports {
		if len(r.Checks) == 0 || r.Undecided > 0 {
			t.Errorf("%s: %d checks, %d undecided cases", r.Slug, len(r.Checks), r.Undecided)
		}
		for _, check := range r.Checks {
			for _, problem := range check.Problems {
				t.Errorf("%s: %s: %s", r.Slug, check.Name, problem)
			}
		}
	}
}

// TestPrettier lets prettier look at the programs, and at all that is written: for the
// fixtures, and for the published data where PROBLEM_SPECIFICATIONS says where those are.
func TestPrettier(t *testing.T) {
	needs(t, "prettier", "npm install --global prettier@3.10.1")
	all := units(t)
	if specs := os.Getenv("PROBLEM_SPECIFICATIONS"); specs == "" {
		t.Log("PROBLEM_SPECIFICATIONS is not set: only the fixtures are looked at")
	} else {
		files, err := filepath.Glob(filepath.Join(specs, "exercises", "*", "canonical-data.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no data in %s: %v", specs, err)
		}
		for _, file := range files {
			slug := filepath.Base(filepath.Dir(file))
			all[slug] = read(t, file, "none")
			all[slug+".jest"] = read(t, file, "none", useJest)
			all[slug+".table"] = read(t, file, "none", tableOnly)
		}
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("programs")); err != nil {
		t.Fatal(err)
	}
	for name, u := range all {
		for file, text := range written(t, name, u) {
			if err := os.WriteFile(filepath.Join(dir, file), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd := exec.Command("prettier", "--single-quote", "--trailing-comma=all", "--list-different", ".")
	cmd.Dir = dir
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("prettier would change these files: %v\n%s", err, output)
	}
	t.Logf("prettier looked at the programs and %d files", 2*len(all))
}
