//go:build amd64 || arm64

package sandbox

import (
	"cmp"
	"math/bits"
	"slices"

	"golang.org/x/sys/unix"
)

// filter returns the filter of system calls for this thread and the processes that it
// starts. If there is a gate, the filter asks it about calls that start processes, and
// about signals if neither namespaces nor Landlock keep them in.
func (r *run) filter(gated bool) ([]unix.SockFilter, error) {
	var asked []uint32
	if gated {
		asked = append(asked, forks...)
		if !r.scoped && !r.Namespaces {
			asked = append(asked, signalling...)
		}
	}
	return assemble(listed(r.Tools, r.sharing(), r.LeftOut), asked, uint32(unix.Getpid()), uint32(unix.Gettid())), nil
}

// assemble writes the program that the system runs at each call. It allows the calls of
// the groups, asks the gate about some of them, and refuses the rest. It refuses every
// signal to the supervisor or its thread: Landlock keeps a process from signalling
// processes outside, but the thread that started it is inside.
func assemble(groups []group, gated []uint32, supervisor ...uint32) []unix.SockFilter {
	const (
		numberAt, architectureAt = 0, 4    // in the data of a call
		otherNumbers             = 1 << 30 // those of the x32 ABI
	)
	program := []unix.SockFilter{
		{Code: load, K: architectureAt},
		{Code: jumpEqual, K: architecture, Jt: 1},
		{Code: answer, K: unknown},
		{Code: load, K: numberAt},
		{Code: jumpAtLeast, K: otherNumbers, Jf: 1},
		{Code: answer, K: unknown},
	}
	for _, call := range signalling {
		// The groups decide about signals to other processes.
		named := condition{argument: 0, mask: all, values: supervisor}
		block := slices.Concat(named.check(1), []unix.SockFilter{{Code: answer, K: refuse}, {Code: load, K: numberAt}})
		program = append(program, unix.SockFilter{Code: jumpEqual, K: call, Jf: uint8(len(block))})
		program = append(program, block...)
	}
	return append(program, find(callsOf(groups), gated)...)
}

// find looks for the call in a sorted list by halving the list. Short ways matter: when
// the filter is installed, the system runs it for each call that there is, to learn
// which calls it always allows.
func find(calls []listedCall, gated []uint32) []unix.SockFilter {
	if len(calls) > 8 {
		half := len(calls) / 2
		low, high := find(calls[:half], gated), find(calls[half:], gated)
		return slices.Concat([]unix.SockFilter{
			{Code: jumpAtLeast, K: calls[half].number, Jf: 1},
			{Code: jump, K: uint32(len(low))},
		}, low, high)
	}
	var program []unix.SockFilter
	var plain []uint32 // calls that are allowed as they are
	for _, call := range calls {
		verdict := uint32(unix.SECCOMP_RET_ALLOW)
		if slices.Contains(gated, call.number) {
			verdict = unix.SECCOMP_RET_USER_NOTIF
		}
		var block []unix.SockFilter
		switch {
		case call.instead != 0:
			block = []unix.SockFilter{{Code: answer, K: call.instead}}
		case call.forms != nil:
			for _, form := range call.forms {
				block = append(block, checkForm(form, verdict)...)
			}
			block = append(block, unix.SockFilter{Code: answer, K: refuse})
		case verdict != unix.SECCOMP_RET_ALLOW:
			block = []unix.SockFilter{{Code: answer, K: verdict}}
		default:
			plain = append(plain, call.number)
			continue
		}
		program = append(program, unix.SockFilter{Code: jumpEqual, K: call.number, Jf: uint8(len(block))})
		program = append(program, block...)
	}
	for i, number := range plain {
		program = append(program, unix.SockFilter{Code: jumpEqual, K: number, Jt: uint8(len(plain) - i)})
	}
	return append(program,
		unix.SockFilter{Code: answer, K: refuse},
		unix.SockFilter{Code: answer, K: unix.SECCOMP_RET_ALLOW})
}

const (
	load        = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	and         = unix.BPF_ALU | unix.BPF_AND | unix.BPF_K
	jump        = unix.BPF_JMP | unix.BPF_JA
	jumpEqual   = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	jumpAtLeast = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
	answer      = unix.BPF_RET | unix.BPF_K

	refuse  = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	done    = unix.SECCOMP_RET_ERRNO // no error
	unknown = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
)

// listedCall is a call with all forms that it may have; without forms, any arguments
// will do.
type listedCall struct {
	number  uint32
	instead uint32 // the answer, if the call is not to be made
	forms   [][]condition
}

// callsOf merges the groups' calls and sorts them. Two groups may allow different forms
// of the same call.
func callsOf(groups []group) (calls []listedCall) {
	at := map[uint32]int{}
	add := func(c listedCall) {
		i, known := at[c.number]
		switch {
		case !known:
			at[c.number] = len(calls)
			calls = append(calls, c)
		case c.forms == nil || calls[i].forms == nil:
			calls[i].forms = nil
		default:
			calls[i].forms = slices.Concat(calls[i].forms, c.forms)
		}
	}
	for _, g := range groups {
		for _, number := range g.calls {
			add(listedCall{number: number})
		}
		for _, c := range g.checked {
			add(listedCall{number: c.call, forms: c.forms})
		}
		for _, number := range g.absent {
			add(listedCall{number: number, instead: unknown})
		}
		for _, number := range g.ignored {
			add(listedCall{number: number, instead: done})
		}
	}
	slices.SortFunc(calls, func(a, b listedCall) int { return cmp.Compare(a.number, b.number) })
	return calls
}

// checkForm returns instructions that give the verdict if all conditions hold, and
// otherwise go on to the next instruction.
func checkForm(form []condition, verdict uint32) []unix.SockFilter {
	block := []unix.SockFilter{{Code: answer, K: verdict}}
	for _, c := range slices.Backward(form) {
		block = append(c.check(len(block)), block...)
	}
	return block
}

// check returns instructions that skip so many of the next ones if the condition does
// not hold.
func (c condition) check(skip int) []unix.SockFilter {
	const argumentsAt = 16
	at := argumentsAt + 8*c.argument
	if c.high {
		at += 4 // both architectures are little-endian
	}
	block := []unix.SockFilter{{Code: load, K: uint32(at)}}
	if bits.OnesCount32(c.mask) < 32 {
		block = append(block, unix.SockFilter{Code: and, K: c.mask})
	}
	for i, value := range c.values {
		test := unix.SockFilter{Code: jumpEqual, K: value, Jt: uint8(len(c.values) - 1 - i)}
		if i == len(c.values)-1 {
			test.Jf = uint8(skip)
		}
		block = append(block, test)
	}
	return block
}
