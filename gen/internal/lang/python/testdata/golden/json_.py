def self(self, err):
    """Write this function.

    An example from the tests:

        self(1, 2) returns 1

    Where there is no result, say so with an error, as in:

        raise ValueError("none")
    """
    raise NotImplementedError("write self")


def err(rows):
    """Write this function.

    An example from the tests:

        err(["self", "rows"]) returns ["rows", "self"]

    Where there is no result, say so with an error, as in:

        raise ValueError("none")
    """
    raise NotImplementedError("write err")
