import { assertEquals } from "@std/assert";
import { fitCall } from "../../lib/cli/at_terminal.ts";
import { type StepLook, StepWriter } from "../../lib/cli/steps.ts";
import { createStyles } from "../../lib/cli/styles.ts";
import { createAnswerForm } from "../../lib/answer/form.ts";
import { eventOf } from "../session/_sessions.ts";
import { run, type RunPorts } from "../../lib/loop.ts";
import { type Model, ModelError } from "../../lib/types.ts";
import {
  fakeRunPorts,
  FakeTerminal,
  fakeTool,
  judgeAll,
  NEVER,
  ScriptedModel,
  type ScriptedTurn,
} from "../fakes.ts";

const ECHO: ScriptedTurn = { calls: [{ name: "echo", arguments: { text: "hi" } }] };

/** What a run says on stderr. */
async function written(
  model: Model,
  options: {
    quiet?: boolean;
    ports?: Partial<RunPorts>;
    signal?: AbortSignal;
    look?: Partial<StepLook>;
  } = {},
): Promise<string> {
  const terminal = new FakeTerminal();
  const plain = { styles: createStyles(false), fit: null, verbose: false };
  const steps = new StepWriter(terminal, options.quiet ?? false, { ...plain, ...options.look });
  const events = run({ task: "t" }, fakeRunPorts(model, options.ports), options.signal ?? NEVER);
  for await (const event of events) await steps.event(event);
  assertEquals(terminal.stdout, "");
  return terminal.stderr;
}

Deno.test("StepWriter writes a line for every call, and none for the answer", async () => {
  const model = new ScriptedModel(ECHO, ECHO, { text: "Hello." });
  assertEquals(
    await written(model),
    "[Step 1/15] echo hi → echoed\n[Step 2/15] echo hi → echoed\n",
  );
});

Deno.test("StepWriter is silent about a quiet run that answers", async () => {
  assertEquals(await written(new ScriptedModel(ECHO, { text: "Hello." }), { quiet: true }), "");
});

Deno.test("StepWriter always says that a model is a recording, unless it is to be quiet", async () => {
  const model = (): Model => {
    const scripted = new ScriptedModel({ text: "Hi" });
    return {
      name: "recorded:a.jsonl",
      source: "a.jsonl",
      recorded: true,
      ask: (request, signal) => scripted.ask(request, signal),
    };
  };
  assertEquals([await written(model()), await written(model(), { quiet: true })], [
    "rein: the model is a recording (a.jsonl), not a live one\n",
    "",
  ]);
});

Deno.test("StepWriter says why an answer is asked for again, unless it is to be quiet", async () => {
  const answerForm = await createAnswerForm({ type: "object" }, { bound: false });
  const model = () => new ScriptedModel({ text: "No." }, { text: "[]" }, { text: "{}" });
  const ports = { answerForm };
  assertEquals(
    [await written(model(), { ports }), await written(model(), { ports, quiet: true })],
    [
      "rein: the answer does not fit the schema: the answer holds no JSON value\n" +
      "rein: the answer does not fit the schema: the value must be object\n",
      "",
    ],
  );
});

Deno.test("StepWriter says why a run ended without an answer, and what was obtained", async () => {
  const ports = { judge: judgeAll("deny") };
  const denied = 'echo hi → denied: The policy denies "it" (rule test.deny: The test says so)';
  const ending = "rein: unfinished: calls were denied, in step 3 of 15, after 3 calls\n";
  assertEquals(
    await written(new ScriptedModel(ECHO), { ports }),
    [1, 2, 3].map((step) => `[Step ${step}/15] ${denied}\n`).join("") + ending + "  done:\n" +
      [1, 2, 3].map((step) => `    [${step}] ${denied}\n`).join(""),
  );
  assertEquals(await written(new ScriptedModel(ECHO), { ports, quiet: true }), ending);
});

Deno.test("StepWriter knows the limit of a run that ended before its first step", async () => {
  assertEquals(
    await written(new ScriptedModel(ECHO), { signal: AbortSignal.abort() }),
    "rein: unfinished: it was interrupted, in step 0 of 15, after 0 calls\n",
  );
});

Deno.test("StepWriter says in one line how the model failed, even when it is to be quiet", async () => {
  const failing = new ModelError("unreachable", "Nobody\n there", { hint: "Start it." });
  assertEquals(
    await written(new ScriptedModel(failing), { quiet: true }),
    "rein: Nobody there. Start it.\n",
  );
});

Deno.test("StepWriter says that room was made in the model's window", async () => {
  const terminal = new FakeTerminal();
  await new StepWriter(terminal, false).event({
    schema: "rein-event/1",
    at: "2026-11-30T00:00:00.000Z",
    run_id: "r",
    step: 9,
    type: "context_compacted",
    cause: "high_water",
    window: 8000,
    tokens_before: 6900,
    tokens_after: 3500,
    condensed_through: 7,
    summarised_through: 6,
    round_tokens: 2000,
    by: "model",
    digest: null,
    facts: [{ text: "It is full", call: "c1", step: 1 }],
    facts_left: 0,
    digests_shown: 1,
    usage: null,
  });
  assertEquals(
    terminal.stderr,
    "rein: made room: 6900 tokens became 3500, 1 fact is kept\n",
  );
});

Deno.test("StepWriter keeps every line one line, whatever a tool is given and gives", async () => {
  const tool = fakeTool({
    run: () => Promise.resolve({ ok: true, data: {}, summary: "a\nb\u001b[31m\tc" }),
  });
  const calls = [{ name: "echo", arguments: { text: "x\n\u001b[2Jy\u202e" } }];
  assertEquals(
    await written(new ScriptedModel({ calls }, { text: "ok" }), { ports: { tools: [tool] } }),
    "[Step 1/15] echo x [2Jy → a b[31m c\n",
  );
});

Deno.test("StepWriter tells of what the server refused, and what is done about it", async () => {
  const terminal = new FakeTerminal();
  await new StepWriter(terminal, false).event(eventOf({
    type: "model_adapted",
    what: "no temperature is sent",
    why: "invalid temperature",
  }));
  assertEquals(
    terminal.stderr,
    "rein: the server refused (invalid temperature); no temperature is sent\n",
  );
});

Deno.test("StepWriter.note() is for people and silent when it is to be quiet", async () => {
  const [loud, quiet] = [new FakeTerminal(), new FakeTerminal()];
  await new StepWriter(loud, false).note("found a \u001b[1mserver");
  await new StepWriter(quiet, true).note("found a server");
  assertEquals([loud.stderr, quiet.stderr], ["rein: found a [1mserver\n", ""]);
});

Deno.test("StepWriter keeps a call on one line of a terminal, its result whole", async () => {
  const calls = [{ name: "echo", arguments: { text: `数据库 ${"x".repeat(90)}` } }];
  const model = () => new ScriptedModel({ calls }, { text: "ok" });
  assertEquals([
    await written(model(), { look: { fit: (what, beside) => fitCall(what, beside, 40) } }),
    await written(model(), { look: { fit: (what, beside) => fitCall(what, beside, 20) } }),
  ], [
    "[Step 1/15] echo 数据库 xxxxx… → echoed\n",
    "[Step 1/15] echo 数据库… → echoed\n",
  ]);
});

Deno.test("StepWriter shows what calls brought back where that is wanted", async () => {
  const tool = fakeTool({
    run: () =>
      Promise.resolve({
        ok: true,
        data: { stdout: "one\n\u001b[31mtwo\n", exit_code: 0 },
        summary: "2 lines",
      }),
  });
  assertEquals(
    await written(new ScriptedModel(ECHO, { text: "ok" }), {
      ports: { tools: [tool] },
      look: { verbose: true },
    }),
    "[Step 1/15] echo hi → 2 lines\n  │ stdout:\n  │ one\n  │ [31mtwo\n  │ exit_code: 0\n",
  );
});

Deno.test("StepWriter marks what failed where there are styles", async () => {
  const ports = { judge: judgeAll("deny") };
  const text = await written(new ScriptedModel(ECHO, { text: "No." }), {
    ports,
    look: { styles: createStyles(true) },
  });
  assertEquals(text.startsWith("\x1b[2m[Step 1/15] \x1b[22mecho hi\x1b[31m → denied"), true);
});

/** A turn that says something, fails, and is asked for again. */
const RETRIED: ScriptedTurn = async function* () {
  yield { type: "text", text: "Hel" };
  const error = { code: "server_error", message: "The server answered 500: Boom" } as const;
  yield { type: "retry", attempt: 1, of: 3, waitMs: 1500, error };
  yield { type: "text", text: "lo." };
  yield {
    type: "turn_finished",
    message: { role: "assistant", content: "Hello.", calls: [] },
    finishReason: "stop",
    usage: { inputTokens: 1, outputTokens: 1 },
  };
};

Deno.test("StepWriter tells of a retry in one line, unless it is to be quiet", async () => {
  const lines = [
    await written(new ScriptedModel(RETRIED)),
    await written(new ScriptedModel(RETRIED), { quiet: true }),
  ];
  assertEquals(lines, ["rein: The server answered 500: Boom; retry 1 of 3 in 2 s\n", ""]);
});
