import { assertEquals, assertRejects } from "@std/assert";
import {
  findLocalServer,
  listModels,
  listServed,
  LOCAL_SERVERS,
} from "../../lib/model/discover.ts";
import { ModelError } from "../../lib/types.ts";
import { aborted, FakeClock, NEVER } from "../fakes.ts";

type Answer = (signal: AbortSignal) => Promise<Response>;

/** A network where these addresses answer and all others refuse. */
function network(answers: Readonly<Record<string, Answer>>) {
  const asked: { url: string; authorization: string | null }[] = [];
  const fetch = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { url, headers, signal } = new Request(input, init);
    asked.push({ url, authorization: headers.get("authorization") });
    const answer = answers[url];
    return answer ? answer(signal) : Promise.reject(new TypeError("Connection refused"));
  };
  return { asked, fetch };
}

function listing(...ids: readonly unknown[]): Answer {
  return () => Promise.resolve(Response.json({ data: ids.map((id) => ({ id })) }));
}

/** Headers never come. */
const silent: Answer = async (signal) => {
  await aborted(signal);
  throw signal.reason;
};

const BASE = "http://models.test/v1";

async function listed(answer: Answer, apiKey: string | null = null) {
  const { asked, fetch } = network({ [`${BASE}/models`]: answer });
  const clock = new FakeClock();
  const names = await listModels(`${BASE}/`, apiKey, { fetch, clock }, { signal: NEVER });
  return { names: names?.map(({ id }) => id) ?? null, asked, sleeping: clock.sleeping };
}

Deno.test("listModels() gives the chat models that a server lists", async () => {
  const answer = listing("qwen3:8b", "nomic-embed-text", 7, "whisper-1", "gpt-oss");
  assertEquals(await listed(answer, "sk-test"), {
    names: ["qwen3:8b", "gpt-oss"],
    asked: [{ url: `${BASE}/models`, authorization: "Bearer sk-test" }],
    sleeping: 0,
  });
});

Deno.test("listModels() gives null where there is no list", async () => {
  const answers: readonly Answer[] = [
    () => Promise.resolve(new Response("<html>", { status: 200 })),
    () => Promise.resolve(Response.json({ error: "no" }, { status: 401 })),
    () => Promise.resolve(Response.json({ data: "none" })),
    () => Promise.resolve(Response.json(null)),
    () => Promise.reject(new TypeError("Connection refused")),
  ];
  const found = await Promise.all(answers.map((answer) => listed(answer)));
  assertEquals(found.map(({ names, sleeping }) => [names, sleeping]), answers.map(() => [null, 0]));
});

Deno.test("findLocalServer() takes the first in the order of preference, and sends no key", async () => {
  const { asked, fetch } = network({
    "http://127.0.0.1:8000/v1/models": listing("vllm-model"),
    "http://127.0.0.1:8080/v1/models": listing("llama-model", "other"),
  });
  assertEquals(await findLocalServer({ fetch, clock: new FakeClock() }, NEVER), {
    program: "llama.cpp",
    baseUrl: "http://127.0.0.1:8080/v1",
    model: "llama-model",
    served: ["llama-model", "other"].map((id) => ({
      id,
      window: null,
      ownedBy: null,
      chats: true,
    })),
  });
  assertEquals(
    asked,
    LOCAL_SERVERS.map(({ baseUrl }) => ({ url: `${baseUrl}/models`, authorization: null })),
  );
});

Deno.test("findLocalServer() passes a server by that has no chat model", async () => {
  const { fetch } = network({
    "http://127.0.0.1:11434/v1/models": listing("nomic-embed-text"),
    "http://127.0.0.1:1234/v1/models": listing("chat"),
  });
  const found = await findLocalServer({ fetch, clock: new FakeClock() }, NEVER);
  assertEquals([found?.program, found?.model], ["LM Studio", "chat"]);
});

Deno.test("findLocalServer() waits half a second for a server that says nothing", async () => {
  const { fetch } = network({ "http://127.0.0.1:11434/v1/models": silent });
  const clock = new FakeClock();
  const finding = findLocalServer({ fetch, clock }, NEVER);
  await clock.advance(500);
  assertEquals([await finding, clock.sleeping], [null, 0]);
});

Deno.test("findLocalServer() ends when the run is interrupted", async () => {
  const { fetch } = network({ "http://127.0.0.1:11434/v1/models": silent });
  const run = new AbortController();
  const finding = findLocalServer({ fetch, clock: new FakeClock() }, run.signal);
  run.abort();
  assertEquals(await finding, null);
});

Deno.test("listServed() says why there is no list", async () => {
  const rows: readonly (readonly [Answer, string])[] = [
    [() => Promise.resolve(new Response("no", { status: 401 })), "unauthorized"],
    [() => Promise.resolve(new Response("no", { status: 404 })), "not_found"],
    [() => Promise.resolve(new Response("no", { status: 503 })), "server_error"],
    [() => Promise.resolve(new Response("<html>")), "bad_response"],
    [() => Promise.reject(new TypeError("Connection refused")), "unreachable"],
  ];
  for (const [answer, code] of rows) {
    const { fetch } = network({ [`${BASE}/models`]: answer });
    const listing = listServed(BASE, null, { fetch, clock: new FakeClock() }, { signal: NEVER });
    assertEquals((await assertRejects(() => listing, ModelError)).code, code);
  }
});
