package javascript

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/spec"
)

// TestPrettierRandom lets prettier look at values and calls made up by chance,
// always the same ones.
func TestPrettierRandom(t *testing.T) {
	if _, err := exec.LookPath("prettier"); err != nil {
		t.Skip("SKIPPED: prettier is not installed; npm install --global prettier@3.10.1")
	}
	r := chance{rand.New(rand.NewPCG(1, 2))}
	var code strings.Builder
	for i := range 1500 {
		w := writer{big: r.IntN(4) == 0}
		value := w.value(&spec.Type{}, r.value(r.IntN(5)))
		code.WriteString(layOut(concat{assigned(fmt.Sprintf("const x%d", i), " =", value), ";"}, 0) + "\n")
		code.WriteString(layOut(concat{r.call(), ";"}, 0) + "\n")
	}
	cmd := exec.Command("prettier", "--single-quote", "--trailing-comma=all", "--stdin-filepath=x.js")
	cmd.Stdin = strings.NewReader(code.String())
	var problems bytes.Buffer
	cmd.Stderr = &problems
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, problems.String())
	}
	got, want := strings.Split(code.String(), "\n"), strings.Split(string(output), "\n")
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			from := max(0, i-3)
			t.Fatalf("wrote\n%s\nprettier has\n%s", strings.Join(got[from:min(len(got), i+8)], "\n"), strings.Join(want[from:min(len(want), i+8)], "\n"))
		}
	}
	if len(got) != len(want) {
		t.Errorf("wrote %d lines, prettier has %d", len(got), len(want))
	}
}

// chance makes up values.
type chance struct{ *rand.Rand }

func (r chance) text() string {
	parts := []string{
		"a", "it's", `"q"`, "\\", "\n", "key", "longer word", "two words", "x_y", "$", "class", "__proto__",
		"1", "12.5", "007", "9007199254740993", "1234567890123456", "xxxxxxxxxxxxxxxx",
		"é", "e\u0301", "ñandú", "漢字", "한글", "ア", "ｱ", "Ａ", "ﬁ", "\u200d", "©", "™",
		"\U0001f680", "\u2600\ufe0f", "\U0001f44d\U0001f3fd", "\U0001f1eb\U0001f1f7", "\u2139\ufe0f", "1\ufe0f\u20e3",
	}
	var b strings.Builder
	for range 1 + r.IntN(4)*r.IntN(4) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}

func (r chance) value(depth int) *spec.Value {
	kind := r.IntN(8)
	if depth <= 0 {
		kind = r.IntN(4)
	}
	switch kind {
	case 0:
		return &spec.Value{Kind: spec.Null}
	case 1:
		return &spec.Value{Kind: spec.Bool, Bool: r.IntN(2) == 0}
	case 2:
		return &spec.Value{Kind: spec.String, Text: r.text()}
	case 3:
		return r.number()
	case 4, 5:
		return r.list(depth)
	}
	v := &spec.Value{Kind: spec.Object}
	for range r.IntN(6) {
		if name := r.text(); v.Get(name) == nil {
			v.Fields = append(v.Fields, spec.Field{Name: name, Value: r.value(depth - 1)})
		}
	}
	return v
}

func (r chance) number() *spec.Value {
	numbers := []string{
		"1", "-1", "0.5", "1.50", "1e10", "1E+05", "123456", "-0.0", "1.0e-3",
		strings.Repeat("1234567890", 8),
	}
	return &spec.Value{Kind: spec.Number, Text: numbers[r.IntN(len(numbers))]}
}

// list is a list, now and then one of numbers only.
func (r chance) list(depth int) *spec.Value {
	v := &spec.Value{Kind: spec.Array}
	if r.IntN(3) == 0 {
		for range r.IntN(30) {
			v.Items = append(v.Items, r.number())
		}
		return v
	}
	for range r.IntN(8) {
		v.Items = append(v.Items, r.value(depth-1))
	}
	return v
}

// call is a call such as a test has.
func (r chance) call() doc {
	var args []doc
	for i := range r.IntN(7) {
		args = append(args, fmt.Sprintf("arg%d%s", i, strings.Repeat("x", r.IntN(12))))
	}
	var input doc = "{}"
	if len(args) > 0 {
		input = list("{", line{}, args, "}")
	}
	function := strings.Repeat("f", 1+r.IntN(30))
	check := []doc{input, arrow(call(function, args...)), "expected"}
	if r.IntN(2) == 0 {
		check = append(check, call("listOf", call("near", "0.005")))
	}
	return call("returns", check...)
}
