package lang_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// toy is a language as far as a unit asks one.
type toy struct{ lang.Language }

func (toy) Facts() *lang.Facts {
	return &lang.Facts{
		Layout: func(slug string) lang.Files {
			return lang.Files{Solution: slug + ".toy", Test: slug + ".test", Example: "example.toy"}
		},
		Mangle:       strings.ToLower,
		FunctionName: func(property string) string { return property },
	}
}

func cases(t *testing.T) []*spec.Case {
	data, err := spec.ParseData("data.json", []byte(`{"cases": [
		{"uuid": "1", "description": "one", "property": "b", "input": {"n": 1}, "expected": 1.25},
		{"uuid": "2", "description": "two", "property": "a", "input": {"n": 1}, "expected": 1},
		{"uuid": "3", "description": "ONE", "property": "b", "input": {"n": "left out"}, "expected": 3},
		{"description": "Two", "property": "b", "input": {"n": 4}, "expected": 4}
	]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	return data.Cases
}

func TestNewUnit(t *testing.T) {
	all := cases(t)
	settings := lang.Settings{Exclude: map[string]string{"3": "why not", "": "no case has this"}}
	u := lang.NewUnit(toy{}, "slug", all, settings)
	if u.Suite.Slug != "slug" || u.Files.Solution != "slug.toy" || u.Files.Test != "slug.test" || u.Files.Example != "example.toy" {
		t.Errorf("got slug %q, files %+v", u.Suite.Slug, u.Files)
	}
	// Cases of one property stand together; names collide in no letter case.
	if want := []string{"one", "Two", "two (2)"}; !slices.Equal(u.Names, want) {
		t.Errorf("names %q, want %q", u.Names, want)
	}
	if kind := u.Suite.Functions[0].Params[0].Type.Kind; kind != spec.IntType {
		t.Errorf("the case that is left out still has a say: kind %d", kind)
	}
	if len(all) != 4 || all[2].UUID != "3" {
		t.Error("the cases given were changed")
	}
	if u := lang.NewUnit(toy{}, "slug", all, lang.Settings{}); len(u.Names) != 4 {
		t.Errorf("without settings: names %q", u.Names)
	}
}

func TestComparison(t *testing.T) {
	f := &spec.Function{Property: "p"}
	tests := []struct {
		name     string
		settings lang.Settings
		want     spec.Comparison
	}{
		{"default", lang.Settings{}, spec.Comparison{}},
		{"of all", lang.Settings{Errors: lang.AnyError}, spec.Comparison{AnyError: true}},
		{"of the property", lang.Settings{Properties: map[string]lang.Property{
			"p": {Errors: lang.AnyError, Tolerance: 0.5, Unordered: true},
		}}, spec.Comparison{AnyError: true, Tolerance: 0.5, Unordered: true}},
		{"of the property over all", lang.Settings{Errors: lang.AnyError, Properties: map[string]lang.Property{
			"p": {Errors: lang.TextError},
		}}, spec.Comparison{}},
		{"of another property", lang.Settings{Properties: map[string]lang.Property{"q": {Unordered: true}}}, spec.Comparison{}},
	}
	for _, test := range tests {
		u := &lang.Unit{Facts: toy{}.Facts(), Settings: test.settings}
		if got := u.Comparison(f); got != test.want {
			t.Errorf("%s: got %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestAnswersKeepLiterals(t *testing.T) {
	answers := lang.Answers{{Property: "p", Input: lang.RawJSON(`{"z":1.50,"a":18446744073709551616}`), Result: lang.RawJSON(`null`)}}
	text, err := json.Marshal(answers)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"property":"p","input":{"z":1.50,"a":18446744073709551616},"result":null}]`
	if string(text) != want {
		t.Errorf("got %s, want %s", text, want)
	}
}
