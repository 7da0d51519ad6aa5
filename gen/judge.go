package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"stateoftictactoe/gen/internal/judge"
	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/sandbox"
	"stateoftictactoe/gen/internal/spec"
	"stateoftictactoe/gen/internal/track"
)

// judging holds the flags of the commands that judge solutions.
type judging struct {
	time    time.Duration
	isolate string
}

func (j *judging) addFlags(cmd *cobra.Command) {
	cmd.Flags().DurationVar(&j.time, "timeout", judge.DefaultTime, "the time limit for a whole submission")
	var choices []string
	for _, i := range isolations {
		choices = append(choices, i.name+": "+i.about)
	}
	cmd.Flags().StringVar(&j.isolate, "isolate", isolations[0].name, strings.Join(choices, "; "))
	complete(cmd, "isolate", completeIsolations)
	complete(cmd, "timeout", cobra.NoFileCompletions)
}

// isolations are the values of --isolate, the default first.
var isolations = []struct{ name, about string }{
	{string(sandbox.AutoIsolation), "contain the solution as far as the system can"},
	{string(sandbox.RequireIsolation), "contain it fully, or do not run it"},
	{string(sandbox.NoIsolation), "do not contain it"},
}

func (j *judging) validate() error {
	var known []string
	for _, i := range isolations {
		known = append(known, i.name)
	}
	if !slices.Contains(known, j.isolate) {
		return fmt.Errorf("--isolate: no isolation %q; %s", j.isolate, spec.Suggest(j.isolate, known))
	}
	if j.time < time.Second {
		return fmt.Errorf("--timeout: %v is too short; give at least 1s", j.time)
	}
	return nil
}

// judged is an exercise with its preparation for judging.
type judged struct {
	*track.Exercise
	prepared *judge.Exercise
}

func (c *command) prepare(e *track.Exercise) (judged, error) {
	if _, tested := e.Unit.Standing[e.Unit.Files.Test]; tested {
		// The standing solution may be the submission, which must not influence the tests.
		delete(e.Unit.Standing, e.Unit.Files.Solution)
	}
	if err := checkTests(e); err != nil {
		return judged{}, err
	}
	prepared, err := judge.NewExercise(e.Language, c.toolchains[e.Language.Facts().Name], e.Unit)
	return judged{e, prepared}, err
}

// checkTests returns an error if an exercise has tests that differ from those that its data
// give: a solution is judged by the data, but its author has read the tests. It trusts a
// test written by hand beside a table, which gen verify proves.
func checkTests(e *track.Exercise) error {
	place := func(name string) string { return track.Show(filepath.Join(e.Dir, filepath.FromSlash(name))) }
	if further := e.FurtherTests(); len(further) > 0 && e.Unit.Settings.Tests != lang.TableTests {
		return fmt.Errorf("%s:1:1: %w", place(further[0]), errTestsByHand)
	}
	standing, found := e.Unit.Standing[e.Unit.Files.Test]
	if !found {
		return nil
	}
	text, err := testOutput(e)
	if err != nil {
		return err
	}
	there, wanted, same := compareTests(e, standing, text.text)
	switch {
	case same:
		return nil
	case isBlank(standing):
		return fmt.Errorf("%s:1:1: the file is empty; write it with gen generate", place(e.Unit.Files.Test))
	case !isGenerated(standing):
		return fmt.Errorf("%s:1:1: %w", place(e.Unit.Files.Test), errTestsByHand)
	}
	return fmt.Errorf("%s:%d:1: these tests differ from those that the exercise's data give: want %s, got %s; bring them up to date with gen generate",
		place(e.Unit.Files.Test), max(there.Line, 1), wanted, there)
}

// errTestsByHand is the error for an exercise whose tests are written by hand.
var errTestsByHand = errors.New("these tests are written by hand, but gen judges by generated tests only; move them away and run gen generate, " +
	"or keep them beside a generated table (see tests = \"table\" in CONTRIBUTING.md)")

// compareTests finds the first difference between the tests in an exercise and those that
// its data give, other than in layout and comments.
func compareTests(e *track.Exercise, standing, made []byte) (there, wanted lang.Token, same bool) {
	if bytes.Equal(standing, made) {
		return there, wanted, true
	}
	syntax := e.Language.Facts().Syntax
	return lang.Difference(syntax.Tokens(standing), syntax.Tokens(made))
}

// judge judges the solution in a folder. A fault of the submission is a verdict; an error
// is a fault of the harness or the system.
func (j *judging) judge(ctx context.Context, e judged, dir string, cases func(i int) bool, done func(judge.Row)) (*judge.Verdict, error) {
	solution, err := e.Submission(dir)
	var submission *track.ErrSubmission
	if errors.As(err, &submission) {
		return &judge.Verdict{Status: judge.Error, Message: submission.Message}, nil
	}
	if err != nil {
		return nil, err
	}
	return e.prepared.Judge(ctx, judge.Job{
		Solution:  solution,
		Time:      j.time,
		Isolation: sandbox.Isolation(j.isolate),
		Hide:      append(e.Folders(), dir),
		Cases:     cases,
		Done:      done,
	})
}

// warnMissing prints a line that names the layers of isolation that are not in force.
func (c *command) warnMissing(missing []sandbox.Standing) {
	var layers []string
	for _, standing := range missing {
		layers = append(layers, standing.String())
	}
	if len(layers) > 0 {
		fmt.Fprintf(c.stderr, "not contained by: %s\n", strings.Join(layers, "; "))
	}
}

// exerciseFor finds the exercise of a submission. It never takes the submission itself,
// which may be forged.
func (c *command) exerciseFor(slug, dir string, language lang.Language) (*track.Exercise, error) {
	found, err := c.folderOf(slug, dir, language)
	if err != nil {
		return nil, err
	}
	checkouts := c.checkouts(dir)
	if found != "" {
		e, err := track.Open(found, track.Source{Languages: c.languages, Language: language, Specs: checkouts})
		if err != nil {
			return nil, err
		}
		if e.Slug != slug {
			return nil, fmt.Errorf("%s: holds the exercise %s, not %s; name the folder of %s with --exercise", track.Show(found), e.Slug, slug, slug)
		}
		return e, nil
	}
	if len(checkouts) == 0 || language == nil {
		if near := spec.Nearest(slug, slugsIn(dir)); near != "" {
			return nil, fmt.Errorf("%s: no exercise %s here; did you mean %s?", track.Show(dir), slug, near)
		}
		return nil, fmt.Errorf("%s: no exercise %s here; name its folder with --exercise, or a checkout of problem-specifications with --specs and the language with --lang", track.Show(dir), slug)
	}
	return track.Published(track.CheckoutOf(slug, checkouts), slug, language)
}

// folderOf finds the folder of an exercise in or below a folder, which may be a track, or
// hold tracks of several languages by name. It returns "" if there is no such exercise.
func (c *command) folderOf(slug, dir string, language lang.Language) (string, error) {
	inTrack := func(dir string) []string {
		return []string{filepath.Join(dir, "exercises", "practice", slug), filepath.Join(dir, slug)}
	}
	first := func(folders []string) string {
		for _, folder := range folders {
			if _, err := os.Stat(filepath.Join(folder, ".meta", "config.json")); err == nil {
				return folder
			}
		}
		return ""
	}
	here := append(inTrack(dir), dir)
	if language != nil {
		below := append(inTrack(filepath.Join(dir, language.Facts().Name)), filepath.Join(dir, "tracks", language.Facts().Name))
		return first(append(below, here...)), nil
	}
	if found := first(here); found != "" {
		return found, nil
	}
	var found, names []string
	for _, l := range c.languages {
		if folder := first(inTrack(filepath.Join(dir, l.Facts().Name))); folder != "" {
			found = append(found, folder)
			names = append(names, l.Facts().Name)
		}
	}
	switch len(found) {
	case 0:
		return "", nil
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("%s: %s is here in %s; name the language with --lang, or at the end of its line in the list",
		track.Show(dir), slug, strings.Join(names, " and "))
}
