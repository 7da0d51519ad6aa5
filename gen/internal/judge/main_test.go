package judge_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"stateoftictactoe/gen/internal/judge"
	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/golang"
	"stateoftictactoe/gen/internal/lang/javascript"
	"stateoftictactoe/gen/internal/lang/python"
	"stateoftictactoe/gen/internal/sandbox"
	"stateoftictactoe/gen/internal/toolchain"
)

// longVariable asks for the tests that take minutes.
const longVariable = "AGREEMENT"

// loadVariable says how many busy loops are to run beside the tests, as in
// "LOAD=4 go test ./gen/internal/judge -run TestHostile -timeout 30m".
const loadVariable = "LOAD"

// busyVariable makes this program such a loop, until its input ends.
const busyVariable = "BUSY"

var languages = []lang.Language{golang.Go{}, python.Python{}, javascript.JavaScript{}}

var toolchains = map[string]toolchain.Toolchain{"go": toolchain.Go{}, "python": toolchain.Python{}, "javascript": toolchain.JavaScript{}}

func TestMain(m *testing.M) {
	if sandbox.IsSupervisor() {
		os.Exit(sandbox.Supervise())
	}
	if os.Getenv(helperVariable) != "" {
		os.Exit(help())
	}
	if os.Getenv(busyVariable) != "" {
		go func() {
			for turns := new(atomic.Uint64); ; {
				turns.Add(1)
			}
		}()
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}
	os.Exit(test(m))
}

// load starts the busy loops that are asked for.
func load() (stop func(), err error) {
	stop = func() {}
	self, err := os.Executable()
	if err != nil {
		return stop, err
	}
	loops, _ := strconv.Atoi(os.Getenv(loadVariable))
	for range loops {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), busyVariable+"=1")
		input, err := cmd.StdinPipe()
		if err != nil {
			return stop, err
		}
		if err := cmd.Start(); err != nil {
			return stop, err
		}
		before := stop
		stop = func() {
			before()
			input.Close()
			cmd.Wait()
		}
	}
	return stop, nil
}

// test gives the tests a home and a temporary folder of their own, and fails if
// they leave a process, a goroutine or a work dir behind.
func test(m *testing.M) int {
	base, err := os.MkdirTemp("", "judge-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(base)
	stop, err := load()
	defer stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	os.Chmod(base, 0o755) // for tests as another user
	if cache, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil {
		os.Setenv(toolchain.CacheVariable, strings.TrimSpace(string(cache)))
	}
	for name, folder := range map[string]string{"HOME": "home", "TMPDIR": "tmp"} {
		path := filepath.Join(base, folder)
		if err := os.Mkdir(path, 0o755); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		os.Setenv(name, path)
	}
	// Many of the tests wait for a deadline.
	flag.Parse()
	flag.Set("test.parallel", strconv.Itoa(2*runtime.NumCPU()))
	goroutines := runtime.NumGoroutine()
	code := m.Run()
	for wait := 0; runtime.NumGoroutine() > goroutines && wait < 100; wait++ {
		time.Sleep(10 * time.Millisecond)
	}
	if left := runtime.NumGoroutine(); left > goroutines {
		stacks := make([]byte, 1<<16)
		fmt.Fprintf(os.Stderr, "%d goroutines are left:\n%s\n", left-goroutines, stacks[:runtime.Stack(stacks, true)])
		code = 1
	}
	if left := processesIn(base); left != "" {
		fmt.Fprintf(os.Stderr, "a process is left in %s\n", left)
		code = 1
	}
	if left, _ := filepath.Glob(filepath.Join(base, "tmp", "gen-*")); len(left) > 1 || len(left) == 1 && !strings.HasPrefix(filepath.Base(left[0]), "gen-cache-") {
		fmt.Fprintf(os.Stderr, "left in the temporary folder: %v\n", left)
		code = 1
	}
	return code
}

// processesIn returns the folder of a process that runs below a folder, or "". One
// that is replaced by its child again and again is seen by looking often.
func processesIn(base string) string {
	for range 200 {
		folders, _ := filepath.Glob("/proc/[0-9]*/cwd")
		for _, link := range folders {
			if folder, err := os.Readlink(link); err == nil && strings.HasPrefix(folder, base+"/") {
				return folder
			}
		}
	}
	return ""
}

// judged judges the first submission to an exercise.
func judged(ctx context.Context, l lang.Language, u *lang.Unit, job judge.Job) (*judge.Verdict, error) {
	return judgedWith(ctx, l, toolchains[l.Facts().Name], u, job)
}

// judgedWith does so with a toolchain of its own.
func judgedWith(ctx context.Context, l lang.Language, t toolchain.Toolchain, u *lang.Unit, job judge.Job) (*judge.Verdict, error) {
	e, err := judge.NewExercise(l, t, u)
	if err != nil {
		return nil, err
	}
	return e.Judge(ctx, job)
}

// need skips a test where a language's tools are missing.
func need(t testing.TB, l lang.Language) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: solutions are contained on Linux alone")
	}
	for _, need := range l.Facts().Needs {
		if _, err := exec.LookPath(need.Program); err != nil {
			t.Skipf("SKIPPED: %s is not installed; %s", need.Program, need.Hint)
		}
	}
}
