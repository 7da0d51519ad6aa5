//go:build amd64 || arm64

package sandbox_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"stateoftictactoe/gen/internal/sandbox"
)

// TestFakeCgroups makes control groups in trees as systems have them: of version 2, which
// this test has no other way to see, and of version 1.
func TestFakeCgroups(t *testing.T) {
	newer := []string{"memory.max", "memory.swap.max", "memory.oom.group", "pids.max"}
	older := []string{"tasks", "memory.limit_in_bytes", "pids.max"}
	for _, test := range []struct {
		name     string
		own      string   // the text of /proc/self/cgroup
		tree     []string // files that are there, and their texts after "="
		files    []string // of each new group
		want     []string // the folders of the new group, without its name
		settings map[string]string
		problem  string
	}{
		{
			name: "first of version 2", own: "0::/\n",
			tree:     []string{"cgroup.subtree_control=cpu memory"},
			files:    newer,
			want:     []string{""},
			settings: map[string]string{"memory.max": "268435456", "memory.swap.max": "0", "memory.oom.group": "1", "pids.max": "576"},
		},
		{
			name: "service of version 2", own: "0::/system.slice/gen.service\n",
			tree:     []string{"cgroup.subtree_control=", "system.slice/gen.service/cgroup.subtree_control="},
			files:    newer,
			want:     []string{"system.slice/gen.service"},
			settings: map[string]string{"memory.max": "268435456"},
		},
		{
			name: "path outside", own: "0::/../other\n",
			tree:  []string{"cgroup.subtree_control=", "other/cgroup.subtree_control="},
			files: newer,
			want:  []string{"other"},
		},
		{
			name: "no controller", own: "0::/\n",
			tree:    []string{"cgroup.subtree_control="},
			files:   []string{"cgroup.procs"},
			problem: "memory.max: no such file",
		},
		{
			name: "nothing mounted", own: "0::/\n",
			problem: "no such file",
		},
		{
			name: "no files of older systems", own: "0::/\n",
			tree:     []string{"cgroup.subtree_control="},
			files:    []string{"memory.max"},
			want:     []string{""},
			settings: map[string]string{"memory.max": "268435456"},
		},
		{
			name: "version 1", own: "9:pids:/a\n8:memory:/b/c\n7:cpu,cpuacct:/\n0::/d\n",
			tree:     []string{"memory/tasks=", "memory/b/c/tasks=", "pids/a/tasks=", "cpuacct/tasks="},
			files:    older,
			want:     []string{"memory/b/c", "pids/a", "cpuacct"},
			settings: map[string]string{"memory.limit_in_bytes": "201326592"},
		},
		{
			name: "version 1 with memory alone", own: "8:memory:/\n",
			tree:  []string{"memory/tasks="},
			files: older,
			want:  []string{"memory"},
		},
	} {
		t.Run(strings.ReplaceAll(test.name, " ", "_"), func(t *testing.T) {
			root := t.TempDir()
			for _, file := range test.tree {
				name, text, _ := strings.Cut(file, "=")
				must(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
				must(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
			}
			// Of a program that is no more, and of one that had this process's number.
			left := []string{filepath.Join(root, "sandbox-999999999-1"), filepath.Join(root, fmt.Sprintf("sandbox-%d-0", os.Getpid()))}
			for _, folder := range left {
				must(t, os.Mkdir(folder, 0o755))
			}
			tree := sandbox.FakeCgroups(root, test.own, test.files...)
			folders, err := sandbox.MakeCgroup(tree, 192<<20)
			if test.problem != "" {
				if err == nil || !strings.Contains(err.Error(), test.problem) {
					t.Errorf("%v, want %q", err, test.problem)
				}
				return
			}
			must(t, err)
			var got []string
			for _, folder := range folders {
				parent, err := filepath.Rel(root, filepath.Dir(folder))
				must(t, err)
				got = append(got, strings.TrimPrefix(parent, "."))
			}
			if fmt.Sprint(got) != fmt.Sprint(test.want) {
				t.Errorf("made in %q, want %q", got, test.want)
			}
			for _, folder := range left {
				if _, err := os.Stat(folder); !os.IsNotExist(err) && slices.Contains(test.want, "") {
					t.Errorf("%s is left", folder)
				}
			}
			for name, want := range test.settings {
				if text, err := os.ReadFile(filepath.Join(folders[0], name)); err != nil || string(text) != want {
					t.Errorf("%s: %q, %v, want %q", name, text, err, want)
				}
			}
		})
	}
}

// TestReadCgroup reads the numbers that systems of version 2 have.
func TestReadCgroup(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"memory.events": "low 0\nhigh 0\nmax 12\noom 1\noom_kill 3\noom_group_kill 1\n",
		"cpu.stat":      "usage_usec 1500000\nuser_usec 1000000\nsystem_usec 500000\n",
		"memory.peak":   "12345\n",
	} {
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	if overrun, used, peak := sandbox.ReadCgroup(folder); !overrun || used != 1500*time.Millisecond || peak != 12345 {
		t.Error(overrun, used, peak)
	}
	if overrun, used, peak := sandbox.ReadCgroup(t.TempDir()); overrun || used != 0 || peak != 0 {
		t.Error("without files", overrun, used, peak)
	}
}

// TestCgroup holds that a control group counts memory that nothing else sees, and leaves
// nothing behind.
func TestCgroup(t *testing.T) {
	// Memory that processes share, and that none of them has any more.
	const shared = `
import mmap, os
kept = [mmap.mmap(-1, 64 << 20) for _ in range(16)]
for m in kept:
    if os.fork() == 0:
        for at in range(0, 64 << 20, 4096):
            m[at] = 1
        os._exit(0)
    os.wait()
print("had all")
`
	for _, without := range [][]sandbox.Layer{
		{sandbox.Seccomp, sandbox.Watch},
		{sandbox.Seccomp, sandbox.Watch, sandbox.Namespaces},
	} {
		b := &sandbox.Box{Isolation: sandbox.AutoIsolation, Memory: 256 << 20, Without: without}
		p, err := b.Start(false, program{tool: "python3", text: shared}.command(t, b))
		must(t, err)
		if !held(b, sandbox.Cgroup) {
			p.Kill()
			t.Skipf("SKIPPED: %v", b.Layers())
		}
		var output bytes.Buffer
		_, how, err := p.Wait(time.Now().Add(time.Minute), &output)
		p.Kill()
		must(t, err)
		if how != "took more than 256 MB of memory" {
			t.Errorf("it printed %q and %s", &output, how)
		}
		if used := p.Used(); used.Memory < 200<<20 || used.Memory > 512<<20 || used.Wall <= 0 || used.CPU <= 0 {
			t.Errorf("used %+v", used)
		}
		if !missing(b, sandbox.Watch) {
			t.Errorf("missing: %v; the watch counts what a control group does not", b.Missing())
		}
	}
	left, _ := filepath.Glob(fmt.Sprintf("/sys/fs/cgroup/*/*/*/sandbox-%d-*", os.Getpid()))
	if len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

// TestLostCgroup holds that a control group that somebody removed costs no other layer.
func TestLostCgroup(t *testing.T) {
	plain := &sandbox.Box{Isolation: sandbox.AutoIsolation, Work: t.TempDir(), Memory: 1 << 30}
	sh(t, plain, "exit")
	if !held(plain, sandbox.Cgroup) {
		t.Skipf("SKIPPED: %v", plain.Layers())
	}
	sandbox.LoseGroups(t)
	b := &sandbox.Box{Isolation: sandbox.AutoIsolation, Work: t.TempDir(), Memory: 1 << 30}
	sh(t, b, "exit")
	if held(b, sandbox.Cgroup) || held(b, sandbox.Namespaces) != held(plain, sandbox.Namespaces) {
		t.Errorf("layers: %v", b.Layers())
	}
}
