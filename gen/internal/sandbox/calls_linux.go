//go:build amd64 || arm64

package sandbox

import "golang.org/x/sys/unix"

// This file is the list of the system calls that a contained process may make.
// Every other call fails with EPERM, as for a user without the right to make it;
// testdata/record shows which calls the runtimes make.
//
// A group says why its calls are needed, and who may make them. A call that can
// do more than a program needs is checked: its arguments must fit one of the
// forms that are listed.

// group is a part of the list.
type group struct {
	name      string
	reason    string
	toolsOnly bool // for tools, not for untrusted programs
	sharing   bool // only where there is a folder to share memory in
	calls     []uint32
	checked   []checked
	// ignored calls do nothing and report success.
	ignored []uint32
	// absent calls fail as on a system that does not have them, so that a program
	// makes an older call instead.
	absent []uint32
}

// checked is a call whose arguments must fit one of some forms.
type checked struct {
	call  uint32
	forms [][]condition
}

// condition says that an argument, masked, must be one of some values. The system looks
// at the low half alone of most arguments, and at both halves of a pointer.
type condition struct {
	argument int
	high     bool
	mask     uint32
	values   []uint32
}

func is(argument int, values ...uint32) condition {
	return condition{argument: argument, mask: all, values: values}
}

func lacks(argument int, bits uint32) condition {
	return condition{argument: argument, mask: bits, values: []uint32{0}}
}

func isHigh(argument int, values ...uint32) condition {
	c := is(argument, values...)
	c.high = true
	return c
}

func null(argument int) []condition { return []condition{is(argument, 0), isHigh(argument, 0)} }

const (
	all  = 1<<32 - 1
	page = 4096 // bytes, the smallest page of any system
)

// form is a combination of arguments that a call may have.
func form(conditions ...condition) []condition { return conditions }

// groups is the list.
var groups = []group{
	{
		name:   "memory",
		reason: "Programs take memory and give it back. Pages that two processes share, or that a file holds, can be let go of and still be there, out of sight of who counts memory; so an untrusted program has none; nor huge pages, which are the host's and count nowhere, nor stacks that grow, which the limit on data leaves out.",
		calls:  []uint32{unix.SYS_BRK, unix.SYS_MUNMAP, unix.SYS_MPROTECT, unix.SYS_MREMAP, unix.SYS_MADVISE},
		checked: []checked{
			{unix.SYS_MMAP, [][]condition{form(lacks(3, all&^plainMapping))}},
		},
	},
	{
		name:      "shared memory",
		reason:    "Linkers and compilers write their output, and read archives, through mapped files. They run no untrusted code.",
		toolsOnly: true,
		calls:     []uint32{unix.SYS_MMAP, unix.SYS_MSYNC},
	},
	{
		name:    "small shared memory",
		reason:  "Locks and queues between processes are files in /dev/shm, each a page at most, which are made under one name, linked to another, mapped and removed. Here that folder is a small file system of the run's own. The memory is bounded by its size, however many processes map how many of its files: no anonymous page is shared, no device is there that makes pages when it is mapped, and pages of all other files are on the disk and can be taken back.",
		sharing: true,
		calls:   []uint32{unix.SYS_LINKAT, unix.SYS_UNLINKAT, unix.SYS_FTRUNCATE},
		checked: []checked{
			{unix.SYS_MMAP, [][]condition{
				form(isHigh(1, 0), lacks(1, all&^(page-1)), lacks(3, unix.MAP_ANONYMOUS)),
				form(isHigh(1, 0), is(1, page), lacks(3, unix.MAP_ANONYMOUS)),
			}},
		},
	},
	{
		name:   "reading and writing",
		reason: "Programs load their libraries and print. Which files can be opened is for mounts and Landlock to say.",
		calls: []uint32{
			unix.SYS_READ, unix.SYS_WRITE, unix.SYS_READV, unix.SYS_WRITEV, unix.SYS_PREAD64, unix.SYS_PWRITE64, unix.SYS_PREADV, unix.SYS_PWRITEV,
			unix.SYS_LSEEK, unix.SYS_OPENAT, unix.SYS_CLOSE, unix.SYS_CLOSE_RANGE, unix.SYS_DUP, unix.SYS_DUP3, unix.SYS_PIPE2,
			unix.SYS_SENDFILE, unix.SYS_COPY_FILE_RANGE, unix.SYS_FADVISE64,
		},
	},
	{
		name:   "looking at files",
		reason: "Programs look for their libraries.",
		calls: []uint32{
			unix.SYS_FSTAT, unix.SYS_STATX, unix.SYS_STATFS, unix.SYS_FSTATFS, unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2, unix.SYS_READLINKAT,
			unix.SYS_GETDENTS64, unix.SYS_GETCWD, unix.SYS_CHDIR, unix.SYS_FCHDIR,
		},
	},
	{
		name:   "descriptors",
		reason: "Programs see what their descriptors are and have reading return at once. They ask for no signals, which could go to others; set no owners, leases or seals; and make no pipe larger.",
		checked: []checked{
			{unix.SYS_FCNTL, [][]condition{
				form(is(1, unix.F_DUPFD, unix.F_DUPFD_CLOEXEC, unix.F_GETFD, unix.F_SETFD, unix.F_GETFL)),
				form(is(1, unix.F_SETFL), lacks(2, unix.O_ASYNC)),
			}},
			{unix.SYS_IOCTL, [][]condition{
				// Terminal or not, and its width; bytes that wait; blocking; close on exec.
				form(is(1, unix.TCGETS, unix.TCGETS2, unix.TIOCGWINSZ, fionread, fionbio, fioclex, fionclex)),
			}},
		},
	},
	{
		name:   "waiting",
		reason: "Event loops wait for several descriptors.",
		calls: []uint32{
			unix.SYS_PPOLL, unix.SYS_PSELECT6, unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EVENTFD2,
		},
	},
	{
		name:   "pairs of sockets",
		reason: "An event loop wakes itself through a pair, and runtimes talk through pairs with their children. A pair of streams reaches nothing else; one of datagrams can be sent to any socket with a name. Buffers keep their size.",
		calls: []uint32{
			unix.SYS_SENDTO, unix.SYS_RECVFROM, unix.SYS_SHUTDOWN, unix.SYS_GETSOCKNAME, unix.SYS_GETPEERNAME, unix.SYS_GETSOCKOPT,
		},
		checked: []checked{
			{unix.SYS_SOCKETPAIR, [][]condition{
				form(is(0, unix.AF_UNIX), condition{argument: 1, mask: all &^ (unix.SOCK_NONBLOCK | unix.SOCK_CLOEXEC), values: []uint32{unix.SOCK_STREAM}}),
			}},
		},
	},
	{
		name:   "time",
		reason: "Programs tell the time, sleep, and measure what they use. Profilers have timers of their own.",
		calls: []uint32{
			unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_NANOSLEEP, unix.SYS_GETTIMEOFDAY,
			unix.SYS_TIMES, unix.SYS_GETRUSAGE, unix.SYS_GETITIMER, unix.SYS_SETITIMER,
			unix.SYS_TIMER_CREATE, unix.SYS_TIMER_SETTIME, unix.SYS_TIMER_GETTIME, unix.SYS_TIMER_GETOVERRUN, unix.SYS_TIMER_DELETE,
		},
	},
	{
		name:   "threads and processes",
		reason: "All runtimes have threads, and a program may start others, which share its limits. None starts in namespaces of its own, where it would have rights, or as a child of its parent's parent; and no thread has descriptors of its own, which nobody would count.",
		calls: []uint32{
			unix.SYS_EXECVE, unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_WAIT4, unix.SYS_WAITID,
			unix.SYS_FUTEX, unix.SYS_SET_ROBUST_LIST, unix.SYS_GET_ROBUST_LIST, unix.SYS_SET_TID_ADDRESS, unix.SYS_RSEQ, unix.SYS_MEMBARRIER,
			unix.SYS_GETPID, unix.SYS_GETPPID, unix.SYS_GETTID, unix.SYS_GETPGID, unix.SYS_GETSID, unix.SYS_SETPGID,
		},
		checked: []checked{
			{unix.SYS_CLONE, [][]condition{
				form(lacks(0, notInherited|unix.CLONE_THREAD)),
				form(condition{argument: 0, mask: notInherited | unix.CLONE_THREAD | unix.CLONE_FILES, values: []uint32{unix.CLONE_THREAD | unix.CLONE_FILES}}),
			}},
			{unix.SYS_PRCTL, [][]condition{
				form(is(0, unix.PR_SET_NAME, unix.PR_GET_NAME, unix.PR_SET_VMA)),
				form(is(0, unix.PR_SET_PDEATHSIG), is(1, uint32(unix.SIGKILL))), // so a process ends with its supervisor
			}},
		},
	},
	{
		name:    "sessions",
		reason:  "Programs start others in a session of their own. The system shares the processors out by session, so that a run has one, however many processes it starts.",
		ignored: []uint32{unix.SYS_SETSID},
	},
	{
		name:   "scheduling",
		reason: "Runtimes ask for how many processors there are. A process may change its own priority, and no other's.",
		calls: []uint32{
			unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_SCHED_GETPARAM, unix.SYS_SCHED_GETSCHEDULER,
			unix.SYS_SCHED_GET_PRIORITY_MAX, unix.SYS_SCHED_GET_PRIORITY_MIN, unix.SYS_GETCPU, unix.SYS_GETPRIORITY,
		},
		checked: []checked{
			{unix.SYS_SETPRIORITY, [][]condition{form(is(0, unix.PRIO_PROCESS), is(1, 0))}},
		},
	},
	{
		name:   "signals",
		reason: "Runtimes handle signals, and stop their own threads with them. The supervisor is out of reach, and so is every other process outside.",
		calls: []uint32{
			unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_RT_SIGPENDING, unix.SYS_RT_SIGTIMEDWAIT,
			unix.SYS_RT_SIGSUSPEND, unix.SYS_SIGALTSTACK, unix.SYS_RESTART_SYSCALL,
			unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL,
		},
	},
	{
		name:   "who and where",
		reason: "Programs ask who runs them and on what machine, and for random numbers. They may see their limits, and change none.",
		calls: []uint32{
			unix.SYS_GETUID, unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETEGID, unix.SYS_GETRESUID, unix.SYS_GETRESGID, unix.SYS_GETGROUPS,
			unix.SYS_CAPGET, unix.SYS_UNAME, unix.SYS_SYSINFO, unix.SYS_GETRANDOM, unix.SYS_UMASK, unix.SYS_GETRLIMIT,
		},
		checked: []checked{
			{unix.SYS_PRLIMIT64, [][]condition{append(null(2), is(0, 0))}},
		},
	},
	{
		name:      "changing files",
		reason:    "Compilers write their output and a cache, make folders, lock them, and set modes and times. An untrusted program has no folder to do so in.",
		toolsOnly: true,
		calls: []uint32{
			unix.SYS_MKDIRAT, unix.SYS_UNLINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT, unix.SYS_SYMLINKAT,
			unix.SYS_TRUNCATE, unix.SYS_FTRUNCATE, unix.SYS_FALLOCATE, unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_FLOCK,
			unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_UTIMENSAT,
		},
		checked: []checked{
			{unix.SYS_FCNTL, [][]condition{form(is(1, unix.F_GETLK, unix.F_SETLK, unix.F_SETLKW, unix.F_OFD_GETLK, unix.F_OFD_SETLK, unix.F_OFD_SETLKW))}},
		},
	},
	{
		name:   "newer calls",
		reason: "The C library and the runtimes know of others to make instead. The flags of clone3 are in memory, where no filter sees them.",
		absent: []uint32{unix.SYS_CLONE3, unix.SYS_OPENAT2, unix.SYS_EPOLL_PWAIT2, unix.SYS_FCHMODAT2, unix.SYS_FUTEX_WAITV, unix.SYS_IO_URING_SETUP, unix.SYS_PKEY_ALLOC, unix.SYS_PIDFD_OPEN},
	},
}

const (
	fionread, fionbio, fioclex, fionclex = 0x541b, 0x5421, 0x5451, 0x5450 // on both architectures

	// plainMapping are the flags of memory that is a process's own.
	plainMapping = unix.MAP_PRIVATE | unix.MAP_ANONYMOUS | unix.MAP_FIXED | unix.MAP_FIXED_NOREPLACE | unix.MAP_NORESERVE |
		unix.MAP_POPULATE | unix.MAP_STACK | unix.MAP_DENYWRITE | unix.MAP_EXECUTABLE

	newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

	notInherited = newNamespaces | unix.CLONE_PARENT | unix.CLONE_PTRACE
)

// forks are the calls that start processes and threads. signalling are the calls whose
// first argument names a process or thread to signal.
var (
	forks      = append([]uint32{unix.SYS_CLONE}, olderForks...)
	signalling = []uint32{unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL}
)

// listed returns the groups for tools or for untrusted programs, with or without the
// group for a folder of shared memory, with this architecture's older calls. Tests leave
// groups out.
func listed(tools, sharing bool, without []string) (list []group) {
	left := map[string]bool{}
	for _, name := range without {
		left[name] = true
	}
	for _, g := range groups {
		if g.toolsOnly && !tools || g.sharing && !sharing || left[g.name] {
			continue
		}
		g.calls = append(append([]uint32(nil), g.calls...), older[g.name]...)
		list = append(list, g)
	}
	return list
}
