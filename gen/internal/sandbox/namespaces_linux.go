package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// mount gives this process a file system that holds only the files and folders to be
// read and written, a few devices, and a /proc that shows only the namespace's processes.
func (c *confinement) mount() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("private mounts: %w", err)
	}
	// The trees are opened before the new root covers any of them.
	trees, links, err := c.trees()
	if err != nil {
		return err
	}
	if err := unix.Mount("tmpfs", c.Work, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=1m"); err != nil {
		return fmt.Errorf("new root: %w", err)
	}
	// From within the new root the paths are no longer than they were outside.
	if err := os.Chdir(c.Work); err != nil {
		return fmt.Errorf("new root: %w", err)
	}
	const root = "."
	for path, target := range links {
		if err := os.MkdirAll(root+filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("new root: %w", err)
		}
		if err := os.Symlink(target, root+path); err != nil {
			return fmt.Errorf("new root: %w", err)
		}
	}
	for _, t := range trees {
		if err := t.moveTo(root + t.path); err != nil {
			return fmt.Errorf("new root: %s: %w", t.path, err)
		}
	}
	if err := c.mountProc(root + "/proc"); err != nil {
		return err
	}
	if c.sharing() {
		if err := mountShared(root + sharedFolder); err != nil {
			return err
		}
	}
	for _, dir := range c.Hide {
		if _, err := os.Stat(root + dir); err != nil || within(c.Work, dir) {
			continue
		}
		if err := unix.Mount("tmpfs", root+dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_RDONLY, ""); err != nil {
			return fmt.Errorf("hide %s: %w", dir, err)
		}
	}
	if err := enter(root); err != nil {
		return fmt.Errorf("new root: %w", err)
	}
	return nil
}

// sharedFolder is the folder in which the C library keeps memory that processes share.
const sharedFolder = "/dev/shm"

// sharing reports whether a run has a shared folder: untrusted programs have one if the
// run has namespaces, so that no other run sees it.
func (c confinement) sharing() bool { return c.Namespaces && !c.Tools }

// mountShared mounts a folder in which there is room for a few dozen locks.
func mountShared(path string) error {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return fmt.Errorf("mount %s: %w", sharedFolder, err)
	}
	if err := unix.Mount("tmpfs", path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "size=256k,nr_inodes=128"); err != nil {
		return fmt.Errorf("mount %s: %w", sharedFolder, err)
	}
	return nil
}

// tree is a part of the file system to be shown in a new root.
type tree struct {
	path   string
	fd     int
	folder bool
}

// trees opens all files and folders that a process may see, and lists the links among
// them.
func (c confinement) trees() (trees []tree, links map[string]string, err error) {
	links = map[string]string{}
	add := func(path string, attributes uint64) error {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || slices.ContainsFunc(trees, func(t tree) bool { return t.path == path }) {
			return nil
		}
		if err != nil {
			return err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			links[path], err = os.Readlink(path)
			return err
		}
		fd, err := unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		trees = append(trees, tree{path, fd, info.IsDir()})
		attributes |= unix.MOUNT_ATTR_NOSUID
		if err := unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: attributes}); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	}
	for _, path := range c.Write {
		err = cmp.Or(err, add(path, unix.MOUNT_ATTR_NODEV))
	}
	for _, path := range slices.Concat(c.Read, systemPaths) {
		err = cmp.Or(err, add(path, unix.MOUNT_ATTR_NODEV|unix.MOUNT_ATTR_RDONLY))
	}
	written, read := c.devices()
	for _, path := range slices.Concat(written, read) {
		// A read-only device can be written to; only the host may change its attributes.
		err = cmp.Or(err, add(path, unix.MOUNT_ATTR_RDONLY))
	}
	// A folder comes before the folders in it.
	slices.SortStableFunc(trees, func(a, b tree) int { return cmp.Compare(len(a.path), len(b.path)) })
	return trees, links, err
}

// moveTo puts a tree into a new root.
func (t tree) moveTo(target string) error {
	defer unix.Close(t.fd)
	folder := target
	if !t.folder {
		folder = filepath.Dir(target)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if !t.folder {
		switch f, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL, 0o644); {
		case err == nil:
			f.Close()
		case !errors.Is(err, fs.ErrExist):
			return err
		}
	}
	return unix.MoveMount(t.fd, "", unix.AT_FDCWD, target, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

// mountProc mounts a /proc of this process's namespace. It is read-only, for otherwise
// root could write to its files.
func (c *confinement) mountProc(path string) error {
	if err := os.Mkdir(path, 0o755); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	err := unix.Mount("proc", path, "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "")
	if errors.Is(err, unix.EPERM) {
		// Where parts of the old /proc are covered, as in a container, the system refuses a
		// new one. Programs can do without it.
		return nil
	}
	if err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	// Since Linux 6.14 this file is the namespace's own. Its limit binds root too, which
	// the limit on processes does not. Older systems refuse the write.
	if c.Older || os.WriteFile(path+"/sys/kernel/pid_max", []byte(strconv.Itoa(maxTasks)), 0) != nil {
		c.uncounted = c.Root
	}
	if err := unix.MountSetattr(unix.AT_FDCWD, path, 0, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
		return fmt.Errorf("read-only /proc: %w", err)
	}
	return nil
}

// enter makes a folder this process's root, and lets go of the old one.
func enter(root string) error {
	if err := os.Chdir(root); err != nil {
		return err
	}
	// The new root covers the old one, which is unmounted from below it.
	if err := unix.PivotRoot(".", "."); err != nil {
		return err
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return err
	}
	if err := os.Chdir("/"); err != nil {
		return err
	}
	return unix.MountSetattr(unix.AT_FDCWD, "/", 0, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY})
}
