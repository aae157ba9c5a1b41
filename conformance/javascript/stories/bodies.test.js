import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { describe } from "node:test";
import { bodies } from "../lib/queue.js";
import { story } from "../lib/story.js";

const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");

async function roundTrip(queue, bytes) {
  await queue.sender.sendMessages({ body: bytes });
  const receiver = queue.anotherReceiver({ skipParsingBodyAsJson: true });
  const message = await queue.receiveOne(receiver);

  assert.ok(Buffer.isBuffer(message.body));
  assert.equal(message.body.length, bytes.length);
  assert.equal(digest(message.body), digest(bytes));
  await receiver.completeMessage(message);
  assert.deepEqual(await queue.everything(), []);
}

describe("bodies", { concurrency: true }, () => {
  story("a body of one byte comes back", ["S-072"], async (scene) => {
    await roundTrip(scene.queue("body-byte"), Buffer.from([0xff]));
  });

  story("a body of no byte comes back", ["S-072"], async (scene) => {
    await roundTrip(scene.queue("body-empty"), Buffer.alloc(0));
  });

  story("a body of one megabyte comes back", ["S-072"], async (scene) => {
    await roundTrip(scene.queue("body-megabyte"), randomBytes(1024 * 1024));
  });

  story("a body of twenty megabytes comes back", ["S-072"], async (scene) => {
    await roundTrip(scene.queue("body-large"), randomBytes(20 * 1024 * 1024));
  });

  story(
    "a large body can be peeked, and deferred and received by number",
    ["S-072", "S-219"],
    async (scene) => {
      const orders = scene.queue("body-deferred");
      const bytes = randomBytes(1024 * 1024);
      await orders.sender.sendMessages({ body: bytes });
      const receiver = orders.anotherReceiver({ skipParsingBodyAsJson: true });

      const [peeked] = await receiver.peekMessages(1);
      const message = await orders.receiveOne(receiver);
      await receiver.deferMessage(message);
      const [back] = await receiver.receiveDeferredMessages([message.sequenceNumber]);

      assert.equal(digest(Buffer.from(peeked.body)), digest(bytes));
      assert.equal(digest(Buffer.from(back.body)), digest(bytes));
    },
  );

  story("JSON in a data section comes back as what it was", ["S-072"], async (scene) => {
    const orders = scene.queue("body-json");
    const sent = [{ deep: [1, { er: null }] }, ["a", 1], "żółw 🐢", 0, -2.5, true, null];

    await orders.send(...sent);
    const received = await orders.receive(sent.length);

    assert.deepEqual(bodies(received), sent);
    for (const message of received) {
      assert.equal(message._rawAmqpMessage.bodyType, "data");
    }
  });

  story("values keep their section and their type", ["S-072"], async (scene) => {
    const orders = scene.queue("body-value");
    const when = new Date(1_700_000_000_123);
    const sent = ["text", 0, 5, -7, 2.5, 2 ** 40, true, false, null, when];
    sent.push({ key: "value", nested: { list: ["a", 1, true] } });

    for (const body of sent) {
      await orders.sender.sendMessages({ body, bodyType: "value" });
    }
    const received = await orders.receive(sent.length);

    assert.deepEqual(bodies(received), sent);
    for (const message of received) {
      assert.equal(message._rawAmqpMessage.bodyType, "value");
    }
  });

  story("a sequence stays a sequence", ["S-072", "T-52"], async (scene) => {
    const orders = scene.queue("body-sequence");
    const sequence = ["one", 2, 3.5, false, null, { four: 4 }, ["five", 6]];

    await orders.sender.sendMessages({ body: sequence, bodyType: "sequence" });
    await orders.sender.sendMessages([{ body: [], bodyType: "sequence" }]);
    const [full, empty] = await orders.receive(2);

    assert.deepEqual(full.body, sequence);
    assert.equal(full._rawAmqpMessage.bodyType, "sequence");
    assert.deepEqual(empty.body, []);
    assert.equal(empty._rawAmqpMessage.bodyType, "sequence");
  });

  story("a received message can be sent on as it is", ["S-072", "S-077"], async (scene) => {
    const orders = scene.queue("body-sent-on");
    await orders.sender.sendMessages({
      body: { key: 1 },
      bodyType: "value",
      applicationProperties: { kept: true },
      properties: { messageId: "original" },
    });

    const message = await orders.receiveOne();
    await orders.sender.sendMessages(message);
    await orders.receiver.completeMessage(message);
    const copy = await orders.receiveOne();

    assert.deepEqual(copy.body, { key: 1 });
    assert.equal(copy._rawAmqpMessage.bodyType, "value");
    assert.deepEqual(copy.applicationProperties, { kept: true });
    assert.equal(copy.messageId, "original");
    assert.equal(copy.sequenceNumber.toNumber(), 2);
    assert.notEqual(copy.lockToken, message.lockToken);
  });
});
