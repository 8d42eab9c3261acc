import { assertEquals } from "@std/assert";
import stringWidth from "string-width";
import { askedLines, foundLines } from "../../lib/cli/replay_text.ts";
import { english, loadSay } from "../../lib/messages/messages.ts";
import type { Difference } from "../../lib/replay/difference.ts";

const USAGE = { inputTokens: 123_456, outputTokens: 7_890, estimated: false };

const ASKED = {
  run: "r1",
  ask: 1,
  step: 1,
  recorded: { text: "我先看看。", calls: ['run_shell {"command":"echo 你好"}'], usage: USAGE },
  now: { error: "The model ended its turn without saying so" },
  sameCalls: false,
  sameText: false,
};

Deno.test("askedLines() keeps to 40 columns, in any language", async () => {
  for (const say of [english, await loadSay("zh")]) {
    const lines = askedLines(ASKED, 40, say);
    assertEquals(lines.filter((line) => stringWidth(line) > 40), []);
    const bars = new Set(
      lines.filter((line) => line.includes("│"))
        .map((line) => stringWidth(line.slice(0, line.indexOf("│")))),
    );
    assertEquals([...bars], [19]);
  }
});

Deno.test("askedLines() says why there was no answer in the language of people", async () => {
  const lines = askedLines({ ...ASKED, recorded: ASKED.now }, 120, await loadSay("zh"));
  const failed = "没有回答：模型没有说明就结束了回合";
  const padding = " ".repeat(58 - stringWidth(failed));
  assertEquals(lines.slice(1), [`${failed}${padding} │ ${failed}`, ""]);
});

Deno.test("foundLines() says once of which run differences are", () => {
  const asks = (run: string): Difference => ({ kind: "asks", run, recorded: 1, now: 2 });
  const gone: Difference = { kind: "definition", run: "r1", tool: "todo", what: "gone" };
  assertEquals(foundLines([asks("r1"), gone, asks("r2")], english), [
    "Run r1",
    "The model is asked 2 times instead of 1",
    "Tool todo is not there any more",
    "Run r2",
    "The model is asked 2 times instead of 1",
  ]);
});
