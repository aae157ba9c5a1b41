import assert from "node:assert/strict";
import { describe } from "node:test";
import { ServiceBusClient as BetaClient } from "@azure/service-bus-beta";
import { soon } from "../lib/patience.js";
import { bodies } from "../lib/queue.js";
import { CONNECTION } from "../lib/scene.js";
import { story } from "../lib/story.js";

/** Deleting in batches is in the client's beta only, so its receivers are used beside the others. */
async function withBeta(use) {
  const client = new BetaClient(CONNECTION);
  try {
    await use(client);
  } finally {
    await client.close();
  }
}

/** The broker's clock and this one's may differ by a little. */
const soonest = { beforeEnqueueTime: new Date(Date.now() + 600_000) };
const longAgo = { beforeEnqueueTime: new Date(Date.now() - 3_600_000) };

describe("purging", { concurrency: true }, () => {
  story("a batch is deleted, the oldest messages first", ["S-411", "S-415"], async (scene) => {
    const orders = scene.queue("purge-some");
    await orders.send("a", "b", "c");

    await withBeta(async (beta) => {
      const receiver = beta.createReceiver(orders.name);
      assert.equal(await receiver.deleteMessages({ maxMessageCount: 2, ...longAgo }), 0);
      assert.equal(await receiver.deleteMessages({ maxMessageCount: 2, ...soonest }), 2);
    });

    assert.deepEqual(bodies(await orders.everything()), ["c"]);
  });

  story(
    "a purge leaves what is locked, deferred or scheduled and says how many went",
    ["S-411", "S-414", "S-415"],
    async (scene) => {
      const orders = scene.queue("purge-all");
      await orders.send("deferred", "locked", "free", "free too");
      const [deferred, locked] = await orders.receive(2);
      await orders.receiver.deferMessage(deferred);
      const tomorrow = new Date(Date.now() + 86_400_000);
      await orders.sender.scheduleMessages({ body: "scheduled" }, tomorrow);

      await withBeta(async (beta) => {
        const receiver = beta.createReceiver(orders.name);
        assert.equal(await receiver.purgeMessages(soonest), 2);
        assert.equal(await receiver.purgeMessages(soonest), 0);
      });

      assert.deepEqual(bodies(await orders.everything()), ["deferred", "locked", "scheduled"]);
      await orders.receiver.completeMessage(locked);
    },
  );

  story("without a cut-off the present time is one", ["S-411"], async (scene) => {
    const orders = scene.queue("purge-now");
    await orders.send("a");

    await withBeta(async (beta) => {
      const receiver = beta.createReceiver(orders.name);
      await soon("it is purged", async () => (await receiver.purgeMessages()) === 1);
    });

    assert.deepEqual(await orders.everything(), []);
  });

  story("of a session only its own messages are purged", ["S-411"], async (scene) => {
    const client = scene.client();
    const sender = client.createSender("purge-session");
    await sender.sendMessages({ body: "mine", sessionId: "one" });
    await sender.sendMessages({ body: "other", sessionId: "two" });

    await withBeta(async (beta) => {
      const session = await beta.acceptSession("purge-session", "one");
      assert.equal(await session.purgeMessages(soonest), 1);
      await session.close();
    });

    const other = await client.acceptSession("purge-session", "two");
    const [message] = await other.receiveMessages(1, { maxWaitTimeInMs: 15_000 });
    assert.equal(message.body, "other");
    const mine = await client.acceptSession("purge-session", "one");
    assert.deepEqual(await mine.peekMessages(1), []);
  });
});
