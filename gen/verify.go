package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/proof"
	"stateoftictactoe/gen/internal/track"
)

func (c *command) verify() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify [DIR...]",
		Short: "Prove that every test can pass and can fail",
		Long: `Verify runs the tests of each exercise against solutions whose answers are known,
and compares what the tests say with what they must say:

  stub        the student's file as it is handed out: fails every case
  example     the reference solution: passes every case
  oracle      answers from the data: passes every case
  wrong-even  wrong on every second case: fails exactly those
  wrong-odd   wrong on the others: fails exactly those
  constant    the commonest result everywhere: passes only where that is right

It works in a temporary folder and touches no file of an exercise.`,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			return c.runVerify(cmd.Context(), dirs, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per exercise, on a line each")
	c.addSourceFlags(cmd)
	return cmd
}

func (c *command) runVerify(ctx context.Context, dirs []string, asJSON bool) error {
	exercises, err := c.open(dirs)
	if err != nil {
		return err
	}
	byLanguage := map[string][]proof.Item{}
	for _, e := range exercises {
		item, err := item(e)
		if err != nil {
			return err
		}
		byLanguage[e.Language.Name()] = append(byLanguage[e.Language.Name()], item)
	}
	proven := true
	for _, l := range c.languages {
		items := byLanguage[l.Name()]
		if len(items) == 0 {
			continue
		}
		reports, err := c.prove(ctx, l, items)
		if err != nil {
			return err
		}
		for _, r := range reports {
			proven = proven && r.Proven()
			if err := c.printReport(r, asJSON); err != nil {
				return err
			}
		}
	}
	if !proven {
		return errNegative
	}
	return nil
}

// item takes the stub and the example of an exercise from its files.
func item(e *track.Exercise) (proof.Item, error) {
	item := proof.Item{Unit: e.Unit}
	if e.Dir == "" {
		return item, nil
	}
	for path, text := range map[string]*[]byte{
		e.Unit.Files.Solution: &item.Stub,
		e.Unit.Files.Example:  &item.Example,
	} {
		var err error
		*text, err = os.ReadFile(filepath.Join(e.Dir, filepath.FromSlash(path)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return item, err
		}
	}
	return item, nil
}

func (c *command) prove(ctx context.Context, l lang.Language, items []proof.Item) ([]proof.Report, error) {
	return proof.Prove(ctx, l, items, func(int) {})
}

func (c *command) printReport(r proof.Report, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(c.stdout).Encode(r)
	}
	fmt.Fprintf(c.stdout, "%s (%s): %s\n", r.Slug, r.Language, plural(r.Cases, "case"))
	for _, check := range r.Checks {
		verdict := "ok"
		if len(check.Problems) > 0 {
			verdict = "NOT SO"
		}
		fmt.Fprintf(c.stdout, "  %-11s %-32s %s\n", check.Name, check.Claim, verdict)
		for _, problem := range check.Problems {
			fmt.Fprintf(c.stdout, "    %s\n", strings.ReplaceAll(problem, "\n", "\n    "))
		}
	}
	return nil
}
