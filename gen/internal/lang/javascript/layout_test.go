package javascript

import (
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/spec"
)

// inferred reads a value and finds its type.
func inferred(t *testing.T, text string) (*spec.Type, *spec.Value) {
	t.Helper()
	v, err := spec.ParseJSON("value.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	f := spec.Infer("x", []*spec.Case{{Property: "p", Input: &spec.Value{Kind: spec.Object}, Expected: v}}, nil).Functions
	if len(f) == 0 {
		t.Fatalf("%s needs a template", text)
	}
	return f[0].Result, v
}

func TestLiterals(t *testing.T) {
	long := strings.Repeat("long ", 14)
	for _, tc := range []struct {
		name, json, want string
	}{
		{"null", `null`, `const x = null;`},
		{"boolean", `true`, `const x = true;`},
		{"integer", `-7`, `const x = -7;`},
		{"largest double", `1.7976931348623157E+308`, `const x = 1.7976931348623157e308;`},
		{"zeros behind a number", `[1.0, 1.50, 1.500e-07, 2E+00, -0]`, `const x = [1.0, 1.5, 1.5e-7, 2, -0];`},
		{"large integer", `18446744073709551615`, `const x = 18446744073709551615n;`},
		{"no quotes to escape", `"it's"`, `const x = "it's";`},
		{"as many of both", `"'\""`, `const x = '\'"';`},
		{"fewer escapes", `"''\""`, `const x = "''\"";`},
		{"backslash", `"a\\b"`, `const x = 'a\\b';`},
		{"control characters", `"\b\t\n\u000b\f\r\u0000\u001f\u007f"`, `const x = '\b\t\n\v\f\r\u0000\u001f\u007f';`},
		{"characters that cannot be seen", `"\u00a0\u200d\u2028\ufeff\udb40\udc41"`, `const x = '\u00a0\u200d\u2028\ufeff\u{e0041}';`},
		{"the data's own characters", `"Zürich 東京"`, `const x = 'Zürich 東京';`},
		{"keys", `{"a": 1, "a b": 2, "1": 3, "01": 4, "0.5": 5, "é": 6, "__proto__": 7, "": 8, "1e3": 9}`, `const x = {
  a: 1,
  'a b': 2,
  1: 3,
  '01': 4,
  0.5: 5,
  é: 6,
  ['__proto__']: 7,
  '': 8,
  '1e3': 9,
};`},
		{"short object", `{"a": [], "b": {}}`, `const x = { a: [], b: {} };`},
		{"long string", `"` + long + `"`, "const x =\n  '" + long + "';"},
		{"long string behind a short key", `{"key": "` + long + `"}`, "const x = {\n  key: '" + long + "',\n};"},
		{"long string behind a long key", `{"longer": "` + long + `"}`, "const x = {\n  longer:\n    '" + long + "',\n};"},
		{"numbers fill lines", `[` + strings.Repeat("1000, ", 20) + `-1]`, `const x = [
  1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000,
  1000, 1000, 1000, 1000, 1000, 1000, 1000, -1,
];`},
		{"strings do not", `["` + long + `", "b"]`, "const x = [\n  '" + long + "',\n  'b',\n];"},
		{"rows of several items", `[[1, 2], [3, 4]]`, "const x = [\n  [1, 2],\n  [3, 4],\n];"},
		{"rows of one item", `[[1], [3]]`, "const x = [[1], [3]];"},
		{"a single row", `[[1, 2]]`, "const x = [[1, 2]];"},
		{"wide characters", `["` + strings.Repeat("漢", 16) + `", "` + strings.Repeat("字", 16) + `"]`,
			"const x = [\n  '" + strings.Repeat("漢", 16) + "',\n  '" + strings.Repeat("字", 16) + "',\n];"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			typ, v := inferred(t, tc.json)
			w := writer{big: typ.Large}
			if got := layOut(concat{assigned("const x", " =", w.value(typ, v)), ";"}, 0); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

func TestStringWidth(t *testing.T) {
	for text, want := range map[string]int{
		"":                          0,
		"plain":                     5,
		"é":                         1,
		"e\u0301":                   1,
		"漢字":                        4,
		"\U0001f680":                2, // a rocket
		"\u2600":                    1, // the sun as text
		"\u2600\ufe0f":              2, // and in colour
		"\U0001f44d\U0001f3fd":      2, // a thumb with a colour of skin
		"\U0001f1eb\U0001f1f7":      2, // a flag
		"1\ufe0f\u20e3":             2, // a key
		"\u0085":                    0, // a control character
		"\uff21":                    2, // a full-width letter
		"a\U0001f680b\u6f22c\u00e9": 8,
	} {
		if got := stringWidth(text); got != want {
			t.Errorf("%+q is %d wide, want %d", text, got, want)
		}
	}
}

func TestVariables(t *testing.T) {
	for name, want := range map[string]string{
		"isPaired":    "isPaired",
		"two_fer":     "twoFer",
		"white-queen": "whiteQueen",
		"class":       "class_",
		"default":     "default_",
		"await":       "await_",
		"2nd":         "value2nd",
		"":            "value",
		"é":           "value",
	} {
		if got := variable(name, "value"); got != want {
			t.Errorf("%q became %s, want %s", name, got, want)
		}
	}
}
