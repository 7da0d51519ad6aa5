package python

import (
	"testing"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// unit prepares data for the tests of this package.
func unit(t *testing.T, data string, settings lang.Settings) *lang.Unit {
	t.Helper()
	parsed, err := spec.ParseData("canonical-data.json", []byte(data), nil)
	if err != nil {
		t.Fatal(err)
	}
	selected, _ := spec.Select(parsed, nil)
	return lang.NewUnit(Python{}, parsed.Exercise, selected, settings)
}

// kindsData has a property for each kind of result.
const kindsData = `{"exercise": "exercise", "cases": [
	{"description": "a flag", "property": "flag", "input": {"text": "a"}, "expected": true},
	{"description": "a number", "property": "number", "input": {"text": "a"}, "expected": 1},
	{"description": "no number", "property": "number", "input": {"text": "b"}, "expected": {"error": "none"}},
	{"description": "a ratio", "property": "ratio", "input": {"text": "a"}, "expected": 0.25},
	{"description": "a text", "property": "text", "input": {"text": "a"}, "expected": "b"},
	{"description": "numbers", "property": "numbers", "input": {"text": "a"}, "expected": [1, 2]},
	{"description": "flags", "property": "flags", "input": {"text": "a"}, "expected": [true]},
	{"description": "a record", "property": "record", "input": {"text": "a"},
	 "expected": {"name": "a", "ok": true, "children": [{"name": "b", "ok": true}]}},
	{"description": "anything", "property": "anything", "input": {"text": "a"}, "expected": ["x", 1, true]}
]}`

// optionalData has arguments that some cases lack, and names that are keywords.
const optionalData = `{"exercise": "note-book", "cases": [
	{"description": "a title alone", "property": "addTags", "input": {"title": "a"}, "expected": ["a"]},
	{"description": "with tags", "property": "addTags", "input": {"title": "a", "tags": ["b"]}, "expected": ["a", "b"]},
	{"description": "with a limit", "property": "addTags", "input": {"title": "a", "tags": ["b"], "limit": 1}, "expected": ["a"]},
	{"description": "with a limit and no tags", "property": "addTags", "input": {"title": "a", "limit": 2}, "expected": []},
	{"description": "keywords as names", "property": "import", "input": {"from": "x", "class": 1, "self": true}, "expected": "x1"},
	{"description": "keywords, without", "property": "import", "input": {"from": "y", "class": 2, "self": false}, "expected": "y"},
	{"description": "fails", "property": "totalTime", "input": {"type": "none"}, "expected": {"error": "no time"}}
]}`

// hidingData has names that hide what a test uses.
const hidingData = `{"exercise": "json", "cases": [
	{"description": "self", "property": "self", "input": {"self": 1, "err": 2}, "expected": 1},
	{"description": "no self", "property": "self", "input": {"self": 1, "err": 3}, "expected": {"error": "none"}},
	{"description": "err", "property": "err", "input": {"rows": ["self", "rows"]}, "expected": ["rows", "self"]},
	{"description": "no err", "property": "err", "input": {"rows": ["rows", "self"]}, "expected": {"error": "none"}}
]}`
