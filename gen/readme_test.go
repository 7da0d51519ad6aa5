package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/track"
)

// TestReadme runs what the README shows, in a copy of the repository, and wants
// it to print what the README says.
func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell here to run the README's commands with")
	}
	dir := copyRepository(t)
	blocks := regexp.MustCompile("(?ms)^```console\n(.*?)^```$").FindAllStringSubmatch(string(read(t, "../README.md")), -1)
	if len(blocks) < 4 {
		t.Fatalf("only %d transcripts found", len(blocks))
	}
	for i, block := range blocks {
		t.Run(fmt.Sprint(i+1), func(t *testing.T) {
			if strings.Contains(block[1], "gen new") && os.Getenv("PROBLEM_SPECIFICATIONS") == "" {
				t.Skip("PROBLEM_SPECIFICATIONS names no checkout of problem-specifications")
			}
			commands, outputs := steps(block[1])
			for j, got := range runSteps(t, dir, commands) {
				if diff := cmp.Diff(scrub(outputs[j]), scrub(got)); diff != "" {
					t.Errorf("$ %s\nprints something else (-README +real):\n%s", commands[j], diff)
				}
			}
		})
	}
}

// TestContributing starts an exercise from the data that CONTRIBUTING.md shows, and
// wants the commands there to print what it says.
func TestContributing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell here to run the commands with")
	}
	text := string(read(t, "../CONTRIBUTING.md"))
	data := regexp.MustCompile("(?ms)^```json\n(.*?)^```$").FindStringSubmatch(text)
	transcript := regexp.MustCompile("(?ms)^```console\n(.*?)^```$").FindStringSubmatch(text)
	if data == nil || transcript == nil {
		t.Fatal("no data or no transcript found")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "canonical-data.json"), []byte(data[1]), 0o644); err != nil {
		t.Fatal(err)
	}
	commands, outputs := steps(transcript[1])
	for i, got := range runSteps(t, dir, commands) {
		if diff := cmp.Diff(scrub(outputs[i]), scrub(got)); diff != "" {
			t.Errorf("$ %s\nprints something else (-CONTRIBUTING +real):\n%s", commands[i], diff)
		}
	}
}

// ownTests is the one command that is not run: it would run this test.
const ownTests = "go test ./gen/..."

// steps splits a transcript into commands and what each prints. A here-document
// belongs to its command.
func steps(transcript string) (commands, outputs []string) {
	inDocument := false
	for line := range strings.Lines(transcript) {
		last := len(commands) - 1
		switch command, isCommand := strings.CutPrefix(line, "$ "); {
		case inDocument:
			commands[last] += line
			inDocument = line != "END\n"
		case isCommand && strings.TrimSpace(command) == ownTests:
		case isCommand:
			commands = append(commands, command)
			outputs = append(outputs, "")
			inDocument = strings.Contains(command, "<<'END'")
		default:
			outputs[last] += line
		}
	}
	return commands, outputs
}

// runSteps runs commands one after another in one shell.
func runSteps(t *testing.T, dir string, commands []string) []string {
	t.Helper()
	const mark = "@@ next step\n"
	script := ""
	for _, command := range commands {
		script += command + "printf '%s\\n' '" + strings.TrimSpace(mark) + "'\n"
	}
	cmd := exec.Command("sh", "-c", "exec 2>&1\n"+script)
	cmd.Dir = dir
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "gen")); err != nil {
		t.Skipf("cannot put the command on the path: %v", err)
	}
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "GOFLAGS=")
	if specs := os.Getenv("PROBLEM_SPECIFICATIONS"); specs != "" {
		absolute, err := filepath.Abs(specs)
		if err != nil {
			t.Fatal(err)
		}
		cmd.Env = append(cmd.Env, "PROBLEM_SPECIFICATIONS="+absolute)
	}
	text, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), mark)
	if len(parts) != len(commands)+1 {
		t.Fatalf("%d of %d commands ran:\n%s", len(parts)-1, len(commands), text)
	}
	return parts[:len(commands)]
}

var duration = regexp.MustCompile(`\d+\.\d+s\b`)

// scrub takes out what differs from run to run.
func scrub(text string) string {
	text = duration.ReplaceAllString(text, "0.00s")
	text = regexp.MustCompile(`(?m)[ \t]+$`).ReplaceAllString(text, "")
	return strings.TrimSpace(text)
}

// copyRepository copies what the README's commands need.
func copyRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := copyExercise(dir); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"gen", "tracks"} {
		root := filepath.Join("..", part)
		err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && entry.Name() == "testdata":
				return filepath.SkipDir
			case entry.IsDir() || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			target := filepath.Join(dir, part, strings.TrimPrefix(path, root))
			if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
				return err
			}
			return os.WriteFile(target, read(t, path), 0o644)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestLanguageTable holds the README's table of languages to what the languages
// say of themselves and to what the corpus gives in them. That each of these
// exercises is proven is what the gate runs "gen verify" for.
func TestLanguageTable(t *testing.T) {
	specs := os.Getenv("PROBLEM_SPECIFICATIONS")
	if specs == "" {
		t.Skip("PROBLEM_SPECIFICATIONS names no checkout of problem-specifications")
	}
	slugs := corpusSlugs(t)
	gate := string(read(t, "../.ci/run"))
	table := "| language | `--lang` | tests of two-fer | run by | exercises proven | cases proven | cases that need a template |\n" +
		"| --- | --- | --- | --- | --- | --- | --- |\n"
	var names []string
	for _, l := range languages {
		proven, cases, undecided := 0, 0, 0
		for _, slug := range slugs {
			e, err := track.Published(specs, slug, l)
			if err != nil {
				t.Fatal(err)
			}
			if len(e.Unit.Names) > 0 {
				proven++
			}
			cases += len(e.Unit.Names)
			undecided += len(e.Unit.Suite.Undecided)
		}
		unit := lang.NewUnit(l, "two-fer", nil, lang.Settings{})
		table += fmt.Sprintf("| %s | `%s` | `%s` | `%s` | %d of %d | %d | %d |\n", l.Facts().Title, l.Facts().Name, unit.Files.Test,
			strings.Join(l.StudentCommand(unit), " "), proven, len(slugs), cases, undecided)
		names = append(names, l.Facts().Name)
	}
	if want := "verify --specs \"$PROBLEM_SPECIFICATIONS\" --lang " + strings.Join(names, ","); !strings.Contains(gate, want) {
		t.Errorf("the gate does not run %s", want)
	}
	got := regexp.MustCompile(`(?s)<!-- languages: .*? -->\n(.*?)<!-- end`).FindStringSubmatch(string(read(t, "../README.md")))
	if got == nil || got[1] != table {
		t.Errorf("the README's table of languages should be:\n%s", table)
	}
}

// corpusSlugs are the published exercises that the gate tries. A checkout may hold
// more.
func corpusSlugs(t *testing.T) (slugs []string) {
	for line := range strings.Lines(string(read(t, "internal/spec/testdata/facts.golden"))) {
		if slug, _, isName := strings.Cut(line, " "); isName && !strings.HasPrefix(line, "\t") {
			slugs = append(slugs, slug)
		}
	}
	return slugs
}
