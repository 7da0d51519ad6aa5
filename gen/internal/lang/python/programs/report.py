"""Run the tests of a module and report each on a line of its own.

Usage: report.py MODULE, in the folder of the module. A line of the report has a
mark in front, which tells it from what the solution prints.
"""

import importlib
import json
import os
import sys
import unittest
from typing import Any


class Report(unittest.TestResult):
    def tell(
        self, test: unittest.TestCase, passed: bool, message: str = "", **more: str
    ) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        name = test.id().rpartition(".")[2]
        line = {"test": name, "passed": passed, "message": message, **more}
        data = b"\n\x16" + json.dumps(line).encode() + b"\n"
        while data:
            data = data[os.write(1, data) :]

    def addSuccess(self, test: unittest.TestCase) -> None:
        self.tell(test, True)

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        super().addFailure(test, err)
        self.tell(test, False, self.failures[-1][1])

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        super().addError(test, err)
        self.tell(test, False, self.errors[-1][1])

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        self.tell(test, False, "skipped: " + reason)

    def addSubTest(self, test: unittest.TestCase, subtest: Any, err: Any) -> None:
        super().addSubTest(test, subtest, err)
        case = subtest.params.get("description", subtest._message)
        message = ""
        if err is not None:
            is_failure = issubclass(err[0], test.failureException)
            message = (self.failures if is_failure else self.errors)[-1][1]
        self.tell(test, err is None, message, case=str(case))


sys.path[0] = os.getcwd()
module = importlib.import_module(sys.argv[1])
suite = unittest.defaultTestLoader.loadTestsFromModule(module)
report = Report()
suite.run(report)
sys.stdout.flush()
sys.stderr.flush()
# A thread that the solution left behind does not keep the process.
os._exit(0 if report.wasSuccessful() else 1)
