package javascript_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// driven is a driver that runs with a solution.
type driven struct {
	t       *testing.T
	asked   int
	process *exec.Cmd
	ask     *os.File
	replies *bufio.Reader
	output  strings.Builder
	done    chan error
}

// drive starts a driver with a solution.
func drive(t *testing.T, u *lang.Unit, solution string) *driven {
	t.Helper()
	for _, need := range js.Facts().Needs {
		needs(t, need.Program, need.Hint)
	}
	dir := t.TempDir()
	files, err := js.Driver(u)
	if err != nil {
		t.Fatal(err)
	}
	files[u.Files.Solution] = []byte(solution)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	questionsIn, questionsOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	repliesIn, repliesOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	command := js.Drive(lang.Program{Dir: dir, Unit: u})
	d := &driven{
		t:       t,
		process: exec.Command(command.Args[0], command.Args[1:]...),
		ask:     questionsOut,
		replies: bufio.NewReader(repliesIn),
		done:    make(chan error, 1),
	}
	d.process.Dir = dir
	d.process.Stdout, d.process.Stderr = &d.output, &d.output
	d.process.ExtraFiles = []*os.File{questionsIn, repliesOut}
	if err := d.process.Start(); err != nil {
		t.Fatal(err)
	}
	questionsIn.Close()
	repliesOut.Close()
	guard := time.AfterFunc(time.Minute, func() { d.process.Process.Kill() })
	go func() { d.done <- d.process.Wait() }()
	t.Cleanup(func() {
		d.ask.Close()
		repliesIn.Close()
		guard.Stop()
	})
	return d
}

// read reads a reply, or an error at the end.
func (d *driven) read() (lang.Reply, error) {
	line, err := d.replies.ReadBytes('\n')
	if err != nil {
		return lang.Reply{}, err
	}
	var reply lang.Reply
	if err := json.Unmarshal(line, &reply); err != nil {
		d.t.Fatalf("%v in the reply %s", err, line)
	}
	return reply, nil
}

// call asks a question and returns the reply in short: its kind and its text.
func (d *driven) call(property, input string) string {
	d.t.Helper()
	if d.asked == 0 {
		if reply, err := d.read(); err != nil || !reply.Ready {
			d.t.Fatalf("the driver is not ready: %+v, %v\n%s", reply, err, d.output.String())
		}
	}
	d.asked++
	question := lang.Question{ID: fmt.Sprintf("id \"%d\" é", d.asked), Property: property, Input: lang.RawJSON(input), Most: 1 << 20}
	line, err := json.Marshal(question)
	if err != nil {
		d.t.Fatal(err)
	}
	if _, err := d.ask.Write(append(line, '\n')); err != nil {
		d.t.Fatal(err)
	}
	reply, err := d.read()
	if err == io.EOF {
		<-d.done
		return fmt.Sprintf("exit %d", d.process.ProcessState.ExitCode())
	}
	if err != nil {
		d.t.Fatal(err)
	}
	if reply.ID != question.ID {
		d.t.Fatalf("the reply is for %q, not for %q", reply.ID, question.ID)
	}
	switch {
	case reply.Result != nil:
		return "result " + string(reply.Result)
	case reply.Error != nil:
		text := "error " + reply.Error.Type
		if reply.Error.HasMessage {
			text += " " + fmt.Sprintf("%q", reply.Error.Message)
		}
		return strings.TrimSpace(text + " " + strings.Join(reply.Trace, " "))
	case reply.Panic != "":
		return "panic " + reply.Panic
	}
	return "other " + reply.Other
}

// end closes the questions and waits for the driver to end by itself.
func (d *driven) end() {
	d.t.Helper()
	d.ask.Close()
	if err := <-d.done; err != nil {
		d.t.Errorf("the driver ended with %v\n%s", err, d.output.String())
	}
}

// small is a unit with one function, answer, of any input and result.
func small(t *testing.T, input, expected string) *lang.Unit {
	t.Helper()
	data, err := spec.ParseData("small.json", fmt.Appendf(nil,
		`{"cases": [{"uuid": "1", "description": "d", "property": "answer", "input": %s, "expected": %s}]}`, input, expected), nil)
	if err != nil {
		t.Fatal(err)
	}
	return lang.NewUnit(js, "small", data.Cases, lang.Settings{})
}

// TestDriverEncodes calls functions that return all kinds of values.
func TestDriverEncodes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	d := drive(t, small(t, `{"x": 1}`, `1`), `
class Point {
  #hidden = 1;
  constructor() { this.x = 1; }
  get y() { return 2; }
  toJSON() { return 'a lie'; }
  valueOf() { return 7; }
}
const cycle = { a: [] };
cycle.a.push(cycle);
let deep = [];
for (let i = 0; i < 1000; i++) deep = [deep];
let many = [1];
for (let i = 0; i < 40; i++) many = [many, many];
const shared = [1];
const values = [
  null, true, -0, 1.5, 1e21, 2 ** 53, -(2 ** 63), 1e-7, 'it is é, 漢 and 🚀 "\n\u0000',
  [1, [2], { a: 'b' }], { a: undefined, b: null, ['__proto__']: 1, 2: 3 }, Object.create(null), new Point(),
  Object.assign([1], { index: 0 }), { [Symbol('s')]: 1, a: 1 }, [shared, shared], 'abc'.match(/b/),
  undefined, NaN, -Infinity, 5n, () => 1, Symbol('s'), new Map([[1, 2]]), new Set([1]), new Date(0), /x/, new Error('x'),
  new Number(5), new Uint8Array(2), Promise.resolve(1), new Proxy([1], {}), new Proxy({}, { ownKeys() { throw 1; } }),
  { get a() { throw new Error('a trap'); } }, cycle, deep, many, [undefined], [1, , 2], '\ud800', { '\udc00': 1 }, { a: () => 1 },
  (function () { return arguments; })(1), Object.create(new Proxy({}, { getPrototypeOf() { throw 1; } })), globalThis,
  (function* () {})(), [].values(), Point,
];
export const answer = (i) => values[i];
`)
	for i, want := range []string{
		"result null", "result true", "result 0", "result 1.5", "result 1e+21",
		"result 9007199254740992", "result -9223372036854776000", "result 1e-7",
		`result "it is \u00e9, \u6f22 and \ud83d\ude80 \"\n\u0000"`,
		`result [1,[2],{"a":"b"}]`, `result {"2":3,"b":null,"__proto__":1}`, `result {}`, `result {"x":1}`,
		`result [1]`, `result {"a":1}`, `result [[1],[1]]`, `result ["b"]`,
		"other undefined; is a return missing?", "other NaN", "other -Infinity", "other 5n",
		"other [Function (anonymous)], which was not called", "other Symbol(s)",
		"other Map(1) { 1 => 2 }", "other Set(1) { 1 }", "other 1970-01-01T00:00:00.000Z",
		"other /x/", "other Error 'x', returned and not thrown", "other [Number: 5]",
		"other Uint8Array(2) [ 0, 0 ]", "other a Promise; write the function without async", "result [1]", "other data that cannot be read",
		`other an object whose "a" cannot be read`, "other an object that holds itself", "other data nested too deeply",
		"other more data than any answer has", "other [ undefined ]", "other [ 1, <1 empty item>, 2 ]",
		"other a string with half a character", "other a string with half a character", "other { a: [Function: a] }",
		"other [Arguments] { '0': 1 }", "result {}", "other <ref *1> Object [global] {",
		"other Object [Generator] {}, and no list of its items", "other Object [Array Iterator] {}, and no list of its items",
		"other [class Point], which was not called",
	} {
		got := d.call("answer", fmt.Sprintf(`{"x": %d}`, i))
		if strings.HasSuffix(want, "{") {
			got = got[:min(len(got), len(want))]
		}
		if got != want {
			t.Errorf("value %d came as %s, want %s", i, got, want)
		}
	}
	d.end()
}

// TestDriverThrows calls functions that throw all kinds of things.
func TestDriverThrows(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	d := drive(t, small(t, `{"x": 1}`, `{"error": "wrong"}`), `
class OwnError extends RangeError {}
class Silent extends Error { get message() { throw new Error('a trap'); } }
function inner() {
  throw new Error('wrong: é');
}
const things = [
  inner,
  () => { throw new OwnError(''); },
  () => { throw new Error(); },
  () => { null.x; },
  () => { throw 'text'; },
  () => { throw undefined; },
  () => { throw { message: 'wrong' }; },
  () => { throw new Silent(); },
  () => { throw Object.assign(new Error('x'), { message: 5 }); },
  () => { throw new Proxy(new Error('x'), {}); },
  () => { throw Object.create(new Proxy(new Error('wrong'), {})); },
  () => things[11](),
  async () => 1,
  () => { Error.prepareStackTrace = () => { throw 1; }; throw new Error('no stack'); },
];
export const answer = (i) => things[i]();
`)
	deep := ""
	for i, want := range []string{
		`error Error "wrong: é" small.js:5 small.js:23`,
		`error OwnError "" small.js:9 small.js:23`,
		`error Error "" small.js:10 small.js:23`,
		`error TypeError "Cannot read properties of null (reading 'x')" small.js:11 small.js:23`,
		`other throws 'text', which is no Error`,
		`other throws undefined, which is no Error`,
		`other throws { message: 'wrong' }, which is no Error`,
		`error Silent`,
		`error Error small.js:16 small.js:23`,
		`error Error "x" small.js:17 small.js:23`,
		`error Error "wrong"`,
		`error RangeError "Maximum call stack size exceeded"`,
		`other a Promise; write the function without async`,
		`error Error "no stack"`,
	} {
		got := d.call("answer", fmt.Sprintf(`{"x": %d}`, i))
		if strings.Contains(want, "call stack") {
			deep = got
			got = got[:min(len(got), len(want))]
		}
		if got != want {
			t.Errorf("%d came as %s, want %s", i, got, want)
		}
	}
	if n := strings.Count(deep, "small.js"); n != 10 {
		t.Errorf("a deep stack has %d lines: %s", n, deep)
	}
	d.end()
}

// TestDriverArguments asks with arguments of all kinds, which come back.
func TestDriverArguments(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	u := fixture(t, "atoms")
	d := drive(t, u, `
export function weigh(...args) {
  const show = (v) =>
    typeof v === 'bigint' ? v + 'n'
    : Array.isArray(v) ? '[' + v.map(show) + ']'
    : v !== null && typeof v === 'object' ? '{' + Object.entries(v).map(([k, w]) => k + ':' + show(w)) + '}'
    : typeof v === 'string' ? '"' + v + '"' : String(v);
  if (args.length === 0) return { total: 2n ** 64n, mean: 1, next: null };
  if (args.length === 1) return { total: 1.5, mean: 5n };
  throw new Error(args.length + ' ' + args.map(show).join(' '));
}
`)
	for _, tc := range []struct{ input, want string }{
		{`{"counts": [9007199254740993, -1], "weights": {"h": 1, "he": 4.0, "__proto__": 2}}`,
			`error Error "2 [9007199254740993n,-1n] {h:1,he:4,__proto__:2}"`},
		{`{"label": "s1 : \"n2\\", "weights": null}`, `error Error "3 undefined null \"s1 : \"n2\\\""`},
		{`{}`, `result {"total":18446744073709551616,"mean":1,"next":null}`},
		{`{"counts": []}`, `other { total: 1.5, mean: 5n }`},
	} {
		got := d.call("weigh", tc.input)
		got, _, _ = strings.Cut(got, " atoms.js:")
		if got != tc.want {
			t.Errorf("%s came as %s, want %s", tc.input, got, tc.want)
		}
	}
	if got, want := d.call("unknown", `{}`), "other the driver knows no such property"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	d.end()

	d = drive(t, small(t, `{"x": 18446744073709551615}`, `1`), `
export const answer = (x) => (x === 18446744073709551615n ? 5n : Number(x));
`)
	if got, want := d.call("answer", `{"x": 18446744073709551615}`), "result 5"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := d.call("answer", `{"x": 7}`), "other 7"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	d.end()
}

// TestDriverLongLines asks and answers with more than a pipe holds.
func TestDriverLongLines(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	d := drive(t, small(t, `{"x": "text"}`, `"text"`), `export const answer = (x) => x;`)
	long := strings.Repeat("漢字 and more", 100_000)
	text, err := json.Marshal(long)
	if err != nil {
		t.Fatal(err)
	}
	var got string
	if err := json.Unmarshal([]byte(strings.TrimPrefix(d.call("answer", `{"x": `+string(text)+`}`), "result ")), &got); err != nil || got != long {
		t.Errorf("a long text came back changed: %v", err)
	}
	if got, want := d.call("answer", `{"x": "short"}`), `result "short"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	d.end()
}

// TestDriverHostile runs with solutions that turn against it.
func TestDriverHostile(t *testing.T) {
	u := small(t, `{"x": 1}`, `1`)
	for _, tc := range []struct {
		name, solution, want string
	}{
		{"prints", `console.log('{"id":"forged"}'); export const answer = () => { process.stdout.write('{"ready":true}'); return 2; };`, "result 2"},
		{"exits", `export const answer = () => process.exit(3);`, "exit 3"},
		{"leaves a timer", `setInterval(() => {}, 1000); export const answer = () => 2;`, "result 2"},
		{"patches JSON and Reflect", `
const { ownKeys } = Reflect;
for (const o of [JSON, Reflect, Object, String.prototype, Number, BigInt, Atomics]) {
  for (const name of ownKeys(o)) {
    if (typeof o[name] === 'function') try { o[name] = () => { throw new Error('patched'); }; } catch {}
  }
}
export const answer = () => ({ a: [2, 'é'] });`, `result {"a":[2,"\u00e9"]}`},
		{"patches the file system", `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
fs.writeSync = fs.readSync = () => { throw new Error('patched'); };
syncBuiltinESMExports();
export const answer = () => 2;`, "result 2"},
		{"sets traps in prototypes", `
for (const o of [Object.prototype, Array.prototype]) {
  for (const name of ['0', '1', 'value', 'get', 'set', 'toJSON', 'a', 'x', 'code', 'enumerable']) {
    Object.defineProperty(o, name, { __proto__: null, get() { return 'a trap'; }, set() { throw new Error('a trap'); }, configurable: true });
  }
}
Array.prototype[Symbol.iterator] = () => { throw new Error('patched'); };
export const answer = (x) => [x, { b: 2 }];`, `result [1,{"b":2}]`},
		{"changes what instanceof says", `
Object.defineProperty(Error, Symbol.hasInstance, { value: () => true });
export const answer = () => { throw { message: 'x' }; };`, `other throws { message: 'x' }, which is no Error`},
		{"removes the exits", `process.reallyExit = process.exit = () => {}; process.on('exit', () => { for (;;); }); export const answer = () => 2;`, "result 2"},
		{"catches what is thrown", `process.on('uncaughtException', () => {}); Promise.reject(new Error('x')); export const answer = () => 2;`, "result 2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			d := drive(t, u, tc.solution)
			if got := d.call("answer", `{"x": 1}`); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
			if !strings.HasPrefix(tc.want, "exit") {
				d.end()
			}
		})
	}
}

// TestDriverNamesMissing runs with solutions that lack a function.
func TestDriverNamesMissing(t *testing.T) {
	for solution, want := range map[string]string{
		`export const other = () => 1;`:               "no answer, but other",
		`export const [a, b, c, d, e, f] = [1];`:      "no answer, but a, b, c, d, e",
		`export default function answer() {}`:         `no answer, but default; write "export" without "default"`,
		`const answer = () => 1;`:                     `no answer; write "export" in front of it`,
		`export const answer = 5;`:                    "answer = 5",
		`export let answer; export const other = {};`: "answer = undefined",
	} {
		t.Run(solution, func(t *testing.T) {
			t.Parallel()
			d := drive(t, small(t, `{"x": 1}`, `1`), solution)
			reply, err := d.read()
			if want := "the tests call answer(x); small.js exports " + want; err != nil || reply.Ready || reply.Missing != want {
				t.Errorf("the driver wrote %+v, %v; want it to say %q", reply, err, want)
			}
		})
	}
}

// TestDriverDoesNotLoad runs with solutions that are no modules.
func TestDriverDoesNotLoad(t *testing.T) {
	for name, solution := range map[string]string{
		"syntax error":  "export const answer = (;",
		"throws":        "throw new Error('not today');",
		"missing":       "import './nowhere.js';",
		"exits":         "process.exit(0);",
		"waits forever": "await new Promise(() => {});",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := drive(t, small(t, `{"x": 1}`, `1`), solution)
			if reply, err := d.read(); err != io.EOF {
				t.Errorf("the driver wrote %+v, %v", reply, err)
			}
			<-d.done
			if name != "exits" && d.process.ProcessState.ExitCode() <= 0 {
				t.Errorf("the driver ended with exit code %d", d.process.ProcessState.ExitCode())
			}
		})
	}
}

// TestCrash wants of an uncaught error what it is and where, and nothing of how
// Node shows it.
func TestCrash(t *testing.T) {
	const syntax = `counting
file:///tmp/work/program/odds.js:2
export const a = (;
                  ^

SyntaxError: Unexpected token ';'
    at compileSourceTextModule (node:internal/modules/esm/utils:346:16)
    at async file:///tmp/work/program/.driver.mjs:84:18

Node.js v20.20.2
`
	said, before := js.Crash(syntax)
	want := "/tmp/work/program/odds.js:2\nexport const a = (;\n                  ^\nSyntaxError: Unexpected token ';'"
	if said != want || before != "counting\n" {
		t.Errorf("got %q and %q before it, want %q", said, before, want)
	}
	if said, before := js.Crash("no crash\n"); said != "" || before != "no crash\n" {
		t.Errorf("got %q and %q", said, before)
	}
}

// TestAbort wants the reason for an abort, and the solution's calls.
func TestAbort(t *testing.T) {
	const native = `----- Native stack trace -----

 1: 0xd3a3c0  [/usr/bin/node]
 2: 0xf50bdf v8::internal::FunctionCallbackArguments::Call(v8::internal::CallHandlerInfo) [/usr/bin/node]

----- JavaScript stack trace -----

1: fill (file:///tmp/work/program/odds.js:3:9)
2: file:///tmp/work/program/odds.js:7:1
3: answer (file:///tmp/work/program/.driver.mjs:162:14)
4: run (node:internal/modules/esm/module_job:325:25)


`
	const calls = "    at fill (/tmp/work/program/odds.js:3:9)\n    at /tmp/work/program/odds.js:7:1"
	for _, test := range []struct{ name, printed, said, before string }{
		{"abort", "counting\n" + native, calls, "counting"},
		{"after half a line", "coun" + native, calls, "coun"},
		{"memory", "\n<--- Last few GCs --->\n\n[29810:0x147fcca0]      619 ms: Mark-Compact (reduce) 47.5 (49.2)\n\n<--- JS stacktrace --->\n\n" +
			"FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n" + native,
			"FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n" + calls, ""},
		{"check", "\n\n#\n# Fatal error in , line 0\n# Check failed: i < length().\n#\n#\n#FailureMessage Object: 0x7ffd\n" + native, "Check failed: i < length().\n" + calls, "\n"},
		{"assertion", "  #  node[29857]: void node::fs::Open() at ../src/node_file.cc:2112\n  #  Assertion failed: (argc) >= (3)\n\n" + native, "Assertion failed: (argc) >= (3)\n" + calls, ""},
	} {
		if said, before := js.Crash(test.printed); said != test.said || before != test.before {
			t.Errorf("%s: got %q and %q before it, want %q and %q", test.name, said, before, test.said, test.before)
		}
	}
}
