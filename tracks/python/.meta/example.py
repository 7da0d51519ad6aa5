LINES = [
    # rows
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    # columns
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    # diagonals
    (0, 4, 8),
    (2, 4, 6),
]


def gamestate(board):
    """Return the state of the game on the board: "win", "draw" or "ongoing".

    Raise ValueError if the board is malformed or no game can reach it.
    """
    validate(board)
    squares = "".join(board)
    x, o = squares.count("X"), squares.count("O")
    x_won, o_won = has_line(squares, "X"), has_line(squares, "O")

    if o > x:
        raise ValueError("Wrong turn order: O started")
    if x > o + 1:
        raise ValueError("Wrong turn order: X went twice")
    # The winner must have moved last. This also rules out two winners.
    if (x_won and x == o) or (o_won and x > o):
        raise ValueError(
            "Impossible board: game should have ended after the game was won"
        )
    if x_won or o_won:
        return "win"
    return "ongoing" if " " in squares else "draw"


def validate(board):
    """Raise ValueError unless the board is three rows of three known characters."""
    if len(board) != 3:
        raise ValueError(f"board has {len(board)} rows, want 3")
    for i, row in enumerate(board, start=1):
        if len(row) != 3:
            raise ValueError(f"row {i} has {len(row)} characters, want 3")
        for j, mark in enumerate(row, start=1):
            if mark not in "XO ":
                raise ValueError(
                    f"row {i}, column {j}: {mark!r} is not X, O or a space"
                )


def has_line(squares, player):
    """Tell whether the player's marks fill a line."""
    return any(all(squares[i] == player for i in line) for line in LINES)
