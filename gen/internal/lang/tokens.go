package lang

import (
	"slices"
	"strings"
	"unicode/utf8"

	"stateoftictactoe/gen/internal/spec"
)

// Syntax is as much of a language's syntax as it takes to tell layout and
// comments from what a program says.
type Syntax struct {
	// LineComment starts a comment up to the end of the line.
	LineComment string
	// BlockComment holds what starts and what ends a comment, if there are such.
	BlockComment [2]string
	// Quotes are those of strings; of two that start alike the longer is first.
	Quotes []Quote
	// Prefixes says that letters just before a quote belong to the string.
	Prefixes bool
	// Indents says that line ends and indentation outside of brackets have meaning.
	Indents bool
	// Bare says that the quotes around a key of an object make no difference.
	Bare bool
	// Regexps says that a slash where a value is due starts a regular expression.
	Regexps bool
	// Operators are the words that a value follows, as in return x.
	Operators []string
	// Enders are the words after which a line end ends the statement.
	Enders []string
}

// Quote is what stands around a string.
type Quote struct {
	Mark string
	// Kind is equal for quotes that make the same strings.
	Kind string
	// Raw says that a backslash is a character like others.
	Raw bool
	// Lines says that the string may hold line ends.
	Lines bool
	// Hole starts code in the string, up to a closing brace.
	Hole string
}

// Token is a part of a program that layout does not change.
type Token struct {
	Text string
	Line int // where it starts, counted from 1

	follows bool // on the line of the token before
}

// String shows the token to people.
func (t Token) String() string {
	switch {
	case t.Text == "":
		return "nothing more"
	case strings.HasPrefix(t.Text, lineEnd):
		return "the end of the line"
	case len(t.Text) > longToken:
		return strings.ToValidUTF8(t.Text[:longToken], "") + "..."
	}
	return t.Text
}

// longToken is how much of a token is shown.
const longToken = 60

// tokens that stand for layout that has meaning. No program has them as text.
const (
	lineEnd = "\n"
	indent  = "\n>"
	dedent  = "\n<"
)

// Tokens takes a program apart. Programs that differ in layout, comments and in
// what formatters choose (quotes, trailing commas, parentheses around a whole
// value, semicolons at the end of a line) have the same tokens.
func (s Syntax) Tokens(program []byte) []Token {
	text := string(spec.PlainText(program))
	l := &lexer{syntax: s, text: text, line: 1, columns: []int{0}}
	n := &normalizer{syntax: s, tokens: l.all()}
	return n.sequence("")
}

// Difference returns the first tokens in which two programs differ. Same is
// false if there are such.
func Difference(a, b []Token) (inA, inB Token, same bool) {
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return Token{}, b[i], false
		case i >= len(b):
			return a[i], Token{}, false
		case a[i].Text != b[i].Text:
			return a[i], b[i], false
		}
	}
	return Token{}, Token{}, true
}

// lexer cuts a text into tokens, in the order of the text.
type lexer struct {
	syntax  Syntax
	text    string
	at      int
	line    int
	depth   int   // of brackets
	columns []int // how far the blocks are indented
	tokens  []Token
}

func (l *lexer) all() []Token {
	for l.next() {
	}
	if l.syntax.Indents {
		l.endLine(0)
	}
	return l.tokens
}

func (l *lexer) rest() string { return l.text[l.at:] }

func (l *lexer) add(text string, line int) {
	follows := len(l.tokens) > 0 && l.tokens[len(l.tokens)-1].Line == line
	if last := l.last(); !follows && !l.syntax.Indents && slices.Contains(l.syntax.Enders, last) {
		l.tokens = append(l.tokens, Token{Text: ";", Line: l.line})
	}
	l.tokens = append(l.tokens, Token{text, line, follows})
}

func (l *lexer) last() string {
	if len(l.tokens) == 0 {
		return ""
	}
	return l.tokens[len(l.tokens)-1].Text
}

// skip goes over so many bytes.
func (l *lexer) skip(n int) string {
	skipped := l.text[l.at : l.at+n]
	l.at += n
	l.line += strings.Count(skipped, "\n")
	return skipped
}

// next reads up to one token. It reports false at the end of the text.
func (l *lexer) next() bool {
	rest := l.rest()
	s := l.syntax
	switch {
	case rest == "":
		return false
	case rest[0] == '\n':
		l.skip(1)
		if s.Indents && l.depth == 0 {
			l.startLine()
		}
		return true
	case s.Indents && strings.HasPrefix(rest, "\\\n"):
		l.skip(2)
		return true
	case strings.ContainsRune(" \t\r\f\v", rune(rest[0])):
		l.skip(1)
		return true
	case s.LineComment != "" && strings.HasPrefix(rest, s.LineComment):
		line, _, _ := strings.Cut(rest, "\n")
		l.skip(len(line))
		return true
	case s.BlockComment[0] != "" && strings.HasPrefix(rest, s.BlockComment[0]):
		_, after, _ := strings.Cut(rest[len(s.BlockComment[0]):], s.BlockComment[1])
		l.skip(len(rest) - len(after))
		return true
	}
	line := l.line
	if quote, ok := l.quote(rest); ok {
		l.add(l.string(quote, ""), line)
		return true
	}
	if n := wordLength(rest); n > 0 {
		word := l.skip(n)
		if quote, ok := l.quote(l.rest()); ok && s.Prefixes && n <= 2 {
			word = l.string(quote, strings.ToLower(word))
		}
		l.add(word, line)
		return true
	}
	if s.Regexps && rest[0] == '/' && !l.afterValue() {
		l.add(l.skip(regexpLength(rest)), line)
		return true
	}
	switch {
	case strings.ContainsRune("([{", rune(rest[0])):
		l.depth++
	case strings.ContainsRune(")]}", rune(rest[0])):
		l.depth = max(l.depth-1, 0)
	}
	l.add(l.skip(operatorLength(rest)), line)
	return true
}

// startLine tells how a line is indented, unless it is blank or a comment.
func (l *lexer) startLine() {
	rest := l.rest()
	text := strings.TrimLeft(rest, " \t\f")
	if text == "" || text[0] == '\n' || strings.HasPrefix(text, l.syntax.LineComment) {
		return
	}
	column := 0
	for _, r := range rest[:len(rest)-len(text)] {
		if column++; r == '\t' {
			column = (column + 7) / 8 * 8
		}
	}
	l.endLine(column)
}

// endLine ends the line before, and the blocks that the next one is not in.
func (l *lexer) endLine(column int) {
	if len(l.tokens) == 0 {
		return
	}
	l.add(lineEnd, l.line)
	if column > l.columns[len(l.columns)-1] {
		l.columns = append(l.columns, column)
		l.add(indent, l.line)
	}
	for column < l.columns[len(l.columns)-1] {
		l.columns = l.columns[:len(l.columns)-1]
		l.add(dedent, l.line)
	}
}

func (l *lexer) quote(text string) (Quote, bool) {
	for _, q := range l.syntax.Quotes {
		if strings.HasPrefix(text, q.Mark) {
			return q, true
		}
	}
	return Quote{}, false
}

// string reads a string. The quotes that it stands in make no difference, and
// neither does a backslash that one of them needs.
func (l *lexer) string(q Quote, prefix string) string {
	raw := q.Raw || strings.Contains(prefix, "r")
	var b strings.Builder
	b.WriteString(prefix + q.Kind)
	l.skip(len(q.Mark))
	for l.at < len(l.text) {
		rest := l.rest()
		switch {
		case strings.HasPrefix(rest, q.Mark):
			l.skip(len(q.Mark))
			return b.String() + q.Kind
		case rest[0] == '\n' && !q.Lines:
			return b.String() // it has no end
		case rest[0] == '\\' && !q.Raw && len(rest) > 1:
			escape := l.skip(1 + runeLength(rest[1:]))
			if isQuote := escape == `\'` || escape == `\"`; isQuote && !raw {
				escape = escape[1:]
			}
			b.WriteString(escape)
		case q.Hole != "" && strings.HasPrefix(rest, q.Hole):
			b.WriteString(l.skip(len(q.Hole)))
			b.WriteString(l.hole())
		default:
			b.WriteString(l.skip(runeLength(rest)))
		}
	}
	return b.String()
}

// hole reads the code in a string, up to the brace that closes it.
func (l *lexer) hole() string {
	inner := &lexer{syntax: l.syntax, text: l.text, at: l.at, line: l.line, columns: []int{0}}
	for depth := 0; ; {
		before := len(inner.tokens)
		if !inner.next() {
			break
		}
		if len(inner.tokens) == before {
			continue
		}
		if last := inner.last(); last == "{" {
			depth++
		} else if last == "}" {
			if depth--; depth < 0 {
				break
			}
		}
	}
	l.at, l.line = inner.at, inner.line
	n := &normalizer{syntax: l.syntax, tokens: inner.tokens}
	var words []string
	for _, t := range n.sequence("") {
		words = append(words, t.Text)
	}
	return strings.Join(words, " ")
}

// afterValue reports whether a value ends with the token before.
func (l *lexer) afterValue() bool { return l.syntax.endsValue(l.last()) }

// endsValue reports whether a token can be the last of a value.
func (s Syntax) endsValue(token string) bool {
	if token == "" || slices.Contains(s.Operators, token) {
		return false
	}
	return strings.ContainsRune(")]}", rune(token[0])) || wordLength(token) > 0 || isString(token)
}

func isString(token string) bool {
	return len(token) > 1 && strings.ContainsAny(token[len(token)-1:], "\"'`")
}

// wordLength is how long the name or number is that a text starts with.
func wordLength(text string) int {
	isNumber := text != "" && text[0] >= '0' && text[0] <= '9'
	n := 0
	for n < len(text) {
		c := text[n]
		isLetter := c >= utf8.RuneSelf || c == '_' || c == '$' ||
			c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		inNumber := isNumber && (c == '.' || (c == '+' || c == '-') && strings.ContainsRune("eE", rune(text[n-1])) && !strings.HasPrefix(text, "0x"))
		if !isLetter && !inNumber {
			break
		}
		n++
	}
	return n
}

// operatorLength is how long the operator or bracket is that a text starts with.
// Brackets and marks between things are one character, other operators stand
// together if they are written together.
func operatorLength(text string) int {
	n := 0
	for n < len(text) && strings.ContainsRune("+-*/%&|^~<>=!?", rune(text[n])) {
		if n > 0 && (strings.HasPrefix(text[n:], "//") || strings.HasPrefix(text[n:], "/*")) {
			break
		}
		n++
	}
	return max(n, runeLength(text))
}

func runeLength(text string) int {
	_, n := utf8.DecodeRuneInString(text)
	return n
}

// regexpLength is how long the regular expression is that a text starts with.
func regexpLength(text string) int {
	inClass := false
	for n := 1; n < len(text); n++ {
		switch c := text[n]; {
		case c == '\\':
			n++
		case c == '\n':
			return 1 // it has no end, and is none
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '/' && !inClass:
			return n + 1 + wordLength(text[n+1:])
		}
	}
	return 1
}

// normalizer leaves out what formatters put in and take out.
type normalizer struct {
	syntax Syntax
	tokens []Token
	at     int
	// Of the sequence that was read last: commas between its parts, and whether
	// parentheses around it mean something.
	commas int
	bound  bool
}

func (n *normalizer) peek(i int) string {
	if n.at+i < len(n.tokens) {
		return n.tokens[n.at+i].Text
	}
	return ""
}

var closing = map[string]string{"(": ")", "[": "]", "{": "}"}

// sequence reads tokens up to a closing bracket, which stays, or to the end.
func (n *normalizer) sequence(end string) []Token {
	var out []Token
	commas, bound := 0, false
	prev := func() string {
		if len(out) == 0 {
			return ""
		}
		return out[len(out)-1].Text
	}
	for n.at < len(n.tokens) {
		t := n.tokens[n.at]
		if t.Text == end && end != "" {
			break
		}
		n.at++
		switch {
		case closing[t.Text] != "":
			inner := n.sequence(closing[t.Text])
			out = append(out, n.group(prev(), t, inner)...)
			continue
		case t.Text == ",":
			commas++
		case t.Text == ";" && n.isSpare(prev(), end):
			continue
		case n.syntax.Bare && n.peek(0) == ":" && (prev() == "," || prev() == "" && end == "}") && isName(t.Text):
			t.Text = t.Text[1 : len(t.Text)-1]
		case slices.Contains([]string{"for", "yield", "async"}, t.Text):
			bound = true
		case t.Text == ":" && n.peek(0) == "=":
			bound = true
		}
		out = append(out, t)
	}
	n.commas, n.bound = commas, bound
	return out
}

// isName reports whether a string is a name in quotes.
func isName(token string) bool {
	if !isString(token) || token[0] != token[len(token)-1] || token[0] == '`' {
		return false
	}
	name := token[1 : len(token)-1]
	return name != "" && wordLength(name) == len(name) && (name[0] < '0' || name[0] > '9')
}

// isSpare reports whether a semicolon could be left out, before what follows.
func (n *normalizer) isSpare(prev, end string) bool {
	if end == ")" || end == "]" || slices.Contains(n.syntax.Enders, prev) {
		return false
	}
	if n.at == len(n.tokens) || n.peek(0) == end || n.peek(0) == lineEnd {
		return true
	}
	return !n.tokens[n.at].follows && !strings.ContainsAny(n.peek(0)[:1], "([/+-`")
}

// group closes brackets around what is in them, where they are needed.
func (n *normalizer) group(prev string, open Token, inner []Token) []Token {
	commas, bound := n.commas, n.bound
	last := len(inner) - 1
	isTrailing := last > 0 && inner[last].Text == "," && inner[last-1].Text != ","
	// A comma makes a tuple of one value in parentheses, and of an index.
	if makesTuple := commas == 1 && (open.Text == "(") != n.syntax.endsValue(prev) && open.Text != "{" && prev != "import"; isTrailing && !makesTuple {
		inner = inner[:last]
		commas--
	}
	var end []Token
	if n.at < len(n.tokens) {
		end = n.tokens[n.at : n.at+1]
		n.at++
	}
	isWhole := open.Text == "(" && len(inner) > 0 && len(end) > 0 && n.isWhole(prev, inner, commas, bound)
	if isWhole {
		return inner
	}
	return slices.Concat([]Token{open}, inner, end)
}

// before and after are what a whole value can stand between.
var (
	before = []string{"", "(", "[", "{", ",", "=", ":", lineEnd, indent, dedent, "return", "assert", "if", "elif", "while", "=>"}
	after  = []string{"", ")", "]", "}", ",", ";", ":", lineEnd}
)

// isWhole reports whether parentheses stand around a whole value, which they do
// not change.
func (n *normalizer) isWhole(prev string, inner []Token, commas int, bound bool) bool {
	next := n.peek(0)
	switch {
	case next == "=>":
		return len(inner) == 1 // the only parameter
	case prev == "import":
		return n.syntax.Indents && next == lineEnd
	case commas > 0 || inner[0].Text == "{":
		return false
	case bound && !slices.Contains([]string{"=", "return"}, prev):
		return false
	}
	return slices.Contains(before, prev) && slices.Contains(after, next)
}
