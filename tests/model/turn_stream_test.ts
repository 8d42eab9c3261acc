import { assertEquals } from "@std/assert";
import { readTurn } from "../../lib/model/turn_stream.ts";

const encoder = new TextEncoder();

function chunk(content: string): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
}

/** A server that ends its bodies a moment after the last event, and counts connections. */
function startEventServer() {
  const clients = new Set<number>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (_, info) => {
    clients.add(info.remoteAddr.port);
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(encoder.encode(`${chunk("a")}${chunk("b")}data: [DONE]\n\n`));
        setTimeout(() => controller.close(), 5);
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  return {
    clients,
    address: `http://127.0.0.1:${server.addr.port}`,
    stop: () => server.shutdown(),
  };
}

Deno.test("readTurn() ends at [DONE] and leaves the connection for the next request", async () => {
  const server = startEventServer();
  for (let turn = 0; turn < 3; turn++) {
    const { body } = await fetch(server.address);
    const read = await Array.fromAsync(readTurn(body, () => {}));
    const texts = read.flatMap(({ pieces }) => pieces.map(({ text }) => text));
    assertEquals([texts, read.at(-1)?.done], [["a", "b"], true]);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await server.stop();
  assertEquals(server.clients.size, 1);
});

Deno.test("readTurn() tells of every sign of life, comments included", async () => {
  const pieces = [": one\n\n", ": two\n\n", chunk("a"), "data: [DONE]\n\n"];
  const body = ReadableStream.from(pieces.map((piece) => encoder.encode(piece)));
  let alive = 0;
  await Array.fromAsync(readTurn(body, () => alive++));
  assertEquals(alive, 4);
});
