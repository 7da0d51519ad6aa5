package sandbox_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"stateoftictactoe/gen/internal/sandbox"
)

func TestMain(m *testing.M) {
	if sandbox.IsSupervisor() {
		os.Exit(sandbox.Supervise())
	}
	os.Exit(m.Run())
}

// sh runs shell commands in a box, each if the one before it went well, and
// returns what they printed and the exit code.
func sh(t *testing.T, b *sandbox.Box, commands ...string) (printed string, code int) {
	t.Helper()
	var steps []sandbox.Command
	for _, command := range commands {
		steps = append(steps, sandbox.Command{Args: []string{"sh", "-c", command}})
	}
	return runIn(t, b, steps...)
}

// runIn runs commands in a box.
func runIn(t *testing.T, b *sandbox.Box, commands ...sandbox.Command) (printed string, code int) {
	t.Helper()
	printed, code, err := tryIn(b, commands...)
	if err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	return printed, code
}

// tryIn does so where that may fail.
func tryIn(b *sandbox.Box, commands ...sandbox.Command) (printed string, code int, err error) {
	p, err := b.Start(false, commands...)
	if err != nil {
		return "", 0, err
	}
	defer p.Kill()
	var output bytes.Buffer
	code, _, err = p.Wait(time.Now().Add(time.Minute), &output)
	return output.String(), code, err
}

// installed finds a tool and the folder that it is installed in. It skips the test
// if there is none. The tool prints the two for a text of code.
func installed(t *testing.T, tool, code string) (path, folder string) {
	t.Helper()
	option := map[string]string{"python3": "-c", "node": "-e"}[tool]
	text, err := exec.Command(tool, option, code).Output()
	if err != nil {
		t.Skipf("SKIPPED: %s is not installed: %v", tool, err)
	}
	path, folder, _ = strings.Cut(strings.TrimSpace(string(text)), "\n")
	return path, folder
}

// build compiles main.go in a folder to a program beside it.
func build(t *testing.T, folder string) {
	t.Helper()
	cmd := exec.Command("go", "build", "-o", filepath.Join(folder, "program"), filepath.Join(folder, "main.go"))
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

// TestSteps holds that commands run in order, and none after one that fails.
func TestSteps(t *testing.T) {
	work := t.TempDir()
	b := &sandbox.Box{Isolation: sandbox.AutoIsolation, Work: work, Write: []string{work}}
	if got, code := sh(t, b, "echo one > file", "cat file; echo two", "exit 0"); got != "one\ntwo\n" || code != 0 {
		t.Errorf("printed %q and exited with %d", got, code)
	}
	if got, code := sh(t, b, "echo one", "echo two; exit 3", "echo three"); got != "one\ntwo\n" || code != 3 {
		t.Errorf("printed %q and exited with %d", got, code)
	}
}

// TestHide holds that what is to be hidden cannot be read although it lies in a
// folder that can, by each layer that concerns files.
func TestHide(t *testing.T) {
	for name, without := range map[string][]sandbox.Layer{
		"all":        nil,
		"Landlock":   {sandbox.Namespaces, sandbox.Seccomp},
		"namespaces": {sandbox.Landlock, sandbox.Seccomp},
	} {
		t.Run(name, func(t *testing.T) {
			read := t.TempDir()
			for file, text := range map[string]string{"open/file": "OPEN", "deep/secret/file": "SECRET", "deep/open": "OPEN"} {
				path := filepath.Join(read, file)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			b := &sandbox.Box{
				Isolation: sandbox.AutoIsolation,
				Work:      t.TempDir(),
				Read:      []string{read},
				Hide:      []string{filepath.Join(read, "deep", "secret")},
				Without:   without,
			}
			got, _ := sh(t, b, "cd "+read+"; cat open/file deep/open deep/secret/file")
			if strings.Count(got, "OPEN") != 2 || strings.Contains(got, "SECRET") {
				t.Errorf("read %q", got)
			}
		})
	}
}

// TestWaitEnds holds that a process that closes all that it has, or leaves a
// child with it, keeps nobody waiting.
func TestWaitEnds(t *testing.T) {
	b := &sandbox.Box{Isolation: sandbox.AutoIsolation, Work: t.TempDir()}
	start := time.Now()
	if got, _ := sh(t, b, "sleep 100 & echo started"); got != "started\n" {
		t.Errorf("printed %q", got)
	}
	sh(t, b, "exec >/dev/null 2>&1; exec sh -c 'exit 3'")
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// missing reports whether a box is without a layer, or has only a part of it.
func missing(b *sandbox.Box, layer sandbox.Layer) bool {
	return slices.ContainsFunc(b.Missing(), func(s sandbox.Standing) bool { return s.Layer == layer })
}

// held reports whether a layer is in force.
func held(b *sandbox.Box, layer sandbox.Layer) bool {
	return slices.ContainsFunc(b.Layers(), func(s sandbox.Standing) bool { return s.Layer == layer && s.Held })
}
