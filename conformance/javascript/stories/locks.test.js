import assert from "node:assert/strict";
import { describe } from "node:test";
import { soon } from "../lib/patience.js";
import { bodies, counts } from "../lib/queue.js";
import { failure, refused } from "../lib/refusals.js";
import { story } from "../lib/story.js";

const LOCK_MILLIS = 15_000;
// Long enough to be received in time on a busy machine.
const LIFE_MILLIS = 10_000;
const CLOCKS_MILLIS = 500;

describe("locks", { concurrency: true }, () => {
  story(
    "a lock lasts as long as the queue says, and a renewal as long again",
    ["S-025", "S-026", "S-105", "S-108", "T-34"],
    async (scene) => {
      const orders = scene.queue("renew");
      await orders.send("order-1");
      const before = Date.now();
      const message = await orders.receiveOne();
      const first = message.lockedUntilUtc;
      assert.ok(first.getTime() >= before + LOCK_MILLIS - CLOCKS_MILLIS);
      assert.ok(first.getTime() <= Date.now() + LOCK_MILLIS + CLOCKS_MILLIS);

      await soon("half the lock is over", () => Date.now() > first.getTime() - LOCK_MILLIS / 2);
      const renewed = await orders.receiver.renewMessageLock(message);
      await soon(
        "the first lock would be over",
        () => Date.now() > first.getTime() + CLOCKS_MILLIS,
      );
      const [peeked] = await orders.everything();
      await orders.receiver.completeMessage(message);

      assert.ok(renewed - first >= LOCK_MILLIS / 2 - CLOCKS_MILLIS, `${renewed} ${first}`);
      assert.deepEqual(message.lockedUntilUtc, renewed);
      assert.equal(peeked.deliveryCount, 0);
      assert.deepEqual(await orders.everything(), []);
    },
  );

  story(
    "a client that renews by itself keeps a message longer than its lock",
    ["S-026", "S-048", "S-049", "S-108"],
    async (scene) => {
      const orders = scene.queue("auto-renew");
      await orders.send("order-1");
      const renewing = orders.anotherReceiver({ maxAutoLockRenewalDurationInMs: 60_000 });
      const handled = [];
      const subscription = renewing.subscribe(
        {
          processMessage: async (message) => {
            const first = message.lockedUntilUtc.getTime();
            await soon("the lock runs out", () => Date.now() > first + LOCK_MILLIS / 2);
            handled.push(message);
          },
          processError: async ({ error }) => handled.push(error),
        },
        { autoCompleteMessages: true },
      );

      await soon("the message is handled and gone", async () => {
        return handled.length > 0 && (await orders.everything()).length === 0;
      });
      await subscription.close();

      assert.deepEqual(bodies(handled), ["order-1"]);
      assert.deepEqual(counts(handled), [0]);
    },
  );

  story(
    "a message whose lock lapsed is back in front with one more failure and a new token",
    ["S-028", "S-033", "S-050", "S-121", "S-137", "S-145"],
    async (scene) => {
      const orders = scene.queue("lapse");
      await orders.send("order-1", "order-2");
      const first = await orders.receiveOne();

      await soon("the lock lapses", async () => (await orders.everything())[0].deliveryCount === 1);
      const again = await orders.receive(2);

      assert.deepEqual(bodies(again), ["order-1", "order-2"]);
      assert.deepEqual(counts(again), [1, 0]);
      assert.notEqual(again[0].lockToken, first.lockToken);
      assert.deepEqual(again[0].sequenceNumber, first.sequenceNumber);
      assert.ok(Date.now() >= first.lockedUntilUtc.getTime() - CLOCKS_MILLIS);
    },
  );

  story(
    "a receiver that waits gets a message in the moment in which its lock lapses",
    ["S-033", "S-113"],
    async (scene) => {
      const orders = scene.queue("lapse-waiting");
      await orders.send("order-1");
      const holder = orders.anotherReceiver();
      const first = await orders.receiveOne(holder);
      await holder.close();

      const again = await orders.receiveOne();

      assert.equal(again.deliveryCount, 1);
      assert.ok(Date.now() >= first.lockedUntilUtc.getTime() - CLOCKS_MILLIS);
      assert.ok(Date.now() <= first.lockedUntilUtc.getTime() + LOCK_MILLIS);
    },
  );

  // One queue each, so that the calls find their own lock lapsed and nobody else's.
  const CALLS = {
    complete: (receiver, message) => receiver.completeMessage(message),
    abandon: (receiver, message) => receiver.abandonMessage(message, { changed: true }),
    defer: (receiver, message) => receiver.deferMessage(message, { changed: true }),
    "dead-letter": (receiver, message) =>
      receiver.deadLetterMessage(message, { deadLetterReason: "too late", changed: true }),
    renew: (receiver, message) => receiver.renewMessageLock(message),
  };
  for (const [name, call] of Object.entries(CALLS)) {
    story(
      `${name} says that the lock is lost, and changes nothing`,
      ["S-037", "S-038", "S-044", "S-098", "S-106", "S-502", "S-515"],
      async (scene) => {
        const orders = scene.queue(`lost-${name}`);
        await orders.send("order-1");
        const message = await orders.receiveOne();
        await orders.lapsed();

        await refused(`${name}-lock-lost`, call(orders.receiver, message), {
          code: "MessageLockLost",
          retryable: false,
        });
        const again = await orders.receiveOne();

        assert.equal(again.deliveryCount, 1);
        assert.equal(again.applicationProperties, undefined);
        assert.deepEqual(await orders.deadLetters.peekMessages(1), []);
        await orders.receiver.completeMessage(again);
        assert.deepEqual(await orders.everything(), []);
      },
    );
  }

  story(
    "whose lock lapsed cannot touch the lock of the next holder, by token or by link",
    ["S-040", "S-045", "S-098", "S-110"],
    async (scene) => {
      const orders = scene.queue("lost-to-another");
      const other = scene.queue("lost-to-another");
      await orders.send("order-1");
      const late = await orders.receiveOne();
      const current = await other.receiveOne();
      const third = scene.queue("lost-to-another");

      const byToken = await failure(third.receiver.completeMessage(late));
      const byLink = await failure(orders.receiver.completeMessage(late));

      assert.equal(byToken.code, "MessageLockLost");
      assert.equal(byLink.code, "MessageLockLost");

      assert.equal(current.deliveryCount, 1);
      await other.receiver.completeMessage(current);
      assert.deepEqual(await orders.everything(), []);
    },
  );

  story(
    "a deferred message whose lock lapses stays deferred, with one more failure",
    ["S-212", "S-121"],
    async (scene) => {
      const orders = scene.queue("lapse-deferred");
      await orders.send("order-1");
      const message = await orders.receiveOne();
      await orders.receiver.deferMessage(message);
      await orders.receiver.receiveDeferredMessages([message.sequenceNumber]);

      await orders.lapsed(2);
      const [again] = await orders.receiver.receiveDeferredMessages([message.sequenceNumber]);

      assert.equal(again.deliveryCount, 2);
      assert.equal(again.state, "deferred");
    },
  );

  story(
    "an expired message is dropped where nobody wants it, and never delivered",
    ["S-167", "S-168", "S-172"],
    async (scene) => {
      const orders = scene.queue("expiry-drop");
      await orders.sender.sendMessages({ body: "late", timeToLive: LIFE_MILLIS });
      const locked = await orders.receiveOne();
      await orders.sender.sendMessages({ body: "late too", timeToLive: 1_000 });
      await orders.send("fresh");
      const end = Math.max(locked.expiresAtUtc.getTime(), Date.now() + 1_000);

      await soon("the time is over", () => Date.now() > end + CLOCKS_MILLIS);
      const received = await orders.receiveLeft();
      await orders.receiver.completeMessage(locked);

      assert.deepEqual(bodies(received), ["fresh"]);
      await soon("both are gone", async () => {
        return JSON.stringify(bodies(await orders.everything())) === '["fresh"]';
      });
      assert.deepEqual(await orders.deadLetters.peekMessages(1), []);
    },
  );

  story(
    "a message that expired while it was locked is not offered again",
    ["S-169", "S-170", "S-171"],
    async (scene) => {
      const orders = scene.queue("expiry-locked");
      await orders.sender.sendMessages({ body: "completed", timeToLive: LIFE_MILLIS });
      await orders.sender.sendMessages({ body: "abandoned", timeToLive: LIFE_MILLIS });
      const [completed, abandoned] = await orders.receive(2);
      await soon("the time is over", () => Date.now() > abandoned.expiresAtUtc.getTime() + 500);

      await orders.receiver.renewMessageLock(completed);
      await orders.receiver.completeMessage(completed);
      await orders.receiver.abandonMessage(abandoned);
      const dead = await orders.receiveOne(orders.deadLetters);

      assert.equal(dead.body, "abandoned");
      assert.equal(dead.deadLetterReason, "TTLExpiredException");
      assert.deepEqual(await orders.receiveLeft(), []);
    },
  );
});
