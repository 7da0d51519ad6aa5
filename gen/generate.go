package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/track"
)

func (c *command) generate() *cobra.Command {
	var check bool
	var out string
	cmd := &cobra.Command{
		Use:   "generate [DIR...]",
		Short: "Write the tests of exercises from their data",
		Long: `Generate writes the test file of each exercise that the folders hold, from its
canonical data, tests.toml and settings. A folder is one exercise, a track, or
holds exercises side by side; the default is the current folder. A file that is up
to date is not touched; if there are more than 10 files, those up to date are only
counted. Line ends make no difference; a file that changes is written with line
feeds.

If an exercise of a track cannot be done, the others are. Exercises with tests
written by hand, without data or without a selected case are passed over. The exit
code is 2 if something is broken, such as a file that cannot be read, or if the
only exercise that was named cannot be done.

With --out it writes published exercises, all or those whose slugs are given, each
into OUT/<language>/<slug>: tests, stub and the other files of a new exercise. Of
the files that are there already, it changes only the tests.`,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
			if out != "" {
				return c.publishedSlugs(out, args, start), cobra.ShellCompDirectiveNoFileComp
			}
			return c.completeExercises(cmd, args, start)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if out != "" {
				return c.scaffoldAll(args, out, check)
			}
			return c.runGenerate(args, check)
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; show what would change, and exit with 1 if anything would")
	cmd.Flags().StringVar(&out, "out", "", "a folder for published exercises, as OUT/<language>/<slug>")
	completeFolders(cmd, "out")
	c.addSourceFlags(cmd)
	return cmd
}

func (c *command) runGenerate(dirs []string, check bool) error {
	exercises, t, err := c.open(dirs)
	if err != nil {
		return err
	}
	for _, e := range exercises {
		if e.Dir == "" {
			return errors.New("published exercises have no folder; name one for them with --out")
		}
	}
	return c.deliver(t, attempt(t, exercises, testDelivery), check)
}

// scaffoldAll writes published exercises. In exercises that already exist it brings the
// tests up to date.
func (c *command) scaffoldAll(slugs []string, out string, check bool) error {
	specs := c.checkouts(out)
	if len(specs) == 0 {
		return errNoPublished
	}
	asked, err := c.asked()
	if err != nil {
		return err
	}
	if len(asked) == 0 {
		return errors.New("--out needs --lang, as in --lang go,python")
	}
	slugs = distinct(slugs, func(slug string) string { return slug })
	named := len(slugs)
	if named == 0 {
		if slugs, err = track.Slugs(specs[0]); err != nil {
			return err
		}
	}
	type place struct {
		slug     string
		language lang.Language
	}
	var places []place
	for _, l := range asked {
		for _, slug := range slugs {
			places = append(places, place{slug, l})
		}
	}
	t := &tally{notes: c.notes, isTrack: named == 0, alone: named == 1 && len(places) == 1}
	deliveries := attempt(t, places, func(p place) (delivery, error) {
		dir := filepath.Join(out, p.language.Facts().Name, p.slug)
		source := track.Source{Languages: c.languages, Language: p.language, Specs: specs}
		if _, err := os.Stat(filepath.Join(dir, ".meta", "config.json")); err == nil {
			e, err := track.Open(dir, source)
			if err != nil {
				return delivery{}, err
			}
			return testDelivery(e)
		}
		e, err := track.New(dir, p.slug, source)
		if err != nil {
			return delivery{}, err
		}
		outputs, err := newOutputs(e)
		return delivery{e, outputs}, err
	})
	return c.deliver(t, deliveries, check)
}

// delivery is an exercise with the files that belong in its folder.
type delivery struct {
	exercise *track.Exercise
	outputs  []output
}

// testDelivery is an exercise with its test file alone.
func testDelivery(e *track.Exercise) (delivery, error) {
	o, err := testOutput(e)
	return delivery{e, []output{o}}, err
}

// deliver writes the outputs of exercises, or checks that they are in place.
func (c *command) deliver(t *tally, deliveries []delivery, check bool) error {
	type compared struct {
		exercise *track.Exercise
		states   []state
	}
	// Compare all files of an exercise before writing any: one may be written by hand.
	all := attempt(t, deliveries, func(d delivery) (compared, error) {
		var states []state
		for _, o := range d.outputs {
			change, old, err := compare(o)
			if errors.Is(err, errByHand) {
				err = track.PassOver(withOwnTests, err)
			}
			if err != nil {
				return compared{}, err
			}
			states = append(states, state{o, change, old})
		}
		return compared{d.exercise, states}, nil
	})
	if !check {
		all = attempt(t, all, func(one compared) (compared, error) {
			for _, s := range one.states {
				if s.change == unchanged {
					continue
				}
				if s.text == nil {
					if err := os.Remove(s.path); err != nil {
						return one, err
					}
				} else if err := replace(s.path, s.text); err != nil {
					return one, err
				}
			}
			return one, nil
		})
	}
	var exercises []*track.Exercise
	var states []state
	for _, one := range all {
		exercises = append(exercises, one.exercise)
		states = append(states, one.states...)
	}
	complete := c.report(exercises)
	same := c.printStates(t, states, check)
	return t.verdict(check && !(same && complete))
}

// report prints which cases the exercises' tests lack: published cases that tests.toml does
// not list, and cases that need a template. It reports whether tests.toml lists all.
func (c *command) report(exercises []*track.Exercise) (complete bool) {
	complete = true
	c.reportSuspects(exercises)
	c.reportFurtherTests(exercises)
	for _, e := range exercises {
		for _, missing := range e.Unlisted {
			complete = false
			c.notes.print("%s: new case %s (%q) is not in tests.toml; list it there, or exclude it with include = false",
				track.Show(e.Home()), missing.UUID, missing.Path())
		}
		for _, u := range e.Unit.Suite.Undecided {
			c.notes.print("%s: %q needs a template: %s", e.Slug, u.Case.Path(), u.Reason)
		}
		if !e.Unit.HasTests() {
			c.notes.print("%s: %s is not written, for it would have no test; write a template, .meta/gen.%s.tmpl",
				e.Slug, track.Show(filepath.Join(e.Dir, filepath.FromSlash(e.Unit.Files.Test))), e.Language.Facts().Name)
		}
	}
	return complete
}

// reportSuspects prints the places in the data that look like typing errors, each once for
// all languages.
func (c *command) reportSuspects(exercises []*track.Exercise) {
	for _, e := range exercises {
		for _, suspect := range e.Suspects() {
			c.notes.print("%s", suspect)
		}
	}
}

// reportFurtherTests names tests written by hand beside the generated tests: their author
// may believe that solutions are judged by them.
func (c *command) reportFurtherTests(exercises []*track.Exercise) {
	for _, e := range exercises {
		if e.Dir == "" || !e.Unit.HasTests() || e.Unit.Settings.Tests == lang.TableTests {
			continue
		}
		files, _ := testsBeside(e) // the tests are written even if the folder cannot be read
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if !isGenerated(files[name]) {
				c.notes.print("%s: these tests are written by hand, and gen neither proves them nor judges by them, but by %s; move their cases to .meta/additional_tests.json",
					track.Show(filepath.Join(e.Dir, filepath.FromSlash(name))), e.Unit.Files.Test)
			}
		}
	}
}

// output is a file to write.
type output struct {
	path string
	text []byte // nil if the path must hold no file
	// note describes the file's content, for people.
	note string
	// keep reports whether an existing file stays as it is.
	keep bool
}

// testOutput is the test file of an exercise. A file without a test would pass for any
// solution, so its text is nil.
func testOutput(e *track.Exercise) (output, error) {
	path := filepath.Join(e.Dir, filepath.FromSlash(e.Unit.Files.Test))
	if !e.Unit.HasTests() {
		return output{path: path, note: "it has no test"}, nil
	}
	text, err := e.Language.Tests(e.Unit)
	if err != nil {
		return output{}, fmt.Errorf("%s: write %s tests: %w", track.Show(e.Dir), e.Language.Facts().Title, err)
	}
	if !isGenerated(text) {
		return output{}, fmt.Errorf("%s: write %s tests: the template's first line must say \"Code generated ... DO NOT EDIT.\", or the file could not be written again",
			track.Show(e.Dir), e.Language.Facts().Title)
	}
	return output{path: path, text: text, note: caseCount(e.Unit)}, nil
}

// newOutputs are all files of a new exercise, in the order of their paths.
func newOutputs(e *track.Exercise) ([]output, error) {
	test, err := testOutput(e)
	if err != nil {
		return nil, err
	}
	files, err := e.Scaffold()
	if err != nil {
		return nil, err
	}
	outputs := []output{test}
	for name, text := range files {
		outputs = append(outputs, output{path: filepath.Join(e.Dir, filepath.FromSlash(name)), text: text, keep: true})
	}
	slices.SortFunc(outputs, func(a, b output) int { return strings.Compare(a.path, b.path) })
	return outputs, nil
}

// caseCount says how many cases are in a test file.
func caseCount(u *lang.Unit) string {
	note := plural(len(u.Names), "case")
	if n := len(u.Suite.Undecided); n > 0 {
		note += fmt.Sprintf(", %d more %s a template", n, need(n))
	}
	return note
}

// fewFiles is the most files for which each file that is up to date gets a line.
const fewFiles = 10

// state is an output and the present text at its path.
type state struct {
	output
	change change
	old    []byte
}

// emptiness says that the file that stands at the path is empty.
func (s state) emptiness() string {
	if s.change == changed && isBlank(s.old) {
		return "; the file was empty"
	}
	return ""
}

// printStates prints a line for each output that changed or is up to date, and a summary.
// It reports whether none changed.
func (c *command) printStates(t *tally, states []state, check bool) (same bool) {
	upToDate, others := 0, 0
	for _, s := range states {
		note := ""
		if s.note != "" {
			note = " (" + s.note + ")"
		}
		switch {
		case s.change == unchanged:
			if s.keep || s.text == nil {
				continue
			}
			if upToDate++; len(states) <= fewFiles {
				fmt.Fprintf(c.stdout, "%s is up to date%s\n", track.Show(s.path), note)
			}
		case check && s.text == nil:
			others++
			fmt.Fprintf(c.stdout, "%s would be removed%s\n", track.Show(s.path), note)
		case s.text == nil:
			others++
			fmt.Fprintf(c.stdout, "%s removed%s\n", track.Show(s.path), note)
		case check:
			others++
			fmt.Fprintf(c.stdout, "%s would change%s\n%s", track.Show(s.path), s.emptiness(), difference(s.path, s.old, s.text))
		default:
			others++
			fmt.Fprintf(c.stdout, "%s written%s%s\n", track.Show(s.path), note, s.emptiness())
		}
	}
	if len(states) > fewFiles || t.isWorthSaying() {
		what := "written"
		if check {
			what = "would change"
		}
		fmt.Fprintf(c.stdout, "%s: %d up to date, %d %s%s\n", plural(upToDate+others, "file"), upToDate, others, what, t.summary())
	}
	return others == 0
}
