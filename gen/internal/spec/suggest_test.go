package spec

import "testing"

func TestNearest(t *testing.T) {
	languages := []string{"go", "python", "javascript"}
	slugs := []string{"leap", "two-bucket", "two-fer", "yacht"}
	for _, test := range []struct {
		name  string
		known []string
		want  string
	}{
		{"pyhton", languages, "python"},
		{"Python", languages, "python"},
		{"py", languages, "python"},
		{"python3", languages, "python"},
		{"golang", languages, "go"},
		{"og", languages, ""},
		{"java", languages, "javascript"},
		{"typescript", languages, ""},
		{"rust", languages, ""},
		{"", languages, ""},
		{"g", languages, ""},
		{"two-fre", slugs, "two-fer"},
		{"two_fer", slugs, "two-fer"},
		{"twofer", slugs, "two-fer"},
		{"two", slugs, "two-bucket"},
		{"lep", slugs, "leap"},
		{"yatch", slugs, "yacht"},
		{"hamming", slugs, ""},
		{"off", []string{"auto", "require", "off"}, "off"},
		{"of", []string{"auto", "require", "off"}, "off"},
		{"żółw", []string{"żółć"}, "żółć"},
		{"fr", []string{"ar", "hi"}, ""},
		{"x", nil, ""},
	} {
		if got := Nearest(test.name, test.known); got != test.want {
			t.Errorf("%q: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestSuggest(t *testing.T) {
	for _, test := range []struct {
		name  string
		known []string
		want  string
	}{
		{"pyhton", []string{"go", "python"}, "did you mean python? choose from go, python"},
		{"rust", []string{"go", "python"}, "choose from go, python"},
		{"goo", []string{"go"}, "choose from go"},
		{"x", nil, "choose from none"},
	} {
		if got := Suggest(test.name, test.known); got != test.want {
			t.Errorf("%q: got %q, want %q", test.name, got, test.want)
		}
	}
}
