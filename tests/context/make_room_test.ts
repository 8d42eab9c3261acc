import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Context } from "../../lib/context/context.ts";
import type { CompactionBody } from "../../lib/record.ts";
import { type Message, type Model, ModelError, type ModelRequest } from "../../lib/types.ts";
import { EventLog } from "../_events.ts";
import { FakeClock, fakeTool, NEVER, ScriptedModel } from "../fakes.ts";
import { big, contextOf, partedIn } from "./_context.ts";

/** A record with rounds that fill 4,000 tokens. */
function fullRecord(): EventLog {
  const log = new EventLog().task("t");
  for (let step = 1; step <= 8; step++) {
    log.step().turn("", [`c${step}`]).call(`c${step}`, big(step));
  }
  return log;
}

/** Makes room once, following its events. */
async function makeRoom(context: Context, log: EventLog, model: Model, signal = NEVER) {
  const wanted = { record: log.record, last: "[Step 9/15]", tools: [] };
  const room = context.makeRoom(wanted, { model, signal, refused: null });
  const bodies: CompactionBody[] = [];
  let next = await room.next();
  for (; !next.done; next = await room.next()) {
    if (next.value.type === "context_compacted") bodies.push(next.value);
    log.add(next.value);
  }
  return { made: next.value, bodies };
}

Deno.test("makeRoom() sums up by itself where the model fails, calls a tool, or writes nonsense", async () => {
  const turns = [
    new ModelError("server_error", "No", { hint: "" }),
    { calls: [{ name: "echo" }] },
    { text: "I can't." },
    { text: "{}", finishReason: "refused" },
  ] as const;
  for (const turn of turns) {
    const { made, bodies } = await makeRoom(contextOf(4000), fullRecord(), new ScriptedModel(turn));
    const [body] = bodies;
    assertEquals([made, body?.by, body?.digest?.facts[0]], [true, "rein", {
      text: "echo hi → 120 lines: line 1 of a long log",
      call: "c1",
      step: 1,
    }]);
    assertEquals(body?.usage === null, turn instanceof ModelError);
  }
});

Deno.test("makeRoom() waits a minute for a summary, and then sums up by itself", async () => {
  const clock = new FakeClock();
  const model = new ScriptedModel((signal) => ({
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    }),
  }));
  const made = makeRoom(contextOf(4000, clock), fullRecord(), model);
  await clock.advance(59_000);
  assertEquals(clock.sleeping, 1);
  await clock.advance(1000);
  const { bodies: [body] } = await made;
  assertEquals([body?.by, clock.sleeping], ["rein", 0]);
});

Deno.test("makeRoom() ends when the run is interrupted during a summary", async () => {
  const controller = new AbortController();
  const model = new ScriptedModel(() => {
    controller.abort(new Error("SIGINT"));
    throw new ModelError("unreachable", "The connection was closed", { hint: "" });
  });
  await assertRejects(
    () => makeRoom(contextOf(4000), fullRecord(), model, controller.signal),
    Error,
    "SIGINT",
  );
});

Deno.test("makeRoom() gives a model that writes more than what leaves no room for it", async () => {
  const facts = Array.from({ length: 30 }, (_, index) => ({
    text: `Fact ${index}: ${"many words that say little ".repeat(10)}`,
    call: 1,
  }));
  const points = Array.from({ length: 8 }, () => "more words that say little ".repeat(8));
  const text = JSON.stringify({ facts, decisions: points, open: points });
  const log = new EventLog().task("word ".repeat(2100)).step().turn("", ["c1"]).call("c1", big(1))
    .step().turn("", ["c2"]).call("c2", big(2));
  const { made, bodies: [body] } = await makeRoom(
    contextOf(4000),
    log,
    new ScriptedModel({ text }),
  );
  assertEquals([made, body?.by], [true, "model"]);
  assert(body !== undefined && body.tokens_before - body.tokens_after >= 100);
});

Deno.test("makeRoom() shortens nothing less that was shortened before", async () => {
  const log = fullRecord();
  Object.assign(log.record.compaction, { condensedThrough: 99 });
  const { bodies: [body] } = await makeRoom(contextOf(4000), log, new ScriptedModel({ text: "?" }));
  assertEquals(body?.condensed_through, 99);
});

Deno.test("makeRoom() leaves alone what fits, and what a compaction would hardly shrink", async () => {
  const model = new ScriptedModel({ text: "never asked" });
  const small = new EventLog().task("t").step().turn("", ["c1"]).call("c1");
  assertEquals(await makeRoom(contextOf(4000), small, model), { made: true, bodies: [] });
  const task = new EventLog().task("word ".repeat(3250)).step().turn("", ["c1"]).call("c1").step()
    .turn("", ["c2"]).call("c2");
  assertEquals(await makeRoom(contextOf(4000), task, model), { made: true, bodies: [] });
  assertEquals(model.requests, []);
});

function messagesIn(request: ModelRequest | null): readonly Message[] {
  return request?.messages ?? [];
}

Deno.test("closing() says why, offers no tools, and is the whole conversation where that fits", () => {
  const { record } = new EventLog().task("t").step().turn("", ["c1"]).call("c1");
  const request = contextOf(8000).closing(record, "it costs $& and $1");
  assertEquals([request?.tools, messagesIn(request).length], [[], 5]);
  assert(messagesIn(request).at(-1)?.content.startsWith("The run ends here: it costs $& and $1."));
});

Deno.test("closing() leaves out the oldest rounds where they do not fit, and shortens the newest", () => {
  const { record } = fullRecord();
  const context = contextOf(1500);
  const request = context.closing(record, "so");
  const messages = messagesIn(request);
  assert(context.tokensOf({ messages, tools: [] }) <= 1350);
  assertEquals(partedIn({ messages, tools: [] }), []);
  assertEquals(messages[1], { role: "user", content: "t" });
  const newest = messages.at(-2);
  assertEquals(newest?.role === "tool" && newest.callId, "c8");
});

Deno.test("closing() is nothing where there is nothing to sum up, or not even the task fits", () => {
  const begun = new EventLog().task("t").step();
  assertEquals(contextOf(8000).closing(begun.record, "so"), null);
  const long = new EventLog().task("word ".repeat(9000)).step().turn("", ["c1"]).call("c1");
  assertEquals(contextOf(8000).closing(long.record, "so"), null);
});

Deno.test("recall is named as the way to facts that left, only while it is offered", () => {
  const log = new EventLog().task("t").step().turn("", ["c1"]).call("c1");
  Object.assign(log.record.compaction, { factsLeft: 3, summarisedThrough: 1 });
  const context = contextOf(8000);
  const said = (name: string) => {
    const { description, parameters } = fakeTool();
    const tools = [{ name, description, parameters }];
    return context.request({ record: log.record, last: "", tools }).messages[2]?.content;
  };
  assertEquals([said("echo"), said("recall")], [
    "(3 older facts are not shown here.)",
    "(3 older facts are not shown here; recall finds what was seen earlier.)",
  ]);
});
