package runner

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/landlock-lsm/go-landlock/landlock"
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

// started is how a supervised process starts: killed if the supervisor's thread
// ends, for nothing must be left then.
func started() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// explainStart says why a program did not start, and what to do.
func explainStart(c confinement, err error) string {
	var fs unix.Statfs_t
	if errors.Is(err, unix.EACCES) && unix.Statfs(filepath.Dir(c.Args[0]), &fs) == nil && fs.Flags&unix.ST_NOEXEC != 0 {
		return fmt.Sprintf("%s may not execute programs (mounted noexec); set TMPDIR to a folder that may", filepath.Dir(c.Args[0]))
	}
	return err.Error()
}

// confine restricts this process and what it starts, layer by layer, and
// returns the layers that the system does not have.
func (c confinement) confine() (missing []string, err error) {
	if c.Namespaces {
		if err := c.mount(); err != nil {
			return nil, err
		}
	} else if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		missing = append(missing, "reaping of stray processes")
	}
	if err := c.limit(); err != nil {
		return nil, err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("no new privileges: %w", err)
	}
	if !c.landlock() {
		missing = append(missing, "Landlock (files)")
	}
	if c.Namespaces {
		if err := dropCapabilities(); err != nil {
			return nil, err
		}
	}
	return missing, nil
}

// mount gives the process namespaces a /proc of their own, and makes all but the
// folders to write in read-only.
func (c confinement) mount() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("private mounts: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	for _, dir := range c.Write {
		if err := unix.Mount(dir, dir, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("bind %s: %w", dir, err)
		}
	}
	readOnly := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, readOnly); err != nil {
		return fmt.Errorf("read-only mounts: %w", err)
	}
	for _, dir := range c.Write {
		again := &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
		if err := unix.MountSetattr(unix.AT_FDCWD, dir, 0, again); err != nil {
			return fmt.Errorf("writable %s: %w", dir, err)
		}
	}
	if c.Scratch != "" {
		if err := unix.Mount("tmpfs", c.Scratch, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=64m"); err != nil {
			return fmt.Errorf("scratch folder: %w", err)
		}
	}
	return nil
}

// Limits of a contained process.
const (
	maxFile  = 256 << 20 // bytes in a file that it writes
	maxOpen  = 512       // open files
	maxTasks = 512       // processes and threads, in a namespace of its own
)

func (c confinement) limit() error {
	limits := map[int]uint64{unix.RLIMIT_CORE: 0, unix.RLIMIT_FSIZE: maxFile, unix.RLIMIT_NOFILE: maxOpen}
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

// landlock lets this process and its children reach the named folders only, and
// no network. It reports whether the kernel has it. A build with cgo must have
// mounted /proc afresh in a new process namespace before.
func (c confinement) landlock() bool {
	config := landlock.V7
	read := append([]string{filepath.Dir(c.Args[0])}, c.Read...)
	read = append(read, "/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/proc")
	rules := []landlock.Rule{
		landlock.RWDirs(c.writable()...),
		landlock.RWFiles("/dev/null", "/dev/zero", "/dev/full").IgnoreIfMissing(),
		landlock.ROFiles("/dev/random", "/dev/urandom").IgnoreIfMissing(),
	}
	for _, path := range read {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			rules = append(rules, landlock.RODirs(path))
		} else if err == nil {
			rules = append(rules, landlock.ROFiles(path))
		}
	}
	if err := config.BestEffort().Restrict(rules...); err != nil {
		return false
	}
	// BestEffort also succeeds where there is no Landlock at all.
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	return errno == 0 && abi >= 1
}

// writable are the folders that may be written to.
func (c confinement) writable() []string {
	if c.Scratch == "" {
		return c.Write
	}
	return append(c.Write[:len(c.Write):len(c.Write)], c.Scratch)
}

// dropCapabilities lets nothing that this thread starts have a capability, not
// even as the root of its own namespace.
func dropCapabilities() error {
	const noRoot, noRootLocked = 1 << 0, 1 << 1
	if err := unix.Prctl(unix.PR_SET_SECUREBITS, noRoot|noRootLocked, 0, 0, 0); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	for capability := uintptr(0); capability <= unix.CAP_LAST_CAP; capability++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0); err != nil && !errors.Is(err, unix.EINVAL) {
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
	// Strays become children of this process as their parents end.
	for range 100 {
		strays := children(os.Getpid())
		if len(strays) == 0 {
			return
		}
		for _, stray := range strays {
			unix.Kill(stray, unix.SIGKILL)
			unix.Wait4(stray, nil, unix.WNOHANG, nil)
		}
		time.Sleep(time.Millisecond)
	}
}

// children lists the processes below a process that still run.
func children(parent int) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	parents := map[int]int{}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join("/proc", entry.Name(), "stat"))
		if err != nil {
			continue
		}
		// The name, in brackets, may hold anything; the rest is plain fields.
		_, rest, found := strings.Cut(string(text[max(bytes.LastIndexByte(text, ')'), 0):]), " ")
		fields := strings.Fields(rest)
		if !found || len(fields) < 2 || fields[0] == "Z" {
			continue
		}
		if parents[pid], err = strconv.Atoi(fields[1]); err != nil {
			delete(parents, pid)
		}
	}
	var found []int
	for pid := range parents {
		for up, ok := parents[pid], true; ok && up > 0; up, ok = parents[up] {
			if up == parent {
				found = append(found, pid)
				break
			}
		}
	}
	return found
}
