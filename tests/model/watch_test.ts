import { assertEquals } from "@std/assert";
import { createServerModel, type ServerPorts } from "../../lib/model/openai.ts";
import type { Timeouts } from "../../lib/model/watch.ts";
import type { Fetch } from "../../lib/ports.ts";
import { type ModelChunk, ModelError, type ModelRequest } from "../../lib/types.ts";
import { aborted, FakeClock, NEVER } from "../fakes.ts";
import { serverPorts } from "./_ports.ts";

const QUESTION: ModelRequest = { messages: [{ role: "user", content: "Hi" }], tools: [] };

/** The defaults. */
const TIMEOUTS: Timeouts = {
  connectMs: 10_000,
  firstByteMs: 600_000,
  idleMs: 300_000,
  totalMs: 1_800_000,
};

const encoder = new TextEncoder();

function text(content: string, finish_reason: string | null = null): string {
  return `data: ${
    JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason }] })
  }\n\n`;
}

/** A `fetch` whose answers come from a generator, which is handed the request's signal. */
function answering(pieces: (signal: AbortSignal) => AsyncIterable<string>): Fetch {
  return (_input, init) => {
    const signal = init?.signal ?? NEVER;
    const iterator = pieces(signal)[Symbol.asyncIterator]();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (signal.aborted) controller.error(signal.reason);
        else if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
    }, { highWaterMark: 0 });
    return Promise.resolve(
      new Response(body, { headers: { "content-type": "text/event-stream" } }),
    );
  };
}

/** A server that never answers. */
const SILENT: Fetch = async (_input, init) => {
  const signal = init?.signal ?? NEVER;
  await aborted(signal);
  throw signal.reason;
};

interface Asked {
  /** Chunks; a failure as its code, message and hint. */
  readonly came: readonly unknown[];
  /** How long it took. */
  readonly ms: number;
}

/** Asks, and lets the time go on until there is an end. */
async function ask(
  overrides: Partial<ServerPorts>,
  clock: FakeClock,
  timeouts: Partial<Timeouts> = {},
): Promise<Asked> {
  const settings = {
    baseUrl: "http://m.test/v1",
    apiKey: null,
    model: "m",
    temperature: 0.2,
    timeouts: { ...TIMEOUTS, ...timeouts },
  };
  const model = createServerModel(settings, serverPorts({ clock, ...overrides }));
  const came: unknown[] = [];
  let ended = false;
  const asking = (async () => {
    for await (const chunk of model.ask(QUESTION, NEVER)) came.push(brief(chunk));
  })().catch((error) => {
    if (!(error instanceof ModelError)) throw error;
    came.push([error.code, error.message, error.hint]);
  }).finally(() => ended = true);
  await clock.advance(0);
  while (!ended) await clock.advance(clock.untilNext);
  await asking;
  return { came, ms: clock.now() };
}

function brief(chunk: ModelChunk): string {
  switch (chunk.type) {
    case "text":
      return chunk.text;
    case "retry":
      return `retry ${chunk.attempt}: ${chunk.error.code}`;
    case "reasoning":
    case "adapted":
    case "restart":
      return chunk.type;
    case "turn_finished":
      return `turn: ${chunk.message.content}`;
  }
}

Deno.test("a server that sends no byte ends the turn when the time for the first one is over", async () => {
  const asked = await ask({ fetch: SILENT }, new FakeClock());
  assertEquals(asked, {
    came: [[
      "timeout",
      "The model server at http://m.test/v1 sent nothing within 10 minutes (timeouts.first_byte)",
      "The model may still be loading, or reading a long request: use a smaller one, or allow " +
      "more with timeouts.first_byte in the configuration.",
    ]],
    ms: 600_000,
  });
});

Deno.test("headers alone are no first byte", async () => {
  const fetch = answering(async function* (signal) {
    await aborted(signal);
    yield "";
  });
  const { came: [error], ms } = await ask({ fetch }, new FakeClock());
  assertEquals([(error as string[])[0], ms], ["timeout", 600_000]);
});

Deno.test("a connection that can't be made ends each attempt after the time for it", async () => {
  let tried = 0;
  const connect = (signal: AbortSignal) => {
    tried++;
    return aborted(signal);
  };
  const { came, ms } = await ask({ fetch: SILENT, connect }, new FakeClock());
  assertEquals([came, tried, ms], [
    [
      "retry 1: unreachable",
      "retry 2: unreachable",
      "retry 3: unreachable",
      [
        "unreachable",
        "The model server at http://m.test/v1 let no connection be made within 10 s " +
        "(timeouts.connect) (4 attempts)",
        "Check the address and the network, or allow more with timeouts.connect in the " +
        "configuration.",
      ],
    ],
    4,
    40_000 + 500 + 1000 + 2000,
  ]);
});

Deno.test("a server that can be reached has the time for the first byte, not that for a connection", async () => {
  const connects = [() => Promise.resolve(), () => Promise.reject(new Error("refused"))];
  const times = [];
  for (const connect of connects) {
    times.push((await ask({ fetch: SILENT, connect }, new FakeClock())).ms);
  }
  assertEquals(times, [600_000, 600_000]);
});

Deno.test("a stream that stalls is asked for again, and says so in the end", async () => {
  const fetch = answering(async function* (signal) {
    yield text("Hello");
    await aborted(signal);
  });
  const { came, ms } = await ask({ fetch }, new FakeClock());
  assertEquals([came, ms], [
    [
      "Hello",
      "retry 1: timeout",
      "retry 2: timeout",
      "retry 3: timeout",
      [
        "timeout",
        "The model server at http://m.test/v1 stopped in the middle of its answer, and sent " +
        "nothing more within 5 minutes (timeouts.idle) (4 attempts)",
        "Look at the server's log, or allow more with timeouts.idle in the configuration.",
      ],
    ],
    1_200_000 + 500 + 1000 + 2000,
  ]);
});

Deno.test("comments count as life", async () => {
  const clock = new FakeClock();
  const fetch = answering(async function* () {
    for (let minutes = 0; minutes < 20; minutes += 4) {
      yield ": keepalive\n\n";
      await clock.sleep(240_000, NEVER);
    }
    yield text("Hello", "stop");
  });
  const { came, ms } = await ask({ fetch }, clock);
  assertEquals([came, ms], [["Hello", "turn: Hello"], 1_200_000]);
});

Deno.test("a turn that goes on and on ends when its whole time is over, retries included", async () => {
  const clock = new FakeClock();
  const fetch = answering(async function* (signal) {
    while (!signal.aborted) {
      yield ": keepalive\n\n";
      await clock.sleep(60_000, signal).catch(() => {});
    }
  });
  assertEquals(await ask({ fetch }, clock), {
    came: [[
      "timeout",
      "The model server at http://m.test/v1 did not finish its turn within 30 minutes " +
      "(timeouts.total)",
      "Use a faster model, or allow more with timeouts.total in the configuration.",
    ]],
    ms: 1_800_000,
  });
});

Deno.test("a stream that stays open after its turn has ended is not waited for", async () => {
  const fetch = answering(async function* (signal) {
    yield text("Hello", "stop");
    await aborted(signal);
  });
  const asked = await ask({ fetch }, new FakeClock());
  assertEquals(asked, { came: ["Hello", "turn: Hello"], ms: 5000 });
});

Deno.test("no timer runs where each is set to none", async () => {
  const clock = new FakeClock();
  const none = { connectMs: null, firstByteMs: null, idleMs: null, totalMs: null };
  const fetch = answering(async function* () {
    await clock.sleep(86_400_000, NEVER);
    yield text("Hello", "stop");
  });
  assertEquals(await ask({ fetch }, clock, none), {
    came: ["Hello", "turn: Hello"],
    ms: 86_400_000,
  });
});

Deno.test("no timer is left behind once a turn has ended", async () => {
  const clock = new FakeClock();
  const fetch = answering(async function* () {
    yield text("Hello", "stop");
    yield "data: [DONE]\n\n";
  });
  await ask({ fetch, connect: () => Promise.resolve() }, clock);
  assertEquals(clock.sleeping, 0);
});
