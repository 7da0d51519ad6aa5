package toolchain

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"stateoftictactoe/gen/internal/lang/golang"
)

// TestArchives holds that it is remembered where libraries lie, and forgotten
// when that may have changed.
func TestArchives(t *testing.T) {
	tools := Tools{Version: "one"}
	for name, test := range map[string]struct {
		change func(t *testing.T, c *goCache, library, kept string)
		want   bool
	}{
		"nothing": {func(*testing.T, *goCache, string, string) {}, true},
		"library gone": {func(t *testing.T, _ *goCache, library, _ string) {
			must(t, os.Remove(library))
		}, false},
		"other compiler": {func(t *testing.T, c *goCache, library, _ string) {
			c.keep(Tools{Version: "two"}, golang.Archives{"fmt": library})
		}, false},
		"damaged": {func(t *testing.T, _ *goCache, _, kept string) {
			must(t, os.WriteFile(kept, []byte("{"), 0o644))
		}, false},
		"old": {func(t *testing.T, _ *goCache, _, kept string) {
			old := time.Now().Add(-25 * time.Hour)
			must(t, os.Chtimes(kept, old, old))
		}, false},
		"not writable": {func(t *testing.T, c *goCache, library, kept string) {
			must(t, os.Remove(kept))
			c.writable = false
			c.keep(tools, golang.Archives{"fmt": library})
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			cache := goCache{dir: t.TempDir(), writable: true}
			library := filepath.Join(t.TempDir(), "fmt.a")
			must(t, os.WriteFile(library, nil, 0o644))
			libraries := golang.Archives{"fmt": library, "-option": "value"}
			cache.keep(tools, libraries)
			files, err := filepath.Glob(filepath.Join(cache.dir, "*"))
			if err != nil || len(files) != 1 {
				t.Fatalf("%v, %v", files, err)
			}
			test.change(t, &cache, library, files[0])
			if got := cache.archives(tools); maps.Equal(got, libraries) != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// TestBuilds holds that two builds of the harness share a cache in peace, and that
// what one kept that is used no more goes in the end.
func TestBuilds(t *testing.T) {
	if os.Getenv(keepVariable) != "" {
		cache := goCache{dir: os.Getenv(keepVariable), writable: true}
		cache.keep(Tools{}, golang.Archives{"-by": "another"})
		return
	}
	cache := goCache{dir: t.TempDir(), writable: true}
	cache.keep(Tools{}, golang.Archives{"-by": "this"})
	self, err := os.Executable()
	must(t, err)
	text, err := os.ReadFile(self)
	must(t, err)
	another := filepath.Join(t.TempDir(), "another")
	must(t, os.WriteFile(another, text, 0o755))
	cmd := exec.Command(another, "-test.run=TestBuilds$")
	cmd.Env = append(os.Environ(), keepVariable+"="+cache.dir)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if got := cache.archives(Tools{})["-by"]; got != "this" {
		t.Errorf("another build left %q", got)
	}
	files, err := filepath.Glob(filepath.Join(cache.dir, "*"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		old := time.Now().Add(-25 * time.Hour)
		must(t, os.Chtimes(file, old, old))
	}
	cache.keep(Tools{}, golang.Archives{"-by": "this"})
	if files, err = filepath.Glob(filepath.Join(cache.dir, "*")); err != nil || len(files) != 1 {
		t.Errorf("left %v, %v", files, err)
	}
}

// keepVariable has another build of this test keep something in a folder.
const keepVariable = "TOOLCHAIN_TEST_KEEP"

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestTemporaryGoCache holds that a cache in the temporary folder is the user's alone.
func TestTemporaryGoCache(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	cache, err := temporaryGoCache()
	must(t, err)
	if again, err := temporaryGoCache(); err != nil || again != cache || !cache.writable {
		t.Errorf("got %+v, then %+v, %v", cache, again, err)
	}
	must(t, os.Chmod(cache.dir, 0o777))
	if got, err := temporaryGoCache(); err == nil {
		t.Errorf("a folder that all can write to: %+v", got)
	}
	must(t, os.Remove(cache.dir))
	must(t, os.Symlink(t.TempDir(), cache.dir))
	if got, err := temporaryGoCache(); err == nil {
		t.Errorf("a link: %+v", got)
	}
}
