package spec_test

import (
	"slices"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/spec"
)

// oneCase is a file with one case, of which some text is replaced.
func oneCase(old, new string) string {
	const text = `{
  "exercise": "bakery",
  "cases": [
    {
      "uuid": "c-1",
      "description": "one loaf",
      "property": "bake",
      "input": {"loaves": 1},
      "expected": 2
    }
  ]
}
`
	if !strings.Contains(text, old) {
		panic("oneCase lacks " + old)
	}
	return strings.Replace(text, old, new, 1)
}

func TestParseDataFaults(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"empty file", "", "f.json:1:1: the JSON value is cut off; is part of the file missing?"},
		{"only blanks", " \n\n", "f.json:3:1: the JSON value is cut off; is part of the file missing?"},
		{"byte order mark", "\ufeff{}", "f.json:1:1: starts with a byte order mark; save the file without one"},
		{"cut off", "{\n  \"cases\": [", "f.json:2:13: the JSON value is cut off; is part of the file missing?"},
		{"cut off in a string", `{"cases": [{"uuid": "c-1", "desc`, "f.json:1:33: the JSON value is cut off; is part of the file missing? (case c-1)"},
		{"cut off in a case", "{\"cases\": [\n{\"uuid\": \"c-1\", \"input\": {\"a\": [1,", "f.json:2:35: the JSON value is cut off; is part of the file missing? (case c-1)"},
		{"a comma too many", oneCase(`"expected": 2`, `"expected": 2,`), "f.json:9:20: bad JSON: no value follows this comma; remove it (case c-1)"},
		{"a comma too many in a list", oneCase(`{"loaves": 1}`, `{"loaves": [1, 2, ]}`), "f.json:8:32: bad JSON: no value follows this comma; remove it (case c-1)"},
		{"two commas", oneCase(`{"loaves": 1}`, `{"loaves": [1,, 2]}`), "f.json:8:30: bad JSON: invalid character ',' at start of value (case c-1)"},
		{"no comma", oneCase(`"one loaf",`, `"one loaf"`), "f.json:7:7: bad JSON: invalid character '\"' after object value (expecting ',' or '}') (case c-1)"},
		{"single quotes", oneCase(`"one loaf"`, `'one loaf'`), "f.json:6:22: bad JSON: invalid character '\\'' at start of value (case c-1)"},
		{"a word", oneCase(`2`, `two`), "f.json:9:20: bad JSON: invalid character 'w' in literal true (expecting 'r') (case c-1)"},
		{"a number with a zero in front", oneCase(`2`, `02`), "f.json:9:20: bad JSON: invalid character '2' after object value (expecting ',' or '}') (case c-1)"},
		{"a number above a float", oneCase(`2`, `1e400`), "f.json:9:19: a number beyond the range of a float; write one that is nearer to 1 (case c-1)"},
		{"a number too near to zero", oneCase(`2`, `-0.1e-400`), "f.json:9:19: a number beyond the range of a float; write one that is nearer to 1 (case c-1)"},
		{"a zero with an exponent that is none", oneCase(`2`, `0e99999999999999999999`), "f.json:9:19: a number beyond the range of a float; write one that is nearer to 1 (case c-1)"},
		{"the smallest and the largest float", oneCase(`2`, `[4.9e-324, 1.7e+308, 0.0e-10]`), ""},
		{"an integer that Python does not read", oneCase(`2`, strings.Repeat("9", 4301)), "f.json:9:19: an integer of more than 4300 digits; write a shorter one (case c-1)"},
		{"a comment", "{ // no\n}", "f.json:1:3: bad JSON: invalid character '/' at start of value"},
		{"a line break in a string", oneCase(`one loaf`, "one\nloaf"), "f.json:6:26: bad JSON: invalid character '\\n' in string (expecting non-control character) (case c-1)"},
		{"a bad escape", oneCase(`one loaf`, `one\loaf`), "f.json:6:26: bad JSON: invalid escape sequence `\\l` in string (case c-1)"},
		{"a lone surrogate", oneCase(`one loaf`, `\ud83d loaf`), `f.json:6:23: bad JSON: invalid surrogate pair "\\ud83d loaf\"" in string (case c-1)`},
		{"bad UTF-8", oneCase(`one loaf`, "\xff"), "f.json:6:23: bad JSON: invalid UTF-8 (case c-1)"},
		{"bad UTF-8 behind other characters", oneCase(`one loaf`, "über \xc3"), "f.json:6:28: bad JSON: invalid UTF-8 (case c-1)"},
		{"trailing text", "{\"cases\": []}\n  {}", "f.json:2:3: text after the end of the JSON value; remove it"},
		{"trailing comma", "{\"cases\": []} ,", "f.json:1:15: text after the end of the JSON value; remove it"},
		{"trailing bad text", "{\"cases\": []}\n#", "f.json:2:1: text after the end of the JSON value; remove it"},

		{"key twice in the file", `{"cases": [], "cases": []}`, `f.json:1:15: key "cases" stands twice in one object; remove one`},
		{"key twice in a case", oneCase(`"property"`, `"uuid": "c-2", "property"`), `f.json:7:7: key "uuid" stands twice in one object; remove one (case c-1)`},
		{"key twice in an input", oneCase(`{"loaves": 1}`, `{"loaves": 1, "loaves": 1}`), `f.json:8:30: key "loaves" stands twice in one object; remove one (case c-1)`},
		{"key twice, once escaped", oneCase(`{"loaves": 1}`, `{"loaves": 1, "\u006coaves": 1}`), `f.json:8:30: key "loaves" stands twice in one object; remove one (case c-1)`},
		{"key twice behind a uuid of the input", oneCase(`{"loaves": 1}`, `{"a": {"uuid": "no", "b": 1, "b": 2}}`), `f.json:8:45: key "b" stands twice in one object; remove one (case c-1)`},
		{"fault between two cases", oneCase("    }\n", "    } {}\n"), "f.json:10:7: bad JSON: invalid character '{' after array element (expecting ',' or ']')"},

		{"no object", "[]", `f.json:1:1: want an object with "cases"`},
		{"no cases", "\n {}", `f.json:2:2: key "cases" is missing; add the list of cases`},
		{"cases no array", `{"cases": {}}`, `f.json:1:11: "cases" must be an array`},
		{"cases null", `{"cases": null}`, `f.json:1:11: "cases" must be an array`},
		{"exercise no string", `{"exercise": 1, "cases": []}`, `f.json:1:14: "exercise" must be a string`},
		{"exercise no slug", `{"exercise": "../Two Fer", "cases": []}`, `f.json:1:14: "exercise" must be a slug: small letters, digits, and hyphens between them`},
		{"exercise empty", `{"exercise": "", "cases": []}`, `f.json:1:14: "exercise" must be a slug: small letters, digits, and hyphens between them`},
		{"a case no object", `{"cases": [{"description": "g", "cases": [1]}]}`, "f.json:1:43: want a case or a group of cases, both objects"},
		{"a group without description", `{"cases": [{"cases": []}]}`, `f.json:1:12: "description" is missing; add it`},
		{"a group's cases no array", `{"cases": [{"description": "g", "cases": "x"}]}`, `f.json:1:42: "cases" must be an array`},
		{"uuid no string", oneCase(`"c-1"`, `1`), `f.json:5:15: "uuid" must be a string`},
		{"no description", oneCase(`"description"`, `"describe"`), `f.json:4:5: "description" is missing; add it (case c-1)`},
		{"description no string", oneCase(`"one loaf"`, `null`), `f.json:6:22: "description" must be a string (case c-1)`},
		{"misspelt in a group", `{"cases": [{"descripton": "a", "cases": []}]}`, `f.json:1:13: unknown key "descripton"; did you mean "description"?`},
		{"no property", oneCase(`"property"`, `"function"`), `f.json:4:5: "property" is missing; add it (case c-1)`},
		{"property no string", oneCase(`"bake"`, `["bake"]`), `f.json:7:19: "property" must be a string (case c-1)`},
		{"property empty", oneCase(`"bake"`, `" "`), `f.json:7:19: "property" is empty; name the function under test (case c-1)`},
		{"no key that is near", oneCase(`"input"`, `"given"`), `f.json:4:5: the case has no "input"; add one ({} for a function without arguments) (case c-1)`},
		{"no input", oneCase(`"input"`, `"inputs"`), `f.json:8:7: unknown key "inputs"; did you mean "input"?`},
		{"input no object", oneCase(`{"loaves": 1}`, `[1]`), `f.json:8:16: "input" must be an object: a key for each argument (case c-1)`},
		{"no expected", oneCase(`"expected"`, `"expect"`), `f.json:9:7: unknown key "expect"; did you mean "expected"?`},
		{"comments no array", oneCase(`"input"`, `"comments": "no", "input"`), `f.json:8:19: "comments" must be an array (case c-1)`},
		{"comments of other things", oneCase(`"input"`, `"comments": ["yes", 1], "input"`), `f.json:8:27: "comments" must hold strings only (case c-1)`},
		{"scenarios no array", oneCase(`"input"`, `"scenarios": {}, "input"`), `f.json:8:20: "scenarios" must be an array (case c-1)`},
		{"reimplements no string", oneCase(`"input"`, `"reimplements": true, "input"`), `f.json:8:23: "reimplements" must be a string (case c-1)`},
		{"reimplements nothing known", oneCase(`"input"`, `"reimplements": "c-\"9", "input"`), `f.json:8:23: reimplements "c-\"9", which is no case here; name the uuid of a case (case c-1)`},
		{"reimplements the empty uuid", oneCase(`"input"`, `"reimplements": "", "input"`), `f.json:8:23: reimplements "", which is no case here; name the uuid of a case (case c-1)`},
		{"reimplements itself", oneCase(`"input"`, `"reimplements": "c-1", "input"`), `f.json:8:23: the case reimplements itself; name the older case that it replaces (case c-1)`},
		{"reimplements the empty uuid, without one", oneCase(`"uuid": "c-1"`, `"reimplements": ""`), `f.json:5:23: reimplements "", which is no case here; name the uuid of a case`},
		{"uuid twice", oneCase(`"cases": [`, `"cases": [{"uuid": "c-1", "description": "", "property": "p", "input": {}, "expected": 1},`), `f.json:5:15: uuid c-1 stands twice; give each case its own`},
		{"uuid twice, in other letters", oneCase(`"cases": [`, `"cases": [{"uuid": "C-1", "description": "", "property": "p", "input": {}, "expected": 1},`), `f.json:5:15: uuid c-1 stands twice; give each case its own`},
		{"reimplements itself, in other letters", oneCase(`"input"`, `"reimplements": "C-1", "input"`), `f.json:8:23: the case reimplements itself; name the older case that it replaces (case c-1)`},
		{"a misspelt list of cases", `{"cases": [{"description": "g", "case": []}]}`, `f.json:1:33: unknown key "case"; did you mean "cases"?`},
		{"an error that is a number", oneCase(`"expected":`, `"expected": {"error": 1}, "was":`), `f.json:9:29: the message of an error must be a string; an error is {"error": "message"} (case c-1)`},
		{"an error that is null", oneCase(`"expected":`, `"expected": {"error": null}, "was":`), `f.json:9:29: the message of an error must be a string; an error is {"error": "message"} (case c-1)`},
		{"an error that is a list", oneCase(`"expected":`, `"expected": {"error": ["a"]}, "was":`), `f.json:9:29: the message of an error must be a string; an error is {"error": "message"} (case c-1)`},
		{"an error that is an object", oneCase(`"expected":`, `"expected": {"error": {}}, "was":`), `f.json:9:29: the message of an error must be a string; an error is {"error": "message"} (case c-1)`},
		{"an error without a message", oneCase(`"expected":`, `"expected": {"error": ""}, "was":`), ""},
		{"an error within a result", oneCase(`"expected":`, `"expected": [{"error": 1}], "was":`), ""},
		{"an error in an input", oneCase(`{"loaves": 1}`, `{"error": 1}`), ""},
		{"no uuid to name", oneCase(`"uuid": "c-1",`, ``), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := spec.ParseData("f.json", []byte(test.text), nil)
			checkError(t, err, test.want)
		})
	}
}

// checkError compares an error's text; the empty one stands for no error.
func checkError(t *testing.T, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestParseDataAdditional(t *testing.T) {
	base := parse(t, `{"cases": [
		{"uuid": "b-1", "description": "x", "property": "p", "input": {}, "expected": 1},
		{"description": "of no uuid", "property": "p", "input": {}, "expected": 1}
	]}`)
	tests := []struct{ name, fields, want string }{
		{"uuid of the base", `"uuid": "b-1"`, "add.json:1:21: uuid b-1 stands twice; give each case its own"},
		{"uuid of the base, in other letters", `"uuid": "B-1"`, "add.json:1:21: uuid B-1 stands twice; give each case its own"},
		{"reimplements the base", `"uuid": "a-1", "reimplements": "b-1"`, ""},
		{"reimplements the base, in other letters", `"uuid": "a-1", "reimplements": "B-1"`, ""},
		{"reimplements nothing", `"reimplements": "b-2"`, `add.json:1:29: reimplements "b-2", which is no case here; name the uuid of a case`},
		{"reimplements a case of no uuid", `"reimplements": ""`, `add.json:1:29: reimplements "", which is no case here; name the uuid of a case`},
		{"no uuid", `"comments": []`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := `{"cases": [{` + test.fields + `, "description": "y", "property": "p", "input": {}, "expected": 1}]}`
			_, err := spec.ParseData("add.json", []byte(text), base)
			checkError(t, err, test.want)
		})
	}
	text := `{"cases": [
		{"description": "y", "property": "p", "input": {}, "expected": 1},
		{"description": "z", "property": "p", "input": {}, "expected": 1}]}`
	if _, err := spec.ParseData("add.json", []byte(text), base); err != nil {
		t.Errorf("two cases without a uuid: %v", err)
	}
}

func parse(t testing.TB, text string) *spec.Data {
	t.Helper()
	data, err := spec.ParseData("data.json", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestParseData(t *testing.T) {
	data := parse(t, `{
		"exercise": "mill",
		"comments": ["of the file"],
		"cases": [
			{"uuid": "1", "description": "first", "property": "grind", "input": {"z": 1.50, "a": [ 1 , 2 ]}, "expected": { "error" : "a \u00e9" }},
			{"description": "wheat", "comments": ["of the group"], "cases": [
				{"description": "spelt", "cases": [
					{"uuid": "2", "reimplements": "1", "comments": ["why", "how"], "scenarios": ["slow"], "description": "fine", "property": "sift", "input": {}, "expected": null}
				]},
				{"description": "no uuid", "property": "sift", "input": {}, "expected": 18446744073709551615}
			]}
		]
	}`)
	if data.Exercise != "mill" || data.File != "data.json" || len(data.Cases) != 3 {
		t.Fatalf("got %+v", data)
	}
	first, second, third := data.Cases[0], data.Cases[1], data.Cases[2]
	if got := first.Input.JSON(); got != `{"z":1.50,"a":[1,2]}` {
		t.Errorf("input is %s: want keys in their order and numbers as written", got)
	}
	if got := string(first.RawInput); got != `{"z": 1.50, "a": [ 1 , 2 ]}` {
		t.Errorf("raw input is %s", got)
	}
	if got := string(first.RawExpected); got != `{ "error" : "a \u00e9" }` {
		t.Errorf("raw expected is %s", got)
	}
	if text, failed := first.Expected.ErrorText(); !failed || text != "a é" {
		t.Errorf("error is %q, %v", text, failed)
	}
	if got := second.Path(); got != "wheat -> spelt -> fine" {
		t.Errorf("path is %q", got)
	}
	if second.UUID != "2" || second.Reimplements != "1" || second.Property != "sift" || second.Expected.Kind != spec.Null ||
		!slices.Equal(second.Comments, []string{"why", "how"}) || !slices.Equal(second.Scenarios, []string{"slow"}) {
		t.Errorf("second case is %+v", second)
	}
	if third.UUID != "" || third.Path() != "wheat -> no uuid" || string(third.RawExpected) != "18446744073709551615" {
		t.Errorf("third case is %+v", third)
	}
}

func TestParseDataGroups(t *testing.T) {
	const leaf = `{"description": "x", "property": "p", "input": {}, "expected": 1}`
	group := func(name string, inside ...string) string {
		return `{"description": "` + name + `", "cases": [` + strings.Join(inside, ",") + `]}`
	}
	data := parse(t, group("file", group("a", group("b", group("c", group("d1", leaf), group("d2", leaf), leaf), leaf))))
	var paths []string
	for _, c := range data.Cases {
		paths = append(paths, c.Path())
	}
	want := []string{"a -> b -> c -> d1 -> x", "a -> b -> c -> d2 -> x", "a -> b -> c -> x", "a -> b -> x"}
	if !slices.Equal(paths, want) {
		t.Errorf("got %q, want %q", paths, want)
	}
}

func TestErrorText(t *testing.T) {
	tests := []struct {
		text, want string
		failed     bool
	}{
		{`{"error": "no"}`, "no", true},
		{`{"error": ""}`, "", true},
		{`{"error": null}`, "", false},
		{`{"error": {"text": "no"}}`, "", false},
		{`{"error": "no", "code": 1}`, "", false},
		{`{"Error": "no"}`, "", false},
		{`"error"`, "", false},
		{`["error", "no"]`, "", false},
	}
	for _, test := range tests {
		if got, failed := value(t, test.text).ErrorText(); got != test.want || failed != test.failed {
			t.Errorf("%s: got %q, %v", test.text, got, failed)
		}
	}
}

func value(t testing.TB, text string) *spec.Value {
	t.Helper()
	v, err := spec.ParseJSON("value.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestValueNumbers(t *testing.T) {
	tests := []struct {
		literal, integer, rational string // "" if it is none
	}{
		{"0", "0", "0"},
		{"-0", "0", "0"},
		{"18446744073709551616", "18446744073709551616", "18446744073709551616"},
		{"1.0", "", "1"},
		{"1e2", "", "100"},
		{"-2.5E-1", "", "-1/4"},
		{"1e99999999999", "", ""},
	}
	for _, test := range tests {
		v := value(t, test.literal)
		if v.Text != test.literal || v.JSON() != test.literal {
			t.Errorf("%s: literal became %s, %s", test.literal, v.Text, v.JSON())
		}
		integer, rational := "", ""
		if n, ok := v.Int(); ok {
			integer = n.String()
		}
		if r, ok := v.Rat(); ok {
			rational = r.RatString()
		}
		if integer != test.integer || rational != test.rational {
			t.Errorf("%s: got int %q, rat %q", test.literal, integer, rational)
		}
	}
	if _, ok := value(t, `"1"`).Int(); ok {
		t.Error("a string is an integer")
	}
	if _, ok := value(t, `"1"`).Rat(); ok {
		t.Error("a string is a number")
	}
}

func TestValueJSON(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `false`, `1e5`, `"<&> é \" \\ 😀"`, `"\u0000\u001f\n\t"`, `[]`, `{}`,
		`[1,[2,null],{"b":true,"a":"x","":{}}]`,
	} {
		if got := value(t, text).JSON(); got != text {
			t.Errorf("got %s, want %s", got, text)
		}
	}
	var none *spec.Value
	if none.Get("a") != nil {
		t.Error("no value has a key")
	}
}

// TestMisspelt names keys that a file can do without, where it has one that is near.
func TestMisspelt(t *testing.T) {
	const rest = `"description": "d", "property": "p", "input": {"uuuid": 1, "scenario": 2}, "expected": {"coments": 3}`
	tests := []struct{ name, text, want string }{
		{"none", `{"cases": [{` + rest + `, "tags": [], "optional": "x"}]}`, ""},
		{"of a case", `{"cases": [{"uuuid": "a", ` + rest + `}]}`, `f.json:1:13: unknown key "uuuid"; did you mean "uuid"?`},
		{"in capitals", `{"cases": [{"UUID": "a", ` + rest + `}]}`, `f.json:1:13: unknown key "UUID"; did you mean "uuid"?`},
		{"a singular", `{"cases": [{"scenario": "a", ` + rest + `}]}`, `f.json:1:13: unknown key "scenario"; did you mean "scenarios"?`},
		{"several", `{"cases": [{"reimplement": "a", "coments": [], ` + rest + `}]}`,
			`f.json:1:33: unknown key "coments"; did you mean "comments"?; f.json:1:13: unknown key "reimplement"; did you mean "reimplements"?`},
		{"beside the right one", `{"cases": [{"comments": [], "comment": "a", ` + rest + `}]}`, ""},
		{"of a group", `{"cases": [{"description": "g", "coments": [], "cases": [{` + rest + `}]}]}`, `f.json:1:33: unknown key "coments"; did you mean "comments"?`},
		{"of the file", `{"exercice": "x", "cases": []}`, `f.json:1:2: unknown key "exercice"; did you mean "exercise"?`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			data, err := spec.ParseData("f.json", []byte(test.text), nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range data.Misspelt {
				got = append(got, m.Error())
			}
			if got := strings.Join(got, "; "); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}
