package docs

import (
	"slices"
	"strings"

	"stateoftictactoe/gen/internal/lazy"
)

// keywords are the keywords of a language, by the language's name in an info string.
var keywords = map[string]string{
	"go": "break case chan const continue default defer else fallthrough for func go goto if import interface " +
		"map package range return select struct switch type var nil true false",
	"python": "and as assert async await break class continue def del elif else except finally for from global if " +
		"import in is lambda nonlocal not or pass raise return try while with yield None True False",
	"javascript": "async await break case catch class const continue debugger default delete do else export extends " +
		"finally for function if import in instanceof let new null of return static super switch this throw true " +
		"false try typeof undefined var void while yield",
	"rust": "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match " +
		"mod move mut pub ref return self static struct super trait true type unsafe use where while",
	"java": "abstract assert boolean break case catch class continue default do double else enum extends final " +
		"finally for if implements import instanceof interface int long new null package private protected public " +
		"return static super switch this throw throws true false try void while",
}

// otherNames are other names of a language in an info string.
var otherNames = map[string]string{
	"golang": "go", "py": "python", "python3": "python", "pycon": "python",
	"js": "javascript", "mjs": "javascript", "typescript": "javascript", "ts": "javascript", "rs": "rust",
}

// notWords are the keywords that are not English words: in a text they can only mean the
// keyword.
var notWords = wordSet("async await chan const crate def del dyn elif enum fallthrough fn func goto impl instanceof " +
	"mut nil nonlocal null pub struct typeof undefined var")

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// keywordsIn collects the keywords that blocks of code use.
func keywordsIn(fences []fence) map[string]bool {
	used := map[string]bool{}
	for _, f := range fences {
		language := f.language()
		if name, ok := otherNames[language]; ok {
			language = name
		}
		all := strings.Fields(keywords[language])
		for _, w := range word().FindAllString(f.content(), -1) {
			if slices.Contains(all, w) {
				used[w] = true
			}
		}
	}
	return used
}

var (
	introducing = lazy.Regexp(`(?i)\b(?:use|uses|using|keyword|statement|operator) $`)
	explaining  = lazy.Regexp(`^ (?:keyword|statement|clause|block|loop|expression|operator)s?\b`)
)

// introduced reports whether the words around a word say that it is a keyword.
func introduced(text string, start, end int) bool {
	return introducing().MatchString(text[:start]) || explaining().MatchString(text[end:])
}
