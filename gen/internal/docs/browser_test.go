package docs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	gmhtml "github.com/yuin/goldmark/renderer/html"

	"stateoftictactoe/gen/internal/docs"
)

// browser finds Chromium. The environment variable CHROMIUM names it, and then
// it must be there; without one, a test that needs it is skipped.
func browser(t *testing.T) string {
	t.Helper()
	if named := os.Getenv("CHROMIUM"); named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			t.Fatalf("CHROMIUM=%s: %v", named, err)
		}
		return path
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("NOT TESTED: that no board is mirrored in a page. Chromium is missing; on Debian: apt-get install chromium fonts-noto-core")
	return ""
}

// measure is put at the end of a page. It writes into the page around it where
// the browser has drawn each character of code.
const measure = `<script>
function characters(node) {
  const found = [];
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  for (let text; (text = walker.nextNode());) {
    for (let i = 0; i < text.length; i++) {
      const range = document.createRange();
      range.setStart(text, i);
      range.setEnd(text, i + 1);
      const r = range.getBoundingClientRect();
      found.push({ text: text.data[i], left: r.left, top: r.top, width: r.width });
    }
  }
  return found;
}
const measured = {
  innerWidth: window.innerWidth,
  scrollWidth: document.documentElement.scrollWidth,
  direction: getComputedStyle(document.querySelector('h2')).direction,
  blocks: [...document.querySelectorAll('pre')].map(characters),
  spans: [...document.querySelectorAll('p code')].map(characters),
};
const out = document.createElement('script');
out.type = 'application/json';
out.id = 'measured';
out.textContent = JSON.stringify(measured).replaceAll('<', '\\u003c');
parent.document.body.append(out);
</script>`

// measured is what the script writes.
type measured struct {
	InnerWidth  float64 `json:"innerWidth"`
	ScrollWidth float64 `json:"scrollWidth"`
	Direction   string
	Blocks      [][]character
	Spans       [][]character
}

type character struct {
	Text             string
	Left, Top, Width float64
}

var measuredScript = regexp.MustCompile(`(?s)<script type="application/json" id="measured">(.*?)</script>`)

// open shows a page in the browser and returns where its code stands.
func open(t *testing.T, chromium string, page []byte, width int) measured {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	page = bytes.Replace(page, []byte("</body>"), []byte(measure+"</body>"), 1)
	// A window is never as narrow as a phone, but a frame in it is.
	frame := fmt.Sprintf("<!DOCTYPE html><meta charset=utf-8><body><iframe style=\"width:%dpx;height:900px;border:0\" srcdoc=\"%s\"></iframe></body>",
		width, html.EscapeString(string(page)))
	if err := os.WriteFile(file, []byte(frame), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, chromium,
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--disable-dev-shm-usage", "--hide-scrollbars",
		"--user-data-dir="+t.TempDir(), "--window-size=1400,1000", "--dump-dom",
		"file://"+filepath.ToSlash(file))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", chromium, err, stderr.String())
	}
	found := measuredScript.FindSubmatch(out)
	if found == nil {
		t.Fatalf("the page was not measured:\n%s\n%s", out, stderr.String())
	}
	var m measured
	if err := json.Unmarshal([]byte(html.UnescapeString(string(found[1]))), &m); err != nil {
		t.Fatal(err)
	}
	if m.InnerWidth != float64(width) {
		t.Fatalf("the page's window is %v wide, want %d", m.InnerWidth, width)
	}
	return m
}

// lines splits the characters of a block at its line ends.
func lines(block []character) [][]character {
	all := [][]character{nil}
	for _, c := range block {
		if c.Text == "\n" {
			all = append(all, nil)
			continue
		}
		all[len(all)-1] = append(all[len(all)-1], c)
	}
	if len(all[len(all)-1]) == 0 {
		all = all[:len(all)-1]
	}
	return all
}

func text(line []character) string {
	var b strings.Builder
	for _, c := range line {
		b.WriteString(c.Text)
	}
	return b.String()
}

// misplaced says what is wrong with the places of the characters of a board, or
// returns an empty string.
func misplaced(board [][]character) string {
	for i, line := range board {
		for j, c := range line {
			switch {
			case j > 0 && c.Left < line[j-1].Left+line[j-1].Width-0.5:
				return fmt.Sprintf("line %q: %q (column %d) is at %.1f, left of %q at %.1f", text(line), c.Text, j+1, c.Left, line[j-1].Text, line[j-1].Left)
			case j < len(board[0]) && math.Abs(c.Left-board[0][j].Left) > 0.5:
				return fmt.Sprintf("column %d of line %d is at %.1f, that of line 1 at %.1f", j+1, i+1, c.Left, board[0][j].Left)
			case math.Abs(c.Top-line[0].Top) > 0.5:
				return fmt.Sprintf("line %q is broken", text(line))
			}
		}
		if i > 0 && line[0].Top <= board[i-1][0].Top {
			return fmt.Sprintf("line %d is not below line %d", i+1, i)
		}
	}
	return ""
}

// checkBoards compares the places of all boards of a page with the English
// text. It returns what is wrong.
func checkBoards(m measured, boards []string) string {
	found := 0
	for _, block := range m.Blocks {
		board := lines(block)
		var shown []string
		for _, line := range board {
			shown = append(shown, text(line))
		}
		if found >= len(boards) || strings.Join(shown, "\n")+"\n" != boards[found] {
			continue // the command
		}
		found++
		if what := misplaced(board); what != "" {
			return fmt.Sprintf("board %d: %s", found, what)
		}
	}
	if found != len(boards) {
		return fmt.Sprintf("%d boards are shown, want %d", found, len(boards))
	}
	first := lines(m.Blocks[0])[0]
	if o, x := first[1], first[9]; o.Text != "O" || x.Text != "X" || o.Left >= x.Left {
		return fmt.Sprintf("the first line of the first board has %q at %.1f and %q at %.1f, want O to the left of X", o.Text, o.Left, x.Text, x.Left)
	}
	return ""
}

// englishBoards are the drawings of the English text.
func englishBoards(t *testing.T) []string {
	t.Helper()
	source, err := os.ReadFile(filepath.FromSlash("../../../.docs/instructions.md"))
	if err != nil {
		t.Fatal(err)
	}
	var boards []string
	for _, m := range regexp.MustCompile("(?s)```text\n(.*?)```").FindAllSubmatch(source, -1) {
		boards = append(boards, string(m[1]))
	}
	if len(boards) != 5 {
		t.Fatalf("%d boards in the English text, want 5", len(boards))
	}
	return boards
}

// theseExercises are the exercise at the root of the repository and the same in
// other languages.
func theseExercises(t *testing.T) []*docs.Exercise {
	t.Helper()
	exercises, err := docs.Open(os.DirFS(filepath.FromSlash("../../..")))
	if err != nil {
		t.Fatal(err)
	}
	return exercises
}

// thesePages are the pages of the exercise at the root.
func thesePages(t *testing.T) []*docs.Page {
	t.Helper()
	return pagesOf(t, theseExercises(t)[0])
}

func pagesOf(t *testing.T, e *docs.Exercise) []*docs.Page {
	t.Helper()
	pages, err := e.Pages("go test")
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) != 3 {
		t.Fatalf("%d pages, want those of en, ar and hi", len(pages))
	}
	return pages
}

const (
	desktop = 1280
	phone   = 390
)

func TestNoBoardIsMirrored(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	chromium := browser(t)
	boards := englishBoards(t)
	for _, e := range theseExercises(t) {
		for _, page := range pagesOf(t, e) {
			for _, width := range []int{desktop, phone} {
				if e.Home != nil && width == desktop {
					continue // as the first, but for longer lines of code
				}
				t.Run(fmt.Sprintf("%s/%s/%d", e.Dir, page.Locale, width), func(t *testing.T) {
					checkPage(t, open(t, chromium, page.HTML(), width), page.Locale, boards)
				})
			}
		}
	}
}

func checkPage(t *testing.T, m measured, locale string, boards []string) {
	t.Helper()
	want := "ltr"
	if locale == "ar" {
		want = "rtl"
	}
	if m.Direction != want {
		t.Errorf("the text runs %s, want %s", m.Direction, want)
	}
	if m.ScrollWidth > m.InnerWidth {
		t.Errorf("the page is %v wide in a window of %v: it scrolls sideways", m.ScrollWidth, m.InnerWidth)
	}
	if what := checkBoards(m, boards); what != "" {
		t.Error(what)
	}
	checkRows(t, m)
}

// checkRows looks at the rows of a board that are written as strings within the
// text.
func checkRows(t *testing.T, m measured) {
	t.Helper()
	rows := 0
	for _, span := range m.Spans {
		switch text(span) {
		case `"O X"`, `" XO"`, `"  X"`:
			rows++
			if what := misplaced([][]character{span}); what != "" {
				t.Errorf("code in the text: %s", what)
			}
		}
	}
	if rows != 3 {
		t.Errorf("%d rows of a board in the text, want 3", rows)
	}
}

// TestMarkdownPagesKeepDirection shows the pages for GitHub as GitHub does: the
// HTML of the Markdown, with no style but how it shows blanks in code.
func TestMarkdownPagesKeepDirection(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	chromium := browser(t)
	boards := englishBoards(t)
	github := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(gmhtml.WithUnsafe()))
	for _, page := range thesePages(t) {
		t.Run(page.Locale, func(t *testing.T) {
			var body bytes.Buffer
			if err := github.Convert(page.Markdown(), &body); err != nil {
				t.Fatal(err)
			}
			// The names that the page sets itself; GitHub allows div, span and dir.
			for _, tag := range []string{"<bdi", "<style", "<script", "class="} {
				if strings.Contains(strings.ReplaceAll(body.String(), `class="language-`, ""), tag) {
					t.Errorf("the page has %q, which GitHub does not show", tag)
				}
			}
			document := "<!DOCTYPE html><html><head><meta charset=utf-8><style>code { white-space: break-spaces } pre code { white-space: pre }</style></head><body>" +
				body.String() + "</body></html>"
			m := open(t, chromium, []byte(document), desktop)
			if what := checkBoards(m, boards); what != "" {
				t.Error(what)
			}
			checkRows(t, m)
		})
	}
}

// TestMirroredBoardIsFound takes from the Arabic page what keeps boards from
// being mirrored: the test above would then fail.
func TestMirroredBoardIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	chromium := browser(t)
	for _, page := range thesePages(t) {
		if page.Locale != "ar" {
			continue
		}
		text := strings.ReplaceAll(string(page.HTML()), ` dir="ltr"`, "")
		text = strings.ReplaceAll(text, "direction: ltr;", "")
		m := open(t, chromium, []byte(text), desktop)
		if checkBoards(m, englishBoards(t)) == "" {
			t.Error("a mirrored board is not found")
		}
	}
}
