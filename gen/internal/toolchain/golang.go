package toolchain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/golang"
	"stateoftictactoe/gen/internal/sandbox"
)

// Go finds Go and builds programs. It calls the compiler and linker directly if it can,
// for the go command looks around for longer than a small program takes to compile. If
// that fails, the go command builds the program or says what is wrong.
type Go struct {
	// Without is a way to build that is not to be used, for tests.
	Without GoBuilder
}

// GoBuilder is a way to build a Go program.
type GoBuilder int

// The ways to build.
const (
	_          GoBuilder = iota
	GoCompiler           // compiler and linker by themselves
	GoCommand            // the go command
)

// Find implements Toolchain.
func (Go) Find() (Tools, error) {
	return installation{
		mark:     "src/runtime/proc.go",
		parts:    []string{"VERSION", "go.env", "bin", "lib", "pkg", "src"},
		ask:      []string{"go", "env", rootVariable},
		compiled: true,
	}.find(golang.Go{}.Facts().Needs)
}

// Variables of the go command: the folder for compiled code, and the folder that Go is
// installed in, which the go command cannot find without /proc.
const (
	CacheVariable = "GOCACHE"
	rootVariable  = "GOROOT"
)

// Build implements Toolchain.
func (g Go) Build(ctx context.Context, w *Workshop) (Built, error) {
	cache, err := findGoCache()
	if err != nil {
		return Built{}, err
	}
	b := &goBuild{w, cache}
	archives, err := b.direct(ctx, g.Without == GoCompiler)
	built := Built{}
	switch {
	case err != nil:
	case archives != nil:
		built.Check = func(ctx context.Context) string { return b.check(ctx, archives) }
	case g.Without == GoCommand:
		built.Said = "the go command is left out"
	default:
		built.Said, err = b.command(ctx)
	}
	if err != nil || built.Said != "" {
		return built, err
	}
	tests, err := b.Tests()
	if err != nil {
		return Built{}, fmt.Errorf("write the tests: %w", err)
	}
	built.Said = golang.Clash(b.Program.Unit, b.Solution, tests)
	return built, nil
}

// goBuild is a build of one program.
type goBuild struct {
	*Workshop
	cache goCache
}

// direct builds without the go command. It returns the archives of the libraries that
// the program needs, or nil if the go command has to build it or say what is wrong.
func (b *goBuild) direct(ctx context.Context, leftOut bool) (golang.Archives, error) {
	names, plain := golang.Imports(b.Program, b.Solution)
	archives, err := b.locate(ctx, names)
	if err != nil || archives == nil || !plain || leftOut {
		return nil, err
	}
	files, commands := golang.Direct(b.Program, b.Tools.Root, b.Solution, archives)
	if err := b.write(files); err != nil {
		return nil, err
	}
	_, how, err := b.compile(ctx, false, b.Deadline, commands...)
	if ctx.Err() != nil || errors.Is(err, sandbox.ErrDeadline) {
		return nil, err
	}
	if err != nil || how != "" {
		return nil, nil
	}
	return archives, nil
}

// locate finds the archives of all libraries that a program needs, or returns nil. It
// compiles missing libraries, in time that does not count as the solution's.
func (b *goBuild) locate(ctx context.Context, names []string) (golang.Archives, error) {
	begin := time.Now()
	defer func() { b.Deadline = b.Deadline.Add(time.Since(begin)) }()
	archives, how, err := b.locateIn(ctx, names)
	if how != "" && !b.cache.writable {
		// The cache lacks a library and cannot take it.
		if b.cache, err = temporaryGoCache(); err == nil {
			archives, _, err = b.locateIn(ctx, names)
		}
	}
	return archives, err
}

// locateIn finds the archives in the cache alone. It returns how the go command ended if
// it failed.
func (b *goBuild) locateIn(ctx context.Context, names []string) (archives golang.Archives, how string, err error) {
	archives = b.cache.archives(b.Tools)
	lacks := func(name string) bool { _, known := archives[name]; return !known }
	if !slices.ContainsFunc(names, lacks) {
		return archives, "", nil
	}
	const most = 2 * time.Minute
	printed, how, err := b.compile(ctx, b.cache.writable, time.Now().Add(most), golang.Locate(b.Program, names)...)
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case errors.Is(err, sandbox.ErrDeadline):
		return nil, "", fmt.Errorf("the libraries that a solution imports did not compile within %v", most)
	case err != nil || how != "":
		return nil, how, nil
	}
	if archives = archives.With(printed); slices.ContainsFunc(names, lacks) {
		return nil, "", nil
	}
	b.cache.keep(b.Tools, archives)
	return archives, "", nil
}

// command builds with the go command, and returns what is wrong, or "". The cache is
// read-only: it holds the libraries already, and must not hold the solution.
func (b *goBuild) command(ctx context.Context) (said string, err error) {
	command := golang.Build(b.Program)
	printed, how, err := b.compile(ctx, false, b.Deadline, command)
	if err == nil && how != "" && strings.Contains(printed, b.cache.dir) {
		// The go command needs a writable cache before it says what is wrong.
		if b.cache.dir, err = b.Dir.Folder("cache"); err == nil {
			printed, how, err = b.compile(ctx, true, b.Deadline, command)
		}
	}
	if err != nil || how == "" {
		return "", err
	}
	if words := b.words(printed); words != "" {
		return golang.Explain(b.Program.Unit, b.Solution, words), nil
	}
	return "the compiler " + how, nil
}

// check returns the findings of go vet, which go test runs first, or "".
func (b *goBuild) check(ctx context.Context, archives golang.Archives) string {
	files, command, title := golang.Check(b.Program, b.Tools.Root, b.Solution, archives)
	if b.write(files) != nil {
		return ""
	}
	deadline := time.Now().Add(time.Until(b.Deadline) / 10)
	printed, how, err := b.compile(ctx, false, deadline, command)
	if words := b.words(printed); err == nil && how != "" && words != "" {
		return title + "\n" + words
	}
	return ""
}

// compile runs commands of the compiler with the cache, which they may write to if
// mayWrite is set.
func (b *goBuild) compile(ctx context.Context, mayWrite bool, deadline time.Time, commands ...lang.Command) (printed, how string, err error) {
	for i := range commands {
		commands[i].Env = slices.Concat(commands[i].Env, []string{CacheVariable + "=" + b.cache.dir, rootVariable + "=" + b.Tools.Root})
	}
	folder := []string{b.cache.dir}
	if mayWrite {
		return b.Run(ctx, nil, folder, deadline, commands...)
	}
	return b.Run(ctx, folder, nil, deadline, commands...)
}

// words returns the compiler's messages without the lines that name packages.
func (b *goBuild) words(printed string) string {
	var lines []string
	for line := range strings.Lines(b.Shorten(printed)) {
		if !strings.HasPrefix(line, "# ") {
			lines = append(lines, line)
		}
	}
	return strings.TrimSpace(strings.Join(lines, ""))
}
