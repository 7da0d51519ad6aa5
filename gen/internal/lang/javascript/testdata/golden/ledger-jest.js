/**
 * For example, count(['ada', 'bo', 'ada']) returns { ada: 2, bo: 1 }.
 *
 * @param {string[]} votes
 * @returns {Object<string, number>}
 * @throws {Error} such as 'nobody has voted'
 */
export function count(votes) {
  // Write the function here.
}

/**
 * For example, leaders({ ada: 2, bo: 2, cy: 1 }, 1) returns ['bo', 'ada'].
 *
 * @param {Object<string, number>} counts
 * @param {number} [places]
 * @returns {string[]}
 */
export function leaders(counts, places) {
  throw new Error('Write the function leaders.');
}

/**
 * For example, readBallot(['one'], undefined, 2) returns ['one'].
 *
 * @param {*[]} [ballot]
 * @param {number} [from]
 * @param {number | null} [to]
 * @returns {*}
 * @throws {Error} such as 'a ballot has no place -1'
 */
export function readBallot(ballot, from, to) {
  throw new Error('Write the function readBallot.');
}
