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
stands in the folder. No file that is there is changed.`,
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
	e, err := c.startFrom(args, asked[0])
	if err != nil {
		return err
	}
	outputs, err := newOutputs(e, ".")
	if err != nil {
		return err
	}
	for _, o := range outputs {
		if _, err := os.Lstat(o.path); !errors.Is(err, fs.ErrNotExist) && !(len(args) == 0 && o.path == "canonical-data.json") {
			return fmt.Errorf("%s: stands here already; start the exercise in an empty folder", track.Show(o.path))
		}
	}
	c.report([]*track.Exercise{e})
	if _, err := c.write(outputs, false); err != nil {
		return err
	}
	fmt.Fprintf(c.stderr, "now fill in %s and run: %s\n", e.Unit.Files.Solution, strings.Join(e.Language.StudentCommand(e.Unit), " "))
	return nil
}

// startFrom reads the published exercise that is named, else the data here.
func (c *command) startFrom(args []string, l lang.Language) (*track.Exercise, error) {
	if len(args) == 0 {
		e, err := track.Own(".", l)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, errors.New("name a published exercise, or put a canonical-data.json here")
		}
		return e, err
	}
	checkouts := c.checkouts(".")
	if len(checkouts) == 0 {
		return nil, errors.New("no published data found; name a checkout of problem-specifications with --specs or in PROBLEM_SPECIFICATIONS")
	}
	e, err := track.Published(checkouts[0], args[0], l)
	if err != nil {
		return nil, err
	}
	e.MakeFlat()
	return e, nil
}
