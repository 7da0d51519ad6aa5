package lang_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

var languages = []string{"go", "python"}

func TestParseSettings(t *testing.T) {
	const all = `
errors = "any"
error_type = "Fault"
tests = "table"
table = "rows"
compare = "cmp"
framework = "other"
exclude = { "u-1" = "needs threads" }
types.board = "Board"

[properties.play]
function = "Play"
table = "plays"
type = "State"
constants = { won = "Won" }
errors = "text"
tolerance = 0.5
unordered = true
fields = { expected = "want" }
order = ["board", "expected"]
task = 2

[python] # over the rest
error_type = "ValueError"
exclude.u-2 = "no pointers"
types = { board = "Grid", cell = "Cell" }
[python.properties.play]
function = "play"
constants.lost = "LOST"
order = []
[python.properties.stop]
unordered = true
`
	play := lang.Property{
		Function: "Play", Table: "plays", Type: "State", Constants: map[string]string{"won": "Won"}, Errors: "text",
		Tolerance: 0.5, Unordered: true, Fields: map[string]string{"expected": "want"}, Order: []string{"board", "expected"}, Task: 2,
	}
	plain := lang.Settings{
		Errors: "any", ErrorType: "Fault", Tests: "table", Table: "rows", Compare: "cmp", Framework: "other",
		Exclude: map[string]string{"u-1": "needs threads"}, Types: map[string]string{"board": "Board"},
		Properties: map[string]lang.Property{"play": play},
	}
	special := plain
	special.ErrorType = "ValueError"
	special.Exclude = map[string]string{"u-1": "needs threads", "u-2": "no pointers"}
	special.Types = map[string]string{"board": "Grid", "cell": "Cell"}
	specialPlay := play
	specialPlay.Function = "play"
	specialPlay.Constants = map[string]string{"won": "Won", "lost": "LOST"}
	specialPlay.Order = []string{}
	special.Properties = map[string]lang.Property{
		"play": specialPlay,
		"stop": {Unordered: true, Constants: map[string]string{}, Fields: map[string]string{}},
	}
	for name, want := range map[string]lang.Settings{"go": plain, "python": special} {
		got, err := lang.ParseSettings("gen.toml", []byte(all), name, languages)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Settings, want) {
			t.Errorf("%s: got\n%+v\nwant\n%+v", name, got.Settings, want)
		}
	}
	got, err := lang.ParseSettings("gen.toml", nil, "go", languages)
	if err != nil || !reflect.DeepEqual(got.Settings, lang.Settings{}) {
		t.Errorf("empty: got %+v, %v", got, err)
	}
}

func TestParseSettingsFaults(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"bad TOML", "errors = any", `gen.toml:1:10: bad TOML: expected value but found "any" instead`},
		{"table twice", "[go]\n[go]", "gen.toml:2:2: bad TOML: Key 'go' has already been defined"},
		{"unknown", "\nerror = 'any'", `gen.toml:2:1: unknown setting "error"; did you mean errors? see "Settings" in CONTRIBUTING.md`},
		{"unknown table", "[go]\n[perl]\nerrors = 'any'", `gen.toml:2:1: unknown setting "perl"; see "Settings" in CONTRIBUTING.md; a language is one of go, python`},
		{"misspelt language", "[pyhton]\nerrors = 'any'", `gen.toml:1:1: unknown setting "pyhton"; did you mean python? see "Settings" in CONTRIBUTING.md; a language is one of go, python`},
		{"unknown language", "[rust.properties.p]\nfunction = 'x'", `gen.toml:1:1: unknown setting "rust.properties.p"; see "Settings" in CONTRIBUTING.md; a language is one of go, python`},
		{"unknown of a language", "errors = 'any'\n[go]\nerror_typ = 'E'", `gen.toml:3:1: unknown setting "go.error_typ"; did you mean error_type? see "Settings" in CONTRIBUTING.md`},
		{"unknown of another language", "[python.properties.p]\nfunctions = 'E'", `gen.toml:2:1: unknown setting "python.properties.p.functions"; did you mean function? see "Settings" in CONTRIBUTING.md`},
		{"unknown of a property", "[properties.p]\norder = ['x']\ntyp = 'T'", `gen.toml:3:1: unknown setting "properties.p.typ"; did you mean type? see "Settings" in CONTRIBUTING.md`},
		{"capitals", "table = 'x'\nErrors = 'any'", `gen.toml:2:1: unknown setting "Errors"; did you mean errors? see "Settings" in CONTRIBUTING.md`},
		{"capitals in a property", "[go.properties.p]\nfunctIon = 'x'", `gen.toml:2:1: unknown setting "go.properties.p.functIon"; did you mean function? see "Settings" in CONTRIBUTING.md`},
		{"a language in a language", "[go.python]\nerrors = 'any'", `gen.toml:1:1: unknown setting "go.python"; see "Settings" in CONTRIBUTING.md`},

		{"wrong type", "# x\nerrors = true", "gen.toml:2:1: errors must be of type string; it is of type boolean"},
		{"wrong type of a language", "errors = 'any'\n[python]\n errors = 1", "gen.toml:3:2: python.errors must be of type string; it is of type integer"},
		{"wrong type of a property", "[go.properties.p]\nunordered = 'yes'", "gen.toml:2:1: go.properties.p.unordered must be of type boolean; it is of type string"},
		{"wrong type of a list", "[properties.p]\norder = 'x'", "gen.toml:2:1: properties.p.order must be of type array; it is of type string"},
		{"wrong type of a table", "\nexclude = ['x']", "gen.toml:2:1: exclude must be a table, as in {key = \"text\"}"},
		{"wrong type of tables in a list", "[[types]]\nboard = 'B'", "gen.toml:1:1: types must be a table, as in {key = \"text\"}"},
		{"wrong type of a property's table", "[properties.p]\n fields = 'x'", "gen.toml:2:2: properties.p.fields must be a table, as in {key = \"text\"}"},
		{"wrong type of a language's table", "[python]\nproperties.p.constants = 1", "gen.toml:2:14: python.properties.p.constants must be a table, as in {key = \"text\"}"},
		{"wrong type in a table", "[exclude]\nu-1 = 1.5", "gen.toml:2:1: exclude.u-1 must be of type string; it is of type float"},
		{"language no table", "go = 1", "gen.toml:1:1: go must be of type table; it is of type integer"},

		{"errors", "errors = 'all'", `gen.toml:1:1: errors must be "text" or "any"; it is "all"`},
		{"errors of a property", "errors = 'any'\n[properties.p]\nerrors = 'none'", `gen.toml:3:1: errors must be "text" or "any"; it is "none"`},
		{"errors of a language", "errors = 'any'\n[go]\nerrors = 'none'", `gen.toml:3:1: errors must be "text" or "any"; it is "none"`},
		{"errors of another language", "errors = 'any'\n[python]\nerrors = 'none'", `gen.toml:3:1: errors must be "text" or "any"; it is "none"`},
		{"tests", "tests = 'none'", `gen.toml:1:1: tests must be "full" or "table"; it is "none"`},
		{"compare", "  compare = 'reflect'", `gen.toml:1:3: compare must be "cmp"; it is "reflect"`},
		{"tolerance below zero", "[properties.p]\n\ntolerance = -0.5", "gen.toml:3:1: tolerance must be a number from 0 to 1e300; it is -0.5"},
		{"task below one", "[go.properties.p]\ntask = -1", "gen.toml:2:1: task must be 1 or more; it is -1"},
		{"tolerance no number", "[properties]\np = { tolerance = nan }", "gen.toml:2:1: tolerance must be a number from 0 to 1e300; it is NaN"},
		{"tolerance without end", "[go.properties.p]\ntolerance = inf", "gen.toml:2:1: tolerance must be a number from 0 to 1e300; it is +Inf"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := lang.ParseSettings("gen.toml", []byte(test.text), "go", languages)
			if err == nil || err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

func FuzzParseSettings(f *testing.F) {
	for _, seed := range []string{
		"errors = 'any'\n[go]\ntable = 'x'", "properties.p = {tolerance = 0.5, order = ['a']}", "[python.properties.p]\nfields.a = 'b'",
		"exclude = ['x']", "[[types]]", "go = 1", "errors = 1", "[go.python]", "\ufeffx = 1", "[\"go\"]\n\"erro\\u0072s\" = 'none'",
		"properties.\"a.b\".tolerance = nan", "[properties.\"\"]\ntype = 1", "Errors = 'x'",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := lang.ParseSettings("gen.toml", text, "go", languages)
		if err == nil {
			return
		}
		var fault *spec.Error
		if !errors.As(err, &fault) {
			t.Fatalf("%T %q has no place", err, err)
		}
		lines := strings.Split(string(text), "\n")
		if fault.Line < 1 || fault.Line > len(lines) || fault.Col < 1 || fault.Col > len(lines[fault.Line-1])+1 {
			t.Errorf("%q is outside of the file", err)
		}
	})
}
