import assert from "node:assert/strict";
import { describe } from "node:test";
import { bodies, counts, numbers } from "../lib/queue.js";
import { failure, refused } from "../lib/refusals.js";
import { story } from "../lib/story.js";

describe("settling", { concurrency: true }, () => {
  story(
    "a completed message is gone",
    ["S-003", "S-030", "S-031", "S-089", "T-43"],
    async (scene) => {
      const orders = scene.queue("complete");
      await orders.send("order-1", "order-2");

      const outcome = await orders.receiver.completeMessage(await orders.receiveOne());

      assert.equal(outcome, undefined);
      assert.deepEqual(bodies(await orders.everything()), ["order-2"]);
    },
  );

  story(
    "an abandoned message is back in front at once, with one more failure and a new token",
    ["S-028", "S-032", "S-041", "S-120", "S-137", "S-145", "T-33"],
    async (scene) => {
      const orders = scene.queue("abandon");
      await orders.send("order-1", "order-2");
      const first = await orders.receiveOne();

      await orders.receiver.abandonMessage(first);
      const again = await orders.receive(2);

      assert.deepEqual(bodies(again), ["order-1", "order-2"]);
      assert.deepEqual(counts([first, ...again]), [0, 1, 0]);
      assert.notEqual(again[0].lockToken, first.lockToken);
      assert.equal(again[0].messageId, first.messageId);
      assert.deepEqual(numbers(again), [1, 2]);
      assert.deepEqual(again[0].enqueuedTimeUtc, first.enqueuedTimeUtc);
    },
  );

  story(
    "properties given with an abandon are merged, and the others stay as they were",
    ["S-082", "S-072", "T-73"],
    async (scene) => {
      const orders = scene.queue("abandon-properties");
      const receiver = orders.anotherReceiver({ skipConvertingDate: true });
      const untouched = { when: new Date(1_700_000_000_123), zero: 0, half: 0.5, absent: null };
      await orders.sender.sendMessages({
        body: "order-1",
        subject: "same",
        applicationProperties: { ...untouched, attempt: 1, name: "old" },
      });

      const changes = { attempt: 2, name: null, fresh: true, since: new Date(0) };
      await receiver.abandonMessage(await orders.receiveOne(receiver), changes);
      const again = await orders.receiveOne(receiver);

      assert.deepEqual(again.applicationProperties, { ...untouched, ...changes });
      assert.equal(again.subject, "same");
      assert.equal(again.body, "order-1");
    },
  );

  story("what is changed only on the client's copy is not kept", ["S-083"], async (scene) => {
    const orders = scene.queue("abandon-copy");
    await orders.sender.sendMessages({ body: "order-1", applicationProperties: { a: 1 } });
    const first = await orders.receiveOne();

    first.applicationProperties.a = 2;
    await orders.receiver.abandonMessage(first);

    assert.deepEqual((await orders.receiveOne()).applicationProperties, { a: 1 });
  });

  story(
    "a deferred message waits for who knows its number",
    ["S-036", "S-123", "S-206", "S-207", "S-212", "T-37"],
    async (scene) => {
      const orders = scene.queue("defer");
      await orders.send("set aside", "next");
      const first = await orders.receiveOne();

      await orders.receiver.deferMessage(first, { why: "later" });
      const next = await orders.receiveOne();
      const other = scene.queue("defer");
      const [back] = await other.receiver.receiveDeferredMessages([first.sequenceNumber]);

      assert.equal(next.body, "next");
      assert.equal(back.body, "set aside");
      assert.deepEqual(back.applicationProperties, { why: "later" });
      assert.equal(back.deliveryCount, 1);
      assert.equal(back.state, "deferred");
      assert.ok(back.lockedUntilUtc > new Date());
      assert.notEqual(back.lockToken, first.lockToken);
      await other.receiver.completeMessage(back);
      assert.deepEqual(bodies(await orders.everything()), ["next"]);
    },
  );

  story(
    "deferred messages come in the order asked for and are settled each in its way",
    ["S-209", "S-210", "S-212", "S-213", "T-46"],
    async (scene) => {
      const orders = scene.queue("defer-many");
      await orders.send("a", "b", "c", "d");
      const all = await orders.receive(4);
      for (const message of all) {
        await orders.receiver.deferMessage(message);
      }

      const wanted = [2, 0, 3, 1].map((index) => all[index].sequenceNumber);
      const [c, a, d, b] = await orders.receiver.receiveDeferredMessages(wanted);
      await orders.receiver.completeMessage(c);
      await orders.receiver.abandonMessage(a, { how: "abandoned" });
      await orders.receiver.deferMessage(d, { how: "deferred" });
      await orders.receiver.deadLetterMessage(b, {
        deadLetterReason: "reason-b",
        deadLetterErrorDescription: "text-b",
        how: "dead-lettered",
      });

      assert.deepEqual(bodies([c, a, d, b]), ["c", "a", "d", "b"]);
      const left = await orders.everything();
      assert.deepEqual(bodies(left), ["a", "d"]);
      assert.deepEqual(counts(left), [2, 2]);
      assert.deepEqual(
        left.map((message) => [message.state, message.applicationProperties.how]),
        [
          ["deferred", "abandoned"],
          ["deferred", "deferred"],
        ],
      );
      const dead = await orders.receiveOne(orders.deadLetters);
      assert.equal(dead.body, "b");
      assert.equal(dead.deadLetterReason, "reason-b");
      assert.equal(dead.deadLetterErrorDescription, "text-b");
      assert.equal(dead.applicationProperties.how, "dead-lettered");
      assert.deepEqual(await orders.receiver.receiveDeferredMessages([]), []);
    },
  );

  story(
    "one number that is not there fails the whole call and locks nothing",
    ["S-208", "S-211", "S-214", "S-505"],
    async (scene) => {
      const orders = scene.queue("defer-unknown");
      await orders.send("set aside", "active");
      const [aside, active] = await orders.receive(2);
      await orders.receiver.deferMessage(aside);
      const known = aside.sequenceNumber;
      const ask = (...wanted) => orders.receiver.receiveDeferredMessages(wanted);

      await refused("receive-deferred-unknown", ask(known.add(90)), {
        code: "MessageNotFound",
        retryable: false,
      });
      assert.equal((await failure(ask(known, known.add(90)))).code, "MessageNotFound");
      assert.equal((await failure(ask(known, active.sequenceNumber))).code, "MessageNotFound");
      const [back] = await ask(known);
      assert.equal(back.body, "set aside");
      assert.equal((await failure(ask(known))).code, "MessageNotFound");
    },
  );

  story(
    "receive-and-delete removes a message as it is delivered, and takes no settlement",
    ["S-020", "S-021", "S-023", "S-096", "S-119"],
    async (scene) => {
      const orders = scene.queue("receive-and-delete");
      await orders.send("order-1", "order-2");
      const taking = orders.client.createReceiver(orders.name, { receiveMode: "receiveAndDelete" });

      const first = await orders.receiveOne(taking);
      const refusal = await failure(taking.completeMessage(first));

      assert.equal(first.body, "order-1");
      assert.equal(first.deliveryCount, 0);
      assert.equal(first.lockToken, undefined);
      assert.equal(refusal.name, "Error");
      assert.deepEqual(bodies(await orders.everything()), ["order-2"]);
      assert.equal((await orders.receiveOne()).body, "order-2");
    },
  );

  story(
    "a thousand messages received and deleted are a thousand different ones",
    ["S-021", "S-135"],
    async (scene) => {
      const orders = scene.queue("receive-and-delete-many");
      const sent = Array.from({ length: 1_000 }, (_, body) => body);
      await orders.sender.sendMessages(sent.map((body) => ({ body })));
      const taking = orders.client.createReceiver(orders.name, { receiveMode: "receiveAndDelete" });

      assert.deepEqual(bodies(await orders.receive(sent.length, taking)), sent);
      assert.deepEqual(await orders.everything(), []);
    },
  );

  story("two receivers never hold the same message", ["S-024", "S-027", "S-051"], async (scene) => {
    const orders = scene.queue("competing");
    const other = scene.queue("competing");
    const sent = Array.from({ length: 200 }, (_, body) => body);
    await orders.sender.sendMessages(sent.map((body) => ({ body })));

    const [mine, theirs] = await Promise.all([orders.receive(100), other.receive(100)]);

    assert.deepEqual(
      [...bodies(mine), ...bodies(theirs)].toSorted((a, b) => a - b),
      sent,
    );
    assert.deepEqual(await orders.receiveLeft(), []);
    assert.deepEqual(
      bodies(mine),
      bodies(mine).toSorted((a, b) => a - b),
    );
  });

  story("a settled message cannot be settled again", ["S-117", "S-502"], async (scene) => {
    const orders = scene.queue("settle-twice");
    await orders.send("order-1");
    const message = await orders.receiveOne();
    const other = scene.queue("settle-twice").receiver;

    await orders.receiver.completeMessage(message);

    assert.match((await failure(orders.receiver.completeMessage(message))).message, /settled/);
    assert.equal(
      (await failure(orders.receiver.renewMessageLock(message))).code,
      "MessageLockLost",
    );
    assert.equal((await failure(other.renewMessageLock(message))).code, "MessageLockLost");
  });

  story(
    "a lock outlives its link: whoever has the token settles, once, and renews",
    ["S-039", "S-109", "S-110", "S-113", "T-45", "T-34"],
    async (scene) => {
      const orders = scene.queue("settle-elsewhere");
      await orders.send("completed", "abandoned", "deferred", "dead-lettered", "renewed");
      const holder = orders.anotherReceiver();
      const [completed, abandoned, deferred, rejected, renewed] = await orders.receive(5, holder);
      await holder.close();
      const other = scene.queue("settle-elsewhere").receiver;

      assert.deepEqual(await orders.receiveLeft(), []);
      const lockedUntil = await other.renewMessageLock(renewed);
      await other.completeMessage(completed);
      await other.abandonMessage(abandoned, { how: "abandoned" });
      await other.deferMessage(deferred);
      await other.deadLetterMessage(rejected, { deadLetterReason: "by token" });
      await other.completeMessage(renewed);

      assert.ok(lockedUntil > new Date());
      const left = await orders.everything();
      assert.deepEqual(bodies(left), ["abandoned", "deferred"]);
      assert.equal(left[0].applicationProperties.how, "abandoned");
      assert.equal(left[1].state, "deferred");
      assert.equal((await orders.receiveOne(orders.deadLetters)).deadLetterReason, "by token");
    },
  );
});
