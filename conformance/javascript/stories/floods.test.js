import assert from "node:assert/strict";
import { describe } from "node:test";
import { soon } from "../lib/patience.js";
import { bodies, counts } from "../lib/queue.js";
import { story } from "../lib/story.js";

const range = (count) => Array.from({ length: count }, (_, index) => index);

/** Notes the settlements that the client writes for this message's link. */
function watchDispositions(message) {
  const { session } = message.delivery.link;
  const seen = [];
  const output = session.output;
  session.output = function (frame, ...rest) {
    if (frame.first !== undefined && frame.role !== undefined) {
      seen.push({ first: frame.first, last: frame.last ?? frame.first });
    }
    return output.call(this, frame, ...rest);
  };
  return seen;
}

describe("floods", { concurrency: true }, () => {
  story(
    "one settlement frame for 2048 messages settles them all, and no other",
    ["T-70", "T-43"],
    async (scene) => {
      const orders = scene.queue("range");
      await orders.sender.sendMessages(range(2_060).map((body) => ({ body })));
      const messages = await orders.receive(2_048);
      const others = await orders.receive(12, orders.anotherReceiver());
      const written = watchDispositions(messages[0]);

      await Promise.all(messages.map((message) => orders.receiver.completeMessage(message)));

      const widest = Math.max(...written.map(({ first, last }) => last - first + 1));
      assert.equal(widest, 2_048, `the client wrote ${JSON.stringify(written.slice(0, 3))}`);
      assert.deepEqual(bodies(await orders.everything()), bodies(others));
    },
  );

  story(
    "ranges with holes between them settle what they name, and nothing in the holes",
    ["T-70", "S-089"],
    async (scene) => {
      const orders = scene.queue("range-holes");
      await orders.sender.sendMessages(range(60).map((body) => ({ body })));
      const messages = await orders.receive(60);
      const early = new Set([0, 7, 20, 59]);
      const kept = new Set([10, 11, 40, 58]);
      for (const index of early) {
        await orders.receiver.completeMessage(messages[index]);
      }

      const rest = range(60).filter((index) => !early.has(index) && !kept.has(index));
      await Promise.all(rest.map((index) => orders.receiver.completeMessage(messages[index])));

      assert.deepEqual(bodies(await orders.everything()), [...kept]);
      for (const index of kept) {
        await orders.receiver.abandonMessage(messages[index]);
      }
      assert.deepEqual(counts(await orders.everything()), [1, 1, 1, 1]);
    },
  );

  story(
    "a handler may hold all that the session takes, and the rest follows as it settles",
    ["T-71", "S-086"],
    async (scene) => {
      const orders = scene.queue("window");
      const total = 5_000;
      for (const part of range(5)) {
        const batch = range(1_000).map((index) => ({ body: part * 1_000 + index }));
        await orders.sender.sendMessages(batch);
      }
      const held = [];
      const errors = [];
      let release;
      const gate = new Promise((resolve) => (release = resolve));
      const subscription = orders.receiver.subscribe(
        {
          processMessage: async (message) => {
            held.push(message.body);
            await gate;
          },
          processError: async ({ error }) => errors.push(error),
        },
        { maxConcurrentCalls: 4_000, autoCompleteMessages: true },
      );

      await soon("the session's window is full", () => held.length >= 2_048);
      release();
      await soon("all are handled and gone", async () => {
        return held.length >= total && (await orders.everything()).length === 0;
      });
      await subscription.close();

      assert.deepEqual(errors, []);
      assert.equal(new Set(held).size, total);
      assert.equal(held.length, total);
    },
  );
});
