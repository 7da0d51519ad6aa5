// Package lang says what a programming language must offer to have tests
// written in it, and holds what the languages share: settings, names, layout.
//
// Each language is a package below this one and imports nothing of the others.
// All are pure: they turn a specification into text and a tool's report into
// outcomes, and open no file and start no process.
package lang
