import assert from "node:assert/strict";
import { describe } from "node:test";
import { ServiceBusAdministrationClient } from "@azure/service-bus";
import { failure } from "../lib/refusals.js";
import { CONNECTION } from "../lib/scene.js";
import { story } from "../lib/story.js";

/** This client always uses TLS. */
const admin = new ServiceBusAdministrationClient(
  CONNECTION.replace(/;UseDevelopmentEmulator=true/, ""),
);

const FOR_EVER = "P10675199DT2H48M5.4775807S";

async function all(pages) {
  const found = [];
  for await (const each of pages) {
    found.push(each);
  }
  return found;
}

describe("administration", { concurrency: true }, () => {
  story(
    "a queue is made, read, used, updated and deleted",
    ["S-063", "S-067", "S-071", "S-489"],
    async (scene) => {
      const name = "js-admin/queue~1";
      const made = await admin.createQueue(name);
      assert.equal(made.name, name);
      assert.equal(made.lockDuration, "PT1M");
      assert.equal(made.defaultMessageTimeToLive, FOR_EVER);
      assert.equal(made.maxDeliveryCount, 10);
      assert.equal(made.status, "Active");
      assert.equal(await admin.queueExists(name), true);

      const queue = scene.queue(name);
      await queue.sender.sendMessages([{ body: "a" }, { body: "b" }, { body: "c" }]);
      await queue.sender.scheduleMessages({ body: "later" }, new Date(Date.now() + 3_600_000));
      const [dead] = await queue.receive(1);
      await queue.receiver.deadLetterMessage(dead);
      const runtime = await admin.getQueueRuntimeProperties(name);
      assert.equal(runtime.activeMessageCount, 2);
      assert.equal(runtime.deadLetterMessageCount, 1);
      assert.equal(runtime.scheduledMessageCount, 1);
      assert.equal(runtime.transferMessageCount, 0);
      assert.equal(runtime.totalMessageCount, 4);
      assert.ok(runtime.sizeInBytes > 0);
      assert.ok(runtime.createdAt instanceof Date && runtime.modifiedAt instanceof Date);

      const read = await admin.getQueue(name);
      const updated = await admin.updateQueue({
        ...read,
        lockDuration: "PT45S",
        userMetadata: "<mine> & 'yours'",
      });
      assert.equal(updated.lockDuration, "PT45S");
      assert.equal((await admin.getQueue(name)).userMetadata, "<mine> & 'yours'");
      const fixed = await failure(admin.updateQueue({ ...read, requiresSession: true }));
      assert.match(fixed.message, /RequiresSession/);
      const again = await failure(admin.createQueue(name));
      assert.equal(again.code, "MessageEntityAlreadyExistsError");

      await admin.deleteQueue(name);
      assert.equal(await admin.queueExists(name), false);
      const gone = await failure(admin.getQueue(name));
      assert.equal(gone.code, "MessageEntityNotFoundError");
      assert.equal((await failure(admin.deleteQueue(name))).statusCode, 404);
    },
  );

  story("more than a page of queues is listed by name", [], async () => {
    const names = Array.from({ length: 105 }, (_, i) => `js-many-${String(i).padStart(3, "0")}`);
    await Promise.all(names.map((name) => admin.createQueue(name)));
    const list = async () => (await all(admin.listQueues())).map((queue) => queue.name);
    const mine = (listed) => listed.filter((name) => name.startsWith("js-many-"));
    // A page begins where the client says how many to skip: a queue that another story makes or
    // deletes between two pages shifts the second by one, so one quiet listing of a few is asked for.
    let listed = await list();
    for (let more = 4; more > 0 && mine(listed).length !== names.length; more -= 1) {
      listed = await list();
    }
    assert.deepEqual(mine(listed), names);
    assert.equal(new Set(listed).size, listed.length);
    const counted = await all(admin.listQueuesRuntimeProperties());
    assert.ok(counted.length >= names.length);
    await Promise.all(names.map((name) => admin.deleteQueue(name)));
  });

  story(
    "a topic, its subscription and its rules have their whole lives",
    ["S-313", "S-317", "S-325", "S-476"],
    async (scene) => {
      const topic = "js-admin-topic";
      await admin.createTopic(topic, { userMetadata: "t" });
      assert.equal((await admin.getTopic(topic)).supportOrdering, true);
      const made = await admin.createSubscription(topic, "all", { maxDeliveryCount: 3 });
      assert.equal(made.topicName, topic);
      assert.equal(made.subscriptionName, "all");
      await admin.createSubscription(topic, "reds", {
        defaultRuleOptions: { name: "red", filter: { subject: "red" } },
      });
      assert.equal((await admin.getTopicRuntimeProperties(topic)).subscriptionCount, 2);

      const sender = scene.client().createSender(topic);
      await sender.sendMessages([
        { subject: "red", body: 1 },
        { subject: "blue", body: 2 },
      ]);
      const counts = async (name) =>
        (await admin.getSubscriptionRuntimeProperties(topic, name)).activeMessageCount;
      assert.deepEqual([await counts("all"), await counts("reds")], [2, 1]);

      const when = new Date(Date.UTC(2026, 0, 1));
      const properties = { text: "x", number: 1.5, yes: true, when };
      await admin.createRule(topic, "reds", "typed", { applicationProperties: properties });
      const typed = await admin.getRule(topic, "reds", "typed");
      assert.deepEqual(typed.filter.applicationProperties, properties);
      await admin.createRule(
        topic,
        "reds",
        "sql",
        { sqlExpression: "price > @least", sqlParameters: { "@least": 3 } },
        { sqlExpression: "SET seen = 1" },
      );
      const sql = await admin.getRule(topic, "reds", "sql");
      assert.equal(sql.filter.sqlExpression, "price > @least");
      assert.equal(sql.action.sqlExpression, "SET seen = 1");
      sql.filter = { sqlExpression: "price > 5" };
      assert.equal((await admin.updateRule(topic, "reds", sql)).filter.sqlExpression, "price > 5");
      const wrong = await failure(
        admin.createRule(topic, "reds", "wrong", { sqlExpression: "price >" }),
      );
      assert.match(wrong.message, /line 1/);
      assert.deepEqual(
        (await all(admin.listRules(topic, "reds"))).map((rule) => rule.name).sort(),
        ["red", "sql", "typed"],
      );
      await admin.deleteRule(topic, "reds", "typed");
      assert.equal(await admin.ruleExists(topic, "reds", "typed"), false);

      const read = await admin.getSubscription(topic, "all");
      const updated = await admin.updateSubscription({ ...read, maxDeliveryCount: 7 });
      assert.equal(updated.maxDeliveryCount, 7);
      assert.deepEqual(
        (await all(admin.listSubscriptions(topic))).map((each) => each.subscriptionName),
        ["all", "reds"],
      );
      await admin.deleteSubscription(topic, "all");
      assert.equal(await admin.subscriptionExists(topic, "all"), false);
      const missing = await failure(admin.getSubscription(topic, "all"));
      assert.equal(missing.code, "MessageEntityNotFoundError");
      await admin.deleteTopic(topic);
      assert.equal(await admin.topicExists(topic), false);
    },
  );

  story(
    "a forward is made with its own token, and keys of entities are kept",
    ["S-287", "S-470"],
    async () => {
      const rule = {
        claimType: "SharedAccessKey",
        accessRights: ["Manage", "Send", "Listen"],
        keyName: "owner",
        primaryKey: "bXkta2V5LW9uZQ==",
        secondaryKey: "bXkta2V5LXR3bw==",
      };
      await admin.createQueue("js-forward-target");
      const made = await admin.createQueue("js-forward", {
        forwardTo: "js-forward-target",
        forwardDeadLetteredMessagesTo: "js-forward-target",
        authorizationRules: [rule],
      });
      assert.match(made.forwardTo, /js-forward-target$/);
      assert.equal(made.authorizationRules[0].primaryKey, rule.primaryKey);
      assert.deepEqual(made.authorizationRules[0].accessRights.sort(), rule.accessRights.sort());

      const owner = new ServiceBusAdministrationClient(
        CONNECTION.replace(/;UseDevelopmentEmulator=true/, "")
          .replace(/SharedAccessKeyName=[^;]*/, "SharedAccessKeyName=owner")
          .replace(/SharedAccessKey=[^;]*/, `SharedAccessKey=${rule.primaryKey}`),
      );
      assert.equal((await owner.getQueue("js-forward")).name, "js-forward");
      const other = await failure(owner.getQueue("js-forward-target"));
      assert.equal(other.code, "UnauthorizedRequestError");
      await admin.deleteQueue("js-forward");
      await admin.deleteQueue("js-forward-target");
    },
  );

  story(
    "the key of a queue opens that queue for messages, for what it may, until it is replaced",
    ["S-469", "S-470", "S-473"],
    async (scene) => {
      const rule = (key) => ({
        claimType: "SharedAccessKey",
        accessRights: ["Send"],
        keyName: "sender",
        primaryKey: key,
        secondaryKey: "bm90LXVzZWQ=",
      });
      const made = await admin.createQueue("js-keys", { authorizationRules: [rule("b2xk")] });
      await admin.createQueue("js-keys-other");
      const keyed = (key) =>
        scene.client({
          connection: CONNECTION.replace(/KeyName=[^;]*/, "KeyName=sender").replace(
            /SharedAccessKey=[^;]*/,
            `SharedAccessKey=${key}`,
          ),
        });
      const old = keyed("b2xk");
      await old.createSender("js-keys").sendMessages({ body: "mine" });
      await failure(old.createReceiver("js-keys").receiveMessages(1));
      const elsewhere = keyed("b2xk").createSender("js-keys-other");
      await failure(elsewhere.sendMessages({ body: "not mine" }));
      await admin.updateQueue({ ...made, authorizationRules: [rule("bmV3")] });
      await failure(keyed("b2xk").createSender("js-keys").sendMessages({ body: "x" }));
      await keyed("bmV3").createSender("js-keys").sendMessages({ body: "again" });
      assert.equal((await admin.getQueueRuntimeProperties("js-keys")).activeMessageCount, 2);
      await admin.deleteQueue("js-keys");
      await admin.deleteQueue("js-keys-other");
    },
  );

  story("the namespace tells its name", [], async () => {
    const info = await admin.getNamespaceProperties();
    assert.equal(info.messagingSku, "Premium");
    assert.equal(info.name, "localhost");
  });
});
