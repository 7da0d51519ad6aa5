//go:build !unix

package sandbox

import (
	"errors"
	"io"
	"time"
)

// Process is a contained process. This system cannot contain processes.
type Process struct{}

// Ways in which waiting for a reply can end.
var (
	ErrDeadline = errors.New("deadline exceeded")
	ErrEnded    = errors.New("the process ended")
	ErrUnread   = errors.New("deadline exceeded before the question was read")
	ErrTooLong  = errors.New("the reply is too long")

	errNoBox = errors.New("only Linux and other Unix systems can contain a process")
)

// Start always fails on this system.
func (b *Box) Start(bool, ...Command) (*Process, error) { return nil, errNoBox }

// Ask is never called: there is no process.
func (p *Process) Ask([]byte, time.Time, int, io.Writer) ([]byte, error) { return nil, errNoBox }

// Wait is never called: there is no process.
func (p *Process) Wait(time.Time, io.Writer) (int, string, error) { return 0, "", errNoBox }

// How is never called: there is no process.
func (p *Process) How(time.Time) string { return "" }

// Cancel is never called: there is no process.
func (p *Process) Cancel() {}

// Kill is never called: there is no process.
func (p *Process) Kill() {}

// Used is never called: there is no process.
func (p *Process) Used() Usage { return Usage{} }

// Supervise is never called: no process is started to supervise another.
func Supervise() int { return 1 }
