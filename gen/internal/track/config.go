package track

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// Config holds the keys of an exercise's .meta/config.json that the harness reads.
type Config struct {
	Files struct{ Solution, Test, Example, Exemplar, Editor []string }
}

// readConfig reads a config.json. The files that it names lie in the exercise's
// folder, each in one role.
func readConfig(file string, text []byte, isFolder func(name string) bool) (config Config, err error) {
	root, err := spec.ParseJSON(file, text)
	if err != nil {
		return config, err
	}
	if root.Kind != spec.Object {
		return config, root.Fault(file, text, "want an object with \"files\"")
	}
	all := root.Get("files")
	if all != nil && all.Kind != spec.Object {
		return config, all.Fault(file, text, "\"files\" must be an object")
	}
	roles := map[string]string{}
	for _, part := range []struct {
		key   string
		names *[]string
	}{
		{"solution", &config.Files.Solution},
		{"test", &config.Files.Test},
		{"example", &config.Files.Example},
		{"exemplar", &config.Files.Exemplar},
		{"editor", &config.Files.Editor},
	} {
		key, list := part.key, all.Get(part.key)
		if list == nil || list.Kind == spec.Null {
			if key == "solution" {
				return config, cmp.Or(all, root).Fault(file, text, "files.solution is missing; name the student's file")
			}
			continue
		}
		if list.Kind != spec.Array {
			return config, list.Fault(file, text, "files.%s must be a list of files", key)
		}
		if len(list.Items) == 0 && (key == "solution" || key == "test") {
			return config, list.Fault(file, text, "files.%s is empty; name a file", key)
		}
		for _, item := range list.Items {
			if item.Kind != spec.String {
				return config, item.Fault(file, text, "files.%s must hold strings only", key)
			}
			name := path.Clean(item.Text)
			role, taken := roles[name]
			switch {
			case !filepath.IsLocal(filepath.FromSlash(item.Text)) || name == ".":
				return config, item.Fault(file, text, "files.%s: %q is no file in the exercise's folder", key, item.Text)
			case strings.HasSuffix(item.Text, "/") || isFolder(name):
				return config, item.Fault(file, text, "files.%s: %q is a folder; name the files in it", key, item.Text)
			case taken && role == key:
				return config, item.Fault(file, text, "files.%s: %q stands twice; remove one", key, item.Text)
			case taken:
				return config, item.Fault(file, text, "files.%s: %q is in files.%s too; a file has one role", key, item.Text, role)
			}
			roles[name] = key
			*part.names = append(*part.names, name)
		}
	}
	return config, nil
}

func languageNames(all []lang.Language) []string {
	var names []string
	for _, l := range all {
		names = append(names, l.Facts().Name)
	}
	return names
}

// languageOf finds a language by the extension of the first solution file.
func languageOf(path string, config Config, languages []lang.Language) (lang.Language, error) {
	file := config.Files.Solution[0]
	var known []string
	for _, l := range languages {
		known = append(known, l.Facts().Name)
		if filepath.Ext(l.Facts().Layout("x").Solution) == filepath.Ext(file) {
			return l, nil
		}
	}
	return nil, fmt.Errorf("%s: no language known for %s; choose a file of %s", path, file, strings.Join(known, ", "))
}

// files are the files that config.json names. The language's layout names those that
// config.json leaves out.
func files(config Config, layout lang.Files) lang.Files {
	first := func(names []string, other string) string {
		if len(names) > 0 {
			return names[0]
		}
		return other
	}
	// A Go exercise has its table in a file of its own, named last.
	test := layout.Test
	if !slices.Contains(config.Files.Test, test) {
		test = first(config.Files.Test, layout.Test)
	}
	return lang.Files{
		Solution: first(config.Files.Solution, layout.Solution),
		Test:     test,
		Example:  first(config.Files.Example, first(config.Files.Exemplar, layout.Example)),
	}
}
