package sandbox

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Isolation says how much containment a process must have.
type Isolation string

// The kinds of isolation.
const (
	AutoIsolation    Isolation = "auto"    // all that the system offers
	RequireIsolation Isolation = "require" // all layers, or no run
	NoIsolation      Isolation = "off"     // no layer: for trusted programs
)

// ErrIsolation is the error for a required layer that the system lacks.
var ErrIsolation = errors.New("the system does not offer the isolation required")

// Layer is one of the ways in which a process is contained. Each layer by itself keeps
// files, the network or other processes out of the process's reach, so that a gap in
// one layer is closed by another.
type Layer string

// The layers.
const (
	// Namespaces give a process a file system that holds only the files that it may
	// read, no network, and no sight of other processes.
	Namespaces Layer = "namespaces"
	// Landlock lets a process open only the files that it may read, and send no
	// signal to a process outside.
	Landlock Layer = "Landlock"
	// Watch ends all processes of a run when together they have too much memory. It
	// needs a /proc that shows them.
	Watch Layer = "watch of memory"
	// Cgroup is a control group for one run, in which the system counts all memory and
	// time of its processes. Root can make one, and so can users with the right to do
	// so; for others the watch and seccomp take its place.
	Cgroup Layer = "control group"
	// Reaping ends processes whose parents have ended before them.
	Reaping Layer = "end of stray processes"
	// Seccomp lets a process make only the listed system calls: none for networks, for
	// other processes' memory, or for things that outlive the process.
	Seccomp Layer = "seccomp"
)

// Command is a program to start. Its folder, and its name if that has a slash, are
// relative to the work dir.
type Command struct {
	Args []string
	Dir  string
	Env  []string // added to the environment
}

// Box contains an untrusted process: with the layers that the system has, with limits
// on its resources, and by ending all processes that it started when it ends.
type Box struct {
	Isolation Isolation
	Work      string   // the work dir, which the process may read
	Write     []string // folders that it may write to
	Read      []string // folders and files that it may read and execute
	Hide      []string // folders that it may not read, wherever they lie
	Memory    uint64   // bytes that all its processes may have, or 0 for no limit
	// Address is how many bytes of addresses each process may have, used or not, or 0
	// for no limit: the page tables of addresses take memory too. Programs that reserve
	// more when they start, such as sanitizers, cannot run with it.
	Address uint64
	File    uint64 // the most bytes of a file that a process writes, or 0 for MaxFile
	// Tools reports whether the processes are trusted tools, such as compilers, which run
	// no untrusted code. Tools may lock, map and rename files in the folders of Write, and
	// set their modes.
	Tools bool
	// Without lists layers to leave out, as if the system lacked them, for tests.
	Without []Layer

	landlock int      // the newest version of Landlock to use, for tests; 0 for any
	leftOut  []string // groups of system calls that are refused too, for tests
	older    bool     // namespaces limit no processes, as before Linux 6.14, for tests

	started bool // a process was started before

	lock   sync.Mutex
	layers []Standing
	// refused says why the system has refused a layer before.
	refused map[Layer]string
}

// Standing reports whether a layer is in force.
type Standing struct {
	Layer Layer
	Held  bool
	// Reason says why the layer is not in force, or which part of it is not.
	Reason string
}

func (s Standing) String() string {
	switch {
	case s.Held && s.Reason != "":
		return fmt.Sprintf("%s in part (%s)", s.Layer, s.Reason)
	case s.Reason != "":
		return fmt.Sprintf("%s (%s)", s.Layer, s.Reason)
	}
	return string(s.Layer)
}

// MaxFile is the most bytes of a file that a contained process writes.
const MaxFile = 256 << 20

// Layers lists all layers and whether they are in force, once a process has been
// started.
func (b *Box) Layers() []Standing {
	b.lock.Lock()
	defer b.lock.Unlock()
	return slices.Clone(b.layers)
}

// Missing lists the layers that are not in force, or only in part, once a process has
// been started. A control group is no more than a help to the watch, so it is not listed.
func (b *Box) Missing() (missing []Standing) {
	for _, s := range b.Layers() {
		if s.Layer != Cgroup && (!s.Held || s.Reason != "") {
			missing = append(missing, s)
		}
	}
	return missing
}

// note remembers which layers a started process has.
func (b *Box) note(layers []Standing) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.layers = layers
}

// refusal says why a layer is not to be tried, or is "".
func (b *Box) refusal(l Layer) string {
	if slices.Contains(b.Without, l) {
		return leftOut
	}
	b.lock.Lock()
	defer b.lock.Unlock()
	if reason := b.refused[l]; reason != "" || l != Namespaces {
		return reason
	}
	reason, _ := neverNamespaces.Load().(string)
	return reason
}

// neverNamespaces says why the system refuses namespaces to this process for good. Each
// further try would cost two descriptors: package syscall leaves the pipe to a refused
// process open.
var neverNamespaces atomic.Value

// refuse remembers why the system has refused a layer.
func (b *Box) refuse(l Layer, reason error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.refused == nil {
		b.refused = map[Layer]string{}
	}
	b.refused[l] = inShort(reason)
}

// leftOut is the reason of layers in [Box.Without].
const leftOut = "left out"

// inShort returns the text of the system's error inside an error, if it holds one.
func inShort(err error) string {
	var reason syscall.Errno
	if errors.As(err, &reason) {
		return reason.Error()
	}
	return err.Error()
}

// confinement holds the orders for a supervisor, which gets them as JSON.
type confinement struct {
	Steps      []step
	Isolate    bool
	Namespaces bool
	Without    []Layer
	Tools      bool
	LeftOut    []string
	Landlock   int
	Older      bool
	Root       bool // the user is root, whom the limit on processes does not bind
	Work       string
	Write      []string
	Read       []string
	Hide       []string
	Memory     uint64
	Address    uint64
	File       uint64
	Channel    bool // descriptors 3 and 4 are the channel
	Counted    bool // a control group counts the memory
	Groups     int  // so many descriptors after the status's are control groups to join

	uncounted bool // the system does not limit how many processes there are
}

// step is a program to start once the step before it has ended with exit code 0.
type step struct {
	Args []string
	Dir  string
	Env  []string
}

// status is a report of a supervisor, a line of JSON. The first says which layers are
// in force, the second how the process ended.
type status struct {
	// Started comes first.
	Started bool       `json:"started,omitempty"`
	Layers  []Standing `json:"layers,omitempty"`
	// Failed says why the process could not be started.
	Failed string `json:"failed,omitempty"`
	// Retry says that a start without namespaces may succeed.
	Retry bool `json:"retry,omitempty"`
	// Grouped says that the process could not get into its control group.
	Grouped bool `json:"grouped,omitempty"`
	lost    bool // the supervisor said nothing of its end
	// Ended comes last.
	Ended  bool   `json:"ended,omitempty"`
	Code   int    `json:"code"`
	Signal string `json:"signal,omitempty"`
	// Greedy is the limit in bytes, if the process was ended because it took more memory.
	Greedy uint64 `json:"greedy,omitempty"`
	Usage
}

// Usage is the time and memory that a run took.
type Usage struct {
	Wall   time.Duration // from its start to its end
	CPU    time.Duration // of the processors' time, all processes together
	Memory uint64        // the most bytes that all processes were seen to have together
}

// supervisorVariable is set in the environment of a supervisor. It marks the process as
// a supervisor; its orders come through its input.
const supervisorVariable = "SANDBOX_SUPERVISOR"

// IsSupervisor reports whether this process was started to supervise another.
// Every program that uses a Box must ask this first, and call Supervise if so.
func IsSupervisor() bool { return os.Getenv(supervisorVariable) != "" }

// environment returns the environment of a contained process: the variables that it
// needs to find and run its tools, and none that tells of the caller.
func environment(c Command, home string) []string {
	env := []string{"HOME=" + home, "TMPDIR=" + home, "LANG=C.UTF-8"}
	for _, name := range []string{"PATH", "TZ"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return append(env, c.Env...)
}

// describe says how a process ended, for people.
func (s status) describe() string {
	switch {
	case s.Greedy != 0:
		return fmt.Sprintf("took more than %d MB of memory", s.Greedy>>20)
	case strings.EqualFold(s.Signal, "sigabrt"):
		return "aborted (signal sigabrt)"
	case s.Signal != "":
		return "was killed by signal " + strings.ToLower(s.Signal)
	case s.Code != 0:
		return fmt.Sprintf("exited with code %d", s.Code)
	}
	return "exited with code 0"
}
