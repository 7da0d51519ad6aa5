// Package lang defines the interface of a programming language, and holds the parts that
// all languages share: settings, names, tokens.
//
// Each language is a package below this one and imports nothing of the others.
// All are pure: they turn a specification into text and a tool's report into
// outcomes, and open no file and start no process.
package lang
