package lang

import (
	"slices"
	"strings"
	"unicode/utf8"

	"stateoftictactoe/gen/internal/spec"
)

// Syntax is the part of a language's syntax that tells layout and comments from code.
type Syntax struct {
	// LineComment starts a comment up to the end of the line.
	LineComment string
	// BlockComment holds the start and the end of a block comment, if the language has
	// block comments.
	BlockComment [2]string
	// Quotes are the quotes of strings; of two that start alike, the longer is first.
	Quotes []Quote
	// Prefixes reports whether letters just before a quote belong to the string.
	Prefixes bool
	// Indents reports whether line ends and indentation outside of brackets have meaning.
	Indents bool
	// Bare reports whether the quotes around a key of an object make no difference.
	Bare bool
	// Regexps reports whether a slash in place of a value starts a regular expression.
	Regexps bool
	// Operators are the words before a value, as in return x.
	Operators []string
	// Enders are the words after which a line end ends the statement.
	Enders []string
}

// Quote is a kind of quotation mark around strings.
type Quote struct {
	Mark string
	// Kind is equal for quotes around which a string means the same.
	Kind string
	// Raw reports whether a backslash is an ordinary character.
	Raw bool
	// Lines reports whether the string may hold line ends.
	Lines bool
	// Hole starts code in the string, up to a closing brace.
	Hole string
}

// Token is a word, string or sign of a program; layout does not change it.
type Token struct {
	Text string
	Line int // the line where it starts, counted from 1

	follows bool // it is on the line of the token before
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

// longToken is how many characters of a token are shown.
const longToken = 60

// Tokens for layout that has meaning. No program has them as text.
const (
	lineEnd = "\n"
	indent  = "\n>"
	dedent  = "\n<"
)

// Tokens splits a program into tokens. Programs have the same tokens if they differ only
// in layout, comments and a formatter's choices: quotes, trailing commas, parentheses
// around a whole value, semicolons at the end of a line.
func (s Syntax) Tokens(program []byte) []Token {
	text := string(spec.PlainText(program))
	l := &lexer{syntax: s, text: text, line: 1, columns: []int{0}}
	n := &normalizer{syntax: s, tokens: l.all()}
	return n.sequence("")
}

// Difference returns the first tokens in which two programs differ, or reports that they
// are the same.
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
	columns []int // the indentation of the blocks around the line
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

// skip takes n bytes off the text and returns them.
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

// startLine reads the indentation of a line, unless the line is blank or a comment.
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

// endLine ends the line before, and the blocks that do not go on in the next line, which
// starts at a column.
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

// string reads a string. Its quotes make no difference, and neither does a backslash that
// only one kind of quotes needs.
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

// endsValue reports whether a token can be the last token of a value.
func (s Syntax) endsValue(token string) bool {
	if token == "" || slices.Contains(s.Operators, token) {
		return false
	}
	return strings.ContainsRune(")]}", rune(token[0])) || wordLength(token) > 0 || isString(token)
}

func isString(token string) bool {
	return len(token) > 1 && strings.ContainsAny(token[len(token)-1:], "\"'`")
}

// wordLength is the length in bytes of the name or number at the start of a text.
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

// operatorLength is the length in bytes of the operator or bracket at the start of a text.
// A bracket or separator is a single character; other signs in a row are one operator.
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

// regexpLength is the length in bytes of the regular expression at the start of a text.
func regexpLength(text string) int {
	inClass := false
	for n := 1; n < len(text); n++ {
		switch c := text[n]; {
		case c == '\\':
			n++
		case c == '\n':
			return 1 // without an end it is a division
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

// normalizer leaves out the tokens that formatters add and remove.
type normalizer struct {
	syntax Syntax
	tokens []Token
	at     int
	// About the sequence that was read last: the commas between its parts, and whether
	// parentheses around it have meaning.
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

// isSpare reports whether a semicolon before the next token could be left out.
func (n *normalizer) isSpare(prev, end string) bool {
	if end == ")" || end == "]" || slices.Contains(n.syntax.Enders, prev) {
		return false
	}
	if n.at == len(n.tokens) || n.peek(0) == end || n.peek(0) == lineEnd {
		return true
	}
	return !n.tokens[n.at].follows && !strings.ContainsAny(n.peek(0)[:1], "([/+-`")
}

// group puts brackets around the tokens in them, if they are needed.
func (n *normalizer) group(prev string, open Token, inner []Token) []Token {
	commas, bound := n.commas, n.bound
	last := len(inner) - 1
	isTrailing := last > 0 && inner[last].Text == "," && inner[last-1].Text != ","
	// A comma turns one value in parentheses into a tuple, and an index too.
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

// before and after are the tokens that can stand before and after a whole value.
var (
	before = []string{"", "(", "[", "{", ",", "=", ":", lineEnd, indent, dedent, "return", "assert", "if", "elif", "while", "=>"}
	after  = []string{"", ")", "]", "}", ",", ";", ":", lineEnd}
)

// isWhole reports whether parentheses stand around a whole value, so that they have no
// meaning.
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
