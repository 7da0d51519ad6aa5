package docs

import (
	"bytes"
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"stateoftictactoe/gen/internal/lazy"
)

// hidden names the invisible characters that change how a text is shown, searched or
// compared.
var hidden = map[rune]string{
	'\u00a0': "a no-break space",
	'\u00ad': "a soft hyphen",
	'\u061c': "an Arabic letter mark",
	'\u180e': "a Mongolian vowel separator",
	'\u200b': "a zero-width space",
	'\u200c': "a zero-width non-joiner",
	'\u200d': "a zero-width joiner",
	'\u200e': "a left-to-right mark",
	'\u200f': "a right-to-left mark",
	'\u202a': "a direction embedding",
	'\u202b': "a direction embedding",
	'\u202c': "the end of a direction embedding",
	'\u202d': "a direction override",
	'\u202e': "a direction override",
	'\u202f': "a narrow no-break space",
	'\u2060': "a word joiner",
	'\u2066': "a direction isolate",
	'\u2067': "a direction isolate",
	'\u2068': "a direction isolate",
	'\u2069': "the end of a direction isolate",
	'\ufeff': "a byte order mark",
}

// checkEncoding checks a text's bytes. It reports whether they are UTF-8; if not, the
// other checks make no sense.
func (r *report) checkEncoding() bool {
	if !utf8.Valid(r.text) {
		offset := 0
		for offset < len(r.text) {
			c, size := utf8.DecodeRune(r.text[offset:])
			if c == utf8.RuneError && size == 1 {
				break
			}
			offset += size
		}
		r.add(checkUTF8, offset, "", "byte 0x%02x is not UTF-8; save the file as UTF-8", r.text[offset])
		return false
	}
	if len(bytes.TrimSpace(r.text)) == 0 {
		r.add(checkEmpty, 0, "", "the file is empty; write the text, or remove the file")
		return false
	}
	return true
}

// checkCharacters checks the characters of a translation. It allows characters that the
// English has too: the exercise may be about them.
func (r *report) checkCharacters(english []byte) {
	previous := rune(0)
	for offset, c := range string(r.text) {
		next, _ := utf8.DecodeRune(r.text[offset+utf8.RuneLen(c):])
		name, isHidden := hidden[c]
		switch {
		case bytes.ContainsRune(english, c):
		case isHidden && !joins(previous, c, next):
			r.add(checkHidden, offset, "", "%s (U+%04X); remove it", name, c)
		case unicode.Is(unicode.Nd, c) && c > unicode.MaxASCII:
			r.add(checkDigits, offset, string(c), "digit %c (U+%04X); write numbers with the digits 0 to 9", c, c)
		}
		previous = c
	}
	known := map[string]bool{}
	for line := range bytes.Lines(english) {
		known[string(line)] = true
	}
	start := 0
	for line := range bytes.Lines(r.text) {
		if composed := norm.NFC.Bytes(line); !bytes.Equal(composed, line) && !known[string(line)] {
			i := 0
			for i < len(line) && i < len(composed) && line[i] == composed[i] {
				i++
			}
			for i > 0 && i < len(line) && !utf8.RuneStart(line[i]) {
				i--
			}
			r.add(checkNFC, start+i, "", "not in Unicode's form NFC; save the text in that form")
		}
		start += len(line)
	}
}

// scriptsThatJoin are the scripts in which joiners belong to the spelling.
var scriptsThatJoin = []*unicode.RangeTable{
	unicode.Devanagari, unicode.Bengali, unicode.Gujarati, unicode.Gurmukhi, unicode.Kannada,
	unicode.Malayalam, unicode.Oriya, unicode.Sinhala, unicode.Tamil, unicode.Telugu,
	unicode.Arabic,
}

// joins reports whether a zero-width joiner or non-joiner is in its place: between two
// letters of a script that uses it, or between two emoji.
func joins(previous, c, next rune) bool {
	if c != '\u200c' && c != '\u200d' {
		return false
	}
	if c == '\u200d' && (unicode.Is(unicode.So, previous) || previous == '\ufe0f' || unicode.Is(unicode.Sk, previous)) {
		return unicode.Is(unicode.So, next)
	}
	for _, script := range scriptsThatJoin {
		if unicode.Is(script, previous) && unicode.Is(script, next) {
			return isLetter(previous) && isLetter(next)
		}
	}
	return false
}

// isLetter reports whether a character is a letter or a mark on one.
func isLetter(c rune) bool { return unicode.IsLetter(c) || unicode.IsMark(c) }

// entity is a character written by its name or number.
var entity = lazy.Regexp(`&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)

// checkEntities looks for hidden characters that are written as entities.
func (r *report) checkEntities(english, translation *leaf) {
	for _, at := range entity().FindAllStringIndex(translation.prose.text, -1) {
		written := translation.prose.text[at[0]:at[1]]
		c, _ := utf8.DecodeRuneInString(html.UnescapeString(written))
		if name, isHidden := hidden[c]; isHidden && !strings.Contains(english.prose.text, written) {
			r.add(checkHidden, translation.prose.at(at[0]), written, "%s stands for %s; remove it", written, name)
		}
	}
}

// isLatin reports whether most letters of a text are Latin.
func isLatin(text string) bool {
	latin, other := 0, 0
	for _, c := range text {
		switch {
		case unicode.Is(unicode.Latin, c):
			latin++
		case unicode.IsLetter(c):
			other++
		}
	}
	return latin >= other
}
