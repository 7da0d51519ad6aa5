"""Answers from the canonical data, read when it is loaded."""

import builtins as _python
import json as _json
import os as _os
import sys as _sys

# Data may lie deeper than Python lets functions call each other by default.
_sys.setrecursionlimit(20000)


def _key(value):
    """Make data hashable, and the same where they are equal.

    Numbers are equal by value, and an absent key is like one that is None.
    """
    # A function of the exercise may have the name of one of Python's.
    kind = _python.type(value)
    if kind is _python.bool:
        return kind, value
    if kind is _python.list:
        return _python.tuple(_python.map(_key, value))
    if kind is _python.dict:
        return _python.frozenset(
            (key, _key(item)) for key, item in value.items() if item is not None
        )
    return value


with open(_os.environ["ORACLE_ANSWERS"], encoding="utf-8") as _file:
    _results = {
        (case["property"], _key(case["input"])): case["result"]
        for case in _json.load(_file)
    }


def _answer(_property, _input):
    question = _property, _key(_input)
    if question not in _results:
        raise _python.LookupError(f"no case asks {_property} for {_input}")
    result = _results[question]
    if _python.type(result) is _python.dict and [*result] == ["error"]:
        if _python.type(result["error"]) is _python.str:
            raise ValueError(result["error"])
    return result


def find_shelf(rooms, title):
    return _answer("findShelf", {"rooms": rooms, "title": title, })


def count_loans(loans):
    return _answer("count-loans", {"loans": loans, })


def import_(class_, self, days=None, reader=None):
    return _answer("import", {"class": class_, "self": self, "days": days, "reader": reader, })
