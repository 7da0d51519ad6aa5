package spec

import (
	"fmt"
	"strings"
)

// Names gives each case a unique name: its description, with the shortest path of groups
// in front that makes it unique. The function mangle changes a name as a language does;
// the mangled names are unique too. Names returns the names unmangled, in the order of
// the cases.
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
	// Groups did not help: number the remaining cases from the second on.
	taken := map[string]bool{}
	for _, name := range names {
		taken[mangle(name)] = true
	}
	for _, same := range collisions(names, mangle) {
		number := 2
		for _, i := range same[1:] {
			name := names[i]
			for taken[mangle(names[i])] {
				names[i] = fmt.Sprintf("%s (%d)", name, number)
				number++
			}
			taken[mangle(names[i])] = true
		}
	}
	return names
}

// caseName is the case's description behind its innermost groups, on one line. It leaves
// out empty texts; a case without any text is named by its property.
func caseName(c *Case, groups int) string {
	var parts []string
	for _, part := range append(c.Groups[len(c.Groups)-groups:len(c.Groups):len(c.Groups)], c.Description) {
		if part = strings.Join(strings.Fields(part), " "); part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return c.Property
	}
	return strings.Join(parts, " -> ")
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
