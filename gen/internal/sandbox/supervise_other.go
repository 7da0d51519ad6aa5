//go:build unix && !linux

package sandbox

import (
	"errors"
	"os/exec"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// gate is never used: this system has no filter of calls.
type gate struct{ shut atomic.Bool }

// isolate does nothing: this system has no namespaces.
func isolate(cmd *exec.Cmd, _ bool) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// prepare restricts nothing: on this system only the process group can be ended.
func (c *confinement) prepare() ([]Standing, error) {
	if !c.Isolate {
		return nil, nil
	}
	var layers []Standing
	for _, l := range []Layer{Landlock, Seccomp, Watch} {
		layers = append(layers, Standing{Layer: l, Reason: "only Linux has it"})
	}
	return layers, nil
}

func (r *run) startContained(cmd *exec.Cmd) ([]Standing, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return nil, cmd.Start()
}

// closeInherited keeps the supervisor's descriptors from the processes that it starts; the
// caller sees to its own.
func closeInherited() {
	for fd := firstDescriptor; fd <= statusDescriptor; fd++ {
		unix.CloseOnExec(fd)
	}
}

func (c confinement) watch(*account, func()) {}

// account counts what the system counts.
type account struct{}

func (*account) close() (used time.Duration, memory uint64) {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_CHILDREN, &usage); err != nil {
		return 0, 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), 0
}

func endAll(_ confinement, pid int) { unix.Kill(-pid, unix.SIGKILL) }

// endSession ends nothing: the group of a process has been killed.
func endSession(int) {}

// newGroup makes no group: this system has none.
func newGroup(uint64) (controlGroup, error) { return nil, errors.ErrUnsupported }
