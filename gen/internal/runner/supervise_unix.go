//go:build unix

package runner

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// statusDescriptor is where a supervisor reports. Descriptors 3 and 4 are the
// driver's channel.
const statusDescriptor = 5

// Supervise reads from this process's input what it is to do, starts another
// process, contained, and waits for that to end. Then, or at the end of its
// input, it ends all that the other started. It returns an exit code.
//
// The supervisor itself stays outside of what it contains the other in, which
// can neither signal nor read it.
func Supervise() int {
	unix.CloseOnExec(statusDescriptor)
	out := os.NewFile(statusDescriptor, "status")
	report := func(s status) {
		text, _ := json.Marshal(s) // texts and numbers always encode
		out.Write(append(text, '\n'))
	}
	in := bufio.NewReader(os.Stdin)
	var c confinement
	orders, err := in.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(orders, &c)
	}
	if err != nil {
		report(status{Failed: "bad orders: " + err.Error()})
		return 1
	}
	missing, err := c.prepare()
	if err != nil {
		report(status{Failed: err.Error(), Retry: c.Namespaces})
		return 1
	}
	cmd := &exec.Cmd{
		Path:   c.Args[0],
		Args:   c.Args,
		Dir:    c.Dir,
		Env:    c.Env,
		Stdout: os.Stdout,
		Stderr: os.Stderr,
	}
	if c.Channel {
		cmd.ExtraFiles = []*os.File{os.NewFile(3, "questions"), os.NewFile(4, "replies")}
	}
	lacking, err := c.startContained(cmd)
	if err != nil {
		report(status{Failed: err.Error()})
		return 1
	}
	for _, f := range cmd.ExtraFiles {
		f.Close()
	}
	report(status{Started: true, Missing: append(missing, lacking...)})

	var once sync.Once
	end := func() { once.Do(func() { endAll(c, cmd.Process.Pid) }) }
	go func() {
		io.Copy(io.Discard, in)
		end()
		// What the process came to is reported even then, unless it cannot be killed.
		time.Sleep(graceTime / 2)
		os.Exit(1)
	}()
	var greedy atomic.Bool
	go c.watchMemory(func() {
		greedy.Store(true)
		end()
	})
	err = cmd.Wait()
	s := status{Ended: true}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		s.Code = exit.ExitCode()
		if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			s.Signal = strings.ToLower(unix.SignalName(ws.Signal()))
		}
	}
	if greedy.Load() {
		s.Memory = c.Memory
	}
	end()
	report(s)
	return 0
}
