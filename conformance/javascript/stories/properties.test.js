import assert from "node:assert/strict";
import { describe } from "node:test";
import { story } from "../lib/story.js";

const DAY_MILLIS = 24 * 60 * 60 * 1000;

const PROPERTIES = {
  messageId: "id-1",
  correlationId: "correlation-1",
  subject: "subject-1",
  to: "to-1",
  replyTo: "reply-to-1",
  contentType: "application/x-order",
  sessionId: "session-1",
  replyToSessionId: "reply-session-1",
  partitionKey: "session-1",
};

/** Every kind that this client lets an application put into a property. */
const APPLICATION_PROPERTIES = {
  text: "żółw 🐢",
  nothing: "",
  zero: 0,
  small: 5,
  negative: -7,
  fraction: 2.5,
  large: 2 ** 40,
  largeNegative: -(2 ** 40),
  yes: true,
  no: false,
  absent: null,
  when: new Date(1_700_000_000_123),
};

describe("properties", { concurrency: true }, () => {
  story(
    "every property of a message comes back, also by peek",
    ["S-076", "S-079"],
    async (scene) => {
      const orders = scene.queue("properties-all");

      await orders.sender.sendMessages({ body: "x", ...PROPERTIES });
      const [peeked] = await orders.everything();
      const received = await orders.receiveOne();

      for (const [name, value] of Object.entries(PROPERTIES)) {
        assert.deepEqual(received[name], value, name);
        assert.deepEqual(peeked[name], value, `${name}, peeked`);
      }
    },
  );

  story(
    "application properties keep value and type, dates too",
    ["S-072", "T-54"],
    async (scene) => {
      const orders = scene.queue("properties-application");
      const receiver = orders.anotherReceiver({ skipConvertingDate: true });

      await orders.sender.sendMessages({
        body: "x",
        applicationProperties: APPLICATION_PROPERTIES,
      });
      await orders.sender.sendMessages([
        { body: "y", applicationProperties: { size: 0 } },
        { body: "y", applicationProperties: { size: 5 } },
        { body: "y", applicationProperties: { size: 2.5 } },
      ]);
      const [all, ...sizes] = await orders.receive(4, receiver);

      assert.deepEqual(all.applicationProperties, APPLICATION_PROPERTIES);
      assert.deepEqual(
        sizes.map((message) => message.applicationProperties.size),
        [0, 5, 2.5],
      );
    },
  );

  story(
    "what an annotated message says in its sections comes back",
    ["S-076", "S-078"],
    async (scene) => {
      const orders = scene.queue("properties-annotated");
      const receiver = orders.anotherReceiver({ skipConvertingDate: true });

      await orders.sender.sendMessages({
        body: Buffer.from("x"),
        bodyType: "data",
        header: { durable: true, priority: 7 },
        properties: {
          messageId: 42,
          correlationId: "c",
          contentEncoding: "gzip",
          groupId: "g",
          groupSequence: 3,
          replyToGroupId: "r",
        },
        applicationProperties: { a: 1 },
        messageAnnotations: { "x-opt-mine": "kept", "x-number": 5 },
        footer: { checksum: "none" },
      });
      const raw = (await orders.receiveOne(receiver))._rawAmqpMessage;

      assert.equal(raw.header.priority, 7);
      assert.equal(raw.properties.messageId, 42);
      assert.equal(raw.properties.correlationId, "c");
      assert.equal(raw.properties.contentEncoding, "gzip");
      assert.equal(raw.properties.groupId, "g");
      assert.equal(raw.properties.groupSequence, 3);
      assert.equal(raw.properties.replyToGroupId, "r");
      assert.deepEqual(raw.applicationProperties, { a: 1 });
      assert.equal(raw.messageAnnotations["x-opt-mine"], "kept");
      assert.equal(raw.messageAnnotations["x-number"], 5);
      assert.deepEqual(raw.footer, { checksum: "none" });
    },
  );

  story(
    "the expiry is the time of arrival plus the time to live; without one there is none",
    ["S-081", "S-162", "S-164", "S-166"],
    async (scene) => {
      const orders = scene.queue("properties-expiry");
      const life = (message) => message.expiresAtUtc - message.enqueuedTimeUtc;

      await orders.sender.sendMessages({ body: "minute", timeToLive: 60_000 });
      await orders.sender.sendMessages({ body: "ever" });
      await orders.sender.sendMessages({ body: "month", timeToLive: 31 * DAY_MILLIS });
      await orders.sender.sendMessages({
        body: "year",
        bodyType: "data", // the plain form cuts at what the header can say
        header: { timeToLive: 365 * DAY_MILLIS },
      });
      const [minute, ever, month, year] = await orders.receive(4);

      assert.equal(life(minute), 60_000);
      assert.equal(minute.timeToLive, 60_000);
      assert.equal(ever.timeToLive, undefined);
      assert.ok(ever.expiresAtUtc.getUTCFullYear() > 9_000, String(ever.expiresAtUtc));
      assert.equal(life(month), 31 * DAY_MILLIS);
      assert.equal(month.timeToLive, 31 * DAY_MILLIS);
      assert.equal(life(year), 2 ** 32 - 1);
      assert.equal(year.timeToLive, 365 * DAY_MILLIS);
    },
  );

  story(
    "the smaller of the message's and the queue's time to live rules",
    ["S-164"],
    async (scene) => {
      const orders = scene.queue("properties-smaller");

      await orders.sender.sendMessages({ body: "longer", timeToLive: 3_600_000 });
      await orders.sender.sendMessages({ body: "shorter", timeToLive: 60_000 });
      await orders.sender.sendMessages({ body: "none" });
      const received = await orders.receive(3);

      assert.deepEqual(
        received.map((message) => message.expiresAtUtc - message.enqueuedTimeUtc),
        [600_000, 60_000, 600_000],
      );
    },
  );
});
