package proof_test

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lang/golang"
	"stateoftictactoe/gen/internal/lang/javascript"
	"stateoftictactoe/gen/internal/lang/python"
	"stateoftictactoe/gen/internal/proof"
	"stateoftictactoe/gen/internal/spec"
)

// TestRandom proves tests of small data made up by chance, always the same ones:
// values that differ as data and that a language may take for each other. The tests
// are right, so that a check that does not hold accuses them wrongly.
func TestRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	const properties = 400
	r := chance{rand.New(rand.NewPCG(1, 2))}
	cases := []string{ // found without chance
		`{"description": "null 1", "property": "null", "input": {"x": {"k": null}}, "expected": {}}`,
		`{"description": "null 2", "property": "null", "input": {"x": {}}, "expected": {"k": null}}`,
		`{"description": "null 3", "property": "null", "input": {"x": 1}, "expected": false}`,
	}
	for i := range properties {
		cases = append(cases, r.cases(fmt.Sprintf("p%d", i))...)
	}
	text := `{"exercise": "sums", "cases": [` + strings.Join(cases, ",\n") + "]}"
	for _, l := range []lang.Language{golang.Go{}, javascript.JavaScript{}, python.Python{}} {
		t.Run(l.Facts().Name, func(t *testing.T) {
			for _, need := range l.Facts().Needs {
				if _, err := exec.LookPath(need.Program); err != nil {
					t.Skip(err)
				}
			}
			u := unitIn(t, l, text)
			if n := len(u.Names); n < len(cases)/2 {
				t.Errorf("only %d of %d cases are decided", n, len(cases))
			}
			for check, problems := range prove(t, l, proof.Item{Unit: u}) {
				t.Errorf("%s:\n%.3000s\n%s", check, problems, culprits(u, problems))
			}
		})
	}
}

// culprits are the cases of the first property that a problem tells of.
func culprits(u *lang.Unit, problems string) string {
	var b strings.Builder
	for _, f := range u.Suite.Functions {
		if !strings.Contains(problems, `"`+f.Property+" ") {
			continue
		}
		for _, c := range f.Cases {
			fmt.Fprintf(&b, "%s: %s -> %s\n", c.Description, c.Input.JSON(), c.Expected.JSON())
		}
		if b.Len() > 1500 {
			break
		}
	}
	return b.String()
}

// chance makes up data.
type chance struct{ *rand.Rand }

// cases are a few cases of one property. Some values are like one that was there
// before.
func (r chance) cases(property string) (cases []string) {
	kinds := r.kinds()
	results := kinds
	if r.IntN(2) == 0 {
		results = r.kinds()
	}
	var inputs, wanted []string
	like := func(before []string, kinds []string) string {
		if len(before) > 0 && r.IntN(2) == 0 {
			return r.like(before[r.IntN(len(before))])
		}
		return r.value(kinds, 2)
	}
	for i := range 2 + r.IntN(4) {
		inputs = append(inputs, like(inputs, kinds))
		wanted = append(wanted, like(wanted, results))
		input := fmt.Sprintf(`{"x": %s}`, inputs[i])
		if inputs[i] == "null" && r.IntN(2) == 0 {
			input = "{}"
		}
		if r.IntN(8) == 0 {
			wanted[i] = `{"error": "` + []string{"", "a", "1"}[r.IntN(3)] + `"}`
		}
		cases = append(cases, fmt.Sprintf(`{"description": "%s %d", "property": %q, "input": %s, "expected": %s}`, property, i, property, input, wanted[i]))
	}
	return cases
}

var (
	scalars = []string{
		"null", "true", "false", "0", "-0", "0.0", "-0.0", "1", "1.0", "1e0", "10e-1", "1.5", "0.1", "0.10", "-1",
		"9007199254740992", "9007199254740992.0", "9007199254740993", "9007199254740993.0",
		"18446744073709551615", "18446744073709551615.0", "18446744073709551616", "18446744073709551616.0", "1e30",
		`""`, `"1"`, `"a"`, `"null"`, `"true"`,
	}
	composites = []string{"[]", "{}", "[$]", "[$, $]", `{"k": $}`, `{"k": $, "l": $}`, `{"l": $, "k": $}`, `{"K": $}`, `{"m": {"k": $}}`}
)

// kinds are the values that those of one place are made of: a few, so that some
// places are of one type.
func (r chance) kinds() (kinds []string) {
	for range 1 + r.IntN(3) {
		kinds = append(kinds, scalars[r.IntN(len(scalars))])
	}
	for range r.IntN(3) {
		kinds = append(kinds, composites[r.IntN(len(composites))])
	}
	return kinds
}

func (r chance) value(kinds []string, depth int) string {
	kind := kinds[r.IntN(len(kinds))]
	if depth == 0 && strings.Contains(kind, "$") {
		kind = kinds[0]
	}
	for strings.Contains(kind, "$") {
		kind = strings.Replace(kind, "$", r.value(kinds, depth-1), 1)
	}
	return kind
}

// like is a value that a language may take for the given one.
func (r chance) like(value string) string {
	pairs := [][2]string{
		{"null", "[]"}, {"null", "{}"}, {`{"k": null}`, "{}"}, {`{"k": null, `, "{"}, {`, "k": null}`, "}"}, {"1", "1.0"}, {"1", "true"},
		{"0", "-0"}, {"0", "0.0"}, {"0", "false"}, {"2", "2.0"}, {"3", "2"}, {"3.0", "2.0"}, {"5", "6"}, {"6", "6.0"}, {`"1"`, "1"},
		{`"null"`, "null"}, {"1.0", "1e0"}, {"{}", `{"k": null}`}, {"1.0", "1"}, {"2.0", "2"}, {"6.0", "6"}, {"true", "1"}, {"[]", "null"},
	}
	r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	for _, p := range pairs {
		changed := strings.Replace(value, p[0], p[1], 1)
		if changed != value && isData(changed) {
			return changed
		}
	}
	return value
}

func isData(value string) bool {
	text := `{"cases": [{"description": "", "property": "p", "input": {}, "expected": ` + value + `}]}`
	_, err := spec.ParseData("", []byte(text), nil)
	return err == nil
}
