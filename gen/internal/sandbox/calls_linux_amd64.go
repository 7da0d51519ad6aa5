package sandbox

import "golang.org/x/sys/unix"

const architecture = unix.AUDIT_ARCH_X86_64

// older are the calls that only the older architectures have, by group: calls that take
// a path without a folder, and forerunners of newer calls.
var older = map[string][]uint32{
	"reading and writing":   {unix.SYS_OPEN, unix.SYS_DUP2, unix.SYS_PIPE},
	"looking at files":      {unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_NEWFSTATAT, unix.SYS_ACCESS, unix.SYS_READLINK, unix.SYS_GETDENTS},
	"waiting":               {unix.SYS_POLL, unix.SYS_SELECT, unix.SYS_EPOLL_CREATE, unix.SYS_EPOLL_WAIT},
	"time":                  {unix.SYS_TIME, unix.SYS_ALARM, unix.SYS_PAUSE},
	"threads and processes": {unix.SYS_FORK, unix.SYS_VFORK, unix.SYS_ARCH_PRCTL, unix.SYS_GETPGRP},
	"small shared memory":   {unix.SYS_LINK, unix.SYS_UNLINK},
	"changing files":        {unix.SYS_MKDIR, unix.SYS_RMDIR, unix.SYS_UNLINK, unix.SYS_RENAME, unix.SYS_LINK, unix.SYS_SYMLINK, unix.SYS_CHMOD},
}

var olderForks = []uint32{unix.SYS_FORK, unix.SYS_VFORK}
