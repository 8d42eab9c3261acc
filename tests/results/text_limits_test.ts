import { assertEquals } from "@std/assert";
import { withTextLimits } from "../../lib/results/text_limits.ts";
import { CONTEXT, fakeTool } from "../fakes.ts";

const LONG = "0123456789".repeat(100);

/** A tool that collects one text with a limit of its own. */
const tool = fakeTool({
  run: (_args, context) => {
    const collector = context.collect({
      field: "text",
      limit: { head: 100, tail: 100 },
      raw: false,
    });
    collector.push(LONG);
    const { text, truncated } = collector.finish();
    return Promise.resolve({ ok: true, data: { text }, summary: "", truncated });
  },
});

Deno.test("withTextLimits() puts the set limit in place of the tool's own", async () => {
  const limited = withTextLimits(tool, { echo: { text: { head: 5, tail: 3 } } });
  const outcome = await limited.run({}, CONTEXT);
  const cut = outcome.ok ? outcome.truncated?.map((one) => one.omitted_chars) : null;
  assertEquals([cut, limited.limits], [[992], {}]);
});

Deno.test("withTextLimits() sets the limit of a field that is cut afterwards", () => {
  const own = fakeTool({ limits: { a: { head: 9, tail: 9 }, b: { head: 9, tail: 9 } } });
  const { limits } = withTextLimits(own, { echo: { a: { head: 1, tail: 1 } } });
  assertEquals(limits, { a: { head: 1, tail: 1 }, b: { head: 9, tail: 9 } });
});

Deno.test("withTextLimits() leaves a tool alone for which nothing is set", () => {
  assertEquals(withTextLimits(tool, { other: { text: { head: 1, tail: 1 } } }) === tool, true);
});
