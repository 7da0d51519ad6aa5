package runner

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"stateoftictactoe/gen/internal/lang"
)

// Isolation says how much containment a process must have.
type Isolation string

// The kinds of isolation.
const (
	AutoIsolation    Isolation = "auto"    // all that the system offers
	RequireIsolation Isolation = "require" // all layers, or no run
	NoIsolation      Isolation = "off"     // none: for solutions one trusts
)

// ErrIsolation says that a layer of isolation is missing that is required.
var ErrIsolation = errors.New("the system does not offer the isolation required")

// Box is what an untrusted process is contained in. Layers, where the system
// has them: user, process, network and mount namespaces; Landlock; resource
// limits; and the end of all processes that it started when it ends.
type Box struct {
	Isolation Isolation
	Work      string   // the work dir, which the process may read
	Write     []string // folders that it may write to
	// Scratch gives the process a small folder of its own to write to, in memory,
	// where there are namespaces. Nothing in it outlives the process.
	Scratch bool
	Read    []string // folders and files that it may read and execute
	Memory  uint64   // bytes of data, or 0 for no limit

	lock    sync.Mutex
	started bool
	missing []string
	// noNamespaces says that the system has refused namespaces before.
	noNamespaces bool
}

// Missing lists the layers of isolation that are not in force, once a process
// has been started.
func (b *Box) Missing() []string {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.missing
}

// note remembers which layers a started process lacks.
func (b *Box) note(missing []string) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.started = true
	b.missing = missing
}

// wants reports whether namespaces are to be tried.
func (b *Box) wantsNamespaces() bool {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.Isolation != NoIsolation && !b.noNamespaces
}

func (b *Box) refuseNamespaces() {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.noNamespaces = true
}

// confinement is what a supervisor is told to do. It travels as JSON.
type confinement struct {
	Args       []string
	Dir        string
	Env        []string
	Isolate    bool
	Namespaces bool
	Write      []string
	Read       []string
	Scratch    string // "" for none
	Memory     uint64
	Channel    bool // descriptors 3 and 4 are a driver's
}

// status is what a supervisor reports, a line of JSON each: first which layers
// are missing, then how the process ended.
type status struct {
	// Started comes first. Missing lists layers not in force.
	Started bool     `json:"started,omitempty"`
	Missing []string `json:"missing,omitempty"`
	// Failed says why the process could not be started.
	Failed string `json:"failed,omitempty"`
	// Retry says that a start without namespaces may succeed.
	Retry bool `json:"retry,omitempty"`
	// Ended comes last.
	Ended  bool   `json:"ended,omitempty"`
	Code   int    `json:"code"`
	Signal string `json:"signal,omitempty"`
}

// supervisorVariable holds a supervisor's confinement. A process that has it is
// one.
const supervisorVariable = "GEN_SUPERVISOR"

// IsSupervisor reports whether this process was started to supervise another.
// Every program that uses a Box must ask this first, and call Supervise if so.
func IsSupervisor() bool { return os.Getenv(supervisorVariable) != "" }

// environment is what a contained process gets: what finding and running its
// tools takes, and nothing that tells of the harness.
func environment(c lang.Command, home string) []string {
	env := []string{"HOME=" + home, "TMPDIR=" + home, "LANG=C.UTF-8"}
	for _, name := range []string{"PATH", "TZ", "SystemRoot"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return append(env, c.Env...)
}

// describe says how a process ended, for people.
func (s status) describe() string {
	switch {
	case s.Signal != "":
		return "was killed by signal " + strings.ToLower(s.Signal)
	case s.Code != 0:
		return fmt.Sprintf("exited with code %d", s.Code)
	}
	return "exited"
}
