package docs

import (
	"bytes"
	_ "embed" // the words and the layout of pages
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"stateoftictactoe/gen/internal/lazy"
)

// English is the locale of the original texts.
const English = "en"

// words are the words of a page that are not in the exercise's texts.
type words struct {
	Name      string `toml:"name"`
	Dir       string `toml:"dir"`
	Fonts     string `toml:"fonts"`
	Separator string `toml:"separator"`
	Solution  string `toml:"solution"`
	Edit      string `toml:"edit"`
	Run       string `toml:"run"`
}

//go:embed words.toml
var wordsText string

var wordsOf = func() map[string]words {
	var all map[string]words
	if _, err := toml.Decode(wordsText, &all); err != nil {
		panic(err) // embedded, and read by each test
	}
	return all
}()

// Page is a page for students: the texts of an exercise in one programming language and
// one locale.
type Page struct {
	Locale string
	// Command is the command that a student types to run the tests, or "" if unknown.
	Command string

	title    string
	texts    [][]byte
	solution []string
	locales  []string // all locales that have a page, English first
}

// pageTexts are the texts of a page, in order. Hints are not among them: a student asks
// for them.
var pageTexts = []string{"introduction.md", "introduction.append.md", "instructions.md", "instructions.append.md"}

// pageName is the name of a rendered page.
var pageName = lazy.Regexp(`^README\.([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\.(?:md|html)$`)

// MarkdownName and HTMLName are the names of a page's files beside the English
// texts.
func (p *Page) MarkdownName() string { return markdownName(p.Locale) }

// HTMLName is the name of the page as HTML.
func (p *Page) HTMLName() string { return htmlName(p.Locale) }

func markdownName(locale string) string { return "README." + locale + ".md" }
func htmlName(locale string) string     { return "README." + locale + ".html" }

// Pages prepares a page for each locale, English first. The command is the one that a
// student types to run the tests.
func (e *Exercise) Pages(command string) ([]*Page, error) {
	locales := append([]string{English}, slices.DeleteFunc(e.Locales(), func(l string) bool { return l == English })...)
	var pages []*Page
	for _, locale := range locales {
		if _, known := wordsOf[locale]; !known {
			return nil, fmt.Errorf("%s: a page has no words in the locale %q; add them to gen/internal/docs/words.toml", e.file(locale), locale)
		}
		p := &Page{Locale: locale, Command: command, title: e.Title(), solution: e.Solution, locales: locales}
		for _, name := range pageTexts {
			if text := e.text(locale, name); text != nil {
				p.texts = append(p.texts, text)
			}
		}
		if len(p.texts) > 0 {
			pages = append(pages, p)
		}
	}
	return pages, nil
}

// text is a text of the exercise in a locale: its own, or else the text that all
// programming languages share.
func (e *Exercise) text(locale, name string) []byte {
	if _, own := e.english[name]; !own && e.Home != nil && !strings.HasSuffix(name, ".append.md") {
		return e.Home.text(locale, name)
	}
	if locale == English {
		return e.english[name]
	}
	return e.locales[locale][name]
}

// smallWords are the words that a title writes in small letters.
var smallWords = wordSet("a an and at by for from in of on or the to")

// Title is the name of the exercise for people. Words that the English texts
// join with hyphens stay joined: state-of-tic-tac-toe is "State of Tic-Tac-Toe".
func (e *Exercise) Title() string {
	if e.Home != nil {
		return e.Home.Title()
	}
	var english bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(e.english)) {
		english.Write(bytes.ToLower(e.english[name]))
	}
	var title strings.Builder
	previous := ""
	for w := range strings.SplitSeq(e.slug, "-") {
		if w == "" {
			continue
		}
		joined := previous != "" && bytes.Contains(english.Bytes(), []byte(previous+"-"+w))
		switch {
		case joined:
			title.WriteByte('-')
		case previous != "":
			title.WriteByte(' ')
		}
		if previous == "" || joined || !smallWords[w] {
			w = strings.ToUpper(w[:1]) + w[1:]
		}
		title.WriteString(w)
		previous = strings.ToLower(w)
	}
	return title.String()
}

// OutOfDate returns a finding for each rendered page that differs from the page that its
// texts give now. A page that was never rendered is no finding.
func (e *Exercise) OutOfDate(pages []*Page) []Finding {
	want := map[string][]byte{}
	for _, p := range pages {
		if e.pages[p.MarkdownName()] != nil {
			want[p.MarkdownName()] = p.Markdown()
		}
		if e.pages[p.HTMLName()] != nil {
			want[p.HTMLName()] = p.HTML()
		}
	}
	var findings []Finding
	for _, name := range slices.Sorted(maps.Keys(e.pages)) {
		r := &report{file: e.file(name), text: e.pages[name]}
		text, wanted := want[name]
		switch {
		case !wanted:
			r.add(checkPage, 0, "", "no text belongs to this page; remove it")
		case !bytes.Equal(text, bytes.ReplaceAll(e.pages[name], []byte("\r\n"), []byte("\n"))):
			r.add(checkPage, firstDifference(text, e.pages[name]), "", "the page differs from its texts; run gen docs --render")
		}
		findings = append(findings, r.findings...)
	}
	return findings
}

func firstDifference(a, b []byte) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return i
}

// Path is the path of a page's file in the tree.
func (e *Exercise) Path(name string) string { return path.Join(e.Dir, Folder, name) }

// HasPages reports whether pages were rendered before.
func (e *Exercise) HasPages() bool { return len(e.pages) > 0 }
