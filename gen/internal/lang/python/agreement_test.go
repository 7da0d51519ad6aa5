package python

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// returned lists, for each property, a result wanted and the results that a
// solution gives instead, as Python. They are right, nearly right, or right to
// ==, and the tests and the driver must say the same of each.
var returned = []struct {
	property, expected string
	codes              []string
}{
	{"flag", `true`, []string{"True", "False", "1", "1.0", "None", "'True'", "[True]"}},
	{"number", `1`, []string{"1", "True", "1.0", "2", "'1'", "Count(1)", "Level.LOW", "Color.RED", "complex(1)", "fractions.Fraction(1)", "decimal.Decimal('1.0')", "decimal.Decimal('1.5')", "None", "[1]", "1 + 1e-16", "1 + 1e-10", "float('nan')", "b'1'"}},
	{"large", `100000000000000000000000`, []string{"10**23", "1e23", "10**23 + 1", "float(10**23)"}},
	{"ratio", `31.69`, []string{"31.69", "31.6949", "31.6951", "31.6851", "31.6849", "True", "None", "'31.69'", "decimal.Decimal('31.69')", "fractions.Fraction(3169, 100)", "complex(31.69)", "float('nan')", "float('inf')", "10**400", "numpy()"}},
	{"text", `"win"`, []string{"'win'", "Name('win')", "State.WIN", "Color.RED", "b'win'", "'Win'", "['win']", "None", "'w' 'in'", "'win\\n'"}},
	{"list", `[1, 2]`, []string{"[1, 2]", "(1, 2)", "[True, 2.0]", "Rows([1, 2])", "collections.deque([1, 2])", "range(1, 3)", "{1, 2}", "iter([1, 2])", "[2, 1]", "[1]", "[1, 2, None]", "[1, (2,)]", "{1: 2}", "Pair(1, 2)", "array.array('i', [1, 2])"}},
	{"flags", `[true, false]`, []string{"[True, False]", "[1, 0]", "[1.0, False]", "[2, 0]", "['', False]", "[False, True]", "[None, False]"}},
	{"map", `{"a": 1, "b": 2}`, []string{"{'a': 1, 'b': 2}", "collections.Counter('abb')", "collections.OrderedDict(b=2, a=1)", "collections.defaultdict(int, a=1, b=2)", "{'a': 1}", "{'a': 1, 'b': 2, 'c': 3}", "{Name('a'): 1, 'b': 2}", "[('a', 1), ('b', 2)]", "{'a': True, 'b': 2.0}", "{b'a': 1, 'b': 2}", "{'a': 1, 'b': 2, 'c': None}", "types.MappingProxyType({'a': 1, 'b': 2})", "types.SimpleNamespace(a=1, b=2)", "{'a': 1, 'b': 2}.items()"}},
	{"entry", `{"name": "a", "size": 2}`, []string{"{'name': 'a', 'size': 2}", "{'name': 'a', 'size': 2, 'own': 3}", "{'name': 'a', 'size': 2, 'own': None}", "{'name': 'a'}", "{'name': 'a', 'size': None}", "Entry('a', 2)", "vars(Entry('a', 2))", "Point(name='a', size=2)", "Point(name='a', size=2)._asdict()", "Typed(name='a', size=2)"}},
	{"loose", `["a", {"b": 1}]`, []string{"['a', {'b': 1}]", "['a', {'b': 1, 'c': None}]", "['a', {'b': True}]"}},
	{"looseNulls", `["a", {"b": 1, "c": null}]`, []string{"['a', {'b': 1, 'c': None}]", "['a', {'b': 1}]", "['a', {'b': 1, 'c': None, 'd': None}]", "['a', {'b': 1, 'c': []}]", "['a', {'b': 1, 'c': 0}]"}},
	{"tree", `{"name": "a", "ok": true, "rooms": [{"name": "b"}]}`, []string{
		"{'name': 'a', 'ok': True, 'rooms': [{'name': 'b'}]}",
		"{'name': 'a', 'ok': 1, 'rooms': [{'name': 'b', 'ok': None, 'rooms': []}]}",
		"{'name': 'a', 'ok': True, 'rooms': [{'name': 'b', 'rooms': None}]}",
		"{'name': 'a', 'ok': True, 'rooms': [{'name': 'b', 'rooms': [{'name': 'c'}]}]}",
		"{'name': 'a', 'ok': True, 'rooms': [{'name': 'b', 'other': 1}]}",
		"{'name': 'a', 'ok': True, 'rooms': ({'name': 'b'},)}",
		"{'name': 'a', 'ok': True, 'rooms': []}",
		"{'name': 'a', 'ok': False, 'rooms': [{'name': 'b'}]}",
		"Pair('a', [])",
	}},
	{"ratios", `{"x": [0.25, 1.5], "n": 3}`, []string{"{'x': [0.25, 1.5], 'n': 3}", "{'x': [0.2549, 1.5049], 'n': 3.0}", "{'x': [0.2551, 1.5], 'n': 3}", "{'x': [0.25, 1.5], 'n': 3.001}", "{'x': [0.25], 'n': 3}", "{'x': [0.25, decimal.Decimal('1.5')], 'n': 3}"}},
	{"anyOrder", `[[1, 2], [3], [3]]`, []string{"[[1, 2], [3], [3]]", "[[3], [1, 2], [3]]", "[[2, 1], [3], [3]]", "[[1, 2], [1, 2], [3]]", "([3], [1, 2], [3])", "[[1, 2], [3]]", "[[3], [3], [1, 2], [3]]"}},
	{"anything", `["a", 2, [0.5], {"b": 3}]`, []string{"['a', 2, [0.5], {'b': 3}]", "['a', 2.0, [fractions.Fraction(1, 2)], {'b': 3}]", "['a', 2, (0.5,), {'b': 3}]", "['a', 2, [0.5], {'b': 4}]", "['a', decimal.Decimal(2), [0.5], {'b': 3}]"}},
	{"maybe", `null`, []string{"None", "0", "''", "[]", "False"}},
	{"fails", `{"error": "wrong"}`, []string{
		"fail(ValueError('wrong'))", "fail(ValueError('wrong', 1))", "fail(ValueError(Name('wrong')))", "fail(ValueError('Wrong'))",
		"fail(ValueError())", "fail(ValueError)", "fail(ValueError(1))", "fail(ValueError('wrong').with_traceback(None))", "chained()", "grouped()", "fail(ValueError(['wrong']))", "fail(ValueError(b'wrong'))", "fail(tuple)", "fail('wrong')", "fail(StopIteration('wrong'))", "(x for x in [1])", "given_args()", "noted()", "fail(Exception('wrong'))", "fail(Special('wrong'))", "fail(Forged('wrong'))",
		"fail(NotImplementedError('wrong'))", "1", "None", "{'error': 'wrong'}", "fail(SystemError('wrong'))", "int('x')", "deep()",
	}},
}

const givesBack = `
import array, collections, dataclasses, decimal, enum, fractions, types, typing

class Name(str): pass
class Count(int): pass
class Rows(list): pass
class Level(enum.IntEnum):
    LOW = 1
class State(str, enum.Enum):
    WIN = "win"
class Color(enum.Enum):
    RED = 1
class Special(ValueError): pass
class Forged(Exception): pass
Forged.__name__ = Forged.__qualname__ = "ValueError"
Pair = collections.namedtuple("Pair", "name rooms")
class numpy:
    """Like a number of another library: it has arithmetic, but is none of Python's."""
    def __sub__(self, other): return 31.69 - other
    def __eq__(self, other): return NotImplemented

Point = collections.namedtuple("Point", "name size")
class Typed(typing.TypedDict):
    name: str
    size: int
@dataclasses.dataclass
class Entry:
    name: str
    size: int

def chained():
    try:
        raise KeyError("other")
    except KeyError as error:
        raise ValueError("wrong") from error

def grouped():
    raise ExceptionGroup("wrong", [ValueError("wrong")])

def given_args():
    error = ValueError()
    error.args = ("wrong",)
    raise error

def noted():
    error = ValueError("wrong")
    error.__dict__["note"] = "more"
    raise error

def fail(error):
    raise error

def deep():
    return deep()

def give(code):
    return eval(code)

flag = number = large = ratio = text = list_ = flags = map_ = tree = give
ratios = any_order = anything = maybe = fails = entry = loose = loose_nulls = give
`

func TestAgreement(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	needPython(t)
	var cases []string
	var codes []string
	add := func(property, code, expected string) {
		input, err := json.Marshal(map[string]string{"code": code})
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, fmt.Sprintf(`{"description": "case %d", "property": %q, "input": %s, "expected": %s}`, len(cases), property, input, expected))
		codes = append(codes, property+" "+code)
	}
	for _, r := range returned {
		for _, code := range r.codes {
			add(r.property, code, r.expected)
		}
		if r.property == "maybe" {
			add(r.property, "'text'", `"text"`)
		}
	}
	u := unit(t, `{"exercise": "agreement", "cases": [`+strings.Join(cases, ",\n")+`]}`, lang.Settings{
		Properties: map[string]lang.Property{
			"anyOrder": {Unordered: true}, "list": {Function: "list_"}, "map": {Function: "map_"},
		},
	})
	native := runTests(t, u, givesBack)
	d := ready(t, u, givesBack)
	passed := 0
	for i, c := range u.Suite.Cases() {
		f := function(u, c)
		reply := d.call(c.Property, c.RawInput)
		sealed := verdict(t, u, f, c, reply)
		outcome, reported := native[Python{}.IDs(u)[i]]
		if !reported || outcome.Passed != sealed {
			t.Errorf("%s: the tests say %t, the driver %t: %+v\n%s", c.Property+" "+c.Input.JSON(), outcome.Passed, sealed, reply, outcome.Message)
		}
		if sealed {
			passed++
		}
	}
	if passed < 30 || passed > len(codes)-60 {
		t.Errorf("%d of %d cases pass; the solution is no longer half right", passed, len(codes))
	}
}

func function(u *lang.Unit, c *spec.Case) *spec.Function {
	for _, f := range u.Suite.Functions {
		if f.Property == c.Property {
			return f
		}
	}
	return nil
}

// verdict judges a reply as the harness does.
func verdict(t *testing.T, u *lang.Unit, f *spec.Function, c *spec.Case, r lang.Reply) bool {
	t.Helper()
	wantedType := u.Settings.ErrorType
	if wantedType == "" {
		wantedType = defaultErrorType
	}
	_, wantsError := c.Expected.ErrorText()
	switch {
	case r.Error != nil:
		message := &spec.Value{Kind: spec.String, Text: r.Error.Message}
		got := &spec.Value{Kind: spec.Object, Fields: []spec.Field{{Name: "error", Value: message}}}
		how := u.Comparison(f)
		return r.Error.Type == wantedType && (r.Error.HasMessage || how.AnyError) && f.Equal(c.Expected, got, how)
	case r.Result == nil || wantsError:
		return false
	}
	got, err := spec.ParseJSON("reply", r.Result)
	if err != nil {
		t.Fatal(err)
	}
	return f.Equal(c.Expected, got, u.Comparison(f))
}

// layOut puts a solution with its tests into a work dir.
func layOut(t *testing.T, u *lang.Unit, solution string) (dir, program string) {
	t.Helper()
	dir = t.TempDir()
	test, err := Python{}.Tests(u)
	if err != nil {
		t.Fatal(err)
	}
	program = u.Suite.Slug + "-stub"
	if err := os.Mkdir(filepath.Join(dir, program), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		reporterFile:                     reporter,
		program + "/" + u.Files.Test:     test,
		program + "/" + u.Files.Solution: []byte(solution),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir, program
}

// printed runs the tests of a program and returns what they print.
func printed(u *lang.Unit, dir, program string) []byte {
	command := Python{}.Run(lang.Program{Dir: program, Unit: u})
	cmd := exec.Command(command.Args[0], command.Args[1:]...)
	cmd.Dir = filepath.Join(dir, program)
	cmd.Env = append(os.Environ(), command.Env...)
	output, _ := cmd.CombinedOutput() // the exit code is no matter
	return output
}

func runTests(t *testing.T, u *lang.Unit, solution string) map[string]lang.Outcome {
	t.Helper()
	dir, program := layOut(t, u, solution)
	return Python{}.Report(u, printed(u, dir, program))
}
