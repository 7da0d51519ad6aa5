package sandbox_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"stateoftictactoe/gen/internal/sandbox"
)

// TestRemove holds that a work dir goes whatever was done to its modes.
func TestRemove(t *testing.T) {
	if os.Geteuid() == 0 {
		// Root may do all without its modes.
		asUser(t, "TestRemove")
		return
	}
	dir, err := sandbox.NewWorkDir()
	must(t, err)
	_, err = dir.Write("deep/er/file", nil)
	must(t, err)
	for _, name := range []string{"deep/er/file", "deep/er", "deep", "."} {
		must(t, os.Chmod(filepath.Join(dir.Path, name), 0))
	}
	must(t, dir.Remove())
	if _, err := os.Lstat(dir.Path); !os.IsNotExist(err) {
		t.Errorf("still there: %v", err)
	}
}

// asUser runs a test of this program as another user than root.
func asUser(t *testing.T, test string) {
	t.Helper()
	folder, err := os.MkdirTemp("", "runner-test-")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(folder) })
	self, err := os.Executable()
	must(t, err)
	text, err := os.ReadFile(self)
	must(t, err)
	program := filepath.Join(folder, "test")
	must(t, os.WriteFile(program, text, 0o755))
	temporary := filepath.Join(folder, "tmp")
	must(t, os.Mkdir(temporary, 0o755))
	const nobody = 65534
	must(t, os.Chown(temporary, nobody, nobody))
	must(t, os.Chmod(folder, 0o755))
	cmd := exec.Command(program, "-test.v", "-test.run=^"+test+"$")
	cmd.Dir = temporary
	cmd.Env = []string{"TMPDIR=" + temporary, "HOME=" + temporary, "PATH=/usr/local/bin:/usr/bin:/bin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("as another user: %v\n%s", err, output)
	}
}
