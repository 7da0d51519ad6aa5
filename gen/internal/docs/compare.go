package docs

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"stateoftictactoe/gen/internal/lazy"
)

// comparison is a translation beside its English.
type comparison struct {
	report
	english, translation *document
	literals             []string        // texts that the tests compare
	keep                 map[string]bool // words that stay as they are
	keywords             map[string]bool // of the languages of the code blocks
	latin                bool            // whether the translation's script is Latin
	kept                 map[string]bool // words of keep that the translation has
}

// run does all checks that need both texts.
func (c *comparison) run() {
	same := c.checkStructure()
	c.checkFences()
	c.keywords = keywordsIn(c.english.fences)
	c.learnNames()
	if !same {
		// The parts do not pair up, so find only what the text as a whole has lost.
		c.compare(merged(c.english.leaves), merged(c.translation.leaves))
		return
	}
	for i, english := range c.english.leaves {
		c.compare(english, c.translation.leaves[i])
	}
}

// compare does the checks of a leaf, or of all leaves as one.
func (c *comparison) compare(english, translation *leaf) {
	c.checkCode(english, translation)
	c.checkLiterals(english, translation)
	c.checkLinks(english, translation)
	c.checkShown(english, translation)
	c.checkEntities(english, translation)
	c.checkEmphasis(english, translation)
	c.checkNumbers(english, translation)
	c.checkKeywords(english, translation)
	c.checkWords(translation)
	c.checkCommas(translation)
}

// checkStructure compares the blocks and adds a finding for the first that differs: later
// blocks differ for the same reason. It reports whether all leaves pair up.
func (c *comparison) checkStructure() bool {
	english, translation := c.english.blocks, c.translation.blocks
	for i := range max(len(english), len(translation)) {
		switch {
		case i >= len(english):
			c.add(checkStructure, translation[i].offset, "", "%s that the English lacks", translation[i].kind)
		case i >= len(translation):
			line, _ := place(c.english.text, english[i].offset)
			c.add(checkStructure, len(c.text), "", "the text ends here; the English goes on with %s (its line %d)", english[i].kind, line)
		case english[i].kind != translation[i].kind || english[i].depth != translation[i].depth:
			line, _ := place(c.english.text, english[i].offset)
			was, is := english[i].kind, translation[i].kind
			if was == is {
				was, is = was+nested(english[i]), is+nested(translation[i])
			}
			c.add(checkStructure, translation[i].offset, "", "%s, where the English has %s (its line %d)", is, was, line)
		default:
			continue
		}
		return false
	}
	return len(c.english.leaves) == len(c.translation.leaves)
}

func nested(b block) string {
	if b.depth == 0 {
		return " outside other blocks"
	}
	return " inside " + strings.Repeat("a block in ", b.depth-1) + "a block"
}

// checkFences compares the blocks of code, which must be equal to the byte.
func (c *comparison) checkFences() {
	english, translation := c.english.fences, c.translation.fences
	if len(english) != len(translation) {
		// The blocks do not pair up; name those that the translation lacks.
		var left []string
		for _, f := range translation {
			left = append(left, f.info+"\n"+f.content())
		}
		for _, f := range english {
			i := slices.Index(left, f.info+"\n"+f.content())
			if i < 0 {
				line, _ := place(c.english.text, f.offset)
				c.add(checkFence, len(c.text), "", "the block of code at line %d of the English is lost or differs; copy it", line)
				continue
			}
			left = slices.Delete(left, i, i+1)
		}
		return
	}
	for i, f := range english {
		c.checkFence(f, translation[i])
	}
}

func (c *comparison) checkFence(english, translation fence) {
	line, _ := place(c.english.text, english.offset)
	if english.info != translation.info {
		c.add(checkFence, translation.offset, "", "the block of code has the info string %q, the English %q (its line %d); copy it", translation.info, english.info, line)
	}
	for i := range max(len(english.lines), len(translation.lines)) {
		offset := translation.offset
		if i < len(translation.places) {
			offset = translation.places[i]
		}
		switch {
		case i >= len(english.lines):
			c.add(checkFence, offset, "", "a line of code that the English lacks (its line %d); copy the block", line)
		case i >= len(translation.lines):
			c.add(checkFence, offset, "", "line %d of the block of code is lost (line %d of the English); copy the block", i+1, line)
		case english.lines[i] != translation.lines[i]:
			c.add(checkFence, offset, "", "line %d of the block of code differs from %q (line %d of the English); copy the block", i+1, strings.TrimRight(english.lines[i], "\n"), line)
		default:
			continue
		}
		return
	}
}

func contains(list []marked, text string) bool {
	return slices.ContainsFunc(list, func(m marked) bool { return m.text == text })
}

// checkCode compares the code spans as sets: a translation may repeat a span more or less
// often.
func (c *comparison) checkCode(english, translation *leaf) {
	for _, m := range english.code {
		if !contains(translation.code, m.text) && !c.isLost(m.text, translation) {
			c.add(checkCode, translation.offset, m.text, "the code `%s` of the English is lost; write it as it is", m.text)
		}
	}
	for _, m := range translation.code {
		if !contains(english.code, m.text) {
			c.add(checkCodeAdded, m.offset, m.text, "the code `%s` is not in the English here", m.text)
		}
	}
}

// isLost reports whether a text that the tests compare is not in a translation.
func (c *comparison) isLost(text string, translation *leaf) bool {
	return slices.Contains(c.literals, text) && !hasWord(translation.full, text)
}

// quoted is a text in quotation marks, single or double, straight or not.
var quoted = lazy.Regexp(`"([^"\n]+)"|“([^”\n]+)”|‘([^’\n]+)’|'([^'\n]+)'`)

// checkLiterals looks for texts that the tests compare. It takes a text for one only if
// the English sets it apart: "draw" is a word too.
func (c *comparison) checkLiterals(english, translation *leaf) {
	for _, text := range setApart(english) {
		if c.isLost(text, translation) {
			c.add(checkLiteral, translation.offset, text, "%q is missing, which the tests compare; keep it as it is", text)
		}
	}
}

// setApart lists the texts in code, bold, italics or quotes.
func setApart(l *leaf) []string {
	var texts []string
	for _, list := range [][]marked{l.code, l.strong, l.emphasis} {
		for _, m := range list {
			texts = append(texts, m.text)
		}
	}
	for _, m := range quoted().FindAllStringSubmatch(l.full, -1) {
		texts = append(texts, m[1]+m[2]+m[3]+m[4])
	}
	return texts
}

func (c *comparison) checkLinks(english, translation *leaf) {
	for _, m := range english.links {
		if !contains(translation.links, m.text) {
			c.add(checkLink, translation.offset, m.text, "the link to %s is lost; link to it as the English does", m.text)
		}
	}
}

// checkShown looks for marks of Markdown that show as they are.
func (c *comparison) checkShown(english, translation *leaf) {
	if i := strings.Index(translation.prose.text, "]["); i >= 0 && !strings.Contains(english.prose.text, "][") {
		c.add(checkReference, translation.prose.at(i), "", "the brackets of this link show: its label is defined nowhere; keep the label as in the English")
	}
	if i := strings.Index(translation.prose.text, "**"); i >= 0 && !strings.Contains(english.prose.text, "**") {
		c.add(checkAsterisks, translation.prose.at(i), "", "these asterisks show: bold text must not start or end with a space, nor touch a letter beyond a punctuation mark")
	}
}

func (c *comparison) checkEmphasis(english, translation *leaf) {
	if lost := len(english.strong) - len(translation.strong); lost > 0 {
		c.add(checkEmphasis, translation.offset, "", "the English has bold text %s more", times(lost))
	}
	if lost := len(english.emphasis) - len(translation.emphasis); lost > 0 {
		c.add(checkEmphasis, translation.offset, "", "the English has text in italics %s more", times(lost))
	}
}

// number is a run of digits in any script.
var number = lazy.Regexp(`\p{Nd}+`)

// checkNumbers compares the numbers in digits, in any order.
func (c *comparison) checkNumbers(english, translation *leaf) {
	lost := numbers(english.prose)
	for _, m := range numbers(translation.prose) {
		i := slices.IndexFunc(lost, func(other marked) bool { return other.text == m.text })
		if i < 0 {
			c.add(checkNumbers, m.offset, m.text, "the number %s is not in the English here", m.text)
			continue
		}
		lost = slices.Delete(lost, i, i+1)
	}
	for _, m := range lost {
		c.add(checkNumbers, translation.offset, m.text, "the number %s of the English is lost", m.text)
	}
}

// numbers lists the numbers of a text, in Western digits. Digits in a name, such as utf8,
// do not count.
func numbers(p prose) []marked {
	var found []marked
	for _, at := range number().FindAllStringIndex(p.text, -1) {
		before, _ := utf8.DecodeLastRuneInString(p.text[:at[0]])
		if unicode.Is(unicode.Latin, before) || before == '_' {
			continue
		}
		western := strings.Map(func(r rune) rune {
			if r <= unicode.MaxASCII {
				return r
			}
			// The ten digits of a script follow one another.
			value := rune(0)
			for value < 9 && unicode.Is(unicode.Nd, r-value-1) {
				value++
			}
			return '0' + value
		}, p.text[at[0]:at[1]])
		found = append(found, marked{western, p.at(at[0])})
	}
	return found
}

// checkKeywords looks for keywords of a code block that the English text mentions. If a
// keyword is an English word too, it counts only if it is set apart or introduced as a
// keyword.
func (c *comparison) checkKeywords(english, translation *leaf) {
	apart := setApart(english)
	for _, m := range word().FindAllStringIndex(english.prose.text, -1) {
		text := english.prose.text[m[0]:m[1]]
		if !c.keywords[text] || hasWord(translation.full, text) {
			continue
		}
		if notWords[text] || slices.Contains(apart, text) || introduced(english.prose.text, m[0], m[1]) {
			c.add(checkKeyword, translation.offset, text, "%q is a keyword of the code here, and the English speaks of it; write it as it is", text)
		}
	}
}

// hasWord reports whether a text holds a Latin word or phrase. Arabic joins words such as
// "and" to it, so only a Latin letter before or after makes it another word.
func hasWord(text, latin string) bool {
	first, _ := utf8.DecodeRuneInString(latin)
	last, _ := utf8.DecodeLastRuneInString(latin)
	for start := 0; ; {
		i := strings.Index(text[start:], latin)
		if i < 0 {
			return false
		}
		i += start
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(latin):])
		if !(isNameRune(first) && isNameRune(before)) && !(isNameRune(last) && isNameRune(after)) {
			return true
		}
		start = i + 1
	}
}

func isNameRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || unicode.Is(unicode.Latin, r)
}

// word is a word of the Latin script.
var word = lazy.Regexp(`\p{Latin}[\p{Latin}0-9_]*(?:['’-]\p{Latin}+)*`)

// products are names that are written in Latin letters everywhere.
var products = []string{
	"C", "Exercism", "Git", "GitHub", "Go", "Haskell", "Java", "JavaScript", "Kotlin", "Linux", "Markdown",
	"Node", "PHP", "Python", "Ruby", "Rust", "Swift", "TypeScript", "Unicode", "Unix", "Windows",
}

// learnNames adds names to the words that stay as they are: words that the English writes
// as names within a sentence, abbreviations, and words in code or in texts that the tests
// compare.
func (c *comparison) learnNames() {
	names := map[string]bool{}
	for _, name := range products {
		names[name] = true
	}
	learn := func(text string) {
		for _, w := range word().FindAllString(text, -1) {
			names[w] = true
		}
	}
	for _, f := range c.english.fences {
		learn(f.content())
	}
	for _, text := range c.literals {
		learn(text)
	}
	for _, l := range c.english.leaves {
		for _, m := range l.code {
			learn(m.text)
		}
		for _, at := range word().FindAllStringIndex(l.prose.text, -1) {
			if w := l.prose.text[at[0]:at[1]]; isName(l.prose.text, at[0], w) {
				names[w] = true
			}
		}
	}
	c.kept = map[string]bool{}
	for name := range names {
		if _, given := c.keep[name]; !given {
			c.keep[name] = false
		}
	}
}

// isName reports whether a word is written as a name: with a capital within a sentence, or
// with a capital, digit or underscore within the word.
func isName(text string, start int, w string) bool {
	for i, r := range w {
		if i > 0 && (unicode.IsUpper(r) || unicode.IsDigit(r) || r == '_') {
			return true
		}
	}
	first, _ := utf8.DecodeRuneInString(w)
	before := strings.TrimRight(text[:start], " \t")
	last, _ := utf8.DecodeLastRuneInString(before)
	return unicode.IsUpper(first) && before != "" && (unicode.IsLetter(last) || last == ',')
}

// checkWords looks for English words in a translation that is not in Latin script.
func (c *comparison) checkWords(translation *leaf) {
	if c.latin {
		return
	}
	text := translation.prose.text
	var run []string
	start, end := 0, -1
	flush := func() {
		if len(run) > 0 {
			phrase := strings.Join(run, " ")
			c.add(checkEnglish, translation.prose.at(start), phrase, "%q is left in English; translate it, or keep it in %s", phrase, waiversFile)
		}
		run = nil
	}
	for _, at := range word().FindAllStringIndex(text, -1) {
		w := text[at[0]:at[1]]
		if isEntity(text, at[0], at[1]) {
			continue
		}
		if given, known := c.keep[w]; known || utf8.RuneCountInString(w) < 2 {
			if given {
				c.kept[w] = true
			}
			flush()
			continue
		}
		if len(run) > 0 && strings.TrimLeft(text[end:at[0]], " ") != "" {
			flush()
		}
		if len(run) == 0 {
			start = at[0]
		}
		run = append(run, w)
		end = at[1]
	}
	flush()
}

func isEntity(text string, start, end int) bool {
	return strings.HasPrefix(text[end:], ";") && (strings.HasSuffix(text[:start], "&") || strings.HasSuffix(text[:start], "&#"))
}

// latinMarks are the Latin marks for which Arabic has its own.
var latinMarks = map[rune]rune{',': '،', ';': '؛', '?': '؟'}

func (c *comparison) checkCommas(translation *leaf) {
	previous := rune(0)
	for i, r := range translation.prose.text {
		if own, ok := latinMarks[r]; ok && unicode.Is(unicode.Arabic, previous) && isLetter(previous) {
			c.add(checkComma, translation.prose.at(i), string(r), "a Latin %q after Arabic; write %q", string(r), string(own))
		}
		previous = r
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}
