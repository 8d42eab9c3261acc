import { assertEquals, assertRejects } from "@std/assert";
import { NetworkError } from "../../lib/ports.ts";
import { realServers } from "../../lib/real/servers.ts";

const LOOPBACK = { hostname: "127.0.0.1", port: 0 };

Deno.test("listen() hands on requests with their peer, and drain() lets open ones end", async () => {
  const stop = new AbortController();
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const server = await realServers.listen(LOOPBACK, async (request, peer) => {
    begun.resolve();
    await held.promise;
    return new Response(`${request.method} ${await request.text()} from ${peer.address}`);
  }, stop.signal);
  const { hostname, port } = server.address;
  const asked = fetch(`http://${hostname}:${port}/x`, { method: "POST", body: "数据" });
  await begun.promise;
  const drained = server.drain();
  held.resolve();
  assertEquals(await (await asked).text(), "POST 数据 from 127.0.0.1");
  await drained;
  stop.abort();
});

Deno.test("listen() says that an address is taken, and answers 500 without a word for a fault", async () => {
  const stop = new AbortController();
  const server = await realServers.listen(LOOPBACK, () => {
    throw new Error("secret");
  }, stop.signal);
  const { port } = server.address;
  const error = await assertRejects(
    () => realServers.listen({ ...LOOPBACK, port }, () => Promise.reject(), stop.signal),
    NetworkError,
    `Something else listens on 127.0.0.1:${port} already`,
  );
  assertEquals(error.code, "in_use");
  const response = await fetch(`http://127.0.0.1:${port}/`);
  assertEquals([response.status, await response.text()], [500, ""]);
  stop.abort();
  await server.drain();
});
