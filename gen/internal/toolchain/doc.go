// Package toolchain finds the compilers and interpreters of languages, what they need
// of the folders that they are installed in, and the caches that they share. It starts
// no untrusted code.
package toolchain
