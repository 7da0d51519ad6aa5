package toolchain

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/golang"
	"stateoftictactoe/gen/internal/sandbox"
)

// TestFullCache holds that libraries lie in a cache of the user's own where the one to use
// lacks them and takes none, and that they are compiled for the first program alone.
func TestFullCache(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	temporary, err := temporaryGoCache()
	must(t, err)
	tools, err := Go{}.Find()
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	library := filepath.Join(temporary.dir, "fmt.a")
	must(t, os.WriteFile(library, nil, 0o644))
	want := golang.Archives{"fmt": library}
	temporary.keep(tools, want)
	work, err := sandbox.NewWorkDir()
	must(t, err)
	defer work.Remove()
	b := &goBuild{
		&Workshop{
			Tools: tools, Dir: work, Program: lang.Program{Unit: lang.NewUnit(golang.Go{}, "two-fer", nil, lang.Settings{})},
			Box: func() *sandbox.Box { return &sandbox.Box{Work: work.Path, Isolation: sandbox.NoIsolation} },
		},
		goCache{dir: os.DevNull},
	}
	got, err := b.locate(t.Context(), []string{"fmt"})
	if err != nil || !maps.Equal(got, want) || b.cache != temporary {
		t.Errorf("got %v in %+v, %v", got, b.cache, err)
	}
}
