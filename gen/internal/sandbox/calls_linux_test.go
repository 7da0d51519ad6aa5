//go:build amd64 || arm64

package sandbox_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/sandbox"
)

// program is one that a box runs, with what it must print.
type program struct {
	name  string
	tool  string // that runs it
	tools bool   // as a compiler
	text  string
	want  string // what the output must hold
}

// command prepares a program and the box that it runs in.
func (p program) command(t *testing.T, b *sandbox.Box) sandbox.Command {
	t.Helper()
	work := t.TempDir()
	b.Work, b.Tools = work, p.tools
	if b.Isolation == "" {
		b.Isolation = sandbox.AutoIsolation
	}
	if p.tools {
		b.Write = []string{work}
	}
	command := sandbox.Command{}
	write := func(name, text string) string {
		path := filepath.Join(work, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	find := func(tool, code string) string {
		found, read := installed(t, tool, code)
		b.Read = append(b.Read, read)
		return found
	}
	switch p.tool {
	case "sh":
		command.Args = []string{"sh", "-c", p.text}
	case "python3":
		command.Args = []string{find("python3", "import sys; print(sys.executable); print(sys.base_prefix)"), "-I", "-B", write("program.py", p.text)}
	case "node":
		command.Args = []string{find("node", "console.log(process.execPath); console.log('/usr')"), write("program.mjs", p.text)}
	case "go":
		write("main.go", p.text)
		build(t, work)
		command.Args = []string{filepath.Join(work, "program")}
	}
	return command
}

// works reports whether a program does what it should.
func (p program) works(t *testing.T, b *sandbox.Box) bool {
	t.Helper()
	printed, _, err := tryIn(b, p.command(t, b))
	if err != nil {
		t.Logf("%s: %v", p.name, err)
		return false
	}
	if !strings.Contains(printed, p.want) {
		t.Logf("%s: printed %.2000q, want %q", p.name, printed, p.want)
		return false
	}
	return true
}

// common are programs that do what solutions and compilers do on ordinary days and on
// others. Each group of system calls is named for the program that needs it.
var common = map[string]program{
	"memory":                {name: "it starts", tool: "sh", text: "echo fine", want: "fine"},
	"shared memory":         {name: "it maps a file", tool: "python3", tools: true, want: "fine", text: "import mmap\nf = open('x', 'w+b')\nf.truncate(4096)\nm = mmap.mmap(f.fileno(), 4096)\nm[0] = 1\nm.flush()\nprint('fine')\n"},
	"small shared memory":   {name: "it has a lock for several processes", tool: "python3", want: "fine", text: "import multiprocessing\n\nmultiprocessing.Lock()\nprint('fine')\n"},
	"reading and writing":   {name: "it prints", tool: "sh", text: "echo fine", want: "fine"},
	"looking at files":      {name: "it lists a folder", tool: "sh", text: "cd /usr && test -d bin && ls && echo fine", want: "fine"},
	"descriptors":           {name: "it does not wait for what it reads", tool: "python3", want: "fine", text: "import os\nr, w = os.pipe()\nos.set_blocking(r, False)\nos.set_inheritable(r, True)\ntry:\n    os.read(r, 1)\nexcept BlockingIOError:\n    print('fine')\n"},
	"waiting":               {name: "it has an event loop", tool: "node", want: "fine", text: "setTimeout(() => console.log('fine'), 1);\n"},
	"pairs of sockets":      {name: "it runs asyncio", tool: "python3", want: "fine", text: "import asyncio\n\n\nasync def main():\n    loop = asyncio.get_running_loop()\n    await loop.run_in_executor(None, print, 'fine')\n\n\nasyncio.run(main())\n"},
	"time":                  {name: "it sleeps and has an alarm", tool: "python3", want: "fine", text: "import signal\nimport time\n\nsignal.signal(signal.SIGALRM, lambda *_: print('fine'))\nsignal.setitimer(signal.ITIMER_REAL, 0.01)\ntime.sleep(0.1)\n"},
	"threads and processes": {name: "it has a thread", tool: "python3", want: "fine", text: "import threading\n\nt = threading.Thread(target=print, args=('fine',))\nt.start()\nt.join()\n"},
	"sessions":              {name: "it starts a child in a session of its own", tool: "python3", want: "fine", text: "import os\nif os.fork() == 0:\n    os.setsid()\n    print('fine')\nelse:\n    os.wait()\n"},
	"scheduling":            {name: "it counts processors and is nice", tool: "python3", want: "fine", text: "import os\nimport time\n\nos.sched_getaffinity(0)\nos.sched_yield()\nos.nice(1)\nprint('fine')\n"},
	"signals":               {name: "it handles a signal of its own", tool: "python3", want: "fine", text: "import os\nimport signal\n\nsignal.signal(signal.SIGUSR1, lambda *_: print('fine'))\nos.kill(os.getpid(), signal.SIGUSR1)\n"},
	"who and where":         {name: "it asks for its limits and for random numbers", tool: "python3", want: "fine", text: "import os\nimport resource\n\nresource.getrlimit(resource.RLIMIT_NOFILE)\nos.getrandom(8)\nos.uname()\nprint('fine')\n"},
	"changing files":        {name: "it locks, moves and marks files", tool: "python3", tools: true, want: "fine", text: "import fcntl\nimport os\n\nos.mkdir('d')\nwith open('d/x', 'w') as f:\n    fcntl.flock(f, fcntl.LOCK_EX)\n    fcntl.lockf(f, fcntl.LOCK_EX)\nos.chmod('d/x', 0o700)\nos.rename('d/x', 'd/y')\nos.utime('d/y', (1, 1))\nos.remove('d/y')\nos.rmdir('d')\nprint('fine')\n"},
	"newer calls":           {name: "it has threads whose library tries a newer call first", tool: "node", want: "fine", text: "import { Worker } from 'node:worker_threads';\n\nnew Worker('console.log(\"fine\")', { eval: true });\n"},
}

// TestGroups holds that each group of system calls is needed: without it a program
// fails that works with all of them.
func TestGroups(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, group := range sandbox.Groups() {
		t.Run(group, func(t *testing.T) {
			t.Parallel() // some of them cannot even start, and are waited for
			p, known := common[group]
			if !known {
				t.Fatal("no program says why this group is needed")
			}
			b := &sandbox.Box{}
			if !p.works(t, b) {
				if missing(b, sandbox.Namespaces) {
					t.Skipf("SKIPPED: missing %v", b.Missing())
				}
				t.Fatal("the program fails with all groups")
			}
			if missing(b, sandbox.Seccomp) {
				t.Skipf("SKIPPED: missing %v", b.Missing())
			}
			b = &sandbox.Box{}
			sandbox.LeaveOut(b, group)
			if p.works(t, b) {
				t.Error("the program works without the group")
			}
		})
	}
	if len(common) != len(sandbox.Groups()) {
		t.Errorf("%d programs for %d groups", len(common), len(sandbox.Groups()))
	}
}

// rare are things that solutions do now and then.
var rare = []program{
	{name: "threads and a pool", tool: "python3", want: "[1, 4, 9]", text: `
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    print(list(pool.map(lambda x: x * x, [1, 2, 3])))
`},
	{name: "a child", tool: "python3", want: "hello", text: `
import subprocess
print(subprocess.run(["echo", "hello"], capture_output=True, text=True, timeout=20).stdout)
`},
	{name: "no place for files", tool: "python3", want: "FileNotFoundError", text: `
import tempfile
try:
    tempfile.TemporaryFile()
except OSError as error:
    print(type(error).__name__)
`},
	{name: "libraries", tool: "python3", want: "(1,) 3.0 en", text: `
import asyncio, ctypes, decimal, hashlib, locale, math, multiprocessing, random, sqlite3, ssl, time, unicodedata, uuid
ctypes.CDLL(None).getpid()
locale.setlocale(locale.LC_ALL, "C.UTF-8")
random.random(), random.SystemRandom().random(), uuid.uuid4()
time.sleep(0.001), time.time(), time.localtime(), time.process_time(), time.thread_time()
hashlib.scrypt(b"x", salt=b"y", n=2, r=1, p=1)
print(sqlite3.connect(":memory:").execute("select 1").fetchone(), math.sqrt(9), "en")
`},
	{name: "time zones", tool: "python3", want: "fine", text: `
import zoneinfo
try:
    zoneinfo.ZoneInfo("Europe/Berlin")
except zoneinfo.ZoneInfoNotFoundError:
    pass
print("fine")
`},
	{name: "no names of hosts", tool: "python3", want: "refused", text: `
import socket
try:
    socket.getaddrinfo("localhost", 80, socket.AF_INET)
    socket.create_connection(("127.0.0.1", 9))
except OSError:
    print("refused")
`},
	{name: "the event loop", tool: "python3", want: "hello", text: `
import asyncio
async def main():
    child = await asyncio.create_subprocess_exec("echo", "hello", stdout=asyncio.subprocess.PIPE)
    print((await child.communicate())[0].decode())
asyncio.run(main())
`},
	{name: "an abort", tool: "python3", want: "Fatal Python error: Aborted", text: "import faulthandler, os\nfaulthandler.enable()\nos.abort()\n"},
	{name: "workers", tool: "node", want: "got 42", text: `
import { Worker } from 'node:worker_threads';
const worker = new Worker("require('node:worker_threads').parentPort.postMessage(42)", { eval: true });
worker.on('message', (value) => console.log('got', value));
`},
	{name: "WebAssembly", tool: "node", want: "fine", text: `
const module = await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
await WebAssembly.instantiate(module);
new WebAssembly.Memory({ initial: 1, maximum: 10 });
console.log('fine');
`},
	{name: "Intl", tool: "node", want: "1.234,5", text: "console.log(new Intl.NumberFormat('de-DE').format(1234.5), new Date().toLocaleString('en', { timeZone: 'Asia/Tokyo' }));\n"},
	{name: "shared buffers", tool: "node", want: "7", text: "const a = new Int32Array(new SharedArrayBuffer(8));\nAtomics.store(a, 0, 7);\nAtomics.wait(a, 1, 0, 5);\nconsole.log(a[0]);\n"},
	{name: "a child", tool: "node", want: "hello", text: "import { spawnSync } from 'node:child_process';\nconsole.log(spawnSync('echo', ['hello']).stdout.toString());\n"},
	{name: "no names of hosts", tool: "node", want: "refused", text: `
import dns from 'node:dns/promises';
import net from 'node:net';
try {
  await dns.resolve4('localhost');
} catch {
  net.connect(9, '127.0.0.1').on('error', () => console.log('refused'));
}
`},
	{name: "crypto and files", tool: "node", want: "fine", text: `
import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import zlib from 'node:zlib';
crypto.randomBytes(8), crypto.scryptSync('x', 'y', 8), zlib.gzipSync('x'.repeat(1e5)), os.cpus(), os.availableParallelism(), os.tmpdir();
await fs.promises.readFile(process.argv[1]);
performance.now(), process.hrtime(), process.cpuUsage(), structuredClone({});
console.log('fine');
`},
	{name: "goroutines, files and time", tool: "go", want: "fine", text: `
package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"sync"
	"syscall"
	"time"
)

func main() {
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			time.Sleep(time.Millisecond)
			_ = make([]byte, 1<<16)
			runtime.Gosched()
		})
	}
	wg.Wait()
	runtime.GC()
	debug.FreeOSMemory()
	debug.SetMemoryLimit(1 << 30)
	if _, err := os.ReadFile("main.go"); err != nil {
		panic(err)
	}
	time.LoadLocation("Europe/Berlin")
	rand.Text()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
	syscall.Kill(os.Getpid(), syscall.SIGUSR1)
	<-signals
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		panic(err)
	}
	for begin := time.Now(); time.Since(begin) < 50*time.Millisecond; {
	}
	pprof.StopCPUProfile()
	if _, err := net.Dial("tcp", "127.0.0.1:9"); err == nil {
		panic("connected")
	}
	if text, err := exec.Command("echo", "hello").Output(); err != nil || string(text) != "hello\n" {
		panic(fmt.Sprint(text, err))
	}
	timeout := time.AfterFunc(time.Hour, func() {})
	timeout.Stop()
	fmt.Println("fine")
}
`},
}

// TestRare holds that solutions may do what no attack needs, with namespaces and
// without.
func TestRare(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, without := range [][]sandbox.Layer{nil, {sandbox.Namespaces}, {sandbox.Namespaces, sandbox.Landlock}} {
		for _, p := range rare {
			t.Run(strings.ReplaceAll(p.tool+" "+p.name, " ", "_"), func(t *testing.T) {
				t.Parallel()
				if !p.works(t, &sandbox.Box{Without: without, Memory: 2 << 30}) {
					t.Errorf("without %v", without)
				}
			})
		}
	}
}

// TestRefused holds that what leads out is refused, by the filter alone.
func TestRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("SKIPPED: the numbers are those of amd64")
	}
	const head = `
import ctypes
import errno
import os

library = ctypes.CDLL(None, use_errno=True)


def call(name, number, *arguments):
    ctypes.set_errno(0)
    arguments = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = library.syscall(ctypes.c_long(number), *arguments)
    print(name, "done" if result != -1 else errno.errorcode[ctypes.get_errno()])


pid = library.getppid()
numbers = (ctypes.c_uint64 * 2)(0, 0)
file = os.open(os.__file__, os.O_RDONLY)
`
	calls := []struct{ name, call string }{
		{"prlimit of the supervisor", "302, pid, 7, numbers, 0"},
		{"prlimit of itself", "302, 0, 7, numbers, 0"},
		{"read of another's limit", "302, pid, 7, 0, numbers"},
		{"priority of the supervisor", "141, 0, pid, 19"},
		{"priority of all of a user", "141, 2, 0, 19"},
		{"affinity of the supervisor", "203, pid, 8, numbers"},
		{"scheduler of the supervisor", "144, pid, 0, numbers"},
		{"shared memory", "9, 0, 4096, 3, 0x21, -1, 0"},
		{"shared and checked memory", "9, 0, 4096, 1, 0x23, -1, 0"},
		{"shared page of a file", "9, 0, 4096, 1, 1, file, 0"},
		{"huge pages", "9, 0, 2 << 20, 3, 0x40022, -1, 0"},
		{"locked pages", "9, 0, 4096, 3, 0x2022, -1, 0"},
		{"stack that grows", "9, 0, 1 << 20, 3, 0x122, -1, 0"},
		{"pages to drop", "9, 0, 4096, 3, 0x28, -1, 0"},
		{"thread with descriptors of its own", "56, 0x10900, 0, 0, 0, 0"},
		{"removal", "263, -100, b'x', 0"},
		{"link", "265, -100, b'x', -100, b'y', 0"},
		{"memory in a file", "319, b'x', 0"},
		{"System V memory", "29, 0, 4096, 0o1600"},
		{"semaphores", "64, 0, 1, 0o1600"},
		{"message queue", "68, 0, 0o1600"},
		{"POSIX queue", "240, b'x', 0o102, 0o600, 0"},
		{"socket", "41, 1, 1, 0"},
		{"network socket", "41, 2, 1, 0"},
		{"pair of datagram sockets", "53, 1, 2, 0, numbers"},
		{"socket's buffer", "54, 0, 1, 7, numbers, 4"},
		{"pipe's size", "72, 1, 1031, 1 << 20"},
		{"signal when there is input", "72, 1, 4, 0x2000"},
		{"owner of a descriptor", "72, 1, 8, pid"},
		{"lease", "72, 1, 1024, 0"},
		{"typing for a terminal", "16, 0, 0x5412, b'x'"},
		{"namespace", "56, 0x10000011, 0, 0, 0, 0"},
		{"child of its parent's", "56, 0x8011, 0, 0, 0, 0"},
		{"unshare", "272, 0x10000000"},
		{"chmod", "90, b'/dev/full', 0o600"},
		{"fchmodat", "268, -100, b'/dev/full', 0o600"},
		{"chown", "92, b'/dev/full', 0, 0"},
		{"utimes", "280, -100, b'/dev/full', 0, 0"},
		{"xattr", "188, b'/dev/full', b'user.x', b'y', 1, 0"},
		{"inotify", "294, 0"},
		{"asynchronous I/O", "206, 1, numbers"},
		{"keys", "248, b'user', b'x', b'y', 1, -3"},
		{"keyring", "250, 0, -3, 1"},
		{"ptrace", "101, 16, pid, 0, 0"},
		{"memory of others", "310, pid, 0, 0, 0, 0, 0"},
		{"userfaultfd", "323, 1"},
		{"BPF", "321, 0, 0, 0"},
		{"performance counters", "298, numbers, 0, -1, -1, 0"},
		{"debugger", "157, 0x59616d61, -1, 0, 0, 0"},
		{"dumps", "157, 4, 1, 0, 0, 0"},
		{"life without the supervisor", "157, 1, 0, 0, 0, 0"},
		{"signal to the supervisor", "62, pid, 0"},
		{"signal to a group", "62, -pid, 0"},
		{"signal to a thread of the supervisor", "234, pid, pid, 0"},
		{"queued signal", "129, pid, 0, numbers"},
		{"descriptor of a process", "434, pid, 0"},
		{"mount", "165, b'x', b'/', b'tmpfs', 0, 0"},
		{"locked memory", "149, 0, 0"},
		{"splice", "275, 0, 0, 1, 0, 1, 0"},
		{"timer in a file", "283, 1, 0"},
		{"signals in a file", "289, -1, numbers, 8, 0"},
		{"folder", "83, b'x', 0o700"},
		{"lock", "73, 1, 2"},
		{"filter of its own", "317, 1, 0, 0"},
		{"call of another ABI", "0x40000000, 0, 0, 0"},
	}
	var text strings.Builder
	text.WriteString(head)
	for _, c := range calls {
		fmt.Fprintf(&text, "call(%q, %s)\n", c.name, c.call)
	}
	p := program{tool: "python3", text: text.String()}
	b := &sandbox.Box{Without: []sandbox.Layer{sandbox.Namespaces, sandbox.Landlock}}
	printed, _ := runIn(t, b, p.command(t, b))
	for _, c := range calls {
		if !strings.Contains(printed, c.name+" EPERM\n") && !strings.Contains(printed, c.name+" ENOSYS\n") {
			t.Errorf("%s is not refused", c.name)
		}
	}
	if t.Failed() {
		t.Log(printed)
	}
}

// TestSmallShared holds that processes share what locks need, and no more: a page of a
// file at a time, in a file system of 256 kB.
func TestSmallShared(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	b := &sandbox.Box{Isolation: sandbox.AutoIsolation}
	printed, _ := runIn(t, b, program{tool: "python3", text: `
import ctypes
import mmap
import os

library = ctypes.CDLL(None)
library.mmap.restype = ctypes.c_ssize_t


def share(length, flags=1):
    if library.mmap(None, ctypes.c_size_t(length), 3, flags, lock, ctypes.c_long(0)) == -1:
        raise OSError("refused")


def tell(name, act):
    try:
        print(name, act() or "done")
    except OSError:
        print(name, "refused")


def open_file(path):
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


def fill():
    pages = 0
    try:
        for i in range(1000):
            os.write(open_file("/dev/shm/%d" % (i % 100)), b"1" * 4096)
            pages += 1
    except OSError:
        pass
    return "little" if pages <= 64 else pages


lock = open_file("/dev/shm/lock")
os.write(lock, b"1" * 4096)
tell("page", lambda: share(4096))
tell("piece", lambda: share(32))
tell("more than a page", lambda: share(4097))
tell("two pages", lambda: share(8192))
tell("4 GB and a page", lambda: share((1 << 32) + 4096))
tell("4 GB and a piece", lambda: share((1 << 32) + 32))
tell("anonymous piece", lambda: share(32, 0x21))
tell("anonymous page", lambda: mmap.mmap(-1, 4096).close())
tell("zeros", lambda: os.close(open_file("/dev/zero")))
tell("folder", lambda: os.mkdir("/dev/shm/folder"))
tell("file elsewhere", lambda: os.close(open_file("/dev/file")))
tell("removal elsewhere", lambda: os.unlink("/usr/bin/env"))
os.ftruncate(lock, 0)
tell("room", fill)
`}.command(t, b))
	if missing(b, sandbox.Namespaces) || missing(b, sandbox.Seccomp) {
		t.Skipf("SKIPPED: missing %v", b.Missing())
	}
	for _, want := range []string{
		"page done", "piece done", "more than a page refused", "two pages refused", "4 GB and a page refused",
		"4 GB and a piece refused", "anonymous piece refused", "anonymous page refused",
		"zeros refused", "folder refused", "file elsewhere refused", "removal elsewhere refused", "room little",
	} {
		if !strings.Contains("\n"+printed, "\n"+want+"\n") {
			t.Errorf("not %q:\n%s", want, printed)
		}
	}
}

// TestFilterLength holds that the filter stays short: the system runs it for each call
// whose arguments are checked.
func TestFilterLength(t *testing.T) {
	for _, tools := range []bool{false, true} {
		if n := sandbox.FilterLength(tools); n >= 500 {
			t.Errorf("%d instructions", n)
		}
		t.Logf("%d instructions", sandbox.FilterLength(tools))
	}
}

// TestShare holds that all processes of a run have one share of the processors, which
// is not that of others.
func TestShare(t *testing.T) {
	const file = "/proc/self/autogroup"
	own, err := os.ReadFile(file)
	if err != nil {
		t.Skipf("SKIPPED: this system shares by process: %v", err)
	}
	text := "import os\nif os.fork() == 0:\n    os.setsid()\nelse:\n    os.wait()\nprint(open('" + file + "').read().split()[0])\n"
	b := &sandbox.Box{Isolation: sandbox.AutoIsolation}
	printed, _ := runIn(t, b, program{tool: "python3", text: text}.command(t, b))
	shares := strings.Fields(printed)
	if len(shares) != 2 || shares[0] != shares[1] || strings.Contains(string(own), shares[0]+" ") {
		t.Errorf("child and parent have %q, this process %s", shares, own)
	}
}

// TestAsUser runs what tests as root as another user too.
func TestAsUser(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root can become another user")
	}
	for _, test := range []string{"TestRefused", "TestSignalsOut", "TestDescriptors", "TestHide", "TestShare", "TestMemory", "TestCPU", "TestTasks", "TestWatchMissing", "TestLeaderless", "TestStarved", "TestOpen"} {
		t.Run(test, func(t *testing.T) { asUser(t, test) })
	}
}

// TestSignalsOut holds that a process signals nobody outside, whatever the version of
// Landlock and without it, and still its own children and itself.
func TestSignalsOut(t *testing.T) {
	outside := exec.Command("sleep", "1000")
	must(t, outside.Start())
	defer outside.Wait()
	defer outside.Process.Kill()
	text := fmt.Sprintf(`
import ctypes, os, signal, subprocess
outside, supervisor = %d, os.getppid()
library = ctypes.CDLL(None)
reached = []
for pid in (outside, supervisor, -outside, -supervisor):
    for number in (0, signal.SIGCONT):
        # kill, tkill, tgkill, rt_sigqueueinfo
        for call in ((62, pid, number), (200, pid, number), (234, pid, pid, number), (129, pid, number, 0)):
            if library.syscall(*call) == 0:
                reached.append(call)
print("reached", reached)
child = subprocess.Popen(["sleep", "1000"])
child.terminate()
print("child", child.wait())
signal.signal(signal.SIGUSR1, lambda *_: print("own"))
os.kill(os.getpid(), signal.SIGUSR1)
signal.raise_signal(signal.SIGUSR1)
`, outside.Process.Pid)
	for _, test := range []struct {
		name    string
		version int
		without []sandbox.Layer
		partial bool
	}{
		{"newest", 0, []sandbox.Layer{sandbox.Namespaces}, false},
		{"before 6.12", 5, []sandbox.Layer{sandbox.Namespaces}, true},
		{"first", 1, []sandbox.Layer{sandbox.Namespaces}, true},
		{"none", 0, []sandbox.Layer{sandbox.Namespaces, sandbox.Landlock}, false},
		{"namespaces alone", 0, []sandbox.Layer{sandbox.Landlock, sandbox.Seccomp}, false},
		{"old with namespaces", 1, nil, true},
	} {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) {
			b := &sandbox.Box{Isolation: sandbox.AutoIsolation, Without: test.without}
			sandbox.UseLandlock(b, test.version)
			printed, _ := runIn(t, b, program{tool: "python3", text: text}.command(t, b))
			// In a namespace a process sees itself, and those that it may signal.
			alone := !slices.Contains(test.without, sandbox.Namespaces)
			if !strings.Contains(printed, "reached []") && !alone || alone && strings.Contains(printed, fmt.Sprint(outside.Process.Pid)) {
				t.Errorf("%s", printed)
			}
			if !strings.Contains(printed, "child -15") || strings.Count(printed, "own") != 2 {
				t.Errorf("signals inside: %s", printed)
			}
			if got := missing(b, sandbox.Landlock) && !slices.Contains(test.without, sandbox.Landlock); got != test.partial {
				t.Errorf("missing: %v", b.Missing())
			}
		})
	}
}
