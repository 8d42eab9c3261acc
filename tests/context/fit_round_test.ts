import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { estimateText } from "../../lib/context/estimate.ts";
import { cutText, fitRound, shareOut } from "../../lib/context/fit_round.ts";
import { messagesOf, type RoundEntry } from "../../lib/record.ts";
import type { Message } from "../../lib/types.ts";

/** A round with these results, and this said beside its calls. */
function roundOf(results: readonly string[], content = "", args = "{}"): RoundEntry {
  const ids = results.map((_, index) => `c${index + 1}`);
  const done = { step: 1, what: "echo", status: "success", summary: "done" } as const;
  return {
    kind: "round",
    number: 2,
    step: 1,
    message: {
      role: "assistant",
      content,
      calls: ids.map((id) => ({ id, name: "echo", arguments: args })),
    },
    results: new Map(ids.map((id, index) => [id, { content: results[index] ?? "", done }])),
  };
}

const WHOLE = { maxTokens: 1000, condensed: false };

function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1} of the log`).join("\n");
}

/** The arguments of the first call, as they are sent. */
function argumentsOf([said]: readonly Message[]): string {
  return said?.role === "assistant" ? said.calls[0]?.arguments ?? "" : "";
}

function contents(messages: readonly Message[]): string[] {
  return messages.map(({ content }) => content);
}

Deno.test("fitRound() leaves a round within its share as it is", () => {
  const round = roundOf(["short", lines(20)], "I look.");
  assertEquals(fitRound(round, WHOLE), messagesOf(round));
});

Deno.test("fitRound() keeps the beginning and the end of a long result, and says what is missing", () => {
  const [, cut = ""] = contents(fitRound(roundOf([lines(1000)]), { ...WHOLE, maxTokens: 60 }));
  assertEquals(
    cut,
    "line 1 of the log\nline 2 of the log\nline 3 of the l [… 19,791 characters (995 line ends) " +
      "left out here …] f the log\nline 999 of the log\nline 1000 of the log",
  );
});

Deno.test("fitRound() takes from the longest result and leaves short ones whole", () => {
  const [, first, second = ""] = contents(fitRound(roundOf(["short", lines(1000)]), WHOLE));
  assertEquals(first, "short");
  assert(estimateText(second) <= 1000 && estimateText(second) > 800);
});

Deno.test("fitRound() keeps long arguments a JSON object", () => {
  const args = JSON.stringify({ path: "a.txt", content: lines(1000), lines: [1, 2] });
  const { path, content, lines: numbers } = JSON.parse(
    argumentsOf(fitRound(roundOf(["written"], "", args), WHOLE)),
  );
  assertEquals([path, numbers], ["a.txt", [1, 2]]);
  assert(content.startsWith("line 1 of the log\n") && content.endsWith("line 1000 of the log"));
  assert(estimateText(content) <= 520);
});

Deno.test("fitRound() makes an object of long arguments that are none", () => {
  const round = roundOf(["?"], "", `{"content": "${"cut off ".repeat(2000)}`);
  assertEquals(Object.keys(JSON.parse(argumentsOf(fitRound(round, WHOLE)))), ["arguments"]);
});

Deno.test("fitRound() shortens what was said beside calls, and no answer", () => {
  const thought = "I think about it. ".repeat(50);
  const shape = { maxTokens: 10_000, condensed: true };
  const [beside = ""] = contents(fitRound(roundOf(["a"], thought), shape));
  assertEquals([beside.length, beside.endsWith("…")], [160, true]);
  assertEquals(contents(fitRound(roundOf([], thought), shape)), [thought]);
});

Deno.test("fitRound() keeps every call with its result, and the same round comes out the same", () => {
  const texts = fc.array(fc.string({ maxLength: 3000, unit: "binary" }), { maxLength: 6 });
  fc.assert(
    fc.property(
      texts,
      fc.integer({ min: 0, max: 2000 }),
      fc.boolean(),
      (results, maxTokens, condensed) => {
        const shape = { maxTokens, condensed };
        const messages = fitRound(roundOf(results, "Why"), shape);
        assertEquals(messages, fitRound(roundOf(results, "Why"), shape));
        assertEquals(
          messages.flatMap((one) => one.role === "tool" ? [one.callId] : []),
          results.map((_, index) => `c${index + 1}`),
        );
      },
    ),
    { numRuns: 50 },
  );
});

Deno.test("cutText() meets its number of tokens, in any script", () => {
  for (
    const text of [
      lines(500),
      "磁盘空间不足，无法写入。".repeat(300),
      "0123456789abcdef".repeat(400),
    ]
  ) {
    const tokens = estimateText(cutText(text, 200));
    assert(tokens <= 200 && tokens > 100, `${tokens} tokens`);
  }
});

Deno.test("shareOut() gives what is little all it takes, and the rest evenly", () => {
  assertEquals(shareOut([10, 500, 900], 310), [10, 150, 150]);
  assertEquals(shareOut([10, 20], 100), [10, 20]);
  assertEquals(shareOut([], 100), []);
  assertEquals(shareOut([5, 5], 0), [0, 0]);
});
