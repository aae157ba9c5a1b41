import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe } from "node:test";
import { bodies } from "../lib/queue.js";
import { failure, refused } from "../lib/refusals.js";
import { CONNECTION } from "../lib/scene.js";
import { story } from "../lib/story.js";

const ONCE = { maxRetries: 0 };
const PARTS = Object.fromEntries(
  CONNECTION.split(";")
    .filter(Boolean)
    .map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]),
);

const withParts = (changes) =>
  Object.entries({ ...PARTS, ...changes })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${value}`)
    .join(";");

/** A connection with a token made by hand, as somebody gets it who must not know the key. */
function withToken(
  expirySeconds,
  resource = PARTS.Endpoint,
  { spelling = (text) => text, reversed = false } = {},
) {
  const encoded = spelling(encodeURIComponent(resource));
  const signature = createHmac("sha256", PARTS.SharedAccessKey)
    .update(`${encoded}\n${expirySeconds}`)
    .digest("base64");
  const fields = [
    `sr=${encoded}`,
    `sig=${spelling(encodeURIComponent(signature))}`,
    `se=${expirySeconds}`,
    `skn=${PARTS.SharedAccessKeyName}`,
  ];
  const token = `SharedAccessSignature ${(reversed ? fields.reverse() : fields).join("&")}`;
  return withParts({
    SharedAccessKeyName: undefined,
    SharedAccessKey: undefined,
    SharedAccessSignature: token,
  });
}

const nowSeconds = () => Math.floor(Date.now() / 1_000);

describe("refusals", { concurrency: true }, () => {
  story(
    "a missing queue is said at once to sender, receiver and peeker",
    ["S-006", "S-007", "S-062", "S-509", "S-515", "T-11", "T-59"],
    async (scene) => {
      const nowhere = scene.queue("no-such-queue");
      const missing = { code: "MessagingEntityNotFound", retryable: false };
      const began = Date.now();

      const refusal = await refused(
        "unknown-entity-send",
        nowhere.sender.sendMessages({ body: "x" }),
        missing,
      );
      await refused("unknown-entity-receive", nowhere.receiver.receiveMessages(1), missing);
      assert.equal((await failure(nowhere.receiver.peekMessages(1))).code, missing.code);

      assert.match(refusal.message, /could not be found/);
      assert.ok(Date.now() - began < 5_000, `took ${Date.now() - began} ms`);
    },
  );

  story("a wrong key is refused", ["S-468", "S-478", "S-509"], async (scene) => {
    const connection = withParts({ SharedAccessKey: "not-the-key" });
    const thief = scene.queue("refused", scene.client({ connection, retries: ONCE }));
    const unauthorized = { code: "UnauthorizedAccess", retryable: true };

    await refused("wrong-key", thief.sender.sendMessages({ body: "stolen" }), unauthorized);
    assert.equal((await failure(thief.receiver.receiveMessages(1))).code, unauthorized.code);
    assert.equal((await failure(thief.receiver.peekMessages(1))).code, unauthorized.code);
  });

  story("a policy that is not known is refused", ["S-468", "S-478"], async (scene) => {
    const connection = withParts({ SharedAccessKeyName: "nobody" });
    const unknown = scene.queue("refused", scene.client({ connection, retries: ONCE }));

    await refused("unknown-policy", unknown.sender.sendMessages({ body: "x" }), {
      code: "UnauthorizedAccess",
      retryable: true,
    });
  });

  story(
    "a token of one's own is taken while it lasts, and not after",
    ["S-468", "S-469", "T-56", "T-57"],
    async (scene) => {
      const host = new URL(PARTS.Endpoint.replace("sb:", "http:")).hostname;
      const lowerCase = (text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
      const odd = { spelling: lowerCase, reversed: true };
      const good = scene.queue(
        "own-token",
        scene.client({ connection: withToken(nowSeconds() + 600) }),
      );
      const other = scene.queue(
        "own-token",
        scene.client({ connection: withToken(nowSeconds() + 600, `sb://${host}/`, odd) }),
      );
      const stale = scene.queue(
        "own-token",
        scene.client({ connection: withToken(nowSeconds() - 3_600), retries: ONCE }),
      );

      await good.send("welcome");
      await other.send("welcome too");
      await refused("expired-token", stale.sender.sendMessages({ body: "late" }), {
        code: "UnauthorizedAccess",
        retryable: true,
      });

      assert.deepEqual(bodies(await good.everything()), ["welcome", "welcome too"]);
    },
  );

  story("the name of a queue is the same in any case", ["S-060"], async (scene) => {
    const orders = scene.queue("any-case");

    await scene.queue("ANY-Case").send("loud");

    assert.deepEqual(bodies(await orders.everything()), ["loud"]);
  });

  story("a name with slashes is a name", ["S-058", "S-060"], async (scene) => {
    const orders = scene.queue("europe/berlin/orders");

    await orders.send("one");
    await orders.receiver.deadLetterMessage(await orders.receiveOne());

    assert.deepEqual(bodies(await orders.deadLetters.peekMessages(1)), ["one"]);
  });
});
