import { assertEquals, assertRejects } from "@std/assert";
import { recordedRuns } from "../../lib/debug/read.ts";
import { replayOnline } from "../../lib/replay/online.ts";
import { ModelError } from "../../lib/types.ts";
import { NEVER, ScriptedModel, type ScriptedTurn } from "../fakes.ts";
import { linesOf } from "./_runs.ts";

/** Asks the questions of a recorded run's two steps again. */
async function askedAgain(...turns: readonly ScriptedTurn[]) {
  const [run] = recordedRuns(await linesOf("step-limit.jsonl"));
  if (run === undefined) throw new TypeError("No run");
  const asks = run.asks.slice(0, 2);
  const model = new ScriptedModel(...turns);
  const all = [];
  for await (const asked of replayOnline({ ...run, asks }, model, NEVER)) all.push(asked);
  return { all, requests: model.requests, recorded: asks.map(({ request }) => request) };
}

const LIST = { calls: [{ name: "list_files", arguments: { path: "." } }] };

Deno.test("replayOnline() asks what was asked, and compares calls whatever their ids", async () => {
  const { all, requests, recorded } = await askedAgain(
    LIST,
    { text: "Hm.", calls: [{ name: "run_shell", arguments: { command: "pwd" } }] },
  );
  assertEquals(requests, recorded);
  assertEquals(
    all.map(({ step, sameCalls, sameText }) => ({ step, sameCalls, sameText })),
    [
      { step: 1, sameCalls: true, sameText: true },
      { step: 2, sameCalls: true, sameText: false },
    ],
  );
});

Deno.test("replayOnline() tells other calls, and a model that fails", async () => {
  const error = new ModelError("server_error", "It is out of order", { hint: "" });
  const { all } = await askedAgain({ text: "No calls." }, error);
  assertEquals(
    all.map(({ sameCalls, now }) => [sameCalls, "error" in now ? now.error : now.calls]),
    [
      [false, []],
      [false, "It is out of order"],
    ],
  );
});

Deno.test("replayOnline() ends where no model would answer any question", async () => {
  const error = new ModelError("unreachable", "Nobody is there", { hint: "" });
  await assertRejects(() => askedAgain(error), ModelError, "Nobody is there");
});

Deno.test("replayOnline() compares calls in any order, and arguments by what they mean", async () => {
  const [run] = recordedRuns(await linesOf("parallel.jsonl"));
  const [first] = run?.asks ?? [];
  const turn = first?.turn?.type === "turn" ? first.turn.message.calls : [];
  const calls = turn.toReversed().map(({ name, arguments: args }) => ({
    name,
    arguments: Object.fromEntries(Object.entries(JSON.parse(args)).toReversed()) as never,
  }));
  const model = new ScriptedModel({ calls });
  const same = [];
  for await (
    const asked of replayOnline({ runId: "r", asks: first ? [first] : [] }, model, NEVER)
  ) {
    same.push(asked.sameCalls);
  }
  assertEquals([calls.length, same], [3, [true]]);
});
