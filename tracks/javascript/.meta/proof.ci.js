// The squares, numbered from the top left, that win together.
const LINES = [
  // rows
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  // columns
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  // diagonals
  [0, 4, 8],
  [2, 4, 6],
];

/**
 * Tells how a game of tic-tac-toe stands.
 *
 * @param {string[]} board three strings of three characters: X, O or a space
 * @returns {string} 'win', 'draw' or 'ongoing'
 * @throws {Error} if the board is malformed or no game can reach it
 */
export function gamestate(board) {
  validate(board);

  const squares = board.join('');
  const count = (mark) => squares.split(mark).length - 1;
  const hasLine = (mark) =>
    LINES.some((line) => line.every((square) => squares[square] === mark));
  const [x, o] = [count('X'), count('O')];
  const [xWon, oWon] = [hasLine('X'), hasLine('O')];

  if (o > x) {
    throw new Error('Wrong turn order: O started');
  }
  if (x > o + 1) {
    throw new Error('Wrong turn order: X went twice');
  }
  // The winner must have moved last. This also rules out two winners.
  if ((xWon && x === o) || (oWon && x > o)) {
    throw new Error(
      'Impossible board: game should have ended after the game was won',
    );
  }
  if (xWon || oWon) {
    return 'win';
  }
  return squares.includes(' ') ? 'ongoing' : 'draw';
}

/** Throws unless the board is three rows of three known characters. */
function validate(board) {
  if (!Array.isArray(board)) {
    throw new Error('board is not an array of rows');
  }
  if (board.length !== 3) {
    throw new Error(`board has ${board.length} rows, want 3`);
  }
  // Unlike map and forEach, entries does not skip a missing row.
  for (const [i, row] of board.entries()) {
    if (typeof row !== 'string') {
      throw new Error(`row ${i + 1} is not a string`);
    }
    const marks = [...row];
    if (marks.length !== 3) {
      throw new Error(`row ${i + 1} has ${marks.length} characters, want 3`);
    }
    const column = marks.findIndex((mark) => !['X', 'O', ' '].includes(mark));
    if (column >= 0) {
      throw new Error(
        `row ${i + 1}, column ${column + 1}: '${marks[column]}' is not X, O or a space`,
      );
    }
  }
}
