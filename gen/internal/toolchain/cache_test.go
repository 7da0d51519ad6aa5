package toolchain_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/golang"
	"stateoftictactoe/gen/internal/toolchain"
)

// TestArchives holds that it is remembered where libraries lie, and forgotten
// when that may have changed.
func TestArchives(t *testing.T) {
	tools := toolchain.Tools{Version: "one"}
	for name, test := range map[string]struct {
		change func(t *testing.T, c *toolchain.CompilerCache, library, kept string)
		want   bool
	}{
		"nothing": {func(*testing.T, *toolchain.CompilerCache, string, string) {}, true},
		"library gone": {func(t *testing.T, _ *toolchain.CompilerCache, library, _ string) {
			must(t, os.Remove(library))
		}, false},
		"other compiler": {func(t *testing.T, c *toolchain.CompilerCache, library, _ string) {
			c.Keep(golang.Go{}, toolchain.Tools{Version: "two"}, lang.Archives{"fmt": library})
		}, false},
		"damaged": {func(t *testing.T, _ *toolchain.CompilerCache, _, kept string) {
			must(t, os.WriteFile(kept, []byte("{"), 0o644))
		}, false},
		"old": {func(t *testing.T, _ *toolchain.CompilerCache, _, kept string) {
			old := time.Now().Add(-25 * time.Hour)
			must(t, os.Chtimes(kept, old, old))
		}, false},
		"not writable": {func(t *testing.T, c *toolchain.CompilerCache, library, kept string) {
			must(t, os.Remove(kept))
			c.Writable = false
			c.Keep(golang.Go{}, tools, lang.Archives{"fmt": library})
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			cache := toolchain.CompilerCache{Dir: t.TempDir(), Writable: true}
			library := filepath.Join(t.TempDir(), "fmt.a")
			must(t, os.WriteFile(library, nil, 0o644))
			libraries := lang.Archives{"fmt": library, "-option": "value"}
			cache.Keep(golang.Go{}, tools, libraries)
			files, err := filepath.Glob(filepath.Join(cache.Dir, "*"))
			if err != nil || len(files) != 1 {
				t.Fatalf("%v, %v", files, err)
			}
			test.change(t, &cache, library, files[0])
			if got := cache.Archives(golang.Go{}, tools); maps.Equal(got, libraries) != test.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// TestBuilds holds that two builds of the harness share a cache in peace, and that
// what one kept that is used no more goes in the end.
func TestBuilds(t *testing.T) {
	if os.Getenv(keepVariable) != "" {
		cache := toolchain.CompilerCache{Dir: os.Getenv(keepVariable), Writable: true}
		cache.Keep(golang.Go{}, toolchain.Tools{}, lang.Archives{"-by": "another"})
		return
	}
	cache := toolchain.CompilerCache{Dir: t.TempDir(), Writable: true}
	cache.Keep(golang.Go{}, toolchain.Tools{}, lang.Archives{"-by": "this"})
	self, err := os.Executable()
	must(t, err)
	text, err := os.ReadFile(self)
	must(t, err)
	another := filepath.Join(t.TempDir(), "another")
	must(t, os.WriteFile(another, text, 0o755))
	cmd := exec.Command(another, "-test.run=TestBuilds$")
	cmd.Env = append(os.Environ(), keepVariable+"="+cache.Dir)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if got := cache.Archives(golang.Go{}, toolchain.Tools{})["-by"]; got != "this" {
		t.Errorf("another build left %q", got)
	}
	files, err := filepath.Glob(filepath.Join(cache.Dir, "*"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		old := time.Now().Add(-25 * time.Hour)
		must(t, os.Chtimes(file, old, old))
	}
	cache.Keep(golang.Go{}, toolchain.Tools{}, lang.Archives{"-by": "this"})
	if files, err = filepath.Glob(filepath.Join(cache.Dir, "*")); err != nil || len(files) != 1 {
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
