package lang_test

import (
	"testing"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/golang"
	"stateoftictactoe/gen/internal/lang/javascript"
	"stateoftictactoe/gen/internal/lang/python"
)

// TestTokens compares programs that say the same in another layout, and such that
// look alike and do not.
func TestTokens(t *testing.T) {
	goes, py, js := golang.Go{}.Facts().Syntax, python.Python{}.Facts().Syntax, javascript.JavaScript{}.Facts().Syntax
	tests := []struct {
		name   string
		syntax lang.Syntax
		a, b   string
		same   bool
	}{
		{"line ends", goes, "a := 1\nb := 2\n", "a := 1\r\nb := 2\r\n", true},
		{"a byte order mark", goes, "package x", "\ufeffpackage x", true},
		{"columns", goes, "x := T{\n\ta:   1,\n\tbcd: 2,\n}", "x := T{a: 1, bcd: 2}", true},
		{"comments", goes, "a() // one\n/* two\n*/ b()", "a()\nb()", true},
		{"a comment in a string", goes, `x("a // b")`, `x("a // c")`, false},
		{"a comment in a raw string", goes, "x(`a /* b */`)", "x(`a `)", false},
		{"a backslash in a raw string", goes, "x(`\\`, 1)", "x(`\\`, 2)", false},
		{"a string and a rune", goes, `x('a')`, `x("a")`, false},
		{"a raw string", goes, "x(`a`)", `x("a")`, false},
		{"a number", goes, "x(1.5)", "x(1.50)", false},
		{"a name", goes, "TwoFer(a)", "Twofer(a)", false},
		{"order", goes, "{a}, {b}", "{b}, {a}", false},
		{"a call more", goes, "f(a)", "f(a)\nf(b)", false},
		{"parentheses that mean something", goes, "x := a * (b + c)", "x := a * b + c", false},
		{"spaces in a string", goes, `x("a  b")`, `x("a b")`, false},
		{"a return and its value", goes, "return\nx", "return x", false},
		{"an operator", goes, "a == b", "a != b", false},
		{"operators", goes, "a - -b", "a--b", false},

		{"quotes", py, `f("it's", "a\"b", 'c')`, `f('it\'s', 'a"b', "c")`, true},
		{"another text", py, `f("it's")`, `f("its")`, false},
		{"a line more", py, "f(\n    a,\n    b,\n)\n", "f(a, b)\n", true},
		{"a tuple", py, "x = (1,)\n", "x = (1)\n", false},
		{"a tuple that is returned", py, "return (1,)\n", "return (1)\n", false},
		{"a call of one argument", py, "f(\n    1,\n)\n", "f(1)\n", true},
		{"an index", py, "x[1,]\n", "x[1]\n", false},
		{"a list", py, "x = [\n    1,\n]\n", "x = [1]\n", true},
		{"width of indentation", py, "if a:\n    b\nc\n", "if a:\n\tb\nc\n", true},
		{"a dedent", py, "if a:\n    b\n    c\n", "if a:\n    b\nc\n", false},
		{"a dedent behind a comment", py, "if a:\n    b\n# d\n    c\n", "if a:\n    b\n\n    c\n", true},
		{"a dedent of two", py, "if a:\n  if b:\n    c\nd\n", "if a:\n  if b:\n    c\n  d\n", false},
		{"an end without a line end", py, "if a:\n    b", "if a:\n    b\n\n", true},
		{"lines that are joined", py, "a = b + \\\n    c\n", "a = (\n    b + c\n)\n", true},
		{"a tuple in parentheses", py, "a = (b, c)\n", "a = b, c\n", false},
		{"a choice in parentheses", py, "x = {\n    1: (\n        a if b else c\n    ),\n}\n", "x = {1: a if b else c}\n", true},
		{"a generator in a list", py, "x = [(a for a in b)]\n", "x = [a for a in b]\n", false},
		{"an import", py, "from x import (\n    a,\n    b,\n)\n", "from x import a, b\n", true},
		{"an import of one", py, "from x import (\n    a,\n)\n", "from x import a\n", true},
		{"a mark in triple quotes", py, "x = \"\"\"a # b\n'c\"\"\" + '#'\n", "x = \"\"\"a # b\n'c\"\"\" + ''\n", false},
		{"triple quotes", py, "\"\"\"a\"\"\"\n", "'a'\n", true},
		{"a quote in triple quotes", py, "x(\"\"\"a\"b\"\"\")\n", "x('a\"b')\n", true},
		{"a prefix", py, `x(r"\n")`, `x("\n")`, false},
		{"a raw string's quotes", py, `x(r"\d")`, `x(r'\d')`, true},
		{"a backslash at the end", py, `x("a\\", "b")`, `x("a\\", "c")`, false},
		{"a key", py, `{"a": 1}`, `{a: 1}`, false},
		{"adjacent strings", py, `x("a" "b")`, `x("a", "b")`, false},
		{"a statement in a line", py, "a; b\n", "a\nb\n", false},

		{"quotes", js, `f('it\'s', "a")`, `f("it's", 'a')`, true},
		{"semicolons", js, "a();\nb();\n", "a()\nb()\n", true},
		{"a semicolon that is needed", js, "a();\n(b)();\n", "a()\n;(b)()\n", true},
		{"a loop", js, "for (a; b; c) {}", "for (a, b, c) {}", false},
		{"an arrow", js, "x((a) => a + 1);", "x(a => a + 1);", true},
		{"an arrow's object", js, "x(() => ({}));", "x(() => {});", false},
		{"an arrow's choice", js, "x(() => (a ? b : c));", "x(() =>\n  a ? b : c,\n);", true},
		{"keys", js, "x({ 'a': 1, b: 2 });", "x({ a: 1, 'b': 2 });", true},
		{"a key that needs quotes", js, "x({ 'a-b': 1 });", "x({ 'a_b': 1 });", false},
		{"a template", js, "x(`a // ${b + '`'} c`);", "x(`a // ${b +\n '`'} c`);", true},
		{"a template's text", js, "x(`a  ${b}`);", "x(`a ${b}`);", false},
		{"a template in a template", js, "x(`a ${`b ${c}`}`, '//');", "x(`a ${`b ${c}`}`, '');", false},
		{"a template with a brace", js, "x(`${{a: '}'}}`, 1);", "x(`${{a: '}'}}`, 2);", false},
		{"a template for a string", js, "x(`a`);", "x('a');", false},
		{"a regular expression", js, "x(/[/'\"]\\//g, 'a');", "x(/[/'\"]\\//g, 'b');", false},
		{"a comment in a regular expression", js, "x(/a\\/*b/, 1);", "x(/a\\/*c/, 1);", false},
		{"a division", js, "a / b / c; // d", "a / b / c", true},
		{"a hole", js, "[1, , ]", "[1, ]", false},
		{"trailing commas", js, "f(\n  a,\n  [b,],\n);", "f(a, [b]);", true},
		{"a sum in parentheses", js, "return (\n  a &&\n  b\n);", "return a && b;", true},
		{"a return and its value", js, "return\nx", "return x", false},
		{"increments", js, "a + +b", "a++b", false},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			if a, b, same := lang.Difference(tc.syntax.Tokens([]byte(tc.a)), tc.syntax.Tokens([]byte(tc.b))); same != tc.same {
				t.Errorf("%q and %q are the same: %v; first difference %q and %q", tc.a, tc.b, same, a.Text, b.Text)
			}
		})
	}
}

// FuzzTokens wants no text to stop it.
func FuzzTokens(f *testing.F) {
	for _, text := range []string{"", "(", "`${", "`${`", "'", `"\`, "/", "/*", "a\\", ")]}", "if a:\n  b\n c", "\xff'\xff", "import (", "=> (a)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range []lang.Language{golang.Go{}, python.Python{}, javascript.JavaScript{}} {
			l.Facts().Syntax.Tokens([]byte(text))
		}
	})
}
