import { setTimeout as pause } from "node:timers/promises";

const PATIENCE_MILLIS = 60_000;
const BETWEEN_MILLIS = 100;

/** Looks again and again until the look is truthy, and gives it back; fails when it takes too long. */
export async function soon(what, look, patienceMillis = PATIENCE_MILLIS) {
  const deadline = Date.now() + patienceMillis;
  for (;;) {
    const seen = await look();
    if (seen) {
      return seen;
    }
    if (Date.now() > deadline) {
      throw new Error(`waited ${patienceMillis} ms in vain: ${what}`);
    }
    await pause(BETWEEN_MILLIS);
  }
}
