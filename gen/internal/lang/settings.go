package lang

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"stateoftictactoe/gen/internal/spec"
)

// Settings are the content of a gen.toml, for one language: facts about an exercise that
// inference cannot know. The zero value is right for most exercises.
type Settings struct {
	// Errors is TextError, the default, or AnyError.
	Errors string `toml:"errors"`
	// ErrorType is the type of error that a solution raises, if the language has types of
	// errors.
	ErrorType string `toml:"error_type"`
	// Tests is FullTests, the default, or TableTests.
	Tests string `toml:"tests"`
	// Table names the table of cases of an exercise with one property.
	Table string `toml:"table"`
	// Compare is "" or CmpCompare.
	Compare string `toml:"compare"`
	// Framework names another test framework than the language's own.
	Framework string `toml:"framework"`
	// Exclude holds the uuids of cases to leave out, each with the reason.
	Exclude map[string]string `toml:"exclude"`
	// Types renames records, by the name that inference gives them.
	Types map[string]string `toml:"types"`
	// Properties holds the settings of single properties.
	Properties map[string]Property `toml:"properties"`
}

// The values that settings can have.
const (
	TextError  = "text"  // an error passes if its text is the expected text
	AnyError   = "any"   // any error passes where an error is expected
	FullTests  = "full"  // write the table and its test function
	TableTests = "table" // write the table alone, beside a test written by hand
	CmpCompare = "cmp"   // compare with go-cmp, and show the difference that it prints
)

// Property are the settings of one property.
type Property struct {
	// Function names the function under test.
	Function string `toml:"function"`
	// Table names the table of cases.
	Table string `toml:"table"`
	// Type names a type for the property's string results, and Constants its
	// constants, by the text of the result.
	Type      string            `toml:"type"`
	Constants map[string]string `toml:"constants"`
	// Errors is as in Settings.
	Errors string `toml:"errors"`
	// Tolerance, if positive, is the absolute tolerance of float results.
	Tolerance float64 `toml:"tolerance"`
	// Unordered compares a result list without regard to order.
	Unordered bool `toml:"unordered"`
	// Fields renames the table's fields, by the key of the argument or
	// "expected", "error", "description".
	Fields map[string]string `toml:"fields"`
	// Order lists keys whose fields come first, in that order.
	Order []string `toml:"order"`
	// Task, if positive, is the number of the property's task in the instructions.
	Task int `toml:"task"`
}

// SettingsFile is a gen.toml that has been read for one language. The zero value stands
// for no such file.
type SettingsFile struct {
	Settings
	file      string
	text      []byte
	languages []string // that may have a table
	keys      []toml.Key
	values    map[string]any
}

// ParseSettings reads a gen.toml for one language: the keys at its top, with
// those in the language's own table over them. Names lists all languages that
// may have a table.
func ParseSettings(file string, text []byte, language string, names []string) (*SettingsFile, error) {
	f := &SettingsFile{file: file, text: text, languages: names}
	var all Settings
	meta, err := spec.ParseTOML(file, text, &all)
	if err != nil {
		return nil, err
	}
	var tables map[string]toml.Primitive
	own, err := spec.ParseTOML(file, text, &tables)
	if err != nil {
		return nil, err
	}
	if _, err := spec.ParseTOML(file, text, &f.values); err != nil {
		return nil, err
	}
	f.keys, f.Settings = own.Keys(), all
	faults := all.validate(nil)
	isLanguage := map[string]bool{}
	for _, name := range names {
		part, given := tables[name]
		if !given {
			continue
		}
		isLanguage[name] = true
		var special Settings
		if err := spec.DecodeTOML(file, text, &own, part, &special); err != nil {
			return nil, err
		}
		faults = append(faults, special.validate([]string{name})...)
		if name == language {
			f.Settings = all.with(special)
		}
	}
	var unknown []toml.Key
	for _, key := range f.keys {
		inner := key
		if isLanguage[key[0]] {
			inner = key[1:]
		}
		if own.Type(key...) != "Hash" && isTable(inner) {
			return nil, spec.TOMLFaultAt(file, text, key, "%s must be a table, as in {key = \"text\"}", key)
		}
		if isMisspelt(inner) {
			unknown = append(unknown, key)
		}
		if what := emptyFault(inner, valueAt(f.values, key)); what != "" {
			faults = append(faults, settingFault{key, what})
		}
	}
	unknown = append(unknown, undecoded(meta, own, isLanguage)...)
	if len(unknown) > 0 {
		key := unknown[0]
		inTable := len(key) > 1 || own.Type(key...) == "Hash"
		return nil, f.unknownKey(key, inTable && !isLanguage[key[0]] && !isTable(key[:1]))
	}
	if len(faults) > 0 {
		return nil, spec.TOMLFaultAt(file, text, faults[0].path, "%s", faults[0].what)
	}
	return f, nil
}

// undecoded returns the keys that no setting has. The file was decoded twice, for all
// languages and for one, and each decoding leaves the keys of the other undecoded.
func undecoded(all, own toml.MetaData, isLanguage map[string]bool) (keys []toml.Key) {
	for _, key := range all.Undecoded() {
		if !isLanguage[key[0]] {
			keys = append(keys, key)
		}
	}
	for _, key := range own.Undecoded() {
		if isLanguage[key[0]] {
			keys = append(keys, key)
		}
	}
	return keys
}

// unknownKey is the fault of a key that no setting has. It may be meant for a table of a
// language.
func (f *SettingsFile) unknownKey(key toml.Key, mayBeLanguage bool) error {
	meant, hint := "", ""
	if near := spec.Nearest(key[len(key)-1], possible(key, f.languages)); near != "" {
		meant = "did you mean " + near + "? "
	}
	if mayBeLanguage {
		hint = "; a language is one of " + strings.Join(f.languages, ", ")
	}
	return spec.TOMLFaultAt(f.file, f.text, key, "unknown setting %q; %ssee \"Settings\" in CONTRIBUTING.md%s", key.String(), meant, hint)
}

// left are the cases that the settings do not exclude.
func (s Settings) left(cases []*spec.Case) []*spec.Case {
	excluded := map[string]bool{}
	for uuid := range s.Exclude {
		excluded[spec.UUIDKey(uuid)] = true
	}
	return slices.DeleteFunc(slices.Clone(cases), func(c *spec.Case) bool {
		return c.UUID != "" && excluded[spec.UUIDKey(c.UUID)]
	})
}

// with returns the settings, overridden by those of one language.
func (s Settings) with(o Settings) Settings {
	over(&s.Errors, o.Errors)
	over(&s.ErrorType, o.ErrorType)
	over(&s.Tests, o.Tests)
	over(&s.Table, o.Table)
	over(&s.Compare, o.Compare)
	over(&s.Framework, o.Framework)
	s.Exclude = merged(s.Exclude, o.Exclude)
	s.Types = merged(s.Types, o.Types)
	properties := map[string]Property{}
	maps.Copy(properties, s.Properties)
	for name, special := range o.Properties {
		properties[name] = properties[name].with(special)
	}
	s.Properties = properties
	return s
}

func (p Property) with(o Property) Property {
	over(&p.Function, o.Function)
	over(&p.Table, o.Table)
	over(&p.Type, o.Type)
	over(&p.Errors, o.Errors)
	over(&p.Tolerance, o.Tolerance)
	over(&p.Unordered, o.Unordered)
	over(&p.Task, o.Task)
	p.Constants = merged(p.Constants, o.Constants)
	p.Fields = merged(p.Fields, o.Fields)
	if o.Order != nil {
		p.Order = o.Order
	}
	return p
}

func over[T comparable](setting *T, special T) {
	var zero T
	if special != zero {
		*setting = special
	}
}

func merged(a, b map[string]string) map[string]string {
	m := map[string]string{}
	maps.Copy(m, a)
	maps.Copy(m, b)
	return m
}

// possible lists the keys that are allowed in the place of a key.
func possible(key toml.Key, languages []string) (names []string) {
	of := reflect.TypeFor[Settings]()
	inner := key
	if slices.Contains(languages, key[0]) {
		inner = key[1:]
	}
	switch {
	case len(key) == 1:
		names = slices.Clone(languages)
	case len(inner) == 1:
	case len(inner) == 3 && inner[0] == "properties":
		of = reflect.TypeFor[Property]()
	default:
		return nil
	}
	for i := range of.NumField() {
		names = append(names, of.Field(i).Tag.Get("toml"))
	}
	return names
}

// isTable reports whether a key, without a language in front, must be a table. The library
// ignores another value where it decodes into a map.
func isTable(key toml.Key) bool {
	switch len(key) {
	case 1:
		return slices.Contains([]string{"exclude", "types", "properties"}, key[0])
	case 3:
		return key[0] == "properties" && (key[2] == "constants" || key[2] == "fields")
	}
	return false
}

// isMisspelt reports whether a key, without a language in front, has a character that no
// setting has, such as a capital: the library takes A for a.
func isMisspelt(key toml.Key) bool {
	other := func(name string) bool { return strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" }
	return len(key) > 0 && other(key[0]) || len(key) > 2 && key[0] == "properties" && other(key[2])
}

// emptyFault says what is wrong with a value that would have no effect.
func emptyFault(key toml.Key, value any) string {
	if len(key) == 0 {
		return "" // a language's table
	}
	last := key[len(key)-1]
	switch value := value.(type) {
	case string:
		if strings.TrimSpace(value) == "" && key[0] != "exclude" { // validate asks for a reason
			return fmt.Sprintf("%s is empty; write something between the quotes, or remove it", last)
		}
	case int64:
		if len(key) == 3 && last == "task" && value < 1 {
			return fmt.Sprintf("task must be 1 or more; it is %d", value)
		}
	}
	return ""
}

// valueAt is the value of a key, or nil.
func valueAt(values any, key toml.Key) any {
	for _, name := range key {
		table, _ := values.(map[string]any)
		values = table[name]
	}
	return values
}

// settingFault is a setting with a value that is not allowed.
type settingFault struct {
	path []string
	what string
}

// validate checks the values of the settings in the table with this path.
func (s Settings) validate(path []string) (faults []settingFault) {
	oneOf := func(value string, key []string, allowed ...string) {
		if value != "" && !slices.Contains(allowed, value) {
			what := fmt.Sprintf("%s must be \"%s\"; it is %q", key[len(key)-1], strings.Join(allowed, `" or "`), value)
			faults = append(faults, settingFault{key, what})
		}
	}
	at := func(key ...string) []string { return slices.Concat(path, key) }
	oneOf(s.Errors, at("errors"), TextError, AnyError)
	oneOf(s.Tests, at("tests"), FullTests, TableTests)
	oneOf(s.Compare, at("compare"), CmpCompare)
	for _, uuid := range slices.Sorted(maps.Keys(s.Exclude)) {
		if strings.TrimSpace(s.Exclude[uuid]) == "" {
			faults = append(faults, settingFault{at("exclude", uuid), fmt.Sprintf("case %s: no reason is given; say in the quotes why the case is left out", uuid)})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name]
		oneOf(p.Errors, at("properties", name, "errors"), TextError, AnyError)
		if !(p.Tolerance >= 0 && p.Tolerance <= maxTolerance) {
			what := fmt.Sprintf("tolerance must be a number from 0 to 1e300; it is %v", p.Tolerance)
			faults = append(faults, settingFault{at("properties", name, "tolerance"), what})
		}
	}
	return faults
}

// Named holds the names that settings can use: those in an exercise's data, also in cases
// that it does not select.
type Named struct {
	UUIDs      map[string]bool            // by spec.UUIDKey
	Properties map[string]map[string]bool // with the keys of their arguments
	Results    map[string]map[string]bool // the text results of each property
	Records    map[string]bool
}

// NewNamed collects the names in cases.
func NewNamed(cases []*spec.Case) *Named {
	n := &Named{UUIDs: map[string]bool{}, Properties: map[string]map[string]bool{}, Results: map[string]map[string]bool{}, Records: map[string]bool{}}
	for _, c := range cases {
		n.UUIDs[spec.UUIDKey(c.UUID)] = true
		if n.Properties[c.Property] == nil {
			n.Properties[c.Property] = map[string]bool{"description": true, "expected": true, "error": true}
			n.Results[c.Property] = map[string]bool{}
		}
		if c.Expected.Kind == spec.String {
			n.Results[c.Property][c.Expected.Text] = true
		}
		for _, f := range c.Input.Fields {
			n.Properties[c.Property][f.Name] = true
		}
	}
	return n
}

// CheckNames returns an error for the first name in the file that the exercise's data
// lack.
func (f *SettingsFile) CheckNames(named *Named) error {
	for _, key := range f.keys {
		inner := key
		if slices.Contains(f.languages, key[0]) {
			inner = key[1:]
		}
		if what := named.lacks(inner, valueAt(f.values, key)); what != "" {
			return spec.TOMLFaultAt(f.file, f.text, key, "%s", what)
		}
	}
	return nil
}

// lacks says which name in a key, without a language in front, or in its value the data
// lack, or returns "".
func (n *Named) lacks(key toml.Key, value any) string {
	last := len(key) - 1
	hasNo := func(field string) string {
		return fmt.Sprintf("%s has no field %q; %s", key[1], field, suggest(field, n.Properties[key[1]]))
	}
	switch {
	case len(key) < 2:
	case key[0] == "exclude" && last == 1 && !n.UUIDs[spec.UUIDKey(key[1])]:
		return fmt.Sprintf("case %s: the exercise has no such case; remove it, or correct the uuid", key[1])
	case key[0] == "types" && last == 1 && !n.Records[key[1]]:
		return fmt.Sprintf("no record is called %q; %s", key[1], suggest(key[1], n.Records))
	case key[0] != "properties":
	case n.Properties[key[1]] == nil:
		return fmt.Sprintf("no case has the property %q; %s", key[1], suggest(key[1], n.Properties))
	case last == 3 && key[2] == "fields" && !n.Properties[key[1]][key[3]]:
		return hasNo(key[3])
	case last == 3 && key[2] == "constants" && !n.Results[key[1]][key[3]]:
		return fmt.Sprintf("no case of %s has the result %q; %s", key[1], key[3], suggest(key[3], n.Results[key[1]]))
	case last == 2 && key[2] == "order":
		list, _ := value.([]any)
		for i, item := range list {
			field, _ := item.(string)
			if !n.Properties[key[1]][field] {
				return hasNo(field)
			}
			if slices.Contains(list[:i], item) {
				return fmt.Sprintf("order names %q twice; remove one", field)
			}
		}
	}
	return ""
}

func suggest[V any](name string, known map[string]V) string {
	return spec.Suggest(name, slices.Sorted(maps.Keys(known)))
}

// maxTolerance leaves room for an answer that is wrong.
const maxTolerance = 1e300
