import assert from "node:assert/strict";
import { report } from "./story.js";

/**
 * Waits for the refusal of a call, checks it, and notes it in the report.
 *
 * @param {string} name of the case, the same in the suites of all languages
 * @param {Promise<unknown>} call
 * @param {{code: string, retryable: boolean, says?: RegExp, name?: string}} expected
 */
export async function refused(
  name,
  call,
  { code, retryable, says, name: kind = "ServiceBusError" },
) {
  const error = await failure(call);
  report({
    refusal: name,
    class: error.constructor.name,
    code: error.code ?? "",
    transient: error.retryable ?? null,
    message: error.message,
  });
  assert.equal(error.name, kind, `${error.stack}`);
  assert.equal(error.code, code, error.message);
  assert.equal(error.retryable, retryable, error.message);
  assert.match(error.message, says ?? /TrackingId:/);
  return error;
}

/** The error of a call that must fail. */
export async function failure(call) {
  let outcome;
  try {
    outcome = await call;
  } catch (error) {
    return error;
  }
  return assert.fail(`should have failed, but gave ${outcome}`);
}
