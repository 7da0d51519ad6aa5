package toolchain

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"time"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/sandbox"
)

// CompilerCache is the folder that compilers keep their work in.
type CompilerCache struct {
	Dir      string
	Writable bool
}

// FindCompilerCache returns the user's own cache if there is one, for what is in
// there already takes long to build, else one in the temporary folder.
func FindCompilerCache() (CompilerCache, error) {
	candidates := []string{os.Getenv(lang.CacheVariable)}
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
				return CompilerCache{dir, writable}, nil
			}
		}
	}
	dir := filepath.Join(os.TempDir(), "gen-cache")
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		dir, err = sandbox.RealPath(dir)
	}
	if err != nil {
		return CompilerCache{}, fmt.Errorf("no folder for the compiler's cache: %w; set TMPDIR to a folder that can be written to", err)
	}
	return CompilerCache{dir, true}, nil
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
	By       string        `json:"by"` // the versions of the harness and of the compiler
	Archives lang.Archives `json:"archives"`
}

const keptPrefix = "gen-archives-"

// keptFile is one of this build of the harness alone, so that two builds that share
// a cache leave each other's work alone.
func (c CompilerCache) keptFile(l lang.Language) string {
	build := fnv.New64a()
	build.Write([]byte(harness()))
	return filepath.Join(c.Dir, fmt.Sprintf("%s%s-%x.json", keptPrefix, l.Name(), build.Sum64()))
}

// harness tells this build of the harness from others.
func harness() string {
	self, _ := os.Executable()
	return version(self)
}

// by names this harness and a language's compiler.
func by(t Tools) string {
	return harness() + "\n" + t.Version
}

// keepTime is how long it is relied on where libraries lie. The go command drops
// from its cache what it has not used for five days.
const keepTime = 24 * time.Hour

// Archives returns the compiled libraries of a language that Keep was told of,
// as long as they are all there; else none.
func (c CompilerCache) Archives(l lang.Language, t Tools) lang.Archives {
	info, err := os.Stat(c.keptFile(l))
	if err != nil || !info.Mode().IsRegular() || time.Since(info.ModTime()) > keepTime {
		return nil
	}
	text, err := os.ReadFile(c.keptFile(l))
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

// Keep remembers where compiled libraries lie. Where it cannot they are located
// once more the next time.
func (c CompilerCache) Keep(l lang.Language, t Tools, archives lang.Archives) {
	text, err := json.Marshal(kept{by(t), archives})
	if err != nil || !c.Writable {
		return
	}
	c.dropOld()
	f, err := os.CreateTemp(c.Dir, keptPrefix)
	if err != nil {
		return
	}
	_, err = f.Write(text)
	f.Close()
	if err != nil || os.Rename(f.Name(), c.keptFile(l)) != nil {
		os.Remove(f.Name())
	}
}

// dropOld removes what builds of the harness have kept that are used no more.
func (c CompilerCache) dropOld() {
	files, _ := filepath.Glob(filepath.Join(c.Dir, keptPrefix+"*"))
	for _, file := range files {
		if info, err := os.Lstat(file); err == nil && time.Since(info.ModTime()) > keepTime {
			os.Remove(file)
		}
	}
}
