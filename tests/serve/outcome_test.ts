import { assertEquals } from "@std/assert";
import type { RunResult } from "../../lib/events.ts";
import { costOf, envelopeOf, outcomeOf } from "../../lib/serve/outcome.ts";
import type { Json } from "../../lib/types.ts";
import { runOf, taskOf } from "./_tasks.ts";

function outcome(rest: Partial<RunResult>, lastWords: Json = null, late = false) {
  return outcomeOf({ kind: "ran", run: runOf(rest), late, lastWords });
}

const ENDING = { why: "calls were denied", done: ["[1] run_shell rm x → denied"], obtained: [] };

/** A run that ended without an answer. */
function unfinished(rest: Partial<RunResult>): Partial<RunResult> {
  const ending = { ...ENDING, left: [], resume: null };
  return { status: "unfinished", data: null, answer: null, ending, ...rest };
}

Deno.test("outcomeOf() takes an answer as success", () => {
  assertEquals(outcome({}), { status: "success", data: { summary: "Done." }, error: null });
});

Deno.test("outcomeOf() takes a bound with something obtained as partial success", () => {
  const fact = { text: "The disk is full", call: "c1", step: 1 };
  const run = unfinished({ stop_reason: "step_limit", answer: "So far: full.", facts: [fact] });
  assertEquals(outcome(run), {
    status: "partial_success",
    data: { summary: "So far: full.", top_items: ["The disk is full"] },
    error: {
      code: "step_limit",
      message: "The task was not finished: calls were denied",
      retriable: false,
    },
  });
  const words = { summary: "Full.", top_items: [] };
  assertEquals(outcome(run, words).data, words);
});

Deno.test("outcomeOf() takes a bound with nothing obtained as failure", () => {
  const ended = outcome(unfinished({ stop_reason: "blocked" }));
  assertEquals([ended.status, ended.data, ended.error?.code], ["failed", null, "denied"]);
});

Deno.test("outcomeOf() says which failures may pass", () => {
  const codes = (["time_limit", "cost_limit", "repeating"] as const).map((stop_reason) => {
    const { error } = outcome(unfinished({ stop_reason }));
    return [error?.code, error?.retriable];
  });
  assertEquals(codes, [["timeout", true], ["cost_limit", false], ["repeating", false]]);
  const model = (code: string) =>
    outcome(unfinished({ stop_reason: "model_error", error: { code, message: "No", hint: "" } }));
  assertEquals(model("unreachable").error, {
    code: "model_unreachable",
    message: "No",
    retriable: true,
  });
  assertEquals(model("unauthorized").error?.retriable, false);
});

Deno.test("outcomeOf() builds nothing on what does not fit the schema", () => {
  const error = { code: "schema_unmet", message: "It does not fit", hint: "" };
  const ended = outcome(unfinished({ stop_reason: "schema_unmet", answer: "text", error }));
  assertEquals(ended, {
    status: "failed",
    data: null,
    error: { code: "schema_unmet", message: "It does not fit", retriable: false },
  });
});

Deno.test("outcomeOf() calls it a timeout where the task's own time was over", () => {
  const ended = outcome(unfinished({ stop_reason: "interrupted" }), null, true);
  assertEquals([ended.status, ended.error?.code, ended.error?.retriable], [
    "failed",
    "timeout",
    true,
  ]);
});

Deno.test("envelopeOf() puts summary and top items first and hands the trace back", () => {
  const data = { z: 1, top_items: [], summary: "Done." };
  const told = { status: "success", data, error: null } as const;
  const task = taskOf("t-1", { trace_id: "q-1" });
  const envelope = envelopeOf(task, told, costOf(runOf(), 12.4));
  assertEquals(
    JSON.stringify(envelope),
    '{"task_id":"t-1","protocol":"agent-result/1.0","status":"success",' +
      '"data":{"summary":"Done.","top_items":[],"z":1},"error":null,' +
      '"cost":{"input_tokens":10,"output_tokens":5,"latency_ms":12},"trace_id":"q-1"}',
  );
});
