import { appendFileSync } from "node:fs";
import test from "node:test";
import { Scene } from "./scene.js";

const PATIENCE_MILLIS = 180_000;

/** One JSON object a line; small appends of several processes do not mix. */
export function report(entry) {
  appendFileSync(process.env.SUITE_REPORT, `${JSON.stringify(entry)}\n`);
}

/**
 * A test that tells what it proved.
 *
 * @param {string} name a sentence
 * @param {string[]} rules numbers of the statements that it proves
 * @param {(scene: Scene) => Promise<void>} tell the story; throws when something is not as it should be
 */
export function story(name, rules, tell) {
  test(name, async () => {
    const scene = new Scene();
    try {
      await inTime(tell(scene));
      report({ test: name, rules, ok: true });
    } catch (failed) {
      report({ test: name, rules, ok: false, why: String(failed?.stack ?? failed) });
      throw failed;
    } finally {
      await scene.close();
    }
  });
}

/** A story that this client has no words for. */
export function notTold(name, reason) {
  test(name, { skip: reason }, () => {});
  report({ test: name, notRun: reason });
}

function inTime(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`not done within ${PATIENCE_MILLIS} ms`)),
      PATIENCE_MILLIS,
    );
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
