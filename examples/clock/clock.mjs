// node:test: moves the time of `./peeklock serve --in-memory --test-clock`.
const url = (process.env.PEEKLOCK_URL ?? "http://127.0.0.1:5672") + "/$peeklock/clock";

async function ask(init) {
  const answer = await fetch(url, init);
  if (!answer.ok) throw new Error(await answer.text());
  return new Date((await answer.json()).now);
}

export const now = () => ask();

export const advance = (seconds) =>
  ask({
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ advance: `PT${seconds}S` }),
  });
