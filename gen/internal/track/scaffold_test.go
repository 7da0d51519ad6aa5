package track

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/golang"
)

// write puts files into a folder, by their slash-separated names.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const halfData = `{"exercise": "half", "cases": [
  {"uuid": "3e0e8cf1-4b0a-4d39-9a6e-39d2d1f3f6c1", "description": "even", "property": "half", "input": {"n": 8}, "expected": 4}
]}`

// TestScaffoldDocs writes the documents of a new exercise from all forms that
// published exercises have them in.
func TestScaffoldDocs(t *testing.T) {
	const intro, instructions = ".docs/introduction.md", ".docs/instructions.md"
	for _, test := range []struct {
		name      string
		published map[string]string
		want      map[string]string
	}{
		{"none", nil, nil},
		{"a description", map[string]string{"description.md": "# Description\n\nHalve it.\n"},
			map[string]string{instructions: "# Instructions\n\nHalve it.\n"}},
		{"an introduction and instructions",
			map[string]string{"introduction.md": "# Introduction\n\nOnce.\n", "instructions.md": "# Instructions\n\nHalve it.\n"},
			map[string]string{intro: "# Introduction\n\nOnce.\n", instructions: "# Instructions\n\nHalve it.\n"}},
		{"instructions alone", map[string]string{"instructions.md": "# Instructions\n\nHalve it.\n"},
			map[string]string{instructions: "# Instructions\n\nHalve it.\n"}},
		{"an introduction alone", map[string]string{"introduction.md": "# Introduction\n\nOnce.\n"},
			map[string]string{intro: "# Introduction\n\nOnce.\n"}},
		{"an introduction and a description", map[string]string{"introduction.md": "Once.\n", "description.md": "Halve it.\n"},
			map[string]string{intro: "# Introduction\n\nOnce.\n", instructions: "# Instructions\n\nHalve it.\n"}},
		{"instructions count, not a description", map[string]string{"instructions.md": "New.\n", "description.md": "Old.\n"},
			map[string]string{instructions: "# Instructions\n\nNew.\n"}},
		{"another title", map[string]string{"instructions.md": "# Description\n\n## Task\n\nHalve it.\n"},
			map[string]string{instructions: "# Instructions\n\n## Task\n\nHalve it.\n"}},
		{"a section first", map[string]string{"instructions.md": "## Task\n\nHalve it.\n"},
			map[string]string{instructions: "# Instructions\n\n## Task\n\nHalve it.\n"}},
		{"line ends of Windows", map[string]string{"instructions.md": "# Instructions\r\n\r\nHalve it.\r\n"},
			map[string]string{instructions: "# Instructions\n\nHalve it.\n"}},
		{"no text", map[string]string{"introduction.md": "\n", "instructions.md": "# Instructions\n\nHalve it."},
			map[string]string{instructions: "# Instructions\n\nHalve it.\n"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			specs := t.TempDir()
			write(t, filepath.Join(specs, "exercises", "half"), test.published)
			write(t, specs, map[string]string{"exercises/half/canonical-data.json": halfData})
			got := map[string]string{}
			for name, text := range scaffold(t, specs, "half") {
				if strings.HasPrefix(name, ".docs/") {
					got[name] = string(text)
				}
			}
			want := test.want
			if want == nil {
				want = map[string]string{}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("documents (-want +got):\n%s", diff)
			}
		})
	}
}

func scaffold(t *testing.T, specs, slug string) map[string][]byte {
	t.Helper()
	e, err := New(t.TempDir(), slug, Source{Languages: []lang.Language{golang.Go{}}, Language: golang.Go{}, Specs: []string{specs}})
	if err != nil {
		t.Fatal(err)
	}
	files, err := e.Scaffold()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestScaffoldCorpus wants each published text to reach the new exercise.
func TestScaffoldCorpus(t *testing.T) {
	specs := os.Getenv("PROBLEM_SPECIFICATIONS")
	if specs == "" {
		t.Skip("PROBLEM_SPECIFICATIONS names no checkout of problem-specifications")
	}
	slugs, err := Slugs(specs)
	if err != nil {
		t.Fatal(err)
	}
	for _, slug := range slugs {
		texts, err := filepath.Glob(filepath.Join(specs, "exercises", slug, "*.md"))
		if err != nil {
			t.Fatal(err)
		}
		files := scaffold(t, specs, slug)
		if len(texts) > 0 && files[".docs/instructions.md"] == nil {
			t.Errorf("%s: no instructions", slug)
		}
		for _, path := range texts {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, body, _ := bytes.Cut(text, []byte("\n")) // without its title
			if !slices.ContainsFunc(slices.Collect(maps.Values(files)), func(f []byte) bool { return bytes.HasSuffix(f, body) }) {
				t.Errorf("%s: %s reaches no file", slug, filepath.Base(path))
			}
		}
	}
}
