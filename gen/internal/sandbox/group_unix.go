//go:build unix

package sandbox

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a command into a process group of its own, which is killed as a
// whole at the deadline.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
