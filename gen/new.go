package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/track"
)

func (c *command) newExercise() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new --lang LANGUAGE [SLUG]",
		Short: "Start an exercise in the current folder",
		Long: `New starts an exercise in the current folder: its data, tests.toml, tests, a stub
to fill in, and the other files that the language needs.

SLUG names a published exercise, which is read from a checkout of
problem-specifications. Without SLUG, the data are the canonical-data.json in the
folder.

It uses the files that you have prepared, and changes no file that exists:
tests.toml, settings in .meta/gen.toml, cases in .meta/additional_tests.json, and
texts in .docs.

If an exercise has its data beside it, a second language goes to tracks/LANGUAGE:
run "gen new --lang LANGUAGE" in the exercise's folder or in that folder.`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: c.completeSlug,
		RunE: func(_ *cobra.Command, args []string) error {
			return c.runNew(args)
		},
	}
	c.addSourceFlags(cmd)
	cmd.Flags().Lookup("lang").Usage = "the language, as in go"
	return cmd
}

func (c *command) runNew(args []string) error {
	asked, err := c.asked()
	if err != nil {
		return err
	}
	if len(asked) != 1 {
		return errors.New("name one language, as in --lang go")
	}
	dir, err := c.placeFor(args, asked[0])
	if err != nil {
		return err
	}
	// Otherwise the settings of another exercise would be read for this one.
	if err := isFree(filepath.Join(dir, ".meta", "config.json")); err != nil {
		return err
	}
	e, err := c.startFrom(dir, args, asked[0])
	if err != nil {
		return err
	}
	outputs, err := newOutputs(e)
	if err != nil {
		return err
	}
	for _, o := range outputs {
		if err := isFree(o.path); err != nil {
			return err
		}
	}
	t := &tally{notes: c.notes, alone: true}
	if err := c.deliver(t, []delivery{{e, outputs}}, false); err != nil {
		return err
	}
	where := ""
	if dir != "." {
		where = " in " + track.Show(dir)
	}
	if !e.Unit.HasTests() {
		return nil // without tests there is nothing to run
	}
	fmt.Fprintf(c.stderr, "now fill in %s and run%s: %s\n",
		track.Show(filepath.Join(dir, e.Unit.Files.Solution)), where, strings.Join(e.Language.StudentCommand(e.Unit), " "))
	return nil
}

// placeFor is the folder of a new exercise: the current folder or, if that holds the
// exercise in another language beside its data, the language's folder below it.
func (c *command) placeFor(args []string, l lang.Language) (string, error) {
	for _, name := range []string{".meta/config.json", "canonical-data.json"} {
		if _, err := os.Stat(name); err != nil {
			return ".", nil
		}
	}
	here, err := track.Open(".", track.Source{Languages: c.languages})
	if err != nil || here.Language == l || len(args) > 0 && args[0] != here.Slug {
		return ".", err
	}
	return filepath.Join("tracks", l.Facts().Name), nil
}

// isFree returns an error if a file stands in the place of a new exercise's file.
func isFree(path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("%s already exists; move it away, or start the exercise in another folder", track.Show(path))
}

// startFrom reads the data for a new exercise: the data in its folder or, for a further
// language, in the first language's folder; or else the published exercise that is named.
func (c *command) startFrom(dir string, args []string, l lang.Language) (*track.Exercise, error) {
	source := track.Source{Languages: c.languages, Language: l, Specs: c.checkouts(".")}
	if len(args) == 0 || dir != "." {
		e, err := track.Own(dir, source)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, errors.New("name a published exercise, or put a canonical-data.json here")
		}
		return e, err
	}
	if len(source.Specs) == 0 {
		return nil, errNoPublished
	}
	e, err := track.New(dir, args[0], source)
	if err != nil {
		return nil, err
	}
	e.MakeFlat()
	return e, nil
}
