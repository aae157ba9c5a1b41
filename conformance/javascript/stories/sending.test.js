import assert from "node:assert/strict";
import { describe } from "node:test";
import { bodies, counts, numbers } from "../lib/queue.js";
import { failure, refused } from "../lib/refusals.js";
import { notTold, story } from "../lib/story.js";

describe("sending", { concurrency: true }, () => {
  story(
    "a sent message can be received, and says when it came and how often it failed",
    ["S-001", "S-004", "S-005", "S-118", "S-119", "S-140", "S-144", "T-35"],
    async (scene) => {
      const orders = scene.queue("send-one");
      const before = Date.now() - 1_000;

      const outcome = await orders.sender.sendMessages({ body: "order-1", messageId: "id-1" });
      const message = await orders.receiveOne();

      assert.equal(outcome, undefined);
      assert.equal(message.body, "order-1");
      assert.equal(message.messageId, "id-1");
      assert.equal(message.deliveryCount, 0);
      assert.equal(message.sequenceNumber.toNumber(), 1);
      assert.equal(Number(message.enqueuedSequenceNumber), 0);
      assert.equal(message.state, "active");
      assert.ok(message.enqueuedTimeUtc.getTime() >= before);
      assert.ok(message.enqueuedTimeUtc.getTime() <= Date.now() + 1_000);
      assert.ok(message.lockedUntilUtc > message.enqueuedTimeUtc);
      assert.match(message.lockToken, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    },
  );

  story(
    "two thousand sends at once are each accepted, and lie in the queue in one order",
    ["S-002", "S-009", "S-012", "S-016", "S-103", "S-135"],
    async (scene) => {
      const orders = scene.queue("send-many");
      const sent = Array.from({ length: 2_000 }, (_, index) => index);

      await Promise.all(sent.map((body) => orders.sender.sendMessages({ body })));
      const received = await orders.receive(sent.length);

      assert.deepEqual(
        bodies(received).toSorted((a, b) => a - b),
        sent,
      );
      assert.deepEqual(
        numbers(received),
        sent.map((index) => index + 1),
      );
    },
  );

  story(
    "an array, even of one, and a batch arrive in order, each message with what is its own",
    ["S-405", "S-406", "T-51"],
    async (scene) => {
      const orders = scene.queue("send-batch");

      await orders.sender.sendMessages([
        { body: "a", applicationProperties: { only: "a" }, sessionId: "x" },
        { body: "b", subject: "of b" },
        { body: "c", timeToLive: 3_600_000, sessionId: "y" },
      ]);
      await orders.sender.sendMessages([{ body: "alone", messageId: "alone-1" }]);
      const batch = await orders.sender.createMessageBatch();
      assert.ok(batch.tryAddMessage({ body: "d" }));
      assert.ok(batch.tryAddMessage({ body: "e", correlationId: "of e" }));
      await orders.sender.sendMessages(batch);
      await orders.sender.sendMessages([]);
      const received = await orders.receive(6);

      assert.deepEqual(bodies(received), ["a", "b", "c", "alone", "d", "e"]);
      assert.deepEqual(numbers(received), [1, 2, 3, 4, 5, 6]);
      assert.deepEqual(
        received.map((message) => message.applicationProperties?.only),
        ["a", undefined, undefined, undefined, undefined, undefined],
      );
      assert.deepEqual(
        received.map((message) => message.sessionId),
        ["x", undefined, "y", undefined, undefined, undefined],
      );
      assert.equal(received[1].subject, "of b");
      assert.equal(received[2].expiresAtUtc - received[2].enqueuedTimeUtc, 3_600_000);
      assert.equal(received[3].messageId, "alone-1");
      assert.equal(received[5].correlationId, "of e");
    },
  );

  story(
    "of a batch with one message that cannot be, nothing is stored",
    ["S-405", "S-073"],
    async (scene) => {
      const orders = scene.queue("send-atomic");
      const bad = { body: "bad", bodyType: "data", properties: { messageId: "x".repeat(129) } };

      await failure(orders.sender.sendMessages([{ body: "good" }, bad, { body: "good too" }]));

      assert.deepEqual(await orders.everything(), []);
    },
  );

  story("the client finds a batch too large before it sends it", ["S-511"], async (scene) => {
    const orders = scene.queue("send-too-large");
    const half = Buffer.alloc(140 * 1024, "x");

    const batch = await orders.sender.createMessageBatch();
    assert.equal(batch.maxSizeInBytes, 256 * 1024);
    assert.equal(batch.tryAddMessage({ body: half }), true);
    assert.equal(batch.tryAddMessage({ body: half }), false);
    assert.equal(batch.count, 1);
    await refused("batch-too-large", orders.sender.sendMessages([{ body: half }, { body: half }]), {
      code: "MessageSizeExceeded",
      retryable: true, // so says the client of its own refusals
      says: /too big/,
    });
    await orders.sender.sendMessages(batch);

    assert.equal((await orders.everything()).length, 1);
  });

  story(
    "a single message above the limit is refused by the broker, and the sender lives on",
    ["T-67", "T-72", "S-006", "S-007", "S-008", "S-511", "S-515"],
    async (scene) => {
      const orders = scene.queue("send-over-limit");
      const limit = 256 * 1024;
      const send = (size) => orders.sender.sendMessages({ body: Buffer.alloc(size) });

      const refusal = await refused("message-too-large", send(limit), {
        code: "MessageSizeExceeded",
        retryable: false,
      });
      const around = Number(/size:(\d+)/.exec(refusal.message)[1]) - limit;
      assert.equal((await failure(send(limit - around + 1))).code, "MessageSizeExceeded");
      assert.equal((await failure(send(8 * 1024 * 1024))).code, "MessageSizeExceeded");
      await send(limit - around);
      await orders.send("small");

      const [largest, small] = await orders.receive(
        2,
        orders.anotherReceiver({ skipParsingBodyAsJson: true }),
      );
      assert.equal(largest.body.length, limit - around);
      assert.equal(String(small.body), '"small"');
    },
  );

  story("a message id has at most 128 characters", ["S-073"], async (scene) => {
    const orders = scene.queue("send-long-id");
    // The annotated form goes out as it is; the plain one is checked by the client itself.
    const withId = (messageId) => ({ body: "x", bodyType: "data", properties: { messageId } });

    await orders.sender.sendMessages(withId("i".repeat(128)));
    await refused("message-id-too-long", orders.sender.sendMessages(withId("i".repeat(129))), {
      code: "GeneralError",
      retryable: false,
    });
    const own = await failure(
      orders.sender.sendMessages({ body: "x", messageId: "i".repeat(129) }),
    );

    assert.match(own.message, /128 characters/);
    assert.deepEqual(counts(await orders.everything()), [0]);
  });

  story(
    "a message without an id gets one, so that a client that renews locks can settle it",
    ["T-68"],
    async (scene) => {
      const orders = scene.queue("send-without-id");
      await orders.send("anonymous", "anonymous too");
      const renewing = orders.client.createReceiver(orders.name);

      const [first, second] = await orders.receive(2, renewing);
      await renewing.completeMessage(first);
      await renewing.completeMessage(second);

      assert.ok(first.messageId);
      assert.ok(second.messageId);
      assert.notEqual(first.messageId, second.messageId);
      assert.deepEqual(await orders.everything(), []);
    },
  );

  story(
    "what a client writes into the broker's own annotations is not believed",
    ["S-077"],
    async (scene) => {
      const orders = scene.queue("send-forged");

      await orders.sender.sendMessages({
        body: "forged",
        bodyType: "data",
        header: { deliveryCount: 7 },
        messageAnnotations: {
          "x-opt-sequence-number": 4_711,
          "x-opt-enqueued-time": new Date(0),
          "x-opt-message-state": 1,
          "x-opt-mine": "kept",
        },
      });
      const message = await orders.receiveOne();

      assert.equal(message.sequenceNumber.toNumber(), 1);
      assert.equal(message.deliveryCount, 0);
      assert.equal(message.state, "active");
      assert.ok(message.enqueuedTimeUtc.getTime() > Date.now() - 60_000);
      assert.equal(message._rawAmqpMessage.messageAnnotations["x-opt-mine"], "kept");
    },
  );

  notTold(
    "a message sent already settled is stored or dropped without a word",
    "this client always waits for the outcome of a send",
  );
});
