package javascript

import (
	_ "embed"
	"encoding/json"
	"path"

	"stateoftictactoe/gen/internal/lang"
)

// The names of the driver and its table. They differ from any file of the solution, none
// of which is hidden.
const (
	driverFile = ".driver.mjs"
	tableFile  = ".driver.json"
)

// driver is the same for all exercises.
//
//go:embed programs/driver.mjs
var driver []byte

// table describes an exercise to the driver.
type table struct {
	File      string          `json:"file"` // the solution
	Functions []tableFunction `json:"functions"`
}

type tableFunction struct {
	Property string   `json:"property"`
	Name     string   `json:"name"`
	Call     string   `json:"call"` // name(parameters)
	Keys     []string `json:"keys"` // of the arguments, in order
	// Big reports whether integers are BigInt. Shapes says in which positions, or is null.
	Big    bool    `json:"big"`
	Shapes []shape `json:"shapes"`
}

// Driver implements lang.Writer.
func (JavaScript) Driver(u *lang.Unit) (map[string][]byte, error) {
	if err := (JavaScript{}).CheckSettings(u); err != nil {
		return nil, err
	}
	n := newNaming(u)
	t := table{File: path.Base(u.Files.Solution)}
	for _, f := range u.Suite.Functions {
		name := n.functions[f]
		fn := tableFunction{Property: f.Property, Name: name, Keys: []string{}, Big: f.HasLargeInts()}
		var params []doc
		for i, p := range n.params(f) {
			params = append(params, p)
			fn.Keys = append(fn.Keys, f.Params[i].Key)
		}
		fn.Call = flat(call(name, params...))
		if fn.Big {
			fn.Shapes = shapesOf(f)
		}
		t.Functions = append(t.Functions, fn)
	}
	text, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return nil, err
	}
	return map[string][]byte{driverFile: driver, tableFile: text, "package.json": modulePackage}, nil
}

// Drive implements lang.Driven.
func (JavaScript) Drive(p lang.Program) lang.Command {
	return lang.Command{Args: []string{"node", driverFile}, Dir: p.Dir}
}
