/**
 * For example, gamestate(['XOO', 'X  ', 'X  ']) returns 'win'.
 *
 * @param {string[]} board
 * @returns {string}
 * @throws {Error} such as 'Wrong turn order: X went twice'
 */
export function gamestate(board) {
  throw new Error('Write the function gamestate.');
}
