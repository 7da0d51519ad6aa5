package lang

import (
	"fmt"
	"reflect"
	"slices"

	"stateoftictactoe/gen/internal/spec"
)

// sharing finds the properties that test the same function, because the settings give one
// of them the other's function name. It returns for each property the first property of
// its function. Names that the settings do not give, but that a language makes equal, are
// two functions.
func sharing(l Language, cases []*spec.Case, settings Settings) map[string]string {
	named := map[string]bool{} // by settings
	for _, c := range cases {
		named[settings.Properties[c.Property].Function] = true
	}
	first := map[string]string{}
	byName := map[string]string{}
	for _, c := range cases {
		if _, seen := first[c.Property]; seen {
			continue
		}
		first[c.Property] = c.Property
		if function := l.Facts().Function(settings, c.Property); function != "" && named[function] {
			if byName[function] == "" {
				byName[function] = c.Property
			}
			first[c.Property] = byName[function]
		}
	}
	return first
}

// share merges properties that test the same function: it moves their cases and settings
// to the first of them.
func share(l Language, cases []*spec.Case, settings Settings) ([]*spec.Case, Settings) {
	first := sharing(l, cases, settings)
	properties := map[string]Property{}
	for property, p := range settings.Properties {
		if to, used := first[property]; used && to != property {
			properties[to] = settings.Properties[to].with(p)
		} else if _, given := properties[property]; !given {
			properties[property] = p
		}
	}
	settings.Properties = properties
	shared := slices.Clone(cases)
	for i, c := range shared {
		if first[c.Property] != c.Property {
			moved := *c
			moved.Property = first[c.Property]
			shared[i] = &moved
		}
	}
	return shared, settings
}

// checkShared returns an error for properties that the settings make one function although
// their signatures differ.
func checkShared(l Language, cases []*spec.Case, settings Settings) *SettingError {
	first := sharing(l, cases, settings)
	functions := map[string]*spec.Function{}
	for _, f := range spec.Infer("", cases, nil).Functions {
		functions[f.Property] = f
	}
	checked := map[string]bool{}
	for _, c := range cases {
		a, b := first[c.Property], c.Property
		if a == b || checked[b] {
			continue
		}
		checked[b] = true
		// At least one of the two has the name in the settings.
		at := b
		if settings.Properties[at].Function == "" {
			at = a
		}
		f, g := functions[a], functions[b]
		what := ""
		switch {
		case f == nil || g == nil: // a property without a decided case
		case !f.Agrees(g):
			what = fmt.Sprintf("%s%s and %s%s cannot be one function", a, f.Signature(), b, g.Signature())
		}
		p, q := settings.Properties[a], settings.Properties[b]
		p.Function, q.Function = "", ""
		if merged := p.with(q); what == "" && !reflect.DeepEqual(merged, q.with(p)) {
			what = fmt.Sprintf("%s and %s are one function, and their settings differ", a, b)
		}
		if what != "" {
			return &SettingError{
				Path: []string{"properties", at, "function"},
				What: fmt.Sprintf("%s; give one of them another than %q", what, settings.Properties[at].Function),
			}
		}
	}
	return nil
}
