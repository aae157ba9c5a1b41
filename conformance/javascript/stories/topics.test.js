import assert from "node:assert/strict";
import { describe } from "node:test";
import { bodies } from "../lib/queue.js";
import { story } from "../lib/story.js";

const WAIT = { maxWaitTimeInMs: 15_000 };

async function receive(receiver, count) {
  const messages = [];
  while (messages.length < count) {
    const more = await receiver.receiveMessages(count - messages.length, WAIT);
    assert.ok(more.length > 0, `only ${messages.length} of ${count} messages came`);
    messages.push(...more);
  }
  return messages;
}

async function rulesOf(manager) {
  const rules = [];
  for await (const rule of manager.listRules()) {
    rules.push(rule);
  }
  return rules;
}

describe("topics", { concurrency: true }, () => {
  story(
    "every subscription gets its own copy",
    ["S-001", "S-053", "S-060", "S-146"],
    async (scene) => {
      const client = scene.client();
      const sender = client.createSender("copies");
      await sender.sendMessages([{ body: "one" }, { body: "two" }]);

      const first = client.createReceiver("copies", "first");
      const [one, two] = await receive(first, 2);
      await first.completeMessage(one);
      await first.deadLetterMessage(two, { deadLetterReason: "why not" });

      assert.deepEqual(bodies([one, two]), ["one", "two"]);
      assert.equal(one.enqueuedSequenceNumber, 1);
      assert.deepEqual(await first.peekMessages(5), []);
      const second = client.createReceiver("copies", "second");
      assert.deepEqual(bodies(await second.peekMessages(5)), ["one", "two"]);
      const dead = client.createReceiver("copies", "first", { subQueueType: "deadLetter" });
      assert.equal((await receive(dead, 1))[0].deadLetterReason, "why not");
    },
  );

  story(
    "rules are made, listed and removed, and select",
    ["S-313", "S-315", "S-317", "S-319", "S-324", "S-325", "S-326", "T-49", "T-50"],
    async (scene) => {
      const client = scene.client();
      const manager = client.createRuleManager("ruled", "some");
      assert.deepEqual(
        (await rulesOf(manager)).map((rule) => rule.name),
        ["$Default"],
      );

      await manager.createRule("red", { sqlExpression: "colour = 'red'" });
      await manager.createRule(
        "dear",
        { sqlExpression: "price > 10" },
        { sqlExpression: "SET class = 'dear'" },
      );
      await manager.createRule("label", { subject: "urgent", applicationProperties: { level: 3 } });
      await manager.deleteRule("$Default");
      await assert.rejects(manager.createRule("RED", { sqlExpression: "1=1" }), {
        code: "MessagingEntityAlreadyExists",
      });
      await assert.rejects(manager.createRule("bad", { sqlExpression: "colour = = 1" }), (error) =>
        /line 1, column/.test(error.message),
      );
      await assert.rejects(manager.deleteRule("nobody"), { code: "MessagingEntityNotFound" });

      const rules = await rulesOf(manager);
      assert.deepEqual(
        rules.map((rule) => rule.name),
        ["dear", "label", "red"],
      );
      assert.equal(rules[0].action.sqlExpression, "SET class = 'dear'");
      assert.equal(rules[1].filter.subject, "urgent");
      assert.equal(rules[2].filter.sqlExpression, "colour = 'red'");

      const sender = client.createSender("ruled");
      await sender.sendMessages([
        { body: "blue", applicationProperties: { colour: "blue" } },
        { body: "red", applicationProperties: { colour: "red", price: 11.5 } },
        { body: "urgent", subject: "urgent", applicationProperties: { level: 3 } },
      ]);
      const receiver = client.createReceiver("ruled", "some");
      const messages = await receive(receiver, 3);
      assert.deepEqual(bodies(messages), ["red", "red", "urgent"]);
      assert.equal(messages[1].applicationProperties.class, "dear");
      assert.equal(messages[1].applicationProperties.RuleName, "dear");
    },
  );
});

describe("sessions", { concurrency: true }, () => {
  story(
    "a session keeps its order and its state",
    ["S-231", "S-236", "S-246", "S-253", "S-254", "S-255"],
    async (scene) => {
      const client = scene.client();
      const sender = client.createSender("sessions");
      for (const [body, sessionId] of [
        ["a1", "a"],
        ["b1", "b"],
        ["a2", "a"],
      ]) {
        await sender.sendMessages({ body, sessionId });
      }

      const session = await client.acceptSession("sessions", "a");
      const messages = await receive(session, 2);
      await session.setSessionState("half way");
      for (const message of messages) {
        await session.completeMessage(message);
      }
      await session.close();
      const again = await client.acceptSession("sessions", "a");
      const next = await client.acceptNextSession("sessions");

      assert.deepEqual(bodies(messages), ["a1", "a2"]);
      assert.equal(String(await again.getSessionState()), "half way");
      assert.equal(next.sessionId, "b");
      await assert.rejects(client.acceptSession("sessions", "b"), {
        code: "SessionCannotBeLocked",
      });
    },
  );
});
