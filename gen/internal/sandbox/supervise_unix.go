//go:build unix

package sandbox

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

// Descriptors of a supervisor. Before the one through which it reports are the two of the
// channel; without a channel they lead to the report too.
const (
	firstDescriptor  = 3
	statusDescriptor = 5
)

// Supervise reads orders from this process's input, starts another process, contained,
// and waits for its end. Then, or at the end of the input, it ends all processes that
// the other started. It returns an exit code.
//
// The supervisor itself stays outside of the containment: the contained process can
// neither signal nor read it.
func Supervise() int {
	closeInherited()
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
	layers, err := c.prepare()
	if err != nil {
		report(status{Failed: err.Error(), Retry: c.Namespaces})
		return 1
	}
	r := run{confinement: c}
	started := func(further []Standing) {
		report(status{Started: true, Layers: append(layers, further...)})
	}
	begin := time.Now()
	if err := r.start(0, started); err != nil {
		grouped := errors.Is(err, errGroup)
		report(status{Failed: err.Error(), Retry: grouped, Grouped: grouped})
		return 1
	}
	go func() {
		io.Copy(io.Discard, in)
		r.end()
		// Even then the process's end is reported, unless the process cannot be killed.
		time.Sleep(endTime)
		os.Exit(1)
	}()
	var greedy atomic.Bool
	var used account
	go c.watch(&used, func() {
		greedy.Store(true)
		r.end()
	})
	s := r.wait()
	s.Wall = time.Since(begin)
	if greedy.Load() {
		s.Greedy = c.Memory
	}
	r.end()
	s.CPU, s.Memory = used.close()
	report(s)
	return 0
}

// run runs the steps of a confinement, one at a time.
type run struct {
	confinement
	lock  sync.Mutex
	cmd   *exec.Cmd // the command of the last step started
	over  bool      // no step is to be started any more
	gates []*gate
	// scoped says that Landlock keeps signals in.
	scoped bool
}

// start starts a step, and tells started which layers are in force.
func (r *run) start(i int, started func([]Standing)) error {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.over {
		return errors.New("the run has been ended")
	}
	s := r.Steps[i]
	cmd := &exec.Cmd{Path: s.Args[0], Args: s.Args, Dir: s.Dir, Env: s.Env, Stdout: os.Stdout, Stderr: os.Stderr}
	if r.Channel {
		cmd.ExtraFiles = []*os.File{os.NewFile(3, "questions"), os.NewFile(4, "replies")}
	}
	layers, err := r.startContained(cmd)
	if err != nil {
		return err
	}
	r.cmd = cmd
	for _, f := range cmd.ExtraFiles {
		f.Close()
	}
	started(layers)
	return nil
}

// wait waits for the end of the last step, or of a step that fails.
func (r *run) wait() status {
	s := ended(r.cmd)
	for i := 1; i < len(r.Steps) && s.Code == 0; i++ {
		if err := r.start(i, func([]Standing) {}); err != nil {
			return status{Ended: true, Code: notStarted}
		}
		s = ended(r.cmd)
	}
	return s
}

// notStarted is the exit code of a step that could not be started, as in a shell.
const notStarted = 127

// ended waits for the end of a process.
func ended(cmd *exec.Cmd) status {
	s := status{Ended: true}
	var exit *exec.ExitError
	if err := cmd.Wait(); errors.As(err, &exit) {
		s.Code = exit.ExitCode()
		if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			s.Signal = strings.ToLower(unix.SignalName(ws.Signal()))
		}
	}
	return s
}

// end ends all processes that were started.
func (r *run) end() {
	r.lock.Lock()
	defer r.lock.Unlock()
	if !r.over {
		r.over = true
		for _, g := range r.gates {
			g.shut.Store(true)
		}
		endAll(r.confinement, r.cmd.Process.Pid)
	}
}
