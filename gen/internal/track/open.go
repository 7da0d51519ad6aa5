package track

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// Source says where to look for files that an exercise's own folder does not hold.
type Source struct {
	Languages []lang.Language
	// Language is the language of the exercise, or nil to find out.
	Language lang.Language
	// Specs are checkouts of problem-specifications, best first.
	Specs []string
}

// Exercise is an exercise as its files describe it.
type Exercise struct {
	Dir      string
	Slug     string
	Language lang.Language
	Unit     *lang.Unit
	// Unlisted are published cases that tests.toml does not mention.
	Unlisted []*spec.Case
	// Solution names the files that a student edits, with slashes.
	Solution []string

	named    Config // the content of its config.json
	own      string // the folder of tests.toml and .meta/gen.toml
	data     *spec.Data
	dataText []byte
	cases    []*spec.Case // all of them, selected or not
	misspelt []*spec.Error
	folders  []string // where its files and its data lie

	// The parts of a new exercise beside its data.
	testsFile    string            // the path for its tests.toml, or "" to share another exercise's
	copiesData   bool              // the data go into its folder
	publishedDir string            // the folder of the published exercise
	published    map[string][]byte // the files in that folder beside the data
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

// readHelpers reads the files that a student sees and does not edit, without the tests.
func (e *Exercise) readHelpers() (map[string][]byte, error) {
	var names []string
	for _, name := range e.named.Files.Editor {
		if name = path.Clean(name); !e.Language.Facts().IsTest(path.Base(name)) && name != e.Unit.Files.Test {
			names = append(names, name)
		}
	}
	return e.readOwn(names...)
}

// FurtherTests names the existing test files that config.json lists beside the generated
// one.
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

// errOtherLanguage is the error for an exercise in another language than the one asked
// for. It says where the same exercise lies in that language.
func errOtherLanguage(dir string, language, asked lang.Language) error {
	there := filepath.Join(dir, "tracks", asked.Facts().Name)
	what := "name the folder of one in " + asked.Facts().Title
	if _, err := os.Stat(filepath.Join(there, filepath.FromSlash(configFile))); err == nil {
		what = "for " + asked.Facts().Title + " name " + Show(there)
	}
	return fmt.Errorf("%s: the exercise here is in %s; %s", Show(dir), language.Facts().Title, what)
}

// readStanding reads the existing ones of the files that the language lays out.
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

// readOwn reads the named files, and leaves out those that are not in the exercise's
// folder.
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

// read reads the data, and from the exercise's own folder the selection of cases, further
// cases, settings and a template.
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
	e.Unit = lang.NewUnit(e.Language, e.Slug, selected, settings.Settings)
	if err := e.checkSettings(selected, settings); err != nil {
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

// Home is the folder of the files that the exercise's languages share: tests.toml and the
// settings.
func (e *Exercise) Home() string { return e.own }

// Suspects are places in the data that are probably misspelt: keys, and values that widen
// a type.
func (e *Exercise) Suspects() []*spec.Error {
	return slices.Concat(e.misspelt, e.Unit.Suite.Outliers())
}

// Folders lists the folders that hold the exercise's files: its tests, its data
// and its example.
func (e *Exercise) Folders() []string { return slices.Clone(e.folders) }

// readSettings reads the settings and the template of the exercise's language.
func (e *Exercise) readSettings(dir string, all []lang.Language) (settings *lang.SettingsFile, template string, err error) {
	settings = &lang.SettingsFile{}
	path := filepath.Join(dir, filepath.FromSlash(settingsFile))
	text, err := ReadText(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, "", err
	default:
		if settings, err = lang.ParseSettings(Show(path), text, e.Language.Facts().Name, languageNames(all)); err != nil {
			return nil, "", err
		}
	}
	own, err := ReadText(filepath.Join(dir, ".meta", "gen."+e.Language.Facts().Name+".tmpl"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", err
	}
	return settings, string(own), nil
}

// checkSettings returns an error for a setting that names something that the exercise
// lacks, or that its cases or its language cannot use.
func (e *Exercise) checkSettings(selected []*spec.Case, settings *lang.SettingsFile) error {
	named := lang.NewNamed(e.cases)
	for _, r := range e.Unit.Suite.Records {
		named.Records[r.Hint] = true
	}
	if err := settings.CheckNames(named); err != nil {
		return err
	}
	return settings.CheckSettings(e.Language, selected, e.Unit)
}
