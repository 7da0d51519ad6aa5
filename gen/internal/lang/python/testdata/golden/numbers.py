def mean(values):
    """Write this function.

    An example from the tests:

        mean([1, 2, 3.5]) returns 2.1667
    """
    raise NotImplementedError("write mean")


def circle(radius):
    """Write this function.

    An example from the tests:

        circle(1) returns {"area": 3.14, "lengths": [6.283185307, 2.0]}
    """
    raise NotImplementedError("write circle")


def power(base, exponent):
    """Write this function.

    An example from the tests:

        power(2, 100) returns 1267650600228229401496703205376
    """
    raise NotImplementedError("write power")


def round(value):
    """Write this function.

    An example from the tests:

        round(1.5e5) returns 150000
    """
    raise NotImplementedError("write round")


def flatten(nested):
    """Write this function.

    An example from the tests:

        flatten([[[]]]) returns []
    """
    raise NotImplementedError("write flatten")


def primes(limit):
    """Write this function.

    An example from the tests:

        primes(1) returns []
    """
    raise NotImplementedError("write primes")


def identity(size):
    """Write this function.

    An example from the tests:

        identity(2) returns [[True, False], [False, True]]
    """
    raise NotImplementedError("write identity")


def factors(value):
    """Write this function.

    An example from the tests:

        factors(12) returns [2, 2, 3]
    """
    raise NotImplementedError("write factors")
