package main

import "runtime/debug"

// version says which build of the command this is. No file that it writes has it:
// the same input gives the same bytes.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknownVersion
	}
	return versionOf(info)
}

const unknownVersion = "(version unknown: built without version control)"

// versionOf is the version of the module or, where it was built from a checkout,
// the revision of that.
func versionOf(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	var revision, changed string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", with changes"
		}
	}
	if revision == "" {
		return unknownVersion
	}
	return "revision " + revision + changed
}
