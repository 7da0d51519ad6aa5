package docs_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"stateoftictactoe/gen/internal/docs"
)

const data = `{"exercise": "some-exercise", "cases": [
  {"uuid": "11111111-1111-4111-8111-111111111111", "description": "one", "property": "f", "input": {"a": 1}, "expected": "ongoing"},
  {"uuid": "22222222-2222-4222-8222-222222222222", "description": "two", "property": "f", "input": {"a": 2}, "expected": {"error": "Wrong turn order: O started"}},
  {"uuid": "33333333-3333-4333-8333-333333333333", "description": "three", "property": "f", "input": {"a": 3}, "expected": {"rows": ["Whatever."]}}
]}`

// tree is an exercise with one text and its translation, recorded.
func tree(english, translation string) fstest.MapFS {
	return fstest.MapFS{
		"canonical-data.json":      {Data: []byte(data)},
		".docs/instructions.md":    {Data: []byte(english)},
		".docs/ar/instructions.md": {Data: []byte(translation)},
		".docs/translations.toml":  {Data: recorded(english)},
	}
}

// recorded is the record of a translation to Arabic made from a text.
func recorded(english string) []byte {
	return fmt.Appendf(nil, "[ar]\n\"instructions.md\" = \"%x\"\n", sha256.Sum256([]byte(english)))
}

func check(t *testing.T, files fs.FS) []docs.Finding {
	t.Helper()
	exercises, err := docs.Open(files)
	if err != nil {
		t.Fatal(err)
	}
	var all []docs.Finding
	for _, e := range exercises {
		findings, err := e.Check()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, findings...)
	}
	return all
}

// show writes findings as a test wants them: check and place.
func show(findings []docs.Finding) string {
	var all []string
	for _, f := range findings {
		all = append(all, fmt.Sprintf("%s %d:%d", f.Check, f.Line, f.Column))
	}
	return strings.Join(all, ", ")
}
