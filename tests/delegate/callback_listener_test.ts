import { assertEquals } from "@std/assert";
import { CallbackListener } from "../../lib/delegate/callback_listener.ts";
import type { TransportEvents } from "../../lib/delegate/types.ts";
import { NetworkError } from "../../lib/ports.ts";
import { realServers } from "../../lib/real/servers.ts";
import { aborted, fakePorts, NEVER, settle } from "../fakes.ts";
import { failureOf, HastyClock, meet, pending, RESULT, result, TASK } from "./_agents.ts";

const UNHEARD: TransportEvents = { accepted: () => {} };

const CALLBACK = { hostname: "127.0.0.1", port: 0, url: "http://127.0.0.1:{port}/results/" };

function listener(maxBytes?: number): CallbackListener {
  let ids = 0;
  const ports = fakePorts({
    servers: realServers,
    newId: () => `id${ids++}`,
    clock: new HastyClock(),
  });
  return new CallbackListener(CALLBACK, ports, maxBytes);
}

/** Posts something, and brings the status. */
async function post(url: string, body: unknown, method = "POST"): Promise<number> {
  const response = await fetch(url, {
    method,
    ...(method === "GET" ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  await response.body?.cancel();
  return response.status;
}

Deno.test("a callback's address has a part that nobody can guess, another one for each task", async () => {
  const taking = listener();
  const first = await taking.expect("t-1", NEVER);
  const second = await taking.expect("t-2", NEVER);
  const paths = [first.url, second.url].map((url) => new URL(url).pathname);
  assertEquals(paths, ["/results/id0id1id2", "/results/id3id4id5"]);
  first.end();
  second.end();
});

Deno.test("a callback is taken once; wrong, second and late ones are ignored and counted", async () => {
  const taking = listener(100_000);
  const other = await taking.expect("t-2", NEVER);
  const { url, result: posted, end } = await taking.expect("t-1", NEVER);
  const statuses = [
    await post(url, { ...RESULT, task_id: "t-2" }),
    await post(url, { ...RESULT, status: "done" }),
    await post(url, "<html>"),
    await post(url, " ".repeat(200_000)),
    await post(url, "", "GET"),
    await post(new URL("/results/guessed", url).href, RESULT),
    await post(url, RESULT),
    await post(url, { ...RESULT, data: { summary: "Something else" } }),
  ];
  assertEquals(await posted, RESULT);
  end();
  assertEquals([...statuses, await post(url, RESULT)], [
    400,
    400,
    400,
    413,
    405,
    404,
    204,
    409,
    404,
  ]);
  assertEquals(taking.ignored, 8);
  other.end();
});

Deno.test("send() hands its callback over, and takes what is posted there", async () => {
  await meet([() => pending()], async ({ transport, received }) => {
    const events: TransportEvents = {
      accepted: () => {
        const { callback } = JSON.parse(received[0]?.body ?? "");
        void post(callback, RESULT);
      },
    };
    assertEquals(await transport.send(TASK, events, NEVER), RESULT);
    assertEquals(received[0]?.prefer, "wait=0");
  }, { agent: { callback: CALLBACK }, ports: { newId: () => crypto.randomUUID() } });
});

Deno.test("send() goes on asking, patiently, in case nothing is posted", async () => {
  const gone = () => new Response(null, { status: 404 });
  await meet([() => pending(), gone, () => result()], async ({ transport, clock, received }) => {
    assertEquals(await transport.send(TASK, UNHEARD, NEVER), RESULT);
    assertEquals(received.map(({ line }) => line), [
      "POST /tasks",
      "GET /tasks/t-1",
      "GET /tasks/t-1",
    ]);
    assertEquals(clock.waits, [10_000, 10_000]);
  }, { agent: { callback: CALLBACK } });
});

Deno.test("send() says that it can't listen, and sends nothing", async () => {
  const listen = () => Promise.reject(new NetworkError("in_use", "Something else listens there"));
  await meet([() => result()], async ({ transport, received }) => {
    assertEquals(await failureOf(transport.send(TASK, UNHEARD, NEVER)), [
      "unreachable",
      "Results can't be taken at 127.0.0.1: Something else listens there",
      false,
    ]);
    assertEquals(received, []);
  }, { agent: { callback: CALLBACK }, ports: { servers: { listen } } });
});

Deno.test("send() lets go of its port once nobody waits, however the waiting ends", async () => {
  const over = new AbortController();
  const never = async ({ signal }: Request) => {
    over.abort(new Error("Enough"));
    await aborted(signal);
    return pending();
  };
  let drained = 0;
  const counting: typeof realServers = {
    listen: async (address, handle, signal) => {
      const server = await realServers.listen(address, handle, signal);
      const drain = () => {
        drained += 1;
        return server.drain();
      };
      return { ...server, drain };
    },
  };
  await meet([never, () => result()], async ({ transport }) => {
    await transport.send(TASK, UNHEARD, over.signal).catch(() => {});
    await settle();
    assertEquals(drained, 1);
    assertEquals(await transport.send(TASK, UNHEARD, NEVER), RESULT);
    await settle();
    assertEquals(drained, 2);
  }, { agent: { callback: CALLBACK }, ports: { servers: counting } });
});
