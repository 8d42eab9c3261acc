import { assertEquals } from "@std/assert";
import { compositionOf } from "../../lib/trace/composition.ts";
import { tracedRuns } from "../../lib/trace/tracer.ts";
import { brought, incident, Story } from "./_story.ts";

const composition = (story: Story) => tracedRuns(story.events).map(compositionOf)[0] ?? [];

Deno.test("compositionOf() counts what comes early once for each request that has it", () => {
  const call = (id: string) => ({
    id,
    tool: "read_file",
    brief: "a",
    arguments: { path: "a" },
    observation: brought({ text: "word ".repeat(100) }, "1 line"),
  });
  const story = new Story("r").begin("Find it").step("", [call("c1")], [1000, 10])
    .step("", [call("c2")], [1200, 10]).step("Done.", [], [1400, 10]);
  const parts = composition(story);
  const times = Object.fromEntries(
    parts.map(({ name, tokens, sent }) => [name, Math.round(10 * sent / tokens) / 10]),
  );
  // The first output is in two later requests, the second in one.
  assertEquals(times["instructions"], 3);
  assertEquals(times["task"], 3);
  assertEquals(times["tool read_file"], 1.5);
  const first = parts.filter(({ name }) => name === "instructions" || name === "task");
  assertEquals(first.reduce((sum, { tokens }) => sum + tokens, 0), 1000);
});

Deno.test("compositionOf() has the largest part first, and none that was never sent", () => {
  const parts = tracedRuns(incident()).map(compositionOf)[0] ?? [];
  assertEquals(
    parts.map(({ sent }) => sent),
    parts.map(({ sent }) => sent).toSorted((a, b) => b - a),
  );
  assertEquals(parts.filter(({ sent }) => sent === 0), []);
  assertEquals(composition(new Story("r").begin("Find it")), []);
});
