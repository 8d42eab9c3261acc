import { assertEquals } from "@std/assert";
import { failedResult } from "../../lib/cli/render.ts";
import { SCHEMAS } from "../../lib/cli/schemas.ts";
import { eventFaults, resultFaults } from "../_schemas.ts";

const RESULT = failedResult("run1", { code: "usage", message: "No question", hint: "Ask." }, null);

const EVENT = { schema: "rein-event/1", at: "2026-11-29T12:00:00.000Z", run_id: "run1", step: 0 };

Deno.test("SCHEMAS admit the result of what failed before a run", () => {
  assertEquals(resultFaults(RESULT), []);
  assertEquals(eventFaults({ ...EVENT, type: "run_finished", result: RESULT }), []);
});

Deno.test("SCHEMAS refuse results that lack a field, have one too many or a wrong one", () => {
  const { error: _, ...lacking } = RESULT;
  const wrong = [lacking, { ...RESULT, extra: 1 }, { ...RESULT, stop_reason: "tired" }, null];
  assertEquals(wrong.map((result) => resultFaults(result).length > 0), wrong.map(() => true));
});

Deno.test("SCHEMAS refuse events that are unknown or lack what is theirs", () => {
  const wrong = [
    { ...EVENT, type: "step_started" },
    { ...EVENT, type: "coffee" },
    { ...EVENT, type: "text_delta", text: "x", more: 1 },
    { type: "text_delta", text: "x" },
  ];
  assertEquals(wrong.map((event) => eventFaults(event).length > 0), wrong.map(() => true));
});

Deno.test("SCHEMAS are JSON, each with its dialect and title", () => {
  assertEquals(JSON.parse(JSON.stringify(SCHEMAS)), SCHEMAS);
  const heads = Object.entries(SCHEMAS).map(([name, schema]) => {
    const { $schema, title } = JSON.parse(JSON.stringify(schema));
    return [name, $schema, title];
  });
  const draft7 = "http://json-schema.org/draft-07/schema#";
  const dialect = "https://json-schema.org/draft/2020-12/schema";
  assertEquals(heads, [
    ["agent-file", draft7, "rein agent file"],
    ["agents", dialect, "rein agents: a directory of business agents"],
    ["audit", dialect, "rein-audit/1: a line of the audit log"],
    ["batch", dialect, "rein-result/1 with an id: a line of rein batch"],
    ["config", draft7, "rein configuration"],
    ["debug", dialect, "rein-debug/1: a line of a debug file"],
    ["event", dialect, "rein-event/1: a line of --output jsonl"],
    ["policy", draft7, "rein policy"],
    ["result", dialect, "rein-result/1: what --output json prints"],
    ["result-envelope", dialect, "agent-result/1.0: the result of a business agent's task"],
    ["task", dialect, "agent-task/1.0: a task for a business agent"],
  ]);
});
