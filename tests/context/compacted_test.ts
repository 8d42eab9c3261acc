import { assertEquals } from "@std/assert";
import type { Digest } from "../../lib/events.ts";
import { compacted, type CompactionBody } from "../../lib/record.ts";
import { EventLog } from "../_events.ts";

const FACT = { text: "web-1 is down", call: "c1", step: 1 };

function digestOf(decision: string): Digest {
  return { facts: [FACT], decisions: [decision], open: [] };
}

function bodyOf(overrides: Partial<CompactionBody> = {}): CompactionBody {
  return {
    type: "context_compacted",
    cause: "high_water",
    window: 8000,
    tokens_before: 7000,
    tokens_after: 3000,
    condensed_through: 3,
    summarised_through: 0,
    round_tokens: 900,
    by: null,
    digest: null,
    facts: [],
    facts_left: 0,
    digests_shown: 0,
    usage: null,
    ...overrides,
  };
}

/** A session with two tasks: entries 1 to 3, and 4 to 6. */
function twoTasks(): EventLog {
  return new EventLog().task("one").step().turn("", ["c1"]).call("c1").step().turn("So.")
    .stopped("answered").task("two").step().turn("", ["c2"]).call("c2").step().turn("", ["c3"])
    .call("c3");
}

function numbersOf({ record }: EventLog): number[] {
  return record.entries.map(({ number }) => number);
}

Deno.test("compacted() takes the rounds and the earlier task, and leaves the present one", () => {
  const log = twoTasks();
  assertEquals(numbersOf(log), [1, 2, 3, 4, 5, 6]);
  log.add(bodyOf({ summarised_through: 5 }));
  assertEquals(numbersOf(log), [4, 6]);
  assertEquals([log.record.compaction.summarisedThrough, log.record.taskEntry], [5, 4]);
});

Deno.test("compacted() takes nothing where nothing was summarised, and notes what was shortened", () => {
  const log = twoTasks().add(bodyOf());
  assertEquals(numbersOf(log), [1, 2, 3, 4, 5, 6]);
  assertEquals(log.record.compaction, {
    window: null,
    roundTokens: 900,
    condensedThrough: 3,
    summarisedThrough: 0,
    digests: [],
    facts: [],
    factsLeft: 0,
    count: 1,
  });
});

Deno.test("compacted() keeps the digests that are still shown, the newest last", () => {
  const log = twoTasks();
  const shown = [1, 2, 2, 1].map((digests_shown, index) => {
    const digest = digestOf(`decision ${index}`);
    log.add(bodyOf({ by: "model", digest, digests_shown }));
    return log.record.compaction.digests.flatMap(({ decisions }) => decisions);
  });
  assertEquals(shown, [
    ["decision 0"],
    ["decision 0", "decision 1"],
    ["decision 1", "decision 2"],
    ["decision 3"],
  ]);
});

Deno.test("compacted() keeps the digests it has where more are said to be shown, or none come", () => {
  const log = twoTasks().add(bodyOf({ digest: digestOf("a"), digests_shown: 9 }));
  log.add(bodyOf({ digests_shown: 1 }));
  assertEquals(log.record.compaction.digests, [digestOf("a")]);
  log.add(bodyOf({ digests_shown: 0 }));
  assertEquals(log.record.compaction.digests, []);
});

Deno.test("compacted() learns the window from a refusal alone", () => {
  const log = twoTasks().add(bodyOf({ window: 8000 }));
  assertEquals(log.record.compaction.window, null);
  log.add(bodyOf({ cause: "refused", window: 4000 })).add(bodyOf({ window: 4000 }));
  assertEquals(log.record.compaction.window, 4000);
});

Deno.test("compacted() counts what a summary took, as any request of the run", () => {
  const log = twoTasks();
  const { inputTokens, answers } = log.record;
  const usage = { input_tokens: 700, output_tokens: 50, estimated: true };
  log.add(bodyOf({ usage }));
  const { record } = log;
  assertEquals([record.inputTokens - inputTokens, record.answers - answers, record.estimated], [
    700,
    1,
    true,
  ]);
});

Deno.test("compacted() changes nothing of the conversation that it is given", () => {
  const { record } = twoTasks();
  const before = structuredClone(record.compaction);
  const after = compacted(record, bodyOf({ summarised_through: 5, facts: [FACT], facts_left: 2 }));
  assertEquals([record.entries.length, record.compaction], [6, before]);
  assertEquals([after.entries.length, after.compaction.facts, after.compaction.factsLeft], [2, [
    FACT,
  ], 2]);
});
