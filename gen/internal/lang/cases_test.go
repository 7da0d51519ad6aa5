package lang_test

import (
	"fmt"
	"slices"
	"testing"

	"stateoftictactoe/gen/internal/lang"
)

// TestCases wants each case with its function and its name, in the order of the names.
func TestCases(t *testing.T) {
	u := lang.NewUnit(toy{}, "slug", cases(t), lang.Settings{})
	var got []string
	for i, c := range u.Cases() {
		got = append(got, fmt.Sprint(i, " ", c.Function.Property, " ", c.Name, " ", c.UUID))
	}
	if want := []string{"0 b one 1", "1 b ONE (2) 3", "2 b Two ", "3 a two (2) 2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTableName(t *testing.T) {
	all := cases(t)
	for _, test := range []struct {
		name     string
		several  bool
		table    string // in the settings, of the exercise
		property string // in the settings, of the property
		want     string
	}{
		{"one table", false, "", "", "only"},
		{"several tables", true, "", "", "other"},
		{"named for the exercise", false, "games", "", "games"},
		{"named for one of several", true, "games", "", "other"},
		{"named for the property", false, "games", "boards", "boards"},
		{"one of several named", true, "", "boards", "boards"},
	} {
		t.Run(test.name, func(t *testing.T) {
			selected := all[:1]
			if test.several {
				selected = all[:2]
			}
			u := lang.NewUnit(toy{}, "slug", selected, lang.Settings{
				Table: test.table, Properties: map[string]lang.Property{"b": {Table: test.property}},
			})
			if got := u.TableName(u.Suite.Functions[0], "only", "other"); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestSortFields(t *testing.T) {
	u := lang.NewUnit(toy{}, "slug", cases(t)[:1], lang.Settings{Properties: map[string]lang.Property{"b": {Order: []string{"expected", "n"}}}})
	fields := []string{"m", "n", "error", "expected"}
	lang.SortFields(u, u.Suite.Functions[0], fields, func(key string) string { return key })
	if want := []string{"expected", "n", "m", "error"}; !slices.Equal(fields, want) {
		t.Errorf("got %q, want %q", fields, want)
	}
}
