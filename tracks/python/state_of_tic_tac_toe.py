def gamestate(board):
    """Return the state of the game on the board: "win", "draw" or "ongoing".

    The board is a list of three rows, from top to bottom, and each row is a
    string of three characters: X, O, or a space for an empty square. On a board
    that no game can reach, raise a ValueError that says why.
    """
    raise NotImplementedError("write gamestate")
