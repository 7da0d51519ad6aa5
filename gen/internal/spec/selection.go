package spec

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"
)

// Selection says which published cases an exercise uses: the content of a
// tests.toml. A nil Selection stands for no such file.
type Selection struct {
	File    string
	include map[string]bool // every listed uuid
}

// ParseTOML decodes a TOML file into v, with faults placed in the file.
func ParseTOML(file string, text []byte, v any) (toml.MetaData, error) {
	meta, err := toml.NewDecoder(bytes.NewReader(text)).Decode(v)
	if err == nil {
		return meta, nil
	}
	var parse toml.ParseError
	if errors.As(err, &parse) {
		return meta, errorAt(file, text, parse.Position.Start, "bad TOML: %s", strings.TrimSuffix(parse.Message, "."))
	}
	return meta, &Error{File: file, Msg: "bad TOML: " + strings.TrimPrefix(err.Error(), "toml: ")}
}

// TOMLFault places a fault at the line where a table or key first stands. The
// library gives no places for what is wrong in valid TOML.
func TOMLFault(file string, text []byte, key, format string, args ...any) *Error {
	at := regexp.MustCompile(`(?m)^[ \t]*\[*[ \t]*["']?` + regexp.QuoteMeta(key) + `\b`).FindIndex(text)
	if at == nil {
		// A dotted or inline table: the key stands inside a line.
		at = regexp.MustCompile(regexp.QuoteMeta(key)).FindIndex(text)
	}
	if at == nil {
		return &Error{File: file, Msg: fmt.Sprintf(format, args...)}
	}
	offset := at[0]
	for offset < len(text) && (text[offset] == ' ' || text[offset] == '\t') {
		offset++
	}
	return errorAt(file, text, offset, format, args...)
}

// oldTable is the one table of the tests.toml that came before one table per
// uuid: the uuids are its keys, true or false their inclusion.
const oldTable = "canonical-tests"

// ParseSelection reads a tests.toml for the given published data. A uuid that
// is not published is an error, and so are an include that is no boolean and a
// reimplements that names the case itself or none.
func ParseSelection(file string, text []byte, data *Data) (*Selection, error) {
	var tables map[string]any
	meta, err := ParseTOML(file, text, &tables)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, c := range data.Cases {
		known[c.UUID] = true
	}
	s := &Selection{File: file, include: map[string]bool{}}
	// In the order of the file, so that the first fault is the one named. A
	// table that only its dotted keys mention is no key of its own.
	for _, key := range meta.Keys() {
		entry, uuid := tables[key[0]], key[0]
		if uuid == oldTable {
			old, _ := entry.(map[string]any)
			if len(key) < 2 && old != nil {
				continue
			}
			uuid = key[len(key)-1]
			entry = map[string]any{"include": old[uuid]}
		}
		if _, seen := s.include[uuid]; seen {
			continue
		}
		include, err := readEntry(entry, uuid, known)
		if err != nil {
			return nil, TOMLFault(file, text, uuid, "case %s: %s", uuid, err)
		}
		s.include[uuid] = include
	}
	return s, nil
}

// readEntry checks the table of one case and reports whether it is included.
func readEntry(entry any, uuid string, known map[string]bool) (bool, error) {
	table, ok := entry.(map[string]any)
	if !ok {
		return false, fmt.Errorf("must be a table; write [%s]", uuid)
	}
	if !known[uuid] {
		return false, errors.New("no such case is published; remove it, or correct the uuid")
	}
	if err := checkReplaced(table, uuid, known); err != nil {
		return false, err
	}
	value, given := table["include"]
	if !given {
		return true, nil
	}
	include, ok := value.(bool)
	if !ok {
		return false, fmt.Errorf("include must be true or false, without quotes; it is %#v", value)
	}
	return include, nil
}

func checkReplaced(table map[string]any, uuid string, known map[string]bool) error {
	value, given := table["reimplements"]
	if !given {
		return nil
	}
	target, ok := value.(string)
	switch {
	case !ok:
		return errors.New("reimplements must be a uuid in quotes")
	case target == uuid:
		return errors.New("reimplements itself; name the older case that it replaces")
	case !known[target]:
		return fmt.Errorf("reimplements %q, which is no published case", target)
	}
	return nil
}

// Select splits published cases into those that an exercise uses and those
// that its tests.toml does not list yet. Without a tests.toml all cases are
// used but the superseded. A case without a uuid is always used.
func Select(data *Data, s *Selection) (selected, unlisted []*Case) {
	superseded := map[string]bool{}
	for _, c := range data.Cases {
		if c.Reimplements != "" {
			superseded[c.Reimplements] = true
		}
	}
	for _, c := range data.Cases {
		if s == nil {
			if !superseded[c.UUID] {
				selected = append(selected, c)
			}
			continue
		}
		include, listed := s.include[c.UUID]
		switch {
		case c.UUID == "":
			selected = append(selected, c) // there is nothing to list it by
		case !listed:
			unlisted = append(unlisted, c)
		case include:
			selected = append(selected, c)
		}
	}
	return selected, unlisted
}
