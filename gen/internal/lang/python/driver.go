package python

import (
	"fmt"
	"slices"
	"strings"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/lazy"
	"stateoftictactoe/gen/internal/spec"
)

// driverFile is the driver beside the solution, none of whose files is hidden.
const driverFile = ".driver.py"

// driver is what the template of a driver is filled with.
type driver struct {
	solution
	QuestionDescriptor, ReplyDescriptor int
	Records                             []recordType
	KnownError                          bool // the type of error comes with Python
}

type recordType struct{ Name, Fields string }

// Driver implements lang.Writer.
//
// Its verdicts are those of the native tests, which compare by Python's ==. A
// bool is an int to it, so that True counts where 1 is wanted, and inside a list
// or a dict 1 counts where True is. A yes-or-no question alone wants a bool. Other objects than those
// of the data's types are no data, even if their class says that they are equal
// to the one wanted.
func (Python) Driver(u *lang.Unit) (map[string][]byte, error) {
	n, err := newNaming(u)
	if err != nil {
		return nil, err
	}
	d := driver{
		solution:           n.solution(),
		QuestionDescriptor: lang.QuestionDescriptor,
		ReplyDescriptor:    lang.ReplyDescriptor,
		KnownError:         !n.ownError,
	}
	records := map[*spec.Record]string{}
	for i, r := range u.Suite.Records {
		records[r] = fmt.Sprintf("%s %d", r.Hint, i+1)
	}
	for i, f := range u.Suite.Functions {
		result := &d.Functions[i].Result
		*result = `"any"`
		if f.Result == nil {
			continue
		}
		d.Functions[i].Absent = n.methods(f, map[string]bool{}).absent
		if *result = kind(f.Result, records); *result == `"flag"` {
			*result = `"bool"` // compared with assertIs
		}
	}
	for _, r := range u.Suite.Records {
		var fields []string
		for _, f := range r.Fields {
			fields = append(fields, quote(f.Key)+": "+kind(f.Type, records))
		}
		d.Records = append(d.Records, recordType{records[r], "{" + strings.Join(fields, ", ") + "}"})
	}
	text, err := render(parsed().Lookup("driver.py.tmpl"), d)
	if err != nil {
		return nil, err
	}
	return map[string][]byte{driverFile: text}, nil
}

// kind is a type as the driver knows it.
func kind(t *spec.Type, records map[*spec.Record]string) string {
	switch t.Kind {
	case spec.BoolType:
		return `"flag"`
	case spec.IntType:
		return `"int"`
	case spec.FloatType:
		return `"float"`
	case spec.StringType:
		return `"str"`
	case spec.ListType:
		return `("list", ` + kind(t.Elem, records) + `)`
	case spec.MapType:
		return `("map", ` + kind(t.Elem, records) + `)`
	case spec.RecordType:
		return `("record", ` + quote(records[t.Record]) + `)`
	}
	return `"any"`
}

// What Python prints when a signal ends it: the reason, and the calls that led there.
var (
	crash     = lazy.Regexp(`(?m)^Fatal Python error: .*$`)
	crashCall = lazy.Regexp(`(?m)^  File "([^"<].*)", line (\d+)`)
)

// Crash shows the reason for a crash and the lines of the solution that led to it, and
// what was printed before. Other lines concern the driver and Python's own modules.
func (Python) Crash(printed string) (said, before string) {
	head := crash().FindStringIndex(printed)
	if head == nil {
		return "", printed
	}
	lines := []string{printed[head[0]:head[1]]}
	for _, call := range crashCall().FindAllStringSubmatch(printed[head[1]:], -1) {
		if !strings.HasSuffix(call[1], "/"+driverFile) && !strings.Contains(call[1], "/lib/python3") {
			lines = append(lines, "    "+call[1]+":"+call[2])
		}
	}
	return strings.Join(slices.Compact(lines), "\n"), printed[:head[0]]
}

// Overflowed implements lang.Driven: a stack that overflows is an exception.
func (Python) Overflowed(string) bool { return false }
