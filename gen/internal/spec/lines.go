package spec

import "bytes"

// UnixLines returns a text in which each line ends with a line feed alone.
func UnixLines(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}
