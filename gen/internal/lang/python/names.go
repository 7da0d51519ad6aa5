package python

import (
	"slices"
	"strings"

	"stateoftictactoe/gen/internal/lang"
	"stateoftictactoe/gen/internal/spec"
)

// keywords cannot be names. Words that are keywords only in some places, such as match,
// can be names and are not listed.
var keywords = strings.Fields(`
	False None True and as assert async await break class continue def del elif
	else except finally for from global if import in is lambda nonlocal not or
	pass raise return try while with yield`)

// modules are the modules that come with Python. A solution with such a name would take
// the place of a module that the tests need.
var modules = strings.Fields(`
	abc aifc annotationlib antigravity argparse array ast asynchat asyncio
	asyncore atexit audioop base64 bdb binascii bisect builtins bz2 cProfile
	calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys
	compileall compression concurrent configparser contextlib contextvars copy
	copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis
	distutils doctest email encodings ensurepip enum errno faulthandler fcntl
	filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt
	getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib
	imaplib imghdr imp importlib inspect io ipaddress itertools json keyword
	lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes
	mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath
	nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle
	pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint
	profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri
	random re readline reprlib resource rlcompleter runpy sched secrets select
	selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket
	socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat
	statistics string stringprep struct subprocess sunau symtable sys sysconfig
	syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading
	time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty
	turtle turtledemo types typing unicodedata unittest urllib uu uuid venv
	warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc
	zipapp zipfile zipimport zlib zoneinfo`)

// exceptions are the errors that come with Python, which need no import.
var exceptions = strings.Fields(`
	ArithmeticError AssertionError AttributeError BaseException
	BlockingIOError BrokenPipeError BufferError ChildProcessError
	ConnectionAbortedError ConnectionError ConnectionRefusedError
	ConnectionResetError EOFError EnvironmentError Exception FileExistsError
	FileNotFoundError FloatingPointError IOError ImportError IndentationError
	IndexError InterruptedError IsADirectoryError KeyError LookupError
	MemoryError ModuleNotFoundError NameError NotADirectoryError
	NotImplementedError OSError OverflowError PermissionError
	ProcessLookupError RecursionError ReferenceError RuntimeError
	StopAsyncIteration StopIteration SyntaxError SystemError TabError
	TimeoutError TypeError UnboundLocalError UnicodeDecodeError
	UnicodeEncodeError UnicodeError UnicodeTranslateError ValueError Warning
	ZeroDivisionError`)

// reserved are names that the test file itself uses. A function with such a name is
// imported under another name.
var reserved = strings.Fields(`
	AnyOrder Near NotImplemented SystemExit abs all bool dict enumerate err error float given hasattr int
	isinstance len list load_tests max message_of repr self str type unittest vars
	without_none`)

// defaultErrorType is the exception that a solution raises unless the settings name another.
const defaultErrorType = "ValueError"

// identifier writes a name of the data as Python's style guide says.
func identifier(name, front string) string {
	name = lang.Snake(name, front)
	if slices.Contains(keywords, name) {
		name += "_"
	}
	return name
}

func isIdentifier(name string) bool {
	for i, r := range name {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != "" && !slices.Contains(keywords, name)
}

// naming holds the Python names of one exercise.
type naming struct {
	unit      *lang.Unit
	module    string                    // of the solution
	functions map[*spec.Function]string // as the solution has them
	local     map[*spec.Function]string // as the test file calls them
	errorType string
	ownError  bool // the solution defines the type of error
}

// CheckSettings implements lang.Writer.
func (Python) CheckSettings(u *lang.Unit) error {
	if err := u.CheckFramework(Python{}, "unittest"); err != nil {
		return err
	}
	fault := func(key, name string) string {
		switch {
		case !isIdentifier(name):
			return lang.NoName(Python{})
		case key == "error_type" && slices.Contains(reserved, name):
			return lang.OwnName
		case key == "function" && slices.Contains(exceptions, name):
			return "is an exception of Python's own; choose another"
		}
		return ""
	}
	// The fields of a table are keys of dicts.
	isTable := u.Settings.Tests == lang.TableTests
	return u.CheckNames(lang.Names{Fields: !isTable, Fault: fault, Scope: map[string]string{className(u): "the test class"}})
}

// className is the name of the test class.
func className(u *lang.Unit) string { return lang.Pascal(u.Suite.Slug, "Exercise") + "Test" }

func newNaming(u *lang.Unit) (*naming, error) {
	n := &naming{
		unit:      u,
		functions: map[*spec.Function]string{},
		local:     map[*spec.Function]string{},
		errorType: u.Settings.ErrorType,
	}
	var err error
	if n.module, err = module(u.Files.Solution); err != nil {
		return nil, err
	}
	if err := (Python{}).CheckSettings(u); err != nil {
		return nil, err
	}
	if n.errorType == "" {
		n.errorType = defaultErrorType
	}
	n.ownError = !slices.Contains(exceptions, n.errorType)
	taken, local := lang.Taken{n.errorType: true}, lang.Taken{n.errorType: true}
	for _, name := range reserved {
		local[name] = true
	}
	for _, f := range u.Suite.Functions {
		name := facts.Function(u.Settings, f.Property)
		n.functions[f] = taken.Name(name, name+"_")
		n.local[f] = local.Name(n.functions[f], n.functions[f]+"_")
	}
	return n, nil
}

// imports are the names that the test file imports from the solution.
func (n *naming) imports() []string {
	var names []string
	for _, f := range n.unit.Suite.Functions {
		name := n.functions[f]
		if n.local[f] != name {
			name += " as " + n.local[f]
		}
		names = append(names, name)
	}
	if n.ownError && n.canFail() {
		names = append(names, n.errorType)
	}
	return names
}

func (n *naming) canFail() bool {
	return slices.ContainsFunc(n.unit.Suite.Functions, func(f *spec.Function) bool { return f.CanFail })
}

// params names the parameters of a function, as a solution has them.
func (n *naming) params(f *spec.Function) []string {
	taken := lang.Taken{}
	names := make([]string, len(f.Params))
	for i, p := range f.Params {
		name := identifier(p.Key, "value")
		names[i] = taken.Name(name, name+"_")
	}
	return names
}

// locals names the variables of a test method: a variable for each argument, and a variable
// for the expected result. They hide no name that the method uses.
func (n *naming) locals(f *spec.Function) (params []string, expected string) {
	renamed := n.unit.Settings.Properties[f.Property].Fields
	taken := lang.Taken{n.errorType: true}
	for _, name := range reserved {
		taken[name] = true
	}
	for _, other := range n.unit.Suite.Functions {
		taken[n.local[other]] = true
	}
	name := func(key, other string) string {
		if isIdentifier(renamed[key]) {
			other = renamed[key]
		}
		return taken.Name(other, other+"_")
	}
	expected = name("expected", "expected")
	for i, own := range n.params(f) {
		params = append(params, name(f.Params[i].Key, own))
	}
	return params, expected
}

// arguments are the arguments that a case passes, in order. A missing argument at the end
// is left out; a missing argument before another is None.
func arguments(f *spec.Function, c *spec.Case) []*spec.Value {
	null := &spec.Value{Kind: spec.Null}
	var values []*spec.Value
	given := 0
	for i, p := range f.Params {
		value := c.Input.Get(p.Key)
		if value == nil {
			value = null
		} else {
			given = i + 1
		}
		values = append(values, value)
	}
	return values[:given]
}

// required counts the arguments that every case passes.
func required(f *spec.Function) int {
	least := len(f.Params)
	for _, c := range f.Cases {
		least = min(least, len(arguments(f, c)))
	}
	return least
}
