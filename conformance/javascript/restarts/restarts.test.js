import assert from "node:assert/strict";
import { describe } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { tellBroker } from "../lib/control.js";
import { soon } from "../lib/patience.js";
import { bodies, counts, numbers } from "../lib/queue.js";
import { failure, refused } from "../lib/refusals.js";
import { story } from "../lib/story.js";

const STUBBORN = { maxRetries: 40, retryDelayInMs: 250, timeoutInMs: 10_000 };
const PAUSE_MILLIS = 250;

/** A queue with one message of each kind, and the words that follow of it. */
async function aKillOrStopEndsLocksAndNothingElse(scene, name, word) {
  const orders = scene.queue(name, scene.client({ retries: STUBBORN }));
  await orders.send("completed", "abandoned", "deferred", "dead-lettered", "locked", "new");
  const held = await orders.receive(5);
  await orders.receiver.completeMessage(held[0]);
  await orders.receiver.abandonMessage(held[1]);
  await orders.receiver.deferMessage(held[2]);
  await orders.receiver.deadLetterMessage(held[3], { deadLetterReason: "kept" });

  await tellBroker(word);

  const lost = await failure(orders.receiver.completeMessage(held[4]));
  assert.equal(lost.code, "MessageLockLost", lost.stack);
  await orders.send("later");
  const active = await orders.receive(4);
  assert.deepEqual(bodies(active), ["abandoned", "locked", "new", "later"]);
  assert.deepEqual(counts(active), [1, 0, 0, 0]);
  assert.deepEqual(numbers(active), [2, 5, 6, 7]);
  const [deferred] = await orders.receiver.receiveDeferredMessages([held[2].sequenceNumber]);
  assert.equal(deferred.body, "deferred");
  assert.equal(deferred.deliveryCount, 1);
  const dead = await orders.receiveOne(orders.deadLetters);
  assert.equal(dead.body, "dead-lettered");
  assert.equal(dead.deadLetterReason, "kept");
}

/** A sender and a subscription at work, while the broker goes away and comes back. */
async function workGoesOn(scene, name, word) {
  const orders = scene.queue(name, scene.client({ retries: STUBBORN }));
  const source = scene.queue(name, scene.client({ retries: STUBBORN }));
  const handled = new Set();
  const accepted = [];
  const refusals = [];
  const subscription = orders.receiver.subscribe(
    {
      processMessage: async (message) => handled.add(message.body),
      processError: async () => {}, // the loss of the connection is told here, and is expected
    },
    { maxConcurrentCalls: 4 },
  );
  // The client does not retry while nobody listens on the port, so the application has to.
  const send = async (body) => {
    try {
      await source.sender.sendMessages({ body });
      accepted.push(body);
    } catch (error) {
      refusals.push(error);
      await pause(PAUSE_MILLIS);
    }
  };
  let going = true;
  const sending = (async () => {
    for (let body = 0; going; body++) {
      await send(body);
    }
  })();
  await soon("both are at work", () => handled.size > 50);

  await tellBroker(word);
  const before = accepted.length;
  await soon("the sender is at work again", () => accepted.length > before + 50);
  going = false;
  await sending;

  await soon(
    "everything that was accepted is handled",
    () => accepted.every((it) => handled.has(it)),
    40_000,
  );
  await subscription.close();
  assert.ok(refusals.length < 100, `${refusals.length} refusals, the last ${refusals.at(-1)}`);
}

describe("restarts", { concurrency: false }, () => {
  story(
    "a kill ends locks and nothing else",
    ["S-001", "S-042", "S-116", "I-01", "I-05", "I-06", "I-12", "I-17"],
    (scene) => aKillOrStopEndsLocksAndNothingElse(scene, "killed", "kill"),
  );

  story("an orderly restart ends locks and nothing else", ["S-001", "S-042", "S-116"], (scene) =>
    aKillOrStopEndsLocksAndNothingElse(scene, "restarted", "restart"),
  );

  story(
    "sender and subscription go on after a kill, and nothing accepted is lost",
    ["S-001", "S-004", "I-01", "I-45"],
    (scene) => workGoesOn(scene, "killed-at-work", "kill"),
  );

  story(
    "sender and subscription go on after a restart, and nothing accepted is lost",
    ["S-001", "S-004", "I-01", "I-45"],
    (scene) => workGoesOn(scene, "restarted-at-work", "restart"),
  );

  story("a broker that is gone is told within the time allowed", ["S-037"], async (scene) => {
    const retries = { maxRetries: 1, retryDelayInMs: 200, timeoutInMs: 3_000 };
    const orders = scene.queue("gone", scene.client({ retries }));
    await orders.send("before");

    await tellBroker("stop");
    try {
      const began = Date.now();
      await refused("broker-gone", orders.sender.sendMessages({ body: "nowhere" }), {
        name: "MessagingError",
        code: "GeneralError",
        retryable: false,
        says: /ECONNREFUSED/,
      });
      assert.ok(Date.now() - began < 15_000, `took ${Date.now() - began} ms`);
    } finally {
      await tellBroker("start");
    }

    await soon("the same client is back", () =>
      orders.send("after").then(
        () => true,
        () => false,
      ),
    );
    assert.deepEqual(bodies(await orders.everything()), ["before", "after"]);
  });
});
