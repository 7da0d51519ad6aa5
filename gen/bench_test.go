package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"stateoftictactoe/gen/internal/track"
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

// BenchmarkSealed compares judging one submission, whose source has changed,
// with the command that a student runs, started as processes side by side, and
// judging a list of them with judging one after another.
//
//	go test ./gen -run - -bench Sealed
func BenchmarkSealed(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Skip("SKIPPED: solutions are contained on Linux alone")
	}
	gen := buildGen(b)
	for _, l := range languages {
		exercise, err := filepath.Abs("..")
		if err != nil {
			b.Fatal(err)
		}
		native := []string{"go", "test", "-json", "."}
		switch l.Facts().Name {
		case "python":
			exercise = filepath.Join(exercise, "tracks", l.Facts().Name)
			native = []string{"python3", "-m", "unittest", "state_of_tic_tac_toe_test"}
		case "javascript":
			exercise = filepath.Join(exercise, "tracks", l.Facts().Name)
			native = []string{"node", "--test", "state-of-tic-tac-toe.spec.js"}
		}
		if _, err := exec.LookPath(native[0]); err != nil {
			b.Logf("SKIPPED: %s is not installed", native[0])
			continue
		}
		e, err := track.Open(exercise, track.Source{Languages: writers(languages), Language: l.Language})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(l.Facts().Name, func(b *testing.B) {
			bench := newSealedBench(b, gen, e, native)
			var sealed, native time.Duration
			for b.Loop() {
				bench.change(bench.dirs[0])
				sealed += bench.time(bench.sealed(bench.dirs[0]))
				bench.change(bench.dirs[0])
				native += bench.time(bench.native)
			}
			b.ReportMetric(float64(sealed.Milliseconds())/float64(b.N), "sealed-ms")
			b.ReportMetric(float64(native.Milliseconds())/float64(b.N), "native-ms")
			b.ReportMetric(sealed.Seconds()/native.Seconds(), "x-native")
			b.ReportMetric(0, "ns/op")
		})
		b.Run(l.Facts().Name+"-list", func(b *testing.B) {
			bench := newSealedBench(b, gen, e, native)
			var alone, together time.Duration
			for b.Loop() {
				for _, dir := range bench.dirs {
					bench.change(dir)
					alone += bench.time(bench.sealed(dir))
				}
				var list strings.Builder
				for _, dir := range bench.dirs {
					bench.change(dir)
					fmt.Fprintln(&list, e.Slug, dir, filepath.Join(dir, "out"))
				}
				cmd := exec.Command(gen, "run", "--list", "-", "--exercise", e.Dir)
				cmd.Stdin = strings.NewReader(list.String())
				together += bench.time(cmd)
			}
			b.ReportMetric(float64(alone.Milliseconds())/float64(b.N), "alone-ms")
			b.ReportMetric(float64(together.Milliseconds())/float64(b.N), "together-ms")
			b.ReportMetric(alone.Seconds()/together.Seconds(), "x-faster")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// sealedBench is eight submissions of one exercise.
type sealedBench struct {
	*testing.B
	gen      string
	exercise *track.Exercise
	dirs     []string
	tests    []string
	changes  int
	native   *exec.Cmd
}

func newSealedBench(b *testing.B, gen string, e *track.Exercise, native []string) *sealedBench {
	bench := &sealedBench{B: b, gen: gen, exercise: e, tests: native}
	for range 8 {
		dir := b.TempDir()
		bench.dirs = append(bench.dirs, dir)
		test, err := e.Language.Tests(e.Unit)
		if err != nil {
			b.Fatal(err)
		}
		files, err := e.Language.Project(e.Unit)
		if err != nil {
			b.Fatal(err)
		}
		files = maps.Clone(files)
		if files == nil {
			files = map[string][]byte{}
		}
		files[e.Unit.Files.Test] = test
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	// Neither side is to compile libraries while it is measured.
	bench.change(bench.dirs[0])
	bench.time(bench.sealed(bench.dirs[0]))
	bench.time(bench.native)
	return bench
}

// change writes a right solution that no run has seen, and prepares the native
// command. The change is one of code: the go command need not link again what
// differs in a comment.
func (s *sealedBench) change(dir string) {
	s.changes++
	text, err := os.ReadFile(filepath.Join(s.exercise.Dir, filepath.FromSlash(s.exercise.Unit.Files.Example)))
	if err != nil {
		s.Fatal(err)
	}
	format := "\nvar changed%d = %d\n"
	if s.exercise.Language.Facts().Name == "python" {
		format = "\nchanged%d = %d\n"
	}
	text = fmt.Appendf(text, format, s.changes, time.Now().UnixNano())
	if err := os.WriteFile(filepath.Join(dir, s.exercise.Unit.Files.Solution), text, 0o644); err != nil {
		s.Fatal(err)
	}
	s.native = exec.Command(s.tests[0], s.tests[1:]...)
	s.native.Dir = dir
}

func (s *sealedBench) sealed(dir string) *exec.Cmd {
	return exec.Command(s.gen, "run", s.exercise.Slug, dir, filepath.Join(dir, "out"), "--exercise", s.exercise.Dir)
}

// time runs a command, whatever its verdict.
func (s *sealedBench) time(cmd *exec.Cmd) time.Duration {
	start := time.Now()
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		s.Fatal(err)
	}
	return time.Since(start)
}

// BenchmarkCases measures what a case takes in exercises of three sizes. It reports the
// processors' time per case and, for each size but the first, how many times as long
// that is as for the size before.
//
//	go test ./gen -run - -bench Cases -benchtime 1x
func BenchmarkCases(b *testing.B) {
	gen := buildGen(b)
	for _, l := range writers(languages) {
		if _, err := exec.LookPath(l.Facts().Needs[0].Program); err != nil {
			b.Logf("SKIPPED: %s is not installed", l.Facts().Needs[0].Program)
			continue
		}
		before := map[string]time.Duration{} // by command: the time per case of the size before
		for _, n := range []int{100, 1_000, 10_000} {
			e := openManyCases(b, l, n)
			solution := b.TempDir()
			writeFiles(b, solution, map[string]string{e.Unit.Files.Solution: manyCasesExamples[l.Facts().Name]})
			measure := func(command string, args ...string) {
				b.Run(fmt.Sprintf("%s/%s/%d", l.Facts().Name, command, n), func(b *testing.B) {
					var took time.Duration
					for b.Loop() {
						os.Remove(filepath.Join(e.Dir, filepath.FromSlash(e.Unit.Files.Test)))
						if command == "run" {
							runGen(b, gen, "generate", e.Dir)
						}
						took += runGen(b, gen, append([]string{command}, args...)...)
					}
					each := took / time.Duration(b.N*n)
					b.ReportMetric(float64(each.Microseconds()), "µs/case")
					if smaller := before[command]; smaller > 0 {
						b.ReportMetric(each.Seconds()/smaller.Seconds(), "x-smaller")
					}
					b.ReportMetric(0, "ns/op")
					before[command] = each
				})
			}
			measure("generate", e.Dir)
			measure("verify", e.Dir)
			if runtime.GOOS == "linux" { // solutions are contained there alone
				measure("run", e.Slug, solution, filepath.Join(solution, "out"), "--exercise", e.Dir, "--timeout", "10m")
			}
		}
	}
}

func buildGen(b *testing.B) string {
	gen := filepath.Join(b.TempDir(), "gen")
	if text, err := exec.Command("go", "build", "-o", gen, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, text)
	}
	return gen
}

// runGen runs a command of gen that must find all in order. It tells how much time of
// processors the command took, with all processes that it started.
func runGen(b *testing.B, gen string, args ...string) time.Duration {
	cmd := exec.Command(gen, args...)
	text, err := cmd.CombinedOutput()
	if err != nil || args[0] == "run" && !strings.Contains(string(text), ": pass:") {
		const most = 2000
		b.Fatalf("gen %s: %v\n%s", strings.Join(args, " "), err, text[:min(len(text), most)])
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
