package python

import "stateoftictactoe/gen/internal/lang"

// driverFile is the driver beside the solution. No exercise has a module of
// this name.
const driverFile = "_driver.py"

// Driver implements lang.Language.
func (Python) Driver(u *lang.Unit) (map[string][]byte, error) {
	n, err := newNaming(u)
	if err != nil {
		return nil, err
	}
	text, err := render(parsed.Lookup("driver.py.tmpl"), n.solution())
	if err != nil {
		return nil, err
	}
	return map[string][]byte{driverFile: text}, nil
}
