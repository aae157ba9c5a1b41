import { ServiceBusClient } from "@azure/service-bus";
import { Queue } from "./queue.js";

/** The broker under test. */
export const CONNECTION = process.env.PEEKLOCK_CONNECTION;

const CLOSING_MILLIS = 10_000;

/** Few and quick retries: the client's own pauses are 30 seconds long. */
const RETRIES = { maxRetries: 2, retryDelayInMs: 250, timeoutInMs: 20_000 };

/** What a story opened; all of it is closed when the story ends. */
export class Scene {
  #clients = [];

  /** A connection of its own. */
  client({ connection = CONNECTION, retries = {}, ...options } = {}) {
    const client = new ServiceBusClient(connection, {
      retryOptions: { ...RETRIES, ...retries },
      ...options,
    });
    this.#clients.push(client);
    return client;
  }

  /** A queue of the broker, over a connection of its own unless one is given. */
  queue(name, client = this.client()) {
    return new Queue(name, client);
  }

  async close() {
    const closing = Promise.allSettled(this.#clients.map((client) => client.close()));
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, CLOSING_MILLIS)));
    await Promise.race([closing, late]);
    clearTimeout(timer);
  }
}
