package main

import (
	"context"
	"crypto/rand"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"stateoftictactoe/gen/internal/judge"
	"stateoftictactoe/gen/internal/spec"
	"stateoftictactoe/gen/internal/track"
)

func (c *command) test() *cobra.Command {
	var j judging
	var o testOptions
	cmd := &cobra.Command{
		Use:   "test [DIR]",
		Short: "Judge the solution in a folder, for a person",
		Long: `Test judges the solution in the folder of an exercise, and shows the first
failures in full, or with --all all failures. The expected results never enter the
solution's process.

The exit code is 0 if every case passes, and 1 if a case does not.`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: c.completeExercise,
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			return c.runTest(cmd.Context(), j, o, dir)
		},
	}
	cmd.Flags().StringVar(&o.results, "results", "", "also write a results.json to this file")
	cmd.Flags().StringVar(&o.junit, "junit", "", "also write a JUnit report to this file")
	cmd.Flags().BoolVar(&o.all, "all", false, "show all failures in full")
	cmd.Flags().StringVar(&o.only, "case", "", "try only the cases whose name, or a group around it, contains this text")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the results.json instead of a summary")
	j.addFlags(cmd)
	c.addSourceFlags(cmd)
	return cmd
}

type testOptions struct {
	results, junit string
	json, all      bool
	only           string // a text in the names of the cases to try, or "" for all cases
}

func (c *command) runTest(ctx context.Context, j judging, o testOptions, dir string) error {
	for _, path := range []string{o.results, o.junit} {
		if path == "" {
			continue
		}
		if err := removeOld(path); err != nil {
			return err
		}
	}
	if err := j.validate(); err != nil {
		return err
	}
	asked, err := c.asked()
	if err != nil {
		return err
	}
	source := track.Source{Languages: c.languages, Specs: c.checkouts(dir)}
	if len(asked) > 0 {
		source.Language = asked[0]
	}
	e, err := track.Open(dir, source)
	if err != nil {
		return err
	}
	prepared, err := c.prepare(e)
	if err != nil {
		return err
	}
	cases, count, err := picked(prepared.prepared, o.only)
	if err != nil {
		return err
	}
	progress := newProgress(c.stderr, e.Slug, count)
	var lock sync.Mutex
	done := 0
	verdict, err := j.judge(ctx, prepared, dir, cases, func(judge.Row) {
		lock.Lock()
		defer lock.Unlock()
		done++
		progress.done(done)
	})
	progress.end()
	if err != nil {
		return err
	}
	if err := c.writeVerdict(e, verdict, o); err != nil {
		return err
	}
	c.warnMissing(verdict.Missing)
	if verdict.Status != judge.Pass {
		return errNegative
	}
	return nil
}

// writeVerdict writes a verdict in the forms that the options name.
func (c *command) writeVerdict(e *track.Exercise, verdict *judge.Verdict, o testOptions) error {
	if o.results != "" {
		if err := replace(o.results, verdict.Results()); err != nil {
			return err
		}
	}
	if o.junit != "" {
		text, err := junit(e.Slug, verdict)
		if err != nil {
			return err
		}
		if err := replace(o.junit, text); err != nil {
			return err
		}
	}
	if o.json {
		_, err := c.stdout.Write(verdict.Results())
		return err
	}
	c.printVerdict(e, verdict, o.all)
	return nil
}

// picked returns which cases have a text in their names, and how many.
func picked(e *judge.Exercise, text string) (cases func(i int) bool, count int, err error) {
	names, err := e.Paths()
	if err != nil {
		return nil, 0, err
	}
	cases = func(i int) bool { return strings.Contains(names[i], text) }
	for i := range names {
		if cases(i) {
			count++
		}
	}
	if count == 0 {
		none := fmt.Sprintf("--case: none of the %s has %q in its name", plural(len(names), "case"), text)
		if near := nearNames(text, names); len(near) > 0 {
			return nil, 0, fmt.Errorf("%s; near it: %s", none, strings.Join(near, ", "))
		}
		return nil, 0, fmt.Errorf("%s, and no name is near it; gen test --all shows the names of those that do not pass", none)
	}
	return cases, count, nil
}

// nearNames lists, in quotes, the names that share the most words with a text, and more
// than half of its words. Words may be misspelt, so short words count only if equal.
func nearNames(text string, names []string) []string {
	const most = 3
	words := func(name string) []string {
		return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	shared := map[string]int{}
	for _, name := range names {
		for _, word := range words(text) {
			known := slices.DeleteFunc(words(name), func(w string) bool { return len(w) <= 2 && w != word })
			if spec.Nearest(word, known) != "" {
				shared[name]++
			}
		}
	}
	near := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return 2*shared[name] <= len(words(text)) })
	slices.SortStableFunc(near, func(a, b string) int { return shared[b] - shared[a] })
	near = near[:min(most, len(near))]
	for i, name := range near {
		near[i] = strconv.Quote(name)
	}
	return near
}

// fullFailures is how many failures are shown in full without --all.
const fullFailures = 3

func (c *command) printVerdict(e *track.Exercise, v *judge.Verdict, all bool) {
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		// A solution's output may look like a command to GitHub. GitHub ignores commands
		// until it reads a word that nobody can guess.
		word := rand.Text()
		fmt.Fprintf(c.stdout, "::stop-commands::%s\n", word)
		defer func() {
			fmt.Fprintf(c.stdout, "::%s::\n", word)
			c.annotate(e, v)
		}()
	}
	paint := painter(c.stdout.out)
	shown, more := 0, 0
	for _, row := range v.Rows {
		if row.Status == judge.Pass {
			continue
		}
		if shown == fullFailures && !all {
			more++
			continue
		}
		shown++
		fmt.Fprintf(c.stdout, "%s %s\n%s\n", paint(red, string(row.Status)), row.Title(), indent(row.Message))
		if row.Output != "" {
			fmt.Fprintf(c.stdout, "    it printed:\n%s\n", indent(indent(strings.TrimRight(judge.Shorten(row.Output), "\n"))))
		}
		fmt.Fprintln(c.stdout)
	}
	if more > 0 {
		fmt.Fprintf(c.stdout, "and %d more that did not pass; --all shows them\n\n", more)
	}
	if v.Message != "" && len(v.Rows) == 0 {
		fmt.Fprintf(c.stdout, "%s\n\n", indent(v.Message))
	}
	if v.Warning != "" {
		fmt.Fprintf(c.stdout, "%s\n\n", indent(v.Warning))
	}
	colour := green
	if v.Status != judge.Pass {
		colour = red
	}
	fmt.Fprintf(c.stdout, "%s: %s\n", e.Slug, paint(colour, v.Summary()))
}

// annotate prints the lines that GitHub shows beside the code.
func (c *command) annotate(e *track.Exercise, v *judge.Verdict) {
	escape := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeTitle := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	file := track.Show(e.Dir) + "/" + e.Unit.Files.Solution
	annotation := func(title, message string) {
		fmt.Fprintf(c.stdout, "::error file=%s,title=%s::%s\n", escapeTitle.Replace(strings.TrimPrefix(file, "./")), escapeTitle.Replace(title), escape.Replace(message))
	}
	if len(v.Rows) == 0 {
		annotation(string(v.Status), v.Message)
	}
	for _, row := range v.Rows {
		if row.Status != judge.Pass {
			annotation(row.Title(), row.Message)
		}
	}
}

// indent indents a text, and replaces characters that control a terminal.
func indent(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, text)
	return "    " + strings.ReplaceAll(text, "\n", "\n    ")
}

// The colours' numbers in a terminal's control sequences.
const (
	red   = "31"
	green = "32"
)

// painter returns a function that colours text on a terminal, unless NO_COLOR is set.
func painter(out io.Writer) func(colour, text string) string {
	f, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("NO_COLOR") != "" {
		return func(_, text string) string { return text }
	}
	return func(colour, text string) string { return "\x1b[" + colour + "m" + text + "\x1b[0m" }
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
	Output   string      `xml:"system-out,omitempty"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitProblem `xml:"failure,omitempty"`
	Error   *junitProblem `xml:"error,omitempty"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// oneLine joins lines. A line that starts with a space belongs to the line before it.
func oneLine(text string) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		switch {
		case i == 0:
		case strings.HasPrefix(line, " "):
			b.WriteByte(' ')
		default:
			b.WriteString(", ")
		}
		b.WriteString(strings.TrimSpace(line))
	}
	return b.String()
}

// junit writes a verdict as a JUnit report. A submission without rows becomes a single case
// in error.
func junit(slug string, v *judge.Verdict) ([]byte, error) {
	suite := junitSuite{Name: slug}
	rows := v.Rows
	if len(rows) == 0 {
		rows = []judge.Row{{Name: "load the solution", Status: judge.Error, Message: v.Message, Problem: v.Message}}
	}
	for _, row := range rows {
		c := junitCase{Name: row.Title(), Class: slug, Output: judge.Shorten(row.Output)}
		problem := &junitProblem{Message: oneLine(row.Problem), Text: row.Message}
		switch row.Status {
		case judge.Fail:
			c.Failure = problem
			suite.Failures++
		case judge.Error:
			c.Error = problem
			suite.Errors++
		}
		suite.Cases = append(suite.Cases, c)
	}
	suite.Tests = len(suite.Cases)
	suite.Output = v.Warning
	text, err := xml.MarshalIndent(suite, "", "  ")
	return append([]byte(xml.Header), append(text, '\n')...), err
}
