// Package docs checks the translations of an exercise's texts against their
// English, and renders the texts as pages to read.
//
// An exercise has its English texts in .docs/*.md and each translation in
// .docs/<locale>/ under the same name. [Open] finds the exercises of a tree:
// those of a track, or one exercise with the same exercise in other languages
// below tracks/. [Exercise.Check] compares each translation with its English,
// as Markdown that has been parsed rather than as lines, and returns what is
// wrong with it. [Exercise.Page] and the methods of [Page] write what a student
// reads.
//
// What the checks look for is what a translation loses without anybody
// noticing: a word that the tests compare, a link that shows as brackets, a
// blank of a drawing, a sentence that the English has gained since.
//
// The package reads from a file system that it is given. It writes no file and
// prints nothing, and it knows no programming language but some keywords.
package docs
