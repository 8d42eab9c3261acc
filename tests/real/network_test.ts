import { assertEquals } from "@std/assert";
import { type HttpRequest, NetworkError } from "../../lib/ports.ts";
import { realNetwork } from "../../lib/real/network.ts";

const soon = () => AbortSignal.timeout(5000);

/** Serves on loopback while the work is done. */
async function serving(
  handler: (request: Request) => Response | Promise<Response>,
  work: (port: number) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const options = { port: 0, hostname: "127.0.0.1", onListen: () => {}, signal: stop.signal };
  const server = Deno.serve(options, handler);
  try {
    await work(server.addr.port);
  } finally {
    stop.abort();
    await server.finished;
  }
}

const get = (url: string, options: Partial<HttpRequest> = {}): HttpRequest => ({
  url: new URL(url),
  method: "GET",
  headers: {},
  body: null,
  address: "127.0.0.1",
  ...options,
});

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces = await Array.fromAsync(body, (piece) => new Uint8Array(piece));
  return await new Blob(pieces).text();
}

/** The code of the failure that some work ends in. */
async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "none";
  } catch (error) {
    return error instanceof NetworkError ? error.code : (error as Error).name;
  }
}

Deno.test("request() goes to the address that it is given, whatever the name means", () =>
  serving(
    async (request) => new Response(`${request.method} ${request.url} ${await request.text()}`),
    async (port) => {
      const url = `http://nowhere.invalid:${port}/a?b=1`;
      const response = await realNetwork.request(get(url, { method: "POST", body: "端" }), soon());
      assertEquals(
        [response.status, response.headers["content-type"], await textOf(response.body)],
        [200, "text/plain;charset=UTF-8", `POST ${url} 端`],
      );
    },
  ));

Deno.test("request() follows nothing", () =>
  serving(() => Response.redirect("http://elsewhere.invalid/"), async (port) => {
    const response = await realNetwork.request(get(`http://a.test:${port}/`), soon());
    await textOf(response.body);
    assertEquals([response.status, response.headers["location"]], [
      302,
      "http://elsewhere.invalid/",
    ]);
  }));

Deno.test("request() closes the connection of a body that is not read, or not to its end", async () => {
  let cancelled = false;
  const endless = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(10_000)),
        cancel: () => void (cancelled = true),
      }),
    );
  await serving(endless, async (port) => {
    for (const read of [true, false]) {
      cancelled = false;
      const response = await realNetwork.request(get(`http://a.test:${port}/`), soon());
      if (read) { for await (const _ of response.body) break; }
      else response.close();
      while (!cancelled) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
});

Deno.test("request() ends with its signal, before and within the answer", () => {
  const held = Promise.withResolvers<void>();
  const handler = async (request: Request) => {
    if (request.url.endsWith("/head")) await held.promise;
    const start = (controller: ReadableStreamDefaultController) =>
      controller.enqueue(new Uint8Array(1));
    return new Response(new ReadableStream({ start }));
  };
  return serving(handler, async (port) => {
    const url = `http://a.test:${port}`;
    assertEquals(
      await codeOf(realNetwork.request(get(`${url}/head`), AbortSignal.timeout(50))),
      "TimeoutError",
    );
    const { body } = await realNetwork.request(get(`${url}/body`), AbortSignal.timeout(100));
    assertEquals(await codeOf(textOf(body)), "TimeoutError");
    held.resolve();
  });
});

Deno.test("request() leaves no connection to a server that never answers", async () => {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const stop = new AbortController();
  const served = (async () => {
    using connection = await listener.accept();
    await connection.read(new Uint8Array(1000));
    stop.abort();
    return await connection.read(new Uint8Array(1000));
  })();
  const url = `http://a.test:${(listener.addr as Deno.NetAddr).port}/`;
  assertEquals(
    [await codeOf(realNetwork.request(get(url), stop.signal)), await served],
    ["AbortError", null],
  );
  listener.close();
});

Deno.test("request() tells failures apart", () =>
  serving(() => new Response("plain"), async (port) => {
    const closed = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    const closedPort = (closed.addr as Deno.NetAddr).port;
    closed.close();
    assertEquals([
      await codeOf(realNetwork.request(get(`http://a.test:${closedPort}/`), soon())),
      await codeOf(realNetwork.request(get(`https://a.test:${port}/`), soon())),
      await codeOf(realNetwork.connect("127.0.0.1", closedPort, soon())),
      await codeOf(realNetwork.connect("127.0.0.1", port, soon())),
      await codeOf(realNetwork.connect("10.255.255.1", port, soon())),
    ], ["refused", "tls", "refused", "none", "no_permission"]);
  }));

Deno.test("request() takes no other protocol for an answer", async () => {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const served = (async () => {
    using connection = await listener.accept();
    await connection.read(new Uint8Array(1000));
    await connection.write(new TextEncoder().encode("SSH-2.0-x\r\n"));
  })();
  const url = `http://a.test:${(listener.addr as Deno.NetAddr).port}/`;
  assertEquals(await codeOf(realNetwork.request(get(url), soon())), "bad_response");
  await served;
  listener.close();
});

Deno.test("resolve() takes an address for itself and knows this machine", async () => {
  assertEquals(await realNetwork.resolve("127.0.0.1", soon()), ["127.0.0.1"]);
  const own = await realNetwork.resolve("localhost", soon());
  assertEquals(own.every((address) => ["127.0.0.1", "::1"].includes(address)), true);
});
