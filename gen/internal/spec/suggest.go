package spec

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Suggest is the end of a message about a name that is none of those known, all
// of which it lists. Where one is near, it asks whether that is meant.
func Suggest(name string, known []string) string {
	all := "choose from " + strings.Join(known, ", ")
	if len(known) == 0 {
		all = "choose from none"
	}
	if near := Nearest(name, known); near != "" && len(known) > 1 {
		return fmt.Sprintf("did you mean %s? %s", near, all)
	}
	return all
}

// Nearest returns which of the known names a misspelt one most likely stands
// for, or "" if none is near: one that begins it or that it begins, or that a
// typing error or two in it lead to.
func Nearest(name string, known []string) string {
	const none = 1 << 30
	nearest, least := "", none
	name = strings.ToLower(name)
	for _, k := range known {
		lower := strings.ToLower(k)
		d := typos(name, lower)
		switch {
		case d <= mostTypos(lower):
		case min(len(name), len(lower)) > 1 && (strings.HasPrefix(lower, name) || strings.HasPrefix(name, lower)):
			d = 3 // a typing error is likelier
		default:
			continue
		}
		if d < least {
			nearest, least = k, d
		}
	}
	return nearest
}

// mostTypos is how many typing errors a name can have and still be told.
func mostTypos(name string) int {
	return min(2, (utf8.RuneCountInString(name)-1)/2)
}

// isTypo reports whether a typing error or two make one name of another.
func isTypo(name, of string) bool {
	return name != of && typos(name, of) <= mostTypos(of)
}

// typos counts the typing errors that lie between two names: a letter too few,
// too many, or wrong, and two exchanged.
func typos(a, b string) int {
	from, to := []rune(a), []rune(b)
	rows := make([][]int, len(from)+1)
	for i := range rows {
		rows[i] = make([]int, len(to)+1)
		rows[i][0] = i
	}
	for j := range to {
		rows[0][j+1] = j + 1
	}
	for i := range from {
		for j := range to {
			wrong := 1
			if from[i] == to[j] {
				wrong = 0
			}
			d := min(rows[i][j]+wrong, rows[i][j+1]+1, rows[i+1][j]+1)
			if i > 0 && j > 0 && from[i] == to[j-1] && from[i-1] == to[j] {
				d = min(d, rows[i-1][j-1]+1)
			}
			rows[i+1][j+1] = d
		}
	}
	return rows[len(from)][len(to)]
}
