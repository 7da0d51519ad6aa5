package docs_test

import (
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/docs"
)

// arabicPage renders a text as the Arabic page of an exercise.
func arabicPage(t *testing.T, text string) *docs.Page {
	t.Helper()
	exercises, err := docs.Open(tree("One.\n", text))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := exercises[0].Pages("")
	if err != nil {
		t.Fatal(err)
	}
	return pages[1]
}

func TestMarkdownOfRightToLeftText(t *testing.T) {
	for _, test := range []struct{ what, text, want string }{
		{"the title goes", "# عنوان\n\nنص.\n", "نص.\n"},
		{"the title with a line below it goes", "عنوان\n===\nنص.\n", "نص.\n"},
		{"a further title stays", "نص.\n\n# عنوان\n", "نص.\n\n# عنوان\n"},
		{"code", "ا `x` و``a`b``.\n", "ا <span dir=\"ltr\">`x`</span> و<span dir=\"ltr\">``a`b``</span>.\n"},
		{"ticks that are no code", "ا `x \\`y\n", "ا <span dir=\"ltr\">`x \\`</span>y\n"},
		{"a block", "ا\n\n```text\n O |\n```\n\nب\n", "ا\n\n<div dir=\"ltr\">\n\n```text\n O |\n```\n\n</div>\n\nب\n"},
		{"a block that text touches", "```\nx\n```\nب\n", "<div dir=\"ltr\">\n\n```\nx\n```\n\n</div>\n\nب\n"},
		{"a block that does not end", "```\nx", "<div dir=\"ltr\">\n\n```\nx\n\n</div>\n"},
		{"a block in an item", "- ا\n  ```text\n  x\n  ```\n- ب\n", "- ا\n  <div dir=\"ltr\">\n\n  ```text\n  x\n  ```\n\n  </div>\n\n- ب\n"},
		{"a block that starts an item", "1. ```text\n   x\n   ```\n", "1. <div dir=\"ltr\">\n\n   ```text\n   x\n   ```\n\n   </div>\n"},
		{"a block in a quote", "> ```text\n> x\n> ```\n", "> <div dir=\"ltr\">\n>\n> ```text\n> x\n> ```\n>\n> </div>\n"},
		{"an indented block", "ا\n\n    x\n      ```\n\nب\n", "ا\n\n<div dir=\"ltr\">\n\n````\nx\n  ```\n````\n\n</div>\n\nب\n"},
		{"an admonition", "~~~~exercism/caution\nا `x`.\n\n```go\ny\n```\n~~~~\n\nب\n",
			"> [!CAUTION]\n> ا <span dir=\"ltr\">`x`</span>.\n>\n> <div dir=\"ltr\">\n>\n> ```go\n> y\n> ```\n>\n> </div>\n\nب\n"},
	} {
		t.Run(test.what, func(t *testing.T) {
			page := string(arabicPage(t, test.text).Markdown())
			_, got, _ := strings.Cut(page, "</span>\n\n")
			if want := test.want + "\n\n\n</div>\n"; strings.ReplaceAll(got, "\n\n\n", "\n\n") != strings.ReplaceAll(want, "\n\n\n", "\n\n") {
				t.Errorf("page:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func TestHTMLOfTexts(t *testing.T) {
	for _, test := range []struct{ what, text, want string }{
		{"the title goes", "# عنوان\n\nنص.\n", "<p>نص.</p>"},
		{"code", "ا `a <b`.\n", `<p>ا <bdi dir="ltr"><code translate="no" class="short">a &lt;b</code></bdi>.</p>`},
		{"long code", "`a message that is longer`\n", `<p><bdi dir="ltr"><code translate="no">a message that is longer</code></bdi></p>`},
		{"a block", "```text\n O | <\n```\n", "<pre dir=\"ltr\" translate=\"no\"><code> O | &lt;\n</code></pre>"},
		{"an admonition of Exercism", "~~~~exercism/note\n# ا\n~~~~\n", "<aside class=\"note\">\n<h1>ا</h1>\n</aside>"},
		{"an admonition of GitHub", "> [!TIP]\n> ا\n", "<aside class=\"tip\">\n<p>ا</p>\n</aside>"},
		{"a quote", "> ا\n", "<blockquote>\n<p>ا</p>\n</blockquote>"},
		{"a table", "| ا |\n|---|\n", "<div class=\"table\">\n<table>\n<thead>\n<tr>\n<th>ا</th>\n</tr>\n</thead>\n</table>\n</div>"},
		{"a script", "ا <script>alert(1)</script>\n", "<p>ا <!-- raw HTML omitted -->alert(1)<!-- raw HTML omitted --></p>"},
	} {
		t.Run(test.what, func(t *testing.T) {
			page := string(arabicPage(t, test.text).HTML())
			_, got, _ := strings.Cut(page, "<main>\n")
			got, _, _ = strings.Cut(got, "\n</main>")
			if got != test.want {
				t.Errorf("page:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
}

// A page needs no other file, says what it is, and is the same each time.
func TestHTMLStandsAlone(t *testing.T) {
	for _, page := range thesePages(t) {
		text := string(page.HTML())
		if text != string(page.HTML()) {
			t.Errorf("%s: two renderings differ", page.Locale)
		}
		first, _, _ := strings.Cut(text, "\n")
		if !strings.Contains(first, "Code generated") || !strings.Contains(first, "DO NOT EDIT") {
			t.Errorf("%s: the first line is %s", page.Locale, first)
		}
		for _, outside := range []string{"http:", "https:", "<link", "<script", "src=", "url(", "@import", "var(--script-fonts)"} {
			if strings.Contains(text, outside) {
				t.Errorf("%s: the page has %s", page.Locale, outside)
			}
		}
		direction := "ltr"
		if page.Locale == "ar" {
			direction = "rtl"
		}
		if want := `<html lang="` + page.Locale + `" dir="` + direction + `">`; !strings.Contains(text, want) {
			t.Errorf("%s: the page lacks %s", page.Locale, want)
		}
	}
}
