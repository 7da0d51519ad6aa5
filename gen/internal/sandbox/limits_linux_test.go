package sandbox_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"stateoftictactoe/gen/internal/sandbox"
)

// TestDescriptors holds that nothing of what this program was started with gets to a
// contained process, nor the descriptor through which its supervisor reports.
func TestDescriptors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	must(t, os.WriteFile(path, []byte("SECRET"), 0o600))
	const high = 77
	fd, err := unix.Open(path, unix.O_RDONLY, 0)
	must(t, err)
	defer unix.Close(fd)
	must(t, unix.Dup2(fd, high)) // it is not closed when a program starts
	defer unix.Close(high)
	for _, isolation := range []sandbox.Isolation{sandbox.AutoIsolation, sandbox.NoIsolation} {
		b := &sandbox.Box{Isolation: isolation, Work: t.TempDir()}
		if got, _ := sh(t, b, "cat <&77; cat /proc/self/fd/*; echo done"); strings.Contains(got, "SECRET") {
			t.Errorf("%s: read %q", isolation, got)
		}
		forge := `for fd in 3 4 5 6 7 8 9; do echo '{"ended":true,"code":77}' >&$fd; done; exit 3`
		if got, code := sh(t, b, forge, "exit 0"); code != 3 {
			t.Errorf("%s: exited with %d and printed %q", isolation, code, got)
		}
	}
}

// TestCPU holds that the time of all processes of a run counts: of those whose parent
// has ended, of those whose parent does not wait, and of those that are killed.
func TestCPU(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	const head = `
import os, signal, sys, time


def burn():
    while time.process_time() < 0.3:
        pass
    os._exit(0)


def child():
    if os.fork() == 0:
        burn()


`
	for _, test := range []struct {
		name, text string
		want       time.Duration
	}{
		{"one", "burn()", 300},
		{"children", "child(), child(), os.wait(), os.wait()", 600},
		{"orphans", "r, w = os.pipe()\nif os.fork() == 0:\n    child(), child(), os._exit(0)\nos.close(w)\nos.read(r, 1)", 600},
		// The last of it may not be seen.
		{"nobody's", "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\nfor _ in range(3):\n    child()\ntry:\n    os.wait()\nexcept OSError:\n    pass", 350},
		{"threads", "import threading\nthreading.Thread(target=burn).start()", 300},
	} {
		for _, without := range [][]sandbox.Layer{nil, {sandbox.Namespaces}} {
			t.Run(test.name, func(t *testing.T) {
				b := &sandbox.Box{Isolation: sandbox.AutoIsolation, Without: without}
				p, err := b.Start(false, program{tool: "python3", text: head + test.text}.command(t, b))
				must(t, err)
				var output bytes.Buffer
				_, _, err = p.Wait(time.Now().Add(time.Minute), &output)
				p.Kill()
				must(t, err)
				if got := p.Used().CPU; got < test.want*time.Millisecond {
					t.Errorf("%v, want %d ms at least; it printed %q", got, test.want, &output)
				}
			})
		}
	}
	endless := &sandbox.Box{Work: t.TempDir()}
	p, err := endless.Start(false, sandbox.Command{Args: []string{"sh", "-c", "while :; do :; done"}})
	must(t, err)
	p.Wait(time.Now().Add(time.Second), &bytes.Buffer{})
	p.Kill()
	if p.Used().CPU < 50*time.Millisecond {
		t.Errorf("one that is killed takes %v", p.Used().CPU)
	}
}

// TestMemory holds that what hides in the system's tables counts as memory, by the
// watch and by the limit on addresses.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	if unix.Getpagesize() != 4096 {
		t.Skip("SKIPPED: other pages")
	}
	// Each touch of 2 MB costs 4 kB of tables, and no memory of its own.
	const tables = `
import ctypes, mmap
library = ctypes.CDLL(None)
library.mmap.restype = ctypes.c_void_p
size = 1 << 40
start = library.mmap(None, ctypes.c_size_t(size), 1, 0x4022, -1, ctypes.c_size_t(0))
if start == ctypes.c_void_p(-1).value:
    raise SystemExit("refused")
for at in range(start, start + size, 1 << 21):
    ctypes.c_char.from_address(at).value
print("had all")
`
	// The first thread of each has ended, and tells nothing of the others.
	const leaderless = `
import ctypes, os, threading, time
def hold():
    time.sleep(0.5)
    kept = bytearray(b"1" * (100 << 20))
    time.sleep(60)
for _ in range(4):
    if os.fork() == 0:
        threading.Thread(target=hold).start()
        ctypes.CDLL(None).syscall(60, 0)
time.sleep(30)
`
	for _, test := range []struct {
		name, text string
		box        *sandbox.Box
		want       string
	}{
		{"watch", tables, &sandbox.Box{Memory: 256 << 20, Without: []sandbox.Layer{sandbox.Cgroup}}, "took more than 256 MB of memory"},
		{"control group", tables, &sandbox.Box{Memory: 256 << 20, Without: []sandbox.Layer{sandbox.Watch}}, "took more than 256 MB of memory"},
		{"addresses", tables, &sandbox.Box{Memory: 256 << 20, Address: 8 << 30, Without: []sandbox.Layer{sandbox.Watch}}, "refused"},
		{"leaderless", leaderless, &sandbox.Box{Memory: 256 << 20, Without: []sandbox.Layer{sandbox.Cgroup}}, "took more than 256 MB of memory"},
		{"leaderless, no namespaces", leaderless, &sandbox.Box{Memory: 256 << 20, Without: []sandbox.Layer{sandbox.Namespaces, sandbox.Cgroup}}, "took more than 256 MB of memory"},
	} {
		if test.text == leaderless && runtime.GOARCH != "amd64" {
			continue // the number of the call is another
		}
		t.Run(test.name, func(t *testing.T) {
			test.box.Isolation = sandbox.AutoIsolation
			c := program{tool: "python3", text: test.text}.command(t, test.box)
			p, err := test.box.Start(false, c)
			must(t, err)
			defer p.Kill()
			if test.name == "control group" && !held(test.box, sandbox.Cgroup) {
				t.Skipf("SKIPPED: %v", test.box.Layers())
			}
			var output bytes.Buffer
			_, how, err := p.Wait(time.Now().Add(time.Minute), &output)
			must(t, err)
			if !strings.Contains(output.String()+how, test.want) {
				t.Errorf("it printed %q and %s", &output, how)
			}
		})
	}
}

// TestOpen holds that what waits in open files, or is bound to them, counts as memory,
// in a control group too, and that a user's share of timers is left to others.
func TestOpen(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	const (
		head = `
import os, select, socket, threading, time
def fill(open):
    kept = []
    try:
        while len(kept) < 100:
            kept.append(open())
    except OSError:
        pass
    time.sleep(60)
`
		fork = head + `
for _ in range(15):
    if os.fork() == 0:
        fill(%s)
time.sleep(30)
print("had all")
`
		shared = head + `
kept = [socket.socketpair() for _ in range(50)]
for _ in range(15):
    if os.fork() == 0:
        time.sleep(60)
time.sleep(1)
print("had all")
`
		leaderless = `
import ctypes, os, socket, threading, time
kept = []
def hold():
    time.sleep(0.5)
    kept.extend(socket.socketpair() for _ in range(100))
    time.sleep(60)
for _ in range(15):
    if os.fork() == 0:
        threading.Thread(target=hold).start()
        ctypes.CDLL(None).syscall(60, 0)
time.sleep(30)
`
		timers = `
import ctypes
library, event, timer = ctypes.CDLL(None), (ctypes.c_int * 32)(), ctypes.c_int()
event[2] = 10
made = 0
while made < 2000 and library.timer_create(1, event, ctypes.byref(timer)) == 0:
    made += 1
print("few" if made <= 256 else made)
`
		greedy = "took more than 256 MB of memory"
	)
	for _, test := range []struct{ name, text, want string }{
		{"sockets", fmt.Sprintf(fork, "socket.socketpair"), greedy},
		{"pipes", strings.ReplaceAll(fmt.Sprintf(fork, "os.pipe"), "range(15)", "range(48)"), greedy},
		{"event loops", fmt.Sprintf(fork, "select.epoll"), greedy},
		{"leaderless", leaderless, greedy},
		{"shared sockets", shared, "had all"},
		{"timers", timers, "few"},
	} {
		if test.text == leaderless && runtime.GOARCH != "amd64" {
			continue // the number of the call is another
		}
		for name, without := range map[string][]sandbox.Layer{
			"control group": nil,
			"namespaces":    {sandbox.Cgroup},
			"gate":          {sandbox.Cgroup, sandbox.Namespaces},
		} {
			t.Run(test.name+", "+name, func(t *testing.T) {
				t.Parallel()
				b := &sandbox.Box{Isolation: sandbox.AutoIsolation, Memory: 256 << 20, Without: without}
				p, err := b.Start(false, program{tool: "python3", text: test.text}.command(t, b))
				must(t, err)
				defer p.Kill()
				var output bytes.Buffer
				_, how, err := p.Wait(time.Now().Add(time.Minute), &output)
				must(t, err)
				if !strings.Contains(output.String()+how, test.want) {
					t.Errorf("it printed %q and %s", &output, how)
				}
			})
		}
	}
}

// TestTasks holds that a run has no more processes and threads than it may, whatever
// they do: wait, or have ended without anybody's notice.
func TestTasks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	const text = `
import os, signal, threading, time
if %q == "threads":
    start = lambda: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
else:
    def start():
        if os.fork() == 0:
            if %[1]q == "waiting":
                time.sleep(60)
            os._exit(0)
count = 0
try:
    while count < 2000:
        start()
        count += 1
except (OSError, RuntimeError):
    pass
print("started", count, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
`
	for _, kind := range []string{"waiting", "ended", "threads"} {
		for name, without := range map[string][]sandbox.Layer{
			"namespaces":       {sandbox.Cgroup},
			"older namespaces": {sandbox.Cgroup},
			"gate":             {sandbox.Cgroup, sandbox.Namespaces},
			"control group":    {sandbox.Seccomp, sandbox.Namespaces},
		} {
			t.Run(kind+", "+name, func(t *testing.T) {
				b := &sandbox.Box{Isolation: sandbox.AutoIsolation, Memory: 16 << 30, Without: without}
				if name == "older namespaces" {
					sandbox.UseOlder(b)
				}
				printed, _ := runIn(t, b, program{tool: "python3", text: fmt.Sprintf(text, kind)}.command(t, b))
				if name == "control group" && !held(b, sandbox.Cgroup) {
					t.Skipf("SKIPPED: %v", b.Layers())
				}
				var started int
				if _, err := fmt.Sscanf(printed, "started %d", &started); err != nil || started < 100 || started > 1024 {
					t.Errorf("printed %q", printed)
				}
			})
		}
	}
}

// TestStarved holds that a supervisor lives on, and ends all, whatever it is made to look
// at, and needs no thread that its user may not have any more.
func TestStarved(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	name := fmt.Sprintf("starved%d", os.Getpid())
	text := `
import ctypes, os, time
ctypes.CDLL(None).prctl(15, b"` + name + `", 0, 0, 0)
print("threads", len(os.listdir("/proc/%d/task" % os.getppid())))
refused = 0
while refused < 80:
    try:
        if os.fork() == 0:
            time.sleep(1000)
            os._exit(0)
    except OSError:
        refused += 1
print("refused")
`
	b := &sandbox.Box{
		Isolation: sandbox.AutoIsolation, Memory: 256 << 20,
		Without: []sandbox.Layer{sandbox.Namespaces, sandbox.Landlock, sandbox.Cgroup, sandbox.Watch},
	}
	printed, _ := runIn(t, b, program{tool: "python3", text: text}.command(t, b))
	if missing(b, sandbox.Seccomp) {
		t.Skipf("SKIPPED: missing %v", b.Missing())
	}
	var threads int
	if _, err := fmt.Sscanf(printed, "threads %d\nrefused\n", &threads); err != nil || threads < 10 {
		t.Errorf("printed %.2000q", printed)
	}
	if left := named(name); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// named lists the processes of a name.
func named(name string) (found []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/comm")
	for _, file := range files {
		if got, err := os.ReadFile(file); err == nil && strings.TrimSpace(string(got)) == name {
			found = append(found, file)
		}
	}
	return found
}

// TestLostSupervisor holds that nothing stays when the system kills a supervisor.
func TestLostSupervisor(t *testing.T) {
	for name, without := range map[string][]sandbox.Layer{"namespaces": {sandbox.Cgroup}, "session": {sandbox.Namespaces, sandbox.Cgroup}} {
		t.Run(name, func(t *testing.T) {
			seconds := fmt.Sprintf("9%d", os.Getpid())
			b := &sandbox.Box{Isolation: sandbox.AutoIsolation, Work: t.TempDir(), Memory: 1 << 30, Without: without}
			p, err := b.Start(false, sandbox.Command{Args: []string{"sh", "-c", "sleep " + seconds + " & (sleep " + seconds + " &) ; sleep " + seconds}})
			must(t, err)
			sleeping := func() (count int) {
				files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
				for _, file := range files {
					if text, err := os.ReadFile(file); err == nil && string(text) == "sleep\x00"+seconds+"\x00" {
						count++
					}
				}
				return count
			}
			for until := time.Now().Add(time.Minute); sleeping() < 3 && time.Now().Before(until); {
				time.Sleep(time.Millisecond)
			}
			if got := sleeping(); got != 3 {
				t.Errorf("%d processes sleep, want 3", got)
			}
			sandbox.KillSupervisor(p)
			p.Kill()
			for until := time.Now().Add(10 * time.Second); sleeping() > 0 && time.Now().Before(until); {
				time.Sleep(time.Millisecond)
			}
			if got := sleeping(); got != 0 {
				t.Errorf("%d processes are left", got)
			}
		})
	}
}

// TestLeaderless holds that a process whose first thread has ended is ended too, though
// it looks as if it had.
func TestLeaderless(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("SKIPPED: the number of the call is that of amd64")
	}
	name := fmt.Sprintf("left%d", os.Getpid())
	text := `
import ctypes, os, threading, time
library = ctypes.CDLL(None)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        library.prctl(15, b"` + name + `", 0, 0, 0)
        threading.Thread(target=time.sleep, args=(1000,)).start()
        library.syscall(60, 0)
    time.sleep(1000)
time.sleep(0.3)
`
	for _, without := range [][]sandbox.Layer{nil, {sandbox.Namespaces}, {sandbox.Namespaces, sandbox.Seccomp}} {
		b := &sandbox.Box{Isolation: sandbox.AutoIsolation, Without: without}
		runIn(t, b, program{tool: "python3", text: text}.command(t, b))
		if left := named(name); len(left) > 0 {
			t.Errorf("without %v: left: %v", without, left)
		}
	}
}

// TestWatchMissing holds that a watch that cannot see is named, though a control group
// may count memory, and that a run that requires all layers is refused.
func TestWatchMissing(t *testing.T) {
	for name, without := range map[string][]sandbox.Layer{
		"with a control group":    {sandbox.Watch},
		"without a control group": {sandbox.Watch, sandbox.Cgroup},
	} {
		t.Run(name, func(t *testing.T) {
			b := &sandbox.Box{Isolation: sandbox.AutoIsolation, Work: t.TempDir(), Memory: 1 << 30, Without: without}
			sh(t, b, "exit")
			if !missing(b, sandbox.Watch) {
				t.Errorf("missing: %v", b.Missing())
			}
			b.Isolation = sandbox.RequireIsolation
			_, _, err := tryIn(b, sandbox.Command{Args: []string{"true"}})
			if !errors.Is(err, sandbox.ErrIsolation) || !missing(b, sandbox.Namespaces) && !strings.Contains(err.Error(), "no "+string(sandbox.Watch)) {
				t.Errorf("it ran without a layer that is required: %v", err)
			}
		})
	}
}

// TestLongPath holds that no layer is lost where the work dir's path is long.
func TestLongPath(t *testing.T) {
	plain := &sandbox.Box{Isolation: sandbox.AutoIsolation, Work: t.TempDir()}
	sh(t, plain, "exit")
	work := t.TempDir()
	for len(work) < 3000 {
		work = filepath.Join(work, strings.Repeat("long", 50))
	}
	must(t, os.MkdirAll(work, 0o755))
	b := &sandbox.Box{Isolation: sandbox.AutoIsolation, Work: work, Write: []string{work}}
	if got, _ := sh(t, b, "echo fine > file; cat file"); got != "fine\n" {
		t.Errorf("printed %q", got)
	}
	if !slices.Equal(b.Missing(), plain.Missing()) {
		t.Errorf("missing: %v, elsewhere %v", b.Missing(), plain.Missing())
	}
}

// TestFewDescriptors holds that a moment without descriptors costs no layer.
func TestFewDescriptors(t *testing.T) {
	b := &sandbox.Box{Isolation: sandbox.AutoIsolation, Work: t.TempDir()}
	sh(t, b, "exit")
	before := b.Missing()
	var now unix.Rlimit
	must(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &now))
	t.Cleanup(func() { unix.Setrlimit(unix.RLIMIT_NOFILE, &now) })
	for few := range uint64(40) {
		must(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: few, Max: now.Max}))
		_, _, err := tryIn(b, sandbox.Command{Args: []string{"true"}})
		t.Logf("%d descriptors: %v", few, err)
	}
	must(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &now))
	sh(t, b, "exit")
	if !slices.Equal(b.Missing(), before) {
		t.Errorf("missing: %v, before %v", b.Missing(), before)
	}
}
