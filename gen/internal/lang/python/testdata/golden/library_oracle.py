"""Answers from the canonical data, read when it is loaded."""

import builtins as _python
import json as _json
import os as _os
import sys as _sys

# Data may lie deeper than Python lets functions call each other by default.
_sys.setrecursionlimit(20000)

with open(_os.environ["ORACLE_ANSWERS"], encoding="utf-8") as _file:
    _cases = _json.load(_file)


def _same(a, b):
    """Compare data: numbers by value, an absent key like one that is None."""
    # A function of the exercise may have the name of one of Python's.
    kinds = {_python.type(a), _python.type(b)}
    if _python.bool in kinds:
        return a is b
    if kinds == {_python.list}:
        return _python.len(a) == _python.len(b) and _python.all(_python.map(_same, a, b))
    if kinds == {_python.dict}:
        return _python.all(_same(a.get(key), b.get(key)) for key in {**a, **b})
    return a == b


def _answer(_property, _input):
    for case in _cases:
        if case["property"] == _property and _same(case["input"], _input):
            result = case["result"]
            if _python.type(result) is _python.dict and [*result] == ["error"]:
                if _python.type(result["error"]) is _python.str:
                    raise ValueError(result["error"])
            return result
    raise _python.LookupError(f"no case asks {_property} for {_input}")


def find_shelf(rooms, title):
    return _answer("findShelf", {"rooms": rooms, "title": title, })


def count_loans(loans):
    return _answer("count-loans", {"loans": loans, })


def import_(class_, self, days=None, reader=None):
    return _answer("import", {"class": class_, "self": self, "days": days, "reader": reader, })
