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

const runHelp = `Run judges the solution in INPUT_DIR and writes OUTPUT_DIR/results.json. Its exit
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
input), each line in the form SLUG INPUT_DIR OUTPUT_DIR [LANGUAGE], with spaces
between them or, where a path holds spaces, tabs. A line that starts with # is a
comment. Without LANGUAGE it is that of --lang, or that of the exercise. The folder
that --exercise names may then hold a track of each language, as go/ and python/.
No two lines have one output folder, and none lies in what another line submits.
A submission that cannot be judged keeps no other from it; the exit code is then 2.
The last line counts the verdicts.

A results.json of an earlier run is removed first, so that a submission that cannot
be judged has none. A list with a line that cannot be read is refused as a whole,
and nothing is removed.

The tests that stand in the exercise must be those that "gen generate" writes,
whatever their layout: a submission is not judged by what its tests do not say.`

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

// submission is what a test runner is asked to judge.
type submission struct {
	slug, input, output string
	language            lang.Language // or nil to find out
	place               string        // in a list, in front of an error
}

// results is the path of the file that gets the verdict.
func (s submission) results() string { return filepath.Join(s.output, "results.json") }

// exercise tells the submissions of one exercise in one language from others.
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
	// Results must not be read as a part of another submission. Its own is read before.
	for i, output := range outputs {
		for folder, at := output, ""; folder != at; folder, at = filepath.Dir(folder), folder {
			for _, other := range inputs[folder] {
				if other != lines[output] {
					s := submissions[i]
					return nil, fmt.Errorf("%s%s lies in what line %d submits; write the results elsewhere", s.place, track.Show(s.output), other)
				}
			}
		}
	}
	return submissions, scanner.Err()
}

// realFolder is equal for all names of a folder, which need not be there yet.
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
		return strings.ToLower(path) // there, A and a are one folder
	}
	return path
}

// opened is an exercise that submissions are judged by, or why there is none.
type opened struct {
	judged
	err error
}

// openAll opens the exercises of some submissions, each once.
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

// judgement is what came of a submission.
type judgement struct {
	verdict *judge.Verdict
	err     error
}

func (c *command) runAll(ctx context.Context, j judging, exerciseDir string, submissions []submission) error {
	if len(submissions) == 0 {
		return errors.New("--list: no submission is listed")
	}
	// First of all: no error may leave the verdict of an earlier run in place.
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
	// One that cannot be judged keeps no other from it.
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

// printRun says what came of each submission, and counts the verdicts of a list.
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
		// The results are in the file, so that this line may get lost.
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
