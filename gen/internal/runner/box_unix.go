//go:build unix

package runner

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"stateoftictactoe/gen/internal/lang"
)

// Process is a contained process, with a channel to its driver if it has one.
type Process struct {
	supervisor *exec.Cmd
	life       *os.File // the supervisor ends all when this closes
	output     *os.File // what the process prints, both streams as they come
	questions  *os.File // nil without a channel
	replies    *os.File
	status     *bufio.Reader
	statusFile *os.File

	buffered []byte // of a reply that is not complete yet
	ended    *status
}

// Ways in which waiting for a driver can end.
var (
	ErrDeadline = errors.New("deadline exceeded")
	ErrEnded    = errors.New("the process ended")
	ErrTooLong  = errors.New("the reply is too long")
)

// maxReply is how long a reply may be, in bytes.
const maxReply = 8 << 20

// Start starts a command in the box. Its folder and its program, if that has a
// slash, are relative to the work dir.
func (b *Box) Start(c lang.Command, channel bool) (*Process, error) {
	p, retry, err := b.start(c, channel, b.wantsNamespaces())
	if retry && b.Isolation != RequireIsolation {
		b.refuseNamespaces()
		p, _, err = b.start(c, channel, false)
	}
	return p, err
}

func (b *Box) start(c lang.Command, channel, namespaces bool) (p *Process, retry bool, err error) {
	dir := filepath.Join(b.Work, filepath.FromSlash(c.Dir))
	args := append([]string(nil), c.Args...)
	if filepath.Base(args[0]) != args[0] && !filepath.IsAbs(args[0]) {
		args[0] = filepath.Join(dir, filepath.FromSlash(args[0]))
	} else if args[0], err = exec.LookPath(args[0]); err != nil {
		return nil, false, fmt.Errorf("run %s: %w", c.Args[0], err)
	}
	home, scratch := b.Work, ""
	if b.Scratch {
		home = filepath.Join(b.Work, scratchFolder)
		if err := os.MkdirAll(home, 0o755); err != nil {
			return nil, false, fmt.Errorf("work dir: %w", err)
		}
		if namespaces {
			scratch = home
		}
	}
	text, err := json.Marshal(confinement{
		Args:       args,
		Dir:        dir,
		Env:        environment(c, home),
		Isolate:    b.Isolation != NoIsolation,
		Namespaces: namespaces,
		Write:      b.Write,
		Read:       append([]string{b.Work}, b.Read...),
		Scratch:    scratch,
		Memory:     b.Memory,
		Channel:    channel,
	})
	if err != nil {
		return nil, false, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, false, fmt.Errorf("find the harness itself: %w", err)
	}
	cmd := &exec.Cmd{
		Path: self,
		Args: os.Args[:1],
		Env:  []string{supervisorVariable + "=" + string(text), "GOMAXPROCS=1"},
		Dir:  "/",
	}
	p = &Process{supervisor: cmd}
	// The ends that the supervisor gets are closed here once it has them.
	var theirs []*os.File
	pipe := func(ours **os.File, weWrite bool) (*os.File, error) {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, fmt.Errorf("pipe: %w", err)
		}
		if weWrite {
			r, w = w, r
		}
		*ours = r
		theirs = append(theirs, w)
		return w, nil
	}
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
		if err != nil {
			p.closeAll()
			p = nil
		}
	}()
	if cmd.Stdin, err = pipe(&p.life, true); err != nil {
		return p, false, err
	}
	output, err := pipe(&p.output, false)
	if err != nil {
		return p, false, err
	}
	cmd.Stdout, cmd.Stderr = output, output
	status, err := pipe(&p.statusFile, false)
	if err != nil {
		return p, false, err
	}
	cmd.ExtraFiles = []*os.File{status, status, status}
	if channel {
		if cmd.ExtraFiles[0], err = pipe(&p.questions, true); err != nil {
			return p, false, err
		}
		if cmd.ExtraFiles[1], err = pipe(&p.replies, false); err != nil {
			return p, false, err
		}
	}
	p.status = bufio.NewReader(p.statusFile)
	isolate(cmd, namespaces)
	if err := cmd.Start(); err != nil {
		return p, namespaces, fmt.Errorf("start a contained process: %w", err)
	}
	for _, f := range theirs {
		f.Close()
	}
	theirs = nil
	first, err := p.readStatus()
	switch {
	case err != nil:
		p.kill()
		return p, namespaces, fmt.Errorf("start a contained process: the supervisor ended: %s", bytes.TrimSpace(p.rest(4096)))
	case first.Failed != "":
		p.kill()
		return p, first.Retry, fmt.Errorf("start a contained process: %s", first.Failed)
	}
	if !namespaces && b.Isolation != NoIsolation {
		first.Missing = append(first.Missing, noNamespaces)
	}
	b.note(first.Missing)
	if b.Isolation == RequireIsolation && len(first.Missing) > 0 {
		p.kill()
		return p, false, fmt.Errorf("%w: missing: %s", ErrIsolation, first.Missing[0])
	}
	return p, false, nil
}

// scratchFolder is the folder in the work dir that Scratch means.
const scratchFolder = "scratch"

const noNamespaces = "namespaces (network, processes, mounts)"

func (p *Process) readStatus() (status, error) {
	var s status
	line, err := p.status.ReadBytes('\n')
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(line, &s)
}

// Say writes a line to the driver. A driver that does not read is found out
// when it does not reply.
func (p *Process) Say(line []byte) error {
	p.questions.SetWriteDeadline(time.Now().Add(time.Second))
	_, err := p.questions.Write(append(line, '\n'))
	return err
}

// Hear waits for the driver's next line. What the process prints meanwhile goes
// to output; all that it printed before it replied is there on return.
func (p *Process) Hear(deadline time.Time, output io.Writer) ([]byte, error) {
	for {
		if line, rest, found := bytes.Cut(p.buffered, []byte("\n")); found {
			p.buffered = rest
			p.drain(output)
			return line, nil
		}
		if len(p.buffered) > maxReply {
			return nil, ErrTooLong
		}
		printed, replied, err := p.wait(deadline)
		if err != nil {
			p.drain(output)
			return nil, err
		}
		if printed {
			p.drain(output)
		}
		if replied {
			var block [64 << 10]byte
			n, err := readOnce(p.replies, block[:])
			p.buffered = append(p.buffered, block[:max(n, 0)]...)
			if err == nil && n == 0 {
				p.drain(output)
				return nil, ErrEnded
			}
		}
	}
}

// wait waits until there is something to read.
func (p *Process) wait(deadline time.Time) (printed, replied bool, err error) {
	fds := []unix.PollFd{{Fd: descriptor(p.output), Events: unix.POLLIN}}
	if p.replies != nil {
		fds = append(fds, unix.PollFd{Fd: descriptor(p.replies), Events: unix.POLLIN})
	}
	for {
		left := time.Until(deadline)
		if left <= 0 {
			return false, false, ErrDeadline
		}
		n, err := unix.Poll(fds, int(left/time.Millisecond)+1)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return false, false, fmt.Errorf("poll: %w", err)
		case n == 0:
			continue
		}
		// Output that has ended wakes the poll for ever; only replies count then.
		if fds[0].Revents&unix.POLLIN == 0 && fds[0].Revents != 0 {
			fds[0].Fd = -1
		}
		replied := p.replies != nil && fds[1].Revents != 0
		if fds[0].Revents&unix.POLLIN != 0 || replied {
			return fds[0].Revents&unix.POLLIN != 0, replied, nil
		}
		if p.replies == nil {
			return false, false, ErrEnded
		}
	}
}

// descriptor is a file's descriptor. The method Fd would make reads block.
func descriptor(f *os.File) int32 {
	fd := int32(-1)
	if connection, err := f.SyscallConn(); err == nil {
		connection.Control(func(n uintptr) { fd = int32(n) })
	}
	return fd
}

// drain reads what has been printed so far. It reads a bounded amount, so that
// a process that prints without end cannot keep it busy.
func (p *Process) drain(output io.Writer) {
	var block [64 << 10]byte
	for range 64 {
		n, err := readOnce(p.output, block[:])
		if n <= 0 || err != nil {
			return
		}
		output.Write(block[:n])
	}
}

// readOnce reads what is there without waiting for more. It returns 0 and no
// error at the end, and -1 if there is nothing now.
func readOnce(f *os.File, block []byte) (int, error) {
	connection, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	n := 0
	var readErr error
	err = connection.Control(func(fd uintptr) {
		n, readErr = unix.Read(int(fd), block)
	})
	if err != nil {
		return 0, err
	}
	if errors.Is(readErr, unix.EAGAIN) || errors.Is(readErr, unix.EINTR) {
		return -1, nil
	}
	return n, readErr
}

// rest reads a little of what was printed.
func (p *Process) rest(most int) []byte {
	var b bytes.Buffer
	p.drain(&b)
	return b.Next(most)
}

// Wait waits for the process to end and returns how it did. At the deadline it
// is killed, and the error is ErrDeadline.
func (p *Process) Wait(deadline time.Time, output io.Writer) (code int, how string, err error) {
	for {
		_, replied, waitErr := p.wait(deadline)
		p.drain(output)
		if replied {
			var block [64 << 10]byte
			if n, err := readOnce(p.replies, block[:]); err != nil || n == 0 {
				p.replies.Close()
				p.replies = nil
			}
		}
		if errors.Is(waitErr, ErrEnded) || waitErr == nil && p.hasEnded() {
			break
		}
		if waitErr != nil {
			p.kill()
			return -1, "", waitErr
		}
	}
	s := p.end()
	p.drain(output)
	return s.Code, s.describe(), nil
}

// hasEnded reports whether the supervisor has said how the process ended.
func (p *Process) hasEnded() bool {
	if p.ended != nil {
		return true
	}
	fds := []unix.PollFd{{Fd: descriptor(p.statusFile), Events: unix.POLLIN}}
	n, _ := unix.Poll(fds, 0)
	return n > 0
}

// end reads how the process ended. If the supervisor does not say, the process
// has been killed with it.
func (p *Process) end() status {
	if p.ended == nil {
		p.statusFile.SetReadDeadline(time.Now().Add(2 * time.Second))
		s, err := p.readStatus()
		if err != nil {
			s = status{Code: -1, Signal: "killed"}
		}
		p.ended = &s
	}
	return *p.ended
}

// How says how a process ended whose channel has closed; it is killed if it has
// not ended by itself.
func (p *Process) How() string {
	if p.ended == nil && p.replies != nil {
		// A process may have closed the channel and live on.
		fds := []unix.PollFd{{Fd: descriptor(p.statusFile), Events: unix.POLLIN}}
		if n, _ := unix.Poll(fds, 500); n == 0 {
			p.kill()
			return "closed the harness's channel"
		}
	}
	return p.end().describe()
}

// Kill ends the process and all that it started, and releases what it held.
func (p *Process) Kill() { p.kill() }

func (p *Process) kill() {
	if p.supervisor == nil {
		return
	}
	p.life.Close()
	if p.supervisor.Process != nil {
		// The supervisor ends all at the end of its input; a kill makes sure.
		done := make(chan struct{})
		go func() {
			p.supervisor.Wait()
			close(done)
		}()
		select {
		case <-done:
		case <-time.After(2 * time.Second):
			p.supervisor.Process.Kill()
			<-done
		}
	}
	p.closeAll()
	p.supervisor = nil
}

func (p *Process) closeAll() {
	for _, f := range []*os.File{p.life, p.output, p.questions, p.replies, p.statusFile} {
		if f != nil {
			f.Close()
		}
	}
}
