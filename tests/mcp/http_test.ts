import { assertEquals } from "@std/assert";
import {
  type HandleRequestOptions,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { createServer, type Watcher } from "./_tools.ts";
import { address, call, PORTS, withServers } from "./_servers.ts";

type Handler = (request: Request) => Response | Promise<Response>;

/** A server of HTTP on this machine, and what it was asked. */
async function withHttp(
  handle: Handler,
  use: (url: string, asked: readonly string[]) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const { pathname } = new URL(request.url);
    asked.push(`${request.method} ${pathname} ${request.headers.get("authorization") ?? "-"}`);
    return handle(request);
  });
  try {
    await use(`http://127.0.0.1:${server.addr.port}/mcp`, asked);
  } finally {
    await server.shutdown();
  }
}

/** The fixture with sessions; `forget` ends all of them. */
function fixture(watcher?: Watcher) {
  let transports = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const handle = async (request: Request, options?: HandleRequestOptions): Promise<Response> => {
    const id = request.headers.get("mcp-session-id");
    const known = id === null ? undefined : transports.get(id);
    if (known !== undefined) return await known.handleRequest(request, options);
    if (id !== null) return new Response("no such session", { status: 404 });
    const transport: WebStandardStreamableHTTPServerTransport =
      new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (session) => void transports.set(session, transport),
      });
    await createServer("well", watcher).connect(transport);
    return await transport.handleRequest(request, options);
  };
  return {
    handle,
    forget: () => {
      transports = new Map();
    },
  };
}

Deno.test("openServers() reaches a server by HTTP, with its token in every request", async () => {
  await withHttp(fixture().handle, async (url, asked) => {
    const servers = { web: address(url, { token: "REIN_TOKEN_WEB", reads: ["data"] }) };
    const variable = (name: string) => name === "REIN_TOKEN_WEB" ? "t-1" : undefined;
    await withServers(servers, async ({ reports }) => {
      const tools = reports[0]?.tools ?? [];
      const host = new URL(url).host;
      const of = (name: string) => tools.find((tool) => tool.name === name);
      assertEquals([of("web__echo")?.subjects({}), of("web__data")?.subjects({})], [
        [{ kind: "tool", tool: "web__echo", effect: "network", host }],
        [{ kind: "tool", tool: "web__data", effect: "read", host }],
      ]);
      const echoed = await call(tools, "web__echo", { text: "hi" });
      assertEquals(echoed.ok && echoed.data, { text: "hi" });
    }, { variable });
    assertEquals(asked, Array(asked.length).fill("POST /mcp Bearer t-1"));
  });
});

Deno.test("a session that the server has forgotten is begun anew, and the call is made", async () => {
  const server = fixture();
  await withHttp(server.handle, async (url) => {
    await withServers({ web: address(url) }, async ({ reports }) => {
      server.forget();
      const echoed = await call(reports[0]?.tools ?? [], "web__echo", { text: "hi" });
      assertEquals(echoed.ok && echoed.data, { text: "hi" });
    });
  });
});

Deno.test("a call that is given up is cancelled at the server", async () => {
  const [hung, cancelled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const watcher = { hung: hung.resolve, cancelled: cancelled.resolve };
  await withHttp(fixture(watcher).handle, async (url) => {
    await withServers({ web: address(url) }, async ({ reports }) => {
      const tools = reports[0]?.tools ?? [];
      const ending = new AbortController();
      const called = call(tools, "web__hang", {}, ending.signal).catch((error) => error);
      await hung.promise;
      ending.abort(new Error("given up"));
      assertEquals(String(await called), "Error: given up");
      await cancelled.promise;
    });
  });
});

/** Why a server that answers like this is left out. */
async function faultOf(handle: Handler): Promise<string | null | undefined> {
  let fault: string | null | undefined;
  await withHttp(handle, async (url) => {
    await withServers({ web: address(url) }, ({ reports }) => {
      fault = reports[0]?.fault;
      return Promise.resolve();
    });
  });
  return fault;
}

Deno.test("a server that answers something else is left out, and says what", async () => {
  assertEquals(await faultOf(() => new Response("no", { status: 401 })), "it was answered 401");
  assertEquals(await faultOf(() => new Response("no", { status: 503 })), "it was answered 503");
  assertEquals(
    await faultOf(() => new Response("<html>", { headers: { "content-type": "text/html" } })),
    "Unexpected content type: text/html",
  );
});

Deno.test("a token does not follow a redirect to another server", async () => {
  await withHttp(() => new Response(null, { status: 200 }), async (other, asked) => {
    const handle = () => new Response(null, { status: 307, headers: { location: other } });
    await withHttp(handle, async (url) => {
      const servers = { web: address(url, { token: "T" }) };
      await withServers(
        servers,
        ({ reports }) => {
          assertEquals(reports[0]?.fault === null, false);
          return Promise.resolve();
        },
        { variable: () => "t" },
        PORTS,
      );
    });
    assertEquals(asked, []);
  });
});
