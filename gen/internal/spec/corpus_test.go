package spec_test

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"stateoftictactoe/gen/internal/spec"
)

var update = flag.Bool("update", false, "write the golden files anew")

// exercise is one published exercise, read and inferred.
type exercise struct {
	slug     string
	text     []byte
	data     *spec.Data
	selected []*spec.Case
	suite    *spec.Suite
}

// corpus reads all exercises of the checkout of problem-specifications that the
// environment names, in the order of their slugs.
func corpus(t testing.TB) []*exercise {
	t.Helper()
	dir := os.Getenv("PROBLEM_SPECIFICATIONS")
	if dir == "" {
		t.Skip("PROBLEM_SPECIFICATIONS is not set; it names a checkout of problem-specifications")
	}
	paths, err := filepath.Glob(filepath.Join(dir, "exercises", "*", "canonical-data.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s holds no exercises (%v)", dir, err)
	}
	var all []*exercise
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		e := &exercise{slug: filepath.Base(filepath.Dir(path)), text: text}
		if e.data, err = spec.ParseData(e.slug+".json", text, nil); err != nil {
			t.Errorf("published data: %v", err)
			continue
		}
		e.selected, _ = spec.Select(e.data, nil)
		e.suite = spec.Infer(e.slug, e.selected, nil)
		all = append(all, e)
	}
	return all
}

// facts are lines of text, by what they are about: an exercise, or a track's choice
// of its cases.
type facts map[string]*fact

// fact holds what is known of one thing.
type fact struct {
	sum   string // of the data that it was read from
	lines []string
}

// about returns the facts about a thing that was read from texts.
func (f facts) about(name string, texts ...[]byte) *fact {
	if f[name] == nil {
		f[name] = &fact{sum: fmt.Sprintf("%x", sha256.Sum256(bytes.Join(texts, nil)))[:12]}
	}
	return f[name]
}

func (f *fact) note(holds bool, line string) {
	if holds && !slices.Contains(f.lines, line) {
		f.lines = append(f.lines, line)
	}
}

func (f *fact) String() string { return strings.Join(f.lines, "\n") }

// golden compares facts with a file below testdata. The checkout may hold more than
// the file knows of, and its data may be newer; of such exercises nothing is known.
func golden(t *testing.T, name string, found facts) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(found)) {
			fmt.Fprintf(&b, "%s %s\n", name, found[name].sum)
			for _, line := range found[name].lines {
				fmt.Fprintf(&b, "\t%s\n", line)
			}
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := facts{}
	var last *fact
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if rest, more := strings.CutPrefix(line, "\t"); more {
			last.lines = append(last.lines, rest)
			continue
		}
		name, sum, _ := strings.Cut(line, " ")
		last = &fact{sum: sum}
		want[name] = last
	}
	newer := 0
	for name, want := range want {
		switch got := found[name]; {
		case got == nil:
			t.Errorf("%s: nothing of the kind in this checkout", name)
		case got.sum != want.sum:
			newer++
		case got.String() != want.String():
			t.Errorf("%s: %s: run with -update and look at the difference; got\n%s\nwant\n%s", path, name, got, want)
		}
	}
	if newer > 0 {
		t.Logf("%s: not compared, as the data here are other: %d of %d", path, newer, len(want))
	}
	if newer == len(want) {
		t.Skip("all data are other here")
	}
}

func TestCorpusUndecided(t *testing.T) {
	found := facts{}
	for _, e := range corpus(t) {
		about := found.about(e.slug, e.text)
		for _, u := range e.suite.Undecided {
			about.lines = append(about.lines, u.Case.Path()+": "+u.Reason)
		}
	}
	golden(t, "undecided.golden", found)
}

// Hardly any published data hold a value or a key that looks like a typing error.
func TestCorpusOutliers(t *testing.T) {
	found := facts{}
	for _, e := range corpus(t) {
		about := found.about(e.slug, e.text)
		for _, outlier := range e.suite.Outliers() {
			about.lines = append(about.lines, outlier.Error())
		}
	}
	golden(t, "outliers.golden", found)
}

// Every result of every case counts as itself, and has a wrong one of its type.
func TestCorpusWrong(t *testing.T) {
	for _, e := range corpus(t) {
		t.Run(e.slug, func(t *testing.T) { checkFunctions(t, e.suite) })
	}
}

func TestCorpusSpans(t *testing.T) {
	for _, e := range corpus(t) {
		checkSpans(t, e.text, e.data)
	}
}

func TestCorpusNames(t *testing.T) {
	onlyLetters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				return -1
			}
			return unicode.ToLower(r)
		}, s)
	}
	for _, e := range corpus(t) {
		cases := e.suite.Cases()
		names := spec.Names(cases, func(s string) string { return s })
		checkUnique(t, names, func(s string) string { return s })
		for i, name := range names {
			if full := strings.Join(strings.Fields(cases[i].Path()), " "); !strings.HasSuffix(full, name) {
				t.Errorf("%s: %q is no end of %q", e.slug, name, full)
			}
		}
		checkUnique(t, spec.Names(cases, onlyLetters), onlyLetters)
	}
}

// A parameter stands before another where it does so in every input.
func TestCorpusOrder(t *testing.T) {
	permuted := 0
	for _, e := range corpus(t) {
		for _, f := range e.suite.Functions {
			at := map[string]int{}
			for i, p := range f.Params {
				at[p.Key] = i
			}
			for _, c := range f.Cases {
				var keys []string
				for _, field := range c.Input.Fields {
					keys = append(keys, field.Name)
				}
				if !slices.IsSortedFunc(keys, func(a, b string) int { return at[a] - at[b] }) {
					t.Errorf("%s: %q is not in the order of the parameters", e.slug, keys)
				}
				if !slices.IsSorted(keys) {
					permuted++
				}
			}
		}
	}
	if permuted == 0 {
		t.Error("all keys are in alphabetical order")
	}
}

// What the published data hold, and what inference makes of it.
func TestCorpusFacts(t *testing.T) {
	found := facts{}
	for _, e := range corpus(t) {
		about := found.about(e.slug, e.text)
		noteData(t, e, about.note)
		noteTypes(e, about.note)
		slices.Sort(about.lines)
	}
	golden(t, "facts.golden", found)
}

func noteData(t *testing.T, e *exercise, note func(bool, string)) {
	superseders := map[string]int{}
	index := map[string]int{}
	full, leaf, fullLeft := map[string]bool{}, map[string]bool{}, map[string]bool{}
	depths := map[int]bool{}
	for i, c := range e.data.Cases {
		index[c.UUID] = i
		note(full[c.Path()], "description twice, with groups")
		note(leaf[c.Description], "description twice, without groups")
		full[c.Path()], leaf[c.Description] = true, true
		depths[len(c.Groups)] = true
		note(len(c.Groups) > 2, "group 3 deep")
		note(c.Scenarios != nil, "scenarios")
		note(len(c.Input.Fields) == 0, "input {}")
		note(c.Expected.Kind == spec.Null, "result null")
		_, failed := c.Expected.ErrorText()
		note(failed, "error")
		if !failed && c.Expected.Get("error") != nil {
			t.Errorf("%s: error beside other keys: %s", e.slug, c.Expected.JSON())
		}
		note(!failed && c.Expected.Kind == spec.Object, "result an object")
		noteValues(c.Input, "input", note)
		noteValues(c.Expected, "result", note)
		for _, f := range c.Input.Fields {
			note(strings.Contains(f.Name, "_"), "input key in snake case")
		}
		first, _ := firstRune(c.Description)
		note(!unicode.IsLetter(first), "description starts with no letter")
	}
	for i, c := range e.data.Cases {
		if c.Reimplements == "" {
			continue
		}
		note(true, "reimplements")
		superseders[c.Reimplements]++
		note(superseders[c.Reimplements] > 1, "reimplements: several of one")
		note(index[c.Reimplements] > i, "reimplements: before its target")
		note(e.data.Cases[index[c.Reimplements]].Reimplements != "", "reimplements: a chain")
	}
	note(len(depths) > 1, "cases at mixed depth")
	for _, c := range e.selected {
		if fullLeft[c.Path()] {
			t.Errorf("%s: %q stands twice", e.slug, c.Path())
		}
		fullLeft[c.Path()] = true
	}
}

func firstRune(s string) (rune, bool) {
	for _, r := range s {
		return r, true
	}
	return 0, false
}

func noteValues(v *spec.Value, where string, note func(bool, string)) {
	for _, inner := range slices.Concat(v.Items, fieldValues(v)) {
		note(inner.Kind == spec.Null, where+" holds null")
		noteValues(inner, where, note)
	}
	switch v.Kind {
	case spec.Number:
		note(strings.HasSuffix(v.Text, ".0"), "number as in 1.0")
	case spec.String:
		for _, r := range v.Text {
			note(unicode.IsControl(r), "text with control characters")
			note(r == '\\', "text with backslashes")
			note(r > 0xffff, "text beyond the basic plane")
			note(unicode.Is(unicode.Mn, r), "text with combining marks")
		}
	}
}

func fieldValues(v *spec.Value) []*spec.Value {
	var values []*spec.Value
	for _, f := range v.Fields {
		values = append(values, f.Value)
	}
	return values
}

func noteTypes(e *exercise, note func(bool, string)) {
	note(len(e.suite.Functions) > 1, "several properties")
	note(len(e.suite.Undecided) > 0, "needs a template")
	note(len(e.suite.Records) > 0, "records")
	for _, f := range e.suite.Functions {
		note(f.Result == nil, "property with errors only")
		note(f.HasLargeInts(), "large integers")
		types := []*spec.Type{f.Result}
		for _, p := range f.Params {
			note(p.Type.Optional, "optional argument")
			note(p.Type.Kind == spec.AnyType, "argument of no type")
			types = append(types, p.Type)
		}
		for _, whole := range types {
			spec.Walk(whole, func(t *spec.Type) {
				note(t.Kind == spec.FloatType, "floats")
				note(t.Kind == spec.MapType, "maps")
				note(t.Kind == spec.AnyType && !t.Unseen, "no type somewhere")
				note(t.Unseen, "unseen type somewhere")
				note(t.Size == spec.Uint64, "uint64")
				note(t.Size == spec.BigInt, "big integers")
				if t.Kind == spec.RecordType {
					note(holdsItself(t.Record), "recursive records")
				}
			})
		}
	}
}

func holdsItself(r *spec.Record) bool {
	found := false
	for _, f := range r.Fields {
		spec.Walk(f.Type, func(t *spec.Type) { found = found || t.Record == r })
	}
	return found
}

// tests.toml files as tracks have them: legal TOML gives a selection, or a plain
// error with a place where it does not fit the data. The golden file has the errors
// and what is not listed.
func TestCorpusSelections(t *testing.T) {
	tracks := os.Getenv("TRACKS")
	if tracks == "" {
		t.Skip("TRACKS is not set; it names a folder with checkouts of tracks")
	}
	data := map[string]*exercise{}
	for _, e := range corpus(t) {
		data[e.slug] = e
	}
	paths, err := filepath.Glob(filepath.Join(tracks, "*", "exercises", "practice", "*", ".meta", "tests.toml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s holds no tests.toml (%v)", tracks, err)
	}
	found := facts{}
	for _, file := range paths {
		dir := filepath.Dir(filepath.Dir(file))
		published := data[filepath.Base(dir)]
		if published == nil {
			continue // not in this checkout
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		track := filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(dir))))
		name := path.Join(track, published.slug)
		about := found.about(name, published.text, text)
		s, err := spec.ParseSelection(name, text, published.data)
		if err != nil {
			about.note(true, err.Error())
			checkPlace(t, err, text)
			continue
		}
		selected, unlisted := spec.Select(published.data, s)
		about.note(len(unlisted) > 0 || len(selected) == 0, fmt.Sprintf("%d selected, %d new", len(selected), len(unlisted)))
	}
	golden(t, "selections.golden", found)
}

// BenchmarkCorpus reads, selects and infers every published exercise.
func BenchmarkCorpus(b *testing.B) {
	all := corpus(b)
	size := 0
	for _, e := range all {
		size += len(e.text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, e := range all {
			data, err := spec.ParseData("canonical-data.json", e.text, nil)
			if err != nil {
				b.Fatal(err)
			}
			selected, _ := spec.Select(data, nil)
			spec.Infer(e.slug, selected, nil)
		}
	}
}
