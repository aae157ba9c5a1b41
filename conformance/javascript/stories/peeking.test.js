import assert from "node:assert/strict";
import { describe } from "node:test";
import { bodies, counts, numbers } from "../lib/queue.js";
import { story } from "../lib/story.js";

describe("peeking", { concurrency: true }, () => {
  story("peek of an empty queue gives nothing, at once", ["S-224", "T-48"], async (scene) => {
    const orders = scene.queue("peek-empty");

    assert.deepEqual(await orders.receiver.peekMessages(1), []);
    assert.deepEqual(await orders.receiver.peekMessages(10), []);
  });

  story(
    "peek shows active, locked and deferred messages and changes none",
    ["S-122", "S-125", "S-215", "S-218", "S-219", "S-225", "S-226"],
    async (scene) => {
      const orders = scene.queue("peek-all");
      await orders.send("deferred", "locked", "active");
      const [deferred, locked] = await orders.receive(2);
      await orders.receiver.deferMessage(deferred);

      const seen = await orders.everything();
      const again = await orders.everything();

      assert.deepEqual(bodies(seen), ["deferred", "locked", "active"]);
      assert.deepEqual(
        seen.map((message) => message.state),
        ["deferred", "active", "active"],
      );
      assert.deepEqual(counts(seen), [1, 0, 0]);
      assert.deepEqual(
        seen.map((message) => message.lockToken),
        [undefined, undefined, undefined],
      );
      assert.deepEqual(counts(again), counts(seen));
      await orders.receiver.completeMessage(locked);
      assert.equal((await orders.receiveOne()).body, "active");
    },
  );

  story(
    "peek goes on where it stopped, and starts from any number",
    ["S-221", "S-222", "S-223"],
    async (scene) => {
      const orders = scene.queue("peek-from");
      await orders.send("a", "b", "c", "d", "e");
      const walked = [
        ...(await orders.receiver.peekMessages(2)),
        ...(await orders.receiver.peekMessages(2)),
        ...(await orders.receiver.peekMessages(2)),
      ];
      const second = walked[1].sequenceNumber;
      const past = await orders.receiver.peekMessages(2);
      const from = await orders.receiver.peekMessages(3, { fromSequenceNumber: second });
      const beyond = await orders.receiver.peekMessages(1, { fromSequenceNumber: second.add(90) });

      assert.deepEqual(bodies(walked), ["a", "b", "c", "d", "e"]);
      assert.deepEqual(past, []);
      assert.deepEqual(bodies(from), ["b", "c", "d"]);
      assert.deepEqual(beyond, []);
    },
  );

  story("one peek gives at most 250 messages", ["S-223"], async (scene) => {
    const orders = scene.queue("peek-many");
    await orders.sender.sendMessages(Array.from({ length: 300 }, (_, body) => ({ body })));

    const seen = await orders.receiver.peekMessages(300);
    const rest = await orders.receiver.peekMessages(300);

    assert.equal(seen.length, 250);
    assert.deepEqual(numbers([...seen, ...rest]).at(-1), 300);
    assert.equal(seen.length + rest.length, 300);
  });

  story("peek leaves bodies out where it is asked to", ["S-218"], async (scene) => {
    const orders = scene.queue("peek-without-body");
    await orders.sender.sendMessages({ body: "long", messageId: "id-1" });

    const [seen] = await orders.receiver.peekMessages(1, { omitMessageBody: true });
    const received = await orders.receiveOne();

    assert.equal(seen.messageId, "id-1");
    assert.equal(received.body, "long");
  });

  story("a dead letter is seen in its own queue only", ["S-181", "S-219"], async (scene) => {
    const orders = scene.queue("peek-dead-letter");
    await orders.send("dead", "alive");
    await orders.receiver.deadLetterMessage(await orders.receiveOne());

    assert.deepEqual(bodies(await orders.everything()), ["alive"]);
    assert.deepEqual(bodies(await orders.deadLetters.peekMessages(5)), ["dead"]);
  });
});
