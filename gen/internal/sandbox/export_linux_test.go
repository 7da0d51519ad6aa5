//go:build amd64 || arm64

package sandbox

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Groups lists the groups of system calls.
func Groups() (names []string) {
	for _, g := range groups {
		names = append(names, g.name)
	}
	return names
}

// LeaveOut has a box refuse some groups.
func LeaveOut(b *Box, groups ...string) { b.leftOut = groups }

// UseLandlock has a box use no newer version of Landlock.
func UseLandlock(b *Box, version int) { b.landlock = version }

// UseOlder has a box in namespaces as they were before Linux 6.14.
func UseOlder(b *Box) { b.older = true }

// FilterLength is how many instructions the system runs through at most.
func FilterLength(tools bool) int { return len(assemble(listed(tools, !tools, nil), nil, 1, 2)) }

// CgroupTree is where control groups are, for tests.
type CgroupTree = cgroupTree

// FakeCgroups is a tree of control groups in a folder. The system would put some files
// into each new group.
func FakeCgroups(root, own string, files ...string) CgroupTree {
	return cgroupTree{root, own, func(path string) error {
		if err := os.Mkdir(path, 0o755); err != nil {
			return err
		}
		for _, name := range files {
			if err := os.WriteFile(filepath.Join(path, name), nil, 0o644); err != nil {
				return err
			}
		}
		return nil
	}}
}

// MakeCgroup makes a group, and returns its folders.
func MakeCgroup(t CgroupTree, memory uint64) (folders []string, err error) {
	g, err := t.make(memory)
	if err != nil {
		return nil, err
	}
	g.started()
	return g.folders, nil
}

// ReadCgroup reads what the system tells of a group of version 2.
func ReadCgroup(folder string) (overrun bool, used time.Duration, peak uint64) {
	g := &cgroup{folders: []string{folder}, unified: true}
	return g.overrun(), g.used(), g.peak()
}

// KillSupervisor kills the supervisor of a process, as the system does that is out of
// memory.
func KillSupervisor(p *Process) { p.supervisor.Process.Kill() }

// LoseGroups has each control group removed before a process gets into it, until the test
// ends.
func LoseGroups(t *testing.T) {
	t.Cleanup(func() { makeGroup = newGroup })
	makeGroup = func(memory uint64) (controlGroup, error) {
		g, err := newGroup(memory)
		if err == nil {
			for _, folder := range g.(*cgroup).folders {
				os.Remove(folder)
			}
		}
		return g, err
	}
}
