/**
 * For example, delete_("it's", "'", '"') returns 'it\\s "so"'.
 *
 * @param {string} class_
 * @param {string} delete_
 * @param {string} default_
 * @returns {string}
 * @throws {RangeError} such as 'no "control"\n'
 */
export function delete_(class_, delete_, default_) {
  throw new Error('Write the function delete_.');
}

/**
 * For example, test(['*\/'], true) returns true.
 *
 * @param {string[]} returns
 * @param {boolean} expected
 * @returns {boolean}
 */
export function test(returns, expected) {
  throw new Error('Write the function test.');
}
