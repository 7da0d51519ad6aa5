class StackError(Exception):
    """What a function here raises where there is no result."""


def evaluate(words):
    """Write this function.

    An example from the tests:

        evaluate(["1", "2", "+"]) returns [3]

    Where there is no result, say so with an error, as in:

        raise StackError("nothing to add")
    """
    raise NotImplementedError("write evaluate")


def permutations(items):
    """Write this function.

    An example from the tests:

        permutations([1, 2]) returns [[1, 2], [2, 1]]
    """
    raise NotImplementedError("write permutations")


def pop():
    """Write this function.

    Where there is no result, say so with an error, as in:

        raise StackError("the stack is empty")
    """
    raise NotImplementedError("write pop")


def ratio(a, b):
    """Write this function.

    An example from the tests:

        ratio(1, 3) returns 0.3
    """
    raise NotImplementedError("write ratio")
