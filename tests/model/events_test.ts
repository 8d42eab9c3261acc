import { assertEquals } from "@std/assert";
import { eventsOf } from "../../lib/model/events.ts";

const encoder = new TextEncoder();

/** A server that ends its bodies a moment after the last event, and counts connections. */
function startEventServer() {
  const clients = new Set<number>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (_, info) => {
    clients.add(info.remoteAddr.port);
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(encoder.encode('data: {"n":1}\n\ndata: {"n":2}\n\ndata: [DONE]\n\n'));
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

Deno.test("eventsOf() ends at [DONE] and leaves the connection for the next request", async () => {
  const server = startEventServer();
  for (let turn = 0; turn < 3; turn++) {
    const response = await fetch(server.address);
    assertEquals(await Array.fromAsync(eventsOf(response)), [{ n: 1 }, { n: 2 }]);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await server.stop();
  assertEquals(server.clients.size, 1);
});
