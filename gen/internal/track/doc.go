// Package track finds exercises on disk and reads them: their own files, and the
// published data, which may lie elsewhere.
//
// It reads files and never writes one.
package track
