package sandbox

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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

	lock    sync.Mutex
	missing []string
	// refused says that the system has refused namespaces before.
	refused bool
}

// MaxFile is how many bytes a file may have that a contained process writes.
const MaxFile = 256 << 20

// Missing lists the layers of isolation that are not in force, or not whole, once a
// process has been started.
func (b *Box) Missing() []string {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.missing
}

// note remembers which layers a started process lacks.
func (b *Box) note(missing []string) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.missing = missing
}

// namespaces reports whether they are to be tried.
func (b *Box) namespaces() bool {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.Isolation != NoIsolation && !b.refused && !neverNamespaces.Load() && !slices.Contains(b.Without, Namespaces)
}

// neverNamespaces says that the system does not let this process have namespaces at
// all. To ask for them once more would cost two descriptors each time: package syscall
// leaves those open that a refused process was to be told through.
var neverNamespaces atomic.Bool

func (b *Box) refuseNamespaces() {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.refused = true
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
}

// step is a program to start once the one before it has ended well.
type step struct {
	Args []string
	Dir  string
	Env  []string
}

// status is what a supervisor reports, a line of JSON each: first which layers
// are missing, then how the process ended.
type status struct {
	// Started comes first. Missing lists layers not in force; Partial such as are, but
	// not whole, where others do what they do not.
	Started bool     `json:"started,omitempty"`
	Missing []string `json:"missing,omitempty"`
	Partial []string `json:"partial,omitempty"`
	// Failed says why the process could not be started.
	Failed string `json:"failed,omitempty"`
	// Retry says that a start without namespaces may succeed.
	Retry bool `json:"retry,omitempty"`
	// Ended comes last.
	Ended  bool   `json:"ended,omitempty"`
	Code   int    `json:"code"`
	Signal string `json:"signal,omitempty"`
	// Memory says that it was ended because it took more than it may have.
	Memory uint64 `json:"memory,omitempty"`
	// CPU is what all processes used.
	CPU time.Duration `json:"cpu,omitempty"`
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
	case s.Memory != 0:
		return fmt.Sprintf("took more than %d MB of memory", s.Memory>>20)
	case strings.EqualFold(s.Signal, "sigabrt"):
		return "aborted (signal sigabrt)"
	case s.Signal != "":
		return "was killed by signal " + strings.ToLower(s.Signal)
	case s.Code != 0:
		return fmt.Sprintf("exited with code %d", s.Code)
	}
	return "exited with code 0"
}
