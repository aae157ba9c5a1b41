import assert from "node:assert/strict";
import { describe } from "node:test";
import { bodies } from "../lib/queue.js";
import { notTold, story } from "../lib/story.js";

const range = (count) => Array.from({ length: count }, (_, index) => index);

describe("traps", { concurrency: true }, () => {
  story(
    "six connections with eight links each come up together, within seconds",
    ["T-66", "T-2", "T-15"],
    async (scene) => {
      const began = Date.now();
      const clients = range(6).map(() => scene.client());

      const work = clients.flatMap((client) => [
        ...range(4).map(() => scene.queue("many-links", client).send("hello")),
        ...range(4).map(() => scene.queue("many-links-empty", client).receiveLeft()),
      ]);
      await Promise.all(work);

      assert.ok(Date.now() - began < 10_000, `took ${Date.now() - began} ms`);
      assert.equal((await scene.queue("many-links").everything()).length, 24);
    },
  );

  story("connecting takes no time, again and again", ["T-2"], async (scene) => {
    const began = Date.now();

    for (const body of range(20)) {
      const client = scene.client();
      await scene.queue("many-connections", client).send(body);
      await client.close();
    }

    // A client that falls into this trap hangs for a minute each time.
    assert.ok(Date.now() - began < 50_000, `took ${Date.now() - began} ms`);
    assert.deepEqual(bodies(await scene.queue("many-connections").everything()), range(20));
  });

  story(
    "a closed receiver's messages stay locked for who holds their tokens",
    ["S-039", "S-113", "T-45"],
    async (scene) => {
      const orders = scene.queue("link-gone");
      await orders.send("held", "free");
      const first = orders.anotherReceiver();
      const held = await orders.receiveOne(first);
      await first.close();

      assert.equal((await orders.receiveOne()).body, "free");
      await orders.receiver.completeMessage(held);

      assert.deepEqual(bodies(await orders.everything()), ["free"]);
    },
  );

  story("a hundred renewals at once are all answered in time", ["S-026"], async (scene) => {
    const orders = scene.queue("many-renewals");
    await orders.sender.sendMessages(range(100).map((body) => ({ body })));
    const messages = await orders.receive(100);

    const renewed = await Promise.all(
      messages.map((message) => orders.receiver.renewMessageLock(message)),
    );

    for (const [index, until] of renewed.entries()) {
      assert.deepEqual(messages[index].lockedUntilUtc, until);
      assert.ok(until > new Date());
    }
  });

  notTold(
    "messages that were fetched ahead go back when their receiver closes",
    "this client fetches nothing ahead: it asks for what was asked of it, and drains the rest",
  );
});
