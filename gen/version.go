package main

import "runtime/debug"

// version identifies this build of the command. No file that the command writes holds it,
// so that every build writes the same bytes.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknownVersion
	}
	return versionOf(info)
}

// unknownVersion names the builds that the go command writes no revision into.
const unknownVersion = "(version unknown: go run, -buildvcs=false and a git worktree leave it out)"

// versionOf is the version of the module or, if it was built from a checkout, the
// checkout's revision.
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
