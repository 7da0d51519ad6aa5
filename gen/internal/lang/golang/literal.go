package golang

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"stateoftictactoe/gen/internal/spec"
)

// width is how long a literal may get on one line, in bytes.
const width = 72

// literals writes values in Go, and notes which helpers and imports they need.
type literals struct {
	*naming
	needs map[string]bool // helpers of the template
	// shown reports whether values are for a reader, not for the compiler: such a value
	// stands on one line and calls no helper.
	shown    bool
	pointers bool // a value for a reader has & in front
}

// literal writes a value of a type in Go.
func (n *literals) literal(t *spec.Type, v *spec.Value) string {
	return n.write(t, v, false)
}

// bigInt writes an integer of any size.
func (n *literals) bigInt(digits string) string {
	if n.shown {
		return digits
	}
	n.needs[helpBigInt] = true
	return "bigInt(" + strconv.Quote(digits) + ")"
}

// pointerTo writes a pointer to a value.
func (n *literals) pointerTo(value string) string {
	n.needs[helpPointer] = true
	return "pointerTo(" + value + ")"
}

// write writes a value; elided leaves out the type of a composite literal, as
// inside a list or map.
func (n *literals) write(t *spec.Type, v *spec.Value, elided bool) string {
	if v == nil || v.Kind == spec.Null {
		return "nil"
	}
	if !isPointer(t) {
		return n.plain(t, v, elided)
	}
	if t.Kind == spec.RecordType {
		if elided {
			return n.plain(t, v, true)
		}
		return "&" + n.plain(t, v, false)
	}
	text := n.plain(t, v, false)
	switch {
	case n.shown:
		n.pointers = true
		return "&" + text
	case t.Kind == spec.FloatType:
		text = "float64(" + text + ")"
	case t.Kind == spec.IntType && t.Size != spec.Int64:
		text = "uint64(" + text + ")"
	}
	return n.pointerTo(text)
}

// plain writes a value that is not behind a pointer.
func (n *literals) plain(t *spec.Type, v *spec.Value, elided bool) string {
	head := ""
	if !elided {
		head = n.bare(t)
	}
	switch t.Kind {
	case spec.ListType:
		items := make([]string, len(v.Items))
		for i, item := range v.Items {
			items[i] = n.write(t.Elem, item, true)
		}
		switch scalar := isScalar(t.Elem); {
		case scalar && t.Elem.Kind != spec.StringType:
			return head + n.flow(items)
		case isGrid(v):
			return head + n.block(items)
		}
		return head + n.braces(items)
	case spec.MapType:
		items := make([]string, len(v.Fields))
		for i, f := range v.Fields {
			items[i] = strconv.Quote(f.Name) + ": " + n.write(t.Elem, f.Value, true)
		}
		return head + n.braces(items)
	case spec.RecordType:
		var items []string
		for _, f := range t.Record.Fields {
			// A missing or null field is left out: it is nil.
			if value := v.Get(f.Key); value != nil && value.Kind != spec.Null {
				items = append(items, n.fields[f]+": "+n.write(f.Type, value, false))
			}
		}
		return head + n.braces(items)
	case spec.IntType:
		if t.Size == spec.BigInt {
			return n.bigInt(v.Text)
		}
		return v.Text
	case spec.AnyType:
		return n.any(v)
	}
	return scalar(v)
}

// scalar writes a boolean, a number or a string.
func scalar(v *spec.Value) string {
	switch v.Kind {
	case spec.Bool:
		return strconv.FormatBool(v.Bool)
	case spec.String:
		return strconv.Quote(v.Text)
	}
	return v.Text
}

// any writes a value of no common type: integers are int where they fit, lists
// []any and objects map[string]any.
func (n *literals) any(v *spec.Value) string {
	switch v.Kind {
	case spec.Null:
		return "nil"
	case spec.Array:
		items := make([]string, len(v.Items))
		for i, item := range v.Items {
			items[i] = n.any(item)
		}
		return "[]any" + n.braces(items)
	case spec.Object:
		items := make([]string, len(v.Fields))
		for i, f := range v.Fields {
			items[i] = strconv.Quote(f.Name) + ": " + n.any(f.Value)
		}
		return "map[string]any" + n.braces(items)
	case spec.Number:
		if _, whole := v.Int(); !whole {
			return "float64(" + v.Text + ")"
		}
		if _, err := strconv.ParseInt(v.Text, 10, 64); err != nil {
			return n.bigInt(v.Text)
		}
	}
	return scalar(v)
}

func isScalar(t *spec.Type) bool {
	switch t.Kind {
	case spec.BoolType, spec.IntType, spec.FloatType, spec.StringType:
		return true
	}
	return false
}

// isGrid reports whether a list is rows of one length, which read best below
// each other.
func isGrid(v *spec.Value) bool {
	if len(v.Items) < 2 {
		return false
	}
	return !slices.ContainsFunc(v.Items, func(item *spec.Value) bool {
		return item.Kind != spec.String || len(item.Text) < 2 || len(item.Text) != len(v.Items[0].Text)
	})
}

// braces puts items on one line if they fit, or else each on its own line.
func (n *literals) braces(items []string) string {
	line := strings.Join(items, ", ")
	if len(line) > width || strings.Contains(line, "\n") {
		return n.block(items)
	}
	return "{" + line + "}"
}

// block puts each item on a line of its own.
func (n *literals) block(items []string) string {
	if n.shown {
		return "{" + strings.Join(items, ", ") + "}"
	}
	return "{\n" + strings.Join(items, ",\n") + ",\n}"
}

// flow fills lines with short items.
func (n *literals) flow(items []string) string {
	line := strings.Join(items, ", ")
	if len(line) <= width || n.shown {
		return "{" + line + "}"
	}
	var lines []string
	line = ""
	for _, item := range items {
		if line != "" && len(line)+len(item) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += ", "
		}
		line += item
	}
	return n.block(append(lines, line))
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
