"""Call a solution for the harness: questions come in, replies go out.

A table beside this file names the functions of an exercise. The calls of the tests
and the types of the data are in it, but no results.
"""

# What this file needs it holds under names of its own before the solution is
# loaded, which may put other things in place of Python's.
import builtins
import collections
import faulthandler
import gc
import importlib
import json
import os
import sys
from builtins import (
    AttributeError,
    BaseException,
    Exception,
    OverflowError,
    SystemExit,
    TypeError,
    bool,
    bytes,
    callable,
    complex,
    dict,
    float,
    frozenset,
    getattr,
    int,
    issubclass,
    len,
    list,
    memoryview,
    object,
    open,
    repr,
    reversed,
    set,
    str,
    tuple,
    type,
    vars,
)

# A module typing takes time to load, and nothing needs it at run time.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn, TypedDict

    # The name of a type, as "int"; or ["list", kind] or ["map", kind] with the kind of
    # what is in it; or ["record", name].
    Kind = Any

    class Function(TypedDict):
        """A function under test, as the table has it."""

        property: str
        name: str
        call: str  # how the tests call it
        keys: list[str]  # of its arguments, in order
        result: Kind
        absent: bool  # a key of the result that holds None counts as absent

else:
    Any = NoReturn = Kind = Function = object

# Descriptors of the two pipes.
QUESTIONS = 3
REPLIES = 4

# How many lines of a traceback are counted at most.
MOST_FRAMES = 10_000
FOLDER = os.path.dirname(os.path.abspath(__file__))
LIBRARY_PATH = [*sys.path]
# Names of types whose values are easily taken for what they give.
CALLED = ["function", "method", "builtin_function_or_method", "method_descriptor"]
LAZY = """generator range map filter zip enumerate reversed dict_keys dict_values dict_items
list_iterator tuple_iterator list_reverseiterator""".split()
BUILT_IN = [kind for kind in vars(builtins).values() if type(kind) is type]
STREAMS = [sys.stdout, sys.stderr]

WRAPPERS = [
    (collections.UserList, list),
    (collections.UserDict, dict),
    (collections.UserString, str),
]
MAPPING_PROXY = type(type.__dict__)
CHAIN_MAP = collections.ChainMap
LIBRARY = os.path.dirname(os.__file__) + os.sep

complex_real = complex.__dict__["real"].__get__
complex_imaginary = complex.__dict__["imag"].__get__
referents = gc.get_referents
type_name = type.__dict__["__name__"].__get__
type_module = type.__dict__["__module__"].__get__
error_arguments = BaseException.__dict__["args"].__get__
error_traceback = BaseException.__dict__["__traceback__"].__get__
exit_code = SystemExit.__dict__["code"].__get__
system_exit = os._exit
write_bytes = os.write
quote = json.encoder.encode_basestring_ascii
scan = getattr(json.JSONDecoder(), "scan_once")
modules = sys.modules
# A solution may have a module json of its own. Of all that is loaded by now this
# alone is not loaded where its tests run.
for name in [name for name in modules if name.partition(".")[0] in ("json", "_json")]:
    del modules[name]

with open(os.path.join(FOLDER, ".driver.json"), encoding="utf-8") as table:
    TABLE, _ = scan(table.read(), 0)
MODULE = TABLE["module"]
ERROR_TYPE = TABLE["error_type"]
# The types of fields by their keys, for each record.
RECORDS = TABLE["records"]
FUNCTIONS = TABLE["functions"]
ERROR = vars(builtins).get(ERROR_TYPE)


# The bools of a result that are written as numbers.
BOOLS: list[bool] = []


class NoData(Exception):
    """Raised for a result that is no data. Its message describes the result."""


def is_one_of(kind: type, kinds: list[type] | tuple[type, ...]) -> bool:
    """Tell whether a class is among others, without asking whether it says so."""
    for other in kinds:
        if kind is other:
            return True
    return False


def name_of(kind: type) -> str:
    name = type_name(kind)
    return text_of(name) if issubclass(type(name), str) else "?"


def object_attributes(value: object) -> Any:
    return object.__getattribute__(value, "__dict__")


def text_of(value: str) -> str:
    """Return a text that can be written as UTF-8, whatever it is."""
    return str.__str__(value).encode("utf-8", "backslashreplace").decode()


def show(value: Any, depth: int = 3) -> str:
    """Describe a value. Only values of Python's own types say what they hold."""
    kind = type(value)
    if value is None or is_one_of(kind, (bool, int, float, complex, bytes, str)):
        text = repr(value)
        return text_of(text if len(text) <= 200 else text[:200] + "...")
    if not is_one_of(kind, (tuple, list, set, frozenset, dict)) or depth == 0:
        return "<" + name_of(kind) + ">"
    brackets = "()" if kind is tuple else "[]" if kind is list else "{}"
    if len(value) == 0 and kind is set:
        return "set()"
    parts: list[str] = []
    for item in value:
        if len(parts) == 20:
            parts.append("...")
            break
        part = show(item, depth - 1)
        if kind is dict:
            part += ": " + show(value[item], depth - 1)
        parts.append(part)
    comma = "," if kind is tuple and len(parts) == 1 else ""
    return brackets[0] + ", ".join(parts) + comma + brackets[1]


def show_arguments(values: tuple[object, ...]) -> str:
    return "(" + ", ".join([show(value) for value in values]) + ")"


def no_data(value: object) -> NoData:
    return NoData(described(value))


def described(value: Any) -> str:
    """Describe a result that is no data, in words for whoever wrote the solution."""
    kind = type(value)
    name = name_of(kind)
    text = show(value)
    if is_one_of(kind, (float, int)):
        return text  # infinite, not a number, or too large
    if kind is str:
        return text + ", which holds half a character"
    if text != "<" + name + ">":
        return text + ", of type " + name
    if issubclass(kind, BaseException):
        return (
            name + show_arguments(error_arguments(value)) + ", returned and not raised"
        )
    if issubclass(kind, type):
        if issubclass(value, BaseException):
            return "the class " + name_of(value) + ", returned and not raised"
        return "the class " + name_of(value) + ", and no object of it"
    if name == "module":
        return "a module"
    if name == "coroutine":
        return "a coroutine; write the function without async"
    if name in CALLED:
        return "a function that was not called"
    if name in LAZY:
        return "an object of type " + name + ", and no list of its items"
    return "an object of type " + name


def around(value: object) -> str:
    """Show the list or dict in which something is no data."""
    return show(value) + ", and in it " if is_one_of(type(value), (list, dict)) else ""


def encode(value: Any, kind: Kind, absent: bool) -> str:
    """Write a result as JSON by what it is, calling no method of its own.

    The kind is the type that the data have at this place. It decides where
    Python's == takes different things for the same: True and 1. Absent says
    whether a key that holds None is the same as none.
    """
    its_type = type(value)
    if value is None:
        return "null"
    if its_type is bool:
        # True == 1 to assertEqual, so where a number is wanted it is one.
        if kind == "int" or kind == "float":
            BOOLS.append(value)
            return "1" if value else "0"
        return "true" if value else "false"
    if issubclass(its_type, str):
        text = str.__str__(value)
        try:
            text.encode()
        except Exception:
            raise no_data(text) from None
        return quote(text)
    if issubclass(its_type, int):
        return encode_number(int.__index__(value), kind)
    if issubclass(its_type, float):
        number = float.__float__(value)
        if number - number != 0:
            raise no_data(number)  # infinite, or not a number
        return encode_number(number, kind)
    if issubclass(its_type, list):
        inner = kind[1] if kind[0] == "list" else "any"
        return (
            "["
            + ", ".join([encode(item, inner, absent) for item in list.__iter__(value)])
            + "]"
        )
    if issubclass(its_type, dict):
        return encode_dict(value, kind, absent)
    wrapped = unwrapped(value, its_type)
    if wrapped is not value:
        # The tests look for None in lists and dicts alone.
        return encode(wrapped, kind, False)
    # A float is compared with a tolerance, which wants a plain number.
    number = value if kind == "float" else plain_number(value, its_type)
    if number is value:
        raise no_data(value)
    return encode_number(number, kind)


def unwrapped(value: Any, its_type: type) -> Any:
    """Return what a value of the standard library is compared by, if it holds that."""
    for wrapper, inner in WRAPPERS:
        if issubclass(its_type, wrapper):
            data = object_attributes(value).get("data")
            return data if issubclass(type(data), inner) else value
    if its_type is MAPPING_PROXY:
        return referents(value)[0]
    if issubclass(its_type, CHAIN_MAP):
        merged: dict[Any, Any] = {}
        for part in reversed([*object_attributes(value)["maps"]]):
            while not issubclass(type(part), dict):
                inner = unwrapped(part, type(part))
                if inner is part:
                    raise no_data(part)
                part = inner
            merged.update(dict.items(part))
        return merged
    return value


def encode_number(number: Any, kind: Kind) -> str:
    if kind == "flag" and number in (0, 1):
        # A bool inside a list or a dict is compared with ==.
        return "true" if number else "false"
    if kind == "int" and type(number) is float and number.is_integer():
        number = int(number)  # exactly, as == compares the two
    return repr(number)


def plain_number(value: Any, its_type: type) -> Any:
    """Return the plain number that is equal to one of the standard library, if any."""
    if issubclass(its_type, complex):
        real, imaginary = complex_real(value), complex_imaginary(value)
        return real if imaginary == 0 and real - real == 0 else value
    fraction = library("fractions", "Fraction")
    if fraction is not None and issubclass(its_type, fraction):
        numerator, denominator = fraction.numerator.fget(
            value
        ), fraction.denominator.fget(value)
        return ratio(numerator, denominator, value)
    decimal = library("decimal", "Decimal")
    if (
        decimal is not None
        and issubclass(its_type, decimal)
        and decimal.is_finite(value)
    ):
        # No right answer is so large that it takes long to write.
        if -10_000 < decimal.adjusted(value) < 10_000:
            numerator, denominator = decimal.as_integer_ratio(value)
            return ratio(numerator, denominator, value)
    return value


def ratio(numerator: int, denominator: int, otherwise: object) -> object:
    """Return the number that is equal to a ratio, if there is a plain one."""
    if denominator == 1:
        return int(numerator)
    try:
        number = numerator / denominator
    except OverflowError:
        return otherwise
    return (
        number if number.as_integer_ratio() == (numerator, denominator) else otherwise
    )


def library(module: str, name: str) -> Any:
    """Find a class of a standard module that the solution has loaded."""
    loaded = modules.get(module)
    path = getattr(loaded, "__file__", None)
    if type(path) is str and path.startswith(LIBRARY):
        return getattr(loaded, name, None)
    return None


def encode_dict(value: dict[Any, Any], kind: Kind, absent: bool) -> str:
    fields = RECORDS[kind[1]] if kind[0] == "record" else {}
    members = {}
    items = [*dict.items(value)]
    for key, item in items:
        if issubclass(type(key), WRAPPERS[-1][0]):
            key = unwrapped(key, type(key))
        if not issubclass(type(key), str):
            raise NoData("the key " + show(key) + ", which is no str")
        name = str.__str__(key)
        inner = kind[1] if kind[0] == "map" else fields.get(name, "any")
        if item is None and not absent:
            raise NoData("None at the key " + show(name))
        members[name] = encode(name, "str", absent) + ": " + encode(item, inner, absent)
    if len(members) < len(items):
        raise NoData("two keys of the same text")
    return "{" + ", ".join(members.values()) + "}"


def failure(error: BaseException, own_error: object) -> list[str]:
    kind = type(error)
    name = name_of(kind)
    # A class of the same name as the one wanted is not the same class.
    if kind is own_error:
        name = ERROR_TYPE
    elif not is_one_of(kind, BUILT_IN):
        name = show_module(kind) + "." + name
    try:
        # The tests read it too, and it may be a property of the solution's.
        arguments = error.args
        has_message = issubclass(type(arguments[0]), str)
        message = text_of(arguments[0]) if has_message else show_arguments(arguments)
    except BaseException:
        has_message = False
        message = ""
    return [
        '"error": {"type": ' + quote(name),
        '"message": ' + quote(message),
        '"has_message": ' + ("true}" if has_message else "false}"),
        '"trace": [' + ", ".join([quote(line) for line in trace(error)]) + "]",
    ]


def show_module(kind: type) -> str:
    try:
        name = type_module(kind)
    except BaseException:
        name = None
    return text_of(name) if issubclass(type(name), str) else "?"


def trace(error: BaseException) -> list[str]:
    """List the lines of the solution that led to an error, innermost first."""
    lines = []
    traceback = error_traceback(error)
    while traceback is not None:
        path = traceback.tb_frame.f_code.co_filename
        if path.startswith(FOLDER + os.sep) and path != __file__:
            lines.append(path[len(FOLDER) + 1 :] + ":" + str(traceback.tb_lineno))
        traceback = traceback.tb_next
    return lines[: -MOST_FRAMES - 1 : -1]


def answer(
    called: Any,
    function: Function,
    arguments: list[Any],
    own_error: object,
) -> list[str]:
    """Call a function and return the members of the reply but its id."""
    try:
        result = called(*arguments)
    except SystemExit:
        raise
    except BaseException as error:
        reply = failure(error, own_error)
        if type(error) is TypeError and error_traceback(error).tb_next is None:
            # It was not the solution that raised it, but the call.
            has = signed(function["name"], called)
            reply.append('"note": ' + quote(instead(f"call {function['call']}", has)))
        return reply
    BOOLS.clear()
    try:
        text = encode(result, function["result"], function["absent"])
        shown = show(result) if BOOLS else "<"
        if "<" in shown:
            return ['"result": ' + text]
        return ['"result": ' + text, '"shown": ' + quote(shown)]
    except RecursionError:
        what = (
            "a " + name_of(type(result)) + " that holds itself, or is nested too deep"
        )
        return ['"other": ' + quote(what)]
    except NoData as found:
        return ['"other": ' + quote(around(result) + found.args[0])]
    except BaseException as error:
        why = name_of(type(error))
        return [
            '"other": ' + quote(name_of(type(result)) + " that cannot be read: " + why)
        ]


def send(members: list[str]) -> None:
    """Write a reply, behind everything that the solution has printed."""
    flush()
    data = memoryview(("{" + ", ".join(members) + "}\n").encode())
    while data:
        data = data[write_bytes(REPLIES, data) :]


def flush() -> None:
    for stream in [*STREAMS, sys.stdout, sys.stderr]:
        try:
            stream.flush()
        except BaseException:
            pass


def leave(code: int) -> NoReturn:
    """End the process, whatever threads still run."""
    flush()
    system_exit(code)


def leave_as_asked(error: SystemExit) -> NoReturn:
    code = exit_code(error)
    if code is None:
        leave(0)
    if issubclass(type(code), int):
        leave(int.__index__(code) & 0xFF)
    sys.stderr.write(show(code) + "\n")
    leave(1)


def load() -> tuple[dict[str, tuple[Any, Function]], object]:
    """Import what the tests import. A failure ends the process, as it does them."""
    try:
        sys.path.insert(0, FOLDER)
        solution = importlib.import_module(MODULE)
        functions = {}
        for function in FUNCTIONS:
            called = import_name(solution, function["name"], "call " + function["call"])
            functions[function["property"]] = called, function
        if not TABLE["own_error"]:
            return functions, ERROR
        use = "want errors of the class " + ERROR_TYPE
        return functions, import_name(solution, ERROR_TYPE, use)
    except SystemExit as error:
        leave_as_asked(error)
    except BaseException as error:
        sys.path[:] = LIBRARY_PATH  # the solution may have modules of these names
        import traceback

        frames = error_traceback(error)
        while frames is not None:
            path = frames.tb_frame.f_code.co_filename
            if path.startswith(FOLDER + os.sep) and path != __file__:
                break
            frames = frames.tb_next
        lines = traceback.format_exception(type(error), error, frames)
        send(['"unloaded": ' + quote(text_of("".join(lines).strip()))])
        leave(1)


def import_name(solution: object, name: str, use: str) -> Any:
    try:
        return getattr(solution, name)
    except AttributeError:
        send(['"missing": ' + quote(instead(use, instead_of(name, solution)))])
        leave(1)


def instead(use: str, has: str) -> str:
    return f"the tests {use}; {MODULE}.py has {has}"


def instead_of(name: str, solution: object) -> str:
    """Tell what a module has in place of a name that it lacks."""
    import difflib

    has = {}
    for other, value in vars(solution).items():
        if callable(value) and getattr(value, "__module__", None) == MODULE:
            if type(value) is type and name in vars(value):
                return f"{name} as a method of the class {other}, and not as a function"
            has[other] = signed(other, value)
    plain = {other.replace("_", "").lower(): text for other, text in has.items()}
    near = difflib.get_close_matches(name.replace("_", "").lower(), plain, 1)
    if near:
        return plain[near[0]]
    others = ", ".join([*has.values()][:3])
    return f"no {name}, but {others}" if others else f"no {name}"


def signed(name: str, value: Any) -> str:
    """Show a function with its parameters, or what else has its name."""
    if issubclass(type(value), type):
        return "class " + name
    if not callable(value):
        return name + " = " + show(value)
    import inspect

    try:
        return name + str(inspect.signature(value))
    except BaseException:
        return name


def main() -> None:
    faulthandler.enable()  # a crash names the lines that led to it
    os.set_inheritable(QUESTIONS, False)
    os.set_inheritable(REPLIES, False)
    questions = os.fdopen(QUESTIONS, "rb")
    functions, own_error = load()
    send(['"ready": true'])
    for line in questions:
        question, _ = scan(line.decode(), 0)
        called, function = functions[question["property"]]
        keys = function["keys"]
        given = question["input"]
        # Trailing arguments that are absent are left out.
        count = len(keys)
        while count > 0 and keys[count - 1] not in given:
            count -= 1
        arguments = [given.get(key) for key in keys[:count]]
        try:
            reply = answer(called, function, arguments, own_error)
        except SystemExit as error:
            leave_as_asked(error)
        send(['"id": ' + quote(question["id"])] + reply)
    leave(0)


main()
