package python

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"stateoftictactoe/gen/internal/lang"
)

// needPython skips a test where Python is missing.
func needPython(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath(Interpreter); err != nil {
		t.Skipf("SKIPPED: %s; %s", err, Python{}.Facts().Needs[0].Hint)
	}
}

// driven is a driver at work on a solution.
type driven struct {
	t         *testing.T
	command   *exec.Cmd
	questions io.WriteCloser
	replies   *bufio.Reader
	output    string // a file
}

// printed is what the solution has printed by now.
func (d *driven) printed() string { return strings.TrimSpace(read(d.t, d.output)) }

// drive starts the driver of a fixture on a solution.
func drive(t *testing.T, u *lang.Unit, solution string) *driven {
	t.Helper()
	needPython(t)
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: descriptors cannot be handed to a process here")
	}
	dir := t.TempDir()
	files, err := Python{}.Driver(u)
	if err != nil {
		t.Fatal(err)
	}
	files[u.Files.Solution] = []byte(solution)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	command := Python{}.Drive(lang.Program{Dir: ".", Unit: u})
	cmd := exec.Command(command.Args[0], command.Args[1:]...)
	cmd.Dir = dir
	output, err := os.Create(filepath.Join(t.TempDir(), "output"))
	if err != nil {
		t.Fatal(err)
	}
	defer output.Close()
	cmd.Stdout, cmd.Stderr = output, output
	questionEnd, questions, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	replies, replyEnd, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.ExtraFiles = []*os.File{questionEnd, replyEnd}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	questionEnd.Close()
	replyEnd.Close()
	d := &driven{t, cmd, questions, bufio.NewReader(replies), output.Name()}
	t.Cleanup(func() {
		questions.Close()
		replies.Close()
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})
	return d
}

// reply reads one reply; false says that the driver has ended.
func (d *driven) reply() (lang.Reply, bool) {
	d.t.Helper()
	line, err := d.replies.ReadBytes('\n')
	if err == io.EOF && len(line) == 0 {
		return lang.Reply{}, false
	}
	if err != nil {
		d.t.Fatal(err)
	}
	var r lang.Reply
	if err := json.Unmarshal(line, &r); err != nil {
		d.t.Fatalf("%s: %s", err, line)
	}
	return r, true
}

// call asks for a call and returns the reply; the zero Reply says that the
// driver has ended.
func (d *driven) call(property string, input lang.RawJSON) lang.Reply {
	d.t.Helper()
	question, err := json.Marshal(lang.Question{ID: "id 1", Property: property, Input: input})
	if err != nil {
		d.t.Fatal(err)
	}
	if _, err := d.questions.Write(append(question, '\n')); err != nil {
		d.t.Fatal(err)
	}
	r, ok := d.reply()
	if ok && r.ID != "id 1" {
		d.t.Errorf("reply has id %q", r.ID)
	}
	return r
}

// ask asks for a call and returns what came of it, in short.
func (d *driven) ask(property, input string) string {
	d.t.Helper()
	r := d.call(property, lang.RawJSON(input))
	if r.ID == "" {
		return "gone"
	}
	switch {
	case r.Error != nil && !r.Error.HasMessage:
		return "error " + r.Error.Type + " without a message " + strings.Join(slices.Compact(r.Trace), " ")
	case r.Error != nil:
		return "error " + r.Error.Type + " " + r.Error.Message + " " + strings.Join(slices.Compact(r.Trace), " ")
	case r.Result == nil:
		return "other " + r.Other
	case r.Shown != "":
		return string(r.Result) + " shown " + r.Shown
	}
	return string(r.Result)
}

// end closes the driver's input and returns its exit code.
func (d *driven) end() int {
	d.t.Helper()
	d.questions.Close()
	_ = d.command.Wait() // the exit code says it
	return d.command.ProcessState.ExitCode()
}

func ready(t *testing.T, u *lang.Unit, solution string) *driven {
	t.Helper()
	d := drive(t, u, solution)
	if r, ok := d.reply(); !ok || !r.Ready {
		_ = d.command.Wait()
		t.Fatalf("the driver is not ready: %s", d.printed())
	}
	return d
}

func TestDriverResults(t *testing.T) {
	u := unit(t, kindsData, lang.Settings{})
	// The functions give back what their argument says, as Python.
	const solution = `
import decimal, fractions, collections, enum, sys

class Text(str):
    def __eq__(self, other): return True
    def __str__(self): return "lie"
    def __repr__(self): return "lie"
    __hash__ = str.__hash__
class Number(int):
    def __eq__(self, other): return True
    def __repr__(self): return "0"
    def __index__(self): return 0
class Ratio(float):
    def __repr__(self): return "0"
    def __float__(self): return 0.0
class Rows(list):
    def __iter__(self): return iter([])
    def __len__(self): return 0
class Fields(dict):
    def items(self): return []
    def __iter__(self): return iter([])
class State(str, enum.Enum):
    WIN = "win"
class Meta(type):
    __name__ = property(lambda cls: 1 / 0)
    def __eq__(self, other): return True
    __hash__ = type.__hash__
class Liar(metaclass=Meta):
    __class__ = property(lambda self: str)
    def __eq__(self, other): return True
    def __repr__(self): raise SystemExit(3)
cycle = []
cycle.append(cycle)
deep = []
for _ in range(100000):
    deep = [deep]

async def later(): pass

def give(text): return eval(text)
flag = number = ratio = text = numbers = flags = record = anything = give
`
	d := ready(t, u, solution)
	for _, test := range []struct{ property, code, want string }{
		{"flag", "True", "true"},
		{"flag", "1", "1"},
		{"flag", "None", "null"},
		{"flags", "[1, 0.0, True]", "[true, false, true]"},
		{"number", "True", "1 shown True"},
		{"number", "3", "3"},
		{"number", "3.0", "3"},
		{"number", "1e23", "99999999999999991611392"},
		{"number", "10**30", "1000000000000000000000000000000"},
		{"number", "10**5000", "other int that cannot be read: ValueError"},
		{"number", "0.5", "0.5"},
		{"number", "Number(7)", "7"},
		{"number", "fractions.Fraction(6, 2)", "3"},
		{"number", "fractions.Fraction(1, 3)", "other an object of type Fraction"},
		{"number", "decimal.Decimal('4')", "4"},
		{"number", "complex(2, 0)", "2"},
		{"ratio", "True", "1 shown True"},
		{"numbers", "[False, 2]", "[0, 2] shown [False, 2]"},
		{"ratio", "Ratio(0.1)", "0.1"},
		{"ratio", "decimal.Decimal('4')", "other an object of type Decimal"},
		{"ratio", "float('nan')", "other nan"},
		{"ratio", "float('-inf')", "other -inf"},
		{"text", "Text('true')", `"true"`},
		{"text", "State.WIN", `"win"`},
		{"text", "b'win'", "other b'win', of type bytes"},
		{"text", `"\u00e9\U0001f600\n"`, `"\u00e9\ud83d\ude00\n"`},
		{"text", `"\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16")`, `"\ud83d\ude00"`},
		{"text", `"\ud83d" + "\ude00"`, `other '\ud83d\ude00', which holds half a character`},
		{"text", "Liar()", "other an object of type Liar"},
		{"text", "Liar", "other the class Liar, and no object of it"},
		{"numbers", "Rows([1, True, Number(2)])", "[1, 1, 2]"},
		{"numbers", "(1, 2)", "other (1, 2), of type tuple"},
		{"numbers", "{1, 2}", "other {1, 2}, of type set"},
		{"numbers", "(Liar(), 'x')", "other (<Liar>, 'x'), of type tuple"},
		{"numbers", "range(3)", "other an object of type range, and no list of its items"},
		{"numbers", "(n for n in [1])", "other an object of type generator, and no list of its items"},
		{"numbers", "[1, (2,)]", "other [1, (2,)], and in it (2,), of type tuple"},
		{"numbers", "set()", "other set(), of type set"},
		{"numbers", "[{'a': [ValueError('no', 2)]}]", "other [{'a': [<ValueError>]}], and in it ValueError('no', 2), returned and not raised"},
		{"number", "ValueError('no')", "other ValueError('no'), returned and not raised"},
		{"number", "Liar.__eq__", "other a function that was not called"},
		{"number", "'a'.upper", "other a function that was not called"},
		{"number", "ValueError", "other the class ValueError, returned and not raised"},
		{"number", "sys", "other a module"},
		{"number", "later()", "other a coroutine; write the function without async"},
		{"numbers", "{}.keys()", "other an object of type dict_keys, and no list of its items"},
		{"numbers", "cycle", "other a list that holds itself, or is nested too deep"},
		{"numbers", "deep", "other a list that holds itself, or is nested too deep"},
		{"record", "Fields(name=Text('a'), children=[dict(name='b', ok=1)])", `{"name": "a", "children": [{"name": "b", "ok": true}]}`},
		{"record", "collections.OrderedDict(name='a')", `{"name": "a"}`},
		{"record", "{1: 2}", "other {1: 2}, and in it the key 1, which is no str"},
		{"anything", "[True, 1, None, {'a': 1.5}]", `[true, 1, null, {"a": 1.5}]`},
	} {
		input, err := json.Marshal(map[string]string{"text": test.code})
		if err != nil {
			t.Fatal(err)
		}
		if got := d.ask(test.property, string(input)); got != test.want {
			t.Errorf("%s %s: got %s, want %s", test.property, test.code, got, test.want)
		}
	}
	if code := d.end(); code != 0 {
		t.Errorf("exit code %d: %s", code, d.printed())
	}
}

func TestDriverErrors(t *testing.T) {
	u := unit(t, kindsData, lang.Settings{})
	const solution = `
class Local(ValueError):
    pass
class Forged(Exception):
    __name__ = __qualname__ = "ValueError"
    args = property(lambda self: ["forged"])
    def __str__(self): return "forged"
Forged.__name__ = "ValueError"
class Word(str):
    def __eq__(self, other): return True
    def __str__(self): return "lie"

def fail(error):
    raise error

def give(text):
    return fail(eval(text))

def deep(n):
    return deep(n + 1)

flag = number = ratio = text = numbers = flags = record = anything = give
`
	d := ready(t, u, solution)
	for _, test := range []struct{ code, want string }{
		{`ValueError("too small")`, "error ValueError too small exercise.py:14 exercise.py:17"},
		{`ValueError()`, "error ValueError without a message exercise.py:14 exercise.py:17"},
		{`ValueError("")`, "error ValueError  exercise.py:14 exercise.py:17"},
		{`ValueError(3)`, "error ValueError without a message exercise.py:14 exercise.py:17"},
		{`ValueError("a", "b")`, "error ValueError a exercise.py:14 exercise.py:17"},
		{`ValueError(Word("a"))`, "error ValueError a exercise.py:14 exercise.py:17"},
		{`Local("a")`, "error exercise.Local a exercise.py:14 exercise.py:17"},
		{`Forged("a")`, "error exercise.ValueError forged exercise.py:14 exercise.py:17"},
		{`KeyboardInterrupt("a")`, "error KeyboardInterrupt a exercise.py:14 exercise.py:17"},
		{`1 / 0`, "error ZeroDivisionError division by zero exercise.py:17"},
		{`3`, "error TypeError exceptions must derive from BaseException exercise.py:14 exercise.py:17"},
		{`deep(0)`, "error RecursionError maximum recursion depth exceeded" + " exercise.py:20 exercise.py:17"},
	} {
		input, err := json.Marshal(map[string]string{"text": test.code})
		if err != nil {
			t.Fatal(err)
		}
		got := strings.ReplaceAll(d.ask("number", string(input)), "<string>:1 ", "")
		if got != test.want {
			t.Errorf("%s: got %s, want %s", test.code, got, test.want)
		}
	}
}

func TestDriverErrorTypes(t *testing.T) {
	const solution = `
class StackError(Exception):
    pass

def number(text):
    raise StackError("empty")

flag = ratio = text = numbers = flags = record = anything = number
`
	d := ready(t, unit(t, kindsData, lang.Settings{ErrorType: "StackError"}), solution)
	if got, want := d.ask("number", `{"text": ""}`), "error StackError empty exercise.py:6"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	alias := strings.ReplaceAll(solution, `raise StackError`, `raise OSError`)
	d = ready(t, unit(t, kindsData, lang.Settings{ErrorType: "IOError"}), alias)
	if got, want := d.ask("number", `{"text": ""}`), "error IOError empty exercise.py:6"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Arguments come in the order of the data; trailing ones that are absent are
// left out, and others are None.
func TestDriverArguments(t *testing.T) {
	const solution = `
def add_tags(title, *rest, **named):
    return [repr((title, rest, named))]

import_ = total_time = add_tags
`
	d := ready(t, unit(t, optionalData, lang.Settings{}), solution)
	for _, test := range []struct{ input, want string }{
		{`{"title": "a"}`, `["('a', (), {})"]`},
		{`{"title": "a", "limit": 3}`, `["('a', (None, 3), {})"]`},
		{`{"limit": null, "tags": [1], "title": null}`, `["(None, ([1], None), {})"]`},
	} {
		if got := d.ask("addTags", test.input); got != test.want {
			t.Errorf("%s: got %s, want %s", test.input, got, test.want)
		}
	}
}

// withFunctions completes a solution for the data of all kinds.
const withFunctions = "\nflag = number = ratio = text = numbers = flags = record = anything = run\n"

func TestDriverHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	u := unit(t, kindsData, lang.Settings{})
	const input = `{"text": "x"}`
	for _, test := range []struct {
		name, solution, want string
		code                 int
		printed              string
	}{
		{"exits", "def run(text):\n    print('bye', end='')\n    raise SystemExit(3)", "gone", 3, "bye"},
		{"exits with a text", "def run(text):\n    raise SystemExit('why')", "gone", 1, "'why'"},
		{"leaves", "import os\ndef run(text):\n    os._exit(4)", "gone", 4, ""},
		{"prints", "import sys\ndef run(text):\n    print('out', end='')\n    print('err', end='', file=sys.stderr)\n    return 1", "1", 0, "outerr"},
		{"leaves a thread", "import threading, time\ndef run(text):\n    threading.Thread(target=time.sleep, args=(60,)).start()\n    return 1", "1", 0, ""},
		{"takes Python's names away", "import builtins, json, os, sys\ndef run(text):\n    builtins.isinstance = builtins.type = builtins.len = None\n    json.dumps = json.loads = os.write = os._exit = None\n    sys.stdout = None\n    return [1, 'a', {'b': 2.5}]", "[1, \"a\", {\"b\": 2.5}]", 0, ""},
		{"has a stream that raises", "import sys\nclass Stream:\n    def flush(self):\n        raise SystemExit(5)\n    def write(self, text):\n        pass\nsys.stdout = sys.stderr = Stream()\ndef run(text):\n    print('x')\n    return 1", "1", 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := ready(t, u, test.solution+withFunctions)
			if got := d.ask("number", input); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			// What a call prints is there before its reply, or with its exit.
			if got := d.printed(); got != test.printed {
				t.Errorf("printed %q, want %q", got, test.printed)
			}
			if code := d.end(); code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
		})
	}
}

// A solution that the tests could not import does not become ready.
func TestDriverLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	u := unit(t, kindsData, lang.Settings{})
	for _, test := range []struct {
		name, solution string
		code           int
		want           string
	}{
		{"bad syntax", "def run(:", 1, "unloaded: File \"exercise.py\", line 1\n    def run(:\n"},
		{"raises", "x = 1\n1 / 0", 1, "unloaded: Traceback (most recent call last):\n  File \"exercise.py\", line 2, in <module>\n    1 / 0\n"},
		{"exits", "import sys\nsys.exit(0)", 0, ""},
		{"lacks a function", "def run(text):\n    pass", 1, "missing: the tests call flag(text); exercise.py has no flag, but run(text)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := drive(t, u, test.solution)
			r, _ := d.reply()
			got := ""
			if r.Missing != "" {
				got = "missing: " + r.Missing
			} else if r.Unloaded != "" {
				got = "unloaded: " + strings.ReplaceAll(r.Unloaded, d.command.Dir+"/", "")
			}
			if r.Ready || !strings.HasPrefix(got, test.want) {
				t.Errorf("the driver has replied %+v", r)
			}
			if code := d.end(); code != test.code {
				t.Errorf("exit code %d, want %d", code, test.code)
			}
			if printed := d.printed(); printed != "" || strings.Contains(got, driverFile) {
				t.Errorf("printed %s", printed)
			}
		})
	}
}

// TestCrash wants the reason for a crash, and the lines of the solution.
func TestCrash(t *testing.T) {
	const fault = `counting
Fatal Python error: Segmentation fault

Thread 0x00007f4d3fbff6c0 (most recent call first):
  File "/usr/lib/python3.11/threading.py", line 324 in wait

Current thread 0x00007f4d40453b80 (most recent call first):
  File "/usr/lib/python3.11/ctypes/__init__.py", line 519 in string_at
  File "/tmp/work/program/odds.py", line 5 in look
  File "/tmp/work/program/odds.py", line 5 in look
  File "/tmp/work/program/odds.py", line 9 in odds
  File "/tmp/work/program/.driver.py", line 239 in answer
  File "<frozen importlib._bootstrap>", line 241 in _call_with_frames_removed

Extension modules: numpy (total: 1)
`
	const want = "Fatal Python error: Segmentation fault\n    /tmp/work/program/odds.py:5\n    /tmp/work/program/odds.py:9"
	if said, before := (Python{}).Crash(fault); said != want || before != "counting\n" {
		t.Errorf("got %q and %q before it, want %q", said, before, want)
	}
	if said, before := (Python{}).Crash("no crash\n"); said != "" || before != "no crash\n" {
		t.Errorf("got %q and %q", said, before)
	}
}
