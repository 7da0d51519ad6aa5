package main

import (
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0123abcd"}
	for _, test := range []struct {
		module   string
		settings []debug.BuildSetting
		want     string
	}{
		{"v1.2.3", []debug.BuildSetting{revision}, "v1.2.3"},
		{"(devel)", []debug.BuildSetting{revision, {Key: "vcs.modified", Value: "false"}}, "revision 0123abcd"},
		{"", []debug.BuildSetting{revision, {Key: "vcs.modified", Value: "true"}}, "revision 0123abcd, with changes"},
		{"(devel)", nil, "(version unknown: go run, -buildvcs=false and a git worktree leave it out)"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: test.module}, Settings: test.settings}
		if got := versionOf(info); got != test.want {
			t.Errorf("%q, %v: got %q, want %q", test.module, test.settings, got, test.want)
		}
	}
}
