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
	cmd.Flags().DurationVar(&j.time, "timeout", judge.DefaultTime, "how long all of a submission may take")
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
	{string(sandbox.RequireIsolation), "or do not run it"},
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

// judged is an exercise that is prepared for judging.
type judged struct {
	*track.Exercise
	prepared *judge.Exercise
}

func (c *command) prepare(e *track.Exercise) (judged, error) {
	if _, tested := e.Unit.Standing[e.Unit.Files.Test]; tested {
		// It may be the submission, whose word counts for nothing against the tests'.
		delete(e.Unit.Standing, e.Unit.Files.Solution)
	}
	if err := checkTests(e); err != nil {
		return judged{}, err
	}
	prepared, err := judge.NewExercise(e.Language, c.toolchains[e.Language.Facts().Name], e.Unit)
	return judged{e, prepared}, err
}

// checkTests wants the tests that stand in an exercise, if there are some, to be
// those that its data make: by what these say a solution is judged, and it has to
// be what its author could read. A test written by hand beside a table is taken
// at its word, which gen verify proves.
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
	case !isGenerated(standing):
		return fmt.Errorf("%s:1:1: %w", place(e.Unit.Files.Test), errTestsByHand)
	}
	return fmt.Errorf("%s:%d:1: these are not the tests that the exercise's data make: want %s, got %s; write them anew with gen generate",
		place(e.Unit.Files.Test), max(there.Line, 1), wanted, there)
}

// errTestsByHand says that an exercise has tests that are not ours.
var errTestsByHand = errors.New("these tests are written by hand, and gen judges by generated tests alone; move them away and run gen generate, " +
	"or have a table alone written beside them (see \"Settings\" in CONTRIBUTING.md)")

// compareTests finds where the tests that stand in an exercise say something else
// than those that its data make. Layout and comments say nothing.
func compareTests(e *track.Exercise, standing, made []byte) (there, wanted lang.Token, same bool) {
	if bytes.Equal(standing, made) {
		return there, wanted, true
	}
	syntax := e.Language.Facts().Syntax
	return lang.Difference(syntax.Tokens(standing), syntax.Tokens(made))
}

// judge judges the solution in a folder. What is wrong with the submission is a
// verdict; an error is a fault of ours or of the system's.
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

// warnMissing says in one line which layers of isolation are not in force.
func (c *command) warnMissing(missing []sandbox.Standing) {
	var layers []string
	for _, standing := range missing {
		layers = append(layers, standing.String())
	}
	if len(layers) > 0 {
		fmt.Fprintf(c.stderr, "not contained by: %s\n", strings.Join(layers, "; "))
	}
}

// exerciseFor finds the exercise of a submission: never the submission itself,
// which may have been tampered with.
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

// folderOf finds the folder of an exercise in or below a folder, which may be
// that of a track, or hold tracks of several languages by their names. It is
// empty if there is none.
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
