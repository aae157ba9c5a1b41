import assert from "node:assert/strict";
import Long from "long";
import { soon } from "./patience.js";

const WAIT_MILLIS = 45_000;
const SHORT_MILLIS = 300;

/** What the stories say about one queue. Locks are never renewed unless a story asks for it. */
export class Queue {
  #sender;
  #receiver;

  constructor(name, client) {
    this.name = name;
    this.client = client;
  }

  get sender() {
    this.#sender ??= this.client.createSender(this.name);
    return this.#sender;
  }

  get receiver() {
    this.#receiver ??= this.anotherReceiver();
    return this.#receiver;
  }

  anotherReceiver(options = {}) {
    return this.client.createReceiver(this.name, { maxAutoLockRenewalDurationInMs: 0, ...options });
  }

  get deadLetters() {
    return this.anotherReceiver({ subQueueType: "deadLetter" });
  }

  /** One by one, so that they lie in this order. */
  async send(...bodies) {
    for (const body of bodies) {
      await this.sender.sendMessages({ body });
    }
  }

  async receiveOne(receiver = this.receiver) {
    return (await this.receive(1, receiver))[0];
  }

  /** Exactly so many; waits for them. */
  async receive(count, receiver = this.receiver) {
    const messages = [];
    const deadline = Date.now() + WAIT_MILLIS;
    while (messages.length < count) {
      const left = deadline - Date.now();
      assert.ok(left > 0, `only ${messages.length} of ${count} messages came from ${this.name}`);
      const more = await receiver.receiveMessages(count - messages.length, {
        maxWaitTimeInMs: left,
      });
      messages.push(...more);
    }
    return messages;
  }

  /** What there is to receive now. */
  async receiveLeft(receiver = this.receiver) {
    return receiver.receiveMessages(100, {
      maxWaitTimeInMs: SHORT_MILLIS,
      maxTimeAfterFirstMessageInMs: SHORT_MILLIS,
    });
  }

  /** All that peek shows: active, locked and deferred. From the start: a connection walks on. */
  async everything() {
    return this.receiver.peekMessages(250, { fromSequenceNumber: Long.ONE });
  }

  /** Waits until the lock of the only message of the queue has lapsed, which its count tells. */
  async lapsed(failures = 1) {
    return soon("the lock lapses", async () => {
      const [message] = await this.everything();
      return message.deliveryCount === failures;
    });
  }
}

export const bodies = (messages) => messages.map((message) => message.body);

export const numbers = (messages) => messages.map((message) => message.sequenceNumber.toNumber());

export const counts = (messages) => messages.map((message) => message.deliveryCount);
