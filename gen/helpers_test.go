package main

import (
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// TestDataLikeCode puts what the languages' own code says into strings, descriptions
// and keys. What is written must be the same as for other letters there: no import, no
// helper and no layout depends on them.
func TestDataLikeCode(t *testing.T) {
	const data = `{"cases": [
		{"description": "say TEXT now", "property": "echo", "input": {"text": "TEXT", "map": {"TEXT": "a"}}, "expected": "TEXT"},
		{"description": "say more", "property": "echo", "input": {"text": "b", "map": {"c": "TEXT", "d": "e"}}, "expected": "b"},
		{"description": "say what cannot be", "property": "echo", "input": {"text": "c", "map": {}}, "expected": {"error": "TEXT"}},
		{"description": "take a text", "property": "take", "input": {"value": "TEXT"}, "expected": ["TEXT", 1]},
		{"description": "take a list", "property": "take", "input": {"value": ["TEXT"]}, "expected": {"TEXT": 2, "f": "TEXT"}},
		{"description": "show pointers", "property": "show", "input": {"value": 1}, "expected": ["TEXT"]},
		{"description": "show nothing", "property": "show", "input": {"value": null}, "expected": []}
	]}`
	write := func(l lang.Language, text string) (written string) {
		d, err := spec.ParseData("data.json", []byte(strings.ReplaceAll(data, "TEXT", text)), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tests := range []string{lang.FullTests, lang.TableTests} {
			u := lang.NewUnit(l, "like-code", d.Cases, lang.Settings{Tests: tests})
			if len(u.Names) != len(d.Cases) {
				t.Fatalf("%s: data are taken for code", text)
			}
			for _, write := range []func(*lang.Unit) ([]byte, error){l.Tests, l.Stub} {
				text, err := write(u)
				if err != nil {
					t.Fatal(err)
				}
				written += string(text)
			}
		}
		return written
	}
	for _, l := range writers(languages) {
		for _, text := range []string{
			"bigInt(", `bigInt(5)`, "pointerTo(", "pointerTo(x)", "new(x)", "math/big", "errors.New(", "sameAny(got, want)", "( == )",
			"Near(", "given(", "AnyOrder(", "message_of(", "without_none(", "returns(", "throws(", "equalRecords(", "| null", "{,}",
		} {
			t.Run(l.Facts().Name+"/"+text, func(t *testing.T) {
				plain := strings.Map(func(r rune) rune {
					if unicode.IsLetter(r) {
						return 'q'
					}
					return r
				}, text)
				same := strings.NewReplacer(l.Facts().Mangle("say "+text+" now"), l.Facts().Mangle("say "+plain+" now"), text, plain).Replace
				if diff := cmp.Diff(same(write(l, plain)), same(write(l, text))); diff != "" {
					t.Errorf("the text makes a difference (-other text +this):\n%s", diff)
				}
			})
		}
	}
}
