//go:build amd64 || arm64

package sandbox

// Groups lists the groups of system calls.
func Groups() (names []string) {
	for _, g := range groups {
		names = append(names, g.name)
	}
	return names
}

// LeaveOut has a box refuse some groups.
func LeaveOut(b *Box, groups ...string) { b.leftOut = groups }

// UseLandlock has a box use no newer version of Landlock.
func UseLandlock(b *Box, version int) { b.landlock = version }

// FilterLength is how many instructions the system runs through at most.
func FilterLength(tools bool) int { return len(assemble(listed(tools, nil), nil, 1, 2)) }
