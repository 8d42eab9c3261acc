import { assertEquals } from "@std/assert";
import type { Event } from "../../lib/events.ts";
import { outlineOf } from "../../lib/session/outline.ts";
import { ended, eventOf, started, turn } from "./_sessions.ts";

/** An event of a kind that this rein does not know, or with fields of another shape. */
function strange(fields: { readonly [name: string]: unknown }): Event {
  return { ...turn(1), ...fields } as unknown as Event;
}

const CALL = { call_id: "c1", tool: "run_shell" };
const LISTED = { status: "success", data: null, error: null, truncated: [], summary: "2 lines" };

Deno.test("outlineOf() tells each run with its calls, facts and answer", () => {
  const events = [
    started("find it"),
    eventOf({ type: "call_proposed", ...CALL, arguments: "{}" }, 1),
    eventOf({ type: "call_started", ...CALL, brief: "ls" }, 1),
    eventOf(
      {
        type: "call_finished",
        ...CALL,
        brief: "ls",
        arguments: {},
        decision: "allow",
        observation: { ...LISTED, status: "success" },
        ms: 12,
      },
      1,
    ),
    strange({
      type: "context_compacted",
      step: 1,
      facts: [{ text: "the disk is full", call: "c1", step: 1 }],
    }),
    eventOf({ type: "call_started", call_id: "c1", tool: "run_shell", brief: "rm x" }, 2),
    ended("step_limit"),
    started("go on", "run2"),
  ];
  const call = { id: "c1", tool: "run_shell" };
  assertEquals(outlineOf(events), [
    {
      run_id: "run1",
      task: "find it",
      model: "scripted",
      state: "step_limit",
      steps: 2,
      calls: [
        { ...call, step: 1, brief: "ls", status: "success", summary: "2 lines", ms: 12 },
        { ...call, step: 2, brief: "rm x", status: "unfinished", summary: "", ms: null },
      ],
      facts: [{ text: "the disk is full", call: "c1", step: 1 }],
      answer: "42",
    },
    {
      run_id: "run2",
      task: "go on",
      model: "scripted",
      state: "running",
      steps: 0,
      calls: [],
      facts: [],
      answer: null,
    },
  ]);
});

Deno.test("outlineOf() bears events of other kinds and shapes, and a lost beginning", () => {
  const events = [
    strange({ type: "mood_changed", mood: 1 }),
    strange({ type: "context_compacted", facts: "none" }),
    strange({ type: "context_compacted", facts: [null, { text: 7 }] }),
    strange({ type: "call_finished", call_id: 3, observation: null }),
    strange({ type: "run_finished", result: null }),
  ];
  assertEquals(outlineOf(events), [{
    run_id: "run1",
    task: "",
    model: "",
    state: "failed",
    steps: 1,
    calls: [{ id: "", step: 1, tool: "", brief: "", status: "", summary: "", ms: 0 }],
    facts: [{ text: "", call: "", step: 0 }, { text: "", call: "", step: 0 }],
    answer: null,
  }]);
});
