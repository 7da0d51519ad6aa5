package runner

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// isolate lets a supervisor start in namespaces of its own: no network, no sight
// of other processes, mounts that it can change.
func isolate(cmd *exec.Cmd, namespaces bool) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if !namespaces {
		return
	}
	cmd.SysProcAttr.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET |
		unix.CLONE_NEWNS | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS
	cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
	cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
}

// prepare contains this process as far as it is to be contained itself: what it
// starts is in its namespaces and has its limits.
func (c confinement) prepare() (missing []string, err error) {
	// Nobody reads this process's memory or becomes its debugger.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("hide the supervisor: %w", err)
	}
	if !c.Namespaces {
		if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
			missing = append(missing, "end of stray processes")
		}
	}
	if !c.Isolate {
		return nil, nil
	}
	if c.Namespaces {
		if err := c.mount(); err != nil {
			return nil, err
		}
	}
	return missing, c.limit()
}

// Limits of a contained process.
const (
	maxOpen  = 512 // open files
	maxTasks = 512 // processes and threads, in a namespace of its own
)

func (c confinement) limit() error {
	limits := map[int]uint64{unix.RLIMIT_CORE: 0, unix.RLIMIT_FSIZE: c.File, unix.RLIMIT_NOFILE: maxOpen}
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

// startContained starts a command behind Landlock and seccomp and without
// capabilities. All of these concern one thread and what it starts, so the
// thread is used for nothing else, and the rest of this process stays free.
func (r *run) startContained(cmd *exec.Cmd) (missing []string, err error) {
	done := make(chan struct{})
	go onThreadOfItsOwn(func() {
		missing, err = r.startHere(cmd)
		close(done)
		// The process is killed when this thread ends.
		select {}
	})
	<-done
	return missing, err
}

// onThreadOfItsOwn calls f on a thread that is not the process's first one: what
// may signal the first may signal the process.
func onThreadOfItsOwn(f func()) {
	runtime.LockOSThread()
	if unix.Gettid() != unix.Getpid() {
		f()
		return
	}
	go onThreadOfItsOwn(f)
	select {}
}

func (r *run) startHere(cmd *exec.Cmd) (missing []string, err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	program, err := r.executable(cmd)
	if err != nil {
		return nil, err
	}
	if program != nil {
		defer program.Close()
	}
	if r.Isolate {
		if missing, err = r.confineThread(); err != nil {
			return nil, err
		}
	}
	return missing, cmd.Start()
}

// executable sees to it that a program that was built in the work dir can run
// although that is mounted noexec: from memory. It returns a file to close, or
// nil if there is no need for it.
func (c confinement) executable(cmd *exec.Cmd) (*os.File, error) {
	var fs unix.Statfs_t
	if err := unix.Statfs(cmd.Path, &fs); err != nil || fs.Flags&unix.ST_NOEXEC == 0 {
		return nil, nil
	}
	advice := fmt.Errorf("%s may not execute programs (mounted noexec); set TMPDIR to a folder that may", filepath.Dir(cmd.Path))
	fd, err := unix.MemfdCreate("program", unix.MFD_CLOEXEC|unix.MFD_EXEC)
	if err != nil {
		return nil, advice
	}
	program := os.NewFile(uintptr(fd), "program")
	text, err := os.ReadFile(cmd.Path)
	if err == nil {
		_, err = program.Write(text)
	}
	if err != nil {
		program.Close()
		return nil, advice
	}
	const firstExtra = 3
	cmd.Path = "/proc/self/fd/" + strconv.Itoa(firstExtra+len(cmd.ExtraFiles))
	cmd.ExtraFiles = append(cmd.ExtraFiles, program)
	return program, nil
}

// confineThread restricts this thread and what it starts, layer by layer, and
// returns the layers that the system does not have.
func (r *run) confineThread() (missing []string, err error) {
	if err := dropCapabilities(); err != nil {
		return nil, err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("no new privileges: %w", err)
	}
	for _, layer := range []struct {
		layer Layer
		apply func() error
	}{{Landlock, r.landlock}, {Seccomp, r.seccomp}} {
		err := errors.ErrUnsupported
		if !slices.Contains(r.Without, layer.layer) {
			err = layer.apply()
		}
		if err != nil {
			missing = append(missing, string(layer.layer))
		}
	}
	return missing, nil
}

// dropCapabilities lets nothing that this thread starts have a capability, not
// even as root. Without the right to do so there is none to drop.
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

// endAll kills everything that was started below this process.
func endAll(c confinement, pid int) {
	unix.Kill(-pid, unix.SIGKILL)
	if c.Namespaces {
		// The first process of a process namespace may kill all others in it; its
		// own end would do so too, but not before the status is out.
		unix.Kill(-1, unix.SIGKILL)
		return
	}
	// A look at all processes takes a while. One whose parent ends meanwhile may be
	// missed, but not by the next look.
	const looks = 2
	for none, until := 0, time.Now().Add(endTime); none < looks && time.Now().Before(until); {
		endOrphans(pid)
		strays := descendants(os.Getpid())
		if none++; len(strays) > 0 {
			none = 0
		}
		// Stopped ones start no more.
		for _, stray := range strays {
			unix.Kill(stray, unix.SIGSTOP)
		}
		for _, stray := range strays {
			end(stray, pid)
		}
	}
}

// endOrphans kills the children of this process until it has none. A stray whose
// parent has ended is one: so is each in a row of strays that start the next and
// end. Such a row is faster than a look at all processes, but not than this.
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

// end kills a process below this one and takes note of its end, unless that is
// the one that is waited for elsewhere.
func end(stray, pid int) {
	unix.Kill(stray, unix.SIGKILL)
	if stray != pid {
		unix.Wait4(stray, nil, unix.WNOHANG, nil)
	}
}

// process is what /proc tells of one.
type process struct {
	parent int
	dead   bool
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
	// The name, in brackets, may hold anything; the rest is plain fields.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 2 {
		return p, fmt.Errorf("/proc tells nothing of process %d", pid)
	}
	p.parent, err = strconv.Atoi(fields[1])
	p.dead = fields[0] == "Z" || fields[0] == "X"
	return p, err
}

// descendants lists the processes below one that still run.
func descendants(of int) []int {
	all := processes()
	var found []int
	for pid, p := range all {
		if p.dead {
			continue
		}
		for up, known := p, true; known; up, known = all[up.parent] {
			if up.parent == of {
				found = append(found, pid)
				break
			}
		}
	}
	return found
}

// watchMemory calls greedy when the processes below this one have more memory
// together than they may have. The system's own limit is one process's.
func (c confinement) watchMemory(greedy func()) {
	if c.Memory == 0 || !c.Isolate {
		return
	}
	interval := 50 * time.Millisecond
	if !c.Namespaces {
		interval *= 4 // there are more processes to look at
	}
	for range time.Tick(interval) {
		var pages uint64
		for _, pid := range descendants(os.Getpid()) {
			text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
			if err != nil {
				continue
			}
			if fields := strings.Fields(string(text)); len(fields) > 1 {
				resident, _ := strconv.ParseUint(fields[1], 10, 64)
				pages += resident
			}
		}
		if pages*uint64(os.Getpagesize()) > c.Memory {
			greedy()
			return
		}
	}
}
