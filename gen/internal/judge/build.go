package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/runner"
)

// build compiles the driver with the solution. A message is the compiler's.
func (s *session) build(ctx context.Context) (message string, err error) {
	command := s.language.Compile(s.program)
	if command == nil {
		return "", nil
	}
	cache, err := runner.FindCompilerCache()
	if err != nil {
		return "", err
	}
	printed, how := "", ""
	built, err := s.buildDirectly(ctx, cache)
	if err == nil && !built {
		printed, how, err = s.compile(ctx, cache, cache.Writable, *command)
	}
	switch {
	case errors.Is(err, runner.ErrDeadline):
		return fmt.Sprintf("the solution did not compile within %v", s.Time), nil
	case err != nil || how == "":
		return "", err
	}
	return cmp.Or(s.compilerWords(printed), "the compiler "+how), nil
}

// buildDirectly does so without the language's build tool, where it can. If it
// reports that it did not, the tool is to build, or to say what is wrong.
func (s *session) buildDirectly(ctx context.Context, cache runner.CompilerCache) (built bool, err error) {
	compiler, ok := s.language.(lang.DirectCompiler)
	if !ok {
		return false, nil
	}
	names, plain := compiler.Imports(s.program, s.Solution)
	if !plain {
		return false, nil
	}
	how := ""
	archives := cache.Archives(s.language, s.tools)
	lacks := func(name string) bool { _, known := archives[name]; return !known }
	if slices.ContainsFunc(names, lacks) {
		var printed string
		printed, how, err = s.compile(ctx, cache, cache.Writable, compiler.Locate(s.program, names)...)
		if err == nil && how == "" {
			archives = archives.With(printed)
			cache.Keep(s.language, s.tools, archives)
		}
	}
	if err == nil && how == "" && !slices.ContainsFunc(names, lacks) {
		files, commands := compiler.Direct(s.program, s.tools.Root, s.Solution, archives)
		for name, text := range files {
			if _, err := s.dir.Write(name, text); err != nil {
				return false, err
			}
		}
		_, how, err = s.compile(ctx, cache, false, commands...)
		built = err == nil && how == ""
	}
	if ctx.Err() != nil || errors.Is(err, runner.ErrDeadline) {
		return false, err
	}
	return built, nil
}

// compile runs commands of a compiler one after another. It returns what they
// print, and how they ended, "" if well.
func (s *session) compile(ctx context.Context, cache runner.CompilerCache, mayWrite bool, commands ...lang.Command) (printed, how string, err error) {
	box := s.box()
	box.Write = []string{s.dir.Path}
	if mayWrite {
		box.Write = append(box.Write, cache.Dir)
	} else {
		box.Read = slices.Concat(box.Read, []string{cache.Dir})
	}
	for i := range commands {
		commands[i].Env = slices.Concat(commands[i].Env, []string{lang.CacheVariable + "=" + cache.Dir, lang.RootVariable + "=" + s.tools.Root})
	}
	process, err := box.Start(false, commands...)
	s.missing = box.Missing()
	if err != nil {
		return "", "", err
	}
	defer process.Kill()
	defer context.AfterFunc(ctx, process.Cancel)()
	output := capture{most: maxCompilerOutput}
	code, how, err := process.Wait(s.deadline, &output)
	if err := cmp.Or(ctx.Err(), err); err != nil {
		return "", "", err
	}
	if code == 0 {
		how = ""
	}
	return output.String(), how, nil
}

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
		pairs = append(pairs, filepath.Join(program, own)+"/", "", " ./"+own+"/", " ", "\n"+own+"/", "\n")
		text = strings.TrimPrefix(text, own+"/")
	}
	pairs = append(pairs, program+"/", "", program, ".", s.dir.Path+"/", "", s.dir.Path, ".")
	return strings.ToValidUTF8(strings.NewReplacer(pairs...).Replace(text), "\uFFFD")
}
