package lang

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"stateoftictactoe/gen/internal/spec"
)

// SettingError is a setting that cannot hold for an exercise.
type SettingError struct {
	Path []string // of its key, without a language in front
	What string
}

func (e *SettingError) Error() string { return e.What }

// SettingsChecker is a Language that cannot follow every setting. The fault of one
// setting is a *SettingError.
type SettingsChecker interface {
	CheckSettings(u *Unit) error
}

// CheckSettings reports a setting that the selected cases of an exercise or the
// language have no use for. The unit is what NewUnit makes of them.
func CheckSettings(file string, text []byte, l Language, selected []*spec.Case, settings Settings, u *Unit) error {
	fault := checkShared(l, settings.left(selected), settings)
	if fault == nil {
		fault = u.checkResults()
	}
	if checker, ok := l.(SettingsChecker); ok && fault == nil {
		if err := checker.CheckSettings(u); err != nil && !errors.As(err, &fault) {
			return err
		}
	}
	if fault == nil {
		return nil
	}
	path := fault.Path
	var all map[string]any
	if meta, err := spec.ParseTOML(file, text, &all); err == nil {
		if own := append([]string{l.Name()}, path...); meta.IsDefined(own...) {
			path = own
		}
	}
	return spec.TOMLFaultAt(file, text, path, "%s", fault.What)
}

// checkResults reports a setting of a property that its results have no use for.
func (u *Unit) checkResults() *SettingError {
	for _, f := range u.Suite.Functions {
		p := u.Settings.Properties[f.Property]
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

// CheckNames reports a name in the settings that a language does not allow. The keys
// are those of a property whose names the language uses.
func (u *Unit) CheckNames(language Language, keys []string, allows func(name string) bool) error {
	var names []SettingError
	add := func(name string, path ...string) { names = append(names, SettingError{path, name}) }
	addAll := func(all map[string]string, path ...string) {
		for _, key := range slices.Sorted(maps.Keys(all)) {
			add(all[key], slices.Concat(path, []string{key})...)
		}
	}
	uses := func(key string) bool { return slices.Contains(keys, key) }
	add(u.Settings.Table, "table")
	if uses("types") {
		addAll(u.Settings.Types, "types")
	}
	for _, f := range u.Suite.Functions {
		p := u.Settings.Properties[f.Property]
		at := func(key string) []string { return []string{"properties", f.Property, key} }
		add(p.Function, at("function")...)
		add(p.Table, at("table")...)
		if uses("types") {
			add(p.Type, at("type")...)
			addAll(p.Constants, at("constants")...)
		}
		if uses("fields") {
			addAll(p.Fields, at("fields")...)
		}
	}
	for _, n := range names {
		if n.What != "" && !allows(n.What) {
			return &SettingError{n.Path, fmt.Sprintf("%q in the settings is no name that %s allows here; choose another", n.What, language.Title())}
		}
	}
	return nil
}

// CheckFramework reports a test framework that a language's tests are not written
// for.
func (u *Unit) CheckFramework(language Language, known ...string) error {
	if own := u.Settings.Framework; own != "" && !slices.Contains(known, own) {
		return &SettingError{[]string{"framework"}, fmt.Sprintf("framework %q: tests in %s are written for %s", own, language.Title(), strings.Join(known, " or "))}
	}
	return nil
}
