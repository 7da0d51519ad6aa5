package javascript

import "strings"

// A doc is a piece of code together with the places where its line may break. It is laid
// out as by prettier: the kinds of doc and the functions that lay them out follow the
// printer in prettier's documentation, as far as generated code needs it. A string is a
// doc that is written unchanged.
type doc any

type (
	// concat is docs one behind the other.
	concat []doc
	// indented breaks its lines one step further in.
	indented struct{ doc }
	// group is laid out on one line if it fits there.
	group struct {
		contents doc
		// broken reports whether it is never on one line.
		broken bool
		// id, if any, lets others ask whether the group is broken.
		id *groupID
	}
	// line is a place where a line may break. It is a space otherwise, or
	// nothing if soft.
	line struct{ soft bool }
	// fill puts as many of its contents on a line as fit. Contents and
	// separators alternate.
	fill []doc
	// ifBroken is written if a group is broken: the group with the id, or the group
	// around it.
	ifBroken struct {
		text string
		id   *groupID
	}
	// indentIfBroken is one step further in if the group with the id is broken.
	indentIfBroken struct {
		doc
		id *groupID
	}
)

type groupID struct{ broken bool }

const (
	printWidth = 80
	tabWidth   = 2
)

// placed is a doc that is still to be written.
type placed struct {
	doc    doc
	indent int
	broken bool
}

// layOut writes a doc that starts at an indentation.
func layOut(d doc, indent int) string {
	breakParents(d)
	var b strings.Builder
	position := indent
	stack := []placed{{d, indent, true}}
	write := func(s string) {
		b.WriteString(s)
		position += stringWidth(s)
	}
	for len(stack) > 0 {
		next := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		with := func(d doc) placed { return placed{d, next.indent, next.broken} }
		switch d := next.doc.(type) {
		case string:
			write(d)
		case concat:
			for i := len(d) - 1; i >= 0; i-- {
				stack = append(stack, with(d[i]))
			}
		case indented:
			stack = append(stack, placed{d.doc, next.indent + tabWidth, next.broken})
		case *group:
			flat := placed{d.contents, next.indent, false}
			broken := d.broken
			if next.broken && !broken {
				broken = !fits(flat, stack, printWidth-position, false)
			}
			flat.broken = broken
			stack = append(stack, flat)
			if d.id != nil {
				d.id.broken = broken
			}
		case line:
			switch {
			case next.broken:
				b.WriteString("\n" + strings.Repeat(" ", next.indent))
				position = next.indent
			case !d.soft:
				write(" ")
			}
		case fill:
			stack = append(stack, filled(d, next, printWidth-position)...)
		case ifBroken:
			if d.id == nil && next.broken || d.id != nil && d.id.broken {
				write(d.text)
			}
		case indentIfBroken:
			if d.id.broken {
				stack = append(stack, placed{indented{d.doc}, next.indent, next.broken})
			} else {
				stack = append(stack, with(d.doc))
			}
		}
	}
	return b.String()
}

// filled takes the first content and separator off a fill.
func filled(d fill, at placed, room int) []placed {
	if len(d) == 0 {
		return nil
	}
	content := placed{d[0], at.indent, false}
	content.broken = !fits(content, nil, room, true)
	if len(d) == 1 {
		return []placed{content}
	}
	separator := placed{d[1], at.indent, content.broken}
	if len(d) == 2 {
		return []placed{separator, content}
	}
	two := placed{concat{d[0], d[1], d[2]}, at.indent, false}
	separator.broken = !fits(two, nil, room, true)
	return []placed{{d[2:], at.indent, at.broken}, separator, content}
}

// fits reports whether the next doc, up to the first place after it where the line may
// break, fits on the line.
func fits(next placed, rest []placed, room int, mustBeFlat bool) bool {
	stack := []placed{next}
	pendingSpace := false
	for room >= 0 {
		if len(stack) == 0 {
			if len(rest) == 0 {
				return true
			}
			stack = append(stack, rest[len(rest)-1])
			rest = rest[:len(rest)-1]
			continue
		}
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		push := func(d doc, broken bool) { stack = append(stack, placed{d, 0, broken}) }
		write := func(s string) {
			if s == "" {
				return
			}
			if pendingSpace {
				room--
				pendingSpace = false
			}
			room -= stringWidth(s)
		}
		switch d := top.doc.(type) {
		case string:
			write(d)
		case concat:
			for i := len(d) - 1; i >= 0; i-- {
				push(d[i], top.broken)
			}
		case fill:
			for i := len(d) - 1; i >= 0; i-- {
				push(d[i], top.broken)
			}
		case indented:
			push(d.doc, top.broken)
		case indentIfBroken:
			push(d.doc, top.broken)
		case *group:
			if mustBeFlat && d.broken {
				return false
			}
			push(d.contents, top.broken || d.broken)
		case ifBroken:
			if d.id == nil && top.broken || d.id != nil && d.id.broken {
				write(d.text)
			}
		case line:
			if top.broken {
				return true
			}
			pendingSpace = pendingSpace || !d.soft
		}
	}
	return false
}

// breakParents breaks the groups around a broken group, and reports whether the doc holds
// a broken group.
func breakParents(d doc) bool {
	broken := false
	each := func(docs []doc) {
		for _, d := range docs {
			if breakParents(d) {
				broken = true
			}
		}
	}
	switch d := d.(type) {
	case concat:
		each(d)
	case fill:
		each(d)
	case indented:
		return breakParents(d.doc)
	case indentIfBroken:
		return breakParents(d.doc)
	case *group:
		d.broken = breakParents(d.contents) || d.broken
		return d.broken
	}
	return broken
}

// list is items between brackets, on one line or each on its own line.
func list(open string, space doc, items []doc, closing string) *group {
	contents := concat{space}
	for i, item := range items {
		if i > 0 {
			contents = append(contents, ",", line{})
		}
		contents = append(contents, item)
	}
	contents = append(contents, ifBroken{text: ","})
	return &group{contents: concat{open, indented{contents}, space, closing}}
}

// call is a call with arguments of kinds that prettier never keeps together with the
// brackets.
func call(function string, args ...doc) doc {
	if len(args) == 0 {
		return function + "()"
	}
	return concat{function, list("(", line{soft: true}, args, ")")}
}

// arrow is a function without parameters whose body is an expression.
func arrow(body doc) doc {
	return &group{contents: concat{"() =>", &group{contents: indented{concat{line{}, body}}}}}
}

// assigned is a value behind the name of a variable or a key. A long string goes to a line
// of its own, and so does a value that could not even start on the name's line, unless the
// key is so short that this gains nothing.
func assigned(left, operator string, right literal) doc {
	isShort := operator == ":" && stringWidth(left) < tabWidth+3
	switch {
	case isShort || right.stays:
		return &group{contents: concat{left, operator, " ", right.doc}}
	case right.isString:
		return &group{contents: concat{left, operator, &group{contents: indented{concat{line{}, right.doc}}}}}
	}
	id := &groupID{}
	return &group{contents: concat{
		left, operator,
		&group{contents: indented{line{}}, id: id},
		indentIfBroken{right.doc, id},
	}}
}
