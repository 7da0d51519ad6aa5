package main

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestDeterministic writes the corpus in every language, on one core and on all,
// and wants the same bytes; a second run must touch no file.
func TestDeterministic(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	specs := os.Getenv("PROBLEM_SPECIFICATIONS")
	if specs == "" {
		t.Skip("PROBLEM_SPECIFICATIONS names no checkout of problem-specifications")
	}
	names := ""
	for _, l := range languages {
		names += "," + l.Facts().Name
	}
	write := func(out string, cores int) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		args := []string{"generate", "--specs", specs, "--lang", names[1:], "--out", out}
		var stderr bytes.Buffer
		if code := run(context.Background(), languages, args, io.Discard, &stderr); code != exitFine {
			t.Fatalf("exit code %d: %s", code, &stderr)
		}
	}
	one, all := t.TempDir(), t.TempDir()
	write(one, 1)
	write(all, runtime.NumCPU())
	before := snapshot(t, one)
	if got := snapshot(t, all); len(got) != len(before) || len(got) < 1000 {
		t.Errorf("%d files on all cores, %d on one", len(got), len(before))
	} else {
		for name, file := range before {
			if !bytes.Equal(file.text, got[name].text) {
				t.Errorf("%s differs on one core and on all", name)
			}
		}
	}
	write(one, runtime.NumCPU())
	for name, file := range snapshot(t, one) {
		if !file.modified.Equal(before[name].modified) {
			t.Errorf("the second run touches %s", name)
		}
	}
}

type snapshotFile struct {
	text     []byte
	modified time.Time
}

func snapshot(t *testing.T, dir string) map[string]snapshotFile {
	t.Helper()
	files := map[string]snapshotFile{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		files[name] = snapshotFile{read(t, path), info.ModTime()}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
