package golang

import (
	"encoding/json"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"go/version"
	"io"
	"maps"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lazy"
)

// buildEnvironment keeps the machine's settings out of a build.
var buildEnvironment = []string{
	"CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=", "GOPROXY=off", "GOTOOLCHAIN=local", "GO111MODULE=on", "GOENV=off", "GOTELEMETRY=off",
}

// linkerFlags leave out symbols, without which linking takes two thirds of the
// time. The lines of a panic are known all the same.
var linkerFlags = []string{"-s", "-w"}

// Build is the command that builds a program's driver with the solution. It reads folders
// instead of an index of them, which the go command could not write to a read-only cache.
func Build(p lang.Program) lang.Command {
	return lang.Command{
		Args: []string{"go", "build", "-buildvcs=false", "-ldflags=" + strings.Join(linkerFlags, " "), "-o", driverBinary, "."},
		Dir:  p.Dir,
		Env:  append([]string{"GODEBUG=goindex=0"}, buildEnvironment...),
	}
}

// Imports names the archives that a program with a solution needs, and reports whether the
// solution is plain, so that compiler and linker can build it without the go command. A
// plain solution has only Go files of the exercise's package, without directives, and
// imports only packages that any program may import. For another solution the names may
// be incomplete.
func Imports(p lang.Program, solution map[string][]byte) (names []string, plain bool) {
	names, plain = []string{godebug(p), driverModule + "/serve", "math/big"}, true
	for name, text := range solution {
		if name == packageFile || !builtAnywhere(name) || strings.Contains(string(text), "//go:") || strings.Contains(string(text), "+build") {
			plain = false
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil || file.Name.Name != packageName(p.Unit) {
			plain = false
			continue
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			switch {
			case err != nil || !importable(imported):
				plain = false
			case imported != "unsafe": // a part of the compiler
				names = append(names, imported)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), plain
}

// builtAnywhere reports whether a file is part of its package, and of no test,
// on all systems.
func builtAnywhere(name string) bool {
	anywhere := build.Context{
		Compiler: "gc",
		OpenFile: func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("package x\n")), nil },
	}
	built, _ := anywhere.MatchFile("", name)
	return built && path.Ext(name) == ".go" && path.Base(name) == name && !strings.HasSuffix(name, "_test.go")
}

// importable reports whether a path looks like a package of the standard library that any
// program may import. The package need not exist. Some words stand for many packages where
// the go command expects a path.
func importable(imported string) bool {
	elements := strings.Split(imported, "/")
	return libraryPath().MatchString(imported) && !slices.Contains(elements, "internal") &&
		!slices.Contains([]string{driverModule, "all", "cmd", "embed", "std", "tool", "vendor", "work"}, elements[0])
}

// libraryPath matches paths like those of the standard library.
var libraryPath = lazy.Regexp(`^[a-z][a-z0-9/]*$`)

// godebug names the settings of GODEBUG that go with a version of the language.
func godebug(p lang.Program) string { return "-go" + languageVersion(p.Unit) }

// Locate are the commands that print the named archives and all archives that these need,
// for [Archives.With]. They compile missing archives.
func Locate(p lang.Program, names []string) []lang.Command {
	list := func(args ...string) lang.Command {
		return lang.Command{Args: append([]string{"go", "list", "-buildvcs=false"}, args...), Dir: p.Dir, Env: buildEnvironment}
	}
	args := []string{"-export", "-deps", "-f", "{{if .Export}}{{.ImportPath}}={{.Export}}{{end}}", "--"}
	for _, name := range names {
		if name != godebug(p) {
			args = append(args, name)
		}
	}
	return []lang.Command{list(args...), list("-f", godebug(p)+"={{.DefaultGODEBUG}}", ".")}
}

// Direct are the commands that build a plain solution without the go command, as go build
// -x shows them, and the files that they read, by name in the work dir. Root is the folder
// that Go is installed in.
func Direct(p lang.Program, root string, solution map[string][]byte, archives Archives) (map[string][]byte, []lang.Command) {
	const config, solutionArchive, mainArchive = "importcfg", "solution.a", "main.a"
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(archives)) {
		if !strings.HasPrefix(name, "-") {
			fmt.Fprintf(&b, "packagefile %s=%s\n", name, archives[name])
		}
	}
	fmt.Fprintf(&b, "packagefile %s/%s=%s\n", driverModule, solutionFolder, solutionArchive)
	tool := func(name string, args ...string) lang.Command { return directTool(p, root, name, args...) }
	compile := func(name, archive string, files ...string) lang.Command {
		return tool("compile", append([]string{
			"-o", archive, "-p", name, "-lang=" + version.Lang("go"+languageVersion(p.Unit)), "-complete", "-nolocalimports", "-importcfg", config, "-pack", "--",
		}, files...)...)
	}
	return map[string][]byte{path.Join(p.Dir, config): []byte(b.String())}, []lang.Command{
		compile(driverModule+"/"+solutionFolder, solutionArchive, packageFiles(solution)...),
		compile("main", mainArchive, "./"+driverFile),
		tool("link", slices.Concat(linkerFlags, []string{
			"-o", driverBinary, "-importcfg", config, "-buildmode=exe", "-X=runtime.godebugDefault=" + archives[godebug(p)], mainArchive,
		})...),
	}
}

// directTool is a call of one of the go command's tools.
func directTool(p lang.Program, root, name string, args ...string) lang.Command {
	return lang.Command{
		Args: append([]string{path.Join(root, "pkg", "tool", runtime.GOOS+"_"+runtime.GOARCH, name)}, args...),
		Dir:  p.Dir,
		// A small program is compiled before its garbage matters.
		Env: slices.Concat(buildEnvironment, []string{"GOGC=off", "GOMEMLIMIT=512MiB"}),
	}
}

// packageFiles are the files of a solution's package in a program's folder.
func packageFiles(solution map[string][]byte) []string {
	files := []string{"./" + solutionFolder + "/" + packageFile}
	for _, name := range slices.Sorted(maps.Keys(solution)) {
		files = append(files, "./"+solutionFolder+"/"+name)
	}
	return files
}

// vetChecks are the checks of go vet that go test runs before the tests.
var vetChecks = []string{
	"-atomic", "-bool", "-buildtags", "-directive", "-errorsas", "-ifaceassert", "-nilfunc", "-printf", "-stringintconv", "-tests",
}

// Check is the command that prints the mistakes of go vet for which go test would run no
// test, and the files that the command reads, by name in the work dir. Title is a heading
// for its output.
func Check(p lang.Program, root string, solution map[string][]byte, archives Archives) (files map[string][]byte, command lang.Command, title string) {
	const config = "vet.cfg"
	type names map[string]string
	packages, paths, standard := names{}, names{"unsafe": "unsafe"}, map[string]bool{}
	for name, file := range archives {
		if !strings.HasPrefix(name, "-") {
			packages[name], paths[name], standard[name] = file, name, true
		}
	}
	// Neither strings nor maps of them fail to encode.
	text, _ := json.Marshal(map[string]any{
		"ID": driverModule + "/" + solutionFolder, "ImportPath": driverModule + "/" + solutionFolder, "Compiler": "gc", "Dir": ".",
		"GoVersion": version.Lang("go" + languageVersion(p.Unit)), "GoFiles": packageFiles(solution),
		"ImportMap": paths, "PackageFile": packages, "Standard": standard, "VetxOutput": "vet.out",
		"SucceedOnTypecheckFailure": true, // it has compiled
	})
	return map[string][]byte{path.Join(p.Dir, config): text}, directTool(p, root, "vet", append(slices.Clone(vetChecks), config)...),
		"go test refuses to run this solution, for go vet says:"
}

// Archives are the files of compiled libraries, by import path. A name that starts with a
// hyphen stands for a fact that the linker must know, not for a file.
type Archives map[string]string

// With adds the archives that Locate's commands print. It ignores other lines, such as
// warnings.
func (a Archives) With(printed string) Archives {
	archives := Archives{}
	maps.Copy(archives, a)
	for line := range strings.Lines(printed) {
		if name, file, found := strings.Cut(strings.TrimSpace(line), "="); found && !strings.Contains(name, " ") {
			archives[name] = file
		}
	}
	return archives
}
