import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { request } from "node:http";
import { describe } from "node:test";
import { bodies } from "../lib/queue.js";
import { CONNECTION } from "../lib/scene.js";
import { story } from "../lib/story.js";

const HOST = "tests.localhost";
const ENTRY =
  '<entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml"><QueueDescription' +
  ' xmlns="http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"/></content></entry>';

const part = (name) => new RegExp(`${name}=([^;]*)`).exec(CONNECTION)[1];

/** A token for the namespace, as any client of its HTTP API makes one. */
const token = () => {
  const resource = encodeURIComponent(`http://${HOST}/`);
  const until = Math.floor(Date.now() / 1000) + 600;
  const signature = createHmac("sha256", part("SharedAccessKey"))
    .update(`${resource}\n${until}`)
    .digest("base64");
  return (
    `SharedAccessSignature sr=${resource}&sig=${encodeURIComponent(signature)}` +
    `&se=${until}&skn=${part("SharedAccessKeyName")}`
  );
};

const make = (queue) =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(part("Endpoint").replace("sb:", "http:"));
    const headers = {
      Host: `${HOST}:${port}`,
      Authorization: token(),
      "Content-Type": "application/atom+xml",
    };
    const call = request(
      { hostname, port, method: "PUT", path: `/${queue}?api-version=2021-05`, headers },
      (answer) => answer.resume().on("end", () => resolve(answer.statusCode)),
    );
    call.on("error", reject);
    call.end(ENTRY);
  });

describe("namespaces", { concurrency: true }, () => {
  story("queues of one name in two namespaces have their own messages", [], async (scene) => {
    assert.equal(await make("namespaced"), 201);
    const there = scene.client({
      connection: CONNECTION.replace("localhost", HOST),
      customEndpointAddress: part("Endpoint"),
    });

    await scene.queue("namespaced", there).send("of tests");
    await scene.queue("namespaced").send("of the default");

    assert.deepEqual(bodies(await scene.queue("namespaced", there).everything()), ["of tests"]);
    assert.deepEqual(bodies(await scene.queue("namespaced").everything()), ["of the default"]);
  });
});
