package lang_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"stateoftictactoe/gen/internal/lang"
)

func TestNames(t *testing.T) {
	tests := []struct {
		name                string
		words               []string
		pascal, camel, snek string // with "x" in front where need be
	}{
		{"isPaired", []string{"is", "paired"}, "IsPaired", "isPaired", "is_paired"},
		{"is_paired", []string{"is", "paired"}, "IsPaired", "isPaired", "is_paired"},
		{"is-paired", []string{"is", "paired"}, "IsPaired", "isPaired", "is_paired"},
		{"Is Paired?", []string{"is", "paired"}, "IsPaired", "isPaired", "is_paired"},
		{"IS_PAIRED", []string{"is", "paired"}, "IsPaired", "isPaired", "is_paired"},
		{"__is__paired__", []string{"is", "paired"}, "IsPaired", "isPaired", "is_paired"},
		{"parseHTTPRequest", []string{"parse", "http", "request"}, "ParseHttpRequest", "parseHttpRequest", "parse_http_request"},
		{"toRNA", []string{"to", "rna"}, "ToRna", "toRna", "to_rna"},
		{"aB", []string{"a", "b"}, "AB", "aB", "a_b"},
		{"ABc", []string{"a", "bc"}, "ABc", "aBc", "a_bc"},
		{"A", []string{"a"}, "A", "a", "a"},
		{"z1", []string{"z1"}, "Z1", "z1", "z1"},
		{"strand2Left", []string{"strand2", "left"}, "Strand2Left", "strand2Left", "strand2_left"},
		{"3d", []string{"3d"}, "X3d", "x3d", "x_3d"},
		{"2D board", []string{"2", "d", "board"}, "X2DBoard", "x2DBoard", "x_2_d_board"},
		{"to 3", []string{"to", "3"}, "To3", "to3", "to_3"},
		{"naïveCafé", []string{"na", "ve", "caf"}, "NaVeCaf", "naVeCaf", "na_ve_caf"},
		{"ÀB", []string{"b"}, "B", "b", "b"},
		{"", nil, "X", "x", "x"},
		{"->", nil, "X", "x", "x"},
		{"é", nil, "X", "x", "x"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := lang.Words(test.name); !slices.Equal(got, test.words) {
				t.Errorf("words %q, want %q", got, test.words)
			}
			if got := lang.Pascal(test.name, "x"); got != test.pascal {
				t.Errorf("Pascal %q, want %q", got, test.pascal)
			}
			if got := lang.Camel(test.name, "x"); got != test.camel {
				t.Errorf("Camel %q, want %q", got, test.camel)
			}
			if got := lang.Snake(test.name, "x"); got != test.snek {
				t.Errorf("Snake %q, want %q", got, test.snek)
			}
		})
	}
}

func TestNamesWithoutFront(t *testing.T) {
	for _, name := range []string{"", "?!"} {
		if got := lang.Pascal(name, "") + lang.Camel(name, "") + lang.Snake(name, ""); got != "" {
			t.Errorf("%q: got %q", name, got)
		}
	}
	if got := lang.Pascal("3d", ""); got != "3d" {
		t.Errorf("got %q", got)
	}
}

func TestTaken(t *testing.T) {
	taken := lang.Taken{"used": true}
	for _, step := range []struct {
		wanted []string
		want   string
	}{
		{[]string{"a"}, "a"},
		{[]string{"a"}, "a2"},
		{[]string{"a"}, "a3"},
		{[]string{"a", "b"}, "b"},
		{[]string{"a", "b"}, "b2"},
		{[]string{"used", "a2", "c"}, "c"},
		{[]string{"b2"}, "b22"},
	} {
		if got := taken.Name(step.wanted...); got != step.want {
			t.Errorf("%q: got %q, want %q", step.wanted, got, step.want)
		}
	}
}

// Whatever the data call a thing, the name is one that every language allows.
func FuzzNames(f *testing.F) {
	for _, seed := range []string{"isPaired", "HTTPServer2", "9 lives", "é", "", "a\x00b", "\xff", "İI", "ſK"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		pascal, camel, snake := lang.Pascal(name, "x"), lang.Camel(name, "x"), lang.Snake(name, "x")
		for _, got := range []string{pascal, camel, snake} {
			for i, r := range got {
				if r > unicode.MaxASCII || !unicode.IsLetter(r) && r != '_' && (i == 0 || !unicode.IsDigit(r)) {
					t.Errorf("%q became %q", name, got)
				}
			}
			if got == "" {
				t.Errorf("%q became nothing", name)
			}
		}
		if !strings.EqualFold(pascal, camel) || !strings.EqualFold(strings.ReplaceAll(snake, "_", ""), camel) {
			t.Errorf("%q: %q, %q and %q have other letters", name, pascal, camel, snake)
		}
		if again := lang.Snake(snake, "x"); again != snake {
			t.Errorf("%q: Snake of %q is %q", name, snake, again)
		}
	})
}
