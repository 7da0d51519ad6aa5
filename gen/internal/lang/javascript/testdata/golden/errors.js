/**
 * The tests call this function.
 *
 * @param {number} by
 * @throws {Error} such as 'divided by zero'
 */
export function divide(by) {
  throw new Error('Write the function divide.');
}
