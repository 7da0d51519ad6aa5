package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stateoftictactoe/gen/internal/lazy"
)

// Data is the content of one canonical-data.json file.
type Data struct {
	File     string
	Exercise string // the slug the file names, if any
	Cases    []*Case
	// Misspelt lists keys that are probably misspelt names of optional keys.
	Misspelt []*Error

	text           []byte
	exerciseOffset int // where the slug stands
}

// Case is one test case: an input and the result of a right solution.
type Case struct {
	UUID         string // empty only if the file gives none
	Description  string
	Groups       []string // descriptions of the groups around it, outermost first
	Comments     []string
	Scenarios    []string
	Reimplements string // the uuid of the case that it replaces, or ""
	Property     string // names the function under test
	Input        *Value // an Object: the arguments in order
	Expected     *Value
	RawInput     []byte // Input and Expected as the file writes them
	RawExpected  []byte

	source *Value // the whole case, for the places of faults
	data   *Data  // the file that holds it
}

// faultAt places a fault at a byte offset of the case's file.
func (c *Case) faultAt(offset int, format string, args ...any) *Error {
	return errorAt(c.data.File, c.data.text, offset, format, args...)
}

// Path is the case's full description, groups included, as configlet writes it.
func (c *Case) Path() string {
	return strings.Join(append(c.Groups[:len(c.Groups):len(c.Groups)], c.Description), " -> ")
}

// ParseData reads a file in the format of canonical-data.json. If the file adds to
// published data, base is that data: the file's cases may reimplement its cases, but may
// not use their uuids. Errors have their place in the file.
func ParseData(file string, text []byte, base *Data) (*Data, error) {
	root, err := ParseJSON(file, text)
	if err != nil {
		return nil, err
	}
	r := reader{placer: placer{file: file, text: text}, seen: map[string]bool{}}
	if base != nil {
		for _, c := range base.Cases {
			r.take(c.UUID)
		}
	}
	if root.Kind != Object {
		return nil, r.faultAt(root, "", "want an object with \"cases\"")
	}
	if root.Get("cases") == nil {
		return nil, r.missing(root, "cases", "", "key \"cases\" is missing; add the list of cases")
	}
	data := &Data{File: file, text: text}
	if data.Exercise, err = r.word(root, "exercise", "", false); err != nil {
		return nil, err
	}
	if slug := root.Get("exercise"); slug != nil {
		if !slugForm().MatchString(slug.Text) {
			return nil, r.faultAt(slug, "", "\"exercise\" must be a slug: small letters, digits, and hyphens between them")
		}
		data.exerciseOffset = slug.Offset
	}
	r.hint(root, "exercise", "comments", "cases")
	if err := r.read(data, root, nil); err != nil {
		return nil, err
	}
	data.Misspelt = r.misspelt
	for _, c := range data.Cases {
		target := c.source.Get("reimplements")
		switch {
		case target == nil:
		case UUIDKey(c.Reimplements) == UUIDKey(c.UUID) && c.UUID != "":
			return nil, r.faultAt(target, c.UUID, "the case reimplements itself; name the older case that it replaces")
		case !r.seen[UUIDKey(c.Reimplements)]:
			return nil, r.faultAt(target, c.UUID, "reimplements %s, which is no case here; name the uuid of a case", jsonQuote(c.Reimplements))
		}
	}
	return data, nil
}

// CheckExercise returns an error if the data name another exercise than the wanted exercise.
func (d *Data) CheckExercise(slug string) error {
	if d.Exercise == "" || d.Exercise == slug {
		return nil
	}
	return errorAt(d.File, d.text, d.exerciseOffset, "these are the data of %q, and %q is wanted; put its own data there, or correct the slug", d.Exercise, slug)
}

// CheckUUIDs returns an error for the first case whose uuid is malformed.
func (d *Data) CheckUUIDs() error {
	for _, c := range d.Cases {
		if v := c.source.Get("uuid"); v != nil && !uuidForm().MatchString(v.Text) {
			return c.faultAt(v.Offset, "%s is no uuid; write 32 hexadecimal digits, as uuidgen prints them", jsonQuote(v.Text))
		}
	}
	return nil
}

// NeedUUIDs returns an error for the first case without a uuid: a tests.toml lists cases
// by uuid.
func (d *Data) NeedUUIDs() error {
	for _, c := range d.Cases {
		if c.UUID == "" {
			return c.faultAt(c.source.Offset, "case %s has no uuid, by which tests.toml lists it; add one that a command prints: uuidgen, or python3 -c 'import uuid; print(uuid.uuid4())', or node -p 'crypto.randomUUID()'", jsonQuote(c.Path()))
		}
	}
	return nil
}

var uuidForm = lazy.Regexp(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// slugForm matches a slug, the name of an exercise, its folder and its files.
var slugForm = lazy.Regexp(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// UUIDKey returns a uuid in small letters, so that its spellings can be compared.
func UUIDKey(uuid string) string { return strings.ToLower(uuid) }

type reader struct {
	placer
	seen     map[string]bool // uuids, by UUIDKey
	misspelt []*Error
}

func (r *reader) take(uuid string) {
	if uuid != "" {
		r.seen[UUIDKey(uuid)] = true
	}
}

func (r *reader) faultAt(v *Value, uuid, format string, args ...any) error {
	what := fmt.Sprintf(format, args...)
	if uuid != "" {
		what += " (case " + uuid + ")"
	}
	return r.fault(v.Offset, "%s", what)
}

// read adds the cases below a group, or below the whole file.
func (r *reader) read(data *Data, group *Value, groups []string) error {
	list, err := r.list(group, "cases", "")
	if err != nil {
		return err
	}
	for _, item := range list.Items {
		if item.Kind != Object {
			return r.faultAt(item, "", "want a case or a group of cases, both objects")
		}
		if item.Get("cases") == nil {
			r.hint(item, "uuid", "description", "comments", "scenarios", "reimplements", "property", "input", "expected")
			c, err := r.readCase(data, item, groups)
			if err != nil {
				return err
			}
			data.Cases = append(data.Cases, c)
			continue
		}
		r.hint(item, "description", "comments", "cases")
		description, err := r.word(item, "description", "", true)
		if err != nil {
			return err
		}
		if err := r.read(data, item, append(groups[:len(groups):len(groups)], description)); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) readCase(data *Data, v *Value, groups []string) (*Case, error) {
	c := &Case{Groups: groups, source: v, data: data}
	var err error
	if c.UUID, err = r.word(v, "uuid", "", false); err != nil {
		return nil, err
	}
	if r.seen[UUIDKey(c.UUID)] {
		return nil, r.faultAt(v.Get("uuid"), "", "uuid %s stands twice; give each case its own", c.UUID)
	}
	r.take(c.UUID)
	if c.Description, err = r.word(v, "description", c.UUID, true); err != nil {
		return nil, err
	}
	if c.Property, err = r.word(v, "property", c.UUID, true); err != nil {
		return nil, err
	}
	if strings.TrimSpace(c.Property) == "" {
		return nil, r.faultAt(v.Get("property"), c.UUID, "\"property\" is empty; name the function under test")
	}
	if c.Reimplements, err = r.word(v, "reimplements", c.UUID, false); err != nil {
		return nil, err
	}
	if c.Comments, err = r.texts(v, "comments", c.UUID); err != nil {
		return nil, err
	}
	if c.Scenarios, err = r.texts(v, "scenarios", c.UUID); err != nil {
		return nil, err
	}
	if c.Input = v.Get("input"); c.Input == nil {
		return nil, r.missing(v, "input", c.UUID, "the case has no \"input\"; add one ({} for a function without arguments)")
	}
	if c.Input.Kind != Object {
		return nil, r.faultAt(c.Input, c.UUID, "\"input\" must be an object: a key for each argument")
	}
	if c.Expected = v.Get("expected"); c.Expected == nil {
		return nil, r.missing(v, "expected", c.UUID, "the case has no \"expected\"; add the result, or {\"error\": \"message\"}")
	}
	c.RawInput = r.text[c.Input.Offset:c.Input.End]
	c.RawExpected = r.text[c.Expected.Offset:c.Expected.End]
	return c, r.checkValues(c)
}

// checkValues returns an error for a value that no language can take as an input or a
// result.
func (r *reader) checkValues(c *Case) (err error) {
	switch message := c.Expected.Get("error"); {
	case message == nil:
	case len(c.Expected.Fields) > 1:
		return r.faultAt(c.Expected, c.UUID, "an object with \"error\" and other keys is neither a result nor an error; an error is {\"error\": \"message\"}")
	case message.Kind != String:
		return r.faultAt(message, c.UUID, "the message of an error must be a string; an error is {\"error\": \"message\"}")
	}
	for _, part := range []*Value{c.Input, c.Expected} {
		if v := part.below(mostLevels); v != nil {
			return r.faultAt(v, c.UUID, "data nested more than %d levels deep, which not every language can read; nest them less", mostLevels)
		}
		part.walk(func(v *Value) {
			if what := numberFault(v); what != "" && err == nil {
				err = r.faultAt(v, c.UUID, "%s", what)
			}
		})
	}
	return err
}

// mostLevels is how deep data may be nested: Python reads 200 levels of brackets, and its
// tests add some.
const mostLevels = 190

// numberFault says why the languages cannot read a number.
func numberFault(v *Value) string {
	const mostDigits = 4300 // of an integer in Python
	if v.Kind != Number {
		return ""
	}
	if !strings.ContainsAny(v.Text, ".eE") {
		if len(v.Text) > mostDigits {
			return fmt.Sprintf("an integer of more than %d digits; write a shorter one", mostDigits)
		}
		return ""
	}
	x, err := strconv.ParseFloat(v.Text, 64)
	mantissa, exponent, _ := strings.Cut(strings.ToLower(v.Text), "e")
	if err != nil || x == 0 && strings.Trim(mantissa, "-.0") != "" || len(exponent) > 5 {
		return "a number beyond the range of a float; write one that is nearer to 1"
	}
	return ""
}

// missing says that an object lacks a key, and which of its keys may be a misspelling.
func (r *reader) missing(v *Value, name, uuid, what string) error {
	for _, meant := range []string{name, "cases"} { // a group without them looks like a case
		if f := misspelt(v, meant); f != nil {
			return r.unknown(f, meant)
		}
	}
	return r.faultAt(v, uuid, "%s", what)
}

// hint notes the fields of an object that may be misspellings of keys that it lacks.
func (r *reader) hint(v *Value, names ...string) {
	for _, name := range names {
		if f := misspelt(v, name); f != nil && v.Get(name) == nil && !slices.Contains(names, f.Name) {
			r.misspelt = append(r.misspelt, r.unknown(f, name))
		}
	}
}

// misspelt returns the first field of an object that may be a misspelling of a name, or
// nil.
func misspelt(v *Value, name string) *Field {
	for i, f := range v.Fields {
		if f.Name != name && (strings.EqualFold(f.Name, name) || isTypo(strings.ToLower(f.Name), name)) {
			return &v.Fields[i]
		}
	}
	return nil
}

func (r *reader) unknown(f *Field, meant string) *Error {
	return r.fault(f.Offset, "unknown key %s; did you mean %s?", jsonQuote(f.Name), jsonQuote(meant))
}

// word reads a key that holds one string.
func (r *reader) word(v *Value, name, uuid string, required bool) (string, error) {
	field := v.Get(name)
	switch {
	case field == nil && required:
		return "", r.missing(v, name, uuid, jsonQuote(name)+" is missing; add it")
	case field == nil:
		return "", nil
	case field.Kind != String:
		return "", r.faultAt(field, uuid, "%s must be a string", jsonQuote(name))
	}
	return field.Text, nil
}

// list reads a key that holds an array, or returns nil if the key is missing.
func (r *reader) list(v *Value, name, uuid string) (*Value, error) {
	field := v.Get(name)
	if field != nil && field.Kind != Array {
		return nil, r.faultAt(field, uuid, "%s must be an array", jsonQuote(name))
	}
	return field, nil
}

// texts reads a key that holds an array of strings.
func (r *reader) texts(v *Value, name, uuid string) ([]string, error) {
	list, err := r.list(v, name, uuid)
	if err != nil || list == nil {
		return nil, err
	}
	var texts []string
	for _, item := range list.Items {
		if item.Kind != String {
			return nil, r.faultAt(item, uuid, "%s must hold strings only", jsonQuote(name))
		}
		texts = append(texts, item.Text)
	}
	return texts, nil
}
