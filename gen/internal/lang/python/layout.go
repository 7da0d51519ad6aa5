package python

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// lineLength is the most columns of a line that black allows.
const lineLength = 88

// node is an expression to be laid out as by black: on one line if it fits, or else with
// its items below each other.
type node struct {
	key  string // the text before it, as in "key": or name=
	text string // of a node without items of its own
	// open and close are set if the node has items.
	open, close string
	items       []node
	// call lets all items share one line between the brackets.
	call bool
	// tall puts each item on its own line, however short.
	tall bool
}

func atom(text string) node { return node{text: text} }

func call(function string, args ...node) node {
	return node{open: function + "(", close: ")", items: args, call: true}
}

func (n node) keyed(key string) node {
	n.key = key + n.key
	return n
}

func (n node) isTall() bool { return n.tall || slices.ContainsFunc(n.items, node.isTall) }

func (n node) isEmpty() bool { return n.open != "" && len(n.items) == 0 }

// flat is the node on one line.
func (n node) flat() string {
	if n.open == "" {
		return n.key + n.text
	}
	return n.key + n.open + flatItems(n.items) + n.close
}

func flatItems(items []node) string {
	flat := make([]string, len(items))
	for i, item := range items {
		flat[i] = item.flat()
	}
	return strings.Join(flat, ", ")
}

// fits reports whether a node fits on one line, with the indent and the text after it.
func (n node) fits(indent int, after string) bool {
	return !n.isTall() && indent+cells(n.flat()+after) <= lineLength
}

// layout writes a node as a statement, or as a part of a statement, behind an indent. The
// text after the node on its last line counts for the length of the line.
func layout(n node, indent int, after string) string {
	var b strings.Builder
	write(&b, n, indent, after)
	return strings.TrimSuffix(b.String(), "\n")
}

func write(b *strings.Builder, n node, indent int, after string) {
	line := func(indent int, text string) { b.WriteString(strings.Repeat(" ", indent) + text + "\n") }
	if n.open == "" || n.isEmpty() || n.fits(indent, after) {
		line(indent, n.flat()+after)
		return
	}
	line(indent, n.key+n.open)
	body := node{open: " ", items: n.items}
	if n.call && !body.isTall() && indent+4+cells(flatItems(n.items)) <= lineLength {
		line(indent+4, flatItems(n.items))
	} else {
		for _, item := range n.items {
			write(b, item, indent+4, ",")
		}
	}
	line(indent, n.close+after)
}

// assign writes an assignment. Where a value without brackets of its own is too
// long for the line, black puts it into parentheses if that helps.
func assign(name string, n node, indent int) string {
	n = n.keyed(name + " = ")
	if n.open == "" && !n.fits(indent, "") && indent+4+cells(n.text) <= lineLength {
		inner := strings.Repeat(" ", indent)
		return inner + name + " = (\n" + inner + "    " + n.text + "\n" + inner + ")"
	}
	return layout(n, indent, "")
}

// define writes the head of a function's definition. A single parameter on a line of its
// own gets a comma; several parameters that share a line do not.
func define(name string, params []string, indent int) string {
	n := call("def "+name, atoms(params)...)
	if len(params) == 1 {
		n.call = false
	}
	return layout(n, indent, ":")
}

// importFrom writes an import. If one line is too short, black gives each name a line.
func importFrom(module string, names []string, indent int) string {
	line := atom("from " + module + " import " + strings.Join(names, ", "))
	if !line.fits(indent, "") {
		line = node{open: "from " + module + " import (", close: ")", items: atoms(names), tall: true}
	}
	return layout(line, indent, "")
}

func atoms(texts []string) []node {
	nodes := make([]node, len(texts))
	for i, text := range texts {
		nodes[i] = atom(text)
	}
	return nodes
}

// cells counts the columns that a text takes on a terminal, as black does.
func cells(text string) int {
	n := 0
	for _, r := range text {
		if unicode.In(r, unicode.Mn, unicode.Me) {
			continue
		}
		n++
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth:
			n++
		}
	}
	return n
}
