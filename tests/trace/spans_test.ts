import { assertEquals } from "@std/assert";
import { run, type RunPorts } from "../../lib/loop.ts";
import { type Span, spanIdOf, SpanRecorder } from "../../lib/trace/spans.ts";
import { ModelError } from "../../lib/types.ts";
import { fakeRunPorts, fakeTool, judgeAll, NEVER, play, ScriptedModel } from "../fakes.ts";

/** The spans of a run. */
async function spansOf(model: ScriptedModel, overrides: Partial<RunPorts> = {}): Promise<Span[]> {
  let count = 0;
  const recorder = new SpanRecorder(() => `span${++count}`);
  const { events } = await play(run({ task: "Say hello" }, fakeRunPorts(model, overrides), NEVER));
  for (const event of events) recorder.event(event);
  return [...recorder.take()];
}

/** Which span is in which, with what went wrong. */
function tree(spans: readonly Span[]): string[] {
  const name = (id: string | null) => spans.find((span) => span.id === id)?.name ?? id;
  return spans.map(({ name: own, parentId, error }) =>
    `${own} < ${name(parentId)}${error === null ? "" : `: ${error}`}`
  );
}

const ECHO = { calls: [{ name: "echo", arguments: { text: "hi" }, id: "c1" }] };

Deno.test("SpanRecorder makes spans of a run, its steps, requests and calls, each in the other", async () => {
  const spans = await spansOf(new ScriptedModel(ECHO, { text: "Hello." }), { tools: [fakeTool()] });
  assertEquals(tree(spans), [
    "chat scripted < step 1",
    "execute_tool echo < step 1",
    "step 1 < invoke_agent rein",
    "chat scripted < step 2",
    "step 2 < invoke_agent rein",
    "invoke_agent rein < null",
  ]);
});

Deno.test("SpanRecorder names what it tells as the conventions do, and tells no text", async () => {
  const spans = await spansOf(new ScriptedModel(ECHO, { text: "Hello." }), { tools: [fakeTool()] });
  assertEquals(spans.map(({ kind, attributes }) => ({ kind, ...attributes })).slice(0, 2), [
    {
      kind: "client",
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "scripted",
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.output_tokens": 5,
      "gen_ai.response.finish_reasons": ["tool_calls"],
    },
    {
      kind: "internal",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "echo",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": "c1",
      "rein.status": "success",
      "rein.decision": "allow",
    },
  ]);
  assertEquals(JSON.stringify(spans).match(/Hello|hi"/), null);
});

Deno.test("SpanRecorder ends a span with what went wrong", async () => {
  const denied = await spansOf(new ScriptedModel(ECHO, { text: "No." }), {
    tools: [fakeTool()],
    judge: judgeAll("deny"),
  });
  const error = new ModelError("unauthorized", "No key", { hint: "" });
  const failed = await spansOf(new ScriptedModel(error));
  assertEquals([tree(denied).filter((line) => line.includes(": ")), tree(failed)], [
    ["execute_tool echo < step 1: denied_by_policy", "invoke_agent rein < null: blocked"],
    [
      "chat scripted < step 1: unauthorized",
      "step 1 < invoke_agent rein",
      "invoke_agent rein < null: unauthorized",
    ],
  ]);
});

Deno.test("SpanRecorder makes a span of each task that a call gave away", async () => {
  const tasks = [
    {
      task_id: "t-0123456789abcdef",
      agent: "orders",
      intent: "status",
      status: "success",
      cost: { latency_ms: 0 },
    },
    { agent: "alerts", intent: "list", status: "failed", error: { code: "timeout" } },
  ];
  const tool = fakeTool({
    run: () => Promise.resolve({ ok: true, data: { tasks }, summary: "2 tasks" }),
  });
  const spans = await spansOf(new ScriptedModel(ECHO, { text: "Hello." }), { tools: [tool] });
  assertEquals(tree(spans).filter((line) => line.includes("< execute_tool")), [
    "invoke_agent orders < execute_tool echo",
    "invoke_agent alerts < execute_tool echo: timeout",
  ]);
  assertEquals(spans.find(({ name }) => name === "invoke_agent orders")?.id, "0123456789abcdef");
});

Deno.test("spanIdOf() makes the same id of a task on both ends, or none", () => {
  assertEquals(
    ["task-00ff0123456789abcdef", "short", "0000000000000000"].map(spanIdOf),
    ["0123456789abcdef", null, null],
  );
});
