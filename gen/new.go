package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
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
to fill in, and what else the language wants.

SLUG names a published exercise, which is read from a checkout of
problem-specifications. Without it, the data are the canonical-data.json that
stands in the folder. No file that is there is changed; settings in .meta/gen.toml
and cases in .meta/additional_tests.json hold from the start.`,
		Args: cobra.MaximumNArgs(1),
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
	// Before the settings of another exercise are taken for this one's.
	if err := isFree(".meta/config.json"); err != nil {
		return err
	}
	e, err := c.startFrom(args, asked[0])
	if err != nil {
		return err
	}
	outputs, err := newOutputs(e)
	if err != nil {
		return err
	}
	for _, o := range outputs {
		if len(args) == 0 && o.path == "canonical-data.json" {
			continue
		}
		if err := isFree(o.path); err != nil {
			return err
		}
	}
	c.report([]*track.Exercise{e})
	if _, err := c.write(outputs, false); err != nil {
		return err
	}
	fmt.Fprintf(c.stderr, "now fill in %s and run: %s\n", e.Unit.Files.Solution, strings.Join(e.Language.StudentCommand(e.Unit), " "))
	return nil
}

// isFree reports a file where a new exercise's is to be.
func isFree(path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("%s: stands here already; move it away, or start the exercise in another folder", track.Show(path))
}

// startFrom reads the published exercise that is named, else the data here.
func (c *command) startFrom(args []string, l lang.Language) (*track.Exercise, error) {
	source := track.Source{Languages: c.languages, Language: l, Specs: c.checkouts(".")}
	if len(args) == 0 {
		e, err := track.Own(".", source)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, errors.New("name a published exercise, or put a canonical-data.json here")
		}
		return e, err
	}
	if len(source.Specs) == 0 {
		return nil, errNoPublished
	}
	e, err := track.New(".", args[0], source)
	if err != nil {
		return nil, err
	}
	e.MakeFlat()
	return e, nil
}
