//go:build unix

package sandbox

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Process is a contained process, with a channel to it if it was started with one.
// All methods but Cancel are for one goroutine alone.
type Process struct {
	supervisor *exec.Cmd
	reaped     chan struct{} // closed when the supervisor has ended
	cancel     sync.Once
	life       *os.File // the supervisor ends all processes when this closes
	output     *os.File // both streams that the process prints, in the order of writing
	questions  *os.File // nil without a channel
	replies    *os.File
	status     *os.File
	group      controlGroup // nil if the run has no control group
	memory     uint64       // bytes that the run may have

	silent   bool   // output has ended
	deaf     bool   // nobody reads questions any more
	heard    []byte // the part of a reply that is not complete yet
	reported []byte // the part of a status that is not complete yet
	ended    *status
}

// Ways in which waiting for a reply can end.
var (
	ErrDeadline = errors.New("deadline exceeded")
	ErrEnded    = errors.New("the process ended")
	ErrUnread   = errors.New("deadline exceeded before the question was read")
	ErrTooLong  = errors.New("the reply is too long")
)

// Bounds of waiting.
const (
	// graceTime is how long the sandbox's own parts may take to end.
	graceTime = 2 * time.Second
	startTime = 30 * time.Second
	endTime   = 5 * time.Second // for ending all processes that a process started
)

// Start starts a command in the box, and each further command when the command before it
// has ended with exit code 0. The process ends as its last command does. A command's
// folder, and its program if that has a slash, are relative to the work dir. Only a
// single command can have a channel.
func (b *Box) Start(channel bool, commands ...Command) (*Process, error) {
	if b.started {
		// A process that ran before may have closed the work dir.
		reopen(b.Work)
	}
	b.started = true
	var first error
	noGroup := false // the system keeps processes out of their control groups
	for _, a := range b.attempts() {
		if a.group && noGroup {
			continue
		}
		p, refused, err := b.start(channel, commands, a)
		for wait := 5 * time.Millisecond; passing(err) && wait < 50*time.Millisecond; wait *= 2 {
			time.Sleep(wait)
			p, refused, err = b.start(channel, commands, a)
		}
		if err == nil {
			b.remember(a, first)
			return p, nil
		}
		if first = cmp.Or(first, err); !refused {
			return nil, err
		}
		if noGroup = noGroup || errors.Is(err, errGroup); noGroup {
			b.refuse(Cgroup, err)
		}
	}
	if b.Isolation == RequireIsolation {
		return nil, fmt.Errorf("%w: no %s: %w", ErrIsolation, Namespaces, first)
	}
	return nil, first
}

// errGroup says that a process could not get into its control group, which another
// program may have removed.
var errGroup = errors.New("join a control group")

// attempt is a way to start a process.
type attempt struct{ namespaces, group bool }

// attempts are the ways to start a process, in the order to try them.
func (b *Box) attempts() (list []attempt) {
	namespaces := b.Isolation != NoIsolation && b.refusal(Namespaces) == ""
	group := b.Isolation != NoIsolation && b.Memory > 0 && b.refusal(Cgroup) == ""
	for _, a := range []attempt{{true, true}, {false, true}, {true, false}, {false, false}} {
		switch {
		case a.namespaces && !namespaces || a.group && !group:
		case !a.namespaces && namespaces && b.Isolation == RequireIsolation:
		default:
			list = append(list, a)
		}
	}
	return list
}

// remember notes which layers the system refused before an attempt succeeded.
func (b *Box) remember(a attempt, refused error) {
	if refused == nil {
		return
	}
	if !a.namespaces && b.refusal(Namespaces) == "" {
		b.refuse(Namespaces, refused)
		if errors.Is(refused, unix.EPERM) || errors.Is(refused, unix.ENOSYS) {
			neverNamespaces.Store(inShort(refused))
		}
	}
	if !a.group && b.refusal(Cgroup) == "" {
		b.refuse(Cgroup, refused)
	}
	b.note(b.standings(a, b.Layers()))
}

// passing reports whether an error may pass: a scarce resource of the system was used up
// for a moment.
func passing(err error) bool {
	for _, reason := range []error{unix.EAGAIN, unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.ENOSPC, unix.EUSERS} {
		if errors.Is(err, reason) {
			return true
		}
	}
	return false
}

// confine returns the orders for a supervisor. All paths are without links, which lead
// nowhere inside namespaces.
func (b *Box) confine(channel bool, commands []Command, namespaces bool) (confinement, error) {
	none := confinement{}
	work, err := filepath.EvalSymlinks(b.Work)
	if err != nil {
		return none, fmt.Errorf("work dir: %w", err)
	}
	read := []string{work}
	var steps []step
	for _, c := range commands {
		dir := filepath.Join(work, filepath.FromSlash(c.Dir))
		program, err := programPath(c.Args[0], dir)
		if err != nil {
			return none, fmt.Errorf("run %s: %w", c.Args[0], err)
		}
		read = append(read, program)
		steps = append(steps, step{append([]string{program}, c.Args[1:]...), dir, environment(c, work)})
	}
	return confinement{
		Steps:      steps,
		Isolate:    b.Isolation != NoIsolation,
		Namespaces: namespaces,
		Without:    b.Without,
		Tools:      b.Tools,
		LeftOut:    b.leftOut,
		Landlock:   b.landlock,
		Older:      b.older,
		Root:       os.Geteuid() == 0,
		Work:       work,
		Write:      realPaths(b.Write),
		Read:       append(read, realPaths(b.Read)...),
		Hide:       realPaths(b.Hide),
		Memory:     b.Memory,
		Address:    b.Address,
		File:       cmp.Or(b.File, MaxFile),
		Channel:    channel,
	}, nil
}

// programPath is the path of a program in a folder, or on the search path.
func programPath(program, dir string) (string, error) {
	if filepath.Base(program) != program && !filepath.IsAbs(program) {
		return filepath.Join(dir, filepath.FromSlash(program)), nil
	}
	found, err := exec.LookPath(program)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(found)
}

// realPaths returns the real paths of the files that exist. For a link it returns both
// the file that it leads to and the link.
func realPaths(paths []string) (found []string) {
	for _, path := range paths {
		real, err := RealPath(path)
		if err != nil {
			continue
		}
		found = append(found, real)
		folder, err := RealPath(filepath.Dir(path))
		if link := filepath.Join(folder, filepath.Base(path)); err == nil && link != real {
			found = append(found, link)
		}
	}
	return found
}

// start starts a supervisor. It reports whether the system refused this attempt.
func (b *Box) start(channel bool, commands []Command, a attempt) (p *Process, refused bool, err error) {
	confinement, err := b.confine(channel, commands, a.namespaces)
	if err != nil {
		return nil, false, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, false, fmt.Errorf("find this program itself: %w", err)
	}
	// It collects garbage only when there is more of it than it ever makes by itself.
	cmd := &exec.Cmd{
		Path: self,
		Args: []string{"supervisor"},
		Env:  []string{supervisorVariable + "=1", "GOMAXPROCS=2", "GOGC=off", "GOMEMLIMIT=16MiB"},
		Dir:  "/",
	}
	p = &Process{supervisor: cmd, reaped: make(chan struct{}), memory: b.Memory}
	if a.group {
		if p.group, err = makeGroup(b.Memory); err != nil {
			b.refuse(Cgroup, err)
			a.group, err = false, nil
		}
	}
	theirs, err := p.pipes(cmd, channel)
	if err == nil {
		isolate(cmd, a.namespaces)
		if a.group {
			confinement.Counted, confinement.Groups = true, p.group.contain(cmd)
		}
		if err = cmd.Start(); err != nil {
			// Without descriptors or memory nothing starts, in namespaces or not.
			refused = !errors.Is(err, unix.EMFILE) && !errors.Is(err, unix.ENFILE) && !errors.Is(err, unix.ENOMEM)
			if a.group && (errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENODEV) || errors.Is(err, unix.EBUSY) || errors.Is(err, unix.EACCES)) {
				err = fmt.Errorf("%w: %w", errGroup, err)
			}
			err = fmt.Errorf("start a contained process: %w", err)
		}
	}
	if a.group {
		p.group.started()
	}
	for _, f := range theirs {
		f.Close()
	}
	if err != nil {
		p.release()
		return nil, refused, err
	}
	go func() {
		cmd.Wait()
		close(p.reaped)
	}()
	if refused, err = b.begin(p, confinement, a); err != nil {
		p.Kill()
		return nil, refused, err
	}
	return p, false, nil
}

// pipes connects a supervisor that is about to start. It returns the ends that the
// supervisor gets, which are to be closed here once it has them.
func (p *Process) pipes(cmd *exec.Cmd, channel bool) (theirs []*os.File, err error) {
	pipe := func(ours **os.File, weWrite bool) *os.File {
		if err != nil {
			return nil
		}
		var r, w *os.File
		if r, w, err = os.Pipe(); err != nil {
			err = fmt.Errorf("pipe: %w", err)
			return nil
		}
		if weWrite {
			r, w = w, r
		}
		*ours = r
		theirs = append(theirs, w)
		return w
	}
	life, output, status := pipe(&p.life, true), pipe(&p.output, false), pipe(&p.status, false)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = life, output, output
	cmd.ExtraFiles = []*os.File{status, status, status}
	if channel {
		cmd.ExtraFiles[0], cmd.ExtraFiles[1] = pipe(&p.questions, true), pipe(&p.replies, false)
	}
	return theirs, err
}

// begin gives a supervisor its orders and hears whether it could follow them.
func (b *Box) begin(p *Process, orders confinement, a attempt) (refused bool, err error) {
	text, err := json.Marshal(orders)
	if err != nil {
		return false, err
	}
	p.life.SetWriteDeadline(time.Now().Add(startTime))
	_, err = p.life.Write(append(text, '\n'))
	var first status
	if err == nil {
		first, err = p.readStatus(time.Now().Add(startTime))
	}
	switch {
	case err != nil:
		var said bytes.Buffer
		p.drain(&said)
		// A supervisor that is late tells nothing about the layers that the system has.
		return !errors.Is(err, ErrDeadline), fmt.Errorf("start a contained process: its supervisor says nothing (%v): %s", err, bytes.TrimSpace(said.Next(4096)))
	case first.Grouped:
		return true, fmt.Errorf("start a contained process: %w: %s", errGroup, first.Failed)
	case first.Failed != "":
		return first.Retry, fmt.Errorf("start a contained process: %s", first.Failed)
	}
	b.note(b.standings(a, first.Layers))
	if b.Isolation == RequireIsolation {
		for _, s := range b.Missing() {
			if !s.Held {
				return false, fmt.Errorf("%w: no %v", ErrIsolation, s)
			}
		}
	}
	return false, nil
}

// standings joins the layers that a supervisor reports with those that were settled
// before it began.
func (b *Box) standings(a attempt, told []Standing) []Standing {
	if b.Isolation == NoIsolation {
		return told
	}
	layers := []Standing{
		{Layer: Namespaces, Held: a.namespaces, Reason: b.refusal(Namespaces)},
		{Layer: Cgroup, Held: a.group, Reason: b.refusal(Cgroup)},
	}
	for _, s := range told {
		if s.Layer != Namespaces && s.Layer != Cgroup {
			layers = append(layers, s)
		}
	}
	return layers
}

// Ask writes a question as a line to the process's channel, unless it is nil, and waits
// for the process's next line there, of most bytes at most. Text that the process prints
// meanwhile goes to output; all that it printed before its reply is there on return.
func (p *Process) Ask(question []byte, deadline time.Time, most int, output io.Writer) ([]byte, error) {
	defer p.drain(output)
	if question != nil {
		question = append(question, '\n')
	}
	searched := 0 // so many of the heard bytes hold no end of a line
	for {
		if end := bytes.IndexByte(p.heard[searched:], '\n'); end >= 0 && searched+end <= most {
			line := p.heard[:searched+end]
			p.heard = p.heard[len(line)+1:]
			return line, nil
		}
		if searched = len(p.heard); searched > most {
			return nil, ErrTooLong
		}
		is, err := p.wait(deadline, p.replies, len(question) > 0)
		if errors.Is(err, ErrDeadline) && len(question) > 0 {
			return nil, ErrUnread
		}
		if err != nil {
			return nil, err
		}
		if is.printed {
			p.drain(output)
		}
		if is.taking {
			// A process that has closed its end shows when it does not reply.
			n, err := writeOnce(p.questions, question)
			if question = question[n:]; err != nil {
				p.deaf = true
			}
		}
		if is.replied {
			var block [64 << 10]byte
			n, err := readOnce(p.replies, block[:])
			p.heard = append(p.heard, block[:max(n, 0)]...)
			if err != nil || n == 0 {
				return nil, ErrEnded
			}
		} else if is.ended {
			// Its children may still hold the channel, but the process is gone.
			return nil, ErrEnded
		}
	}
}

// Wait waits for the process to end and returns its exit code, and how it ended
// in words. At the deadline the error is ErrDeadline.
func (p *Process) Wait(deadline time.Time, output io.Writer) (code int, how string, err error) {
	defer p.drain(output)
	for {
		is, err := p.wait(deadline, nil, false)
		if err != nil {
			return -1, "", err
		}
		if is.printed {
			p.drain(output)
		}
		if is.ended {
			s := p.end()
			return s.Code, s.describe(), nil
		}
	}
}

// state says what a process has done: it has printed, has replied, is ready to take more
// of a question, or has ended.
type state struct{ printed, replied, taking, ended bool }

// wait waits until there is something to read or to write, or the process has
// ended.
func (p *Process) wait(deadline time.Time, replies *os.File, asking bool) (state, error) {
	fds := [4]unix.PollFd{{Fd: -1}, {Fd: -1}, {Fd: -1}, {Fd: descriptor(p.status), Events: unix.POLLIN}}
	if !p.silent {
		fds[0] = unix.PollFd{Fd: descriptor(p.output), Events: unix.POLLIN}
	}
	if replies != nil {
		fds[1] = unix.PollFd{Fd: descriptor(replies), Events: unix.POLLIN}
	}
	if asking && !p.deaf {
		fds[2] = unix.PollFd{Fd: descriptor(p.questions), Events: unix.POLLOUT}
	}
	for {
		left := time.Until(deadline)
		if left <= 0 {
			return state{}, ErrDeadline
		}
		n, err := unix.Poll(fds[:], int(left/time.Millisecond)+1)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return state{}, fmt.Errorf("poll: %w", err)
		case n > 0:
			return state{fds[0].Revents != 0, fds[1].Revents != 0, fds[2].Revents != 0, fds[3].Revents != 0}, nil
		}
	}
}

// descriptor returns a file's descriptor. The method Fd would make reads block.
func descriptor(f *os.File) int32 {
	fd := int32(-1)
	if connection, err := f.SyscallConn(); err == nil {
		connection.Control(func(n uintptr) { fd = int32(n) })
	}
	return fd
}

// drain reads the text that has been printed so far. It reads a bounded amount, so that a
// process that prints without end cannot keep it busy.
func (p *Process) drain(output io.Writer) {
	var block [64 << 10]byte
	for range 64 {
		if p.silent {
			return
		}
		n, err := readOnce(p.output, block[:])
		if n < 0 {
			return
		}
		p.silent = err != nil || n == 0
		output.Write(block[:n])
	}
}

// readOnce reads the bytes that are ready, without waiting. It returns 0 and no error at
// the end, and -1 if no bytes are ready.
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
	switch {
	case err != nil:
		return 0, err
	case errors.Is(readErr, unix.EAGAIN) || errors.Is(readErr, unix.EINTR):
		return -1, nil
	case readErr != nil:
		return 0, readErr
	}
	return n, nil
}

// writeOnce writes as many bytes as the file takes without waiting.
func writeOnce(f *os.File, text []byte) (n int, err error) {
	connection, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	var writeErr error
	err = connection.Control(func(fd uintptr) {
		n, writeErr = unix.Write(int(fd), text)
	})
	if errors.Is(writeErr, unix.EAGAIN) || errors.Is(writeErr, unix.EINTR) {
		writeErr = nil
	}
	return max(n, 0), cmp.Or(err, writeErr)
}

// readStatus reads the supervisor's next report.
func (p *Process) readStatus(deadline time.Time) (s status, err error) {
	for {
		if line, rest, found := bytes.Cut(p.reported, []byte("\n")); found {
			p.reported = rest
			return s, json.Unmarshal(line, &s)
		}
		fds := []unix.PollFd{{Fd: descriptor(p.status), Events: unix.POLLIN}}
		left := time.Until(deadline)
		if left <= 0 {
			return s, ErrDeadline
		}
		if n, err := unix.Poll(fds, int(left/time.Millisecond)+1); err != nil || n == 0 {
			continue
		}
		var block [4096]byte
		n, err := readOnce(p.status, block[:])
		if err != nil || n == 0 {
			return s, ErrEnded
		}
		p.reported = append(p.reported, block[:max(n, 0)]...)
	}
}

// end reads how the process ended. If the supervisor does not say, the process
// has been killed with it.
func (p *Process) end() status {
	if p.ended == nil {
		s, err := p.readStatus(time.Now().Add(endTime))
		if err != nil {
			s = status{Code: -1, Signal: killed, lost: true}
		}
		if p.group != nil {
			if s.Signal == killed && p.group.overrun() {
				s.Greedy = p.memory
			}
			s.CPU = max(s.CPU, p.group.used())
			s.Memory = max(s.Memory, p.group.peak())
		}
		p.ended = &s
	}
	return *p.ended
}

// How says how a process ended, once its channel has closed. If the process still lives
// at the deadline, How ends it: it has closed the channel and done nothing else.
func (p *Process) How(deadline time.Time) string {
	// A process closes its files a moment before it ends.
	if least := time.Now().Add(graceTime / 4); deadline.Before(least) {
		deadline = least
	}
	for p.ended == nil {
		is, err := p.wait(deadline, nil, false)
		switch {
		case is.ended:
			return p.end().describe()
		case err != nil:
			p.Cancel()
			if s := p.end(); s.Signal == killed && s.Greedy == 0 {
				return "closed the channel that it answers through"
			}
		case is.printed:
			p.drain(io.Discard)
		}
	}
	return p.end().describe()
}

// killed is the signal that ends a process here.
const killed = "sigkill"

// Cancel has the process ended soon, and returns at once; a waiting method then finds
// that it has ended. Cancel may be called from any goroutine.
func (p *Process) Cancel() { p.cancel.Do(func() { p.life.Close() }) }

// Kill ends the process and all processes that it started, and releases its resources.
func (p *Process) Kill() {
	p.Cancel()
	// The supervisor ends all processes at the end of its input; a kill makes sure.
	select {
	case <-p.reaped:
	case <-time.After(endTime + graceTime):
		p.supervisor.Process.Kill()
		<-p.reaped
	}
	if p.status != nil && p.end().lost {
		endSession(p.supervisor.Process.Pid)
	}
	p.release()
}

// Used returns the time and memory that the run took, once it has ended.
func (p *Process) Used() Usage {
	if p.ended == nil {
		return Usage{}
	}
	return p.ended.Usage
}

// release gives up the process's resources.
func (p *Process) release() {
	if p.group != nil {
		p.group.remove()
	}
	for _, f := range []*os.File{p.life, p.output, p.questions, p.replies, p.status} {
		if f != nil {
			f.Close()
		}
	}
}

// makeGroup is newGroup, but for tests.
var makeGroup = newGroup

// controlGroup is a control group for one run.
type controlGroup interface {
	contain(supervisor *exec.Cmd) (files int)
	started()
	overrun() bool
	used() time.Duration
	peak() uint64
	remove()
}
