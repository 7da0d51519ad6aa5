package spec_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"stateoftictactoe/gen/internal/spec"
)

// checkPlace checks that an error says where in the file the fault is, and that
// this place is in the file.
func checkPlace(t *testing.T, err error, text []byte) {
	t.Helper()
	var fault *spec.Error
	if !errors.As(err, &fault) {
		t.Errorf("%T %q has no place", err, err)
		return
	}
	lines := strings.Split(string(text), "\n")
	if fault.Line < 1 || fault.Line > len(lines) {
		t.Errorf("%q: line %d of %d", err, fault.Line, len(lines))
	} else if length := utf8.RuneCountInString(lines[fault.Line-1]); fault.Col < 1 || fault.Col > length+1 {
		t.Errorf("%q: column %d of %d", err, fault.Col, length)
	}
	if strings.TrimSpace(fault.Msg) == "" {
		t.Errorf("%q says nothing", err)
	}
}

// checkSpans checks that what a case keeps of its file is what the file says.
func checkSpans(t *testing.T, text []byte, data *spec.Data) {
	t.Helper()
	for _, c := range data.Cases {
		for _, span := range []struct {
			v   *spec.Value
			raw []byte
		}{{c.Input, c.RawInput}, {c.Expected, c.RawExpected}} {
			if !bytes.Equal(text[span.v.Offset:span.v.End], span.raw) {
				t.Errorf("%s is not where it says", span.raw)
			}
			again, err := spec.ParseJSON("raw.json", span.raw)
			if err != nil {
				t.Errorf("%s is no JSON: %v", span.raw, err)
				continue
			}
			if again.JSON() != span.v.JSON() {
				t.Errorf("%s is not %s", span.raw, span.v.JSON())
			}
			if !sameDecoded(span.raw, []byte(span.v.JSON())) {
				t.Errorf("encoding/json reads other data in %s than in %s", span.raw, span.v.JSON())
			}
		}
	}
}

func sameDecoded(a, b []byte) bool {
	x, errX := decode(a)
	y, errY := decode(b)
	return errX == nil && errY == nil && reflect.DeepEqual(x, y)
}

func decode(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var v any
	return v, decoder.Decode(&v)
}

var dataSeeds = []string{
	oneCase("2", "2"),
	oneCase("2", `{"error": "no"}`),
	oneCase(`{"loaves": 1}`, `{"z": [1, [2.50, null]], "a": {"é": "\u00e9\n\ud83d\ude00", "": -0}}`),
	oneCase(`"input"`, `"reimplements": "c-1", "comments": ["x"], "scenarios": [], "input"`),
	`{"cases": [{"description": "g", "cases": [{"description": "d", "property": "p", "input": {}, "expected": 18446744073709551616}]}]}`,
	`{"cases": [{"description": "t", "property": "p", "input": {"t": {"v": 1, "l": {"v": 2, "l": {}, "r": null}, "r": {}}}, "expected": {"a": {"b": 1}}},
{"description": "t", "property": "p", "input": {"t": {"v": 1, "s": [{"v": 1.25}]}}, "expected": {"c": {"d": 2, "e": null}}}]}`,
	`{"cases": [{"description": "x", "property": "p", "input": {"t": [[], [{}], {"a": null}]}, "expected": "(x) -> y"}, {"description": "x", "property": "q", "input": {}, "expected": "a == b"}]}`,
	`{"cases": []} x`, `{"cases": [1]}`, `{"a": 1, "a": 2}`, `{"cases": [`, `[1, 2, ]`, "\ufeff{}", `"\ud800"`, "\"\xff\"", `01`, ``, `1e999999999`,
}

func FuzzParseData(f *testing.F) {
	for _, seed := range dataSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		data, err := spec.ParseData("data.json", text, nil)
		if err != nil {
			checkPlace(t, err, text)
			return
		}
		if !json.Valid(text) {
			t.Errorf("accepts what is no JSON")
		}
		checkSpans(t, text, data)
	})
}

func FuzzParseSelection(f *testing.F) {
	for _, seed := range []string{
		"[A1]\ninclude = false # why\n[B1]\n", `["A1"]` + "\n\"include\" = false", "A1.include = true\nB1 = { include = false }",
		"[canonical-tests]\nA1 = true", "[A1]\ncomment = \"\"\"\n[B1]\n\"\"\"\ncomments = [\n'x', # y\n]", "[[A1]]", "A1 = 1",
		"[A1]\nreimplements = \"A1\"", "[B9]", "[A1]\n[A1]", "x = 1979-05-27T07:32:00Z", "canonical-tests.A1.x = 1", "\ufeffx",
		"[\"\\u0061\"]", "A1 = '''\n", "a.b.c.d = [[{x = 1}]]", "\"\" = 1", "[[a.b]]\n[a.b.c]\n[[a.b]]\n[a.b.c]",
	} {
		f.Add([]byte(uuids.Replace(seed)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		data := published(t)
		s, err := spec.ParseSelection("tests.toml", text, data)
		if err != nil {
			checkPlace(t, err, text)
			return
		}
		selected, unlisted := spec.Select(data, s)
		if len(selected)+len(unlisted) > len(data.Cases) {
			t.Errorf("%d selected and %d new of %d", len(selected), len(unlisted), len(data.Cases))
		}
	})
}

// FuzzInfer checks that whatever can be read can be inferred, that each value is
// of the type inferred for it, and that a wrong result never counts as right.
func FuzzInfer(f *testing.F) {
	for _, seed := range dataSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		data, err := spec.ParseData("data.json", text, nil)
		if err != nil {
			return
		}
		selected, _ := spec.Select(data, nil)
		suite := spec.Infer("slug", selected, nil)
		if len(suite.Cases())+len(suite.Undecided) != len(selected) {
			t.Error("a case is lost")
		}
		checkUnique(t, spec.Names(selected, strings.ToLower), strings.ToLower)
		checkFunctions(t, suite)
		for _, outlier := range suite.Outliers() {
			checkPlace(t, outlier, text)
		}
	})
}
