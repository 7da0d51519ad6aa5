package judge_test

import (
	"strings"
	"testing"
	"time"

	"stateoftictactoe/gen/internal/judge"
	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/javascript"
	"stateoftictactoe/gen/internal/lang/python"
	"stateoftictactoe/gen/internal/spec"
)

// TestFailureWords holds what is said of a call that fails, and that the tests in
// JavaScript, which write their own words, say the same.
func TestFailureWords(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	const numbers = `{"description": "a", "property": "evenNumbers", "input": {"most": 4}, "expected": [2, 4]},
		{"description": "b", "property": "evenNumbers", "input": {"most": -1}, "expected": {"error": "it's below 0"}}`
	py := func(body string) string { return "def even_numbers(most):\n" + body }
	js := func(body string) string { return "export function evenNumbers(most) {\n" + body + "\n}\n" }
	for _, test := range []struct {
		language       lang.Language
		name, solution string
		want, wantFail string // of the case with a result, and of that with an error; "" for none
	}{
		{python.Python{}, "no return", py("    print(most)\n"), "None; is a return missing?", "None"},
		{python.Python{}, "tuples in a list", py("    return [(2, 'a')]\n"), "[(2, 'a')], and in it (2, 'a'), of type tuple", ""},
		{python.Python{}, "texts", py("    return [None, 'a', \"it's\", {'b': 1.5}]\n"), `[None, 'a', "it's", {'b': 1.5}]`, ""},
		{python.Python{}, "one text in a list", py("    return ['2']\n"), "['2']", ""},
		{python.Python{}, "generator", py("    yield 2\n"), "an object of type generator, and no list of its items", ""},
		{python.Python{}, "coroutine", "async " + py("    return 2\n"), "a coroutine; write the function without async", ""},
		{python.Python{}, "error returned", py("    return ValueError('no')\n"), "", "ValueError('no'), returned and not raised"},
		{python.Python{}, "function", py("    return most.bit_length\n"), "a function that was not called", ""},
		{python.Python{}, "no parameter", "\n\ndef even_numbers():\n    pass\n", "raises TypeError('even_numbers() takes 0 positional arguments but 1 was given')\n    the tests call even_numbers(most); even_numbers.py has even_numbers()", ""},
		{python.Python{}, "no function", "even_numbers = 'two'\n", "raises TypeError(\"'str' object is not callable\")\n    the tests call even_numbers(most); even_numbers.py has even_numbers = 'two'", ""},
		{python.Python{}, "recursion", "def even_numbers(most, left=100):\n    if left == 0:\n        raise KeyError(most)\n    return even_numbers(most, left - 1)\n", "raises KeyError(4)\n    even_numbers.py:3\n    even_numbers.py:4\n    ... 99 more like these", ""},
		{javascript.JavaScript{}, "no return", js("  console.log(most);"), "undefined; is a return missing?", "undefined; is a return missing?"},
		{javascript.JavaScript{}, "values", js("  return [null, 'a', \"it's\", { b: 1.5, 'c d': [], 1: {} }];"), `[ null, 'a', "it's", { '1': {}, b: 1.5, 'c d': [] } ]`, ""},
		{javascript.JavaScript{}, "one text in a list", js("  return ['2'];"), "[ '2' ]", ""},
		{javascript.JavaScript{}, "async", "export async function evenNumbers(most) {\n  return [2, 4];\n}\n", "a Promise; write the function without async", ""},
		{javascript.JavaScript{}, "rejects", "export async function evenNumbers(most) {\n  throw new Error(\"it's below 0\");\n}\n", "", "a Promise; write the function without async"},
		{javascript.JavaScript{}, "generator", "export function* evenNumbers(most) {\n  yield 2;\n}\n", "Object [Generator] {}, and no list of its items", ""},
		{javascript.JavaScript{}, "iterator", js("  return new Set([2, 4]).values();"), "[Set Iterator] { 2, 4 }, and no list of its items", ""},
		{javascript.JavaScript{}, "function", js("  return evenNumbers;"), "[Function: evenNumbers], which was not called", ""},
		{javascript.JavaScript{}, "set", js("  return new Set([2, 4]);"), "Set(2) { 2, 4 }", ""},
		{javascript.JavaScript{}, "BigInt", js("  return [2n, 4n];"), "[ 2n, 4n ]", ""},
		{javascript.JavaScript{}, "throws a text", js("  throw \"it's below 0\";"), "", `throws "it's below 0", which is no Error`},
		{javascript.JavaScript{}, "throws an object", js("  throw { message: 'no' };"), "", "throws { message: 'no' }, which is no Error"},
		{javascript.JavaScript{}, "error returned", js("  return new RangeError('no');"), "", "RangeError 'no', returned and not thrown"},
	} {
		t.Run(test.language.Facts().Name+"/"+test.name, func(t *testing.T) {
			need(t, test.language)
			t.Parallel()
			data, err := spec.ParseData("canonical-data.json", []byte(`{"exercise": "even-numbers", "cases": [`+numbers+`]}`), nil)
			if err != nil {
				t.Fatal(err)
			}
			u := lang.NewUnit(test.language, "even-numbers", data.Cases, lang.Settings{})
			v, err := judged(t.Context(), test.language, u, judge.Job{
				Solution: map[string][]byte{u.Files.Solution: []byte(test.solution)}, Time: time.Minute,
			})
			if err != nil || len(v.Rows) != 2 {
				t.Fatalf("%+v, %v", v, err)
			}
			outcomes := nativeOutcomes(t, test.language, u, map[string][]byte{u.Files.Solution: []byte(test.solution)})
			for i, want := range []string{test.want, test.wantFail} {
				if want == "" {
					continue
				}
				got := v.Rows[i].Message
				if _, after, _ := strings.Cut(got, "\ngot:  "); after != want {
					t.Errorf("%s:\n%s\nwant:\n%s", v.Rows[i].Name, got, want)
				}
				if (test.language == javascript.JavaScript{}) && !strings.Contains(outcomes[i].Message, got) {
					t.Errorf("the tests say:\n%s\nwant:\n%s", outcomes[i].Message, got)
				}
			}
		})
	}
}
