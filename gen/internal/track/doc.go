// Package track finds exercises on disk and reads what they are made of: their
// own files, and the published data where those lie elsewhere.
//
// It reads files and never writes one.
package track
