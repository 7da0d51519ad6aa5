package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"stateoftictactoe/gen/internal/track"
)

func (c *command) run() *cobra.Command {
	var j judging
	var exercise, list string
	cmd := &cobra.Command{
		Use:   "run {SLUG INPUT_DIR OUTPUT_DIR | --list FILE}",
		Short: "Judge a submission as a test runner of Exercism's does",
		Long: `Run judges the solution in INPUT_DIR and writes OUTPUT_DIR/results.json. Its exit
code is 0 once that is written, whatever the verdict.

Of the submission only the solution files are read. The answers never enter the
solution's process: the harness compares them with what the solution returns.

With --list it judges many submissions, one per line of the file (- is standard
input), each line in the form SLUG INPUT_DIR OUTPUT_DIR.`,
		Args: func(_ *cobra.Command, args []string) error {
			if list == "" && len(args) != 3 || list != "" && len(args) > 0 {
				return errors.New("want SLUG INPUT_DIR OUTPUT_DIR, or --list FILE alone")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := j.validate(); err != nil {
				return err
			}
			submissions := []submission{}
			if list == "" {
				submissions = append(submissions, submission{args[0], args[1], args[2]})
			} else {
				var err error
				if submissions, err = readList(cmd, list); err != nil {
					return err
				}
			}
			return c.runAll(cmd.Context(), j, exercise, submissions)
		},
	}
	cmd.Flags().StringVar(&exercise, "exercise", ".", "the folder of the exercise, or of the track that holds it")
	cmd.Flags().StringVar(&list, "list", "", "judge the submissions that a file lists")
	j.addFlags(cmd)
	c.addSourceFlags(cmd)
	return cmd
}

// submission is what a test runner is asked to judge.
type submission struct{ slug, input, output string }

func readList(cmd *cobra.Command, name string) ([]submission, error) {
	in := cmd.InOrStdin()
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("--list: %w", err)
		}
		defer f.Close()
		in = f
	}
	var submissions []submission
	scanner := bufio.NewScanner(in)
	for line := 1; scanner.Scan(); line++ {
		fields := strings.Fields(scanner.Text())
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 3 {
			return nil, fmt.Errorf("%s:%d:1: want SLUG INPUT_DIR OUTPUT_DIR", name, line)
		}
		submissions = append(submissions, submission{fields[0], fields[1], fields[2]})
	}
	return submissions, scanner.Err()
}

func (c *command) runAll(ctx context.Context, j judging, exerciseDir string, submissions []submission) error {
	exercises := map[string]judged{}
	for _, s := range submissions {
		if _, known := exercises[s.slug]; known {
			continue
		}
		e, err := c.exerciseFor(s.slug, exerciseDir)
		if err != nil {
			return err
		}
		if exercises[s.slug], err = prepare(e); err != nil {
			return err
		}
	}
	if len(submissions) == 0 {
		return errors.New("--list: no submission is listed")
	}
	type outcome struct {
		summary string
		missing []string
		err     error
	}
	// One that cannot be judged keeps no other from it.
	all, err := inParallel(submissions, func(s submission) (outcome, error) {
		v, err := j.judge(ctx, exercises[s.slug], s.input, nil)
		if err != nil {
			if at := track.Show(s.input) + ": "; !strings.HasPrefix(err.Error(), at) {
				err = fmt.Errorf("%s%w", at, err)
			}
			return outcome{err: err}, nil
		}
		return outcome{v.Summary(), v.Missing, replace(filepath.Join(s.output, "results.json"), v.Results())}, nil
	})
	if err != nil {
		return err
	}
	var missing []string
	var errs []error
	for i, one := range all {
		if one.err != nil {
			errs = append(errs, one.err)
			continue
		}
		// The results are in the file, so that this line may get lost.
		fmt.Fprintf(c.stdout.out, "%s %s: %s\n", submissions[i].slug, track.Show(submissions[i].input), one.summary)
		missing = one.missing
	}
	c.warnMissing(missing)
	return errors.Join(errs...)
}
