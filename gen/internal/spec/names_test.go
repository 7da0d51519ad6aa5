package spec_test

import (
	"slices"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/spec"
)

// named makes cases of their paths: groups and description, separated by "/".
func named(paths ...string) []*spec.Case {
	var cases []*spec.Case
	for _, path := range paths {
		parts := strings.Split(path, "/")
		last := len(parts) - 1
		cases = append(cases, &spec.Case{Description: parts[last], Groups: parts[:last], Property: "prop"})
	}
	return cases
}

func TestNames(t *testing.T) {
	plain := func(s string) string { return s }
	fold := func(s string) string {
		return strings.NewReplacer("_", " ", "-", " ").Replace(strings.ToLower(s))
	}
	letters := func(s string) string { return strings.NewReplacer(" ", "", "(", "", ")", "").Replace(s) }
	tests := []struct {
		name   string
		mangle func(string) string
		paths  []string
		want   []string
	}{
		{"unique without groups", plain, []string{"a/x", "a/b/y", "z"}, []string{"x", "y", "z"}},
		{"shortest path", plain,
			[]string{"p/g/x", "q/g/x", "q/h/x", "q/h/y"},
			[]string{"p -> g -> x", "q -> g -> x", "h -> x", "y"}},
		{"one without groups", plain, []string{"x", "g/x"}, []string{"x", "g -> x"}},
		{"a path that another's description is", plain,
			[]string{"g/x", "h/x", "k/g -> x"},
			[]string{"g -> x", "h -> x", "k -> g -> x"}},
		{"groups do not help", plain, []string{"g/x", "g/x", "g/x", "y"}, []string{"g -> x", "g -> x (2)", "g -> x (3)", "y"}},
		{"a number that is taken", plain, []string{"x", "x", "x (2)"}, []string{"x", "x (3)", "x (2)"}},
		{"equal once mangled", fold, []string{"g/A_b", "h/a-B", "c"}, []string{"g -> A_b", "h -> a-B", "c"}},
		{"a number that is taken once mangled", fold, []string{"x", "X", "X (2)"}, []string{"x", "X (3)", "X (2)"}},
		{"numbers that are equal once mangled", letters,
			slices.Concat(slices.Repeat([]string{"x"}, 12), []string{"x1", "x1"}),
			[]string{"x", "x (2)", "x (3)", "x (4)", "x (5)", "x (6)", "x (7)", "x (8)", "x (9)", "x (10)", "x (11)", "x (12)", "x1", "x1 (3)"}},
		{"blanks", plain, []string{"  two\n\twords "}, []string{"two words"}},
		{"empty", plain, []string{"", "g/", "h/ "}, []string{"prop", "g", "h"}},
		{"empty without groups", plain, []string{"", " "}, []string{"prop", "prop (2)"}},
		{"an empty group", plain, []string{"a//x", "b//x"}, []string{"a -> x", "b -> x"}},
		{"symbols are a description", plain, []string{"->", ">", "-"}, []string{"->", ">", "-"}},
		{"none", plain, nil, []string{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := spec.Names(named(test.paths...), test.mangle)
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
			checkUnique(t, got, test.mangle)
		})
	}
}

func checkUnique(t *testing.T, names []string, mangle func(string) string) {
	t.Helper()
	seen := map[string]string{}
	for _, name := range names {
		if other, twice := seen[mangle(name)]; twice {
			t.Errorf("%q and %q are one name", name, other)
		}
		seen[mangle(name)] = name
		if name == "" {
			t.Error("a name is empty")
		}
	}
}
