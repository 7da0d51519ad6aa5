package track

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// Names of files, as Exercism lays an exercise out.
const (
	configFile     = ".meta/config.json"
	dataFile       = "canonical-data.json"
	settingsFile   = ".meta/gen.toml"
	additionalFile = ".meta/additional_tests.json"
)

// selectionFiles are the places of a tests.toml: beside data of the exercise's
// own, and on a track.
var selectionFiles = []string{"tests.toml", ".meta/tests.toml"}

// Config is what the harness reads of an exercise's .meta/config.json.
type Config struct {
	Files struct{ Solution, Test, Example, Exemplar, Editor []string }
}

// readConfig reads a config.json. The files that it names lie in the exercise's
// folder, each in one role.
func readConfig(file string, text []byte, isFolder func(name string) bool) (config Config, err error) {
	root, err := spec.ParseJSON(file, text)
	if err != nil {
		return config, err
	}
	if root.Kind != spec.Object {
		return config, root.Fault(file, text, "want an object with \"files\"")
	}
	all := root.Get("files")
	if all != nil && all.Kind != spec.Object {
		return config, all.Fault(file, text, "\"files\" must be an object")
	}
	roles := map[string]string{}
	for _, part := range []struct {
		key   string
		names *[]string
	}{
		{"solution", &config.Files.Solution},
		{"test", &config.Files.Test},
		{"example", &config.Files.Example},
		{"exemplar", &config.Files.Exemplar},
		{"editor", &config.Files.Editor},
	} {
		key, list := part.key, all.Get(part.key)
		if list == nil || list.Kind == spec.Null {
			if key == "solution" {
				return config, cmp.Or(all, root).Fault(file, text, "files.solution is missing; name the student's file")
			}
			continue
		}
		if list.Kind != spec.Array {
			return config, list.Fault(file, text, "files.%s must be a list of files", key)
		}
		if len(list.Items) == 0 && (key == "solution" || key == "test") {
			return config, list.Fault(file, text, "files.%s is empty; name a file", key)
		}
		for _, item := range list.Items {
			if item.Kind != spec.String {
				return config, item.Fault(file, text, "files.%s must hold strings only", key)
			}
			name := path.Clean(item.Text)
			role, taken := roles[name]
			switch {
			case !filepath.IsLocal(filepath.FromSlash(item.Text)) || name == ".":
				return config, item.Fault(file, text, "files.%s: %q is no file in the exercise's folder", key, item.Text)
			case strings.HasSuffix(item.Text, "/") || isFolder(name):
				return config, item.Fault(file, text, "files.%s: %q is a folder; name the files in it", key, item.Text)
			case taken && role == key:
				return config, item.Fault(file, text, "files.%s: %q stands twice; remove one", key, item.Text)
			case taken:
				return config, item.Fault(file, text, "files.%s: %q is in files.%s too; a file has one role", key, item.Text, role)
			}
			roles[name] = key
			*part.names = append(*part.names, name)
		}
	}
	return config, nil
}

// Source says where to look for what an exercise's own folder does not hold.
type Source struct {
	Languages []lang.Language
	// Language is the one asked for, or nil to find out.
	Language lang.Language
	// Specs are checkouts of problem-specifications, best first.
	Specs []string
}

// Find lists the exercises that a folder holds: the exercises of a track; or the
// folder itself, with the same exercise in other languages below tracks/; or the
// exercises that lie in it side by side.
func Find(dir string) ([]string, error) {
	if info, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, noFolder(dir)
	} else if err != nil {
		return nil, plain(err)
	} else if !info.IsDir() {
		return nil, errNotFolder(dir)
	}
	if practice := exercisesIn(filepath.Join(dir, "exercises", "practice")); len(practice) > 0 {
		return practice, nil
	}
	if isExercise(dir) {
		return append([]string{filepath.Clean(dir)}, exercisesIn(filepath.Join(dir, "tracks"))...), nil
	}
	if children := exercisesIn(dir); len(children) > 0 {
		return children, nil
	}
	for _, child := range folders(dir) {
		if below := exercisesIn(child); len(below) > 0 {
			return nil, fmt.Errorf("%w; name the folders that hold some, such as %s", errNoExercise(dir), Show(child))
		}
	}
	return nil, errNoExercise(dir)
}

// exercisesIn lists the exercises that lie in a folder side by side.
func exercisesIn(dir string) []string {
	return slices.DeleteFunc(folders(dir), func(child string) bool { return !isExercise(child) })
}

// folders lists the folders in a folder, in the order of their names.
func folders(dir string) (found []string) {
	entries, _ := os.ReadDir(dir) // none is there if it cannot be read
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			found = append(found, path)
		}
	}
	return found
}

// isExercise reports whether a folder is to be an exercise. One that has lost
// its config.json, or cannot be read, still is.
func isExercise(dir string) bool {
	for _, name := range []string{configFile, settingsFile, ".meta/tests.toml"} {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// noFolder says that there is no such folder, and which one may be meant: one
// beside it or, by a slug, an exercise that the current folder holds.
func noFolder(dir string) error {
	byName := map[string]string{}
	add := func(dirs []string) {
		for _, d := range dirs {
			byName[filepath.Base(d)] = d
		}
	}
	if filepath.Base(dir) == filepath.Clean(dir) {
		exercises, _ := Find(".")
		add(exercises)
	}
	add(folders(filepath.Dir(dir)))
	var err error = &missing{Show(dir)}
	if near := spec.Nearest(filepath.Base(dir), slices.Sorted(maps.Keys(byName))); near != "" {
		return fmt.Errorf("%w; did you mean %s?", err, Show(byName[near]))
	}
	return err
}

func errNotFolder(path string) error {
	return fmt.Errorf("%s: not a folder; name that of an exercise", Show(path))
}

func errNoExercise(dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return noFolder(dir)
	}
	return fmt.Errorf("%s: no exercise here: %s is missing", Show(dir), configFile)
}

// Exercise is one exercise with all that its files say.
type Exercise struct {
	Dir      string
	Slug     string
	Language lang.Language
	Unit     *lang.Unit
	// Unlisted are published cases that tests.toml does not mention.
	Unlisted []*spec.Case
	// Solution names the files that a student edits, with slashes.
	Solution []string

	named    Config // what its config.json names
	own      string // the folder of tests.toml and .meta/gen.toml
	data     *spec.Data
	dataText []byte
	cases    []*spec.Case // all of them, selected or not
	misspelt []*spec.Error
	folders  []string // where its files and its data lie

	// What a new exercise is made of beside its data.
	testsFile    string            // where its tests.toml goes, or "" if it has that of another folder
	copiesData   bool              // the data go into its folder
	publishedDir string            // where the published exercise lies
	published    map[string][]byte // what lies there beside the data
}

// Open reads the exercise in a folder.
func Open(dir string, source Source) (*Exercise, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, errNotFolder(dir)
	}
	path := filepath.Join(dir, filepath.FromSlash(configFile))
	text, err := ReadText(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoExercise(dir)
	}
	if err != nil {
		return nil, err
	}
	config, err := readConfig(Show(path), text, func(name string) bool {
		info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		return err == nil && info.IsDir()
	})
	if err != nil {
		return nil, err
	}
	language, err := languageOf(Show(path), config, source.Languages)
	if asked := source.Language; asked != nil {
		if err == nil && language.Facts().Name != asked.Facts().Name {
			return nil, errOtherLanguage(dir, language, asked)
		}
		language, err = asked, nil
	}
	if err != nil {
		return nil, err
	}
	home, err := home(dir, source.Specs)
	if err != nil {
		return nil, err
	}
	e := &Exercise{Dir: dir, Language: language, named: config, folders: []string{dir, home.own, filepath.Dir(home.data)}}
	if err := e.read(home, source.Languages); err != nil {
		return nil, err
	}
	e.Unit.Files = files(config, e.Unit.Files)
	if err := e.readStanding(); err != nil {
		return nil, err
	}
	if e.Unit.Helpers, err = e.readHelpers(); err != nil {
		return nil, err
	}
	e.Solution = config.Files.Solution
	return e, nil
}

// readHelpers reads the exercise's own files that a student sees and does not
// edit. Those that hold tests are no part of a solution.
func (e *Exercise) readHelpers() (map[string][]byte, error) {
	var names []string
	for _, name := range e.named.Files.Editor {
		if name = path.Clean(name); !e.Language.Facts().IsTest(path.Base(name)) && name != e.Unit.Files.Test {
			names = append(names, name)
		}
	}
	return e.readOwn(names...)
}

// FurtherTests names the files with tests, beside the one that is generated,
// that config.json lists and that are there.
func (e *Exercise) FurtherTests() []string {
	var names []string
	for _, name := range slices.Concat(e.named.Files.Test, e.named.Files.Editor) {
		_, err := os.Stat(filepath.Join(e.Dir, filepath.FromSlash(name)))
		if err == nil && path.Clean(name) != path.Clean(e.Unit.Files.Test) && e.Language.Facts().IsTest(path.Base(name)) {
			names = append(names, name)
		}
	}
	return names
}

// errOtherLanguage says that an exercise is in another language than the one
// asked for, and where it is in that one.
func errOtherLanguage(dir string, language, asked lang.Language) error {
	there := filepath.Join(dir, "tracks", asked.Facts().Name)
	what := "name the folder of one in " + asked.Facts().Title
	if _, err := os.Stat(filepath.Join(there, filepath.FromSlash(configFile))); err == nil {
		what = "for " + asked.Facts().Title + " name " + Show(there)
	}
	return fmt.Errorf("%s: the exercise here is in %s; %s", Show(dir), language.Facts().Title, what)
}

// readStanding reads what the exercise has already of its files that the language
// knows.
func (e *Exercise) readStanding() (err error) {
	u := e.Unit
	if u.Standing, err = e.readOwn(u.Files.Solution, u.Files.Example, u.Files.Test); err != nil {
		return err
	}
	project, err := e.Language.Project(u)
	if err != nil {
		return err
	}
	u.Project, err = e.readOwn(slices.Collect(maps.Keys(project))...)
	return err
}

// readOwn reads those of the named files that lie in the exercise's folder.
func (e *Exercise) readOwn(names ...string) (map[string][]byte, error) {
	found := map[string][]byte{}
	for _, name := range names {
		path := filepath.Join(e.Dir, filepath.FromSlash(name))
		switch text, err := ReadText(path); {
		case err == nil:
			found[name] = text
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return found, nil
}

// read reads the data, and what the exercise's own folder says of them: which
// cases it uses, cases of its own, settings and a template.
func (e *Exercise) read(home places, all []lang.Language) error {
	e.Slug, e.own = home.slug, home.own
	selected, err := e.selectCases(home)
	if err != nil {
		return err
	}
	settings, template, err := e.readSettings(home.own, all)
	if err != nil {
		return err
	}
	e.Unit = lang.NewUnit(e.Language, e.Slug, selected, settings)
	if err := e.checkSettings(home.own, all, selected, settings); err != nil {
		return err
	}
	if len(e.Unit.Names)+len(e.Unit.Suite.Undecided) == 0 {
		return PassOver(noCase, fmt.Errorf("%s: every case is excluded; take one out of \"exclude\" in %s", Show(home.own), settingsFile))
	}
	e.Unit.Template = template
	e.Unit.TemplateFile = Show(filepath.Join(home.own, ".meta", "gen."+e.Language.Facts().Name+".tmpl"))
	e.Solution = []string{e.Unit.Files.Solution}
	return nil
}

// Home is the folder of what the exercise has in common in all languages: its
// tests.toml and its settings.
func (e *Exercise) Home() string { return e.own }

// Suspects are places in the data where most likely something is misspelt: keys, and
// values that widen a type.
func (e *Exercise) Suspects() []*spec.Error {
	return slices.Concat(e.misspelt, e.Unit.Suite.Outliers())
}

// Folders lists the folders that hold the exercise's files: its tests, its data
// and its example.
func (e *Exercise) Folders() []string { return slices.Clone(e.folders) }

// places says where the parts of an exercise lie.
type places struct {
	slug string
	own  string // the folder of tests.toml and .meta
	data string // the path of canonical-data.json
}

// Paths are the absolute paths of a folder: the one by which it is named and, if
// that goes through a link, the one where it really lies.
func Paths(dir string) []string {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil // the current folder is gone
	}
	paths := []string{absolute}
	if real, err := filepath.EvalSymlinks(absolute); err == nil && real != absolute {
		paths = append(paths, real)
	}
	return paths
}

// home finds an exercise's data: in its folder; for tracks/<language> two
// folders up, where the same exercise is in the repository's first language;
// else in a checkout of problem-specifications.
func home(dir string, specs []string) (places, error) {
	if home, found := ownHome(dir); found {
		return home, nil
	}
	if len(specs) == 0 {
		return places{}, PassOver(noData, fmt.Errorf("%s: %s is missing; %w, or as in --specs CHECKOUT %s", Show(dir), dataFile, ErrNoCheckout, Show(dir)))
	}
	var slug string
	for _, path := range slices.Backward(Paths(dir)) {
		slug = filepath.Base(path)
		for _, checkout := range specs {
			path := filepath.Join(checkout, "exercises", slug, dataFile)
			if _, err := os.Stat(path); err == nil {
				return places{slug: slug, own: dir, data: path}, nil
			}
		}
	}
	return places{}, PassOver(noData, fmt.Errorf("%s: no canonical data for %q in %s", Show(dir), slug, strings.Join(specs, ", ")))
}

// ownHome finds data that lie in an exercise's folder or, for tracks/<language>,
// two folders up.
func ownHome(dir string) (places, bool) {
	candidates := []string{dir}
	for i, path := range Paths(dir) {
		if filepath.Base(filepath.Dir(path)) != "tracks" {
			continue
		}
		if i == 0 {
			path = dir // as people name it
		}
		candidates = append(candidates, filepath.Join(path, "..", ".."))
	}
	for _, own := range candidates {
		path := filepath.Join(own, dataFile)
		if _, err := os.Stat(path); err == nil {
			return places{own: own, data: path}, true
		}
	}
	return places{}, false
}

// What an exercise is that is passed over.
const (
	noData = "without canonical data"
	noCase = "without a selected case"
)

// NotOurs says that there is nothing to do in an exercise, which is no fault of
// it: a track is done without it.
type NotOurs struct {
	// Is is the exercise in a word or two, for a summary.
	Is  string
	err error
}

// PassOver makes an error one of an exercise that is passed over in a track.
func PassOver(is string, err error) error { return &NotOurs{is, err} }

func (n *NotOurs) Error() string { return n.err.Error() }

// Unwrap gives the error itself.
func (n *NotOurs) Unwrap() error { return n.err }

// ErrNoCheckout says that data are not in an exercise's folder and that there is
// no checkout of problem-specifications to look in.
var ErrNoCheckout = errors.New("name a checkout of problem-specifications in PROBLEM_SPECIFICATIONS")

// selectCases reads the data, tests.toml and the exercise's own cases.
func (e *Exercise) selectCases(home places) ([]*spec.Case, error) {
	data, text, err := readData(home.data, nil)
	if err != nil {
		return nil, err
	}
	e.data, e.dataText = data, text
	if e.Slug == "" {
		e.Slug = data.Exercise
	}
	if e.Slug == "" {
		return nil, fmt.Errorf("%s: key \"exercise\" is missing; add the slug", Show(home.data))
	}
	selection, err := readSelection(home.own, data)
	if err != nil {
		return nil, err
	}
	var selected []*spec.Case
	selected, e.Unlisted = spec.Select(data, selection)
	e.cases = slices.Clone(data.Cases)
	e.misspelt = slices.Clone(data.Misspelt)
	path := filepath.Join(home.own, filepath.FromSlash(additionalFile))
	additional, _, err := readData(path, data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		selected = append(selected, additional.Cases...)
		e.cases = append(e.cases, additional.Cases...)
		e.misspelt = append(e.misspelt, additional.Misspelt...)
	}
	switch {
	case len(selected) > 0:
		return selected, nil
	case selection == nil:
		return nil, PassOver(noCase, fmt.Errorf("%s: no cases; add one", Show(home.data)))
	default:
		return nil, PassOver(noCase, fmt.Errorf("%s: no case is selected; include one in tests.toml", Show(home.own)))
	}
}

func readData(path string, base *spec.Data) (data *spec.Data, text []byte, err error) {
	if text, err = ReadText(path); err != nil {
		return nil, nil, err
	}
	if data, err = spec.ParseData(Show(path), text, base); err != nil {
		return nil, nil, err
	}
	return data, text, data.CheckUUIDs()
}

// readSelection reads tests.toml. It is nil where there is none.
func readSelection(dir string, data *spec.Data) (*spec.Selection, error) {
	for _, name := range selectionFiles {
		path := filepath.Join(dir, filepath.FromSlash(name))
		text, err := ReadText(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		}
		if err := data.NeedUUIDs(); err != nil {
			return nil, err
		}
		return spec.ParseSelection(Show(path), text, data)
	}
	return nil, nil
}

// readSettings reads the settings and the template of the exercise's language.
func (e *Exercise) readSettings(dir string, all []lang.Language) (settings lang.Settings, template string, err error) {
	path := filepath.Join(dir, filepath.FromSlash(settingsFile))
	text, err := ReadText(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return settings, "", err
	default:
		if settings, err = lang.ParseSettings(Show(path), text, e.Language.Facts().Name, languageNames(all)); err != nil {
			return settings, "", err
		}
	}
	own, err := ReadText(filepath.Join(dir, ".meta", "gen."+e.Language.Facts().Name+".tmpl"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return settings, "", err
	}
	return settings, string(own), nil
}

// checkSettings reports a setting for what the exercise does not have, or for what
// its cases or its language have no use for.
func (e *Exercise) checkSettings(dir string, all []lang.Language, selected []*spec.Case, settings lang.Settings) error {
	path := filepath.Join(dir, filepath.FromSlash(settingsFile))
	text, err := ReadText(path)
	if err != nil {
		return nil // there are no settings
	}
	named := lang.NewNamed(e.cases)
	for _, r := range e.Unit.Suite.Records {
		named.Records[r.Hint] = true
	}
	if err := lang.CheckNames(Show(path), text, languageNames(all), named); err != nil {
		return err
	}
	return lang.CheckSettings(Show(path), text, e.Language, selected, settings, e.Unit)
}

func languageNames(all []lang.Language) []string {
	var names []string
	for _, l := range all {
		names = append(names, l.Facts().Name)
	}
	return names
}

// languageOf finds a language by the extension of the first solution file.
func languageOf(path string, config Config, languages []lang.Language) (lang.Language, error) {
	file := config.Files.Solution[0]
	var known []string
	for _, l := range languages {
		known = append(known, l.Facts().Name)
		if filepath.Ext(l.Facts().Layout("x").Solution) == filepath.Ext(file) {
			return l, nil
		}
	}
	return nil, fmt.Errorf("%s: no language known for %s; choose a file of %s", path, file, strings.Join(known, ", "))
}

// files are those that config.json names, and the language's own where it names
// none.
func files(config Config, layout lang.Files) lang.Files {
	first := func(names []string, other string) string {
		if len(names) > 0 {
			return names[0]
		}
		return other
	}
	// A Go exercise has its table in a file of its own, named last.
	test := layout.Test
	if !slices.Contains(config.Files.Test, test) {
		test = first(config.Files.Test, layout.Test)
	}
	return lang.Files{
		Solution: first(config.Files.Solution, layout.Solution),
		Test:     test,
		Example:  first(config.Files.Example, first(config.Files.Exemplar, layout.Example)),
	}
}

// ReadText reads a text file as spec.PlainText has it.
func ReadText(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, plain(err)
	}
	return spec.PlainText(text), nil
}

// plain puts a file error in the form of all errors: the path, then what is
// wrong.
func plain(err error) error {
	var p *fs.PathError
	if !errors.As(err, &p) {
		return err
	}
	what := p.Err
	if errors.Is(err, fs.ErrNotExist) {
		return &missing{Show(p.Path)}
	}
	return fmt.Errorf("%s: %w", Show(p.Path), what)
}

type missing struct{ path string }

func (m *missing) Error() string { return m.path + ": no such file" }

func (m *missing) Is(target error) bool { return target == fs.ErrNotExist }

// Show is a path as people read it: with slashes on every system.
func Show(path string) string { return filepath.ToSlash(filepath.Clean(path)) }
