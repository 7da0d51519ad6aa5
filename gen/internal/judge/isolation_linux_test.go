package judge_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"stateoftictactoe/gen/internal/judge"
	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/sandbox"
	"stateoftictactoe/gen/internal/toolchain"
)

// sampled are the submissions, one good, that must get the same verdicts
// wherever they are judged.
var sampled = []string{"table", "panic", "raise", "throw", "exit_3", "exit_3_at_load", "syntax", "write", "seal_work_dir", "limit_supervisor", "chmod_device"}

// helperVariable names the surroundings in which this program is to judge the
// sample instead of running tests.
const helperVariable = "JUDGE_TEST_SURROUNDINGS"

// withoutVariable names a language that the sample is to leave out.
const withoutVariable = "JUDGE_TEST_WITHOUT"

// surroundings change what this process may do. Each ends with what a harness
// would find there.
var surroundings = map[string]func() error{
	"plain": func() error { return nil },
	// As under Docker's default profile: no namespaces.
	"no namespaces": refuseNamespaces,
	// All is read-only but the temporary folder.
	"read-only root": func() error { return readOnlyRoot(0) },
	"noexec":         func() error { return readOnlyRoot(unix.MS_NOEXEC) },
	// Parts of /proc are covered, as in a container, so that there is no new one.
	"covered proc": func() error {
		return unix.Mount("tmpfs", "/proc/irq", "tmpfs", unix.MS_RDONLY, "")
	},
	"noexec, no namespaces": func() error {
		return errors.Join(readOnlyRoot(unix.MS_NOEXEC), refuseNamespaces())
	},
}

// refuseNamespaces has the system refuse new namespaces to this process and all
// that it starts.
func refuseNamespaces() error {
	const (
		load, jumpEqual, jumpSet, end = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K,
			unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, unix.BPF_RET | unix.BPF_K
		refuse = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	)
	filter := []unix.SockFilter{
		{Code: load, K: 0},
		{Code: jumpEqual, K: unix.SYS_UNSHARE, Jt: 3},
		{Code: jumpEqual, K: unix.SYS_CLONE3, Jt: 4},
		{Code: jumpEqual, K: unix.SYS_CLONE, Jf: 4},
		{Code: load, K: 16},
		{Code: jumpSet, K: unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNS | unix.CLONE_NEWNET, Jf: 2},
		{Code: end, K: refuse},
		{Code: end, K: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)},
		{Code: end, K: unix.SECCOMP_RET_ALLOW},
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	runtime.KeepAlive(filter)
	if errno != 0 {
		return errno
	}
	return nil
}

// readOnlyRoot makes everything read-only but a fresh temporary folder.
func readOnlyRoot(flags uintptr) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
		return err
	}
	// In a container of that kind /proc is another matter.
	if err := unix.MountSetattr(unix.AT_FDCWD, "/proc", 0, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}); err != nil {
		return err
	}
	return unix.Mount("tmpfs", os.TempDir(), "tmpfs", flags, "size=300m,mode=1777")
}

// help judges the sample in some surroundings and prints the verdicts.
func help() int {
	if err := surroundings[os.Getenv(helperVariable)](); err != nil {
		fmt.Println("surroundings:", err)
		return 1
	}
	t := &quiet{}
	open := 0 // descriptors after the first verdict
	for _, l := range languages {
		if !installed(l) || l.Facts().Name == os.Getenv(withoutVariable) {
			continue
		}
		unit := hostileUnit(t, l)
		for _, s := range hostileSet(t, l) {
			if !slices.Contains(sampled, s.name) {
				continue
			}
			verdict, err := judged(context.Background(), l, unit, judge.Job{
				Solution:  map[string][]byte{unit.Files.Solution: []byte(s.solution)},
				Time:      time.Minute,
				Isolation: sandbox.AutoIsolation,
				Without:   []sandbox.Layer{sandbox.Cgroup}, // few can make one
			})
			if err != nil {
				fmt.Println(l.Facts().Name, s.name, err)
				continue
			}
			fmt.Println(l.Facts().Name, s.name, summary(verdict))
			for _, standing := range verdict.Missing {
				fmt.Println("missing:", standing.Layer)
			}
			if open == 0 {
				open = descriptors()
			}
		}
	}
	if now := descriptors(); now > open+4 {
		fmt.Printf("%d descriptors are open, %d were after the first verdict\n", now, open)
	}
	return 0
}

// descriptors counts those of this process.
func descriptors() int {
	entries, _ := os.ReadDir("/proc/self/fd")
	return len(entries)
}

// quiet is a test outside of one.
type quiet struct{ testing.TB }

func (*quiet) Helper() {}

// owner is who a file belongs to.
func owner(info os.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprint(s.Uid, s.Gid)
	}
	return ""
}

func installed(l lang.Language) bool {
	for _, need := range l.Facts().Needs {
		if _, err := exec.LookPath(need.Program); err != nil {
			return false
		}
	}
	return true
}

// summary is a verdict without its texts.
func summary(v *judge.Verdict) string {
	words := []string{string(v.Status)}
	for _, row := range v.Rows {
		words = append(words, string(row.Status))
	}
	return strings.Join(words, " ")
}

// sample lists what the sample's verdicts must be.
func sample(t *testing.T) (want []string) {
	for _, l := range languages {
		if !installed(l) {
			continue
		}
		for _, s := range hostileSet(t, l) {
			if slices.Contains(sampled, s.name) {
				words := []string{l.Facts().Name, s.name, string(s.status)}
				for _, row := range s.rows {
					words = append(words, string(row.status))
				}
				want = append(want, strings.Join(words, " "))
			}
		}
	}
	return want
}

// TestSurroundings judges the same submissions as an ordinary user, where the
// system refuses namespaces, and where little can be written or executed: the
// verdicts are the same, and what is not in force is named.
func TestSurroundings(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	need(t, languages[0])
	want := sample(t)
	for _, test := range []struct {
		surroundings string
		user         bool // as an ordinary one
		missing      string
	}{
		{"plain", false, ""},
		{"plain", true, ""},
		{"no namespaces", false, "namespaces"},
		{"no namespaces", true, "namespaces"},
		{"read-only root", false, ""},
		{"noexec", false, ""},
		{"noexec, no namespaces", false, "namespaces"},
		{"covered proc", false, "watch of memory"},
	} {
		name := test.surroundings
		if test.user {
			name += " as a user"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, err := surrounded(t, test.surroundings, test.user)
			if err != nil {
				t.Skipf("SKIPPED: %v", err)
			}
			output, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, output)
			}
			var got []string
			missing := map[string]bool{}
			for line := range strings.Lines(string(output)) {
				line = strings.TrimSpace(line)
				if layers, found := strings.CutPrefix(line, "missing: "); found {
					missing[layers] = true
				} else {
					got = append(got, line)
				}
			}
			want := want
			if test.user && os.Getenv(longVariable) == "" {
				t.Logf("SKIPPED: Go as another user, who has nothing compiled yet; set %s=1", longVariable)
				want = slices.DeleteFunc(slices.Clone(want), func(line string) bool { return strings.HasPrefix(line, "go ") })
			}
			if !slices.Equal(got, want) {
				t.Errorf("verdicts:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if test.missing == "" && len(missing) > 0 || test.missing != "" && !missing[test.missing] {
				t.Errorf("missing: %v, want %q", missing, test.missing)
			}
		})
	}
}

// surrounded is a command that runs this program as a helper.
func surrounded(t *testing.T, name string, user bool) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	home := filepath.Join(temp, "home")
	cmd := exec.Command(self)
	cache := os.Getenv(toolchain.CacheVariable)
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if user {
		if os.Geteuid() != 0 {
			return nil, errors.New("only root can become another user")
		}
		// Where the tests of a whole module are built none but their user may look.
		cmd.Path = filepath.Join(filepath.Dir(os.TempDir()), "helper-"+strings.ReplaceAll(name, " ", "-"))
		text, err := os.ReadFile(self)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(cmd.Path, text, 0o755); err != nil {
			t.Fatal(err)
		}
		const nobody = 65534
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
		cache = filepath.Join(temp, "cache")
		for _, dir := range []string{home, cache} {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		for _, dir := range []string{temp, home, cache} {
			if err := os.Chown(dir, nobody, nobody); err != nil {
				t.Fatal(err)
			}
		}
		for dir := filepath.Dir(temp); dir != filepath.Dir(filepath.Dir(os.TempDir())); dir = filepath.Dir(dir) {
			os.Chmod(dir, 0o755)
		}
		copyFolder(t, hostileFolder, filepath.Join(temp, hostileFolder))
		cmd.Dir = temp
	}
	if name == "covered proc" || strings.Contains(name, "noexec") || strings.Contains(name, "read-only") {
		if os.Geteuid() != 0 {
			return nil, errors.New("only root can mount")
		}
		cmd.SysProcAttr.Unshareflags = unix.CLONE_NEWNS
	}
	path := os.Getenv("PATH")
	if user {
		// Programs in root's home are out of reach.
		var open []string
		for _, dir := range filepath.SplitList(path) {
			if !strings.HasPrefix(dir, "/root/") {
				open = append(open, dir)
			}
		}
		path = strings.Join(open, ":")
	}
	without := ""
	if user && os.Getenv(longVariable) == "" {
		without = "go"
	}
	cmd.Env = []string{withoutVariable + "=" + without, helperVariable + "=" + name, "HOME=" + home, "TMPDIR=" + temp, "PATH=" + path, toolchain.CacheVariable + "=" + cache}
	return cmd, nil
}

func copyFolder(t *testing.T, from, to string) {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	filepath.WalkDir(filepath.Dir(to), func(path string, d os.DirEntry, err error) error { return os.Chmod(path, 0o755) })
}

// TestRequire holds that nothing runs where a layer is missing that is required.
func TestRequire(t *testing.T) {
	for _, l := range languages {
		need(t, l)
		unit := hostileUnit(t, l)
		for _, layer := range []sandbox.Layer{sandbox.Namespaces, sandbox.Landlock, sandbox.Seccomp, sandbox.Watch} {
			_, err := judged(context.Background(), l, unit, judge.Job{
				Solution:  map[string][]byte{unit.Files.Solution: nil},
				Isolation: sandbox.RequireIsolation,
				Without:   []sandbox.Layer{layer, sandbox.Cgroup},
			})
			if !errors.Is(err, sandbox.ErrIsolation) || !strings.Contains(err.Error(), string(layer)) {
				t.Errorf("%s without %s: %v", l.Facts().Name, layer, err)
			}
		}
	}
}

// TestCancel holds that judging ends soon when it is called off.
func TestCancel(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, l := range languages {
		need(t, l)
		for _, s := range hostileSet(t, l) {
			if s.name != "loop" && s.name != "hang_at_load" {
				continue
			}
			t.Run(l.Facts().Name+"/"+s.name, func(t *testing.T) {
				t.Parallel()
				unit := hostileUnit(t, l)
				ctx, cancel := context.WithTimeout(context.Background(), time.Second)
				defer cancel()
				_, err := judged(ctx, l, unit, judge.Job{
					Solution: map[string][]byte{unit.Files.Solution: []byte(s.solution)},
					Time:     time.Hour,
				})
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%v", err)
				}
			})
		}
	}
}
