package docs

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"stateoftictactoe/gen/internal/lazy"
)

// markdown parses as GitHub does.
var markdown = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(extension.GFM))
})

// document is a parsed Markdown text.
type document struct {
	text   []byte
	blocks []block
	leaves []*leaf
	fences []fence
}

// block is a heading, a list, an item, a paragraph and so on.
type block struct {
	kind   string // in words, with all details that a translation must keep
	depth  int
	offset int
}

// leaf is a run of inline text: a heading, a paragraph or a cell of a table.
type leaf struct {
	offset   int
	prose    prose    // the text, without code spans
	full     string   // prose with the text of code spans
	code     []marked // code spans
	strong   []marked
	emphasis []marked
	links    []marked // the destinations of links and images
}

// marked is a piece of a leaf with its place.
type marked struct {
	text   string
	offset int
}

// prose is text with the offset of each of its bytes in the file.
type prose struct {
	text    string
	offsets []int
}

// codeMark stands in prose where a code span was, so that the text around it
// does not run together.
const codeMark = "\ufffc"

func (p *prose) add(s string, offset func(i int) int) {
	p.text += s
	for i := range len(s) {
		p.offsets = append(p.offsets, offset(i))
	}
}

// at is the place in the file of a byte of the prose.
func (p *prose) at(i int) int {
	switch {
	case i < len(p.offsets):
		return p.offsets[i]
	case len(p.offsets) > 0:
		return p.offsets[len(p.offsets)-1] + 1
	}
	return 0
}

// fence is a block of code.
type fence struct {
	info   string
	lines  []string // with their line ends
	places []int    // offset of each line
	offset int
}

func (f fence) content() string { return strings.Join(f.lines, "") }

// language is the first word of the info string.
func (f fence) language() string {
	words := strings.FieldsFunc(f.info, func(r rune) bool { return strings.ContainsRune(" \t{,", r) })
	if len(words) == 0 {
		return ""
	}
	return strings.ToLower(words[0])
}

// parse takes a Markdown text apart.
func parse(source []byte) *document {
	d := &document{text: source}
	w := walker{document: d, source: source, place: func(i int) int { return i }}
	w.children(markdown().Parser().Parse(text.NewReader(source)), 0)
	return d
}

// walker adds a parsed text to a document. The text is the whole file, or an admonition in
// it.
type walker struct {
	document *document
	source   []byte
	place    func(offset int) int // turns an offset in source into an offset in the file
}

func (w *walker) children(parent ast.Node, depth int) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		w.block(n, depth)
	}
}

func (w *walker) open(n ast.Node, depth int, format string, args ...any) {
	w.document.blocks = append(w.document.blocks, block{fmt.Sprintf(format, args...), depth, w.place(n.Pos())})
}

func (w *walker) block(n ast.Node, depth int) {
	switch n := n.(type) {
	case *ast.Heading:
		w.open(n, depth, "a heading of level %d", n.Level)
		w.leaf(n)
	case *ast.Paragraph, *ast.TextBlock:
		// An item of a tight list holds a text block, of a loose one a
		// paragraph. A blank line between items changes no meaning.
		w.open(n, depth, "a paragraph")
		w.leaf(n)
	case *ast.List:
		if n.IsOrdered() {
			w.open(n, depth, "a numbered list from %d", n.Start)
		} else {
			w.open(n, depth, "a list")
		}
		w.children(n, depth+1)
	case *ast.ListItem:
		w.open(n, depth, "an item")
		w.children(n, depth+1)
	case *ast.Blockquote:
		w.open(n, depth, "%s", quoteKind(n, w.source))
		w.children(n, depth+1)
	case *extast.Table:
		w.open(n, depth, "a table of %d columns", len(n.Alignments))
		w.children(n, depth+1)
	case *extast.TableHeader, *extast.TableRow:
		w.open(n, depth, "a row")
		for cell := n.FirstChild(); cell != nil; cell = cell.NextSibling() {
			w.leaf(cell)
		}
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		w.codeBlock(n, depth)
	case *ast.ThematicBreak:
		w.open(n, depth, "a rule")
	case *ast.HTMLBlock:
		w.open(n, depth, "a block of HTML")
	case *ast.LinkReferenceDefinition:
		// A definition shows nowhere; the links that use it are compared.
	default:
		w.open(n, depth, "a block (%s)", n.Kind())
		w.children(n, depth+1)
	}
}

// alert is the first line of a quote that GitHub shows as an admonition.
var alert = lazy.Regexp(`^\[!([A-Za-z]+)\][ \t]*$`)

func quoteKind(n *ast.Blockquote, source []byte) string {
	if p, ok := n.FirstChild().(*ast.Paragraph); ok && p.Lines().Len() > 0 {
		line := p.Lines().At(0)
		if m := alert().FindSubmatch(bytes.TrimRight(line.Value(source), "\r\n")); m != nil {
			return "an admonition (" + strings.ToLower(string(m[1])) + ")"
		}
	}
	return "a quote"
}

// admonition is the info string of a fence that Exercism shows as an
// admonition: its content is text, not code.
const admonition = "exercism/"

func (w *walker) codeBlock(n ast.Node, depth int) {
	f := fence{offset: w.place(n.Pos())}
	if fenced, ok := n.(*ast.FencedCodeBlock); ok && fenced.Info != nil {
		f.info = string(fenced.Info.Segment.Value(w.source))
	}
	var content bytes.Buffer
	var starts []int // of each line in content
	lines := n.Lines()
	for i := range lines.Len() {
		segment := lines.At(i)
		line := segment.Value(w.source)
		starts = append(starts, content.Len())
		f.lines = append(f.lines, string(line))
		f.places = append(f.places, w.place(segment.Start))
		content.Write(line)
	}
	kind, isAdmonition := strings.CutPrefix(f.language(), admonition)
	if !isAdmonition {
		w.open(n, depth, "a block of code")
		w.document.fences = append(w.document.fences, f)
		return
	}
	w.open(n, depth, "an admonition (%s)", kind)
	source := bytes.Clone(content.Bytes())
	inner := walker{document: w.document, source: source, place: func(offset int) int {
		for i := len(starts) - 1; i >= 0; i-- {
			if starts[i] <= offset {
				return f.places[i] + offset - starts[i]
			}
		}
		return f.offset
	}}
	inner.children(markdown().Parser().Parse(text.NewReader(source)), depth+1)
}

func (w *walker) leaf(n ast.Node) {
	l := &leaf{offset: w.place(n.Pos())}
	w.document.leaves = append(w.document.leaves, l)
	w.inlines(l, n)
}

func (w *walker) inlines(l *leaf, parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		offset := w.place(n.Pos())
		switch n := n.(type) {
		case *ast.Text:
			w.text(l, n)
		case *ast.String:
			l.add(string(n.Value), offset)
		case *ast.CodeSpan:
			code := codeText(n, w.source)
			l.code = append(l.code, marked{code, offset})
			l.prose.add(codeMark, func(int) int { return offset })
			l.full += code
		case *ast.Emphasis:
			start := len(l.full)
			w.inlines(l, n)
			if n.Level > 1 {
				l.strong = append(l.strong, marked{l.full[start:], offset})
			} else {
				l.emphasis = append(l.emphasis, marked{l.full[start:], offset})
			}
		case *ast.Link:
			l.links = append(l.links, marked{string(n.Destination), offset})
			w.inlines(l, n)
		case *ast.Image:
			l.links = append(l.links, marked{string(n.Destination), offset})
			w.inlines(l, n)
		case *ast.AutoLink:
			l.links = append(l.links, marked{string(n.URL(w.source)), offset})
		case *ast.RawHTML:
			// Tags do not show.
		default:
			w.inlines(l, n)
		}
	}
}

// text adds text as it shows: without escaping backslashes.
func (w *walker) text(l *leaf, n *ast.Text) {
	value := n.Segment.Value(w.source)
	var shown []byte
	var offsets []int
	for i := 0; i < len(value); i++ {
		if value[i] == '\\' && i+1 < len(value) && isPunctuation(value[i+1]) {
			i++
		}
		shown = append(shown, value[i])
		offsets = append(offsets, w.place(n.Segment.Start+i))
	}
	if n.SoftLineBreak() || n.HardLineBreak() {
		shown = append(shown, '\n')
		offsets = append(offsets, w.place(n.Segment.Stop))
	}
	l.prose.add(string(shown), func(i int) int { return offsets[i] })
	l.full += string(shown)
}

func (l *leaf) add(s string, offset int) {
	l.prose.add(s, func(int) int { return offset })
	l.full += s
}

func isPunctuation(c byte) bool {
	return c > ' ' && c < 0x7f && !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z')
}

// codeText is the text of a code span as it shows.
func codeText(n *ast.CodeSpan, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(source))
		}
	}
	return strings.NewReplacer("\r\n", " ", "\n", " ").Replace(b.String())
}

// merged joins all leaves into one, for texts whose parts do not pair up.
func merged(leaves []*leaf) *leaf {
	all := &leaf{}
	for _, l := range leaves {
		all.prose.text += l.prose.text + "\n\n"
		all.prose.offsets = append(all.prose.offsets, l.prose.offsets...)
		end := l.prose.at(len(l.prose.text))
		all.prose.offsets = append(all.prose.offsets, end, end)
		all.full += l.full + "\n\n"
		all.code = append(all.code, l.code...)
		all.strong = append(all.strong, l.strong...)
		all.emphasis = append(all.emphasis, l.emphasis...)
		all.links = append(all.links, l.links...)
	}
	return all
}
