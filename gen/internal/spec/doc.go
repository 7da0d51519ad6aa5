// Package spec reads the language-neutral description of an exercise and infers the
// signature of each function under test, which the description does not state.
//
// It knows canonical data, the selection made by tests.toml, values with their
// exact literals, when two values count as equal, and inferred types. It is
// pure: it opens no file, starts no process and prints nothing, and it knows
// no programming language.
package spec
