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

Of the submission only the solution files are read, and further sources beside
them; tests, data, settings and helper files are the exercise's. The answers never
enter the solution's process: the harness compares them with what the solution
returns.

A results.json is of version 3 of the interface: status and message of the whole,
and in tests a row for each case, with

  name       of the test
  status     pass; fail: a wrong answer, or an exception; error: no verdict, as
             after a crash, an exit, or the end of the time
  message    why it does not pass
  output     what the solution printed, cut to 500 characters
  test_code  the code of this test alone
  task_id    the task of the instructions, where the settings name one

The whole passes if every case does. It is an error if no case has a verdict; of
a solution that does not load there are no rows, and message says why.

With --list it judges many submissions, one per line of the file (- is standard
input), each line in the form SLUG INPUT_DIR OUTPUT_DIR, with spaces between them
or, where a path holds spaces, tabs. A line that starts with # is a comment. One
that cannot be judged keeps no other from it; the exit code is then 2.`,
		Args: func(_ *cobra.Command, args []string) error {
			if list == "" && len(args) != 3 || list != "" && len(args) > 0 {
				return errors.New("want SLUG INPUT_DIR OUTPUT_DIR, or --list FILE alone")
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
			switch {
			case list != "" || len(args) > 2:
				return nil, cobra.ShellCompDirectiveNoFileComp
			case len(args) > 0:
				return nil, cobra.ShellCompDirectiveFilterDirs
			}
			slugs := append(slugsIn(exercise), c.publishedSlugs(exercise, nil, "")...)
			return startingWith(start, slugs), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := j.validate(); err != nil {
				return err
			}
			submissions := []submission{}
			if list == "" {
				submissions = append(submissions, submission{args[0], args[1], args[2], ""})
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
	completeFolders(cmd, "exercise")
	j.addFlags(cmd)
	c.addSourceFlags(cmd)
	return cmd
}

// submission is what a test runner is asked to judge.
type submission struct {
	slug, input, output string
	place               string // in a list, in front of an error
}

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
		text := strings.TrimSpace(scanner.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		place := fmt.Sprintf("%s:%d:1: ", name, line)
		fields := strings.Fields(text)
		if strings.Contains(text, "\t") {
			fields = strings.FieldsFunc(text, func(r rune) bool { return r == '\t' })
		}
		if len(fields) != 3 {
			return nil, fmt.Errorf("%swant SLUG INPUT_DIR OUTPUT_DIR, with spaces between them or with tabs", place)
		}
		submissions = append(submissions, submission{fields[0], fields[1], fields[2], place})
	}
	return submissions, scanner.Err()
}

func (c *command) runAll(ctx context.Context, j judging, exerciseDir string, submissions []submission) error {
	if len(submissions) == 0 {
		return errors.New("--list: no submission is listed")
	}
	if _, err := c.asked(); err != nil {
		return err
	}
	type opened struct {
		judged
		err error
	}
	exercises := map[string]opened{}
	for _, s := range submissions {
		if _, known := exercises[s.slug]; known {
			continue
		}
		var o opened
		var e *track.Exercise
		if e, o.err = c.exerciseFor(s.slug, exerciseDir); o.err == nil {
			o.judged, o.err = prepare(e)
		}
		exercises[s.slug] = o
	}
	type judgement struct {
		summary string
		missing []string
		err     error
	}
	// One that cannot be judged keeps no other from it.
	all := inParallel(submissions, func(s submission) judgement {
		e := exercises[s.slug]
		if e.err != nil {
			return judgement{err: e.err}
		}
		v, err := j.judge(ctx, e.judged, s.input, nil)
		if err != nil {
			if at := track.Show(s.input) + ": "; !strings.HasPrefix(err.Error(), at) {
				err = fmt.Errorf("%s%w", at, err)
			}
			return judgement{err: err}
		}
		return judgement{v.Summary(), v.Missing, replace(filepath.Join(s.output, "results.json"), v.Results())}
	})
	var missing []string
	var errs []error
	for i, one := range all {
		if one.err != nil {
			errs = append(errs, fmt.Errorf("%s%w", submissions[i].place, one.err))
			continue
		}
		// The results are in the file, so that this line may get lost.
		fmt.Fprintf(c.stdout.out, "%s %s: %s\n", submissions[i].slug, track.Show(submissions[i].input), one.summary)
		missing = one.missing
	}
	c.warnMissing(missing)
	return errors.Join(errs...)
}
