package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/golang"
	"stateoftictactoe/gen/internal/lang/javascript"
	"stateoftictactoe/gen/internal/track"
)

// languages are those that tests can be written in.
var languages = []lang.Language{golang.Go{}, javascript.JavaScript{}}

// Exit codes.
const (
	exitFine     = 0
	exitNegative = 1
	exitFailed   = 2
)

// errNegative ends a command whose verdict is negative. What there is to say
// has been printed.
var errNegative = errors.New("negative verdict")

// command is what all commands share.
type command struct {
	languages      []lang.Language
	stdout, stderr io.Writer
	language       string // --lang
	specs          string // --specs
}

// run runs the command line and returns the exit code.
func run(ctx context.Context, languages []lang.Language, args []string, stdout, stderr io.Writer) int {
	c := &command{languages: languages, stdout: stdout, stderr: stderr}
	root := c.root()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return exitFine
	case errors.Is(err, errNegative):
		return exitNegative
	}
	fmt.Fprintf(stderr, "gen: %s\n", strings.TrimSpace(err.Error()))
	return exitFailed
}

func (c *command) root() *cobra.Command {
	generate := c.generate()
	root := &cobra.Command{
		Use:   "gen",
		Short: "Write, prove and judge the tests of an exercise",
		Long: `Gen writes the tests of an exercise from its language-neutral data, proves that
each of them can pass and can fail, and judges solutions by them.

Without a command it does what "gen generate ." does.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return generate.RunE(cmd, nil)
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(generate, c.verify())
	return root
}

// addSourceFlags adds the flags that say where an exercise comes from.
func (c *command) addSourceFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.language, "lang", "", "the languages, as in go,python (default: that of each exercise)")
	cmd.Flags().StringVar(&c.specs, "specs", "", "a checkout of problem-specifications")
}

// asked are the languages that --lang names; none if it is not given.
func (c *command) asked() ([]lang.Language, error) {
	if c.language == "" {
		return nil, nil
	}
	var asked []lang.Language
	for name := range strings.SplitSeq(c.language, ",") {
		l, err := c.find(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		asked = append(asked, l)
	}
	return asked, nil
}

func (c *command) find(name string) (lang.Language, error) {
	var known []string
	for _, l := range c.languages {
		if l.Name() == name {
			return l, nil
		}
		known = append(known, l.Name())
	}
	return nil, fmt.Errorf("--lang: no language %q; choose from %s", name, strings.Join(known, ", "))
}

// open reads all exercises that the arguments name, in order. An argument is a
// folder; with --specs it may be the slug of a published exercise, and none
// means all of them. An exercise in a language that is not asked for is passed
// over.
func (c *command) open(args []string) ([]*track.Exercise, error) {
	asked, err := c.asked()
	if err != nil {
		return nil, err
	}
	if len(args) == 0 && c.specs != "" {
		if args, err = track.Slugs(c.specs); err != nil {
			return nil, err
		}
	} else if len(args) == 0 {
		args = []string{"."}
	}
	var exercises []*track.Exercise
	for _, arg := range args {
		if _, err := os.Stat(arg); err != nil && c.specs != "" {
			if len(asked) == 0 {
				return nil, fmt.Errorf("%s: say in which language, with --lang", arg)
			}
			for _, l := range asked {
				e, err := track.Published(c.specs, arg, l)
				if err != nil {
					return nil, err
				}
				exercises = append(exercises, e)
			}
			continue
		}
		found, err := c.openDir(arg, asked)
		if err != nil {
			return nil, err
		}
		exercises = append(exercises, found...)
	}
	return exercises, nil
}

// openDir reads the exercises in a folder.
func (c *command) openDir(dir string, asked []lang.Language) ([]*track.Exercise, error) {
	dirs, err := track.Find(dir)
	if err != nil {
		return nil, err
	}
	source := track.Source{Languages: c.languages, Specs: c.checkouts(dir)}
	var exercises []*track.Exercise
	for _, d := range dirs {
		e, err := track.Open(d, source)
		if err != nil {
			return nil, err
		}
		if len(asked) == 0 || contains(asked, e.Language) {
			exercises = append(exercises, e)
		}
	}
	return exercises, nil
}

func contains(languages []lang.Language, l lang.Language) bool {
	for _, other := range languages {
		if other.Name() == l.Name() {
			return true
		}
	}
	return false
}

// checkouts lists the checkouts of problem-specifications that there are, best
// first: the one that is named, that of the environment, one beside the track,
// and the one that configlet keeps.
func (c *command) checkouts(dir string) []string {
	if c.specs != "" {
		return []string{c.specs}
	}
	candidates := []string{
		os.Getenv("PROBLEM_SPECIFICATIONS"),
		filepath.Join(dir, "..", "problem-specifications"),
	}
	if cache, err := os.UserCacheDir(); err == nil {
		candidates = append(candidates, filepath.Join(cache, "exercism", "configlet", "problem-specifications"))
	}
	var found []string
	for _, path := range candidates {
		if info, err := os.Stat(filepath.Join(path, "exercises")); path != "" && err == nil && info.IsDir() {
			found = append(found, path)
		}
	}
	return found
}

// warnUndecided says which cases of an exercise got no test, and why.
func (c *command) warnUndecided(slug string, u *lang.Unit) {
	for _, undecided := range u.Suite.Undecided {
		fmt.Fprintf(c.stderr, "%s: %q needs a template: %s\n", slug, undecided.Case.Path(), undecided.Reason)
	}
}
