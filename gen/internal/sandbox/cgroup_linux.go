package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// cgroup is a control group: processes whose memory, of every kind, and processors' time
// the system counts together, and which can be ended together. The rules are those of
// cgroup-v2.rst and of the folder cgroup-v1 in the kernel's documentation.
//
// In version 2 the supervisor is in the group from its start. In version 1 a thread can
// be in another group than its process, and the supervisor stays outside.
type cgroup struct {
	folders []string // in version 2 one, in version 1 one for each controller, memory first
	unified bool     // version 2
	handles []*os.File
}

// cgroupTree says where control groups are.
type cgroupTree struct {
	root  string // where they are mounted
	own   string // the text of /proc/self/cgroup
	mkdir func(path string) error
}

// newGroup makes a control group in the system's tree.
func newGroup(memory uint64) (controlGroup, error) {
	g, err := systemCgroups().make(memory)
	if err != nil {
		return nil, err
	}
	return g, nil
}

func systemCgroups() cgroupTree {
	own, _ := os.ReadFile("/proc/self/cgroup")
	return cgroupTree{"/sys/fs/cgroup", string(own), func(path string) error { return os.Mkdir(path, 0o755) }}
}

const (
	cgroupPrefix = "sandbox-"

	// In version 2 the supervisor's own threads and memory count in the group.
	supervisorTasks  = 64
	supervisorMemory = 64 << 20 // bytes
)

var cgroups atomic.Uint64 // the number of groups that this process has made

// make makes a group whose processes may have so many bytes of memory together.
func (t cgroupTree) make(memory uint64) (*cgroup, error) {
	name := fmt.Sprintf("%s%d-%d", cgroupPrefix, os.Getpid(), cgroups.Add(1))
	make := t.makeUnified
	if _, err := os.Stat(filepath.Join(t.root, "memory", "tasks")); err == nil {
		make = t.makeFirst
	}
	g, err := make(name, memory)
	if err == nil {
		err = g.open()
	}
	if err != nil {
		if g != nil {
			g.remove()
		}
		return nil, err
	}
	return g, nil
}

// makeFirst makes a group of version 1, in which each controller has a tree of its own.
func (t cgroupTree) makeFirst(name string, memory uint64) (*cgroup, error) {
	limit := number(memory)
	g := &cgroup{}
	for _, c := range []struct {
		controller string
		settings   []setting
	}{
		{"memory", []setting{{"memory.limit_in_bytes", limit, true}, {"memory.memsw.limit_in_bytes", limit, false}}},
		{"pids", []setting{{"pids.max", number(maxTasks), true}}},
		{"cpuacct", nil},
	} {
		folder, err := t.makeIn(filepath.Join(t.root, c.controller, t.path(c.controller)), name, c.settings)
		if err == nil {
			g.folders = append(g.folders, folder)
		} else if len(g.folders) == 0 {
			return nil, err
		}
	}
	return g, nil
}

// makeUnified makes a group of version 2. A group that holds processes, other than the
// root, can have no groups with controllers below it; so the new group may have to stand
// beside this process's own.
func (t cgroupTree) makeUnified(name string, memory uint64) (*cgroup, error) {
	own := filepath.Join(t.root, t.path(""))
	failed := errors.New("this process is in no control group")
	for parent := range slices.Values([]string{own, filepath.Dir(own)}) {
		if !within(parent, t.root) {
			break
		}
		for _, controller := range []string{"+memory", "+pids"} {
			if parent == own {
				// A failure shows when the new group lacks the controller.
				_ = setting{"cgroup.subtree_control", controller, true}.write(parent)
			}
		}
		folder, err := t.makeIn(parent, name, []setting{
			{"memory.max", number(memory + supervisorMemory), true},
			{"memory.swap.max", "0", false},
			{"memory.oom.group", "1", false},
			{"pids.max", number(maxTasks + supervisorTasks), false},
		})
		if err == nil {
			return &cgroup{folders: []string{folder}, unified: true}, nil
		}
		failed = err
	}
	return nil, failed
}

// path is the path of this process's group in the tree of a controller; the controller
// "" stands for version 2.
func (t cgroupTree) path(controller string) string {
	for line := range strings.Lines(t.own) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) == 3 && slices.Contains(strings.Split(parts[1], ","), controller) {
			return filepath.Join("/", parts[2])
		}
	}
	return ""
}

// makeIn makes a group in a folder, and removes the groups that killed programs left
// there.
func (t cgroupTree) makeIn(parent, name string, settings []setting) (folder string, err error) {
	sweep(parent)
	folder = filepath.Join(parent, name)
	if err := t.mkdir(folder); err != nil {
		return "", err
	}
	for _, s := range settings {
		if err := s.write(folder); err != nil && s.needed {
			os.Remove(folder)
			return "", err
		}
	}
	return folder, nil
}

// sweep removes the groups that killed programs have left.
func sweep(parent string) {
	once, _ := swept.LoadOrStore(parent, new(sync.Once))
	once.(*sync.Once).Do(func() {
		left, _ := filepath.Glob(filepath.Join(parent, cgroupPrefix+"*"))
		for _, folder := range left {
			pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(folder), cgroupPrefix), "-")
			maker, err := strconv.Atoi(pid)
			// Nothing here is this process's yet, so one of its number made it before.
			if err == nil && (maker == os.Getpid() || errors.Is(unix.Kill(maker, 0), unix.ESRCH)) {
				os.Remove(folder) // the system keeps groups that hold processes
			}
		}
	})
}

var swept sync.Map // the folders that were swept

// setting is a file of a group and the text to write to it.
type setting struct {
	name, text string
	needed     bool
}

func (s setting) write(folder string) error {
	f, err := os.OpenFile(filepath.Join(folder, s.name), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(s.text)
	return errors.Join(err, f.Close())
}

func number(n uint64) string { return strconv.FormatUint(n, 10) }

// open opens the files through which a process gets into the group.
func (g *cgroup) open() error {
	for _, folder := range g.folders {
		f, err := os.Open(folder)
		if !g.unified {
			f, err = os.OpenFile(filepath.Join(folder, "tasks"), os.O_WRONLY, 0)
		}
		if err != nil {
			return err
		}
		g.handles = append(g.handles, f)
	}
	return nil
}

// contain prepares the start of a supervisor: in version 2 the supervisor starts in the
// group, in version 1 it gets files to put its processes into the group. It returns the
// number of these files.
func (g *cgroup) contain(cmd *exec.Cmd) int {
	if g.unified {
		cmd.SysProcAttr.UseCgroupFD = true
		cmd.SysProcAttr.CgroupFD = int(g.handles[0].Fd())
		return 0
	}
	cmd.ExtraFiles = append(cmd.ExtraFiles, g.handles...)
	return len(g.handles)
}

// joinCgroups puts this thread, and the processes that it starts, into the groups of so
// many files, whose descriptors follow one another.
func joinCgroups(first, files int) error {
	for fd := first; fd < first+files; fd++ {
		if _, err := unix.Write(fd, []byte("0")); err != nil {
			return fmt.Errorf("%w: %w", errGroup, err)
		}
	}
	return nil
}

// started closes the files that a supervisor needed to start.
func (g *cgroup) started() {
	for _, f := range g.handles {
		f.Close()
	}
	g.handles = nil
}

// overrun reports whether the system has ended a process because the group took too much
// memory.
func (g *cgroup) overrun() bool {
	file := "memory.oom_control"
	if g.unified {
		file = "memory.events"
	}
	return g.read(file, "oom_kill") > 0
}

// peak is the most bytes that the group has had, or 0 if the system does not tell.
func (g *cgroup) peak() uint64 {
	if g.unified {
		return g.read("memory.peak", "")
	}
	return g.read("memory.max_usage_in_bytes", "")
}

// used is the processors' time that the group has had, or 0 if the system does not tell.
func (g *cgroup) used() time.Duration {
	if g.unified {
		return time.Duration(g.read("cpu.stat", "usage_usec")) * time.Microsecond
	}
	return time.Duration(g.read("cpuacct.usage", ""))
}

// read reads a number from the first of the group's files with a name, in the line that
// starts with a key.
func (g *cgroup) read(name, key string) uint64 {
	for _, folder := range g.folders {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			fields := strings.Fields(line)
			if key == "" && len(fields) == 1 || len(fields) == 2 && fields[0] == key {
				n, _ := strconv.ParseUint(fields[len(fields)-1], 10, 64)
				return n
			}
		}
	}
	return 0
}

// remove ends the processes that are left in the group, and removes the group.
func (g *cgroup) remove() {
	g.started()
	for until := time.Now().Add(endTime); time.Now().Before(until); time.Sleep(time.Millisecond) {
		var left []string
		for _, folder := range g.folders {
			if err := os.Remove(folder); err != nil && !errors.Is(err, os.ErrNotExist) {
				left = append(left, folder)
			}
		}
		if g.folders = left; len(left) == 0 {
			return
		}
		for _, folder := range left {
			endIn(folder)
		}
	}
}

// endIn kills the processes in a group.
func endIn(folder string) {
	if (setting{"cgroup.kill", "1", true}).write(folder) == nil {
		return // since Linux 5.14
	}
	text, _ := os.ReadFile(filepath.Join(folder, "cgroup.procs"))
	for _, pid := range strings.Fields(string(text)) {
		if pid, err := strconv.Atoi(pid); err == nil && pid > 0 {
			unix.Kill(pid, unix.SIGKILL)
		}
	}
}
