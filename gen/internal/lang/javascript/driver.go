package javascript

import (
	"errors"

	"stateoftictactoe/gen/internal/lang"
)

// Driver implements lang.Language.
func (JavaScript) Driver(*lang.Unit) (map[string][]byte, error) {
	return nil, errors.New("not written yet")
}

// Drive implements lang.Tool.
func (JavaScript) Drive(lang.Program) lang.Command { return lang.Command{} }
