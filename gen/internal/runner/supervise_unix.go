//go:build unix

package runner

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// statusDescriptor is where a supervisor reports. Descriptors 3 and 4 are the
// driver's channel.
const statusDescriptor = 5

// Supervise contains this process as it is told, starts another in it, and
// waits for that to end. At the end of its own input, or of the other process,
// it ends all that the other started. It returns an exit code.
func Supervise() int {
	// Some of what follows concerns this thread and the processes it starts.
	runtime.LockOSThread()
	unix.CloseOnExec(statusDescriptor)
	out := os.NewFile(statusDescriptor, "status")
	report := func(s status) {
		text, _ := json.Marshal(s)
		out.Write(append(text, '\n'))
	}
	var c confinement
	if err := json.Unmarshal([]byte(os.Getenv(supervisorVariable)), &c); err != nil {
		report(status{Failed: "bad confinement: " + err.Error()})
		return 1
	}
	var missing []string
	if c.Isolate {
		var err error
		if missing, err = c.confine(); err != nil {
			report(status{Failed: err.Error(), Retry: c.Namespaces})
			return 1
		}
	}
	cmd := &exec.Cmd{
		Path:        c.Args[0],
		Args:        c.Args,
		Dir:         c.Dir,
		Env:         c.Env,
		Stdout:      os.Stdout,
		Stderr:      os.Stderr,
		SysProcAttr: started(),
	}
	var channel []*os.File
	if c.Channel {
		channel = []*os.File{os.NewFile(3, "questions"), os.NewFile(4, "replies")}
		cmd.ExtraFiles = channel
	}
	if err := cmd.Start(); err != nil {
		report(status{Failed: explainStart(c, err)})
		return 1
	}
	for _, f := range channel {
		f.Close()
	}
	report(status{Started: true, Missing: missing})

	var once sync.Once
	end := func() { once.Do(func() { endAll(c, cmd.Process.Pid) }) }
	go func() {
		io.Copy(io.Discard, os.Stdin)
		end()
		os.Exit(0)
	}()
	err := cmd.Wait()
	s := status{Ended: true}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		s.Code = exit.ExitCode()
		if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			s.Signal = strings.ToUpper(unix.SignalName(ws.Signal()))
		}
	}
	end()
	report(s)
	return 0
}
