//go:build linux

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSignals holds that a signal that ends the command leaves no process and no
// folder, and that one that cannot be handled leaves no process.
func TestSignals(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("SKIPPED: python3 is not installed")
	}
	gen := filepath.Join(t.TempDir(), "gen")
	if text, err := exec.Command("go", "build", "-o", gen, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	exercise, err := filepath.Abs("../tracks/python")
	if err != nil {
		t.Fatal(err)
	}
	for _, signal := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			temporary, input := t.TempDir(), t.TempDir()
			// The folder's name tells its processes from others.
			solution := "import subprocess\nsubprocess.run(['sleep', '1000'])\n"
			if err := os.WriteFile(filepath.Join(input, "state_of_tic_tac_toe.py"), []byte(solution), 0o644); err != nil {
				t.Fatal(err)
			}
			var said bytes.Buffer
			cmd := exec.Command(gen, "run", "state-of-tic-tac-toe", input, filepath.Join(input, "out"), "--exercise", exercise, "--timeout", "1h")
			cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
			cmd.Stdout, cmd.Stderr = io.Discard, &said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer cmd.Process.Kill()
			wait := func(what string, done func() bool) {
				for until := time.Now().Add(time.Minute); !done(); time.Sleep(5 * time.Millisecond) {
					if time.Now().After(until) {
						t.Fatalf("%s; it said: %s", what, &said)
					}
				}
			}
			wait("the solution does not start", func() bool { return processesBelow(temporary) > 1 })
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			cmd.Wait()
			wait("a process is left", func() bool { return processesBelow(temporary) == 0 })
			left, err := os.ReadDir(temporary)
			if err != nil {
				t.Fatal(err)
			}
			if signal != syscall.SIGKILL && len(left) > 0 {
				t.Errorf("left %v; it said: %s", left, &said)
			}
		})
	}
}

// processesBelow counts the processes that run in or below a folder.
func processesBelow(folder string) (n int) {
	links, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && strings.HasPrefix(target, folder) {
			n++
		}
	}
	return n
}
