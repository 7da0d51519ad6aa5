package sandbox

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// isolate lets a supervisor start in namespaces of its own: no network, no sight
// of other processes, mounts that it can change.
func isolate(cmd *exec.Cmd, namespaces bool) {
	// In a session of its own it has its own share of the processors.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if !namespaces {
		return
	}
	cmd.SysProcAttr.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET |
		unix.CLONE_NEWNS | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS
	cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
	cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
}

// prepare contains the supervisor itself: the processes that it starts share its
// namespaces and limits.
func (c *confinement) prepare() (layers []Standing, err error) {
	// Nobody reads this process's memory or becomes its debugger.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("hide the supervisor: %w", err)
	}
	if !c.Namespaces {
		if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
			layers = append(layers, Standing{Layer: Reaping, Reason: inShort(err)})
		}
	}
	if !c.Isolate {
		return nil, nil
	}
	readyThreads()
	c.uncounted = !c.Namespaces
	if c.Namespaces {
		if err := c.mount(); err != nil {
			return nil, err
		}
	}
	// Where parts of /proc are covered, this namespace may have no /proc of its own.
	watch := Standing{Layer: Watch, Held: true}
	if slices.Contains(c.Without, Watch) {
		watch = Standing{Layer: Watch, Reason: leftOut}
	} else if _, err := readProcess(os.Getpid()); err != nil {
		watch = Standing{Layer: Watch, Reason: "/proc shows no processes"}
	}
	return append(layers, watch), c.limit()
}

// readyThreads has this process start now all threads that it may need. What it contains
// may leave its user none later, and a Go program that gets no thread ends.
func readyThreads() {
	const most = 8 // that wait, for the system mostly, at one time
	var ready sync.WaitGroup
	begun := make(chan struct{})
	for range most {
		ready.Add(1)
		go func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			ready.Done()
			<-begun
		}()
	}
	ready.Wait()
	close(begun)
}

// closeInherited keeps the descriptors that this program was started with from the
// processes that it starts.
func closeInherited() {
	if err := unix.CloseRange(firstDescriptor, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC); err == nil {
		return
	}
	// Before Linux 5.11.
	var most unix.Rlimit
	unix.Getrlimit(unix.RLIMIT_NOFILE, &most)
	for fd := firstDescriptor; fd < int(min(most.Max, 1<<16)); fd++ {
		unix.CloseOnExec(fd)
	}
}

// Limits of a contained process.
const (
	// Open files. Bytes that wait in a socket or pipe count as no process's memory, so
	// untrusted programs, which need few files, may open few.
	maxOpen         = 256
	maxOpenForTools = 512

	maxTasks = 512 // processes and threads, in a namespace of its own

	// Timers and queued signals, of which a user has a share that other runs need too.
	maxPending = 256
)

func (c confinement) limit() error {
	limits := map[int]uint64{unix.RLIMIT_CORE: 0, unix.RLIMIT_FSIZE: c.File, unix.RLIMIT_NOFILE: maxOpen, unix.RLIMIT_SIGPENDING: maxPending}
	if c.Tools {
		limits[unix.RLIMIT_NOFILE] = maxOpenForTools
	}
	if c.Address > 0 {
		limits[unix.RLIMIT_AS] = c.Address
	}
	if c.Memory > 0 {
		limits[unix.RLIMIT_DATA] = c.Memory
	}
	if c.Namespaces {
		// Elsewhere the limit would count the user's other processes.
		limits[unix.RLIMIT_NPROC] = maxTasks
	}
	for resource, limit := range limits {
		var now unix.Rlimit
		if err := unix.Getrlimit(resource, &now); err == nil && now.Max < limit {
			limit = now.Max
		}
		if err := unix.Setrlimit(resource, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
			return fmt.Errorf("resource limit %d: %w", resource, err)
		}
	}
	return nil
}

// startContained starts a command behind Landlock and seccomp and without capabilities.
// These restrict one thread and the processes that it starts, so the thread is used for
// nothing else, and the other threads of this process stay free.
func (r *run) startContained(cmd *exec.Cmd) (layers []Standing, err error) {
	done := make(chan struct{})
	go onThreadOfItsOwn(func() {
		layers, err = r.startHere(cmd)
		close(done)
		// The process is killed when this thread ends.
		select {}
	})
	<-done
	return layers, err
}

// onThreadOfItsOwn calls f on a thread that is not the process's first: a program that
// may signal the first thread may signal the whole process.
func onThreadOfItsOwn(f func()) {
	runtime.LockOSThread()
	if unix.Gettid() != unix.Getpid() {
		f()
		return
	}
	go onThreadOfItsOwn(f)
	select {}
}

func (r *run) startHere(cmd *exec.Cmd) (layers []Standing, err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	program, err := r.executable(cmd)
	if err != nil {
		return nil, err
	}
	if program != nil {
		defer program.Close()
	}
	if err := joinCgroups(statusDescriptor+1, r.Groups); err != nil {
		return nil, err
	}
	if r.Isolate {
		if layers, err = r.confineThread(); err != nil {
			return nil, err
		}
	}
	return layers, cmd.Start()
}

// executable lets a program that was built in the work dir run from memory if the work
// dir is mounted noexec. It returns a file to close, or nil if the program can run from
// the work dir.
func (c confinement) executable(cmd *exec.Cmd) (*os.File, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(cmd.Path, &fs); err != nil || fs.Flags&unix.ST_NOEXEC == 0 {
		return nil, nil
	}
	advice := fmt.Errorf("%s may not execute programs (mounted noexec); set TMPDIR to a folder that may", filepath.Dir(cmd.Path))
	fd, err := unix.MemfdCreate("program", unix.MFD_CLOEXEC|unix.MFD_EXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, advice
	}
	program := os.NewFile(uintptr(fd), "program")
	text, err := os.ReadFile(cmd.Path)
	if err == nil {
		_, err = program.Write(text)
	}
	if err == nil {
		// The program has this file open, and must not keep in it what nobody counts.
		_, err = unix.FcntlInt(program.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_SEAL|unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_WRITE)
	}
	if err != nil {
		program.Close()
		return nil, advice
	}
	cmd.Path = "/proc/self/fd/" + strconv.Itoa(firstDescriptor+len(cmd.ExtraFiles))
	cmd.ExtraFiles = append(cmd.ExtraFiles, program)
	return program, nil
}

// confineThread restricts this thread and the processes that it starts, layer by layer,
// and returns which layers the system has.
func (r *run) confineThread() (layers []Standing, err error) {
	if err := dropCapabilities(); err != nil {
		return nil, err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("no new privileges: %w", err)
	}
	for _, layer := range []struct {
		layer Layer
		apply func() (partly string, err error)
	}{{Landlock, r.landlock}, {Seccomp, r.seccomp}} {
		s := Standing{Layer: layer.layer, Reason: leftOut}
		if !slices.Contains(r.Without, layer.layer) {
			partly, err := layer.apply()
			s.Held, s.Reason = err == nil, partly
			if err != nil {
				s.Reason = inShort(err)
			}
		}
		layers = append(layers, s)
	}
	return layers, nil
}

// dropCapabilities takes all capabilities from the processes that this thread starts,
// even as root. A thread without the right to do so has no capability to drop.
func dropCapabilities() error {
	const noRoot, noRootLocked = 1 << 0, 1 << 1
	if err := unix.Prctl(unix.PR_SET_SECUREBITS, noRoot|noRootLocked, 0, 0, 0); err != nil && !errors.Is(err, unix.EPERM) {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	for capability := uintptr(0); capability <= unix.CAP_LAST_CAP; capability++ {
		err := unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0)
		if err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.EPERM) {
			return fmt.Errorf("drop capabilities: %w", err)
		}
	}
	return nil
}

// looks is how often in a row a look at all processes must find none that is left. A look
// takes a while, and may miss a process whose parent ends meanwhile.
const looks = 2

// endAll kills everything that was started below this process.
func endAll(c confinement, pid int) {
	unix.Kill(-pid, unix.SIGKILL)
	if c.Namespaces {
		// The first process of a process namespace may kill all others in it; its
		// own end would do so too, but not before the status is out.
		unix.Kill(-1, unix.SIGKILL)
		return
	}
	for none, until := 0, time.Now().Add(endTime); none < looks && time.Now().Before(until); {
		endOrphans(pid)
		strays := running()
		if none++; len(strays) > 0 {
			none = 0
		}
		// Stopped processes start no others.
		for stray := range strays {
			unix.Kill(stray, unix.SIGSTOP)
		}
		for stray := range strays {
			end(stray, pid)
		}
	}
}

// endSession kills the processes of a session whose first process, a supervisor, is gone:
// somebody else has killed it, and nobody is left to end them. Seccomp keeps a contained
// process from leaving the session.
func endSession(session int) {
	for none, until := 0, time.Now().Add(endTime); none < looks && time.Now().Before(until); none++ {
		all := processes()
		if _, taken := all[session]; taken {
			return // The system gives a number to another process once its session is empty.
		}
		for pid, p := range all {
			if p.session == session && !p.dead {
				unix.Kill(pid, unix.SIGKILL)
				none = -1
			}
		}
	}
}

// endOrphans kills the children of this process until it has none. A process whose parent
// has ended becomes a child of this one: so does each in a row of processes that start
// the next and end. Such a row outruns a look at all processes, but not this loop.
func endOrphans(pid int) {
	file := fmt.Sprintf("/proc/self/task/%d/children", os.Getpid())
	for range 1000 {
		text, err := os.ReadFile(file)
		orphans := strings.Fields(string(text))
		if err != nil || len(orphans) == 0 {
			return
		}
		for _, orphan := range orphans {
			if stray, err := strconv.Atoi(orphan); err == nil {
				end(stray, pid)
			}
		}
	}
}

// end kills a process that this one started, directly or not, and waits for its end,
// except for pid, which another goroutine waits for.
func end(stray, pid int) {
	unix.Kill(stray, unix.SIGKILL)
	if stray != pid {
		unix.Wait4(stray, nil, unix.WNOHANG, nil)
	}
}

// ticksPerSecond is the unit of times in /proc on all architectures that Go knows.
const ticksPerSecond = 100

// process holds facts from /proc about a process.
type process struct {
	parent  int
	session int
	dead    bool
	start   string
	used    time.Duration // of the processors' time
	// threads is the number of its threads.
	threads int
}

// processes lists the processes that can be seen.
func processes() map[int]process {
	all := map[int]process{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if p, err := readProcess(pid); err == nil {
			all[pid] = p
		}
	}
	return all
}

func readProcess(pid int) (p process, err error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return p, err
	}
	// The name, in parentheses, may hold any character; the fields after it hold no space.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 20 {
		return p, fmt.Errorf("/proc tells nothing of process %d", pid)
	}
	p.parent, err = strconv.Atoi(fields[1])
	p.session, _ = strconv.Atoi(fields[3])
	p.threads, _ = strconv.Atoi(fields[17])
	// The first thread of a process may end before the others.
	p.dead = (fields[0] == "Z" || fields[0] == "X") && p.threads <= 1
	p.start = fields[19]
	for _, ticks := range fields[11:13] {
		n, _ := strconv.ParseInt(ticks, 10, 64)
		p.used += time.Duration(n) * time.Second / ticksPerSecond
	}
	return p, err
}

// descendants returns the processes below one, by number.
func descendants(of int) map[int]process {
	all := processes()
	found := map[int]process{}
	for pid, p := range all {
		for up, known := p, true; known; up, known = all[up.parent] {
			if up.parent == of {
				found[pid] = p
				break
			}
		}
	}
	return found
}

// running returns the processes below this one that have not ended.
func running() map[int]process {
	found := descendants(os.Getpid())
	maps.DeleteFunc(found, func(_ int, p process) bool { return p.dead })
	return found
}

// watch looks at the processes below this one, again and again. It counts the time that
// they use, and calls greedy when together they have too much memory: the system's own
// limit holds for each process by itself. The watch counts shared memory once for each
// process, so it leaves memory to the control group if there is one. What processes have
// open the watch always counts: of some of it a user has a share that other runs need.
func (c confinement) watch(used *account, greedy func()) {
	interval := 50 * time.Millisecond
	if !c.Namespaces {
		interval *= 4 // there are more processes to look at
	}
	for range time.Tick(interval) {
		processes := running()
		taken := used.look(processes)
		if c.Memory == 0 || !c.Isolate || slices.Contains(c.Without, Watch) {
			continue
		}
		if c.Counted {
			taken = 0
		}
		if taken+waiting(processes) > c.Memory {
			greedy()
			return
		}
	}
}

// look looks at a process in its folder of /proc, or at its threads there one by one until
// one tells something: where the first has ended, the others have all of it.
func look(pid int, at func(folder string) (told bool)) {
	folder := "/proc/" + strconv.Itoa(pid)
	if at(folder) {
		return
	}
	threads, _ := filepath.Glob(folder + "/task/*")
	for _, thread := range threads {
		if at(thread) {
			return
		}
	}
}

// memoryOf is how many bytes a process has, page tables included.
func memoryOf(pid int) (bytes uint64) {
	look(pid, func(folder string) bool {
		bytes = memoryIn(folder + "/status")
		return bytes > 0
	})
	return bytes
}

// memoryIn reads what a file of /proc says of memory.
func memoryIn(status string) (bytes uint64) {
	text, err := os.ReadFile(status)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		name, rest, _ := strings.Cut(line, ":")
		switch name {
		case "RssAnon", "RssShmem", "VmSwap", "VmPTE": // pages of files can be taken back
			kilobytes, _ := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			bytes += kilobytes << 10
		}
	}
	return bytes
}

// What may wait in an open file, in bytes, or be bound to it. It is memory of no process.
const (
	inSocket = 256 << 10
	inPipe   = 64 << 10
	// A user may watch so many descriptors in all, of which one event loop may watch a
	// few hundred.
	inEventLoop = 1 << 20
)

// waiting is how many bytes may wait in what some processes have open. What several of
// them have counts once.
func waiting(processes map[int]process) (bytes uint64) {
	counted := map[string]bool{}
	count := func(name string) {
		switch kind, _, _ := strings.Cut(name, ":"); {
		case counted[name]:
		case kind == "socket":
			counted[name] = true
			bytes += inSocket
		case kind == "pipe":
			counted[name] = true
			bytes += inPipe
		case name == "anon_inode:[eventpoll]":
			bytes += inEventLoop
		}
	}
	for pid := range processes {
		look(pid, func(folder string) bool {
			files, _ := os.ReadDir(folder + "/fd")
			for _, f := range files {
				if name, err := os.Readlink(folder + "/fd/" + f.Name()); err == nil {
					count(name)
				}
			}
			return len(files) > 0
		})
	}
	return bytes
}

// account counts the processors' time that processes use, and the memory that they have.
// The system knows the time of each process that a parent has waited for; this process
// waits for those whose parent has ended. If a parent does not wait, only the time that
// the watch saw is known, or the time that the control group counts.
type account struct {
	lock  sync.Mutex
	alive map[life]time.Duration // the time of each process that the last look saw
	past  time.Duration          // the time of processes that have ended since
	most  uint64                 // the most bytes that all processes had together
}

// life identifies a process; its number alone does not, for the system uses it again.
type life struct {
	pid   int
	start string
}

// look notes how much time processes have used up to now, and returns how many bytes of
// memory they have together.
func (a *account) look(running map[int]process) (memory uint64) {
	a.lock.Lock()
	defer a.lock.Unlock()
	alive := map[life]time.Duration{}
	for pid, p := range running {
		alive[life{pid, p.start}] = p.used
		memory += memoryOf(pid)
	}
	for of, used := range a.alive {
		if _, still := alive[of]; !still {
			a.past += used
		}
	}
	a.alive = alive
	a.most = max(a.most, memory)
	return memory
}

// close waits for all processes, which have been killed, and returns the time and the
// bytes of memory that they took.
func (a *account) close() (used time.Duration, memory uint64) {
	for until := time.Now().Add(endTime); time.Now().Before(until); {
		pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
		if errors.Is(err, unix.ECHILD) {
			break
		}
		if pid == 0 {
			time.Sleep(time.Millisecond / 4)
		}
	}
	a.look(nil)
	waited, largest := waitedFor()
	return max(a.past, waited), max(a.most, largest)
}

// waitedFor returns the time that this process's children used, and their children, as
// far as their parents have waited for them, and the memory of the largest in bytes.
func waitedFor() (used time.Duration, largest uint64) {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_CHILDREN, &usage); err != nil {
		return 0, 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), uint64(usage.Maxrss) << 10
}
