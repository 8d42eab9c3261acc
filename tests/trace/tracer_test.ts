import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Event } from "../../lib/events.ts";
import { english } from "../../lib/messages/messages.ts";
import { compositionOf } from "../../lib/trace/composition.ts";
import { pageOf } from "../../lib/trace/page/page.ts";
import { countsOf, elapsedMs } from "../../lib/trace/traced_run.ts";
import { tracedRuns, Tracer } from "../../lib/trace/tracer.ts";
import { treeLines } from "../../lib/cli/trace_tree.ts";
import { brought, incident, judged, NOON, Story } from "./_story.ts";

const EMPTY_STEP = {
  content: "",
  reasoning: null,
  usage: null,
  retries: 0,
  compactions: [],
  calls: [],
  closing: false,
};

Deno.test("tracedRuns() has all that a run's events tell", () => {
  const observation = brought({ n: 1 }, "one");
  const evaluation = judged("allow", "x", "ops.read");
  const call = { id: "c1", tool: "t", brief: "x", arguments: { a: 1 }, observation, evaluation };
  const { events } = new Story("r").begin("Do it").step("I look.", [call], [100, 10])
    .turn("So far.", { tokens: [200, 20], ms: 50, closing: true, reasoning: "Hm." });
  assertEquals(tracedRuns(events), [{
    runId: "r",
    session: "story",
    traceId: null,
    task: "Do it",
    model: "gpt-4o",
    startedMs: NOON,
    lastMs: NOON + 1078,
    facts: [],
    result: null,
    steps: [{
      ...EMPTY_STEP,
      step: 1,
      startedMs: NOON + 5,
      answeredMs: NOON + 905,
      content: "I look.",
      usage: { input_tokens: 100, output_tokens: 10, estimated: false },
      calls: [{
        id: "c1",
        tool: "t",
        brief: "x",
        arguments: { a: 1 },
        evaluation,
        approval: null,
        observation,
        startedMs: NOON + 908,
        ms: 120,
        tasks: [],
      }],
    }, {
      ...EMPTY_STEP,
      step: 1,
      startedMs: NOON + 1028,
      answeredMs: NOON + 1078,
      content: "So far.",
      reasoning: "Hm.",
      usage: { input_tokens: 200, output_tokens: 20, estimated: false },
      closing: true,
    }],
  }]);
});

Deno.test("tracedRuns() counts requests that were made again, and keeps facts and compactions", () => {
  const error = { code: "overloaded", message: "Busy" };
  const fact = { text: "It is so.", call: null, step: 0 };
  const { events } = new Story("r").begin("Do it").step("", [], [1, 1])
    .add({ type: "model_retried", attempt: 1, of: 3, wait_ms: 5, error })
    .compact(900, 300, [fact]);
  const [run] = tracedRuns(events);
  const [step] = run?.steps ?? [];
  assertEquals(
    [run?.facts, step?.retries, step?.compactions.map((each) => each.tokensAfter)],
    [[fact], 1, [300]],
  );
});

Deno.test("tracedRuns() reads a session's runs apart, with their counts and times", () => {
  const second = new Story("run-2").begin("And now?").step("", [], [5, 5]).events;
  const runs = tracedRuns([...incident(), ...second]);
  assertEquals(
    runs.map((run) => [run.runId, countsOf(run), elapsedMs(run)]),
    [
      ["run-1", { steps: 5, calls: 6 }, 9555],
      ["run-2", { steps: 1, calls: 0 }, 905],
    ],
  );
});

Deno.test("tracedRuns() knows the tasks that a call gave away", () => {
  const calls = tracedRuns(incident()).flatMap(({ steps }) => steps.flatMap((step) => step.calls));
  assertEquals(calls.flatMap(({ tasks }) => tasks), [
    {
      taskId: "t-1",
      agent: "payments",
      intent: "examine",
      status: "success",
      error: null,
      latencyMs: 1800,
      runs: [],
    },
    {
      taskId: "t-2",
      agent: "orders",
      intent: "examine",
      status: "failed",
      error: { code: "timeout", message: "No answer in 30 s" },
      latencyMs: 1800,
      runs: [],
    },
  ]);
});

Deno.test("Tracer tells of each event what is new by it", () => {
  const tracer = new Tracer();
  const told = incident().map((event) => tracer.take(event)?.what ?? null);
  assertEquals(told.filter((what) => what !== null), [
    ...["began", "answered", "called", "called", "answered", "called", "called", "answered"],
    ...["called", "compacted", "answered", "called", "answered", "ended"],
  ]);
});

Deno.test("a session that lost any of its events, or has them in any order, is traced all the same", () => {
  const events = incident();
  const strange = { ...events[0], type: "of_a_newer_rein" } as unknown as Event;
  const all = [...events, strange, { ...strange, at: "never", type: "step_started" } as Event];
  const some = fc.shuffledSubarray(all, { minLength: 1 });
  const kept = fc.subarray(all, { minLength: 1 });
  const shown = fc.property(fc.oneof(kept, some), (left) => {
    const runs = tracedRuns(left);
    assertEquals(runs.length, left.filter(({ type }) => type === "run_started").length);
    for (const run of runs) {
      treeLines(run, { say: english, columns: 80 });
      compositionOf(run);
    }
    pageOf({ session: "s", runs }, { say: english, timeText: String });
  });
  fc.assert(shown, { numRuns: 100 });
});
