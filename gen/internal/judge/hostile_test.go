package judge_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"stateoftictactoe/gen/internal/judge"
	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/sandbox"
	"stateoftictactoe/gen/internal/spec"
)

const (
	hostileFolder = "testdata/hostile"
	goodFile      = "good.txtar" // what follows an attack
)

// layerSets are what of the isolation a system may have. Each layer must hold by
// itself, but Landlock alone does not: it knows of no UDP yet, takes the thread
// that started a process for one of its own, and ends no row of children that is
// faster than a look at it.
var layerSets = []struct {
	name    string
	without []sandbox.Layer
	leaves  []string // the submissions that it does not hold
}{
	{"all layers", nil, nil},
	{"no namespaces", []sandbox.Layer{sandbox.Namespaces, sandbox.Cgroup}, nil},
	{"only Landlock", []sandbox.Layer{sandbox.Namespaces, sandbox.Seccomp, sandbox.Cgroup}, []string{"network", "kill_threads", "children_hop", "chmod_device", "memory_released", "memory_small", "limit_supervisor"}},
	{"only namespaces", []sandbox.Layer{sandbox.Landlock, sandbox.Seccomp, sandbox.Cgroup}, []string{"memory_released", "limit_supervisor"}},
}

// hostileUnit reads the exercise of the hostile set.
func hostileUnit(t testing.TB, l lang.Language) *lang.Unit {
	t.Helper()
	name := filepath.Join(hostileFolder, "canonical-data.json")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	data, err := spec.ParseData(name, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	cases, _ := spec.Select(data, nil)
	return lang.NewUnit(l, data.Exercise, cases, lang.Settings{})
}

// submission is one of the hostile set.
type submission struct {
	name     string
	language lang.Language
	timeout  time.Duration
	memory   uint64 // 0 for the default
	solution string
	output   string // what the second row's output must hold
	status   judge.Status
	message  string // what the verdict's message must hold
	rows     []row
	open     []row // where no system call is refused
}

type row struct {
	status  judge.Status
	message string // what it must hold
}

var (
	timeoutNote = regexp.MustCompile(`timeout: (\S+)`)
	memoryNote  = regexp.MustCompile(`memory: ([0-9]+)`)
	outputNote  = regexp.MustCompile(`output: (.*)`)
)

// hostileSet reads the submissions of a language.
func hostileSet(t testing.TB, l lang.Language) []submission {
	t.Helper()
	good, err := txtar.ParseFile(filepath.Join(hostileFolder, l.Facts().Name, goodFile))
	if err != nil {
		t.Fatal(err)
	}
	follows := good.Files[0].Data
	paths, err := filepath.Glob(filepath.Join(hostileFolder, l.Facts().Name, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var set []submission
	for _, path := range paths {
		if filepath.Base(path) == goodFile {
			continue
		}
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s := submission{name: strings.TrimSuffix(filepath.Base(path), ".txtar"), language: l, timeout: 20 * time.Second}
		note := string(archive.Comment)
		if m := timeoutNote.FindStringSubmatch(note); m != nil {
			if s.timeout, err = time.ParseDuration(m[1]); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
		}
		if m := memoryNote.FindStringSubmatch(note); m != nil {
			megabytes, err := strconv.ParseUint(m[1], 10, 64)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			s.memory = megabytes << 20
		}
		if m := outputNote.FindStringSubmatch(note); m != nil {
			if s.output, err = strconv.Unquote(`"` + m[1] + `"`); err != nil {
				t.Fatalf("%s: output: %v", path, err)
			}
		}
		for _, file := range archive.Files {
			switch file.Name {
			case "attack":
				s.solution = string(file.Data) + string(follows)
			case "solution":
				s.solution = string(file.Data)
			case "want", "want without seccomp":
				var rows []row
				lines := strings.Split(strings.TrimRight(string(file.Data), "\n"), "\n")
				for i, line := range lines {
					status, message, _ := strings.Cut(line, " ")
					if i == 0 {
						s.status, s.message = judge.Status(status), message
					} else {
						rows = append(rows, row{judge.Status(status), message})
					}
				}
				if s.open = rows; file.Name == "want" {
					s.rows = rows
				}
			default:
				t.Fatalf("%s: unknown part %s", path, file.Name)
			}
		}
		set = append(set, s)
	}
	if len(set) == 0 {
		t.Fatalf("no submissions in %s", l.Facts().Name)
	}
	return set
}

// TestHostile judges the hostile set, with all layers of isolation and with each
// way in which some may be missing.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, set := range layerSets {
		t.Run(set.name, func(t *testing.T) { hostile(t, set.without, set.leaves) })
	}
}

// marks makes numbers that no other process has among its arguments.
var marks atomic.Int64

func hostile(t *testing.T, without []sandbox.Layer, leaves []string) {
	w := newWorld(t)
	t.Cleanup(func() { w.check(t) }) // after all that runs in parallel
	for _, l := range languages {
		t.Run(l.Facts().Name, func(t *testing.T) {
			need(t, l)
			unit := hostileUnit(t, l)
			for _, s := range hostileSet(t, l) {
				if without != nil && !layered(s) || slices.Contains(leaves, s.name) {
					continue
				}
				if slices.Contains(without, sandbox.Seccomp) {
					s.rows = s.open
				}
				t.Run(s.name, func(t *testing.T) {
					t.Parallel()
					w.judge(t, unit, s, without)
				})
			}
		})
	}
}

// layered reports whether a submission tells something of a system that lacks
// layers of isolation. The rest is the same in all of them.
func layered(s submission) bool {
	switch s.name {
	case "write", "network", "read", "read_by_child", "debug", "child_outlives", "children", "children_hop", "kill", "kill_threads",
		"exit_3", "exit_3_at_load", "panic", "memory", "memory_shared", "memory_released", "memory_small", "environment",
		"chmod_device", "limit_supervisor", "seal_work_dir", "table", "results":
		return true
	}
	return false
}

func (w *world) judge(t *testing.T, unit *lang.Unit, s submission, without []sandbox.Layer) {
	problems := w.problems(t, unit, s, without)
	// On a busy machine even what is right may miss a short deadline.
	for tries := 0; tries < 2 && len(problems) > 0; tries++ {
		t.Logf("again, with more time, after:\n%s", strings.Join(problems, "\n"))
		s.timeout *= 4
		problems = w.problems(t, unit, s, without)
	}
	for _, problem := range problems {
		t.Error(problem)
	}
}

// problems judges a submission and lists what is wrong with the verdict.
func (w *world) problems(t *testing.T, unit *lang.Unit, s submission, without []sandbox.Layer) (problems []string) {
	say := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	mark := fmt.Sprintf("%d.%06d", os.Getpid(), marks.Add(1))
	solution := strings.NewReplacer(append([]string{"$MARK", mark}, w.names...)...).Replace(s.solution)
	start := time.Now()
	v, err := judged(context.Background(), s.language, unit, judge.Job{
		Solution:  map[string][]byte{unit.Files.Solution: []byte(solution)},
		Time:      s.timeout,
		Memory:    s.memory,
		Isolation: sandbox.AutoIsolation,
		Hide:      w.hide,
		Without:   without,
	})
	if err != nil {
		t.Fatal(err)
	}
	// The one timing: coarse, for a machine may be busy.
	if took := time.Since(start); took > s.timeout+s.timeout/4+time.Second {
		say("took %v; its time is %v", took, s.timeout)
	}
	if without == nil && len(v.Missing) > 0 {
		t.Logf("not in force here: %v", v.Missing)
	}
	// What no second try excuses.
	if pids := processesWith(mark); len(pids) > 0 {
		t.Errorf("left processes: %v", pids)
	}
	results := string(v.Results())
	for _, leak := range []string{os.TempDir(), "REACHED"} {
		if at := strings.Index(results, leak); at >= 0 {
			t.Errorf("the results tell of %s: %.500s", leak, results[max(at-200, 0):])
		}
	}
	if err := validate(v.Results()); err != nil {
		t.Errorf("the results break the interface: %v", err)
	}
	if v.Status != s.status || !strings.Contains(v.Message, s.message) {
		say("verdict: %s %q, want %s with %q", v.Status, v.Message, s.status, s.message)
	}
	if len(v.Rows) != len(s.rows) {
		say("%d rows, want %d: %q", len(v.Rows), len(s.rows), v.Message)
		return problems
	}
	for i, row := range v.Rows {
		if row.Status != s.rows[i].status || !strings.Contains(row.Message, s.rows[i].message) {
			say("%s: %s, want %s with %q:\n%s\nit printed: %.500s", row.Name, row.Status, s.rows[i].status, s.rows[i].message, row.Message, row.Output)
		}
	}
	if s.output != "" && !strings.Contains(judge.Shorten(v.Rows[1].Output), s.output) {
		say("output %q does not hold %q", judge.Shorten(v.Rows[1].Output), s.output)
	}
	return problems
}

// world is what a submission must not reach.
type world struct {
	names   []string // of it, and what stands for them in submissions
	hide    []string
	watched []string          // folders
	before  map[string]string // what there was in them
	heard   *atomic.Int64     // by those who listen
}

func newWorld(t *testing.T) *world {
	base := t.TempDir()
	w := &world{heard: &atomic.Int64{}}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	exercise, input := filepath.Join(base, "exercise"), filepath.Join(base, "input")
	var files []string
	for _, name := range []string{"canonical-data.json", "cases_test.go", ".meta/example.go", ".meta/gen.toml", "tests.toml"} {
		for _, dir := range []string{exercise, input} {
			files = append(files, filepath.Join(dir, name))
		}
	}
	files = append(files, filepath.Join(home, "secret"))
	for _, file := range files {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("REACHED"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	w.hide = []string{exercise, input}
	w.watched = []string{exercise, input, home, "/", "/usr", "/dev/shm", "/var/tmp", "/dev/full"}
	w.before = contents(w.watched)

	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(input, "s")
	stream, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	w.before = contents(w.watched)
	abstract := "judge-test-" + strconv.Itoa(os.Getpid()) + t.Name()
	datagram, err := net.ListenPacket("unixgram", "@"+abstract)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []net.Listener{tcp, stream} {
		t.Cleanup(func() { l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				w.heard.Add(1)
				c.Close()
			}
		}()
	}
	for _, c := range []net.PacketConn{udp, datagram} {
		t.Cleanup(func() { c.Close() })
		go func() {
			for block := make([]byte, 64); ; {
				if _, _, err := c.ReadFrom(block); err != nil {
					return
				}
				w.heard.Add(1)
			}
		}()
	}
	w.names = []string{
		"$FILES", strings.Join(files, " "),
		"$FOLDERS", strings.Join([]string{exercise, input, home, os.TempDir()}, " "),
		"$TCP", tcp.Addr().String(),
		"$UDP", udp.LocalAddr().String(),
		"$SOCKET", socket,
		"$ABSTRACT", abstract,
	}
	return w
}

// check fails a test if anything was reached.
func (w *world) check(t *testing.T) {
	if n := w.heard.Load(); n > 0 {
		t.Errorf("the listeners heard something %d times", n)
	}
	if after := contents(w.watched); !maps.Equal(w.before, after) {
		for path, what := range after {
			if w.before[path] != what {
				t.Errorf("%s: was %q, is %q", path, w.before[path], what)
			}
		}
	}
}

// contents lists what is directly in some folders, and below those that are the
// test's own.
func contents(folders []string) map[string]string {
	found := map[string]string{}
	for _, folder := range folders {
		own := strings.HasPrefix(folder, filepath.Dir(os.TempDir()))
		if info, err := os.Stat(folder); err == nil && info.Mode()&fs.ModeDevice != 0 {
			found[folder] = fmt.Sprint(info.Mode(), info.ModTime(), owner(info))
			continue
		}
		filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			what := d.Type().String()
			if info, err := d.Info(); err == nil && own && !d.IsDir() {
				what += fmt.Sprint(" ", info.Size(), " ", info.ModTime())
			}
			if own || path == folder || strings.Contains(path, strconv.Itoa(os.Getpid())+".") {
				found[path] = what
			}
			if d.IsDir() && path != folder && !own {
				return fs.SkipDir
			}
			return nil
		})
	}
	return found
}

// processesWith lists the processes that have a text among their arguments.
func processesWith(text string) (found []string) {
	paths, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range paths {
		line, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(line), text) && !slices.Contains(strings.Split(path, "/"), strconv.Itoa(os.Getpid())) {
			found = append(found, fmt.Sprintf("%s: %q", path, line))
		}
	}
	return found
}
