package sandbox

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/landlock-lsm/go-landlock/landlock"
	"golang.org/x/sys/unix"
)

// systemPaths are files and folders that programs of every kind need to read and execute.
var systemPaths = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store",
	"/etc/alternatives", "/etc/group", "/etc/ld.so.cache", "/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd", "/etc/ssl/openssl.cnf",
}

// devices are the devices that a process may write to and may read. A mapping of
// /dev/zero is shared memory, so a process with a folder for small shared files does not
// get it.
func (c confinement) devices() (written, read []string) {
	written = []string{"/dev/null", "/dev/full"}
	if !c.sharing() {
		written = append(written, "/dev/zero")
	}
	return written, []string{"/dev/random", "/dev/urandom"}
}

// landlock lets this thread and the processes that it starts open the named folders
// only, reach no network, and signal no process outside. The library's own call would
// restrict all threads, but the supervisor's other threads must stay free.
func (r *run) landlock() (partly string, err error) {
	c := r.confinement
	version := min(landlockVersion(), len(landlockVersions))
	if c.Landlock > 0 {
		version = min(version, c.Landlock)
	}
	if version < 1 {
		return "", errors.ErrUnsupported
	}
	writtenDevices, readDevices := c.devices()
	rules := []landlock.Rule{
		landlock.RWFiles(writtenDevices...).IgnoreIfMissing(),
		landlock.ROFiles(readDevices...).IgnoreIfMissing(),
	}
	if c.sharing() {
		rules = append(rules, landlock.RWDirs(sharedFolder))
	}
	for _, dir := range c.Write {
		rules = append(rules, landlock.RWDirs(dir))
	}
	read := append(append([]string(nil), systemPaths...), c.Read...)
	if c.Namespaces {
		read = append(read, "/proc") // the namespace's own
	}
	for _, path := range c.visible(read) {
		switch info, err := os.Stat(path); {
		case err != nil:
		case info.IsDir():
			rules = append(rules, landlock.RODirs(path))
		case info.Mode().IsRegular():
			rules = append(rules, landlock.ROFiles(path))
		}
	}
	fd, flags, err := landlockVersions[version-1].BestEffort().NewRulesetFD(rules...)
	switch {
	case err != nil:
		return "", err
	case fd < 0:
		return "", errors.ErrUnsupported
	}
	defer unix.Close(fd)
	if _, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(fd), uintptr(flags), 0); errno != 0 {
		return "", errno
	}
	if r.scoped = version >= scopingVersion; !r.scoped {
		partly = "not signals before Linux 6.12"
	}
	return partly, nil
}

// landlockVersions are the versions that landlock uses, in order from version 1.
var landlockVersions = []landlock.Config{landlock.V1, landlock.V2, landlock.V3, landlock.V4, landlock.V5, landlock.V6, landlock.V7}

// scopingVersion is the first version of Landlock that keeps signals in: Linux 6.12.
const scopingVersion = 6

// landlockVersion is the system's version of Landlock, or less than 1 if it has none.
func landlockVersion() int {
	version, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(version)
}

// visible lists the readable parts of some paths: instead of a path that holds a hidden
// folder, it lists the files and folders beside the hidden one.
func (c confinement) visible(paths []string) (visible []string) {
	for _, path := range paths {
		switch c.hides(path) {
		case hidden:
		case holdsHidden:
			entries, err := os.ReadDir(path)
			if err != nil {
				continue
			}
			var below []string
			for _, entry := range entries {
				below = append(below, filepath.Join(path, entry.Name()))
			}
			visible = append(visible, c.visible(below)...)
		default:
			visible = append(visible, path)
		}
	}
	return visible
}

type visibility int

const (
	shown visibility = iota
	hidden
	holdsHidden
)

// hides tells whether a path is hidden or holds a hidden folder. The work dir is never
// hidden, even if it lies in a hidden folder.
func (c confinement) hides(path string) visibility {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	found := shown
	for _, dir := range c.Hide {
		switch {
		case within(path, dir) && !within(path, c.Work):
			return hidden
		case within(dir, path):
			found = holdsHidden
		}
	}
	return found
}

// within reports whether a path is a folder or lies in it.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}
