import { assertEquals } from "@std/assert";
import { createReadOutput, type ReadOutputArgs } from "../../tools/read_output.ts";
import type { Results } from "../../lib/results/results.ts";
import { CONTEXT, fakeResults, NEVER } from "../fakes.ts";

/** Results of a run that has cut one output of 1,000 lines, of which one is long. */
function resultsWith(text: string): Results {
  const results = fakeResults();
  const collector = results.collect({ field: "stdout", limit: { head: 10, tail: 10 }, raw: true });
  collector.push(text);
  collector.finish();
  return results;
}

const LINES = Array.from({ length: 1000 }, (_, at) => `line ${at + 1}\n`).join("");

/** What reading brings, as a model gets it. */
async function read(
  args: Omit<ReadOutputArgs, "id">,
  text = LINES,
  id = "out1",
): Promise<Readonly<Record<string, unknown>>> {
  const results = resultsWith(text);
  const tool = createReadOutput(results.outputs);
  const context = { ...CONTEXT, signal: NEVER, collect: results.collect };
  const { status, data, error, truncated } = results.observe(
    await tool.run({ id, ...args }, context),
    tool.limits,
  );
  return status === "success" ? { ...data, cuts: truncated.length } : { ...error };
}

Deno.test("read_output gives a range of lines, and says of how many", async () => {
  assertEquals(await read({ start_line: 500, end_line: 502 }), {
    content: "line 500\nline 501\nline 502\n",
    start_line: 500,
    end_line: 502,
    total_lines: 1000,
    cuts: 0,
  });
});

Deno.test("read_output gives the last lines", async () => {
  assertEquals(await read({ tail: 2 }), {
    content: "line 999\nline 1000\n",
    start_line: 999,
    end_line: 1000,
    total_lines: 1000,
    cuts: 0,
  });
});

Deno.test("read_output finds lines with their numbers", async () => {
  assertEquals(await read({ pattern: "LINE 7.7$", ignore_case: true }), {
    matches: [707, 717, 727, 737, 747, 757, 767, 777, 787, 797].map((n) => `${n}: line ${n}\n`)
      .join(""),
    total_matches: 10,
    cuts: 0,
  });
});

Deno.test("read_output lists the first matches and counts the rest", async () => {
  const found = await read({ pattern: "line" });
  assertEquals([found["listed"], found["total_matches"]], [
    "The first 50 are listed.",
    1000,
  ]);
});

Deno.test("read_output gives a piece of a long line", async () => {
  const long = `${"中".repeat(50_000)}END\n`;
  assertEquals(await read({ start_char: 49_999 }, long), {
    content: "中END\n",
    start_char: 49_999,
    end_char: 50_004,
    total_chars: 50_004,
    cuts: 0,
  });
});

Deno.test("read_output parts no surrogate pair at either end of a piece", async () => {
  const piece = await read({ start_char: 1 }, `${"😀".repeat(20_000)}\n`);
  assertEquals(piece, {
    content: "😀".repeat(2999),
    start_char: 2,
    end_char: 6000,
    total_chars: 40_001,
    cuts: 0,
  });
});

Deno.test("read_output asks for less where even the range is too long", async () => {
  const results = resultsWith(LINES.repeat(5));
  const tool = createReadOutput(results.outputs);
  const args = { id: "out1", start_line: 1, end_line: 4000 };
  const outcome = await tool.run(args, { ...CONTEXT, collect: results.collect });
  assertEquals(
    outcome.ok && outcome.truncated?.map(({ field, read_on }) => [field, read_on]),
    [["content", "Ask for a shorter range of lines."]],
  );
  assertEquals(results.outputs.ids(), ["out1"]);
});

Deno.test("read_output says what is wrong with a call", async () => {
  const wrong = await Promise.all([
    read({}, LINES, "out9"),
    read({ tail: 1, pattern: "x" }),
    read({ start_line: 9, end_line: 3 }),
    read({ start_line: 5000 }),
    read({ start_char: 50_000 }),
    read({ pattern: "(?=x)" }),
  ]);
  assertEquals(wrong.map((error) => [error["code"], error["hint"]]), [
    ["not_found", "There are out1; older ones had to make room."],
    ["invalid_arguments", "Name one of them."],
    ["invalid_arguments", "Give a range that goes forward."],
    ["beyond_end", "Ask for lines 1 to 1000."],
    ["beyond_end", "Ask for a place before 8893."],
    ["invalid_pattern", "Use RE2 syntax: no look-around, no back-references."],
  ]);
});

Deno.test("read_output ends when the call is interrupted", async () => {
  const results = resultsWith(LINES);
  const context = { ...CONTEXT, signal: AbortSignal.abort("stop"), collect: results.collect };
  const reading = createReadOutput(results.outputs).run({ id: "out1" }, context);
  assertEquals(await reading.catch((reason) => reason), "stop");
});
