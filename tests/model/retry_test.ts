import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { MAX_WAIT_MS, withRetries } from "../../lib/model/retry.ts";
import { type ModelChunk, ModelError, type ModelErrorOptions } from "../../lib/types.ts";
import { FakeClock, NEVER, settle } from "../fakes.ts";
import { HastyClock } from "./_ports.ts";

/** What an attempt says, and how it ends: with an error, or else well. */
interface Script {
  readonly texts: readonly string[];
  readonly error?: ModelError;
}

function fault(options: Partial<ModelErrorOptions> = {}): ModelError {
  return new ModelError("server_error", "Boom", { hint: "Wait.", retriable: true, ...options });
}

function finished(content: string): ModelChunk {
  return {
    type: "turn_finished",
    message: { role: "assistant", content, calls: [] },
    finishReason: "stop",
    usage: { inputTokens: 1, outputTokens: 1 },
  };
}

async function* played({ texts, error }: Script): AsyncGenerator<ModelChunk> {
  for (const text of texts) yield { type: "text", text };
  if (error) throw error;
  yield finished(texts.join(""));
}

const OPTIONS = { totalMs: null, late: () => fault(), signal: NEVER };

interface Asked {
  /** Texts as they are, other chunks by their type. */
  readonly came: readonly string[];
  readonly waits: readonly number[];
  readonly attempts: number;
  readonly error: ModelError | null;
}

/** Asks with attempts that go like this, the last one for ever. */
async function ask(scripts: readonly Script[], random = 0): Promise<Asked> {
  const clock = new HastyClock();
  const came: string[] = [];
  let attempts = 0;
  const attempt = () => played(scripts[attempts++] ?? scripts.at(-1)!);
  const ports = { clock, random: () => random };
  try {
    for await (const chunk of withRetries(attempt, ports, OPTIONS)) {
      came.push(chunk.type === "text" ? chunk.text : `(${chunk.type})`);
    }
    return { came, waits: clock.waits, attempts, error: null };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { came, waits: clock.waits, attempts, error };
  }
}

Deno.test("withRetries() asks three more times, with waits that double, half of them by chance", async () => {
  const runs = [
    await ask([{ texts: [], error: fault() }]),
    await ask([{ texts: [], error: fault() }], 1),
  ];
  assertEquals(runs.map(({ attempts, waits }) => [attempts, waits]), [
    [4, [500, 1000, 2000]],
    [4, [1000, 2000, 4000]],
  ]);
  const { error } = runs[0]!;
  assertEquals([error?.message, error?.code, error?.hint], [
    "Boom (4 attempts)",
    "server_error",
    "Wait.",
  ]);
});

Deno.test("withRetries() tells of a retry before it waits", async () => {
  const attempt = () => played({ texts: [], error: fault() });
  const clock = new FakeClock();
  const chunks = withRetries(attempt, { clock, random: () => 0 }, OPTIONS);
  assertEquals((await chunks.next()).value, {
    type: "retry",
    attempt: 1,
    of: 3,
    waitMs: 500,
    error: { code: "server_error", message: "Boom" },
  });
  assertEquals(clock.sleeping, 0);
  await chunks.return(undefined);
});

Deno.test("withRetries() asks once where asking again can't help", async () => {
  const error = fault({ retriable: false });
  const { attempts, error: thrown } = await ask([{ texts: ["a"], error }]);
  assertEquals([attempts, thrown], [1, error]);
});

Deno.test("withRetries() shows once what an attempt says again", async () => {
  const { came } = await ask([
    { texts: ["Hel", "lo, w"], error: fault() },
    { texts: ["H"], error: fault() },
    { texts: ["Hello,", " world."] },
  ]);
  assertEquals(came, ["Hel", "lo, w", "(retry)", "(retry)", "orld.", "(turn_finished)"]);
});

Deno.test("withRetries() says that what was shown is void where another attempt differs", async () => {
  const { came } = await ask([
    { texts: ["Hello"], error: fault() },
    { texts: ["Hel", "p: ", "none."] },
  ]);
  assertEquals(came, ["Hello", "(retry)", "(restart)", "Hel", "p: ", "none.", "(turn_finished)"]);
});

Deno.test("withRetries() says so, too, where another attempt says less", async () => {
  const { came } = await ask([{ texts: ["Hello"], error: fault() }, { texts: ["Hell"] }]);
  assertEquals(came, ["Hello", "(retry)", "(restart)", "Hell", "(turn_finished)"]);
  const none = await ask([{ texts: ["Hello"], error: fault() }, { texts: [] }]);
  assertEquals(none.came, ["Hello", "(retry)", "(restart)", "(turn_finished)"]);
});

Deno.test("what is shown in the end is what the last attempt said, whatever went before", async () => {
  const text = fc.array(fc.constantFrom("a", "b", "ab", "😀", ""), { maxLength: 4 });
  const attempts = fc.tuple(
    fc.array(text.map((texts) => ({ texts, error: fault() })), { maxLength: 3 }),
    text.map((texts) => ({ texts })),
  );
  await fc.assert(fc.asyncProperty(attempts, async ([failed, last]) => {
    const { came } = await ask([...failed, last]);
    const shown = came.slice(came.lastIndexOf("(restart)") + 1).filter((one) => !/^\(/.test(one));
    assertEquals(shown.join(""), last.texts.join(""));
  }));
});

Deno.test("withRetries() waits as long as the server asks, if that is longer than its own wait", async () => {
  const { waits } = await ask([
    { texts: [], error: fault({ retryAfterMs: 20_000 }) },
    { texts: [], error: fault({ retryAfterMs: 0 }) },
    { texts: ["ok"] },
  ]);
  assertEquals(waits, [20_000, 1000]);
});

Deno.test("withRetries() waits no longer than a minute in all", async () => {
  const asks = fc.array(fc.nat({ max: 90_000 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(asks, fc.double({ min: 0, max: 1, noNaN: true }), async (all, random) => {
      const scripts = all.map((retryAfterMs) => ({ texts: [], error: fault({ retryAfterMs }) }));
      const { waits } = await ask(scripts, random);
      assertEquals(waits.reduce((sum, ms) => sum + ms, 0) <= MAX_WAIT_MS, true);
    }),
  );
});

Deno.test("withRetries() does not wait for 16 days, and says so", async () => {
  const retryAfterMs = 16 * 86_400_000;
  const { attempts, waits, error } = await ask([{ texts: [], error: fault({ retryAfterMs }) }]);
  assertEquals([attempts, waits, error?.message, error?.hint], [
    1,
    [],
    "Boom; it asks to wait 16 days, and rein waits 60 s a turn at the most",
    "Run it again in 16 days, or use another model.",
  ]);
});

Deno.test("withRetries() ends a wait with the run", async () => {
  const run = new AbortController();
  const clock = new FakeClock();
  const attempt = () => played({ texts: [], error: fault() });
  const asking = Array.fromAsync(
    withRetries(attempt, { clock, random: () => 0 }, { ...OPTIONS, signal: run.signal }),
  );
  const reason = assertRejects(() => asking, Error, "Enough");
  await settle();
  assertEquals(clock.sleeping, 1);
  run.abort(new Error("Enough"));
  await reason;
});

Deno.test("withRetries() passes on what is no failure of the model", async () => {
  const defect = new TypeError("A defect");
  const attempt = (): AsyncIterable<ModelChunk> => {
    throw defect;
  };
  const ports = { clock: new HastyClock(), random: () => 0 };
  const thrown = await assertRejects(() => Array.fromAsync(withRetries(attempt, ports, OPTIONS)));
  assertEquals(thrown, defect);
});

Deno.test("withRetries() shows what follows text that the attempt itself found void", async () => {
  const pieces: readonly (readonly ModelChunk[])[] = [
    [{ type: "text", text: "Hm." }, { type: "restart" }, { type: "text", text: "Ye" }],
    [{ type: "text", text: "Hm." }, { type: "restart" }, { type: "text", text: "Yes." }],
  ];
  let attempts = 0;
  async function* attempt(): AsyncGenerator<ModelChunk> {
    yield* pieces[attempts++] ?? [];
    if (attempts < pieces.length) throw fault();
    yield finished("Yes.");
  }
  const ports = { clock: new HastyClock(), random: () => 0 };
  const chunks = await Array.fromAsync(withRetries(attempt, ports, OPTIONS));
  // What counts is the text since the last restart.
  const last = chunks.findLastIndex(({ type }) => type === "restart");
  const shown = chunks.slice(last).flatMap((chunk) => chunk.type === "text" ? [chunk.text] : []);
  assertEquals(shown.join(""), "Yes.");
});
