package python

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/proof"
	"stateoftictactoe/gen/internal/spec"
)

var update = flag.Bool("update", false, "write the golden files anew")

// root is the repository's.
const root = "../../../.."

// fixtures are exercises in the words of this project, each with what the
// published data hold here and there.
func fixtures(t *testing.T) map[string]*lang.Unit {
	t.Helper()
	settings := map[string]lang.Settings{
		"stack": {
			Errors:    lang.AnyError,
			ErrorType: "StackError",
			Exclude:   map[string]string{"9d2c8a4e-52a5-4c39-8d5d-1f1a5d1f0b01": "the stack has no name"},
			Properties: map[string]lang.Property{
				"orders": {Unordered: true, Function: "permutations"},
				"pop":    {Errors: lang.TextError},
				"ratio":  {Tolerance: 0.05, Fields: map[string]string{"a": "above", "b": "below"}},
			},
		},
	}
	units := map[string]*lang.Unit{"state_of_tic_tac_toe": ticTacToe(t), "json_": unit(t, hidingData, lang.Settings{})}
	for _, name := range []string{"library", "texts", "numbers", "stack"} {
		units[name] = unit(t, read(t, "testdata/fixtures/"+name+".json"), settings[name])
	}
	return units
}

// ticTacToe is the exercise of this repository.
func ticTacToe(t *testing.T) *lang.Unit {
	t.Helper()
	data, err := spec.ParseData("canonical-data.json", []byte(read(t, root+"/canonical-data.json")), nil)
	if err != nil {
		t.Fatal(err)
	}
	selection, err := spec.ParseSelection("tests.toml", []byte(read(t, root+"/tests.toml")), data)
	if err != nil {
		t.Fatal(err)
	}
	additional, err := spec.ParseData("additional_tests.json", []byte(read(t, root+"/.meta/additional_tests.json")), data)
	if err != nil {
		t.Fatal(err)
	}
	selected, _ := spec.Select(data, selection)
	return lang.NewUnit(Python{}, data.Exercise, append(selected, additional.Cases...), lang.Settings{})
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// golden compares a text with the one in testdata, or writes it there.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want := read(t, path); got != want {
		t.Errorf("%s differs from what is written now; run go test -update and look at the difference", path)
	}
}

func TestGolden(t *testing.T) {
	for name, u := range fixtures(t) {
		test, err := Python{}.Tests(u)
		if err != nil {
			t.Fatal(err)
		}
		stub, err := Python{}.Stub(u)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name+"_test.py", string(test))
		golden(t, name+".py", string(stub))
	}
	u := fixtures(t)["library"]
	driver, err := Python{}.Driver(u)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "library_driver.json", string(driver[tableFile]))
	oracle, err := Python{}.Oracle(u)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "library_oracle.py", string(oracle))
	u.Settings.Tests = lang.TableTests
	u.Settings.Properties = map[string]lang.Property{
		"import": {Table: "LOANS", Fields: map[string]string{"class": "kind", "description": "name"}, Order: []string{"expected", "days"}},
	}
	table, err := Python{}.Tests(u)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "library_table.py", string(table))
}

// The exercise as it lies in tracks/python is what is generated.
func TestTrackInSync(t *testing.T) {
	test, err := Python{}.Tests(ticTacToe(t))
	if err != nil {
		t.Fatal(err)
	}
	if read(t, root+"/tracks/python/state_of_tic_tac_toe_test.py") != string(test) {
		t.Error("tracks/python is not up to date; run go run ./gen")
	}
}

// Each test of the fixtures passes for a right answer and fails for a wrong one.
func TestProof(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	needPython(t)
	var items []proof.Item
	for name, u := range fixtures(t) {
		item := proof.Item{Unit: u}
		if name == "state_of_tic_tac_toe" {
			item.Stub = map[string][]byte{u.Files.Solution: []byte(read(t, root+"/tracks/python/state_of_tic_tac_toe.py"))}
			item.Example = map[string][]byte{u.Files.Solution: []byte(read(t, root+"/tracks/python/.meta/example.py"))}
		}
		items = append(items, item)
	}
	reports, err := proof.Prove(context.Background(), Python{}, items, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reports {
		if r.Cases == 0 || r.Undecided > 0 {
			t.Errorf("%s: %d cases, %d undecided", r.Slug, r.Cases, r.Undecided)
		}
		for _, check := range r.Checks {
			for _, problem := range check.Problems {
				t.Errorf("%s: %s: %s", r.Slug, check.Name, problem)
			}
		}
	}
}

// The driver gives the oracle's answers back as they are in the data.
func TestDriverWithOracle(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for name, u := range fixtures(t) {
		t.Run(name, func(t *testing.T) { driveOracle(t, u) })
	}
}

func driveOracle(t *testing.T, u *lang.Unit) {
	oracle, err := Python{}.Oracle(u)
	if err != nil {
		t.Fatal(err)
	}
	var answers lang.Answers
	for _, c := range u.Suite.Cases() {
		answers = append(answers, lang.Answer{Property: c.Property, Input: c.RawInput, Result: c.RawExpected})
	}
	text, err := json.Marshal(answers)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "answers.json")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv(lang.AnswersVariable, path)
	d := ready(t, u, string(oracle))
	for _, c := range u.Suite.Cases() {
		r := d.call(c.Property, c.RawInput)
		if !verdict(t, u, function(u, c), c, r) {
			t.Errorf("%s: got %+v, want %s", c.Description, r, c.Expected.JSON())
		}
	}
}

// blackVersion is the version of black that the layout follows.
const blackVersion = "25.12.0"

func needBlack(t *testing.T) {
	t.Helper()
	version, err := exec.Command("black", "--version").Output()
	if err != nil {
		t.Skipf("SKIPPED: black: %s; pip install black==%s", err, blackVersion)
	}
	if !strings.HasPrefix(string(version), "black, "+blackVersion+" ") {
		t.Skipf("SKIPPED: want black %s, have %s; pip install black==%s", blackVersion, version, blackVersion)
	}
}

// black changes no generated file.
func TestBlack(t *testing.T) {
	needBlack(t)
	checkBlack(t, filepath.Join("testdata", "golden"), "--exclude", "_oracle.py")
	checkBlack(t, "programs")
	checkBlack(t, root+"/tracks/python")
	checkBlack(t, root+"/tracks/python/.meta/example.py")
}

func checkBlack(t *testing.T, args ...string) {
	t.Helper()
	args = append([]string{"--quiet", "--check", "--diff", "--no-cache"}, args...)
	if out, err := exec.Command("black", args...).CombinedOutput(); err != nil {
		t.Errorf("black: %s\n%.5000s", err, out)
	}
}

// black changes none of the tests and stubs of the published exercises.
func TestBlackOverPublished(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	needBlack(t)
	specs := os.Getenv("PROBLEM_SPECIFICATIONS")
	if specs == "" {
		t.Skip("SKIPPED: PROBLEM_SPECIFICATIONS names no checkout of problem-specifications")
	}
	found, err := filepath.Glob(filepath.Join(specs, "exercises", "*", "canonical-data.json"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no exercises in %s: %v", specs, err)
	}
	dir := t.TempDir()
	for _, path := range found {
		data, err := spec.ParseData(path, []byte(read(t, path)), nil)
		if err != nil {
			t.Fatal(err)
		}
		selected, _ := spec.Select(data, nil)
		u := lang.NewUnit(Python{}, filepath.Base(filepath.Dir(path)), selected, lang.Settings{})
		for name, write := range map[string]func(*lang.Unit) ([]byte, error){
			u.Files.Test: Python{}.Tests, u.Files.Solution: Python{}.Stub,
		} {
			text, err := write(u)
			if err != nil {
				t.Fatal(err)
			}
			if len(text) == 0 {
				continue // no function, as no case is decided
			}
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	checkBlack(t, dir)
}
