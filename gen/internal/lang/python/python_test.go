package python

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

func TestLayoutOfFiles(t *testing.T) {
	for slug, want := range map[string]string{
		"state-of-tic-tac-toe": "state_of_tic_tac_toe.py",
		"lambda":               "lambda_.py",
		"3d-plot":              "exercise_3d_plot.py",
		"json":                 "json_.py",
	} {
		files := Python{}.Facts().Layout(slug)
		if files.Solution != want || files.Test != strings.TrimSuffix(want, ".py")+"_test.py" {
			t.Errorf("%s: got %s and %s", slug, files.Solution, files.Test)
		}
	}
}

func TestMangle(t *testing.T) {
	for name, want := range map[string]string{
		"X wins with the left column":    "test_x_wins_with_the_left_column",
		"2 words":                        "test_2_words",
		"!?":                             "test_not_question",
		"2 + 3":                          "test_2_plus_3",
		"==":                             "test_equals_equals",
		"\u0641\u0648\u0632 X":           "test_x",
		"\u0641\u0648\u0632":             "test_\u0641\u0648\u0632",
		"\u0939\u093f\u0902\u0926\u0940": "test_\u0939\u093f\u0902\u0926\u0940",
		"\u2764\ufe0f":                   "test_u2764",
		"\U0001f600":                     "test_u1f600",
		"can't":                          "test_can_t",
		"isbnNumber":                     "test_isbn_number",
		"group -> case":                  "test_group_case",
		"na\u00efve":                     "test_na_ve",
		"class":                          "test_class",
		"  spaces\tand -- dashes  ":      "test_spaces_and_dashes",
		"with_underscore and_another__":  "test_with_underscore_and_another",
	} {
		if got := (Python{}).Facts().Mangle(name); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"gamestate":   "gamestate",
		"isPaired":    "is_paired",
		"white_queen": "white_queen",
		"is-valid":    "is_valid",
		"ISBN":        "isbn",
		"lambda":      "lambda_",
		"match":       "match",
		"None":        "none",
		"2nd":         "run_2nd",
		"\u03c0":      "run",
	} {
		if got := identifier(name, "run"); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		``:                   `""`,
		`a b`:                `"a b"`,
		`it's`:               `"it's"`,
		`say "so"`:           `'say "so"'`,
		`'`:                  `"'"`,
		`"`:                  `'"'`,
		`'"`:                 `"'\""`,
		`'""`:                `'\'""'`,
		`\`:                  `"\\"`,
		"a\n\r\tb":           `"a\n\r\tb"`,
		"\x00\x1b\x7f\u0085": `"\x00\x1b\x7f\x85"`,
		"\u00a0\u00ad":       `"\xa0\xad"`,
		"\u200d\u2028\ufeff": `"\u200d\u2028\ufeff"`,
		"\U000e0041":         `"\U000e0041"`,
		"\u00e9\U0001f600":   "\"\u00e9\U0001f600\"",
		"{x} %s ${y} #{z}":   `"{x} %s ${y} #{z}"`,
	} {
		if got := quote(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestLiteral(t *testing.T) {
	for data, want := range map[string]string{
		`null`:                       "None",
		`[true, false]`:              "[True, False]",
		`-0`:                         "-0",
		`18446744073709551615`:       "18446744073709551615",
		`1E5`:                        "1e5",
		`2.50E-3`:                    "2.50e-3",
		`1E+5`:                       "1e5",
		`[]`:                         "[]",
		`{}`:                         "{}",
		`{"b": 1, "a": {"c": [""]}}`: `{"b": 1, "a": {"c": [""]}}`,
	} {
		v, err := spec.ParseJSON("data", []byte(data))
		if err != nil {
			t.Fatal(err)
		}
		if got := literal(v).flat(); got != want {
			t.Errorf("%s: got %s, want %s", data, got, want)
		}
	}
}

func TestCells(t *testing.T) {
	for text, want := range map[string]int{"abc": 3, "\u732b": 2, "e\u0301": 1, "\U0001f600!": 3} {
		if got := cells(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

func TestLayout(t *testing.T) {
	const word = "0123456789012345678" // 19 columns
	const words = word + ", " + word + ", " + word
	list := func(n int) node {
		l := node{open: "[", close: "]"}
		for range n {
			l.items = append(l.items, atom(word))
		}
		return l
	}
	for _, test := range []struct{ got, want string }{
		// 84 columns in brackets: four words and what stands between them.
		{layout(list(4), 2, ".."), "  [" + words + ", " + word + "].."},
		{layout(list(4), 2, "..."), "  [\n" + strings.Repeat("      "+word+",\n", 4) + "  ]..."},
		{layout(list(2), 4, ""), "    [" + word + ", " + word + "]"},
		{layout(list(4), 6, ""), "      [\n" + strings.Repeat("          "+word+",\n", 4) + "      ]"},
		{layout(call("f", list(3).items...), 24, ""), strings.Repeat(" ", 24) + "f(" + words + ")"},
		{layout(call("equal", list(3).items...), 22, ""), strings.Repeat(" ", 22) + "equal(\n" + strings.Repeat(" ", 26) + words + "\n" + strings.Repeat(" ", 22) + ")"},
		{layout(call("f", list(5).items...), 4, ":"), "    f(\n" + strings.Repeat("        "+word+",\n", 5) + "    ):"},
		{assign("name", atom(word), 4), "    name = " + word},
		{assign("name", atom(strings.Repeat("1", 78)), 4), "    name = (\n        " + strings.Repeat("1", 78) + "\n    )"},
		{assign("name", atom(strings.Repeat("1", 81)), 4), "    name = " + strings.Repeat("1", 81)},
		{assign("name", node{open: "[", close: "]"}, 4), "    name = []"},
		{define("f", []string{"a", "b=None"}, 0), "def f(a, b=None):"},
		{define(strings.Repeat("f", 81), []string{"a"}, 0), "def " + strings.Repeat("f", 81) + "(\n    a,\n):"},
		{define(strings.Repeat("f", 81), []string{"a", "b"}, 0), "def " + strings.Repeat("f", 81) + "(\n    a, b\n):"},
		{importFrom("m", []string{"a", "b"}, 0), "from m import a, b"},
		{importFrom("m", []string{strings.Repeat("a", 80)}, 0), "from m import (\n    " + strings.Repeat("a", 80) + ",\n)"},
	} {
		if test.got != test.want {
			t.Errorf("got\n%s\nwant\n%s", test.got, test.want)
		}
	}
}

func TestSettingsThatDoNotFit(t *testing.T) {
	for _, test := range []struct {
		settings lang.Settings
		solution string
		want     string
	}{
		{lang.Settings{ErrorType: "value error"}, "a.py", "value error"},
		{lang.Settings{Framework: "nose"}, "a.py", "framework"},
		{lang.Settings{Properties: map[string]lang.Property{"flag": {Function: "is-flag"}}}, "a.py", "is-flag"},
		{lang.Settings{}, "a-b.py", "a-b.py"},
	} {
		u := unit(t, kindsData, test.settings)
		u.Files.Solution = test.solution
		if _, err := (Python{}).Tests(u); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("got error %v, want one about %s", err, test.want)
		}
	}
}

func TestTemplate(t *testing.T) {
	u := unit(t, kindsData, lang.Settings{})
	u.Template = `{{range .Cases}}{{.Name}} {{quote .Description}};{{end}}`
	text, err := Python{}.Tests(u)
	if err != nil {
		t.Fatal(err)
	}
	if want := `test_a_flag "a flag";test_a_number "a number";`; !strings.HasPrefix(string(text), want) {
		t.Errorf("got %s, want it to start with %s", text, want)
	}
	u.Template = `{{.NoSuchThing}}`
	if _, err := (Python{}).Tests(u); err == nil {
		t.Error("a template may ask for what there is not")
	}
}

// transcripts are what the reporter printed for solutions of the small
// exercise below, recorded with -update.
var transcripts = map[string]string{
	"right":  "def double(n):\n    return 2 * n\n",
	"wrong":  "def double(n):\n    return n + 1\n",
	"raises": "def double(n):\n    return 4 / n\n",
	"exits":  "def double(n):\n    raise SystemExit(0)\n",
	"noisy": "import sys\n" +
		"def double(n):\n" +
		"    print('OK\\ntest_one (x) ... ok', end='')\n" +
		"    print('----\\nRan 3 tests', end='', file=sys.stderr)\n" +
		"    print('\\n{\"test\": \"test_none\", \"passed\": false}')\n" +
		"    print(chr(0x1F600), chr(0xD83D).encode('utf-8', 'surrogatepass'))\n" +
		"    return 2 * n\n",
	"load":    "import nothing_of_this_name\n",
	"syntax":  "def double(:\n",
	"missing": "def triple(n):\n    return 3 * n\n",
}

const doubleData = `{"exercise": "double", "cases": [
	{"description": "one", "property": "double", "input": {"n": 1}, "expected": 2},
	{"description": "none", "property": "double", "input": {"n": 0}, "expected": 0},
	{"description": "two", "property": "double", "input": {"n": 2}, "expected": 4}
]}`

func TestReport(t *testing.T) {
	want := map[string]string{
		"right": "pass pass pass", "wrong": "pass fail fail", "raises": "fail fail fail", "exits": "fail fail fail",
		"noisy": "pass pass pass", "load": "- - -", "syntax": "- - -", "missing": "- - -",
	}
	u := unit(t, doubleData, lang.Settings{})
	for name, solution := range transcripts {
		path := filepath.Join("testdata", "transcripts", name+".txt")
		if *update {
			record(t, u, solution, path)
		}
		outcomes := Python{}.Report(u, []byte(read(t, path)))
		var got []string
		for i := range u.Names {
			outcome, reported := outcomes[Python{}.IDs(u)[i]]
			switch {
			case !reported:
				got = append(got, "-")
			case outcome.Passed:
				got = append(got, "pass")
			default:
				got = append(got, "fail")
				if !strings.Contains(outcome.Message, "Traceback") {
					t.Errorf("%s: message %q", name, outcome.Message)
				}
			}
		}
		if text := strings.Join(got, " "); text != want[name] || len(outcomes) > len(u.Names) {
			t.Errorf("%s: got %s, want %s", name, text, want[name])
		}
	}
}

// record runs a solution as Run says and writes what is printed to a file,
// without the paths of this machine.
func record(t *testing.T, u *lang.Unit, solution, path string) {
	t.Helper()
	needPython(t)
	dir, program := layOut(t, u, solution)
	output := printed(u, dir, program)
	text := strings.ReplaceAll(string(output), dir+string(filepath.Separator), "")
	text = regexp.MustCompile(`/[^" ]*/lib/python`).ReplaceAllString(text, "lib/python")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A failure shows what a function was given, whatever it has made of that.
func TestShowsInput(t *testing.T) {
	needPython(t)
	u := unit(t, `{"exercise": "rows", "cases": [
		{"description": "result", "property": "sorted", "input": {"rows": ["bb", "aa"]}, "expected": ["aa", "bb"]},
		{"description": "error", "property": "sorted", "input": {"rows": ["dd", "cc"]}, "expected": {"error": "no"}}
	]}`, lang.Settings{})
	outcomes := runTests(t, u, "def sorted(rows):\n    rows.sort()\n    return rows[:1]\n")
	for name, want := range map[string]string{
		"test_result": "rows = 'bb'\n       'aa'",
		"test_error":  "rows = 'dd'\n       'cc'",
	} {
		if got := outcomes[name]; got.Passed || !strings.Contains(got.Message, want) {
			t.Errorf("%s: got %+v, want %q", name, got, want)
		}
	}
}
