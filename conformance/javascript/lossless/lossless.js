// Does what lines on stdin say, each a JSON object with "do", and answers each with one line: the
// messages by the way they came, or what went wrong. See the package lossless of the Java sources.
import { createInterface } from "node:readline";
import { ServiceBusClient } from "@azure/service-bus";
import Long from "long";
import { native, section, seen } from "./values.js";

const WAIT_MILLIS = 60_000;
const AT_ONCE = 100;

const FIELDS = {
  "message-id": "messageId",
  to: "to",
  subject: "subject",
  "reply-to": "replyTo",
  "correlation-id": "correlationId",
  "content-type": "contentType",
  "content-encoding": "contentEncoding",
  "absolute-expiry-time": "absoluteExpiryTime",
  "creation-time": "creationTime",
  "group-id": "groupId",
  "group-sequence": "groupSequence",
  "reply-to-group-id": "replyToGroupId",
};
const HEADER = { durable: "durable", priority: "priority", ttl: "timeToLive" };
const SECTIONS = {
  delivery: "deliveryAnnotations",
  annotations: "messageAnnotations",
  application: "applicationProperties",
  footer: "footer",
};

const simple = ([type, content]) => {
  switch (type) {
    case "boolean":
      return content === "true";
    case "string":
    case "symbol":
      return content;
    case "uuid":
      return Buffer.from(content.replaceAll("-", ""), "hex");
    default:
      return Number(content);
  }
};

function message(description) {
  const made = { properties: {}, header: {}, body: Buffer.alloc(0), bodyType: "data" };
  for (const [name, value] of Object.entries(description)) {
    const [group, field] = name.split(".");
    if (group === "header") {
      made.header[HEADER[field]] = simple(value);
    } else if (group === "properties") {
      made.properties[FIELDS[field]] = simple(value);
    } else if (SECTIONS[name]) {
      made[SECTIONS[name]] = section(value);
    } else {
      made.bodyType = name;
      made.body = native(name === "value" ? value : value[1][0]);
    }
  }
  return made;
}

function body(raw, content) {
  if (raw.bodyType === "value") {
    return seen(content);
  }
  return ["list", (raw.body.multiple ? content : [content]).map(seen)];
}

function description(received) {
  const raw = received._rawAmqpMessage;
  const shown = { [raw.bodyType]: body(raw, received.body) };
  for (const [field, name] of Object.entries(HEADER)) {
    if (raw.header[name] !== undefined) {
      shown[`header.${field}`] = seen(raw.header[name]);
    }
  }
  for (const [field, name] of Object.entries(FIELDS)) {
    if (raw.properties[name] !== undefined) {
      shown[`properties.${field}`] = seen(raw.properties[name]);
    }
  }
  for (const [name, field] of Object.entries(SECTIONS)) {
    if (raw[field] !== undefined) {
      shown[name] = seen(raw[field]);
    }
  }
  return shown;
}

let client;
let receivers = new Map();
const deferred = new Map();

function receiver(entity, options = {}) {
  const key = entity + JSON.stringify(options);
  if (!receivers.has(key)) {
    const all = {
      maxAutoLockRenewalDurationInMs: 0,
      skipParsingBodyAsJson: true,
      skipConvertingDate: true,
      ...options,
    };
    const [topic, subscription] = entity.split("/Subscriptions/");
    receivers.set(
      key,
      subscription
        ? client.createReceiver(topic, subscription, all)
        : client.createReceiver(entity, all),
    );
  }
  return receivers.get(key);
}

async function receive(from, count) {
  const all = [];
  while (all.length < count) {
    const options = { maxWaitTimeInMs: WAIT_MILLIS };
    const some = await from.receiveMessages(Math.min(AT_ONCE, count - all.length), options);
    if (some.length === 0) {
      throw new Error(`only ${all.length} of ${count} came`);
    }
    all.push(...some);
  }
  return all;
}

async function taken(from, count) {
  const all = await receive(from, count);
  await Promise.all(all.map((each) => from.completeMessage(each)));
  return all.map(description);
}

const ACTIONS = {
  async connect() {
    await client?.close();
    client = new ServiceBusClient(process.env.PEEKLOCK_CONNECTION);
    receivers = new Map();
    return {};
  },
  async send({ to, singly, messages }) {
    const sender = client.createSender(to);
    const all = messages.map(message);
    for (const some of singly ? all : [all]) {
      await sender.sendMessages(some);
    }
    await sender.close();
    return {};
  },
  async schedule({ to, after, messages }) {
    const sender = client.createSender(to);
    await sender.scheduleMessages(messages.map(message), new Date(Date.now() + after));
    await sender.close();
    return {};
  },
  async peek({ from, count }) {
    const all = [];
    while (all.length < count) {
      const last = all.at(-1)?.sequenceNumber ?? Long.ZERO;
      const options = { fromSequenceNumber: last.add(1) };
      const some = await receiver(from).peekMessages(count - all.length, options);
      if (some.length === 0) {
        break;
      }
      all.push(...some);
    }
    return { peeked: all.map(description) };
  },
  async take({ from, count }) {
    return { received: await taken(receiver(from), count) };
  },
  async defer({ from, count }) {
    const all = await receive(receiver(from), count);
    await Promise.all(all.map((each) => receiver(from).deferMessage(each)));
    deferred.set(
      from,
      all.map((each) => each.sequenceNumber),
    );
    return { received: all.map(description) };
  },
  async bury({ from }) {
    const all = [];
    const numbers = deferred.get(from);
    for (let i = 0; i < numbers.length; i += AT_ONCE) {
      all.push(...(await receiver(from).receiveDeferredMessages(numbers.slice(i, i + AT_ONCE))));
    }
    for (const each of all) {
      await receiver(from).deadLetterMessage(each);
    }
    const dead = await taken(receiver(from, { subQueueType: "deadLetter" }), all.length);
    return { "by number": all.map(description), dead };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  try {
    console.log(JSON.stringify(await ACTIONS[command.do](command)));
  } catch (error) {
    console.log(JSON.stringify({ error: String(error.stack ?? error) }));
  }
}
await client?.close();
process.exit(0);
