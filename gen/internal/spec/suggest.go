package spec

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Suggest returns the end of a message about an unknown name: it asks whether the nearest
// known name is meant, if there is one, and lists all known names.
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

// Nearest returns the known name that a misspelt name probably stands for, or "" if no
// known name is near. Near is a name that begins with the other, or that differs by a
// typing error or two.
func Nearest(name string, known []string) string {
	const none = 1 << 30
	nearest, least := "", none
	name = strings.ToLower(name)
	for _, k := range known {
		lower := strings.ToLower(k)
		d := typos(name, lower)
		switch {
		case d <= mostTypos(lower) || isDoubled(name, lower):
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

// mostTypos is how many typing errors a name can have and still be recognized.
func mostTypos(name string) int {
	return min(2, (utf8.RuneCountInString(name)-1)/2)
}

// isTypo reports whether two names differ by a typing error or two, or only in capitals.
func isTypo(name, of string) bool {
	return name != of && (typos(name, of) <= mostTypos(of) || strings.EqualFold(name, of) || isDoubled(name, of))
}

// isDoubled reports whether a name is the other name with letters written twice. This is a
// likely typing error in a name of one letter too.
func isDoubled(name, of string) bool {
	return len(name) > len(of) && slices.Equal(slices.Compact([]rune(name)), slices.Compact([]rune(of)))
}

// typos counts the typing errors between two names: a letter missing, added or wrong, or
// two letters exchanged.
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
