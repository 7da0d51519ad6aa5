package runner

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// refused are system calls that no solution wants and that would lead out: to
// networks and other programs' sockets, which neither Landlock nor a mount keeps
// from being connected to; to other processes' memory; to new namespaces; to
// things that stay behind or count as nobody's memory.
var refused = []uint32{
	unix.SYS_SOCKET, unix.SYS_IO_URING_SETUP,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP,
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
	unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL,
	unix.SYS_SHMGET, unix.SYS_SEMGET, unix.SYS_MSGGET, unix.SYS_MQ_OPEN, unix.SYS_MEMFD_CREATE, unix.SYS_MEMFD_SECRET,
}

// aimed are system calls that are refused only if their first argument names the
// supervisor. Landlock keeps a process from signalling those outside, but the
// thread that started it is inside with it, and any of these may name a thread.
var aimed = []uint32{unix.SYS_KILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_TKILL, unix.SYS_TGKILL, unix.SYS_RT_TGSIGQUEUEINFO, unix.SYS_PIDFD_OPEN}

// forks are system calls that start processes and threads: these, and what only
// some architectures have.
var forks = []uint32{unix.SYS_CLONE, unix.SYS_CLONE3}

var moreForks = map[string][]uint32{"amd64": {57, 58}} // fork and vfork

// gate is asked by the system each time that something behind a filter is about to
// start a process, and can be shut. Killing processes one by one is a race with
// those that start others; behind a gate that is shut it is none.
type gate struct {
	listener int
	shut     atomic.Bool
}

// watch answers the system, without end.
func (g *gate) watch() {
	// Both as the system has them.
	var question struct {
		id   uint64
		rest [72]byte
	}
	var answer struct {
		id    uint64
		value int64
		fault int32
		flags uint32
	}
	for {
		clear(question.rest[:]) // or the system takes it for a mistake
		question.id = 0
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(g.listener), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&question))); errno != 0 {
			if errno == unix.EINTR || errno == unix.ENOENT {
				continue
			}
			return
		}
		answer.id, answer.fault, answer.flags = question.id, 0, unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE
		if g.shut.Load() {
			answer.fault, answer.flags = -int32(unix.EAGAIN), 0
		}
		// One that has ended meanwhile wants no answer.
		unix.Syscall(unix.SYS_IOCTL, uintptr(g.listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&answer)))
	}
}

// seccomp puts this thread and what it starts behind a filter that refuses those
// calls, and all calls of other architectures' numbers. Where there is no namespace
// of processes to end with its first one, what it starts goes through a gate.
func (r *run) seccomp() error {
	architecture, known := map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]
	if !known {
		return errors.ErrUnsupported
	}
	install := func(gated []uint32, flags uintptr) (listener int, err error) {
		filter := filter(architecture, uint32(unix.Getpid()), uint32(unix.Gettid()), gated)
		program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
		fd, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
		runtime.KeepAlive(filter)
		if errno != 0 {
			return 0, errno
		}
		return int(fd), nil
	}
	if !r.Namespaces && letsContinue() {
		listener, err := install(append(forks, moreForks[runtime.GOARCH]...), unix.SECCOMP_FILTER_FLAG_NEW_LISTENER)
		if err == nil {
			g := &gate{listener: listener}
			r.gates = append(r.gates, g)
			go g.watch()
			return nil
		}
	}
	_, err := install(nil, 0)
	return err
}

// letsContinue reports whether the system, once it has asked, can be told to go on
// with the call: since Linux 5.5.
func letsContinue() bool {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return false
	}
	var major, minor int
	fmt.Sscanf(unix.ByteSliceToString(name.Release[:]), "%d.%d", &major, &minor)
	return major > 5 || major == 5 && minor >= 5
}

// filter is the program that the system runs at each call.
func filter(architecture, pid, tid uint32, gated []uint32) []unix.SockFilter {
	const (
		load, jumpEqual, jumpAtLeast, end = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K,
			unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, unix.BPF_RET | unix.BPF_K
		numberAt, architectureAt, argumentAt = 0, 4, 16 // in the data of a call
		otherNumbers                         = 1 << 30  // those of the x32 ABI
		allow                                = unix.SECCOMP_RET_ALLOW
		refuse                               = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
		unknown                              = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	)
	program := []unix.SockFilter{
		{Code: load, K: architectureAt},
		{Code: jumpEqual, K: architecture, Jt: 1},
		{Code: end, K: unknown},
		{Code: load, K: numberAt},
		{Code: jumpAtLeast, K: otherNumbers, Jf: 1},
		{Code: end, K: unknown},
	}
	for _, number := range refused {
		program = append(program,
			unix.SockFilter{Code: jumpEqual, K: number, Jf: 1},
			unix.SockFilter{Code: end, K: refuse})
	}
	for _, number := range gated {
		program = append(program,
			unix.SockFilter{Code: jumpEqual, K: number, Jf: 1},
			unix.SockFilter{Code: end, K: unix.SECCOMP_RET_USER_NOTIF})
	}
	for _, number := range aimed {
		program = append(program,
			unix.SockFilter{Code: jumpEqual, K: number, Jf: 5},
			unix.SockFilter{Code: load, K: argumentAt},
			unix.SockFilter{Code: jumpEqual, K: pid, Jt: 1},
			unix.SockFilter{Code: jumpEqual, K: tid, Jf: 1},
			unix.SockFilter{Code: end, K: refuse},
			unix.SockFilter{Code: load, K: numberAt})
	}
	return append(program, unix.SockFilter{Code: end, K: allow})
}
