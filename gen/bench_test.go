package main

import (
	"context"
	"encoding/json"
	"go/format"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkCorpus compares the generator with the floor of its work, side by
// side: decoding all data with encoding/json and formatting all output with
// go/format, on one goroutine. It reports how many times the floor it takes.
//
//	PROBLEM_SPECIFICATIONS=… go test ./gen -run - -bench Corpus
func BenchmarkCorpus(b *testing.B) {
	specs := os.Getenv("PROBLEM_SPECIFICATIONS")
	if specs == "" {
		b.Skip("PROBLEM_SPECIFICATIONS names no checkout of problem-specifications")
	}
	out := b.TempDir()
	generate := func(b *testing.B, out string, more ...string) {
		args := append([]string{"generate", "--specs", specs, "--lang", "go", "--out", out}, more...)
		if code := run(context.Background(), languages, args, io.Discard, io.Discard); code != exitFine {
			b.Fatalf("exit code %d", code)
		}
	}
	generate(b, out)
	data := readAll(b, filepath.Join(specs, "exercises", "*", "canonical-data.json"))
	output := readAll(b, filepath.Join(out, "go", "*", "cases_test.go"))
	floor := func(b *testing.B) {
		for _, text := range data {
			var value any
			if err := json.Unmarshal(text, &value); err != nil {
				b.Fatal(err)
			}
		}
		for _, text := range output {
			if _, err := format.Source(text); err != nil {
				b.Fatal(err)
			}
		}
	}
	compare := func(name string, work func(b *testing.B)) {
		b.Run(name, func(b *testing.B) {
			var worked, floored time.Duration
			for b.Loop() {
				start := time.Now()
				work(b)
				worked += time.Since(start)
				start = time.Now()
				floor(b)
				floored += time.Since(start)
			}
			b.ReportMetric(float64(worked.Milliseconds())/float64(b.N), "ms")
			b.ReportMetric(float64(floored.Milliseconds())/float64(b.N), "floor-ms")
			b.ReportMetric(worked.Seconds()/floored.Seconds(), "x-floor")
			b.ReportMetric(0, "ns/op")
		})
	}
	compare("generate", func(b *testing.B) { generate(b, b.TempDir()) })
	compare("check", func(b *testing.B) { generate(b, out, "--check") })
}

func readAll(b *testing.B, pattern string) [][]byte {
	b.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		b.Fatalf("nothing matches %s: %v", pattern, err)
	}
	var texts [][]byte
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		texts = append(texts, text)
	}
	return texts
}
