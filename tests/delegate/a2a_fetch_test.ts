import { AgentCard } from "@a2a-js/sdk";
import { assertEquals, assertRejects } from "@std/assert";
import { createA2aTransport } from "../../lib/delegate/a2a_transport.ts";
import { type Agent, TransportError } from "../../lib/delegate/types.ts";
import { a2aRoutes } from "../../lib/serve/a2a.ts";
import type { Fetch } from "../../lib/ports.ts";
import { FakeClock, NEVER } from "../fakes.ts";
import { fetchFrom, MemoryService } from "../serve/_service.ts";
import { resultOf, taskOf } from "./_envelopes.ts";
import { agentAt, AT, cardAt, transportTo } from "./_foreign_agent.ts";

const CARD = "/.well-known/agent-card.json";
const IGNORED = { accepted: () => {} };

type Answer = (request: Request, path: string) => Response | Promise<Response> | null;

/** Serves on loopback while the work is done: a card, and what else the test says. */
async function serving(
  answer: Answer,
  work: (origin: string, paths: readonly string[]) => Promise<void>,
  streaming = false,
): Promise<void> {
  const paths: string[] = [];
  const stop = new AbortController();
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {}, signal: stop.signal };
  const server = Deno.serve(options, async (request) => {
    const { pathname, origin } = new URL(request.url);
    paths.push(pathname);
    const answered = await answer(request, pathname);
    if (answered) return answered;
    const card = AgentCard.toJSON(cardAt(`${origin}/rpc`, streaming));
    return pathname === CARD ? Response.json(card) : new Response("no", { status: 404 });
  });
  try {
    await work(`http://127.0.0.1:${server.addr.port}`, paths);
  } finally {
    stop.abort();
    await server.finished;
  }
}

function transportAt(
  url: string,
  fields: Partial<Agent> = {},
  options: { readonly origins?: readonly string[] } = {},
) {
  const ports = { fetch, clock: new FakeClock() };
  return createA2aTransport(agentAt(url, fields), ports, { token: "secret", ...options });
}

function send(url: string, fields: Partial<Agent> = {}) {
  return transportAt(url, fields).send(taskOf(), IGNORED, NEVER);
}

async function failure(answer: Promise<unknown>): Promise<unknown> {
  const { code, retriable } = await assertRejects(() => answer, TransportError);
  return [code, retriable];
}

const onRpc = (answer: (request: Request) => Response): Answer => (request, path) =>
  path === "/rpc" ? answer(request) : null;

/** 80 MB of text in a JSON string, made while it is read. */
function large(): ReadableStream<Uint8Array> {
  const piece = new Uint8Array(1e6).fill(97);
  let pieces = 0;
  return new ReadableStream({
    pull(controller) {
      if (pieces === 80) return controller.close();
      controller.enqueue(pieces === 0 ? new TextEncoder().encode('data: {"result":"') : piece);
      pieces += 1;
    },
  });
}

Deno.test("an answer of 80 MB is not taken, as JSON, as a stream or as a card", async () => {
  const json = { "content-type": "application/json" };
  const events = { "content-type": "text/event-stream" };
  await serving(onRpc(() => new Response(large(), { headers: json })), async (origin) => {
    assertEquals(await failure(send(origin)), ["too_large", false]);
  });
  const streaming = true;
  await serving(
    onRpc(() => new Response(large(), { headers: events })),
    async (origin) => assertEquals(await failure(send(origin)), ["too_large", false]),
    streaming,
  );
  await serving(() => new Response(large(), { headers: json }), async (origin) => {
    assertEquals(await failure(send(origin)), ["too_large", false]);
  });
});

Deno.test("HTML is no answer, and no card", async () => {
  const html = () =>
    new Response("<html>Welcome</html>", { headers: { "content-type": "text/html" } });
  await serving(onRpc(html), async (origin) => {
    const error = await assertRejects(() => send(origin), TransportError);
    assertEquals([error.code, error.message], [
      "bad_result",
      "orders answered 200 with text/html, which is not A2A",
    ]);
  });
  await serving(html, async (origin) => {
    const error = await assertRejects(() => send(origin), TransportError);
    assertEquals([error.code, error.message], [
      "bad_result",
      `orders has no agent card at ${origin}${CARD}`,
    ]);
  });
});

Deno.test("what is JSON and neither JSON-RPC nor a card is no answer", async () => {
  await serving(onRpc(() => Response.json({ fine: true })), async (origin) => {
    assertEquals(await failure(send(origin)), ["bad_result", false]);
  });
  await serving(() => Response.json({ name: "x", url: 3 }), async (origin) => {
    assertEquals(await failure(send(origin)), ["bad_result", false]);
  });
});

Deno.test("an agent that is not there can be tried again, whatever it is", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const answer = send(`http://127.0.0.1:${port}`, { idempotent: false });
  assertEquals(await failure(answer), ["unreachable", true]);
});

Deno.test("after a lost connection a task is sent anew only where it may be", async () => {
  const broken = () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"jsonrpc":')),
      pull: (controller) => controller.error(new TypeError("connection reset")),
    });
    return new Response(body, { headers: { "content-type": "application/json" } });
  };
  const card = AgentCard.toJSON(cardAt(`${AT}/rpc`, false));
  const fetch: Fetch = (input) =>
    Promise.resolve(String(input).endsWith("/rpc") ? broken() : Response.json(card));
  const change = taskOf({ intent: "run-payouts" });
  const sent = [
    transportTo(fetch).send(change, IGNORED, NEVER),
    transportTo(fetch, { idempotent: false }).send(taskOf(), IGNORED, NEVER),
    transportTo(fetch, { idempotent: false }).send(change, IGNORED, NEVER),
  ];
  assertEquals(await Promise.all(sent.map(failure)), [
    ["unreachable", true],
    ["unreachable", true],
    ["unknown_outcome", false],
  ]);
});

Deno.test("a task goes as a blob, which the runtime does not repeat by itself", async () => {
  const blobs: boolean[] = [];
  const card = AgentCard.toJSON(cardAt(`${AT}/rpc`, false));
  const fetch: Fetch = (_, init) => {
    if (init?.method !== "POST") return Promise.resolve(Response.json(card));
    blobs.push(init.body instanceof Blob);
    return Promise.resolve(new Response(null, { status: 401 }));
  };
  await failure(transportTo(fetch).send(taskOf(), IGNORED, NEVER));
  assertEquals(blobs, [true]);
});

Deno.test("a status says what is wrong", async () => {
  const answers: readonly [number, Record<string, string>, unknown][] = [
    [401, {}, ["unauthorized", false, null]],
    [403, {}, ["unauthorized", false, null]],
    [429, { "retry-after": "3" }, ["busy", true, 3000]],
    [503, {}, ["busy", true, null]],
    [413, {}, ["refused", false, null]],
    [404, { "content-type": "text/html" }, ["bad_result", false, null]],
    [502, { "content-type": "text/html" }, ["unreachable", true, null]],
  ];
  for (const [status, headers, expected] of answers) {
    await serving(onRpc(() => new Response("no", { status, headers })), async (origin) => {
      const error = await assertRejects(() => send(origin), TransportError);
      assertEquals([error.code, error.retriable, error.retryAfterMs], expected);
    });
  }
});

Deno.test("the token goes to the agent, and a redirect to another host nowhere", async () => {
  const tokens: (string | null)[] = [];
  const rpc = (request: Request) => {
    tokens.push(request.headers.get("authorization"));
    return Response.json({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "no" } });
  };
  await serving(onRpc(rpc), async (elsewhere, asked) => {
    await serving(onRpc(() => Response.redirect(`${elsewhere}/rpc`, 307)), async (origin) => {
      assertEquals(await failure(send(origin)), ["bad_result", false]);
    });
    assertEquals(asked, []);
    await serving((request, path) => {
      if (path !== "/rpc") return path === "/other" ? rpc(request) : null;
      return new Response(null, { status: 308, headers: { location: "/other" } });
    }, async (origin) => {
      assertEquals(await failure(send(origin)), ["refused", false]);
    });
  });
  assertEquals(tokens, ["Bearer secret"]);
});

Deno.test("a card may name another host only where the directory does", async () => {
  const service = new MemoryService(new Map(), () => resultOf());
  const routes = fetchFrom(
    a2aRoutes(service, { version: "1", bearer: false, clock: new FakeClock() }),
  );
  await serving((request) => routes(request), async (elsewhere) => {
    const card = AgentCard.toJSON(cardAt(`${elsewhere}/a2a`, true));
    await serving((_, path) => path === CARD ? Response.json(card) : null, async (origin) => {
      const error = await assertRejects(() => send(origin), TransportError);
      assertEquals(
        error.message,
        "The card of orders names no way to it that may be gone; it must be JSONRPC or HTTP+JSON " +
          `on ${origin}, and is JSONRPC at ${elsewhere}/a2a`,
      );
      const allowed = transportAt(origin, {}, { origins: [elsewhere] });
      assertEquals(await allowed.send(taskOf(), IGNORED, NEVER), resultOf());
    });
  });
});

Deno.test("a card is found below the agent's address, or by its own", async () => {
  const service = new MemoryService(new Map(), () => resultOf());
  const routes = fetchFrom(
    a2aRoutes(service, { version: "1", bearer: false, clock: new FakeClock() }),
  );
  const answer: Answer = (request, path) => {
    if (path.startsWith("/orders/.well-known") || path === "/card.json") {
      return routes(new URL(CARD, request.url));
    }
    return path === "/a2a" ? routes(request) : new Response("no", { status: 404 });
  };
  await serving(answer, async (origin, paths) => {
    assertEquals(await send(`${origin}/orders/`), resultOf());
    assertEquals(await send(`${origin}/card.json`), resultOf());
    assertEquals(paths, [`/orders${CARD}`, "/a2a", "/card.json", "/a2a"]);
  });
});

Deno.test("an agent that speaks A2A 0.3 alone is spoken to in that", async () => {
  const service = new MemoryService(new Map(), () => resultOf());
  const routes = fetchFrom(
    a2aRoutes(service, { version: "1", bearer: false, clock: new FakeClock() }),
  );
  const methods: string[] = [];
  const answer: Answer = async (request, path) => {
    if (path === CARD) {
      return Response.json({
        name: "orders",
        description: "",
        version: "1",
        protocolVersion: "0.3.0",
        url: new URL("/a2a", request.url),
        capabilities: { streaming: true },
        defaultInputModes: [],
        defaultOutputModes: [],
        skills: [],
      });
    }
    const body = await request.text();
    methods.push(JSON.parse(body).method);
    return await routes(
      new Request(request.url, { ...request, method: "POST", body, headers: request.headers }),
    );
  };
  await serving(answer, async (origin) => {
    assertEquals(await send(origin), resultOf());
    assertEquals(methods, ["message/stream"]);
  });
});

Deno.test("an agent that never answers is left by the signal", async () => {
  const release = Promise.withResolvers<Response>();
  const stop = new AbortController();
  const answer: Answer = (_, path) => {
    if (path !== "/rpc") return null;
    stop.abort(new DOMException("Enough", "TimeoutError"));
    return release.promise;
  };
  await serving(answer, async (origin) => {
    const sent = transportAt(origin).send(taskOf(), IGNORED, stop.signal);
    assertEquals(await sent.catch((error) => error === stop.signal.reason), true);
    release.resolve(new Response(null));
  });
});
