package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/sandbox"
	"stateoftictactoe/gen/internal/toolchain"
)

// build compiles the driver with the solution. A message is the compiler's.
func (s *session) build(ctx context.Context) (message string, err error) {
	command := s.language.Compile(s.program)
	if command == nil {
		return "", nil
	}
	cache, err := toolchain.FindCompilerCache()
	if err != nil {
		return "", err
	}
	printed, how := "", ""
	built, err := s.buildDirectly(ctx, cache)
	if err == nil && !built {
		// Nothing of the solution's is kept. The libraries that it needs have been.
		printed, how, err = s.compile(ctx, cache, false, s.deadline, *command)
		if err == nil && how != "" && strings.Contains(printed, cache.Dir) {
			// The tool wants to keep something before it says what is wrong.
			if cache.Dir, err = s.dir.Folder("cache"); err == nil {
				printed, how, err = s.compile(ctx, cache, true, s.deadline, *command)
			}
		}
	}
	switch {
	case errors.Is(err, sandbox.ErrDeadline):
		return fmt.Sprintf("the solution did not compile within %v", s.Time), nil
	case err != nil:
		return "", err
	case how == "":
		return s.clash()
	}
	words := s.compilerWords(printed)
	if explainer, ok := s.language.(explainer); ok && words != "" {
		words = explainer.Explain(s.unit, s.Solution, words)
	}
	return cmp.Or(words, "the compiler "+how), nil
}

// clasher is a language in which a solution may compile, but not beside its tests.
type clasher interface {
	// Clash says why a solution does not compile beside its tests, "" if it does.
	Clash(u *lang.Unit, solution map[string][]byte, tests []byte) string
}

// clash says so of the solution.
func (s *session) clash() (message string, err error) {
	l, ok := s.language.(clasher)
	if !ok {
		return "", nil
	}
	tests, err := s.tests()
	if err != nil {
		return "", fmt.Errorf("%s: write the tests: %w", s.unit.Suite.Slug, err)
	}
	return l.Clash(s.unit, s.Solution, tests), nil
}

// explainer is a language that puts a compiler's words in those of the files that a
// student has.
type explainer interface {
	Explain(u *lang.Unit, solution map[string][]byte, said string) string
}

// buildDirectly does so without the language's build tool, where it can. If it
// reports that it did not, the tool is to build, or to say what is wrong.
func (s *session) buildDirectly(ctx context.Context, cache toolchain.CompilerCache) (built bool, err error) {
	compiler, ok := s.language.(lang.DirectCompiler)
	if !ok {
		return false, nil
	}
	names, plain := compiler.Imports(s.program, s.Solution)
	archives, err := s.locate(ctx, compiler, cache, names)
	if err != nil || archives == nil || !plain {
		return false, err
	}
	files, commands := compiler.Direct(s.program, s.tools.Root, s.Solution, archives)
	for name, text := range files {
		if _, err := s.dir.Write(name, text); err != nil {
			return false, err
		}
	}
	_, how, err := s.compile(ctx, cache, false, s.deadline, commands...)
	if ctx.Err() != nil || errors.Is(err, sandbox.ErrDeadline) {
		return false, err
	}
	if err != nil || how != "" {
		return false, nil
	}
	if c, ok := s.language.(checked); ok {
		s.checker = func(ctx context.Context) string {
			files, command, title := c.Check(s.program, s.tools.Root, s.Solution, archives)
			for name, text := range files {
				if _, err := s.dir.Write(name, text); err != nil {
					return ""
				}
			}
			printed, how, err := s.compile(ctx, cache, false, time.Now().Add(s.left()/10), command)
			if words := s.compilerWords(printed); err == nil && how != "" && words != "" {
				return title + "\n" + words
			}
			return ""
		}
	}
	return true, nil
}

// checked is a language in which the command that runs the tests first looks for
// mistakes in a solution that compiles, and runs none if it finds one.
type checked interface {
	// Check is the command that prints such mistakes, and the files that it reads, by
	// name in the work dir. Title stands above what it prints. The arguments are those
	// of lang.DirectCompiler's Direct.
	Check(p lang.Program, root string, solution map[string][]byte, archives lang.Archives) (files map[string][]byte, command lang.Command, title string)
}

// check has a solution checked, and returns what waits for that. No verdict depends
// on it, and it runs nothing of the solution's.
func (s *session) check(ctx context.Context) (wait func()) {
	if s.checker == nil {
		return func() {}
	}
	done := make(chan string, 1)
	go func() { done <- s.checker(ctx) }()
	return func() { s.warning = <-done }
}

// locate finds the archives of all that a program needs, or returns nil. Libraries
// that are not compiled yet are, in time that is not the solution's.
func (s *session) locate(ctx context.Context, compiler lang.DirectCompiler, cache toolchain.CompilerCache, names []string) (lang.Archives, error) {
	begin := time.Now()
	defer func() { s.deadline = s.deadline.Add(time.Since(begin)) }()
	archives := cache.Archives(s.language, s.tools)
	lacks := func(name string) bool { _, known := archives[name]; return !known }
	if !slices.ContainsFunc(names, lacks) {
		return archives, nil
	}
	const most = 2 * time.Minute
	printed, how, err := s.compile(ctx, cache, cache.Writable, time.Now().Add(most), compiler.Locate(s.program, names)...)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, sandbox.ErrDeadline):
		return nil, fmt.Errorf("%s: the libraries that a solution imports did not compile within %v", s.unit.Suite.Slug, most)
	case err != nil || how != "":
		return nil, nil
	}
	if archives = archives.With(printed); slices.ContainsFunc(names, lacks) {
		return nil, nil
	}
	cache.Keep(s.language, s.tools, archives)
	return archives, nil
}

// compile runs commands of a compiler one after another. It returns what they
// print, and how they ended, "" if well. What is hidden from solutions is not from
// the compiler, which runs nothing of theirs: its cache may lie there.
func (s *session) compile(ctx context.Context, cache toolchain.CompilerCache, mayWrite bool, deadline time.Time, commands ...lang.Command) (printed, how string, err error) {
	box := s.box()
	box.Hide = nil
	box.Tools = true
	box.File = maxArchive
	box.Write = []string{s.dir.Path}
	if mayWrite {
		box.Write = append(box.Write, cache.Dir)
	} else {
		box.Read = slices.Concat(box.Read, []string{cache.Dir})
	}
	var steps []sandbox.Command
	for _, command := range commands {
		command = s.resolved(command)
		command.Env = slices.Concat(command.Env, []string{lang.CacheVariable + "=" + cache.Dir, lang.RootVariable + "=" + s.tools.Root})
		steps = append(steps, sandbox.Command(command))
	}
	process, err := box.Start(false, steps...)
	s.missing = box.Missing()
	if err != nil {
		return "", "", err
	}
	defer process.Kill()
	defer context.AfterFunc(ctx, process.Cancel)()
	output := capture{most: maxCompilerOutput}
	code, how, err := process.Wait(deadline, &output)
	if err := cmp.Or(ctx.Err(), err); err != nil {
		return "", "", err
	}
	if code == 0 {
		how = ""
	}
	return output.String(), how, nil
}

// maxArchive is how many bytes a compiled package or program may have: several times
// those of the largest library. What the build tool keeps of it stays on the disk.
const maxArchive = 64 << 20

const maxCompilerOutput = 60_000

// compilerWords are what a compiler says, without the lines that name packages.
func (s *session) compilerWords(text string) string {
	var lines []string
	for line := range strings.Lines(s.shorten(text)) {
		if !strings.HasPrefix(line, "# ") {
			lines = append(lines, line)
		}
	}
	return strings.TrimSpace(strings.Join(lines, ""))
}

// shorten makes the paths of the work dir in a text relative to the solution.
func (s *session) shorten(text string) string {
	program := filepath.Join(s.dir.Path, programFolder)
	pairs := []string{}
	if own := s.language.SolutionFolder(); own != "" {
		pairs = append(pairs, filepath.Join(program, own)+"/", "", " ./"+own+"/", " ", "\n./"+own+"/", "\n", "\n"+own+"/", "\n")
		text = strings.TrimPrefix(strings.TrimPrefix(text, "./"), own+"/")
	}
	pairs = append(pairs, program+"/", "", program, ".", s.dir.Path+"/", "", s.dir.Path, ".")
	return strings.ToValidUTF8(strings.NewReplacer(pairs...).Replace(text), "\uFFFD")
}
