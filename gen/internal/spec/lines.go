package spec

import "bytes"

// PlainText returns a text without a byte order mark, and with line feeds alone as line
// ends, so that files written on any system read alike.
func PlainText(text []byte) []byte {
	return bytes.ReplaceAll(withoutMark(text), []byte("\r\n"), []byte("\n"))
}
