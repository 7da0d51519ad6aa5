package toolchain

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"time"

	"stateoftictactoe/gen/internal/lang/golang"
	"stateoftictactoe/gen/internal/sandbox"
)

// goCache is the folder that the go command keeps compiled code in.
type goCache struct {
	dir      string
	writable bool
}

// findGoCache returns the user's own cache if there is one, for what is in
// there already takes long to build, else one in the temporary folder.
func findGoCache() (goCache, error) {
	candidates := []string{os.Getenv(CacheVariable)}
	if user, err := os.UserCacheDir(); err == nil {
		candidates = append(candidates, filepath.Join(user, "go-build"))
	}
	for _, dir := range candidates {
		if !filepath.IsAbs(dir) {
			continue
		}
		os.MkdirAll(dir, 0o755)
		dir, err := sandbox.RealPath(dir)
		if err != nil {
			continue
		}
		if entries, err := os.ReadDir(dir); err == nil {
			if writable := canWrite(dir); writable || len(entries) > 0 {
				return goCache{dir, writable}, nil
			}
		}
	}
	dir := filepath.Join(os.TempDir(), "gen-cache")
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		dir, err = sandbox.RealPath(dir)
	}
	if err != nil {
		return goCache{}, fmt.Errorf("no folder for the compiler's cache: %w; set TMPDIR to a folder that can be written to", err)
	}
	return goCache{dir, true}, nil
}

func canWrite(dir string) bool {
	f, err := os.CreateTemp(dir, "writable")
	if err != nil {
		return false
	}
	f.Close()
	return os.Remove(f.Name()) == nil
}

// kept is the file in a cache that says where compiled libraries lie in it.
type kept struct {
	By       string          `json:"by"` // the versions of the harness and of the compiler
	Archives golang.Archives `json:"archives"`
}

const keptPrefix = "gen-archives-"

// keptFile is one of this build of the harness alone, so that two builds that share
// a cache leave each other's work alone.
func (c goCache) keptFile() string {
	build := fnv.New64a()
	build.Write([]byte(harness()))
	return filepath.Join(c.dir, fmt.Sprintf("%s%x.json", keptPrefix, build.Sum64()))
}

// harness tells this build of the harness from others.
func harness() string {
	self, _ := os.Executable()
	return version(self)
}

// by names this harness and the compiler.
func by(t Tools) string {
	return harness() + "\n" + t.Version
}

// keepTime is how long it is relied on where libraries lie. The go command drops
// from its cache what it has not used for five days.
const keepTime = 24 * time.Hour

// archives returns the compiled libraries that keep was told of, as long as they are all
// there; else none.
func (c goCache) archives(t Tools) golang.Archives {
	info, err := os.Stat(c.keptFile())
	if err != nil || !info.Mode().IsRegular() || time.Since(info.ModTime()) > keepTime {
		return nil
	}
	text, err := os.ReadFile(c.keptFile())
	var k kept
	if err != nil || json.Unmarshal(text, &k) != nil || k.By != by(t) {
		return nil
	}
	for name, file := range k.Archives {
		if _, err := os.Stat(file); err != nil && !strings.HasPrefix(name, "-") {
			return nil
		}
	}
	return k.Archives
}

// keep remembers where compiled libraries lie. Where it cannot they are located
// once more the next time.
func (c goCache) keep(t Tools, archives golang.Archives) {
	text, err := json.Marshal(kept{by(t), archives})
	if err != nil || !c.writable {
		return
	}
	c.dropOld()
	f, err := os.CreateTemp(c.dir, keptPrefix)
	if err != nil {
		return
	}
	_, err = f.Write(text)
	f.Close()
	if err != nil || os.Rename(f.Name(), c.keptFile()) != nil {
		os.Remove(f.Name())
	}
}

// dropOld removes what builds of the harness have kept that are used no more.
func (c goCache) dropOld() {
	files, _ := filepath.Glob(filepath.Join(c.dir, keptPrefix+"*"))
	for _, file := range files {
		if info, err := os.Lstat(file); err == nil && time.Since(info.ModTime()) > keepTime {
			os.Remove(file)
		}
	}
}
