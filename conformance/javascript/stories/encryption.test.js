import assert from "node:assert/strict";
import { describe } from "node:test";
import WebSocket from "ws";
import { CONNECTION } from "../lib/scene.js";
import { story } from "../lib/story.js";

/** Without this word the client uses TLS. */
const ENCRYPTED = CONNECTION.replace(/;UseDevelopmentEmulator=true/, "");

const SIZES = [1, 100_000, 3_000_000];

async function thereAndBack(queue) {
  for (const size of SIZES) {
    await queue.sender.sendMessages({ body: Buffer.alloc(size, "x") });
  }
  const received = await queue.receive(SIZES.length);
  assert.deepEqual(
    received.map((message) => message.body.length),
    SIZES,
  );
  for (const message of received) {
    await queue.receiver.completeMessage(message);
  }
  assert.deepEqual(await queue.everything(), []);
}

describe("encryption", { concurrency: true }, () => {
  story("everything works in TLS once the broker's authority is trusted", ["S-481"], (scene) =>
    thereAndBack(scene.queue("through-tls", scene.client({ connection: ENCRYPTED }))),
  );

  story("everything works over a WebSocket in TLS", ["S-481"], (scene) =>
    thereAndBack(
      scene.queue(
        "through-web-socket",
        scene.client({ connection: ENCRYPTED, webSocketOptions: { webSocket: WebSocket } }),
      ),
    ),
  );
});
