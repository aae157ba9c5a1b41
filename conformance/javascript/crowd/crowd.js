// Clients that do a round trip each whenever stdin says "go": send, receive one, complete it. Each
// prints "receipt ID COUNT" then, and "failed WHY" if it cannot. "end" closes all.
import { createInterface } from "node:readline";
import { ServiceBusClient } from "@azure/service-bus";

const CLIENTS = Number(process.env.CROWD_CLIENTS);
const QUEUES = process.env.CROWD_QUEUES.split(",");
const WAIT_MILLIS = 40_000;

class Member {
  constructor(number) {
    const queue = QUEUES[number % QUEUES.length];
    this.name = `javascript-${number}`;
    this.client = new ServiceBusClient(process.env.PEEKLOCK_CONNECTION);
    this.sender = this.client.createSender(queue);
    this.receiver = this.client.createReceiver(queue, { maxAutoLockRenewalDurationInMs: 0 });
  }

  async roundTrip(turn) {
    await this.sender.sendMessages({ body: Buffer.from(`${this.name}-${turn}`) });
    const [message] = await this.receiver.receiveMessages(1, { maxWaitTimeInMs: WAIT_MILLIS });
    await this.receiver.completeMessage(message);
    console.log(`receipt ${message.body.toString()} ${message.deliveryCount}`);
  }
}

const members = Array.from({ length: CLIENTS }, (_, number) => new Member(number));
let turn = 0;

for await (const word of createInterface({ input: process.stdin })) {
  if (word === "end") {
    break;
  }
  turn += 1;
  const outcomes = await Promise.allSettled(members.map((member) => member.roundTrip(turn)));
  for (const { reason } of outcomes.filter(({ status }) => status === "rejected")) {
    console.log(`failed ${String(reason).replaceAll("\n", " ")}`);
  }
}
await Promise.allSettled(members.map((member) => member.client.close()));
process.exit(0);
