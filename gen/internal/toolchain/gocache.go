package toolchain

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
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

// findGoCache returns the user's own cache if there is one, for it holds libraries that
// take long to build, or else a cache in the temporary folder.
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
	return temporaryGoCache()
}

// temporaryGoCache returns a cache of this user's own in the temporary folder.
func temporaryGoCache() (goCache, error) {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("gen-cache-%d", os.Getuid()))
	err := os.Mkdir(dir, 0o700)
	if err == nil || errors.Is(err, fs.ErrExist) {
		err = ownedByUser(dir)
	}
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

// kept is the content of a file in the cache that says where compiled libraries lie.
type kept struct {
	By       string          `json:"by"` // the versions of the harness and of the compiler
	Archives golang.Archives `json:"archives"`
}

const keptPrefix = "gen-archives-"

// keptFile is the path of the file of kept. Each build of the harness has its own, so that
// two builds do not overwrite each other's.
func (c goCache) keptFile() string {
	build := fnv.New64a()
	build.Write([]byte(harness()))
	return filepath.Join(c.dir, fmt.Sprintf("%s%x.json", keptPrefix, build.Sum64()))
}

// harness identifies this build of the harness.
func harness() string {
	self, _ := os.Executable()
	return version(self)
}

// by identifies this build of the harness and the compiler.
func by(t Tools) string {
	return harness() + "\n" + t.Version
}

// keepTime is how long a file of kept is valid. The go command removes files from its
// cache that it has not used for five days.
const keepTime = 24 * time.Hour

// archives returns the compiled libraries that keep stored, or nil if a file of them is
// gone.
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

// keep stores where compiled libraries lie. If it fails, the next build locates them
// again.
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

// dropOld removes the files of kept that have expired, such as those of former builds of
// the harness.
func (c goCache) dropOld() {
	files, _ := filepath.Glob(filepath.Join(c.dir, keptPrefix+"*"))
	for _, file := range files {
		if info, err := os.Lstat(file); err == nil && time.Since(info.ModTime()) > keepTime {
			os.Remove(file)
		}
	}
}
