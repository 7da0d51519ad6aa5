package docs

import (
	"bytes"
	_ "embed" // the layout of pages
	"fmt"
	"html/template"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

//go:embed page.html.tmpl
var layoutText string

//go:embed page.css
var style string

var layout = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page.html.tmpl").Parse(layoutText))
})

// pageHTML renders a text for a page. It leaves out HTML in the text, so that a page runs
// no code of a translator's.
var pageHTML = sync.OnceValue(func() goldmark.Markdown {
	markdown := goldmark.New(goldmark.WithExtensions(extension.GFM))
	// Goldmark's own renderers have the priorities 1000 and 500.
	markdown.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(pageRenderer{}, 100)))
	return markdown
})

// HTML writes the page as one file that needs no other.
func (p *Page) HTML() []byte {
	w := wordsOf[p.Locale]
	type link struct {
		Locale, Name, Dir, Href string
		Current                 bool
	}
	data := struct {
		Locale, Dir, Title string
		Style              template.CSS
		Links              []link
		Body               template.HTML
	}{
		Locale: p.Locale, Dir: w.Dir, Title: p.title,
		Style: template.CSS(strings.ReplaceAll(strings.TrimRight(style, "\n"), "var(--script-fonts)", w.Fonts)),
	}
	for _, locale := range p.locales {
		other := wordsOf[locale]
		data.Links = append(data.Links, link{locale, other.Name, other.Dir, htmlName(locale), locale == p.Locale})
	}
	var body bytes.Buffer
	for _, text := range append(p.texts[:len(p.texts):len(p.texts)], p.howTo()) {
		body.Write(renderHTML(text, true))
	}
	data.Body = template.HTML(strings.TrimRight(body.String(), "\n"))
	var b bytes.Buffer
	// A template drops comments, so this one is written here.
	b.WriteString("<!DOCTYPE html>" + mark + "\n")
	if err := layout().Execute(&b, data); err != nil {
		panic(err) // cannot happen: the template is embedded, and a buffer takes any text
	}
	return b.Bytes()
}

// renderHTML renders a text without its first heading, which names the file.
func renderHTML(source []byte, dropTitle bool) []byte {
	source = bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n"))
	root := pageHTML().Parser().Parse(text.NewReader(source))
	if h, ok := root.FirstChild().(*ast.Heading); ok && dropTitle && h.Level == 1 {
		root.RemoveChild(root, h)
	}
	var b bytes.Buffer
	if err := pageHTML().Renderer().Render(&b, source, root); err != nil {
		panic(err) // cannot happen: our renderers never fail, and a buffer takes any text
	}
	return b.Bytes()
}

// longestUnbroken is how many characters of code are never broken over two lines, so that
// a row of a board stays whole. A phone has room for as many.
const longestUnbroken = 20

// pageRenderer renders the elements that must keep their direction in a page of another
// direction.
type pageRenderer struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (r pageRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindCodeSpan, r.codeSpan)
	reg.Register(ast.KindFencedCodeBlock, r.codeBlock)
	reg.Register(ast.KindCodeBlock, r.codeBlock)
	reg.Register(ast.KindBlockquote, r.quote)
	reg.Register(extast.KindTable, r.table)
}

func (pageRenderer) codeSpan(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		code, class := codeText(n.(*ast.CodeSpan), source), ""
		if utf8.RuneCountInString(code) <= longestUnbroken {
			class = ` class="short"`
		}
		fmt.Fprintf(w, `<bdi dir="ltr"><code translate="no"%s>%s</code></bdi>`, class, util.EscapeHTML([]byte(code)))
	}
	return ast.WalkSkipChildren, nil
}

func (pageRenderer) codeBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	var content bytes.Buffer
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		content.Write(segment.Value(source))
	}
	if fenced, ok := n.(*ast.FencedCodeBlock); ok {
		if kind, ok := strings.CutPrefix(string(fenced.Language(source)), admonition); ok {
			fmt.Fprintf(w, "<aside class=\"%s\">\n%s</aside>\n", strings.ToLower(alertName(kind)), renderHTML(content.Bytes(), false))
			return ast.WalkSkipChildren, nil
		}
	}
	fmt.Fprintf(w, "<pre dir=\"ltr\" translate=\"no\"><code>%s</code></pre>\n", util.EscapeHTML(content.Bytes()))
	return ast.WalkSkipChildren, nil
}

func (pageRenderer) quote(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	quote := n.(*ast.Blockquote)
	kind := quoteKind(quote, source)
	element, class := "blockquote", ""
	if name, ok := strings.CutPrefix(kind, "an admonition ("); ok {
		element, class = "aside", fmt.Sprintf(` class="%s"`, strings.TrimSuffix(name, ")"))
	}
	if !entering {
		fmt.Fprintf(w, "</%s>\n", element)
		return ast.WalkContinue, nil
	}
	fmt.Fprintf(w, "<%s%s>\n", element, class)
	if class != "" {
		dropFirstLine(quote.FirstChild())
	}
	return ast.WalkContinue, nil
}

// dropFirstLine removes the line that names an admonition.
func dropFirstLine(paragraph ast.Node) {
	for n := paragraph.FirstChild(); n != nil; n = paragraph.FirstChild() {
		paragraph.RemoveChild(paragraph, n)
		if t, ok := n.(*ast.Text); ok && (t.SoftLineBreak() || t.HardLineBreak()) {
			return
		}
	}
}

// table lets a wide table be moved sideways within a narrow page.
func (pageRenderer) table(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		w.WriteString("<div class=\"table\">\n<table>\n")
	} else {
		w.WriteString("</table>\n</div>\n")
	}
	return ast.WalkContinue, nil
}
