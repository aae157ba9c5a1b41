import { once } from "node:events";
import net from "node:net";

/** Tells whoever started the broker to `stop`, `start`, `restart` or `kill` it, and waits until done. */
export async function tellBroker(word) {
  const [host, port] = process.env.PEEKLOCK_CONTROL.split(":");
  const socket = net.connect(Number(port), host);
  await once(socket, "connect");
  socket.write(`${word}\n`);
  const [answer] = await once(socket, "data");
  socket.destroy();
  if (String(answer).trim() !== "ok") {
    throw new Error(`the answer to ${word} was ${answer}`);
  }
}
