package lang

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"stateoftictactoe/gen/internal/spec"
)

// SettingError is the error for a setting that does not fit an exercise.
type SettingError struct {
	Path []string // the path of its key, without a language in front
	What string
}

func (e *SettingError) Error() string { return e.What }

// CheckSettings returns an error for a setting of the file that the selected cases of an
// exercise or the language cannot use. NewUnit has made the unit from these cases and the
// settings. An empty file has no error.
func (f *SettingsFile) CheckSettings(l Language, selected []*spec.Case, u *Unit) error {
	if len(f.keys) == 0 {
		return nil
	}
	if err := f.checkIgnored(l.Facts()); err != nil {
		return err
	}
	fault := checkShared(l, f.left(selected), f.Settings)
	if n := len(u.Suite.Functions); fault == nil && f.Table != "" && n > 1 {
		fault = &SettingError{[]string{"table"}, fmt.Sprintf("table is for an exercise with one property, and this one has %d; name each with properties.NAME.table", n)}
	}
	if fault == nil {
		fault = u.checkResults()
	}
	if fault == nil {
		if err := l.CheckSettings(u); err != nil && !errors.As(err, &fault) {
			return err
		}
	}
	if fault == nil {
		return nil
	}
	path := fault.Path
	if own := append([]string{l.Facts().Name}, path...); valueAt(f.values, own) != nil {
		path = own
	}
	return spec.TOMLFaultAt(f.file, f.text, path, "%s", fault.What)
}

// checkIgnored returns an error for a setting in the language's own table that the language
// does not use. At the top of the file it may be meant for another language.
func (f *SettingsFile) checkIgnored(facts *Facts) error {
	for _, key := range f.keys {
		at := 1 // in the language's table
		if len(key) > 3 && key[1] == "properties" {
			at = 3
		}
		if key[0] == facts.Name && len(key) > at && slices.Contains(facts.Ignores, key[at]) {
			return spec.TOMLFaultAt(f.file, f.text, key, "%s is of no use to tests in %s; remove it", key[at], facts.Title)
		}
	}
	return nil
}

// checkResults returns an error for a setting of a property that its results cannot use.
func (u *Unit) checkResults() *SettingError {
	for _, f := range u.Suite.Functions {
		p := u.Settings.Properties[f.Property]
		if len(p.Constants) > 0 && p.Type == "" {
			return &SettingError{
				[]string{"properties", f.Property, "constants"},
				fmt.Sprintf("constants are those of a type, and %s has none; name it with properties.%[1]s.type", f.Property),
			}
		}
		is := func(kind spec.TypeKind) bool { return f.Result != nil && f.Result.Kind == kind }
		hasFloat := false
		spec.Walk(f.Result, func(t *spec.Type) { hasFloat = hasFloat || t.Kind == spec.FloatType })
		for _, setting := range []struct {
			key           string
			given, useful bool
			wants         string
		}{
			{"type", p.Type != "", is(spec.StringType), "strings"},
			{"constants", len(p.Constants) > 0, is(spec.StringType), "strings"},
			{"tolerance", p.Tolerance > 0, hasFloat, "floats"},
			{"unordered", p.Unordered, is(spec.ListType), "lists"},
		} {
			if !setting.given || setting.useful {
				continue
			}
			has := "errors alone"
			if f.Result != nil {
				has = "of type " + f.Result.String()
			}
			return &SettingError{
				[]string{"properties", f.Property, setting.key},
				fmt.Sprintf("%s is for results that are %s, and those of %s are %s; remove it", setting.key, setting.wants, f.Property, has),
			}
		}
	}
	return nil
}

// Names says which names in the settings a language uses, and which it allows.
type Names struct {
	// Types reports whether the language uses the names of types and of their constants,
	// Fields whether it uses the names of fields.
	Types, Fields bool
	// Fault says what is wrong with a name, or returns "". The key is the last key that
	// the name stands under, in a property or in the settings.
	Fault func(key, name string) string
	// Scope holds the names that the test file itself declares, each with a description
	// such as "the test class".
	Scope map[string]string
}

// NoName is the fault of a text that is not a name in a language.
func NoName(language Language) string {
	return fmt.Sprintf("is no name that %s allows here; choose another", language.Facts().Title)
}

// OwnName is the fault of a name that the test file needs for itself.
const OwnName = "is a name of the test file's own; choose another"

// setName is a name that the settings give.
type setName struct {
	path []string
	key  string // under which it stands
	name string
	of   string // identifies the named thing
}

// names are all names that the settings give, in the order of their keys.
func (u *Unit) names() (names []setName) {
	add := func(key, name, of string, path ...string) {
		if name != "" {
			names = append(names, setName{path, key, name, of})
		}
	}
	addAll := func(key string, all map[string]string, of string, path ...string) {
		for _, k := range slices.Sorted(maps.Keys(all)) {
			add(key, all[k], fmt.Sprintf("%s %q", of, k), slices.Concat(path, []string{k})...)
		}
	}
	s := u.Settings
	add("error_type", s.ErrorType, "the type of errors", "error_type")
	if len(u.Suite.Functions) == 1 && s.Properties[u.Suite.Functions[0].Property].Table == "" {
		add("table", s.Table, "the table", "table")
	}
	addAll("types", s.Types, "the record", "types")
	for _, f := range u.Suite.Functions {
		p := s.Properties[f.Property]
		at := func(key string) []string { return []string{"properties", f.Property, key} }
		add("function", p.Function, "the function of "+f.Property, at("function")...)
		add("table", p.Table, "the table of "+f.Property, at("table")...)
		add("type", p.Type, "the type "+p.Type, at("type")...)
		addAll("constants", p.Constants, "the constant of type "+p.Type+" for", at("constants")...)
		addAll("fields", p.Fields, "the field of "+f.Property+" for", at("fields")...)
	}
	return names
}

// CheckNames returns an error for a name in the settings that a language does not allow,
// or that names two things.
func (u *Unit) CheckNames(n Names) error {
	taken := map[string]string{} // the named thing, by name
	for _, set := range u.names() {
		isField := set.key == "fields"
		uses := n.Types
		switch set.key {
		case "fields":
			uses = n.Fields
		case "function", "table", "error_type":
			uses = true
		}
		scope := set.name
		if isField { // whose names are those of its table alone
			scope = set.path[1] + " " + set.name
		}
		what, other := "", taken[scope]
		if uses {
			what = n.Fault(set.key, set.name)
		}
		if uses && !isField && other == "" {
			other = n.Scope[set.name]
		}
		if what == "" && other != "" && other != set.of {
			what = fmt.Sprintf("is the name of %s too; choose another", other)
		}
		if what != "" {
			return &SettingError{set.path, fmt.Sprintf("%q in the settings %s", set.name, what)}
		}
		taken[scope] = set.of
	}
	return nil
}

// CheckFramework returns an error for a test framework that a language does not support.
func (u *Unit) CheckFramework(language Language, known ...string) error {
	if own := u.Settings.Framework; own != "" && !slices.Contains(known, own) {
		return &SettingError{[]string{"framework"}, fmt.Sprintf("framework %q: tests in %s are written for %s", own, language.Facts().Title, strings.Join(known, " or "))}
	}
	return nil
}
