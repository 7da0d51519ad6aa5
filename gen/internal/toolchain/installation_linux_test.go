package toolchain_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stateoftictactoe/gen/internal/sandbox"
	"stateoftictactoe/gen/internal/toolchain"
)

func TestMain(m *testing.M) {
	if sandbox.IsSupervisor() {
		os.Exit(sandbox.Supervise())
	}
	os.Exit(m.Run())
}

// TestToolFolders holds that a program that lies in somebody's home, as a link, a copy
// or a script, works and exposes nothing of that home.
func TestToolFolders(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, test := range []struct {
		chain   toolchain.Toolchain
		program string
		args    []string
		find    string // prints the real program
		copied  bool   // a copy can work
	}{
		{toolchain.Go{}, "go", []string{"version"}, `echo "$(go env GOROOT)/bin/go"`, false},
		{toolchain.Python{}, "python3", []string{"-c", "import json; print('version')"}, `python3 -c 'import os, sys; print(os.path.realpath(sys.executable))'`, true},
		{toolchain.JavaScript{}, "node", []string{"-p", "'version'"}, `node -p process.execPath`, true},
	} {
		text, err := exec.Command("sh", "-c", test.find).Output()
		if err != nil {
			t.Logf("SKIPPED: %s is not installed", test.program)
			continue
		}
		real := strings.TrimSpace(string(text))
		for how, put := range map[string]func(path string) error{
			"link": func(path string) error { return os.Symlink(real, path) },
			"copy": func(path string) error {
				text, err := os.ReadFile(real)
				if err != nil {
					return err
				}
				return os.WriteFile(path, text, 0o755)
			},
			"script": func(path string) error {
				return os.WriteFile(path, []byte("#!/bin/sh\nexec "+real+" \"$@\"\n"), 0o755)
			},
		} {
			if how == "copy" && !test.copied || how == "script" && test.program == "go" {
				continue
			}
			t.Run(test.program+"/"+how, func(t *testing.T) {
				home := t.TempDir()
				for _, folder := range []string{"bin", ".ssh", "src", "lib"} {
					must(t, os.Mkdir(filepath.Join(home, folder), 0o755))
				}
				var secrets []string
				for _, name := range []string{".ssh/id", "src/own", "lib/own", "own", "bin/own"} {
					path := filepath.Join(home, name)
					must(t, os.WriteFile(path, []byte("SECRET"), 0o644))
					secrets = append(secrets, path)
				}
				must(t, put(filepath.Join(home, "bin", test.program)))
				t.Setenv("PATH", filepath.Join(home, "bin")+":/usr/bin:/bin")
				tools, err := test.chain.Find()
				must(t, err)
				program := tools.Program
				if program == "" {
					program = test.program
				}
				b := &sandbox.Box{Isolation: sandbox.AutoIsolation, Work: t.TempDir(), Read: tools.Read}
				for _, without := range [][]sandbox.Layer{nil, {sandbox.Namespaces}} {
					b.Without = without
					got, how := runIn(t, b, sandbox.Command{Args: append([]string{program}, test.args...), Env: []string{"GOROOT=" + tools.Root}})
					if !strings.Contains(got, "version") {
						t.Errorf("it %s: %s", how, got)
					}
					if got, _ := runIn(t, b, sandbox.Command{Args: append([]string{"cat"}, secrets...)}); strings.Contains(got, "SECRET") {
						t.Errorf("read %q; it may read %q", got, tools.Read)
					}
				}
			})
		}
	}
}

// runIn runs a command in a box, and returns what it printed and how it ended.
func runIn(t *testing.T, b *sandbox.Box, command sandbox.Command) (printed, how string) {
	t.Helper()
	p, err := b.Start(false, command)
	must(t, err)
	defer p.Kill()
	var output bytes.Buffer
	_, how, err = p.Wait(time.Now().Add(time.Minute), &output)
	must(t, err)
	return output.String(), how
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
