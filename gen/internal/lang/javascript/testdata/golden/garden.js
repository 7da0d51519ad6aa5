/**
 * For example, prune(null, 2) returns null.
 *
 * @param {object | null} plant
 * @param {number} limit
 * @returns {object | null}
 */
export function prune(plant, limit) {
  throw new Error('Write the function prune.');
}

/**
 * The tests call this function.
 *
 * @param {number[]} heights
 * @returns {number}
 * @throws {Error} such as 'nothing to measure'
 */
export function mean(heights) {
  throw new Error('Write the function mean.');
}
