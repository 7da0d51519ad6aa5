package sandbox

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// gate decides, when the system asks it, whether a process behind a filter may start a
// process or thread, so that there are few. A shut gate refuses all: otherwise processes
// could start others faster than they are killed one by one. Without namespaces and
// Landlock's scoping the gate also keeps signals in.
type gate struct {
	listener int
	shut     atomic.Bool
	left     int // so many more processes can start before they must be counted
}

// full reports whether the limit of processes and threads is reached. It counts them
// only when as many have started as were left at the last count.
func (g *gate) full() bool {
	if g.left--; g.left < 0 {
		g.left = maxTasks
		for _, p := range descendants(os.Getpid()) {
			g.left -= max(p.threads, 1) // a dead process still takes a number
		}
	}
	return g.left < 0
}

// watch answers the system's questions until the listener is closed.
func (g *gate) watch() {
	// The layout of both is the system's.
	var question struct {
		id           uint64
		caller       uint32 // a thread
		flags        uint32
		number       int32
		architecture uint32
		instruction  uint64
		arguments    [6]uint64
	}
	var answer struct {
		id    uint64
		value int64
		fault int32
		flags uint32
	}
	for {
		clear(unsafe.Slice((*byte)(unsafe.Pointer(&question)), unsafe.Sizeof(question))) // the system wants zeros
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(g.listener), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&question))); errno != 0 {
			if errno == unix.EINTR || errno == unix.ENOENT {
				continue
			}
			return
		}
		answer.id, answer.fault, answer.flags = question.id, 0, unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE
		switch question.number {
		case unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL:
			if !maySignal(int(question.caller), int(int32(question.arguments[0]))) {
				answer.fault, answer.flags = -int32(unix.EPERM), 0
			}
		default:
			if g.shut.Load() || g.full() {
				answer.fault, answer.flags = -int32(unix.EAGAIN), 0
			}
		}
		// The call fails if the process has ended meanwhile.
		unix.Syscall(unix.SYS_IOCTL, uintptr(g.listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&answer)))
	}
}

// maySignal reports whether a thread may signal a target: a process that the supervisor
// started, directly or not, or a thread of such a process or of the caller's own.
func maySignal(caller, target int) bool {
	if target <= 0 {
		return false // a process group, or all processes
	}
	if target == caller {
		return true
	}
	process, known := processOf(target)
	if !known || process == os.Getpid() {
		return false
	}
	if own, known := processOf(caller); known && own == process {
		return true
	}
	for parent := process; parent > 1; {
		p, err := readProcess(parent)
		if err != nil {
			return false
		}
		if p.parent == os.Getpid() {
			return true
		}
		parent = p.parent
	}
	return false
}

// processOf returns the process of a thread.
func processOf(thread int) (process int, known bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(thread) + "/status")
	if err != nil {
		return 0, false
	}
	_, rest, _ := strings.Cut(string(text), "\nTgid:")
	number, _, _ := strings.Cut(rest, "\n")
	process, err = strconv.Atoi(strings.TrimSpace(number))
	return process, err == nil
}

// seccomp puts this thread and the processes that it starts behind a filter that allows
// the listed calls, and no calls by other architectures' numbers. New processes go through
// a gate if the system does not limit their number.
func (r *run) seccomp() (partly string, err error) {
	install := func(gated bool, flags uintptr) (listener int, err error) {
		filter, err := r.filter(gated)
		if err != nil {
			return 0, err
		}
		program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
		fd, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
		runtime.KeepAlive(filter)
		if errno != 0 {
			return 0, errno
		}
		return int(fd), nil
	}
	if r.uncounted && letsContinue() {
		if listener, err := install(true, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER); err == nil {
			g := &gate{listener: listener, left: maxTasks}
			r.gates = append(r.gates, g)
			go g.watch()
			return "", nil
		}
	}
	_, err = install(false, 0)
	return "", err
}

// letsContinue reports whether a gate can tell the system to go on with a call, as it can
// since Linux 5.5.
func letsContinue() bool {
	var name unix.Utsname
	if err := unix.Uname(&name); err != nil {
		return false
	}
	var major, minor int
	fmt.Sscanf(unix.ByteSliceToString(name.Release[:]), "%d.%d", &major, &minor)
	return major > 5 || major == 5 && minor >= 5
}
