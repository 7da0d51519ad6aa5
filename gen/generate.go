package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
)

func (c *command) generate() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "generate [DIR...]",
		Short: "Write the tests of exercises from their data",
		Long: `Generate writes the test file of each exercise that the folders hold, from its
canonical data, tests.toml and settings. A folder is one exercise or a track; the
default is the current one. A file that is in sync is not touched.`,
		RunE: func(_ *cobra.Command, dirs []string) error {
			return c.runGenerate(dirs, check)
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; show what would change, and exit with 1 if anything would")
	c.addSourceFlags(cmd)
	return cmd
}

// output is a file that belongs at a path.
type output struct {
	path  string
	text  []byte
	cases int
}

func (c *command) runGenerate(dirs []string, check bool) error {
	exercises, err := c.open(dirs)
	if err != nil {
		return err
	}
	var outputs []output
	unlisted := 0
	for _, e := range exercises {
		for _, missing := range e.Unlisted {
			unlisted++
			fmt.Fprintf(c.stderr, "%s: new case %s (%q) is not in tests.toml; list it there, or exclude it with include = false\n",
				show(e.Dir), missing.UUID, missing.Path())
		}
		c.warnUndecided(e.Slug, e.Unit)
		text, err := e.Language.Tests(e.Unit)
		if err != nil {
			return fmt.Errorf("%s: write %s tests: %w", show(e.Dir), e.Language.Title(), err)
		}
		path := filepath.Join(e.Dir, filepath.FromSlash(e.Unit.Files.Test))
		outputs = append(outputs, output{path, text, len(e.Unit.Names)})
	}
	differs, err := c.write(outputs, check)
	if err != nil {
		return err
	}
	if check && (differs || unlisted > 0) {
		return errNegative
	}
	return nil
}

// write puts outputs in their places, or shows what would change. No file is
// touched before all are known to be ours.
func (c *command) write(outputs []output, check bool) (differs bool, err error) {
	changes := make([]change, len(outputs))
	olds := make([][]byte, len(outputs))
	for i, o := range outputs {
		if changes[i], olds[i], err = compare(o.path, o.text); err != nil {
			return false, err
		}
	}
	for i, o := range outputs {
		switch {
		case changes[i] == unchanged:
			fmt.Fprintf(c.stdout, "%s is up to date (%s)\n", show(o.path), plural(o.cases, "case"))
		case check:
			differs = true
			fmt.Fprintf(c.stdout, "%s would change\n%s", show(o.path), difference(o.path, olds[i], o.text))
		default:
			if err := replace(o.path, o.text); err != nil {
				return false, err
			}
			fmt.Fprintf(c.stdout, "%s written (%s)\n", show(o.path), plural(o.cases, "case"))
		}
	}
	return differs, nil
}
