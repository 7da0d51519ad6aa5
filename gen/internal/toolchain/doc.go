// Package toolchain finds the compilers and interpreters of languages, the files that they
// need, and the caches that they share, and calls the compilers. It starts no untrusted
// code.
package toolchain
