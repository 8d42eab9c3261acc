import { assertEquals } from "@std/assert";
import { createRecorder } from "../../lib/cli/run_session.ts";
import type { EventBody } from "../../lib/events.ts";
import type { AppendOptions, Session } from "../../lib/session/store.ts";
import type { Event } from "../../lib/events.ts";
import type { Decision, Evaluation } from "../../lib/types.ts";
import { DONE } from "../_events.ts";

function judged(decision: Decision, rule: string): Evaluation {
  const match = { rule, decision, reason: "", suggest: null, matched: "x", span: null };
  return { decision, parts: [{ text: "x", span: null, decision, matches: [match] }] };
}

/** How the events of a call are stored. */
async function stored(tool: string, evaluation: Evaluation): Promise<string[]> {
  const told: string[] = [];
  const append = (event: Event, { durable, withNext }: AppendOptions) =>
    told.push(`${event.type}${durable ? " durable" : ""}${withNext ? " with next" : ""}`);
  const record = createRecorder(
    { append } as unknown as Session,
    (name) => name === "read_file" ? "read" : "execute",
  );
  const about = { call_id: "c1", tool };
  const bodies: EventBody[] = [
    { type: "step_started", max_steps: 15, progress: "" },
    { type: "call_proposed", ...about, arguments: "{}" },
    { type: "call_judged", ...about, evaluation },
    { type: "call_started", ...about, brief: "x" },
    {
      type: "call_finished",
      ...about,
      brief: "x",
      arguments: {},
      decision: evaluation.decision,
      observation: DONE,
      ms: 1,
    },
  ];
  const base = { schema: "rein-event/1", at: "2026-11-29T12:00:00.000Z", run_id: "r", step: 1 };
  for (const body of bodies) await record({ ...base, ...body } as Event);
  return told;
}

const BEFORE = ["step_started with next", "call_proposed with next", "call_judged with next"];

Deno.test("createRecorder() stores a change before it begins, and waits for the disk", async () => {
  for (const evaluation of [judged("ask", "ops.delete"), judged("allow", "user.append")]) {
    assertEquals(await stored("run_shell", evaluation), [
      ...BEFORE,
      "call_started durable",
      "call_finished",
    ]);
  }
});

Deno.test("createRecorder() does not wait for the disk before what only reads", async () => {
  const reading = [...BEFORE, "call_started", "call_finished"];
  assertEquals(await stored("run_shell", judged("allow", "reading.files")), reading);
  assertEquals(await stored("read_file", judged("allow", "default.read")), reading);
});
