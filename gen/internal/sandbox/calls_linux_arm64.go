package sandbox

import "golang.org/x/sys/unix"

const architecture = unix.AUDIT_ARCH_AARCH64

// older are calls that have another name on other architectures, by group.
var older = map[string][]uint32{
	"looking at files": {unix.SYS_FSTATAT},
}

var olderForks []uint32
