/**
 * Tells how a game of tic-tac-toe stands.
 *
 * @param {string[]} board three strings of three characters: X, O or a space
 * @returns {string} 'win', 'draw' or 'ongoing'
 * @throws {Error} if the board breaks the rules; see the instructions
 */
export function gamestate(board) {
  throw new Error('Write the function gamestate.');
}
