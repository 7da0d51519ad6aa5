package track_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/golang"
	"stateoftictactoe/gen/internal/lang/javascript"
	"stateoftictactoe/gen/internal/lang/python"
	"stateoftictactoe/gen/internal/track"
)

// write writes files below a folder, by their names with slashes.
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

// exerciseIn writes an exercise of one case, with a helper file and a test file of
// another name than is usual.
func exerciseIn(t *testing.T, l lang.Language, extension string) *track.Exercise {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, map[string]string{
		".meta/config.json":     strings.ReplaceAll(`{"files": {"solution": ["a.X"], "test": ["checks.X"], "example": ["answer.X"], "editor": ["sub/help.X", "nowhere.X"]}}`, "X", extension),
		"canonical-data.json":   `{"exercise": "a", "cases": [{"description": "x", "property": "f", "input": {"n": 1}, "expected": 2}]}`,
		"sub/help." + extension: "the exercise's",
	})
	e, err := track.Open(dir, track.Source{Languages: []lang.Language{l}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestSubmissionWithoutSolution holds what is said of a submission whose file has
// another name.
func TestSubmissionWithoutSolution(t *testing.T) {
	e := exerciseIn(t, python.Python{}, "py")
	for files, want := range map[string]string{
		"":                                "a.py is missing from the submission",
		"notes.txt":                       "a.py is missing from the submission",
		"A.py":                            "a.py is missing from the submission; if it is A.py, rename that",
		"main.py util.py":                 "a.py is missing from the submission, which has main.py, util.py",
		"one.py other.py third.py two.py": "a.py is missing from the submission, which has one.py, other.py, third.py",
	} {
		dir := t.TempDir()
		for _, name := range strings.Fields(files) {
			write(t, dir, map[string]string{name: "x = 1"})
		}
		if _, err := e.Submission(dir); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", files, err, want)
		}
	}
}

// TestSubmission holds which files of a submission are its solution.
func TestSubmission(t *testing.T) {
	// What is no file of a solution in any language.
	const never = `checks.X answer.X sub/help.X nowhere.X .hidden.X .meta/b.X .docs/b.X canonical-data.json
		sub/canonical-data.json tests.toml go.mod go.sum b.txt`
	for _, test := range []struct {
		language  lang.Language
		extension string
		want, not string
	}{
		{golang.Go{}, "go", "a.go b.go b_plan9.go", "b_test.go sub/b.go b.json"},
		{python.Python{}, "py", "a.py b.py deep/er/c.py sub/b.py",
			"b_test.py test_b.py sub/test_b.py __pycache__/b.py venv/lib/site-packages/b.py b.json"},
		{javascript.JavaScript{}, "js", "a.js b.cjs b.js b.json b.mjs deep/er/c.js deep/package.json sub/b.js",
			"b.spec.js b.test.js sub/b.test.mjs node_modules/b.js package-lock.json"},
	} {
		t.Run(test.language.Facts().Name, func(t *testing.T) {
			e := exerciseIn(t, test.language, test.extension)
			if len(e.Unit.Helpers) != 1 {
				t.Errorf("helpers: %v", slices.Collect(maps.Keys(e.Unit.Helpers)))
			}
			outside := t.TempDir()
			files := map[string]string{}
			for _, name := range strings.Fields(test.want + " " + test.not + " " + never) {
				name = strings.ReplaceAll(name, "X", test.extension)
				files[name] = name
				files["inside/"+name] = name
			}
			write(t, outside, files)
			dir := filepath.Join(outside, "inside")
			for link, target := range map[string]string{"in.X": "b.X", "out.X": "../b.X", "gone.X": "none.X", "loop.X": "loop.X", "up": "..", "round": "."} {
				link, target = strings.ReplaceAll(link, "X", test.extension), strings.ReplaceAll(target, "X", test.extension)
				if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
					t.Skipf("SKIPPED: no links here: %v", err)
				}
			}
			got, err := e.Submission(dir)
			if err != nil {
				t.Fatal(err)
			}
			want := append(strings.Fields(test.want), "in."+test.extension)
			slices.Sort(want)
			if diff := cmp.Diff(want, slices.Sorted(maps.Keys(got))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestSubmissionBounds holds that a submission takes no more room than it may.
func TestSubmissionBounds(t *testing.T) {
	many := map[string]string{}
	for i := range 300 {
		many[fmt.Sprintf("m%d.py", i)] = ""
	}
	large := map[string]string{}
	for i := range 20 {
		large[fmt.Sprintf("m%d.py", i)] = strings.Repeat("#", 1<<19)
	}
	deep := strings.Repeat("d/", 40) + "m.py"
	for _, test := range []struct {
		name  string
		files map[string]string
		want  string // part of the message, or "" where the submission is all right
	}{
		{"many", many, "300 files of sources beside a.py; submit 200 at most"},
		{"one large", map[string]string{"m.py": strings.Repeat("#", 1<<20+1)}, "m.py: larger than 1048576 bytes"},
		{"large", large, "the files beside a.py have more than 8388608 bytes"},
		{"deep", map[string]string{deep: ""}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := exerciseIn(t, python.Python{}, "py")
			dir := t.TempDir()
			write(t, dir, map[string]string{"a.py": ""})
			write(t, dir, test.files)
			files, err := e.Submission(dir)
			if test.want == "" && (err != nil || len(files) != 1) || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("%d files, error %v, want %q", len(files), err, test.want)
			}
		})
	}
}
