package spec

import (
	"fmt"
	"strings"
)

// Names gives each case a name that no other has: its own description where
// that is unique, else with the shortest path of groups that makes it so.
// Mangle is what a language makes of a name; the mangled names do not collide
// either. The names come back unmangled, in the order of the cases.
func Names(cases []*Case, mangle func(string) string) []string {
	names := make([]string, len(cases))
	groups := make([]int, len(cases)) // how many groups stand in each name
	for i, c := range cases {
		names[i] = caseName(c, 0)
	}
	for {
		grown := false
		for _, same := range collisions(names, mangle) {
			for _, i := range same {
				if groups[i] < len(cases[i].Groups) {
					groups[i]++
					names[i] = caseName(cases[i], groups[i])
					grown = true
				}
			}
		}
		if !grown {
			break
		}
	}
	// Groups did not help: number what is left, in order.
	for number := 2; ; number++ {
		same := collisions(names, mangle)
		if len(same) == 0 {
			return names
		}
		for _, indexes := range same {
			for _, i := range indexes[1:] {
				names[i] = fmt.Sprintf("%s (%d)", caseName(cases[i], groups[i]), number)
			}
		}
	}
}

// caseName is the case's description behind its innermost groups, on one line.
func caseName(c *Case, groups int) string {
	parts := append(c.Groups[len(c.Groups)-groups:len(c.Groups):len(c.Groups)], c.Description)
	for i, part := range parts {
		parts[i] = strings.Join(strings.Fields(part), " ")
	}
	if name := strings.Join(parts, " -> "); strings.Trim(name, " ->") != "" {
		return name
	}
	return c.Property
}

// collisions lists the indexes that share a mangled name, in their order.
func collisions(names []string, mangle func(string) string) [][]int {
	at := map[string]int{}
	var groups [][]int
	for i, name := range names {
		name = mangle(name)
		g, seen := at[name]
		if !seen {
			g = len(groups)
			at[name] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	var same [][]int
	for _, g := range groups {
		if len(g) > 1 {
			same = append(same, g)
		}
	}
	return same
}
