package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/golang"
	"stateoftictactoe/gen/internal/lang/javascript"
	"stateoftictactoe/gen/internal/lang/python"
	"stateoftictactoe/gen/internal/spec"
	"stateoftictactoe/gen/internal/toolchain"
	"stateoftictactoe/gen/internal/track"
)

// languages lists the languages that tests can be written in, with their toolchains.
var languages = []language{
	{golang.Go{}, toolchain.Go{}},
	{python.Python{}, toolchain.Python{}},
	{javascript.JavaScript{}, toolchain.JavaScript{}},
}

type language struct {
	lang.Language
	toolchain toolchain.Toolchain
}

// writers are the languages without their toolchains.
func writers(languages []language) (writers []lang.Language) {
	for _, l := range languages {
		writers = append(writers, l.Language)
	}
	return writers
}

// Exit codes.
const (
	exitFine     = 0
	exitNegative = 1
	exitFailed   = 2
)

// errNegative ends a command whose verdict is negative, after its output has been printed.
var errNegative = errors.New("negative verdict")

// command holds the flags and streams that all commands share.
type command struct {
	languages  []lang.Language
	toolchains map[string]toolchain.Toolchain // by the language's name
	stdout     *results
	stderr     io.Writer
	notes      *notes // to stderr
	language   string // --lang
	specs      string // --specs
}

// results is standard output. Once a write has failed, it takes no more text, for results
// with a gap are worse than results with an end, and the command fails whatever its
// verdict.
type results struct {
	out io.Writer
	err error
}

func (r *results) Write(text []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.out.Write(text)
	if err != nil {
		r.err = fmt.Errorf("the results could not be written: %w", err)
	}
	return n, r.err
}

// run runs the command line and returns the exit code.
func run(ctx context.Context, languages []language, args []string, stdout, stderr io.Writer) int {
	c := &command{
		languages:  writers(languages),
		toolchains: map[string]toolchain.Toolchain{},
		stdout:     &results{out: stdout},
		stderr:     stderr,
		notes:      &notes{stderr, map[string]bool{}},
	}
	for _, l := range languages {
		c.toolchains[l.Facts().Name] = l.toolchain
	}
	root := c.root()
	root.SetArgs(args)
	root.SetOut(c.stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil || errors.Is(err, errNegative) || errors.Is(err, errFailed) {
		err = cmp.Or(c.stdout.err, err)
	}
	switch {
	case err == nil:
		return exitFine
	case errors.Is(err, errNegative):
		return exitNegative
	case errors.Is(err, errFailed):
		return exitFailed
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

Without a command it does what "gen generate ." does, with the same flags.
"gen completion --help" says how a shell completes commands, languages, exercises
and folders.` + whereData,
		Version: version(),
		Args:    c.isCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return generate.RunE(cmd, nil)
		},
		PersistentPreRunE: refuseEmpty,
		SilenceErrors:     true,
		SilenceUsage:      true,
	}
	root.Flags().AddFlagSet(generate.Flags())
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(c.help())
	root.SetVersionTemplate("gen {{.Version}}\n")
	root.AddCommand(generate, c.verify(), c.newExercise(), c.test(), c.run(), c.docs())
	describeCompletion(root)
	return root
}

// refuseEmpty returns an error for an empty argument or flag: probably a variable of the
// shell without a value.
func refuseEmpty(cmd *cobra.Command, args []string) (err error) {
	if cmd.Hidden {
		return nil // completion asks for what can follow an empty word
	}
	if slices.Contains(args, "") {
		return errors.New("an argument is empty; give it a value, or leave it out")
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && f.Value.String() == "" {
			err = fmt.Errorf("--%s is empty; give it a value, or leave it out", f.Name)
		}
	})
	return err
}

// describeCompletion adds cobra's command for completion, and help that says what a shell
// completes.
func describeCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.Short = "Have a shell complete commands and their arguments"
			cmd.Long = `Completion prints a script for a shell, which then completes with the Tab key

  commands and flags
  languages   of --lang
  exercises   by their folders in the current one, as in gen test; by their slugs
              where published ones are meant, as in gen new
  folders     of --exercise, --out and --specs
  choices     of --isolate

For bash, "source <(gen completion bash)" does so in this session. The help of
each shell, as in "gen completion bash --help", says how all sessions get it.`
		}
	}
}

// isCommand returns an error for an argument in the place of a command that is none.
func (c *command) isCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
		return fmt.Errorf("unknown command %q for \"gen\"; put a command before the folder, as in gen generate %s", args[0], args[0])
	}
	return fmt.Errorf("unknown command %q for \"gen\"; %s", args[0], spec.Suggest(args[0], commands(root)))
}

// commands lists the names of all commands.
func commands(root *cobra.Command) (names []string) {
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() {
			names = append(names, cmd.Name())
		}
	}
	return names
}

// help is cobra's help command, except that a misspelt name is an error.
func (c *command) help() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Say what a command does",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return startingWith(start, commands(cmd.Root())), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			about, _, err := root.Find(args)
			if err != nil {
				return err
			}
			if about == root && len(args) > 0 {
				return fmt.Errorf("unknown command %q for \"gen\"; %s", args[0], spec.Suggest(args[0], commands(root)))
			}
			about.InitDefaultHelpFlag()
			about.InitDefaultVersionFlag()
			return about.Help()
		},
	}
}

// flagError adds advice to an error about a flag.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		if near := spec.Nearest(unknown.GetSpecifiedName(), known); near != "" && unknown.GetSpecifiedShortnames() == "" {
			return fmt.Errorf("%w; did you mean --%s?", err, near)
		}
		return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
	}
	if strings.Contains(err.Error(), " duration \"") {
		return fmt.Errorf("%w; give it with a unit, as in 5s", err)
	}
	return err
}

// whereData is the part of a command's help that says where it looks for data.
const whereData = `

The data of an exercise lie in its folder, or else come from the first of these
checkouts of Exercism's problem-specifications that has the exercise:

  the folder that --specs names; if it is given, no other is read
  the folder that the variable PROBLEM_SPECIFICATIONS names
  a folder problem-specifications beside the exercise or its track, or beside
  a folder around them, the nearest first
  the checkout that configlet keeps in the user's cache folder`

// addSourceFlags adds the flags that say where an exercise comes from.
func (c *command) addSourceFlags(cmd *cobra.Command) {
	cmd.Long += whereData
	cmd.Flags().StringVar(&c.language, "lang", "", "the languages, as in go,python (default: the language of each exercise)")
	cmd.Flags().StringVar(&c.specs, "specs", "", "a checkout of problem-specifications (default: found as above)")
	complete(cmd, "lang", c.completeLanguages)
	completeFolders(cmd, "specs")
}

// asked are the languages that --lang names, or nil without --lang.
func (c *command) asked() ([]lang.Language, error) {
	if c.language == "" {
		return nil, nil
	}
	var asked []lang.Language
	for name := range strings.SplitSeq(c.language, ",") {
		l, err := c.find(strings.TrimSpace(name))
		if err != nil {
			return nil, fmt.Errorf("--lang: %w", err)
		}
		if !slices.Contains(asked, l) {
			asked = append(asked, l)
		}
	}
	return asked, nil
}

func (c *command) find(name string) (lang.Language, error) {
	var known []string
	for _, l := range c.languages {
		if l.Facts().Name == name {
			return l, nil
		}
		known = append(known, l.Facts().Name)
	}
	return nil, fmt.Errorf("no language %q; %s", name, spec.Suggest(name, known))
}

// opener reads one exercise.
type opener struct {
	key  string // is the same for the same exercise
	open func() (*track.Exercise, error)
}

// distinct returns the items without those whose key an earlier item has.
func distinct[T any](items []T, key func(T) string) []T {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(items), func(item T) bool {
		k := key(item)
		again := seen[k]
		seen[k] = true
		return again
	})
}

// absolute is the absolute path of a folder, or the path as given if there is none.
func absolute(dir string) string {
	if path, err := filepath.Abs(dir); err == nil {
		return path
	}
	return dir
}

// open reads all exercises that the arguments name, in order, and adds to the tally those
// that it cannot read. An argument is a folder; with --specs it may be the slug of a
// published exercise, and no argument means all published exercises. Exercises in
// languages that are not asked for are left out.
func (c *command) open(args []string) ([]*track.Exercise, *tally, error) {
	asked, err := c.asked()
	if err != nil {
		return nil, nil, err
	}
	t := &tally{notes: c.notes}
	if len(args) == 0 && c.specs != "" {
		t.isTrack = true
		if args, err = track.Slugs(c.specs); err != nil {
			return nil, nil, err
		}
	} else if len(args) == 0 {
		args = []string{"."}
	}
	var openers []opener
	var unknown []error
	for _, arg := range distinct(args, absolute) {
		more, isTrack, err := c.openers(arg, asked)
		if err != nil {
			unknown = append(unknown, err)
			continue
		}
		openers = append(openers, more...)
		t.isTrack = t.isTrack || isTrack
	}
	openers = distinct(openers, func(o opener) string { return o.key })
	t.alone = len(openers)+len(unknown) == 1 && !t.isTrack
	for _, err := range unknown {
		t.add(err)
	}
	opened := try(openers, func(o opener) (*track.Exercise, error) { return o.open() })
	lacksCheckout := func(o outcome[*track.Exercise]) bool { return errors.Is(o.err, track.ErrNoCheckout) }
	hasFailed := func(o outcome[*track.Exercise]) bool { return o.err != nil }
	if !t.alone && slices.ContainsFunc(opened, lacksCheckout) && every(opened, hasFailed) {
		// Without a checkout nothing can be done: a single line says so best.
		t.add(errNoPublished)
		opened = slices.DeleteFunc(opened, lacksCheckout)
	}
	exercises := sift(t, opened)
	exercises = slices.DeleteFunc(exercises, func(e *track.Exercise) bool {
		return len(asked) > 0 && !slices.Contains(asked, e.Language)
	})
	if len(exercises) == 0 && len(asked) > 0 && t.broken+len(t.passed) == 0 {
		return nil, nil, fmt.Errorf("--lang: no exercise in %s here", c.language)
	}
	return exercises, t, nil
}

// openers returns functions that read the exercises that an argument names, and reports
// whether the argument is a track, not an exercise.
func (c *command) openers(arg string, asked []lang.Language) (openers []opener, isTrack bool, err error) {
	if _, err := os.Stat(arg); err != nil && c.specs != "" {
		if len(asked) == 0 {
			return nil, false, fmt.Errorf("%s: name the languages with --lang", arg)
		}
		for _, l := range asked {
			openers = append(openers, opener{l.Facts().Name + ":" + arg, func() (*track.Exercise, error) { return track.Published(c.specs, arg, l) }})
		}
		return openers, false, nil
	}
	dirs, err := track.Find(arg)
	if err != nil {
		return nil, false, err
	}
	source := track.Source{Languages: c.languages, Specs: c.checkouts(arg)}
	for _, dir := range dirs {
		openers = append(openers, opener{absolute(dir), func() (*track.Exercise, error) { return track.Open(dir, source) }})
	}
	return openers, dirs[0] != filepath.Clean(arg), nil
}

// every reports whether something holds for all items.
func every[T any](items []T, holds func(T) bool) bool {
	return !slices.ContainsFunc(items, func(item T) bool { return !holds(item) })
}

// inParallel calls f for each item on all cores and returns the results in the
// order of the items.
func inParallel[T, R any](items []T, f func(T) R) []R {
	results := make([]R, len(items))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, item := range items {
		group.Go(func() error {
			results[i] = f(item)
			return nil
		})
	}
	group.Wait()
	return results
}

// errNoPublished is the error if there is no checkout of problem-specifications.
var errNoPublished = errors.New("no published data found; name a checkout of problem-specifications with --specs or in PROBLEM_SPECIFICATIONS")

// checkouts lists the existing checkouts of problem-specifications, best first, as
// whereData says.
func (c *command) checkouts(dir string) []string {
	if c.specs != "" {
		return []string{c.specs}
	}
	var found, candidates []string
	if named := os.Getenv("PROBLEM_SPECIFICATIONS"); named != "" {
		found = append(found, named) // even if it is no checkout, so that an error names it
	}
	for _, path := range track.Paths(dir) {
		for {
			candidates = append(candidates, filepath.Join(path, "problem-specifications"))
			parent := filepath.Dir(path)
			if parent == path {
				break
			}
			path = parent
		}
	}
	if cache, err := os.UserCacheDir(); err == nil {
		candidates = append(candidates, filepath.Join(cache, "exercism", "configlet", "problem-specifications"))
	}
	for _, path := range candidates {
		if info, err := os.Stat(filepath.Join(path, "exercises")); err == nil && info.IsDir() && !slices.Contains(found, path) {
			found = append(found, path)
		}
	}
	return found
}
