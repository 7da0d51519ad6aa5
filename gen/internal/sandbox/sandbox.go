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
	NoIsolation      Isolation = "off"     // none: for programs that one trusts
)

// ErrIsolation says that a layer of isolation is missing that is required.
var ErrIsolation = errors.New("the system does not offer the isolation required")

// Layer is one of the ways in which a process is contained. Each keeps files,
// the network or other processes out of its reach by itself, so that what one
// lacks another has.
type Layer string

// The layers.
const (
	// Namespaces give a process a file system in which there is nothing but what
	// it may read, no network, and no sight of other processes.
	Namespaces Layer = "namespaces"
	// Landlock lets it open what it may read alone, and signal nothing outside.
	Landlock Layer = "Landlock"
	// Watch ends all of a run whose processes have more memory together than they may.
	// It must see them to do so.
	Watch Layer = "watch of memory"
	// Cgroup is a control group of a run's own, in which the system counts its memory,
	// whatever that hides in, and its time. It is made for root, and for who may make
	// one; elsewhere the watch and seccomp do without.
	Cgroup Layer = "control group"
	// Reaping ends processes that have left the tree of those that started them.
	Reaping Layer = "end of stray processes"
	// Seccomp lets it make the system calls that are listed alone: none for networks,
	// for other processes' memory, or for what would outlive it.
	Seccomp Layer = "seccomp"
)

// Command is a program to start. Its folder, and its name if that has a slash, are
// relative to the work dir.
type Command struct {
	Args []string
	Dir  string
	Env  []string // added to the environment
}

// Box is what an untrusted process is contained in: the layers that the system
// has, limits on its resources, and the end of all processes that it started
// when it ends.
type Box struct {
	Isolation Isolation
	Work      string   // the work dir, which the process may read
	Write     []string // folders that it may write to
	Read      []string // folders and files that it may read and execute
	Hide      []string // folders that it may not read, wherever they lie
	Memory    uint64   // bytes that all its processes may have, or 0 for no limit
	// Address is how many bytes of addresses each process may have, used or not, or 0
	// for no limit: the system's own tables of those take memory too. It is for programs
	// that set no more aside than that when they start, and not for sanitizers.
	Address uint64
	File    uint64 // bytes that a file may have that it writes, or 0 for MaxFile
	// Tools says that the processes are trusted tools, such as compilers, which run no
	// untrusted code. They may change what they may write to in all ways: lock, map and
	// rename files, and set their modes.
	Tools bool
	// Without leaves layers out as a system does that lacks them, for tests.
	Without []Layer

	landlock int      // the newest version of Landlock to use, for tests; 0 for any
	leftOut  []string // groups of system calls that are refused too, for tests

	started bool // a process was, before

	lock   sync.Mutex
	layers []Standing
	// refused says why the system has refused a layer before.
	refused map[Layer]string
}

// Standing is whether a layer is in force.
type Standing struct {
	Layer Layer
	Held  bool
	// Reason is why the layer is not in force, or what of it is not.
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

// MaxFile is how many bytes a file may have that a contained process writes.
const MaxFile = 256 << 20

// Layers lists all layers and whether they are in force, once a process has been
// started.
func (b *Box) Layers() []Standing {
	b.lock.Lock()
	defer b.lock.Unlock()
	return slices.Clone(b.layers)
}

// Missing lists the layers that are not in force, or not whole, once a process has been
// started. Of the two that count memory one is enough.
func (b *Box) Missing() (missing []Standing) {
	layers := b.Layers()
	counted := slices.ContainsFunc(layers, func(s Standing) bool { return s.Held && (s.Layer == Watch || s.Layer == Cgroup) })
	for _, s := range layers {
		switch {
		case s.Held && s.Reason == "" || s.Layer == Cgroup || s.Layer == Watch && counted:
		default:
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

// refusal is why a layer is not to be tried, or "".
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

// neverNamespaces is why the system does not let this process have namespaces at all.
// To ask for them once more would cost two descriptors each time: package syscall
// leaves those open that a refused process was to be told through.
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

// inShort is the system's part of an error, if it has one.
func inShort(err error) string {
	var reason syscall.Errno
	if errors.As(err, &reason) {
		return reason.Error()
	}
	return err.Error()
}

// confinement is what a supervisor is told to do. It travels as JSON.
type confinement struct {
	Steps      []step
	Isolate    bool
	Namespaces bool
	Without    []Layer
	Tools      bool
	LeftOut    []string
	Landlock   int
	Work       string
	Write      []string
	Read       []string
	Hide       []string
	Memory     uint64
	Address    uint64
	File       uint64
	Channel    bool // descriptors 3 and 4 are the channel
	Counted    bool // a control group counts the memory
	Groups     int  // files from the first after the status on are control groups to join
}

// step is a program to start once the one before it has ended well.
type step struct {
	Args []string
	Dir  string
	Env  []string
}

// status is what a supervisor reports, a line of JSON each: first which layers
// are in force, then how the process ended.
type status struct {
	// Started comes first.
	Started bool       `json:"started,omitempty"`
	Layers  []Standing `json:"layers,omitempty"`
	// Failed says why the process could not be started.
	Failed string `json:"failed,omitempty"`
	// Retry says that a start without namespaces may succeed.
	Retry bool `json:"retry,omitempty"`
	// Ended comes last.
	Ended  bool   `json:"ended,omitempty"`
	Code   int    `json:"code"`
	Signal string `json:"signal,omitempty"`
	// Greedy says that it was ended because it took more memory than it may have, in
	// bytes.
	Greedy uint64 `json:"greedy,omitempty"`
	Usage
}

// Usage is what a run took.
type Usage struct {
	Wall   time.Duration // from its start to its end
	CPU    time.Duration // of the processors' time, all processes together
	Memory uint64        // bytes that all had together at most, as far as was seen
}

// supervisorVariable is set in the environment of a supervisor, and tells
// nothing else: what it is to do comes through its input.
const supervisorVariable = "SANDBOX_SUPERVISOR"

// IsSupervisor reports whether this process was started to supervise another.
// Every program that uses a Box must ask this first, and call Supervise if so.
func IsSupervisor() bool { return os.Getenv(supervisorVariable) != "" }

// environment is what a contained process gets: what finding and running its
// tools takes, and nothing that tells of the caller.
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
