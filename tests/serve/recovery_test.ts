import { assertEquals } from "@std/assert";
import type { Event, EventBody } from "../../lib/events.ts";
import { recoveryOf, type StoredCall } from "../../lib/serve/recovery.ts";
import type { Observation } from "../../lib/types.ts";
import { evaluationOf } from "../fakes.ts";
import { runOf } from "./_tasks.ts";

/** Events a second apart. */
function stored(...bodies: readonly EventBody[]): readonly Event[] {
  return bodies.map((body, index) => {
    const at = new Date(Date.UTC(2026, 10, 30) + index * 1000).toISOString();
    return { schema: "rein-event/1", at, run_id: "r1", step: 1, ...body };
  });
}

const STARTED: EventBody = {
  type: "run_started",
  task: "Do it",
  model: { name: "m", source: "s", recorded: false },
  max_steps: 5,
  session: "s1",
  resumed: "no",
};

const PROPOSED: readonly EventBody[] = [
  { type: "call_proposed", call_id: "c1", tool: "run_shell", arguments: '{"command":"x"}' },
  { type: "call_judged", call_id: "c1", tool: "run_shell", evaluation: evaluationOf("allow") },
];

const BEGUN: EventBody = { type: "call_started", call_id: "c1", tool: "run_shell", brief: "x" };

function finished(status: Observation["status"], code: string | null = null): EventBody {
  const error = code === null ? null : { code, message: "", hint: "", retriable: false };
  const observation = { status, data: null, error, truncated: [], summary: "" };
  return {
    type: "call_finished",
    call_id: "c1",
    tool: "run_shell",
    brief: "x",
    arguments: {},
    decision: "allow",
    observation,
    ms: 1,
  };
}

const never = () => false;

Deno.test("recoveryOf() begins a task anew of which nothing is stored", () => {
  assertEquals(recoveryOf([], never), { kind: "fresh", anew: false });
});

Deno.test("recoveryOf() takes the result of a run that had ended", () => {
  const run = runOf();
  const events = stored(STARTED, ...PROPOSED, BEGUN, { type: "run_finished", result: run });
  assertEquals(recoveryOf(events, never), { kind: "ended", run });
});

Deno.test("recoveryOf() goes on where no call is in doubt, and knows the time that is over", () => {
  const sure = [
    stored(STARTED),
    stored(STARTED, ...PROPOSED),
    stored(STARTED, ...PROPOSED, BEGUN, finished("success")),
    stored(STARTED, ...PROPOSED, BEGUN, finished("timeout")),
    stored(STARTED, ...PROPOSED, finished("cancelled", "not_run")),
  ];
  assertEquals(sure.map((events) => recoveryOf(events, never)), [
    { kind: "resume", elapsedMs: 0 },
    { kind: "resume", elapsedMs: 2000 },
    { kind: "resume", elapsedMs: 4000 },
    { kind: "resume", elapsedMs: 4000 },
    { kind: "resume", elapsedMs: 3000 },
  ]);
});

Deno.test("recoveryOf() does not go on where a call may have taken effect", () => {
  const doubtful = [
    stored(STARTED, ...PROPOSED, BEGUN),
    stored(STARTED, ...PROPOSED, BEGUN, finished("cancelled")),
    stored(STARTED, ...PROPOSED, BEGUN, finished("cancelled", "interrupted")),
    // Whoever stopped it in the middle of a call knows no more than a crash does.
    stored(STARTED, ...PROPOSED, BEGUN, finished("cancelled"), {
      type: "run_finished",
      result: runOf({ stop_reason: "interrupted" }),
    }),
  ];
  const unknown = { kind: "unknown", what: "run_shell" } as const;
  assertEquals(doubtful.map((events) => recoveryOf(events, never)), doubtful.map(() => unknown));
});

Deno.test("recoveryOf() goes on after a call that only read, and is told all of that call", () => {
  const seen: StoredCall[] = [];
  const recovery = recoveryOf(stored(STARTED, ...PROPOSED, BEGUN), (call) => {
    seen.push(call);
    return true;
  });
  assertEquals(recovery, { kind: "resume", elapsedMs: 3000 });
  const evaluation = evaluationOf("allow");
  assertEquals(seen, [{ tool: "run_shell", arguments: '{"command":"x"}', evaluation }]);
});

Deno.test("recoveryOf() gives a run that was stopped a time of its own", () => {
  const end: EventBody = { type: "run_finished", result: runOf({ stop_reason: "interrupted" }) };
  assertEquals(recoveryOf(stored(STARTED, end), never), { kind: "resume", elapsedMs: 0 });
});
