package toolchain

import (
	"context"

	"stateoftictactoe/gen/internal/lang/javascript"
)

// JavaScript finds Node.
type JavaScript struct{}

// Find implements Toolchain. Node is a single program; some builds have libraries beside
// it. The program on the path may be a version manager's script.
func (JavaScript) Find() (Tools, error) {
	return installation{
		parts: []string{"lib/lib*.so*"},
		ask:   []string{"node", "-p", "process.execPath + '\\n' + path.dirname(path.dirname(process.execPath))"},
	}.find(javascript.JavaScript{}.Facts().Needs)
}

// Build implements Toolchain: there is nothing to build.
func (JavaScript) Build(context.Context, *Workshop) (Built, error) { return Built{}, nil }
