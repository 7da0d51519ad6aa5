package sandbox

import (
	"strings"
	"unicode/utf8"
)

// Capture keeps the first bytes that are written to it, and as many of the last, so that
// a process that prints without end costs no memory.
type Capture struct {
	Most int // bytes of each
	head []byte
	last []byte // the text after the head
	lost bool
}

func (c *Capture) Write(p []byte) (int, error) {
	n := len(p)
	if room := c.Most - len(c.head); room > 0 {
		taken := min(room, len(p))
		c.head = append(c.head, p[:taken]...)
		p = p[taken:]
	}
	if len(p) > 0 {
		c.last = append(c.last, p...)
		if extra := len(c.last) - c.Most; extra > 0 {
			c.last = append(c.last[:0], c.last[extra:]...)
			c.lost = true
		}
	}
	return n, nil
}

// Head is the beginning of the text.
func (c *Capture) Head() string { return string(c.head) }

// Cut reports whether more was written than Head holds.
func (c *Capture) Cut() bool { return c.lost || len(c.last) > 0 }

// All is the whole text, or its beginning and its end if the text is longer than Capture
// keeps.
func (c *Capture) All() string { return string(c.head) + string(c.last) }

// KeepHead drops all of the text but its first bytes, most at most.
func (c *Capture) KeepHead(most int) {
	c.head, c.last = c.head[:min(most, len(c.head))], nil
}

// Tail is the end of the text, most bytes at most.
func (c *Capture) Tail(most int) string {
	text := c.All()
	if len(text) > most {
		text = text[len(text)-most:]
		for len(text) > 0 && !utf8.RuneStart(text[0]) {
			text = text[1:]
		}
	}
	return strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
}
