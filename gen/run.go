package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"stateoftictactoe/gen/internal/judge"
	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/sandbox"
	"stateoftictactoe/gen/internal/spec"
	"stateoftictactoe/gen/internal/track"
)

const runHelp = `Run judges the solution in INPUT_DIR and writes OUTPUT_DIR/results.json. The exit
code is 0 once the file is written, whatever the verdict.

It reads only the solution files of the submission, and further sources beside
them; tests, data, settings and helper files come from the exercise. The expected
results never enter the solution's process: the harness compares them with the
results that the solution returns.

A results.json has version 3 of Exercism's interface: status and message of the
submission, and in tests a row for each case, with

  name       the name of the test
  status     pass; fail: a wrong answer, or an exception; error: no answer, as
             after a crash, an exit, or the end of the time
  message    why the case does not pass
  output     the solution's output, cut to 500 characters
  test_code  the code of this test alone
  task_id    the task of the instructions, if the settings name one

The submission passes if every case does. Its status is error if no case has an
answer; a solution that does not load has no rows, and message says why.

With --list it judges many submissions, one per line of the file (- is standard
input), each line in the form SLUG INPUT_DIR OUTPUT_DIR [LANGUAGE], separated by
spaces or, if a path holds spaces, by tabs. A line that starts with # is a comment.
Without LANGUAGE, the language is that of --lang or of the exercise. The folder
that --exercise names may hold a track of each language, as go/ and python/. Each
line needs an output folder of its own, outside of the other lines' input folders.
If a submission cannot be judged, the others are, and the exit code is 2. The last
line counts the verdicts.

Run first removes a results.json of an earlier run, so that a submission that
cannot be judged has none. If a line of a list cannot be read, run refuses the
whole list and removes nothing.

The tests in the exercise must be those that "gen generate" writes, whatever their
layout: a submission is judged only by tests that its author could read.`

func (c *command) run() *cobra.Command {
	var j judging
	var exercise, list string
	cmd := &cobra.Command{
		Use:   "run {SLUG INPUT_DIR OUTPUT_DIR | --list FILE}",
		Short: "Judge a submission as a test runner of Exercism's does",
		Long:  runHelp,
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
			submissions := []submission{}
			if list == "" {
				submissions = append(submissions, submission{slug: args[0], input: args[1], output: args[2]})
			} else {
				var err error
				if submissions, err = c.readList(cmd, list); err != nil {
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

// submission is a submission to judge.
type submission struct {
	slug, input, output string
	language            lang.Language // or nil to find out
	place               string        // its place in a list, in front of an error
}

// results is the path of the file that gets the verdict.
func (s submission) results() string { return filepath.Join(s.output, "results.json") }

// exercise is a key that the submissions of one exercise in one language share.
func (s submission) exercise() string {
	if s.language == nil {
		return s.slug
	}
	return s.slug + " " + s.language.Facts().Name
}

func (c *command) readList(cmd *cobra.Command, name string) ([]submission, error) {
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
	lines := map[string]int{}    // by output folder
	inputs := map[string][]int{} // the lines with an input folder
	var outputs []string
	scanner := bufio.NewScanner(in)
	for line := 1; scanner.Scan(); line++ {
		text := strings.TrimSpace(string(spec.PlainText(scanner.Bytes())))
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		place := fmt.Sprintf("%s:%d:1: ", name, line)
		fields, hint := strings.Fields(text), "; where a path holds spaces, write tabs between"
		if strings.Contains(text, "\t") {
			fields, hint = strings.FieldsFunc(text, func(r rune) bool { return r == '\t' }), ""
		}
		if len(fields) != 3 && len(fields) != 4 {
			return nil, fmt.Errorf("%swant SLUG INPUT_DIR OUTPUT_DIR [LANGUAGE], with spaces between them or with tabs%s", place, hint)
		}
		s := submission{slug: fields[0], input: fields[1], output: fields[2], place: place}
		if len(fields) == 4 {
			var err error
			if s.language, err = c.find(fields[3]); err != nil {
				return nil, fmt.Errorf("%s%w%s", place, err, hint)
			}
		}
		output := realFolder(s.output)
		if other := lines[output]; other > 0 {
			return nil, fmt.Errorf("%s%s is the output folder of line %d too; give each line its own", place, track.Show(s.output), other)
		}
		lines[output] = line
		input := realFolder(s.input)
		inputs[input] = append(inputs[input], line)
		outputs = append(outputs, output)
		submissions = append(submissions, s)
	}
	// Results must not be read as a part of another submission. The submission itself has
	// been read before they are written.
	for i, output := range outputs {
		for folder, at := output, ""; folder != at; folder, at = filepath.Dir(folder), folder {
			for _, other := range inputs[folder] {
				if other != lines[output] {
					s := submissions[i]
					return nil, fmt.Errorf("%s%s lies in the input folder of line %d; write the results elsewhere", s.place, track.Show(s.output), other)
				}
			}
		}
	}
	return submissions, scanner.Err()
}

// realFolder returns the same path for all names of a folder, which need not exist yet.
func realFolder(path string) string {
	const mostLinks = 40
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	for range mostLinks {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
			break
		}
		target, err := os.Readlink(path)
		if err != nil {
			if parent := filepath.Dir(path); parent != path {
				path = filepath.Join(realFolder(parent), filepath.Base(path))
			}
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return strings.ToLower(path) // these systems take A and a for the same folder
	}
	return path
}

// opened is an exercise that submissions are judged by, or an error.
type opened struct {
	judged
	err error
}

// openAll opens the exercises of submissions, each once.
func (c *command) openAll(exerciseDir string, submissions []submission) map[string]opened {
	exercises := map[string]opened{}
	for _, s := range submissions {
		if _, known := exercises[s.exercise()]; known {
			continue
		}
		var o opened
		var e *track.Exercise
		if e, o.err = c.exerciseFor(s.slug, exerciseDir, s.language); o.err == nil {
			o.judged, o.err = c.prepare(e)
		}
		exercises[s.exercise()] = o
	}
	return exercises
}

// judgement is the verdict on a submission, or an error.
type judgement struct {
	verdict *judge.Verdict
	err     error
}

func (c *command) runAll(ctx context.Context, j judging, exerciseDir string, submissions []submission) error {
	if len(submissions) == 0 {
		return errors.New("--list: no submission is listed")
	}
	// Remove first: no error may leave the verdict of an earlier run in place.
	uncleared := map[string]error{} // by output folder
	for _, s := range submissions {
		uncleared[s.output] = removeOld(s.results())
	}
	if err := j.validate(); err != nil {
		return err
	}
	asked, err := c.asked()
	if err != nil {
		return err
	}
	if len(asked) > 1 {
		return errors.New("--lang: name one language; each line of a list may have its own")
	}
	for i := range submissions {
		if submissions[i].language == nil && len(asked) == 1 {
			submissions[i].language = asked[0]
		}
	}
	exercises := c.openAll(exerciseDir, submissions)
	// If a submission cannot be judged, the others are.
	all := inParallel(submissions, func(s submission) judgement {
		e := exercises[s.exercise()]
		if err := cmp.Or(uncleared[s.output], e.err); err != nil {
			return judgement{err: err}
		}
		v, err := j.judge(ctx, e.judged, s.input, nil, nil)
		if err != nil {
			if at := track.Show(s.input) + ": "; !strings.HasPrefix(err.Error(), at) {
				err = fmt.Errorf("%s%w", at, err)
			}
			return judgement{err: err}
		}
		return judgement{v, replace(s.results(), v.Results())}
	})
	return c.printRun(submissions, all)
}

// printRun prints each verdict or error, and counts the verdicts of a list.
func (c *command) printRun(submissions []submission, all []judgement) error {
	var missing []sandbox.Standing
	t := &tally{notes: c.notes, alone: true}
	counts := map[judge.Status]int{}
	for i, one := range all {
		if one.err != nil {
			t.add(fmt.Errorf("%s%w", submissions[i].place, one.err))
			continue
		}
		counts[one.verdict.Status]++
		// The results are in the file, so this line may get lost.
		fmt.Fprintf(c.stdout.out, "%s %s: %s\n", submissions[i].slug, track.Show(submissions[i].input), one.verdict.Summary())
		missing = one.verdict.Missing
	}
	if submissions[0].place != "" { // they come from a list
		notJudged := ""
		if t.broken > 0 {
			notJudged = fmt.Sprintf("; not judged: %d", t.broken)
		}
		fmt.Fprintf(c.stdout.out, "%d judged: %d pass, %d fail, %d error%s\n",
			len(submissions)-t.broken, counts[judge.Pass], counts[judge.Fail], counts[judge.Error], notJudged)
	}
	c.warnMissing(missing)
	return t.verdict(false)
}
