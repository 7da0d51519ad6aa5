package python

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// The names of the driver and its table. They differ from any file of the solution, none
// of which is hidden.
const (
	driverFile = ".driver.py"
	tableFile  = ".driver.json"
)

// driver is the same for all exercises.
//
//go:embed programs/driver.py
var driver []byte

// table describes an exercise to the driver.
type table struct {
	Module    string          `json:"module"`
	ErrorType string          `json:"error_type"`
	OwnError  bool            `json:"own_error"` // the solution defines the type of error
	Functions []tableFunction `json:"functions"`
	// Records are the kinds of the fields by their keys, by the record's name.
	Records map[string]map[string]any `json:"records"`
}

type tableFunction struct {
	Property string   `json:"property"`
	Name     string   `json:"name"`
	Call     string   `json:"call"` // name(parameters)
	Keys     []string `json:"keys"` // of the arguments, in order
	Result   any      `json:"result"`
	Absent   bool     `json:"absent"` // a key of the result that holds None counts as absent
}

// Driver implements lang.Writer.
//
// Its verdicts are those of the native tests, which compare by Python's ==. True equals 1
// there, so True passes if 1 is expected, and 1 passes for True inside a list or a dict.
// But a yes-or-no question needs a bool. Objects of types other than the data's are no
// data, even if their class says that they equal the expected result.
func (Python) Driver(u *lang.Unit) (map[string][]byte, error) {
	n, err := newNaming(u)
	if err != nil {
		return nil, err
	}
	s := n.solution()
	t := table{Module: s.Module, ErrorType: s.ErrorType, OwnError: s.OwnError, Records: map[string]map[string]any{}}
	records := map[*spec.Record]string{}
	for i, r := range u.Suite.Records {
		records[r] = fmt.Sprintf("%s %d", r.Hint, i+1)
	}
	for i, f := range u.Suite.Functions {
		fn := tableFunction{Property: f.Property, Name: s.Functions[i].Name, Call: s.Functions[i].Call, Keys: []string{}, Result: "any"}
		for _, p := range f.Params {
			fn.Keys = append(fn.Keys, p.Key)
		}
		if f.Result != nil {
			fn.Absent = n.methods(f, map[string]bool{}).absent
			if fn.Result = kind(f.Result, records); fn.Result == "flag" {
				fn.Result = "bool" // compared with assertIs
			}
		}
		t.Functions = append(t.Functions, fn)
	}
	for _, r := range u.Suite.Records {
		fields := map[string]any{}
		for _, f := range r.Fields {
			fields[f.Key] = kind(f.Type, records)
		}
		t.Records[records[r]] = fields
	}
	text, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return nil, err
	}
	return map[string][]byte{driverFile: driver, tableFile: text}, nil
}

// kind describes a type to the driver.
func kind(t *spec.Type, records map[*spec.Record]string) any {
	switch t.Kind {
	case spec.BoolType:
		return "flag"
	case spec.IntType:
		return "int"
	case spec.FloatType:
		return "float"
	case spec.StringType:
		return "str"
	case spec.ListType:
		return []any{"list", kind(t.Elem, records)}
	case spec.MapType:
		return []any{"map", kind(t.Elem, records)}
	case spec.RecordType:
		return []any{"record", records[t.Record]}
	}
	return "any"
}
