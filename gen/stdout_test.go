package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// fullWriter has room for some bytes only.
type fullWriter struct {
	room    int
	written bytes.Buffer
}

func (w *fullWriter) Write(text []byte) (int, error) {
	n := min(len(text), w.room-w.written.Len())
	w.written.Write(text[:n])
	if n < len(text) {
		return n, errors.New("no room")
	}
	return n, nil
}

// TestFullOutput wants results that cannot be written to be a failure, told in
// one line, whatever the verdict.
func TestFullOutput(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	inSync, stale := t.TempDir(), t.TempDir()
	for _, dir := range []string{inSync, stale} {
		if err := copyExercise(dir); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(stale, "cases_test.go")); err != nil {
		t.Fatal(err)
	}
	const full = "gen: the results could not be written: no room\n"
	for name, test := range map[string]struct {
		args   []string
		room   int
		code   int
		stderr string
	}{
		"room for all":       {[]string{"generate", inSync}, 1 << 20, exitFine, ""},
		"all is well":        {[]string{"generate", inSync}, 0, exitFailed, full},
		"a negative verdict": {[]string{"generate", "--check", stale}, 0, exitFailed, full},
		"room for a part":    {[]string{"generate", "--check", stale}, 100, exitFailed, full},
		"JSON":               {[]string{"verify", "--lang", "go", "--json", inSync}, 10, exitFailed, full},
		"help":               {[]string{"--help"}, 100, exitFailed, full},
	} {
		t.Run(name, func(t *testing.T) {
			var stderr bytes.Buffer
			code := run(context.Background(), languages, test.args, &fullWriter{room: test.room}, &stderr)
			if code != test.code || stderr.String() != test.stderr {
				t.Errorf("exit code %d and %q, want %d and %q", code, &stderr, test.code, test.stderr)
			}
		})
	}
}

// TestOutputStops wants nothing to be written after what could not be.
func TestOutputStops(t *testing.T) {
	out := &fullWriter{room: 5}
	r := &results{out: out}
	r.Write([]byte("one, two"))
	out.room = 100
	if _, err := r.Write([]byte(", three")); err == nil || out.written.String() != "one, " {
		t.Errorf("%q was written, with the error %v", &out.written, err)
	}
}

// TestClosedPipe wants the command to end as others do whose reader has gone:
// without a word.
func TestClosedPipe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no signal for a closed pipe")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	reader.Close()
	defer writer.Close()
	var stderr bytes.Buffer
	cmd := &exec.Cmd{Path: self, Args: []string{"gen", "--help"}, Stdout: writer, Stderr: &stderr}
	cmd.Run()
	if state := cmd.ProcessState; state == nil || !strings.Contains(state.String(), "broken pipe") || stderr.Len() > 0 {
		t.Errorf("ends with %v and says %q", state, &stderr)
	}
}
