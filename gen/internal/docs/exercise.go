package docs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"stateoftictactoe/gen/internal/lazy"
	"stateoftictactoe/gen/internal/spec"
)

// Folder is the folder of the texts, in an exercise's own folder.
const Folder = ".docs"

// Exercise is an exercise with its texts. In tracks/<language> these are only the texts
// that differ from those of the exercise at the root.
type Exercise struct {
	// Dir is the exercise's folder in the file system, "." for its root.
	Dir string
	// Home is the exercise whose texts this one adds to, or nil: for
	// tracks/<language>, the exercise at the root.
	Home *Exercise
	// Language names the programming language, or is "" if the folder does not tell it.
	Language string
	// Solution are the files that a student edits.
	Solution []string
	// Tests are the files with the tests.
	Tests []string

	slug     string
	english  map[string][]byte            // by file name
	locales  map[string]map[string][]byte // by locale, then by file name
	pages    map[string][]byte            // rendered, by file name
	records  []byte
	waivers  []byte
	literals []string // texts that the tests compare
	hasData  bool
}

// localeName is the name of a folder that holds a translation.
var localeName = lazy.Regexp(`^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$`)

// Open finds the exercises of a tree: those of a track that have texts, or the exercise at
// the root with those below tracks/. It skips exercises that cannot be read; the error
// joins the errors of all of them.
func Open(tree fs.FS) (found []*Exercise, err error) {
	var dirs []string
	for _, kind := range []string{"concept", "practice"} {
		texts, err := fs.Glob(tree, "exercises/"+kind+"/*/"+Folder)
		if err != nil {
			return nil, err
		}
		for _, folder := range texts {
			dirs = append(dirs, path.Dir(folder))
		}
	}
	var home *Exercise
	if len(dirs) == 0 {
		if _, err := fs.Stat(tree, Folder); err != nil {
			return nil, fmt.Errorf("no texts here: %s is missing; name an exercise or a track", Folder)
		}
		if home, err = open(tree, ".", nil); err != nil {
			return nil, err
		}
		found = append(found, home)
		tracks, err := fs.Glob(tree, "tracks/*")
		if err != nil {
			return nil, err
		}
		for _, dir := range tracks {
			if info, err := fs.Stat(tree, dir); err == nil && info.IsDir() {
				dirs = append(dirs, dir)
			}
		}
	}
	for _, dir := range dirs {
		if e, fault := open(tree, dir, home); fault != nil {
			err = errors.Join(err, fault)
		} else {
			found = append(found, e)
		}
	}
	return found, err
}

// open reads the exercise in a folder.
func open(tree fs.FS, dir string, home *Exercise) (*Exercise, error) {
	e := &Exercise{
		Dir: dir, Home: home,
		english: map[string][]byte{}, locales: map[string]map[string][]byte{}, pages: map[string][]byte{},
	}
	if home != nil {
		e.Language = path.Base(dir)
	}
	if err := e.readTexts(tree); err != nil {
		return nil, err
	}
	if err := e.readConfig(tree); err != nil {
		return nil, err
	}
	if home != nil {
		e.slug, e.literals, e.hasData = home.slug, home.literals, home.hasData
		return e, nil
	}
	if dir != "." {
		e.slug = path.Base(dir)
	}
	return e, e.readData(tree)
}

func (e *Exercise) readTexts(tree fs.FS) error {
	folder := path.Join(e.Dir, Folder)
	entries, err := fs.ReadDir(tree, folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return plain(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() {
			if localeName().MatchString(name) {
				if err := e.readLocale(tree, name); err != nil {
					return err
				}
			}
			continue
		}
		text, err := readText(tree, path.Join(folder, name))
		if err != nil {
			return plain(err)
		}
		switch {
		case name == recordsFile:
			e.records = text
		case name == waiversFile:
			e.waivers = text
		case pageName().MatchString(name):
			e.pages[name] = text
		case path.Ext(name) == ".md" && name != "README.md":
			e.english[name] = text
		}
	}
	return nil
}

// readText reads a text file and returns its text as spec.PlainText does.
func readText(tree fs.FS, name string) ([]byte, error) {
	text, err := fs.ReadFile(tree, name)
	return spec.PlainText(text), err
}

func (e *Exercise) readLocale(tree fs.FS, locale string) error {
	folder := path.Join(e.Dir, Folder, locale)
	entries, err := fs.ReadDir(tree, folder)
	if err != nil {
		return plain(err)
	}
	texts := map[string][]byte{}
	for _, entry := range entries {
		if entry.IsDir() || path.Ext(entry.Name()) != ".md" {
			continue
		}
		text, err := readText(tree, path.Join(folder, entry.Name()))
		if err != nil {
			return plain(err)
		}
		texts[entry.Name()] = text
	}
	if len(texts) > 0 {
		e.locales[locale] = texts
	}
	return nil
}

// readConfig reads the names of the files that a student edits, and the texts that tests
// written by hand compare.
func (e *Exercise) readConfig(tree fs.FS) error {
	file := path.Join(e.Dir, ".meta/config.json")
	text, err := readText(tree, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return plain(err)
	}
	if _, err := spec.ParseJSON(file, text); err != nil {
		return err
	}
	var config struct {
		Files struct {
			Solution []string `json:"solution"`
			Test     []string `json:"test"`
		} `json:"files"`
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	e.Solution, e.Tests = config.Files.Solution, config.Files.Test
	if e.Home != nil {
		return nil
	}
	for _, name := range e.Tests {
		if !fs.ValidPath(path.Join(e.Dir, name)) {
			continue
		}
		text, err := readText(tree, path.Join(e.Dir, name))
		if err == nil {
			e.literals = append(e.literals, stringsIn(text)...)
		}
	}
	return nil
}

// sourceString matches a string literal of most languages.
var sourceString = lazy.Regexp("\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`[^`]*`")

// stringsIn lists the string literals of a program.
func stringsIn(program []byte) []string {
	var found []string
	for _, literal := range sourceString().FindAll(program, -1) {
		s := string(literal[1 : len(literal)-1])
		if unquoted, err := strconv.Unquote(string(literal)); err == nil {
			s = unquoted
		}
		if s != "" {
			found = append(found, s)
		}
	}
	return found
}

// readData reads the texts that the tests compare from the exercise's own data, if it has
// any.
func (e *Exercise) readData(tree fs.FS) error {
	var base *spec.Data
	for _, name := range []string{"canonical-data.json", ".meta/additional_tests.json"} {
		file := path.Join(e.Dir, name)
		text, err := readText(tree, file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return plain(err)
		}
		data, err := spec.ParseData(file, text, base)
		if err != nil && base == nil && name != "canonical-data.json" {
			// The file may name cases of published data, which lie elsewhere.
			continue
		} else if err != nil {
			return err
		}
		e.AddData(data)
		if name == "canonical-data.json" {
			base, e.hasData = data, true
		}
	}
	return nil
}

// NeedsData reports whether the exercise lacks canonical data of its own.
func (e *Exercise) NeedsData() bool { return !e.hasData }

// Slug is the exercise's name in the canonical data, or else the name of its folder.
func (e *Exercise) Slug() string { return e.slug }

// AddData adds the texts of canonical data to those that the tests compare.
func (e *Exercise) AddData(data *spec.Data) {
	if !e.hasData {
		// The data replace the texts guessed from the tests.
		e.literals, e.hasData = nil, true
	}
	if e.slug == "" {
		e.slug = data.Exercise
	}
	for _, c := range data.Cases {
		if text, isError := c.Expected.ErrorText(); isError {
			e.literals = append(e.literals, text)
			continue
		}
		addStrings(&e.literals, c.Expected)
	}
	slices.Sort(e.literals)
	e.literals = slices.Compact(e.literals)
}

func addStrings(texts *[]string, v *spec.Value) {
	if v.Kind == spec.String && strings.TrimSpace(v.Text) != "" {
		*texts = append(*texts, v.Text)
	}
	for _, item := range v.Items {
		addStrings(texts, item)
	}
	for _, field := range v.Fields {
		addStrings(texts, field.Value)
	}
}

// Locales lists the locales that the exercise is translated to, in order.
func (e *Exercise) Locales() []string {
	all := map[string]bool{}
	for locale := range e.locales {
		all[locale] = true
	}
	if e.Home != nil {
		for locale := range e.Home.locales {
			all[locale] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Translations is the number of translated files.
func (e *Exercise) Translations() int {
	n := 0
	for _, texts := range e.locales {
		n += len(texts)
	}
	return n
}

// Check returns all faults of the texts, in the order of files and places. An error means
// that a file beside the texts cannot be read.
func (e *Exercise) Check() ([]Finding, error) {
	records, waivers, err := e.readRecords()
	if err != nil {
		return nil, err
	}
	findings, kept := e.check(records, waivers)
	findings = waivers.apply(path.Join(e.Dir, Folder), findings)
	findings = append(findings, waivers.unused(e.file(waiversFile), e.waivers, kept)...)
	return sorted(findings), nil
}

func (e *Exercise) readRecords() (records, *waivers, error) {
	records, err := parseRecords(e.file(recordsFile), e.records)
	if err != nil {
		return nil, nil, err
	}
	waivers, err := parseWaivers(e.file(waiversFile), e.waivers)
	return records, waivers, err
}

// file is the path of a file beside the English texts.
func (e *Exercise) file(name string) string { return within(path.Join(e.Dir, Folder), name) }

func within(dir, name string) string { return path.Join(dir, name) }

func (e *Exercise) check(records records, waivers *waivers) (findings []Finding, kept map[string]bool) {
	kept = map[string]bool{}
	readable := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(e.english)) {
		r := &report{file: e.file(name), text: e.english[name]}
		readable[name] = r.checkEncoding()
		for _, locale := range e.Locales() {
			if _, translated := e.locales[locale][name]; !translated {
				r.add(checkMissing, 0, locale, "no translation to %s; write %s/%s beside it", locale, locale, name)
			}
		}
		findings = append(findings, r.findings...)
	}
	for _, locale := range slices.Sorted(maps.Keys(e.locales)) {
		for _, name := range slices.Sorted(maps.Keys(e.locales[locale])) {
			english, hasEnglish := e.english[name]
			r := report{file: e.file(locale + "/" + name), text: e.locales[locale][name]}
			switch {
			case !hasEnglish:
				r.add(checkOrphan, 0, "", "there is no English text ../%s; remove the translation", name)
			case readable[name] && r.checkEncoding():
				e.checkRecord(&r, records[locale][name], english)
				e.checkTranslation(&r, english, waivers, kept)
			}
			findings = append(findings, r.findings...)
		}
	}
	return findings, kept
}

// checkRecord compares the English with the English text that the translation was made
// from.
func (e *Exercise) checkRecord(r *report, record string, english []byte) {
	switch record {
	case hash(english):
	case "":
		r.add(checkStale, 0, "", "no record says which English text this was made from; compare the two, then run gen docs --record")
	default:
		r.add(checkStale, 0, "", "the English text has changed since this was made; bring it up to date, then run gen docs --record")
	}
}

func (e *Exercise) checkTranslation(r *report, english []byte, waivers *waivers, kept map[string]bool) {
	source, translation := parse(english), parse(r.text)
	if bytes.Equal(bytes.Join(bytes.Fields(english), nil), bytes.Join(bytes.Fields(r.text), nil)) && hasProse(source) {
		r.add(checkUntranslated, 0, "", "this is the English text; translate it")
		return
	}
	r.checkCharacters(english)
	c := &comparison{
		report: *r, english: source, translation: translation,
		literals: e.literals, keep: map[string]bool{}, latin: isLatin(merged(translation.leaves).prose.text),
	}
	for name := range waivers.Keep {
		c.keep[name] = true
	}
	c.run()
	maps.Copy(kept, c.kept)
	*r = c.report
}

func hasProse(d *document) bool {
	for _, l := range d.leaves {
		if word().MatchString(l.prose.text) {
			return true
		}
	}
	return false
}

// Record records the translations to some locales as up to date, and returns the path of
// the file of records and its text. If a translation has errors, as an outdated one often
// has, it returns these instead.
func (e *Exercise) Record(locales []string) (file string, text []byte, errs []Finding, err error) {
	old, _, err := e.readRecords()
	if err != nil {
		return "", nil, nil, err
	}
	findings, err := e.Check()
	if err != nil {
		return "", nil, nil, err
	}
	fresh := records{}
	for _, locale := range slices.Sorted(maps.Keys(e.locales)) {
		for name := range e.locales[locale] {
			english, known := e.english[name]
			record := old[locale][name]
			if known && slices.Contains(locales, locale) {
				errs = append(errs, errorsIn(findings, e.file(locale+"/"+name))...)
				record = hash(english)
			}
			if !known || record == "" {
				continue
			}
			if fresh[locale] == nil {
				fresh[locale] = map[string]string{}
			}
			fresh[locale][name] = record
		}
	}
	if len(errs) > 0 {
		return "", nil, sorted(errs), nil
	}
	e.records = fresh.format()
	return e.file(recordsFile), e.records, nil, nil
}

// errorsIn returns the errors in a translation, without the one that it is out of date.
func errorsIn(findings []Finding, file string) []Finding {
	var errs []Finding
	for _, f := range findings {
		if f.File == file && f.Level == LevelError && f.Check != checkStale {
			errs = append(errs, f)
		}
	}
	return errs
}

// plain puts a file error into the form of all errors: the path, then the fault.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return fmt.Errorf("%s: %w", p.Path, p.Err)
	}
	return err
}
