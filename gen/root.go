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
	"stateoftictactoe/gen/internal/track"
)

// languages are those that tests can be written in.
var languages = []lang.Language{golang.Go{}}

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

// open reads all exercises in the given folders, in order. An exercise in a
// language that is not asked for is passed over.
func (c *command) open(dirs []string) ([]*track.Exercise, error) {
	asked, err := c.asked()
	if err != nil {
		return nil, err
	}
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	var exercises []*track.Exercise
	for _, dir := range dirs {
		found, err := track.Find(dir)
		if err != nil {
			return nil, err
		}
		for _, exerciseDir := range found {
			e, err := track.Open(exerciseDir, track.Source{
				Languages: c.languages,
				Specs:     c.checkouts(dir),
			})
			if err != nil {
				return nil, err
			}
			if len(asked) == 0 || contains(asked, e.Language) {
				exercises = append(exercises, e)
			}
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
