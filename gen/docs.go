package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"stateoftictactoe/gen/internal/docs"
	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
	"stateoftictactoe/gen/internal/track"
)

// docsOptions are the flags of gen docs.
type docsOptions struct {
	json   bool
	render bool
	record []string // locales
}

func (c *command) docs() *cobra.Command {
	var options docsOptions
	cmd := &cobra.Command{
		Use:               "docs [DIR...]",
		Short:             "Check the translations of exercises and render pages",
		Long:              docsHelp(),
		ValidArgsFunction: c.completeExercises,
		RunE: func(_ *cobra.Command, dirs []string) error {
			return c.runDocs(dirs, options)
		},
	}
	cmd.Flags().BoolVar(&options.json, "json", false, "print one JSON object per finding, on a line each")
	cmd.Flags().BoolVar(&options.render, "render", false, "write the pages, if no text has an error")
	cmd.Flags().StringSliceVar(&options.record, "record", nil, "record that the translations to these locales, as in ar,hi, are up to date")
	c.addSourceFlags(cmd)
	return cmd
}

func docsHelp() string {
	var b strings.Builder
	b.WriteString(`Docs compares each translation in .docs/<locale>/ with its English text in .docs/
and prints each fault, an error or a warning, on a line. A folder is one
exercise or a track; the default is the current one.

With --render it writes, for each locale, the page .docs/README.<locale>.md for
GitHub and README.<locale>.html to open in a browser: the texts, which file to
edit and which command to type. Without it, a page that is out of date is an
error.

When the English changes, its translations are stale. Bring one up to date and
run --record with its locale; .docs/translations.toml holds the records.

To ignore a finding that is no fault, waive it in .docs/waivers.toml:

  [[waiver]]
  file = "ar/instructions.md"
  check = "numbers"
  text = "3"                  # optional: what the finding is about
  reason = "why that is right"

  [keep]                      # words that stay in English
  Tokyo = "why it stays"

The checks:
`)
	for _, check := range docs.Checks {
		fmt.Fprintf(&b, "\n  %-12s %-8s %s", check.Name, check.Level, check.About)
	}
	return b.String()
}

func (c *command) runDocs(dirs []string, options docsOptions) error {
	asked, err := c.asked()
	if err != nil {
		return err
	}
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	dirs = distinct(dirs, absolute)
	t := &tally{notes: c.notes}
	failed := false
	done := 0
	for _, dir := range dirs {
		exercises, root, err := c.openDocs(dir, asked)
		t.alone = len(dirs) == 1 && len(exercises) <= 1
		t.addEach(err)
		for _, e := range exercises {
			bad, err := c.runDocsOf(e, root, options)
			if err != nil {
				t.add(err)
				continue
			}
			done++
			failed = failed || bad
		}
	}
	if t.isWorthSaying() && !options.json {
		fmt.Fprintf(c.stdout, "%s checked%s\n", plural(done, "exercise"), t.summary())
	}
	return t.verdict(failed)
}

// openDocs reads the exercises in a folder and returns the root of their tree, which for
// tracks/<language> is two folders up. The error joins the errors of the exercises that
// cannot be read.
func (c *command) openDocs(dir string, asked []lang.Language) ([]*docs.Exercise, string, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, "", fmt.Errorf("%s: no such folder; name an exercise or a track", track.Show(dir))
	}
	root, only := dir, ""
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, "", err
	}
	if parent := filepath.Dir(absolute); filepath.Base(parent) == "tracks" {
		home := filepath.Join(dir, "..", "..")
		if _, err := os.Stat(filepath.Join(home, docs.Folder)); err == nil {
			root, only = home, path.Join("tracks", filepath.Base(absolute))
		}
	}
	exercises, err := docs.Open(os.DirFS(root))
	faults := []error{inFolder(root, err)}
	exercises = slices.DeleteFunc(exercises, func(e *docs.Exercise) bool {
		if only != "" && e.Dir != only {
			return true
		}
		language := c.languageOf(e)
		return len(asked) > 0 && (language == nil || !slices.Contains(asked, language))
	})
	exercises = slices.DeleteFunc(exercises, func(e *docs.Exercise) bool {
		err := c.addData(e, root)
		faults = append(faults, err)
		return err != nil
	})
	return exercises, root, errors.Join(faults...)
}

// inFolder adds the folder to an error whose path is relative to it.
func inFolder(root string, err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var faults []error
		for _, fault := range joined.Unwrap() {
			faults = append(faults, inFolder(root, fault))
		}
		return errors.Join(faults...)
	}
	if fault, ok := errors.AsType[*spec.Error](err); ok {
		fault.File = track.Show(filepath.Join(root, filepath.FromSlash(fault.File)))
		return fault
	}
	if err == nil || track.Show(root) == "." {
		return err
	}
	return fmt.Errorf("%s: %w", track.Show(root), err)
}

// addData gives an exercise of a track the canonical data of a checkout, if there is one:
// texts that the tests compare must not be translated.
func (c *command) addData(e *docs.Exercise, root string) error {
	if !e.NeedsData() {
		return nil
	}
	for _, checkout := range c.checkouts(root) {
		name := filepath.Join(checkout, "exercises", e.Slug(), "canonical-data.json")
		text, err := track.ReadText(name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		data, err := spec.ParseData(track.Show(name), text, nil)
		if err != nil {
			return err
		}
		e.AddData(data)
		return nil
	}
	return nil
}

// languageOf is the programming language of an exercise, or nil if the harness does not
// know it.
func (c *command) languageOf(e *docs.Exercise) lang.Language {
	for _, l := range c.languages {
		if e.Language == l.Facts().Name {
			return l
		}
	}
	if e.Language != "" || len(e.Solution) == 0 {
		return nil
	}
	for _, l := range c.languages {
		if path.Ext(l.Facts().Layout("x").Solution) == path.Ext(e.Solution[0]) {
			return l
		}
	}
	return nil
}

// studentCommand is the command that a student types to run the tests, or "" if unknown.
func (c *command) studentCommand(e *docs.Exercise) string {
	l := c.languageOf(e)
	if l == nil {
		return ""
	}
	u := lang.NewUnit(l, e.Slug(), nil, lang.Settings{})
	if len(e.Solution) > 0 {
		u.Files.Solution = e.Solution[0]
	}
	if len(e.Tests) > 0 {
		u.Files.Test = e.Tests[0]
	}
	return strings.Join(l.StudentCommand(u), " ")
}

// runDocsOf checks, records or renders one exercise as the flags say, and reports whether
// it has errors.
func (c *command) runDocsOf(e *docs.Exercise, root string, options docsOptions) (failed bool, err error) {
	place := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	if len(options.record) > 0 {
		done, err := c.recordDocs(e, place, options)
		if err != nil || !done {
			return true, inFolder(root, err)
		}
	}
	findings, err := e.Check()
	if err != nil {
		return true, inFolder(root, err)
	}
	var pages []*docs.Page
	if options.render || e.HasPages() {
		if pages, err = e.Pages(c.studentCommand(e)); err != nil {
			return true, inFolder(root, err)
		}
	}
	if !options.render {
		findings = append(findings, e.OutOfDate(pages)...)
	}
	if err := c.printFindings(findings, place, options.json); err != nil {
		return true, err
	}
	failed = docs.HasErrors(findings)
	if !options.json {
		fmt.Fprintf(c.stdout, "%s: %s\n", track.Show(place(e.Path("."))), summary(e, findings))
	}
	if options.render && !failed {
		return false, c.writePages(e, pages, place, options.json)
	}
	return failed, nil
}

// recordDocs records that translations are up to date. It reports false, and records
// nothing, if one of them has errors.
func (c *command) recordDocs(e *docs.Exercise, place func(string) string, options docsOptions) (bool, error) {
	for _, locale := range options.record {
		if !slices.Contains(e.Locales(), locale) {
			return false, fmt.Errorf("--record: no translation to %q; %s", locale, spec.Suggest(locale, e.Locales()))
		}
	}
	name, text, findings, err := e.Record(options.record)
	if err != nil {
		return false, err
	}
	if len(findings) > 0 {
		if err := c.printFindings(findings, place, options.json); err != nil {
			return false, err
		}
		fmt.Fprintf(c.stderr, "%s: nothing is recorded; correct the errors first\n", track.Show(place(e.Path("."))))
		return false, nil
	}
	return true, c.writeDocs(output{path: place(name), text: text}, options.json)
}

func (c *command) printFindings(findings []docs.Finding, place func(string) string, asJSON bool) error {
	for _, f := range findings {
		f.File = track.Show(place(f.File))
		if asJSON {
			if err := json.NewEncoder(c.stdout).Encode(f); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintln(c.stdout, f)
	}
	return nil
}

func summary(e *docs.Exercise, findings []docs.Finding) string {
	errs := 0
	for _, f := range findings {
		if f.Level == docs.LevelError {
			errs++
		}
	}
	of := ""
	if e.Translations() > 0 {
		of = " (" + strings.Join(e.Locales(), ", ") + ")"
	}
	return fmt.Sprintf("%s%s, %s, %s", plural(e.Translations(), "translation"), of, plural(errs, "error"), plural(len(findings)-errs, "warning"))
}

func (c *command) writePages(e *docs.Exercise, pages []*docs.Page, place func(string) string, quiet bool) error {
	for _, p := range pages {
		for _, o := range []output{
			{path: place(e.Path(p.MarkdownName())), text: p.Markdown()},
			{path: place(e.Path(p.HTMLName())), text: p.HTML()},
		} {
			if err := c.writeDocs(o, quiet); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeDocs writes a file if its text changes.
func (c *command) writeDocs(o output, quiet bool) error {
	what, _, err := compare(o)
	if errors.Is(err, errByHand) {
		err = track.PassOver("with pages written by hand", err)
	}
	if err != nil {
		return err
	}
	verdict := "is up to date"
	if what != unchanged {
		if err := replace(o.path, o.text); err != nil {
			return err
		}
		verdict = "written"
	}
	if !quiet {
		fmt.Fprintf(c.stdout, "%s %s\n", track.Show(o.path), verdict)
	}
	return nil
}
