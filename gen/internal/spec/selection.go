package spec

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Selection says which published cases an exercise uses: the content of a
// tests.toml. A nil Selection stands for no such file.
type Selection struct {
	File    string
	include map[string]bool // every listed uuid, by UUIDKey
}

// oldTable is the one table of the tests.toml that came before one table per
// uuid: the uuids are its keys, true or false their inclusion.
const oldTable = "canonical-tests"

// ParseSelection reads a tests.toml for published data. Errors are a uuid that is not
// published, an include that is no boolean, and a reimplements that names the case itself
// or no case.
func ParseSelection(file string, text []byte, data *Data) (*Selection, error) {
	var tables map[string]any
	meta, err := ParseTOML(file, text, &tables)
	if err != nil {
		return nil, err
	}
	s := &Selection{File: file, include: map[string]bool{}}
	r := selectionReader{Selection: s, text: text, known: map[string]bool{}, written: map[string]string{}}
	for _, c := range data.Cases {
		if c.UUID != "" {
			r.known[UUIDKey(c.UUID)] = true
		}
	}
	if data.Exercise != "" && r.listsNone(tables) {
		return nil, errorAt(data.File, data.text, data.exerciseOffset, "these are the data of %q, and %s lists none of their cases; put the data of the exercise there that is meant, or correct the uuids",
			data.Exercise, file)
	}
	// In the order of the file, so that the error names the first fault. Dotted keys
	// mention a table several times, without a key of its own.
	done := map[[2]string]bool{}
	for _, key := range meta.Keys() {
		table, old := tables[key[0]].(map[string]any)
		old = old && key[0] == oldTable
		if old && len(key) == 1 {
			continue
		}
		id := [2]string{key[0]}
		if old {
			id[1] = key[1]
		}
		if done[id] {
			continue
		}
		done[id] = true
		if old {
			err = r.add(map[string]any{"include": table[key[1]]}, key[1], key[:2]...)
		} else {
			err = r.add(tables[key[0]], key[0], key[0])
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// selectionReader reads the entries of a selection.
type selectionReader struct {
	*Selection
	text    []byte
	known   map[string]bool   // the uuids of the data's cases
	written map[string]string // how a uuid is spelled at its first place
}

// listsNone reports whether the data have none of the listed cases: probably they are those
// of another exercise.
func (r selectionReader) listsNone(tables map[string]any) bool {
	uuids := slices.Collect(maps.Keys(tables))
	if old, ok := tables[oldTable].(map[string]any); ok {
		uuids = slices.Concat(uuids, slices.Collect(maps.Keys(old)))
	}
	isListed := func(uuid string) bool { return uuidForm().MatchString(uuid) }
	isKnown := func(uuid string) bool { return r.known[UUIDKey(uuid)] }
	return slices.ContainsFunc(uuids, isListed) && !slices.ContainsFunc(uuids, isKnown)
}

// add adds an entry. Its path is its key in the file.
func (r selectionReader) add(entry any, uuid string, path ...string) error {
	switch first, seen := r.written[UUIDKey(uuid)]; {
	case seen && first == uuid:
		return TOMLFaultAt(r.File, r.text, path, "case %s: stands here and in the table %s; keep one", uuid, oldTable)
	case seen:
		return TOMLFaultAt(r.File, r.text, path, "case %s: stands here and as %s; keep one", uuid, first)
	}
	r.written[UUIDKey(uuid)] = uuid
	table, _ := entry.(map[string]any)
	for key := range table {
		if isTypo(key, "include") {
			return TOMLFaultAt(r.File, r.text, append(path, key), "case %s: %s is no key; did you mean include?", uuid, key)
		}
	}
	include, err := readEntry(entry, uuid, r.known)
	if err != nil {
		return TOMLFaultAt(r.File, r.text, path, "case %s: %s", uuid, err)
	}
	r.include[UUIDKey(uuid)] = include
	return nil
}

// readEntry checks the table of one case and reports whether it is included.
func readEntry(entry any, uuid string, known map[string]bool) (bool, error) {
	table, ok := entry.(map[string]any)
	if !ok {
		return false, fmt.Errorf("must be a table; write [%s]", uuid)
	}
	if !known[UUIDKey(uuid)] {
		return false, errors.New("no case has this uuid; remove it, or correct the uuid")
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
		return false, fmt.Errorf("include must be true or false, without quotes; it is %s", describe(value))
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
	case UUIDKey(target) == UUIDKey(uuid):
		return errors.New("reimplements itself; name the older case that it replaces")
	case !known[UUIDKey(target)]:
		return fmt.Errorf("reimplements %s, but no case has this uuid; name the uuid of a case", jsonQuote(target))
	}
	return nil
}

// describe shows a TOML value for an error message, or names the kind of a value that may
// be long.
func describe(value any) string {
	switch value := value.(type) {
	case string:
		return jsonQuote(value)
	case int64, float64:
		return fmt.Sprint(value)
	case []any:
		return "an array"
	case map[string]any, []map[string]any:
		return "a table"
	}
	return "a date or time"
}

// Superseded returns the cases that other cases reimplement.
func (d *Data) Superseded() map[*Case]bool {
	replaced := map[string]bool{}
	for _, c := range d.Cases {
		if c.Reimplements != "" {
			replaced[UUIDKey(c.Reimplements)] = true
		}
	}
	superseded := map[*Case]bool{}
	for _, c := range d.Cases {
		if replaced[UUIDKey(c.UUID)] {
			superseded[c] = true
		}
	}
	return superseded
}

// Select returns the published cases that an exercise uses, and those that its tests.toml
// does not list yet. Without a tests.toml it uses all cases but the superseded.
func Select(data *Data, s *Selection) (selected, unlisted []*Case) {
	superseded := data.Superseded()
	for _, c := range data.Cases {
		if s == nil {
			if !superseded[c] {
				selected = append(selected, c)
			}
			continue
		}
		include, listed := s.include[UUIDKey(c.UUID)]
		switch {
		case !listed:
			unlisted = append(unlisted, c)
		case include:
			selected = append(selected, c)
		}
	}
	return selected, unlisted
}
