package spec_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"stateoftictactoe/gen/internal/spec"
)

// Three published cases: b2 replaces b1.
const (
	a1 = "aaaaaaaa-0000-4000-8000-000000000001"
	b1 = "bbbbbbbb-0000-4000-8000-000000000001"
	b2 = "bbbbbbbb-0000-4000-8000-000000000002"
)

func published(t testing.TB) *spec.Data {
	return parse(t, `{"cases": [
		{"uuid": "`+a1+`", "description": "a1", "property": "p", "input": {}, "expected": 1},
		{"uuid": "`+b1+`", "description": "b1", "property": "p", "input": {}, "expected": 1},
		{"uuid": "`+b2+`", "description": "b2", "property": "p", "input": {}, "expected": 1, "reimplements": "`+b1+`"}
	]}`)
}

var uuids = strings.NewReplacer("A1", a1, "B1", b1, "B2", b2)

// describe lists the descriptions of cases.
func describe(cases []*spec.Case) string {
	var names []string
	for _, c := range cases {
		names = append(names, c.Description)
	}
	return strings.Join(names, " ")
}

func TestParseSelection(t *testing.T) {
	tests := []struct{ name, text, selected, unlisted string }{
		{"empty", "", "", "a1 b1 b2"},
		{"a comment only", "# nothing\n", "", "a1 b1 b2"},
		{"as configlet writes it", `# This is a file.
#
# With a head.

[A1]
description = "a -> b"

[B1]
description = "group -> b"
include = false

[B2]
description = "group -> b"
reimplements = "B1"
`, "a1 b2", ""},
		{"include = true", "[A1]\ninclude = true", "a1", "b1 b2"},
		{"why", "[A1]\ninclude = false # why = true\n[B1] # in\n", "b1", "b2"},
		{"blanks around", "  [ A1 ]  \n\tinclude=false\n[\tB1\t]", "b1", "b2"},
		{"quoted table", `["A1"]` + "\n['B1']\ninclude = false", "a1", "b2"},
		{"quoted key", "[A1]\n\"include\" = false\n[B1]\n'include' = false", "", "b2"},
		{"escaped key", "[\"\\u0061" + a1[1:] + "\"]\n\"incl\\u0075de\" = true", "a1", "b1 b2"},
		{"inline table", "A1 = { include = false, description = \"{}\" }\nB1 = {}", "b1", "b2"},
		{"dotted keys", "A1.include = false\nA1.description = \"x\"\nB1.description = 'y'\nB2 . \"include\" = true", "b1 b2", ""},
		{"multi-line string", "[A1]\ncomment = \"\"\"\n[B1]\ninclude = false\n\"\"\"\n[B2]\ncomment = '''\n'''\ninclude = true", "a1 b2", "b1"},
		{"multi-line array", "[A1]\ncomments = [\n  \"[B1]\", # so\n  'include = false',\n]\ninclude = true", "a1", "b1 b2"},
		{"other keys", "[A1]\ncomment = 1\ncomments = [1, 2]\nwhen = 2024-01-02\nx.y.z = true\n[A1.more]\ninclude = false", "a1", "b1 b2"},
		{"Windows line ends", "[A1]\r\ninclude = false # x\r\n\r\n[B1]\r\n", "b1", "b2"},
		{"byte order mark", "\ufeff[A1]\n", "a1", "b1 b2"},
		{"order of the data", "[B2]\n[B1]\n[A1]", "a1 b1 b2", ""},
		{"old form", "[canonical-tests]\n\n# first\n\"A1\" = true\n\n# group -> second\n\"B1\" = false # why\nB2 = true", "a1 b2", ""},
		{"old form, inline", "canonical-tests = { A1 = true }", "a1", "b1 b2"},
		{"old form, dotted", "canonical-tests.A1 = true\ncanonical-tests.\"B1\" = false", "a1", "b2"},
		{"other letters", "[" + strings.ToUpper(a1) + "]\n[B1]\ninclude = false\n[" + strings.ToUpper(b2) + "]\nreimplements = \"" + strings.ToUpper(b1) + "\"", "a1 b2", ""},
		{"both forms", "[A1]\n[canonical-tests]\nB1 = true", "a1 b1", "b2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			data := published(t)
			s, err := spec.ParseSelection("tests.toml", []byte(uuids.Replace(test.text)), data)
			if err != nil {
				t.Fatal(err)
			}
			if s.File != "tests.toml" {
				t.Errorf("file is %q", s.File)
			}
			selected, unlisted := spec.Select(data, s)
			if got := describe(selected); got != test.selected {
				t.Errorf("selected %s, want %s", got, test.selected)
			}
			if got := describe(unlisted); got != test.unlisted {
				t.Errorf("unlisted %s, want %s", got, test.unlisted)
			}
		})
	}
}

func TestParseSelectionFaults(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"no TOML", "[A1]\ninclude false", "2:9: bad TOML: expected '.' or '=', but got 'f' instead"},
		{"a word", "[A1]\ninclude = maybe", "2:11: bad TOML: expected value but found \"maybe\" instead"},
		{"an open header", "[A1\ninclude = true", "1:38: bad TOML: expected '.' or ']' to end table name, but got '\\n' instead"},
		{"an open string", "[A1]\nx = \"abc\n", "2:9: bad TOML: strings cannot contain newlines"},
		{"cut off", "[A1]\nx = [1,", "2:7: bad TOML: unexpected EOF; expected value"},
		{"table twice", "[A1]\n\n[B1]\n  [A1]\n", "4:4: bad TOML: Key 'A1' has already been defined"},
		{"key twice", "[A1]\ninclude = true\ninclude = false", "3:1: bad TOML: Key 'A1.include' has already been defined"},
		{"bad UTF-8", "[A1]\nx = \"\xff\"", "2:5: bad TOML: invalid UTF-8 byte: 0xff"},
		{"behind a byte order mark", "\ufeffx", "1:1: bad TOML: unexpected EOF; expected key separator '='"},

		{"further behind a byte order mark", "\ufeff[A1]\ninclude = maybe", "2:11: bad TOML: expected value but found \"maybe\" instead"},
		{"unknown uuid", "[A1]\n\n [ B9 ]\ninclude = true\n", "3:2: case B9: no case has this uuid; remove it, or correct the uuid"},
		{"unknown and left out", "[\"B9\"]\ninclude = false", "1:1: case B9: no case has this uuid; remove it, or correct the uuid"},
		{"unknown, inline", "# B9\nA1 = {}\n B9 = {}", "3:2: case B9: no case has this uuid; remove it, or correct the uuid"},
		{"unknown, dotted", "A1.x = \"\"\"\nB9\"\"\"\nB9.include = true", "3:1: case B9: no case has this uuid; remove it, or correct the uuid"},
		{"unknown, many dotted keys", "A1.x = 1\nB9.a = 1\nB9.b = 2\nB9.c = 3\nB9.d = 4\nB9.e = 5", "2:1: case B9: no case has this uuid; remove it, or correct the uuid"},
		{"unknown, quoted and dotted", "  'B9' . include = true", "1:3: case B9: no case has this uuid; remove it, or correct the uuid"},
		{"unknown, in the old form", "[canonical-tests]\n# x\n\"A1\" = true\n\"B9\" = true", "4:1: case B9: no case has this uuid; remove it, or correct the uuid"},
		{"empty uuid", "[\"\"]", "1:1: case : no case has this uuid; remove it, or correct the uuid"},
		{"the first is named", "[Z2]\n[B9]\n[A8]", "1:1: case Z2: no case has this uuid; remove it, or correct the uuid"},
		{"text of one before another", "[A1]\ncomment = '''\n[B9]\n'''\n\n[B9] # B9", "6:1: case B9: no case has this uuid; remove it, or correct the uuid"},

		{"include in quotes", "[A1]\ninclude = \"false\"", "1:1: case A1: include must be true or false, without quotes; it is \"false\""},
		{"include a number", "[B1]\n[A1]\ninclude = 0", "2:1: case A1: include must be true or false, without quotes; it is 0"},
		{"include a fraction", "A1.include = 0.5", "1:1: case A1: include must be true or false, without quotes; it is 0.5"},
		{"include an array", "[A1]\ninclude = [true]", "1:1: case A1: include must be true or false, without quotes; it is an array"},
		{"include a table", "[A1.include]", "1:1: case A1: include must be true or false, without quotes; it is a table"},
		{"include a list of tables", "[[A1.include]]", "1:1: case A1: include must be true or false, without quotes; it is a table"},
		{"include a date", "[A1]\ninclude = 2024-01-02", "1:1: case A1: include must be true or false, without quotes; it is a date or time"},
		{"old form, no boolean", "[canonical-tests]\nA1 = \"true\"", "2:1: case A1: include must be true or false, without quotes; it is \"true\""},
		{"old form, a table", "canonical-tests.A1.include = true", "1:17: case A1: include must be true or false, without quotes; it is a table"},

		{"reimplements nothing", "[A1]\nreimplements = \"B9\"", "1:1: case A1: reimplements \"B9\", but no case has this uuid; name the uuid of a case"},
		{"reimplements the empty uuid", "[A1]\nreimplements = \"\"", "1:1: case A1: reimplements \"\", but no case has this uuid; name the uuid of a case"},
		{"reimplements itself", "\n[A1]\nreimplements = \"A1\"", "2:1: case A1: reimplements itself; name the older case that it replaces"},
		{"reimplements no string", "[A1]\nreimplements = true", "1:1: case A1: reimplements must be a uuid in quotes"},

		{"entry no table", "A1 = true", "1:1: case A1: must be a table; write [A1]"},
		{"entry a string", "\n  A1 = '''\n\nx'''", "2:3: case A1: must be a table; write [A1]"},
		{"entry a list of tables", "[[A1]]", "1:1: case A1: must be a table; write [A1]"},
		{"old form no table", "canonical-tests = true", "1:1: case canonical-tests: must be a table; write [canonical-tests]"},
		{"twice, in other letters", "[A1]\n[" + strings.ToUpper(a1) + "]", "2:1: case " + strings.ToUpper(a1) + ": stands here and as A1; keep one"},
		{"reimplements itself, in other letters", "[A1]\nreimplements = \"" + strings.ToUpper(a1) + "\"", "1:1: case A1: reimplements itself; name the older case that it replaces"},
		{"in both forms", "[A1]\n[canonical-tests]\nA1 = false", "3:1: case A1: stands here and in the table canonical-tests; keep one"},
		{"in both forms, the old first", "canonical-tests = { A1 = false }\n[A1]\n", "2:1: case A1: stands here and in the table canonical-tests; keep one"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := spec.ParseSelection("tests.toml", []byte(uuids.Replace(test.text)), published(t))
			checkError(t, err, "tests.toml:"+uuids.Replace(test.want))
		})
	}
}

// A selection that lists no case of the data is most likely that of another exercise:
// the error is at the data's slug. One case in common makes it an error of the uuid.
func TestSelectionOfAnotherExercise(t *testing.T) {
	const foreign = `data.json:1:14: these are the data of "leap", and tests.toml lists none of their cases; put the data of the exercise there that is meant, or correct the uuids`
	const other = "eeeeeeee-0000-4000-8000-000000000009"
	for _, test := range []struct{ name, data, text, want string }{
		{"other cases", `{"exercise": "leap", `, "[" + other + "]", foreign},
		{"other cases, in the old form", `{"exercise": "leap", `, "[canonical-tests]\n" + other + " = true", foreign},
		{"one in common", `{"exercise": "leap", `, "[A1]\n[" + other + "]", "tests.toml:2:1: case " + other + ": no case has this uuid; remove it, or correct the uuid"},
		{"no slug", `{`, "[" + other + "]", "tests.toml:1:1: case " + other + ": no case has this uuid; remove it, or correct the uuid"},
	} {
		t.Run(test.name, func(t *testing.T) {
			data, err := spec.ParseData("data.json", []byte(test.data+`"cases": [{"uuid": "`+a1+`", "description": "a", "property": "p", "input": {}, "expected": 1}]}`), nil)
			if err != nil {
				t.Fatal(err)
			}
			_, err = spec.ParseSelection("tests.toml", []byte(uuids.Replace(test.text)), data)
			checkError(t, err, test.want)
		})
	}
}

func TestTOMLFaultAt(t *testing.T) {
	const text = "top = 1\n[one]\n# deep\n\"deep\" = 2\n[one.two]\nkey.leaf = 3\n"
	tests := []struct{ key, want string }{
		{"top", "f.toml:1:1: no"},
		{"one", "f.toml:2:1: no"},
		{"deep", "f.toml:4:1: no"},
		{"two", "f.toml:5:1: no"},
		{"leaf", "f.toml:6:5: no"},
		{"absent", "f.toml: no"},
	}
	for _, test := range tests {
		checkError(t, faultAtFirst("f.toml", []byte(text), test.key, "no"), test.want)
	}
	// A key that is not there: the table that it would be in.
	checkError(t, spec.TOMLFaultAt("f.toml", []byte(text), []string{"one", "two", "three"}, "no"), "f.toml:5:1: no")
	checkError(t, spec.TOMLFaultAt("f.toml", []byte("x ="), []string{"x"}, "no"), "f.toml: no")
	checkError(t, faultAtFirst("f.toml", []byte("x ="), "x", "no"), "f.toml: no")
}

func TestSelectPublished(t *testing.T) {
	c := func(uuid, reimplements string) string {
		text := `{"uuid": "` + uuid + `", "description": "` + uuid + `", "property": "p", "input": {}, "expected": 1`
		if reimplements != "" {
			text += `, "reimplements": "` + reimplements + `"`
		}
		return text + "}"
	}
	tests := []struct {
		name  string
		cases []string
		want  string
	}{
		{"none superseded", []string{c("1", ""), c("2", "")}, "1 2"},
		{"chain", []string{c("1", ""), c("2", "1"), c("3", "2"), c("4", "")}, "3 4"},
		{"in other letters", []string{c("a", ""), c("2", "A")}, "2"},
		{"several for one", []string{c("1", ""), c("2", "1"), c("3", "1")}, "2 3"},
		{"without a uuid", []string{c("1", ""), `{"description": "none", "property": "p", "input": {}, "expected": 1}`, c("2", "1")}, "none 2"},
		{"before its target", []string{c("2", "1"), c("1", "")}, "2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			data := parse(t, `{"cases": [`+strings.Join(test.cases, ",")+`]}`)
			selected, unlisted := spec.Select(data, nil)
			if got := describe(selected); got != test.want || len(unlisted) > 0 {
				t.Errorf("selected %s, unlisted %s; want %s", got, describe(unlisted), test.want)
			}
		})
	}
}

// faultAtFirst places a fault at the first key of a name, in whatever table.
func faultAtFirst(file string, text []byte, key, what string) error {
	var all map[string]any
	if meta, err := toml.Decode(string(bytes.TrimPrefix(text, []byte("\ufeff"))), &all); err == nil {
		for _, path := range meta.Keys() {
			if i := slices.Index(path, key); i >= 0 {
				return spec.TOMLFaultAt(file, text, path[:i+1], "%s", what)
			}
		}
	}
	return &spec.Error{File: file, Msg: what}
}
