package javascript

import (
	"path"
	"strconv"

	"stateoftictactoe/gen/internal/lang"
)

// driverFile is the name of the driver beside a solution, none of whose files is
// hidden.
const driverFile = ".driver.mjs"

// Driver implements lang.Language.
func (JavaScript) Driver(u *lang.Unit) (map[string][]byte, error) {
	s, err := newNaming(u).solution()
	if err != nil {
		return nil, err
	}
	text, err := render(parsed.Lookup("driver.mjs.tmpl"), struct {
		solution
		Questions, Replies, File string
	}{s, strconv.Itoa(lang.QuestionDescriptor), strconv.Itoa(lang.ReplyDescriptor), quote(path.Base(u.Files.Solution))})
	if err != nil {
		return nil, err
	}
	return map[string][]byte{driverFile: text, "package.json": modulePackage}, nil
}

// Drive implements lang.Tool.
func (JavaScript) Drive(p lang.Program) lang.Command {
	return lang.Command{Args: []string{"node", driverFile}, Dir: p.Dir}
}
