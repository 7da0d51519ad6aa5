package javascript

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"

	"stateoftictactoe/gen/internal/lang"
)

// Project implements lang.Writer.
func (JavaScript) Project(u *lang.Unit) (map[string][]byte, error) {
	p := project{
		Name:    strings.TrimSuffix(path.Base(u.Files.Solution), ".js"),
		Private: true,
		Type:    "module",
	}
	p.Engines.Node = ">=20"
	p.Scripts.Test = "node --test " + path.Base(u.Files.Test)
	if u.Settings.Framework == jest {
		p.Scripts.Test = "node --experimental-vm-modules node_modules/jest/bin/jest.js " + path.Base(u.Files.Test)
		p.DevDependencies = map[string]string{"jest": "^30.0.0"}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(p); err != nil {
		return nil, err
	}
	return map[string][]byte{"package.json": text.Bytes()}, nil
}

// project is a package.json.
type project struct {
	Name    string `json:"name"`
	Private bool   `json:"private"`
	Type    string `json:"type"`
	Scripts struct {
		Test string `json:"test"`
	} `json:"scripts"`
	DevDependencies map[string]string `json:"devDependencies,omitempty"`
	Engines         struct {
		Node string `json:"node"`
	} `json:"engines"`
}
