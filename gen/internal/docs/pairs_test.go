package docs_test

import (
	"slices"
	"testing"

	"stateoftictactoe/gen/internal/docs"
)

// pairs are texts with a fault planted, and texts that look like it and are
// right. A near miss has no finding at all.
var pairs = []struct {
	check                string
	what                 string
	english, translation string
	want                 string // findings, as show writes them
}{
	{"utf8", "a broken byte", "One.\n", "واحد.\nا\xffب\n", "utf8 2:2"},
	{"utf8", "the replacement character itself", "One \ufffd.\n", "واحد \ufffd.\n", ""},
	{"nfc", "a letter with its hamza apart", "One.\n", "واحد.\nا\u0654خر.\n", "nfc 2:1"},
	{"nfc", "a composed letter that NFC writes apart", "One.\n", "ख\u093cबर और \u0958लम।\n", "nfc 1:9"},
	{"nfc", "a mark that has no composed form", "One.\n", "خطًا. क\u093cलम।\n", ""},
	{"nfc", "a line of code that is so in the English", "One.\n\n```text\ne\u0301\n```\n", "واحد.\n\n```text\ne\u0301\n```\n", ""},
	{"empty", "blank lines", "One.\n", " \n\n", "empty 1:1"},
	{"empty", "one word", "One.\n", "واحد\n", ""},
	{"untranslated", "the English with other blanks", "One two.\nThree.\n", "One two. Three.\n", "untranslated 1:1"},
	{"untranslated", "a text of code alone", "```go\nx\n```\n", "```go\nx\n```\n", ""},

	{"structure", "a heading a level deeper", "# One\n\nTwo.\n", "## واحد\n\nاثنان.\n", "structure 1:1"},
	{"structure", "an item lost", "- one\n- two\n", "- واحد\n", "structure 2:1"},
	{"structure", "a paragraph too many", "One.\n", "واحد.\n\nاثنان.\n", "structure 3:1"},
	{"structure", "a list that is numbered", "- one\n", "1. واحد\n", "structure 1:1"},
	{"structure", "a list that starts elsewhere", "3. one\n", "1. واحد\n", "structure 1:1"},
	{"structure", "an item moved inward", "- one\n- two\n", "- واحد\n  - اثنان\n", "structure 2:3"},
	{"structure", "a quote that is plain text", "> One.\n", "واحد.\n", "structure 1:1"},
	{"structure", "an admonition of another kind", "> [!NOTE]\n> One.\n", "> [!TIP]\n> واحد.\n", "structure 1:1, english 1:5"},
	{"structure", "an admonition whose kind is translated", "~~~~exercism/note\nOne.\n~~~~\n", "~~~~exercism/ملاحظة\nواحد.\n~~~~\n", "structure 1:1"},
	{"structure", "within an admonition", "~~~~exercism/note\n- One.\n~~~~\n", "~~~~exercism/note\nواحد.\n~~~~\n", "structure 2:1"},
	{"structure", "a column lost", "| a | b |\n|---|---|\n| c | d |\n", "| ا |\n|---|\n| ج |\n", "structure 1:1"},
	{"structure", "a row lost", "| a |\n|---|\n| b |\n| c |\n", "| ا |\n|---|\n| ب |\n", "structure 4:1"},
	{"structure", "blank lines, other marks and a table of other width",
		"# One\n- two\n- three\n\n| a | b |\n|---|---|\n| c | d |\n\n> [!NOTE]\n> e\n",
		"واحد\n====\n\n* اثنان\n\n* ثلاثة\n\n\n| الأول | ب |\n| :-- | --- |\n| ج | د |\n\n> [!NOTE]\n> هـ\n", ""},

	{"fence", "a trailing space lost", "```text\n O | \n```\n", "```text\n O |\n```\n", "fence 2:1"},
	{"fence", "a line lost", "```text\na\nb\n```\n", "```text\na\n```\n", "fence 1:1"},
	{"fence", "a line too many", "```text\na\n```\n", "```text\na\nb\n```\n", "fence 3:1"},
	{"fence", "the info string lost", "```text\na\n```\n", "```\na\n```\n", "fence 1:1"},
	{"fence", "a comment translated", "```go\n// one\n```\n", "```go\n// واحد\n```\n", "fence 2:1"},
	{"fence", "a block lost", "One.\n\n```go\na\n```\n", "واحد.\n", "structure 2:1, fence 2:1"},
	{"fence", "another fence around the same code", "```text\n O | \n```\n", "~~~~text\n O | \n~~~~\n", ""},
	{"fence", "the text of an admonition", "~~~~exercism/note\nOne.\n~~~~\n", "~~~~exercism/note\nواحد.\n~~~~\n", ""},

	{"code", "a code span translated", "Use `X` now.\n", "استخدم `س` الآن.\n", "code 1:1, code-added 1:8"},
	{"code", "the ticks lost", "Use `nil` now.\n", "استخدم nil الآن.\n", "code 1:1"},
	{"code", "a blank within lost", "The row `\" X\"`.\n", "الصف `\"X\"`.\n", "code 1:1, code-added 1:6"},
	{"code", "once less and in another order", "`X` is `O`, and `X` is.\n", "هو `O` مثل `X`.\n", ""},
	{"code-added", "a code span that the English lacks", "Use it.\n", "استخدم `x` هنا.\n", "code-added 1:8"},
	{"code-added", "the same code twice", "Use `x` here.\n", "استخدم `x` هنا، أي `x`.\n", ""},

	{"link", "a destination lost", "See [this](https://example.org/a).\n", "انظر هذا.\n", "link 1:1"},
	{"link", "a destination changed", "See [this](https://example.org/a).\n", "انظر [هذا](https://example.org/ar/a).\n", "link 1:1"},
	{"link", "a picture lost", "![one](one.png)\n", "واحد\n", "link 1:1"},
	{"link", "a reference in place of an address", "See [this](https://example.org/a).\n", "انظر [هذا][1].\n\n[1]: https://example.org/a\n", ""},
	{"reference", "a label that is translated", "See [this][one].\n\n[one]: https://example.org/a\n", "انظر [هذا][واحد].\n\n[one]: https://example.org/a\n", "link 1:1, reference 1:10"},
	{"reference", "a label around code", "See [`x`][one].\n\n[one]: https://example.org/a\n", "انظر [`x`][واحد].\n\n[one]: https://example.org/a\n", "link 1:1, reference 1:10"},
	{"reference", "brackets that the English shows too", "Read a[i][j] now.\n", "اقرأ a[i][j] الآن.\n", ""},
	{"reference", "brackets in code", "Read it.\n\n```go\na[i][j]\n```\n", "اقرأ.\n\n```go\na[i][j]\n```\n", ""},

	{"asterisks", "bold text that ends in a mark and touches a letter", "**One.** Two.\n", "**واحد.**ثم اثنان.\n", "asterisks 1:1, emphasis 1:1"},
	{"asterisks", "bold text that starts with a space", "A **one** here.\n", "هنا ** واحد** هنا.\n", "emphasis 1:1, asterisks 1:5"},
	{"asterisks", "asterisks that are escaped", "A **one** here.\n", "هنا \\*\\*واحد\\*\\* هنا.\n", "emphasis 1:1, asterisks 1:6"},
	{"asterisks", "a power that the English shows too", "It is 2 ** 3.\n", "هو 2 ** 3.\n", ""},
	{"asterisks", "bold text", "**One.** Two.\n", "**واحد.** اثنان.\n", ""},

	{"literal", "a result in bold", "**ongoing**: go on.\n", "**جارية**: استمر.\n", "literal 1:1"},
	{"literal", "a message in quotes", "Say \"Wrong turn order: O started\".\n", "قل \"ترتيب خاطئ: بدأ O\".\n", "literal 1:1"},
	{"literal", "a message in code", "Say `Wrong turn order: O started`.\n", "قل `ترتيب خاطئ: بدأ O`.\n", "literal 1:1, code-added 1:4"},
	{"literal", "a text within a result in quotes of typography", "Say “Whatever.” then.\n", "قل «أيًّا كان» عندئذ.\n", "literal 1:1"},
	{"literal", "a longer word in its place", "**ongoing**: go on.\n", "**ongoings**: استمر.\n", "literal 1:1"},
	{"literal", "the word as a word", "The game is ongoing.\n", "اللعبة جارية.\n", ""},
	{"literal", "kept, with a letter glued to it", "It is **ongoing**.\n", "هي **الـongoing**.\n", ""},

	{"digits", "Arabic digits", "There are 3.\n", "هناك ٣.\n", "digits 1:6"},
	{"digits", "Devanagari digits", "There are 3.\n", "यहाँ ३ हैं।\n", "digits 1:6"},
	{"digits", "digits that the English speaks of", "The digit ٣ is 3.\n", "الرقم ٣ هو 3.\n", ""},
	{"digits", "Western digits", "There are 3.\n", "هناك 3.\n", ""},

	{"hidden", "a right-to-left mark", "One.\n", "واحد\u200f.\n", "hidden 1:5"},
	{"hidden", "an isolate", "Use `x` now.\n", "استخدم \u2066`x`\u2069 الآن.\n", "hidden 1:8, hidden 1:12"},
	{"hidden", "a zero-width space", "One.\n", "एक\u200bदो।\n", "hidden 1:3"},
	{"hidden", "a byte order mark", "One.\n", "واحد\ufeff.\n", "hidden 1:5"},
	{"hidden", "a no-break space", "One two.\n", "واحد\u00a0اثنان.\n", "hidden 1:5"},
	{"hidden", "a mark by its name", "One.\n", "واحد&rlm;.\n", "hidden 1:5"},
	{"hidden", "a joiner at the end of a word", "One.\n", "एक्\u200d दो।\n", "hidden 1:4"},
	{"hidden", "a joiner between Latin letters", "One `x`.\n", "وا a\u200db `x`.\n", "hidden 1:5"},
	{"hidden", "joiners between Devanagari letters", "One.\n", "शक्\u200dति और क्\u200cष।\n", ""},
	{"hidden", "what the English speaks of", "The character \u200f here.\n", "الحرف \u200f هنا.\n", ""},
	{"hidden", "another character by its name", "One & two.\n", "واحد &amp; اثنان.\n", ""},

	{"emphasis", "bold text lost", "A **very** big one.\n", "كبير جدًّا.\n", "emphasis 1:1"},
	{"emphasis", "italics lost", "A *very* big one.\n", "كبير جدًّا.\n", "emphasis 1:1"},
	{"emphasis", "other marks for italics", "A *very* big one.\n", "كبير _جدًّا_ هنا.\n", ""},

	{"numbers", "a number changed", "There are 12.\n", "هناك 21.\n", "numbers 1:1, numbers 1:6"},
	{"numbers", "a number lost", "There are 12 of 13.\n", "هناك 12.\n", "numbers 1:1"},
	{"digits", "other digits for the same number", "There are 12.\n", "هناك ١٢.\n", "digits 1:6, digits 1:7"},
	{"numbers", "another order", "From 1 to 2.\n", "إلى 2 من 1.\n", ""},
	{"numbers", "digits in a name", "As utf8.\n", "بالترميز نفسه.\n", ""},

	{"keyword", "a keyword set apart", "Use *raise* here.\n\n```python\nraise E\n```\n", "ارفع *خطأ* هنا.\n\n```python\nraise E\n```\n", "keyword 1:1"},
	{"keyword", "a keyword that the text introduces", "A return statement.\n\n```go\nreturn x\n```\n", "عبارة إرجاع.\n\n```go\nreturn x\n```\n", "keyword 1:1"},
	{"keyword", "a keyword that is no word", "It is nil.\n\n```go\nreturn nil\n```\n", "هو لا شيء.\n\n```go\nreturn nil\n```\n", "keyword 1:1"},
	{"keyword", "a keyword with a letter glued to it", "Use raise here.\n\n```python\nraise E\n```\n", "استخدم هذا وraise هنا.\n\n```python\nraise E\n```\n", ""},
	{"keyword", "the word as a word", "Return it, or raise your hand.\n\n```python\nraise E\nreturn x\n```\n", "أعده أو ارفع يدك.\n\n```python\nraise E\nreturn x\n```\n", ""},
	{"keyword", "a word that is a keyword of another language", "It is nil.\n\n```python\nreturn x\n```\n", "هو لا شيء.\n\n```python\nreturn x\n```\n", ""},

	{"english", "words left over", "Look at the board.\n", "انظر إلى the board الآن.\n", "english 1:10"},
	{"english", "names, code and what is compared", "It uses Go and JSON, not `x`: ongoing.\n\nIn Berlin too.\n", "يستخدم Go وJSON لا `x`، وهي ongoing.\n\nوفي Berlin أيضًا.\n", ""},
	{"english", "an address and a tag", "See <https://example.org/the/board>.<br>\n", "انظر <https://example.org/the/board>.<br>\n", ""},
	{"english", "a language of the same script", "Look at the board.\n", "Schau auf das board.\n", ""},

	{"comma", "a Latin comma", "One, two.\n", "واحد, اثنان.\n", "comma 1:5"},
	{"comma", "a Latin question mark", "One?\n", "واحد?\n", "comma 1:5"},
	{"comma", "Arabic marks, and a comma after Latin", "X, O: 1,000?\n", "X, O: 1,000 أو واحد، اثنان؟\n", ""},
}

func TestEachCheckCatchesAndLeavesAlone(t *testing.T) {
	caught, left := map[string]bool{}, map[string]bool{}
	for _, p := range pairs {
		t.Run(p.check+"/"+p.what, func(t *testing.T) {
			findings := check(t, tree(p.english, p.translation))
			if got := show(findings); got != p.want {
				t.Errorf("findings: %s\nwant:     %s\n%v", got, p.want, findings)
			}
			if p.want == "" {
				left[p.check] = true
			} else if !slices.ContainsFunc(findings, func(f docs.Finding) bool { return f.Check == p.check }) {
				t.Errorf("the check %s finds nothing: %v", p.check, findings)
			}
			caught[p.check] = caught[p.check] || p.want != ""
		})
	}
	// These concern files beside the texts, and have tests of their own.
	elsewhere := []string{"missing", "orphan", "stale", "page", "waiver"}
	for _, c := range docs.Checks {
		if !slices.Contains(elsewhere, c.Name) && (!caught[c.Name] || !left[c.Name]) {
			t.Errorf("the check %s has no planted fault or no near miss", c.Name)
		}
	}
}
