def find_shelf(rooms, title):
    """Write this function.

    An example from the tests:

        find_shelf({"name": "hall"}, "Emma") returns None
    """
    raise NotImplementedError("write find_shelf")


def count_loans(loans):
    """Write this function.

    An example from the tests:

        count_loans(["Emma"]) returns {"Emma": 1}
    """
    raise NotImplementedError("write count_loans")


def import_(class_, self, days=None, reader=None):
    """Write this function.

    An example from the tests:

        import_("novel", True) returns True

    Where there is no result, say so with an error, as in:

        raise ValueError("days must be positive")
    """
    raise NotImplementedError("write import_")
