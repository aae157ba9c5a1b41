import assert from "node:assert/strict";
import { describe } from "node:test";
import { soon } from "../lib/patience.js";
import { bodies, counts } from "../lib/queue.js";
import { story } from "../lib/story.js";

const range = (count) => Array.from({ length: count }, (_, index) => index);

const TURNS = 5;

describe("draining", { concurrency: true }, () => {
  story(
    "a receive that ran out of time gives its credit back, and keeps its link",
    ["T-28"],
    async (scene) => {
      const orders = scene.queue("drain");
      const links = new Set();

      for (const turn of range(TURNS)) {
        await orders.send(`mine ${turn}`);
        const mine = await orders.receiveOne();
        links.add(mine.delivery.link);
        assert.equal(mine.body, `mine ${turn}`);

        const nothing = await orders.receiver.receiveMessages(10, { maxWaitTimeInMs: 300 });
        assert.deepEqual(nothing, []);
        await orders.send(`theirs ${turn}`);
        const theirs = await orders.receiveOne(orders.anotherReceiver());
        assert.equal(theirs.body, `theirs ${turn}`, "it went to a link without credit");
      }

      // Without an answer the client makes a new link each time; with one only where it is so busy
      // that it hears of it after 200 ms.
      assert.ok(links.size < TURNS, `${links.size} links`);
    },
  );

  story(
    "messages that arrive while a receiver gives its credit back are not lost on the way",
    ["T-28"],
    async (scene) => {
      const orders = scene.queue("drain-race");
      const total = 300;
      const sending = (async () => {
        for (const body of range(total)) {
          await orders.sender.sendMessages({ body });
        }
      })();

      const received = [];
      await soon("all have come", async () => {
        for (let turn = 0; turn < 20; turn++) {
          const some = await orders.receiver.receiveMessages(7, {
            maxWaitTimeInMs: 5,
            maxTimeAfterFirstMessageInMs: 1,
          });
          received.push(...some);
        }
        return received.length >= total;
      });
      await sending;

      assert.deepEqual(bodies(received), range(total));
      assert.deepEqual(new Set(counts(received)), new Set([0]));
    },
  );

  story(
    "a subscription that closes leaves nothing locked behind it that nobody handled",
    ["T-28"],
    async (scene) => {
      const orders = scene.queue("subscription-close");
      const handled = [];
      const subscription = orders.receiver.subscribe(
        {
          processMessage: async (message) => handled.push(message.body),
          processError: async ({ error }) => handled.push(error),
        },
        { maxConcurrentCalls: 10 },
      );
      await orders.send("one", "two");
      await soon("both are handled", () => handled.length === 2);

      await subscription.close();
      await orders.send("three");
      const next = await orders.receiveOne(orders.anotherReceiver());

      assert.deepEqual(handled, ["one", "two"]);
      assert.equal(next.body, "three");
      assert.equal(next.deliveryCount, 0);
    },
  );
});
