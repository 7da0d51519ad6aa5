// Package spec reads the language-neutral description of an exercise and
// infers what no line of it says: the signature of each function it tests.
//
// It knows canonical data, the selection made by tests.toml, values with their
// exact literals, when two values count as equal, and inferred types. It is
// pure: it opens no file, starts no process and prints nothing, and it knows
// no programming language.
package spec
