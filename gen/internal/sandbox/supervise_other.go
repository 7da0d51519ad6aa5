//go:build unix && !linux

package sandbox

import (
	"os/exec"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// gate is never there.
type gate struct{ shut atomic.Bool }

// isolate does nothing: this system has no namespaces.
func isolate(cmd *exec.Cmd, _ bool) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// prepare restricts nothing: there is only the end of the process group.
func (c confinement) prepare() (missing []string, err error) {
	if !c.Isolate {
		return nil, nil
	}
	return []string{"other layer: this system offers none"}, nil
}

func (r *run) startContained(cmd *exec.Cmd) (missing []string, err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return nil, cmd.Start()
}

// closeInherited leaves descriptors to the caller, which marks its own.
func closeInherited() { unix.CloseOnExec(statusDescriptor) }

func (c confinement) watch(*account, func()) {}

// account counts what the system counts.
type account struct{}

func (*account) close() time.Duration {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_CHILDREN, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func endAll(_ confinement, pid int) { unix.Kill(-pid, unix.SIGKILL) }
