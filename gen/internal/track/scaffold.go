package track

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// Scaffold makes the files that a new exercise has beside its tests, by slash-separated
// name. They are written once, for the maintainer to change, so Scaffold leaves out a
// tests.toml and documents that already stand in the folder.
func (e *Exercise) Scaffold() (map[string][]byte, error) {
	stub, err := e.Language.Stub(e.Unit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Slug, err)
	}
	files, err := e.Language.Project(e.Unit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Slug, err)
	}
	if files == nil {
		files = map[string][]byte{}
	}
	files[e.Unit.Files.Solution] = stub
	if files[configFile], err = e.config(); err != nil {
		return nil, err
	}
	if e.copiesData {
		files[dataFile] = e.dataText
	}
	if e.testsFile != "" && !slices.ContainsFunc(selectionFiles, e.has) {
		if err := e.data.NeedUUIDs(); err != nil {
			return nil, err
		}
		files[e.testsFile] = testsTOML(e.data)
	}
	for _, d := range publishedDocs {
		if text := bytes.TrimSpace(e.published[d.from]); len(text) > 0 && !e.has(d.to) {
			files[d.to] = retitled(text, d.title)
		}
	}
	return files, nil
}

// has reports whether a file stands in the exercise's folder.
func (e *Exercise) has(name string) bool {
	_, err := os.Lstat(filepath.Join(e.Dir, filepath.FromSlash(name)))
	return err == nil
}

// publishedDocs says which document of a new exercise comes from which published document.
// A published exercise has its task in description.md, or in instructions.md beside an
// introduction.md; if it has both, instructions.md counts, as for configlet.
var publishedDocs = []struct{ from, to, title string }{
	{"introduction.md", ".docs/introduction.md", "# Introduction"},
	{"description.md", ".docs/instructions.md", "# Instructions"},
	{"instructions.md", ".docs/instructions.md", "# Instructions"},
}

// retitled gives a document the title that Exercism's site expects, and line feeds as line
// ends.
func retitled(text []byte, title string) []byte {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	if first, rest, _ := bytes.Cut(text, []byte("\n")); bytes.HasPrefix(first, []byte("# ")) {
		text = bytes.TrimLeft(rest, "\n")
	}
	return fmt.Appendf(nil, "%s\n\n%s\n", title, text)
}

// metadata holds the keys of a published metadata.toml that go into a config.json. The
// title does not: it is in the config.json of a track.
type metadata struct {
	Blurb     string `toml:"blurb"`
	Source    string `toml:"source"`
	SourceURL string `toml:"source_url"`
}

// config writes a .meta/config.json.
func (e *Exercise) config() ([]byte, error) {
	var m metadata
	if text := e.published["metadata.toml"]; text != nil {
		if _, err := spec.ParseTOML(e.publishedFile("metadata.toml"), text, &m); err != nil {
			return nil, err
		}
	}
	type fileLists struct {
		Solution []string `json:"solution"`
		Test     []string `json:"test"`
		Example  []string `json:"example"`
	}
	config := struct {
		Authors   []string  `json:"authors"`
		Files     fileLists `json:"files"`
		Blurb     string    `json:"blurb"`
		Source    string    `json:"source,omitempty"`
		SourceURL string    `json:"source_url,omitempty"`
	}{
		Authors: []string{},
		Files: fileLists{
			Solution: []string{e.Unit.Files.Solution},
			Test:     []string{e.Unit.Files.Test},
			Example:  []string{e.Unit.Files.Example},
		},
		Blurb:     m.Blurb,
		Source:    m.Source,
		SourceURL: m.SourceURL,
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(config)
	return b.Bytes(), err
}

// testsTOML lists all published cases in the format that configlet writes.
func testsTOML(data *spec.Data) []byte {
	superseded := data.Superseded()
	var b bytes.Buffer
	b.WriteString(testsHeader)
	for _, c := range data.Cases {
		fmt.Fprintf(&b, "\n[%s]\ndescription = %s\n", c.UUID, tomlString(c.Path()))
		if superseded[c] {
			b.WriteString("include = false\n")
		}
		if c.Reimplements != "" {
			fmt.Fprintf(&b, "reimplements = %s\n", tomlString(c.Reimplements))
		}
	}
	return b.Bytes()
}

const testsHeader = `# The cases, by uuid. A case with "include = false" gives no test.
# To add a remark, use a "comment" key: a tool may rewrite this file without its # lines.
`

// tomlString writes a TOML basic string.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Published reads an exercise of a problem-specifications checkout as published: all
// cases but the superseded, no settings. Dir stays empty.
func Published(checkout, slug string, language lang.Language) (*Exercise, error) {
	return published("", checkout, slug, Source{Language: language})
}

// New reads a published exercise that is to be written to a folder. It uses settings, a
// template and further cases that already stand in the folder.
func New(dir, slug string, source Source) (*Exercise, error) {
	return published(dir, CheckoutOf(slug, source.Specs), slug, source)
}

// CheckoutOf is the first checkout that has an exercise, or the first if none has.
func CheckoutOf(slug string, specs []string) string {
	for _, checkout := range specs {
		if _, err := os.Stat(filepath.Join(checkout, "exercises", slug, dataFile)); err == nil {
			return checkout
		}
	}
	return specs[0]
}

func published(own, checkout, slug string, source Source) (*Exercise, error) {
	dir := filepath.Join(checkout, "exercises", slug)
	if slug != filepath.Base(dir) {
		return nil, fmt.Errorf("%q is no slug of a published exercise; %s", slug, suggestSlug(checkout, filepath.Base(dir)))
	}
	e := &Exercise{
		Dir:          own,
		Language:     source.Language,
		folders:      []string{dir},
		testsFile:    ".meta/tests.toml",
		publishedDir: dir,
		published:    map[string][]byte{},
	}
	err := e.read(places{slug: slug, own: cmp.Or(own, dir), data: filepath.Join(dir, dataFile)}, source.Languages)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no published exercise %q; %s", Show(dir), slug, suggestSlug(checkout, slug))
	}
	if err != nil {
		return nil, err
	}
	names := []string{"metadata.toml"}
	for _, d := range publishedDocs {
		names = append(names, d.from)
	}
	for _, name := range names {
		text, err := ReadText(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		e.published[name] = text
	}
	if own == "" {
		return e, nil
	}
	return e, e.readStanding()
}

// Own reads an exercise that is to be written to a folder. Its canonical data already
// stand in the folder, or two folders up for tracks/<language>.
func Own(dir string, source Source) (*Exercise, error) {
	home, found := ownHome(dir)
	if !found {
		return nil, &missing{Show(filepath.Join(dir, dataFile))}
	}
	e := &Exercise{Dir: dir, Language: source.Language}
	if home.own == dir {
		e.testsFile = "tests.toml"
	}
	if err := e.read(home, source.Languages); err != nil {
		return nil, err
	}
	return e, e.readStanding()
}

// MakeFlat lays the exercise out with its data and tests.toml in the folder
// itself, so that it needs no checkout of problem-specifications.
func (e *Exercise) MakeFlat() {
	e.testsFile = "tests.toml"
	e.copiesData = true
}

func (e *Exercise) publishedFile(name string) string {
	return Show(filepath.Join(e.publishedDir, name))
}

// suggestSlug suggests a published slug for one that no published exercise has.
func suggestSlug(checkout, slug string) string {
	all := "see the folders in " + Show(filepath.Join(checkout, "exercises"))
	slugs, _ := Slugs(checkout)
	if near := spec.Nearest(slug, slugs); near != "" {
		return fmt.Sprintf("did you mean %s? %s", near, all)
	}
	return all
}

// Slugs lists the exercises of a problem-specifications checkout.
func Slugs(checkout string) ([]string, error) {
	found, err := filepath.Glob(filepath.Join(checkout, "exercises", "*", dataFile))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Show(checkout), err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: no checkout of problem-specifications: no exercises/*/%s here", Show(checkout), dataFile)
	}
	slugs := make([]string, len(found))
	for i, path := range found {
		slugs[i] = filepath.Base(filepath.Dir(path))
	}
	return slugs, nil
}
