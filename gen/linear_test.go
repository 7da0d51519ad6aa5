package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/track"
)

// manyCases are the files of an exercise with so many cases, in a language. It has
// what exercises have: functions of several types, errors, optional arguments, equal
// descriptions in different groups, a named type of results, cases that are left out,
// keys that may be misspelt.
func manyCases(tb testing.TB, l lang.Language, n int) map[string]string {
	tb.Helper()
	type object = map[string]any
	uuid := func(i int) string { return fmt.Sprintf("%08x-0000-4000-8000-00000000000a", i) }
	var selection strings.Builder
	var groups []object
	for i := range n {
		if i%10 == 0 {
			groups = append(groups, object{"description": fmt.Sprintf("day %d", i/10), "cases": []object{}})
		}
		c := object{"uuid": uuid(i), "description": fmt.Sprintf("customer %d", i%10)}
		if i%100 == 99 {
			c["comment"] = []string{"The key should be comments."}
		}
		switch i % 10 {
		case 0, 1, 2, 3:
			c["property"], c["input"], c["expected"] = "mean", object{"numbers": []int{i, i + 3}}, float64(i)+1.5
		case 4:
			c["property"], c["input"] = "total", object{"customer": fmt.Sprint("Ada ", i), "orders": []object{}}
			c["expected"] = object{"error": fmt.Sprintf("Ada %d orders nothing", i)}
		case 5, 6, 7:
			orders := []object{{"item": "tea", "pieces": i}, {"item": fmt.Sprintf("cake %q", "large"), "pieces": 2}}
			c["property"], c["input"], c["expected"] = "total", object{"customer": "Bo", "orders": orders}, i+2
		default:
			c["property"], c["input"] = "sizeOf", object{"pieces": i, "limit": n / 2}
			c["expected"] = map[bool]string{true: "small", false: "large"}[i < n/2]
		}
		last := groups[len(groups)-1]
		last["cases"] = append(last["cases"].([]object), c)
		fmt.Fprintf(&selection, "[%s]\ndescription = \"customer %d\"\n\n", uuid(i), i%10)
	}
	data, err := json.Marshal(object{"exercise": "many-cases", "cases": groups})
	if err != nil {
		tb.Fatal(err)
	}
	layout := l.Facts().Layout("many-cases")
	config, err := json.Marshal(object{"files": object{
		"solution": []string{layout.Solution}, "test": []string{layout.Test}, "example": []string{layout.Example},
	}})
	if err != nil {
		tb.Fatal(err)
	}
	settings := "[exclude]\n"
	for i := 9; i < n; i += 10 {
		settings += fmt.Sprintf("%s = \"it is like the one before\"\n", strings.ToUpper(uuid(i)))
	}
	settings += "[go.properties.sizeOf]\ntype = \"Size\"\nconstants = {small = \"Small\", large = \"Large\"}\n"
	return map[string]string{
		"canonical-data.json": string(data),
		"tests.toml":          selection.String(),
		".meta/config.json":   string(config),
		".meta/gen.toml":      settings,
		"go.mod":              "module manycases\n\ngo 1.24\n",
		layout.Example:        manyCasesExamples[l.Facts().Name],
	}
}

// manyCasesExamples are right solutions for manyCases.
var manyCasesExamples = map[string]string{
	"go": `package manycases

import "errors"

type Order struct {
	Item   string
	Pieces int
}

type Size string

const (
	Small Size = "small"
	Large Size = "large"
)

func Mean(numbers []int) float64 {
	sum := 0
	for _, n := range numbers {
		sum += n
	}
	return float64(sum) / float64(len(numbers))
}

func Total(customer string, orders []Order) (int, error) {
	if len(orders) == 0 {
		return 0, errors.New(customer + " orders nothing")
	}
	sum := 0
	for _, o := range orders {
		sum += o.Pieces
	}
	return sum, nil
}

func SizeOf(limit, pieces int) Size {
	if pieces < limit {
		return Small
	}
	return Large
}
`,
	"python": `def mean(numbers):
    return sum(numbers) / len(numbers)


def total(customer, orders):
    if not orders:
        raise ValueError(customer + " orders nothing")
    return sum(order["pieces"] for order in orders)


def size_of(limit, pieces):
    return "small" if pieces < limit else "large"
`,
	"javascript": `const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

export const mean = (numbers) => sum(numbers) / numbers.length;

export function total(customer, orders) {
  if (orders.length === 0) {
    throw new Error(customer + ' orders nothing');
  }
  return sum(orders.map(({ pieces }) => pieces));
}

export const sizeOf = (limit, pieces) => (pieces < limit ? 'small' : 'large');
`,
}

// writeFiles writes files into a folder, by their slash-separated names.
func writeFiles(tb testing.TB, dir string, files map[string]string) {
	tb.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
}

// TestCodes wants the code of each case to be its own, in the order of the cases.
func TestCodes(t *testing.T) {
	for _, l := range writers(languages) {
		t.Run(l.Facts().Name, func(t *testing.T) {
			e := openManyCases(t, l, 30)
			codes, err := l.Codes(e.Unit)
			if err != nil || len(codes) != len(e.Unit.Names) {
				t.Fatalf("%d codes of %d cases, error %v", len(codes), len(e.Unit.Names), err)
			}
			for i, name := range e.Unit.Names {
				if !strings.Contains(codes[i], l.Facts().Mangle(name)) {
					t.Errorf("the code of %q is\n%s", name, codes[i])
				}
			}
		})
	}
}

// openManyCases opens the exercise of manyCases.
func openManyCases(tb testing.TB, l lang.Language, n int) *track.Exercise {
	tb.Helper()
	dir := tb.TempDir()
	writeFiles(tb, dir, manyCases(tb, l, n))
	e, err := track.Open(dir, track.Source{Languages: writers(languages), Language: l})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// TestLinear counts what each step allocates for some cases and for sixteen times as
// many. That cannot tell how long a step takes, but most of what is done again for
// each case allocates.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	const few, factor = 50, 16
	for _, l := range writers(languages) {
		small, large := openManyCases(t, l, few), openManyCases(t, l, factor*few)
		fails := func(_ any, err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		steps := map[string]func(e *track.Exercise){
			"open": func(e *track.Exercise) {
				fails(track.Open(e.Dir, track.Source{Languages: writers(languages), Language: l}))
			},
			"suspects": func(e *track.Exercise) { e.Suspects() },
			"tests":    func(e *track.Exercise) { fails(l.Tests(e.Unit)) },
			"stub":     func(e *track.Exercise) { fails(l.Stub(e.Unit)) },
			"oracle":   func(e *track.Exercise) { fails(l.Oracle(e.Unit)) },
			"driver":   func(e *track.Exercise) { fails(l.Driver(e.Unit)) },
			"codes":    func(e *track.Exercise) { fails(l.Codes(e.Unit)) },
			"ids":      func(e *track.Exercise) { l.IDs(e.Unit) },
			"tokens": func(e *track.Exercise) {
				text, err := l.Tests(e.Unit)
				fails(text, err)
				l.Facts().Syntax.Tokens(text)
			},
		}
		for _, name := range slices.Sorted(maps.Keys(steps)) {
			t.Run(l.Facts().Name+"/"+name, func(t *testing.T) {
				count := func(e *track.Exercise) float64 {
					return testing.AllocsPerRun(1, func() { steps[name](e) })
				}
				if a, b := count(small), count(large); b > 1.05*factor*a {
					t.Errorf("%d cases take %.0f allocations, and %d take %.0f, which is %.1f times as many", few, a, factor*few, b, b/a)
				}
			})
		}
	}
}
