package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lazy"
	"stateoftictactoe/gen/internal/proof"
	"stateoftictactoe/gen/internal/track"
)

func (c *command) verify() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify [DIR...]",
		Short: "Prove that every test can pass and can fail",
		Long: `Verify runs the tests of each exercise against solutions whose answers are known,
and checks that exactly the right cases pass:

  stub        the student's file as it is handed out: fails every case
  example     the reference solution: passes every case
  oracle      answers from the data: passes every case
  wrong-even  wrong on every second case: fails exactly these cases
  wrong-odd   wrong on the other cases: fails exactly these cases
  constant    gives the commonest result: passes only where that is right

The tests are those that "gen generate" would write now. If a generated file in the
exercise's folder differs from them, a line names it. An exercise with tests
written by hand is passed over, unless its settings ask for a table alone: then
the tests written by hand beside the table are proven.

It works in a temporary folder and touches no file of an exercise.`,
		ValidArgsFunction: c.completeExercises,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			return c.runVerify(cmd.Context(), dirs, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per exercise, on a line each")
	c.addSourceFlags(cmd)
	return cmd
}

// fewReports is the most exercises for which each check gets a line.
const fewReports = 5

// provable is an exercise and the item to prove.
type provable struct {
	exercise *track.Exercise
	item     proof.Item
}

// proveAll proves exercises language by language. If one language cannot be proven, the
// others are.
func (c *command) proveAll(ctx context.Context, all []provable, t *tally) (reports []proof.Report, err error) {
	for _, l := range c.languages {
		var items []proof.Item
		var places []string
		for _, p := range all {
			if p.exercise.Language.Facts().Name == l.Facts().Name {
				items = append(items, p.item)
				places = append(places, cmp.Or(p.exercise.Dir, p.exercise.Slug))
			}
		}
		if len(items) == 0 {
			continue
		}
		progress := newProgress(c.stderr, l.Facts().Title, len(items))
		tried, err := proof.Prove(ctx, l, items, progress.done)
		progress.end()
		var tool *proof.ToolError
		if errors.As(err, &tool) { // the other languages go on
			t.addAll(fmt.Errorf("%s: %w", l.Facts().Title, tool), len(items))
			continue
		}
		if err != nil {
			return nil, err
		}
		for i, r := range tried {
			if r.Err != nil {
				t.add(fmt.Errorf("%s: %s: %w", track.Show(places[i]), l.Facts().Title, r.Err))
			} else {
				reports = append(reports, r)
			}
		}
	}
	return reports, nil
}

func (c *command) runVerify(ctx context.Context, args []string, asJSON bool) error {
	exercises, t, err := c.open(args)
	if err != nil {
		return err
	}
	all := attempt(t, exercises, func(e *track.Exercise) (provable, error) {
		if hasOwnTests(e) {
			return provable{}, track.PassOver(withOwnTests, byHand(filepath.Join(e.Dir, filepath.FromSlash(e.Unit.Files.Test))))
		}
		i, err := item(e)
		return provable{e, i}, err
	})
	exercises = nil
	for _, p := range all {
		exercises = append(exercises, p.exercise)
	}
	c.reportSuspects(exercises)
	c.reportFurtherTests(exercises)
	c.nameOthers(exercises)
	reports, err := c.proveAll(ctx, all, t)
	if err != nil {
		return err
	}
	for _, r := range reports {
		switch {
		case asJSON:
			if err := json.NewEncoder(c.stdout).Encode(r); err != nil {
				return err
			}
		case len(reports) <= fewReports:
			c.printChecks(r)
		default:
			c.printSummary(r)
		}
	}
	if !asJSON && (len(reports) > 0 || t.isWorthSaying()) {
		c.printTotal(reports, t)
	}
	return t.verdict(slices.ContainsFunc(reports, func(r proof.Report) bool { return !r.Proven() }))
}

// hasOwnTests reports whether the test file in an exercise is written by hand. A generated
// file that has only lost its mark is not.
func hasOwnTests(e *track.Exercise) bool {
	standing, found := e.Unit.Standing[e.Unit.Files.Test]
	if !found || !e.Unit.HasTests() || isGenerated(standing) || isBlank(standing) {
		return false
	}
	text, err := e.Language.Tests(e.Unit)
	if err != nil {
		return false // the proof returns the error
	}
	_, _, same := compareTests(e, standing, text)
	return !same
}

// item takes the stub and the example of an exercise from its files.
func item(e *track.Exercise) (proof.Item, error) {
	item := proof.Item{Unit: e.Unit}
	if e.Dir == "" {
		return item, nil
	}
	var err error
	if item.Stub, err = e.Stub(); err != nil {
		return item, err
	}
	if item.Example, err = e.Example(); err != nil {
		return item, err
	}
	if e.Unit.Settings.Tests == lang.TableTests {
		if item.Written, err = written(e); err != nil {
			return item, err
		}
	}
	return item, nil
}

// nameOthers names the test files on disk that differ from those to be proven.
func (c *command) nameOthers(exercises []*track.Exercise) {
	paths := inParallel(exercises, func(e *track.Exercise) string {
		if e.Dir == "" {
			return ""
		}
		if standing, found := e.Unit.Standing[e.Unit.Files.Test]; !e.Unit.HasTests() && !(found && isGenerated(standing)) {
			return "" // the exercise has no test file
		}
		text, err := e.Language.Tests(e.Unit)
		if err != nil {
			return "" // the proof says so
		}
		if standing, found := e.Unit.Standing[e.Unit.Files.Test]; found {
			if _, _, same := compareTests(e, standing, text); same {
				return ""
			}
		}
		path := filepath.Join(e.Dir, filepath.FromSlash(e.Unit.Files.Test))
		return track.Show(path)
	})
	others := slices.DeleteFunc(paths, func(path string) bool { return path == "" })
	switch len(others) {
	case 0:
	case 1:
		fmt.Fprintf(c.stderr, "%s differs from the tests that are proven; bring it up to date with gen generate\n", others[0])
	default:
		fmt.Fprintf(c.stderr, "%s and %d more differ from the tests that are proven; bring them up to date with gen generate\n", others[0], len(others)-1)
	}
}

// written reads the tests that are written by hand beside a table.
func written(e *track.Exercise) (map[string][]byte, error) {
	files, err := testsBeside(e)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: %s is a table alone, and no test written by hand lies beside it; write one, or take tests = \"table\" out of .meta/gen.toml",
			track.Show(e.Dir), e.Unit.Files.Test)
	}
	return files, err
}

// testsBeside reads the files with tests beside the one that is generated.
func testsBeside(e *track.Exercise) (map[string][]byte, error) {
	generated := path.Clean(e.Unit.Files.Test)
	dir := filepath.Join(e.Dir, filepath.FromSlash(path.Dir(generated)))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, entry := range entries {
		name := path.Join(path.Dir(generated), entry.Name())
		if !entry.IsDir() && name != generated && e.Language.Facts().IsTest(entry.Name()) {
			text, err := track.ReadText(filepath.Join(dir, entry.Name()))
			if err != nil {
				return nil, err
			}
			if !isBlank(text) {
				files[name] = text
			}
		}
	}
	return files, nil
}

// nothingToProve is the verdict on an exercise all of whose cases need a template. That is
// neither a fault of its tests nor a proof.
const nothingToProve = "nothing to prove"

// printChecks prints a line per check.
func (c *command) printChecks(r proof.Report) {
	fmt.Fprintf(c.stdout, "%s (%s): %s\n", r.Slug, r.Language, caseTotal(r))
	told := map[string]bool{}
	for _, check := range r.Checks {
		verdict := "ok"
		if len(check.Problems) > 0 {
			verdict = "NOT SO"
		}
		fmt.Fprintf(c.stdout, "  %-10s  %-32s  %s\n", check.Name, check.Claim, verdict)
		c.printProblems(check, told)
	}
	if r.Cases == 0 {
		fmt.Fprintf(c.stdout, "  %s\n", nothingToProve)
	}
}

// printSummary prints a line per exercise, and the problems.
func (c *command) printSummary(r proof.Report) {
	verdict := "proven"
	switch {
	case !r.Proven():
		verdict = "NOT PROVEN"
	case r.Cases == 0:
		verdict = nothingToProve
	}
	fmt.Fprintf(c.stdout, "%s (%s): %s: %s\n", r.Slug, r.Language, caseTotal(r), verdict)
	told := map[string]bool{}
	for _, check := range r.Checks {
		if len(check.Problems) > 0 {
			fmt.Fprintf(c.stdout, "  %s must be a solution that %s\n", check.Name, check.Claim)
			c.printProblems(check, told)
		}
	}
}

// printProblems prints problems. Of a problem with several lines that was printed before
// in the same words, it prints the first line.
func (c *command) printProblems(check proof.Check, told map[string]bool) {
	for _, problem := range check.Problems {
		first, more, _ := strings.Cut(problem, "\n")
		if key := timeTaken().ReplaceAllString(problem, ""); more != "" {
			if told[key] {
				problem = strings.TrimSuffix(first, ":") + ", as above"
			}
			told[key] = true
		}
		fmt.Fprintf(c.stdout, "    %s\n", strings.ReplaceAll(problem, "\n", "\n    "))
	}
}

// timeTaken matches durations, which differ from run to run.
var timeTaken = lazy.Regexp(`\d+\.\d+`)

func (c *command) printTotal(reports []proof.Report, t *tally) {
	proven, cases, empty, undecided := 0, 0, 0, 0
	for _, r := range reports {
		switch {
		case r.Cases == 0:
			empty++
		case r.Proven():
			proven++
			cases += r.Cases
		}
		undecided += r.Undecided
	}
	fmt.Fprintf(c.stdout, "%d of %s proven, %s", proven, plural(len(reports), "exercise"), plural(cases, "case"))
	if empty > 0 {
		fmt.Fprintf(c.stdout, "; %s in %s", nothingToProve, plural(empty, "exercise"))
	}
	if undecided > 0 {
		fmt.Fprintf(c.stdout, "; not counted: %s that %s a template", plural(undecided, "case"), need(undecided))
	}
	fmt.Fprintln(c.stdout, t.summary())
}

func caseTotal(r proof.Report) string {
	if r.Undecided > 0 {
		return fmt.Sprintf("%s, %d %s a template", plural(r.Cases, "case"), r.Undecided, need(r.Undecided))
	}
	return plural(r.Cases, "case")
}
