package main

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTracks proves the exercise in each language that it is laid out in.
func TestTracks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, l := range languages {
		dir := filepath.Join("..", "tracks", l.Facts().Name)
		if l.Facts().Name == "go" {
			dir = ".."
		}
		t.Run(l.Facts().Name, func(t *testing.T) {
			for _, need := range l.Facts().Needs {
				if _, err := exec.LookPath(need.Program); err != nil {
					t.Skipf("%s is not installed: %s", need.Program, need.Hint)
				}
			}
			var stdout, stderr bytes.Buffer
			if code := run(context.Background(), languages, []string{"verify", "--lang", l.Facts().Name, dir}, &stdout, &stderr); code != exitFine {
				t.Errorf("exit code %d\n%s%s", code, &stdout, &stderr)
			}
			if got := strings.Count(stdout.String(), " ok\n"); got != 6 {
				t.Errorf("%d checks hold, want 6:\n%s", got, &stdout)
			}
		})
	}
}
