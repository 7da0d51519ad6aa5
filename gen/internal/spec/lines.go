package spec

import "bytes"

// PlainText returns a text without a byte order mark in front, in which each line ends
// with a line feed alone: on which system a file was written makes no difference.
func PlainText(text []byte) []byte {
	return bytes.ReplaceAll(withoutMark(text), []byte("\r\n"), []byte("\n"))
}
