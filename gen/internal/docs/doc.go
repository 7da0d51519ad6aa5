// Package docs checks the translations of an exercise's texts against their
// English, and renders the texts as pages to read.
//
// An exercise has its English texts in .docs/*.md and each translation in
// .docs/<locale>/ under the same name. [Open] finds the exercises of a tree:
// those of a track, or one exercise with the same exercise in other languages
// below tracks/. [Exercise.Check] compares each translation with its English,
// as parsed Markdown rather than as lines, and returns the faults. [Exercise.Pages] and
// the methods of [Page] write the pages that a student reads.
//
// The checks look for losses that nobody notices: a word that the tests compare, a link
// that shows as brackets, a blank of a drawing, a sentence that is new in the English.
//
// The package reads from a file system that it is given. It writes no file and prints
// nothing. It knows some keywords of programming languages, but nothing else of them.
package docs
