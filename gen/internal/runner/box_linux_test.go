package runner_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/runner"
)

func TestMain(m *testing.M) {
	if runner.IsSupervisor() {
		os.Exit(runner.Supervise())
	}
	os.Exit(m.Run())
}

// sh runs shell commands in a box, each if the one before it went well, and
// returns what they printed and the exit code.
func sh(t *testing.T, b *runner.Box, commands ...string) (printed string, code int) {
	t.Helper()
	var steps []lang.Command
	for _, command := range commands {
		steps = append(steps, lang.Command{Args: []string{"sh", "-c", command}})
	}
	p, err := b.Start(false, steps...)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Kill()
	var output bytes.Buffer
	code, _, err = p.Wait(time.Now().Add(20*time.Second), &output)
	if err != nil {
		t.Fatal(err)
	}
	return output.String(), code
}

// TestSteps holds that commands run in order, and none after one that fails.
func TestSteps(t *testing.T) {
	work := t.TempDir()
	b := &runner.Box{Isolation: runner.AutoIsolation, Work: work, Write: []string{work}}
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
	for name, without := range map[string][]runner.Layer{
		"all":        nil,
		"Landlock":   {runner.Namespaces, runner.Seccomp},
		"namespaces": {runner.Landlock, runner.Seccomp},
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
			b := &runner.Box{
				Isolation: runner.AutoIsolation,
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
	b := &runner.Box{Isolation: runner.AutoIsolation, Work: t.TempDir()}
	start := time.Now()
	if got, _ := sh(t, b, "sleep 100 & echo started"); got != "started\n" {
		t.Errorf("printed %q", got)
	}
	sh(t, b, "exec >/dev/null 2>&1; exec sh -c 'exit 3'")
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}
