package lang

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
)

// Words splits a name of the data, in any style, into lower-case words:
// "isPaired", "is_paired" and "is-paired" are the same two words. A character
// that no language allows in a name separates words.
func Words(name string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = nil
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case unicode.IsUpper(r) && i > 0:
			// A capital starts a word after a small letter, and before a small letter.
			afterSmall := unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1])
			beforeSmall := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if afterSmall || beforeSmall {
				end()
			}
		}
		word = append(word, r)
	}
	end()
	return words
}

// Pascal writes words LikeThis. A name that would be empty or start with a digit gets the
// given word in front.
func Pascal(name, front string) string {
	var b strings.Builder
	for _, w := range leading(Words(name), front) {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

// Camel writes words likeThis, and is otherwise like Pascal.
func Camel(name, front string) string {
	words := leading(Words(name), front)
	if len(words) == 0 {
		return ""
	}
	return words[0] + Pascal(strings.Join(words[1:], " "), "")
}

// Snake writes words like_this, and is otherwise like Pascal.
func Snake(name, front string) string {
	return strings.Join(leading(Words(name), front), "_")
}

// Kebab writes words like-this. A name without any word becomes the given name.
func Kebab(name, other string) string {
	return cmp.Or(strings.Join(Words(name), "-"), other)
}

func leading(words []string, front string) []string {
	if front != "" && (len(words) == 0 || words[0][0] >= '0' && words[0][0] <= '9') {
		return append([]string{front}, words...)
	}
	return words
}

// Taken gives out each name only once.
type Taken map[string]bool

// Name returns the first of the wanted names that is free, or else the last with a number
// behind it.
func (t Taken) Name(wanted ...string) string {
	for _, name := range wanted {
		if !t[name] {
			t[name] = true
			return name
		}
	}
	last := wanted[len(wanted)-1]
	for i := 2; ; i++ {
		if name := fmt.Sprintf("%s%d", last, i); !t[name] {
			t[name] = true
			return name
		}
	}
}
