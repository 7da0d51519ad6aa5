//go:build unix && !linux

package runner

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// isolate does nothing: this system has no namespaces.
func isolate(cmd *exec.Cmd, _ bool) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func started() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func explainStart(_ confinement, err error) string { return err.Error() }

// confine restricts nothing: there is only the end of the process group.
func (c confinement) confine() (missing []string, err error) {
	return []string{"every layer: this system offers none"}, nil
}

func endAll(_ confinement, pid int) { unix.Kill(-pid, unix.SIGKILL) }
