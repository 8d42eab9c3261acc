import { assertEquals } from "@std/assert";
import { type ComparedCall, Repetition } from "../lib/repetition.ts";
import { failed } from "../lib/results/observe.ts";
import type { JsonObject, Observation } from "../lib/types.ts";
import { DENIED } from "./_events.ts";
import { fakeResults } from "./fakes.ts";

function brought(data: JsonObject): Observation {
  return fakeResults().observe({ ok: true, data, summary: "" }, {});
}

const SAME = brought({ n: 1 });

/** How often each call has been seen as it is added, a step each. */
function timesOf(calls: readonly Omit<ComparedCall, "step">[]): number[] {
  const repetition = new Repetition();
  return calls.map((call, step) => {
    const times = repetition.timesOf({ ...call, step });
    repetition.add({ ...call, step });
    return times;
  });
}

function echo(args: JsonObject, observation = SAME): Omit<ComparedCall, "step"> {
  return { tool: "echo", arguments: args, observation };
}

/** Calls of which each is one letter. */
function letters(text: string): Omit<ComparedCall, "step">[] {
  return [...text].map((letter) => echo({ text: letter }));
}

Deno.test("Repetition leaves out the order of keys, white space and cosmetic fields", () => {
  assertEquals(
    timesOf([
      echo({ command: "ls  -l", limit: 3 }),
      echo({ limit: 3, command: " ls -l\n", reason: "once more" }),
      echo({ limit: 3, command: "ls -l", description: "to be sure" }),
    ]),
    [1, 2, 3],
  );
});

Deno.test("Repetition tells calls apart by tool, arguments and result", () => {
  const other = { tool: "other", arguments: { a: 1 }, observation: SAME };
  const calls = [echo({ a: 1 }), echo({ a: 2 }), echo({ a: 1 }, brought({ n: 2 })), other];
  assertEquals(timesOf(calls), [1, 1, 1, 1]);
});

Deno.test("Repetition leaves out how long a call took and where its output is kept", () => {
  const first = brought({ ms: 3, stdout: "x [read_output with id out1]" });
  const second = brought({ ms: 4, stdout: "x [read_output with id out2]" });
  assertEquals(timesOf([echo({}, first), echo({}, second)]), [1, 2]);
});

Deno.test("Repetition sees that calls alternate", () => {
  assertEquals(timesOf(letters("ABABAB")), [1, 1, 2, 2, 3, 3]);
  assertEquals(timesOf(letters("ABCABCABC")), [1, 1, 1, 2, 2, 2, 3, 3, 3]);
});

Deno.test("Repetition forgets a call that six others came after", () => {
  assertEquals(timesOf(letters("A12345A")).at(-1), 2);
  assertEquals(timesOf(letters("A123456A")).at(-1), 1);
});

Deno.test("Repetition counts denied and failed calls", () => {
  assertEquals(timesOf([echo({}, DENIED), echo({}, DENIED), echo({}, DENIED)]), [1, 2, 3]);
});

Deno.test("Repetition takes a tool that does not exist for the same mistake each time", () => {
  const error = { code: "unknown_tool", message: "No", hint: "", retriable: false };
  const unknown = (args: JsonObject) => echo(args, failed("error", error));
  assertEquals(timesOf([unknown({ a: 1 }), unknown({ b: 2 })]), [1, 2]);
});

Deno.test("Repetition counts calls of one turn once: the model has not seen their results", () => {
  const repetition = new Repetition();
  for (let call = 0; call < 5; call++) repetition.add({ ...echo({}), step: 1 });
  assertEquals([repetition.timesOf({ ...echo({}), step: 2 }), repetition.tooOften], [2, false]);
});

Deno.test("Repetition is no matter of the same tool over many files", () => {
  const reads = Array.from({ length: 40 }, (_, file) => echo({ path: `${file}.txt` }));
  assertEquals(timesOf(reads), reads.map(() => 1));
});
