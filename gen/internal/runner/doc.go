// Package runner starts the processes of the harness, and is the only package
// that does: it makes work dirs, holds deadlines and caps what is printed.
package runner
