def list(value):
    """Write this function.

    An example from the tests:

        list("a") returns ["a"]
    """
    raise NotImplementedError("write list")


def type(type, list, expected, err):
    """Write this function.

    An example from the tests:

        type("a", ["bb", "cc"], 1, None) returns "an answer"
    """
    raise NotImplementedError("write type")


def frame(width):
    """Write this function.

    An example from the tests:

        frame(2) returns ["##", "##"]
    """
    raise NotImplementedError("write frame")


def recite():
    r"""Write this function.

    An example from the tests:

        recite() returns "One line\nand another\n"
    """
    raise NotImplementedError("write recite")
