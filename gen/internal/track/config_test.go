package track

import (
	"strings"
	"testing"
)

// TestReadConfig wants what a config.json cannot say to be refused at its place.
func TestReadConfig(t *testing.T) {
	tests := []struct{ text, want string }{
		{`{"files": {"solution": ["a.go", "./sub/b.go"], "test": ["a_test.go"], "example": [".meta/a.go"], "editor": []}}`, ""},
		{`{"files": {"solution": ["a.go"], "test": null, "example": []}}`, ""},
		{`[]`, `c.json:1:1: want an object with "files"`},
		{`{}`, `c.json:1:1: files.solution is missing; name the student's file`},
		{`{"files": []}`, `c.json:1:11: "files" must be an object`},
		{`{"files": null}`, `c.json:1:11: "files" must be an object`},
		{`{"files": {}}`, `c.json:1:11: files.solution is missing; name the student's file`},
		{`{"files": {"solution": null}}`, `c.json:1:11: files.solution is missing; name the student's file`},
		{`{"files": {"solution": []}}`, `c.json:1:24: files.solution is empty; name a file`},
		{`{"files": {"solution": "a.go"}}`, `c.json:1:24: files.solution must be a list of files`},
		{`{"files": {"solution": [1]}}`, `c.json:1:25: files.solution must hold strings only`},
		{`{"files": {"solution": [""]}}`, `c.json:1:25: files.solution: "" is no file in the exercise's folder`},
		{`{"files": {"solution": ["/a.go"]}}`, `c.json:1:25: files.solution: "/a.go" is no file in the exercise's folder`},
		{`{"files": {"solution": ["../a.go"]}}`, `c.json:1:25: files.solution: "../a.go" is no file in the exercise's folder`},
		{`{"files": {"solution": ["."]}}`, `c.json:1:25: files.solution: "." is no file in the exercise's folder`},
		{`{"files": {"solution": ["a/"]}}`, `c.json:1:25: files.solution: "a/" is a folder; name the files in it`},
		{`{"files": {"solution": ["folder"]}}`, `c.json:1:25: files.solution: "folder" is a folder; name the files in it`},
		{`{"files": {"solution": ["a.go", "./a.go"]}}`, `c.json:1:33: files.solution: "./a.go" stands twice; remove one`},
		{`{"files": {"solution": ["a.go"], "test": []}}`, `c.json:1:42: files.test is empty; name a file`},
		{`{"files": {"solution": ["a.go"], "test": ["a.go"]}}`, `c.json:1:43: files.test: "a.go" is in files.solution too; a file has one role`},
		{`{"files": {"editor": ["a.go"], "solution": ["a.go"]}}`, `c.json:1:23: files.editor: "a.go" is in files.solution too; a file has one role`},
		{`{"files": {"solution": ["a.go"], "example": ["x/../a.go"]}}`, `c.json:1:46: files.example: "x/../a.go" is in files.solution too; a file has one role`},
		{`{"files": {"solution": ["a.go"], "exemplar": ["a.go"]}}`, `c.json:1:47: files.exemplar: "a.go" is in files.solution too; a file has one role`},
		{`{"files": {"solution": ["a.go"], "test": ["b.go"], "editor": ["b.go"]}}`, `c.json:1:63: files.editor: "b.go" is in files.test too; a file has one role`},
	}
	for _, test := range tests {
		got := ""
		if _, err := readConfig("c.json", []byte(test.text), func(name string) bool { return name == "folder" }); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.text, got, test.want)
		}
	}
}

func TestInPlaceOf(t *testing.T) {
	tests := []struct{ solution, example, want string }{
		{"a.go", ".meta/example.go", "a.go"},
		{"a.go", ".meta/example.go .meta/more.go", "a.go more.go"},
		{"src/a.go", ".meta/example.go .meta/more.go", "src/a.go src/more.go"},
		{"a.c a.h", ".meta/example.c .meta/example.h", "a.c a.h"},
		{"a.go b.go", ".meta/example.go .meta/b.go", "a.go b.go"},
		{"a.go b.go", ".meta/b.go .meta/a.go", "b.go a.go"},
		{"a.go b.go", ".meta/b.go", "b.go"},
	}
	for _, test := range tests {
		got := strings.Join(inPlaceOf(strings.Fields(test.solution), strings.Fields(test.example)), " ")
		if got != test.want {
			t.Errorf("%s in place of %s: got %s, want %s", test.example, test.solution, got, test.want)
		}
	}
}
