// What the generated tests use of jest, on Node's own test runner.
import assert from 'node:assert/strict';

export { after as afterAll, describe, test } from 'node:test';

export const expect = (got) => ({
  toBe: (want) => assert.equal(got, want),
});
