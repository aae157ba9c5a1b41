import assert from "node:assert/strict";
import { describe } from "node:test";
import { bodies, counts } from "../lib/queue.js";
import { failure, refused } from "../lib/refusals.js";
import { story } from "../lib/story.js";

describe("dead letters", { concurrency: true }, () => {
  story(
    "a dead letter carries reason, description and properties",
    ["S-034", "S-082", "S-090", "S-134", "S-145", "S-184", "S-188", "T-38"],
    async (scene) => {
      const orders = scene.queue("dead-letter");
      await orders.sender.sendMessages({ body: "order-1", applicationProperties: { a: 1, b: 2 } });
      const message = await orders.receiveOne();

      await orders.receiver.deadLetterMessage(message, {
        deadLetterReason: "no such article",
        deadLetterErrorDescription: "article 4711 is not sold any more",
        b: "changed",
        c: true,
      });
      const deadLetters = orders.deadLetters;
      const dead = await orders.receiveOne(deadLetters);

      assert.equal(dead.body, "order-1");
      assert.equal(dead.deadLetterReason, "no such article");
      assert.equal(dead.deadLetterErrorDescription, "article 4711 is not sold any more");
      assert.deepEqual(dead.applicationProperties, {
        a: 1,
        b: "changed",
        c: true,
        DeadLetterReason: "no such article",
        DeadLetterErrorDescription: "article 4711 is not sold any more",
      });
      assert.equal(dead.deliveryCount, 0);
      assert.deepEqual(dead.sequenceNumber, message.sequenceNumber);
      assert.deepEqual(dead.enqueuedTimeUtc, message.enqueuedTimeUtc);
      await deadLetters.completeMessage(dead);
      assert.deepEqual(await orders.everything(), []);
      assert.deepEqual(await orders.deadLetters.peekMessages(1), []);
    },
  );

  story("without a reason there is none", ["S-189", "S-093"], async (scene) => {
    const orders = scene.queue("dead-letter-bare");
    await orders.send("order-1");

    await orders.receiver.deadLetterMessage(await orders.receiveOne());
    const dead = await orders.receiveOne(orders.deadLetters);

    assert.equal(dead.deadLetterReason, undefined);
    assert.equal(dead.deadLetterErrorDescription, undefined);
  });

  story(
    "a dead letter can be abandoned without end, deferred, and taken, but not dead-lettered again",
    ["S-132", "S-184", "S-185", "S-186"],
    async (scene) => {
      const orders = scene.queue("dead-letter-again");
      await orders.send("order-1");
      await orders.receiver.deadLetterMessage(await orders.receiveOne());
      const deadLetters = orders.deadLetters;

      for (let end = 0; end < 4; end++) {
        const dead = await orders.receiveOne(deadLetters);
        assert.equal(dead.deliveryCount, 0, "nothing counts here");
        await deadLetters.abandonMessage(dead);
      }
      const dead = await orders.receiveOne(deadLetters);
      await failure(deadLetters.deadLetterMessage(dead, { deadLetterReason: "twice" }));
      const again = await orders.receiveOne(deadLetters);
      assert.equal(again.deadLetterReason, undefined);
      assert.equal(again.deliveryCount, 0, "a lock that lapses here counts nothing");
      await deadLetters.deferMessage(again);
      const [back] = await deadLetters.receiveDeferredMessages([dead.sequenceNumber]);
      await deadLetters.completeMessage(back);

      assert.deepEqual(await orders.deadLetters.peekMessages(5), []);
    },
  );

  story("nobody sends into a dead-letter queue", ["S-183"], async (scene) => {
    const orders = scene.queue("dead-letter-forged");
    const dead = scene.queue("dead-letter-forged/$deadletterqueue", orders.client);

    await refused("send-to-dead-letter-queue", dead.sender.sendMessages({ body: "forged" }), {
      code: "GeneralError",
      retryable: false,
    });

    assert.deepEqual(await orders.deadLetters.peekMessages(1), []);
  });

  story(
    "abandoned as often as the queue allows, a message becomes a dead letter",
    ["S-029", "S-126", "S-127", "S-192"],
    async (scene) => {
      const orders = scene.queue("max-delivery-count");
      await orders.send("poison", "good");
      const seen = [];

      for (let attempt = 0; attempt < 3; attempt++) {
        const message = await orders.receiveOne();
        seen.push(message);
        await orders.receiver.abandonMessage(message);
      }
      const good = await orders.receiveOne();
      const dead = await orders.receiveOne(orders.deadLetters);

      assert.deepEqual(bodies(seen), ["poison", "poison", "poison"]);
      assert.deepEqual(counts(seen), [0, 1, 2]);
      assert.equal(good.body, "good");
      assert.equal(dead.body, "poison");
      assert.equal(dead.deliveryCount, 3);
      assert.equal(dead.deadLetterReason, "MaxDeliveryCountExceeded");
      assert.ok(dead.deadLetterErrorDescription);
    },
  );

  story(
    "where one delivery is the most, a deferral is the last",
    ["S-124", "S-126"],
    async (scene) => {
      const orders = scene.queue("max-delivery-one");
      await orders.send("order-1");

      await orders.receiver.deferMessage(await orders.receiveOne());
      const dead = await orders.receiveOne(orders.deadLetters);

      assert.equal(dead.deadLetterReason, "MaxDeliveryCountExceeded");
      assert.equal(dead.deliveryCount, 1);
    },
  );

  story(
    "a lock that lapses counts as a failed delivery",
    ["S-029", "S-121", "S-126"],
    async (scene) => {
      const orders = scene.queue("max-delivery-lapse");
      await orders.send("order-1");
      await orders.receiver.abandonMessage(await orders.receiveOne());

      await orders.receiveOne();
      const dead = await orders.receiveOne(orders.deadLetters);

      assert.equal(dead.deadLetterReason, "MaxDeliveryCountExceeded");
      assert.equal(dead.deliveryCount, 2);
    },
  );

  story(
    "an expired message becomes a dead letter where the queue wants it",
    ["S-162", "S-167", "S-168", "S-191"],
    async (scene) => {
      const orders = scene.queue("expiry-dead-letter");
      await orders.sender.sendMessages({ body: "late", timeToLive: 1_000 });
      await orders.send("fresh");

      const dead = await orders.receiveOne(orders.deadLetters);

      assert.equal(dead.body, "late");
      assert.equal(dead.deadLetterReason, "TTLExpiredException");
      assert.equal(dead.expiresAtUtc - dead.enqueuedTimeUtc, 1_000);
      assert.deepEqual(bodies(await orders.receive(1)), ["fresh"]);
    },
  );
});
