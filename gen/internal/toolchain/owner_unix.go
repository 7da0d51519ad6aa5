//go:build unix

package toolchain

import (
	"fmt"
	"os"
	"syscall"
)

// ownedByUser wants a path to be a folder that nobody but this user can write to.
func ownedByUser(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	owner, known := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || !known || int(owner.Uid) != os.Getuid() || info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s is not a folder of this user's alone", dir)
	}
	return nil
}
