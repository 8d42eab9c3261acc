import { assertEquals } from "@std/assert";
import { barLine, BatchProgress, type Counts } from "../../lib/cli/batch_progress.ts";
import { FakeClock, FakeTerminal, settle } from "../fakes.ts";

const COUNTS: Counts = {
  total: 40,
  answered: 10,
  unfinished: 1,
  failed: 1,
  running: 4,
  elapsedMs: 80_000,
};

Deno.test("barLine() is narrower than the terminal, with a bar where there is room", () => {
  const lines = [83, 82, 60, 59, 20, 1].map((columns) => barLine(COUNTS, columns));
  assertEquals(lines, [
    "12/40 [######--------------] 10 answered, 1 unfinished, 1 failed, 4 running, 1m20s",
    "12/40 10 answered, 1 unfinished, 1 failed, 4 running, 1m20s",
    "12/40 10 answered, 1 unfinished, 1 failed, 4 running, 1m20s",
    "12/40 10 answered, 1 unfinished, 1 failed, 4 running, 1m2…",
    "12/40 10 answered,…",
    "…",
  ]);
});

Deno.test("barLine() tells time by seconds, minutes and hours", () => {
  const times = [0, 59_999, 60_000, 3_599_000, 3_600_000, 90_000_000].map((elapsedMs) =>
    barLine({ ...COUNTS, elapsedMs }, 200).split(", ").at(-1)
  );
  assertEquals(times, ["0s", "59s", "1m00s", "59m59s", "1h00m", "25h00m"]);
});

/** What a batch of so many tasks that are all answered writes to stderr. */
async function written(total: number, { live = false, quiet = false }) {
  const terminal = new FakeTerminal();
  terminal.stderrIsTerminal = live;
  terminal.size = () => ({ columns: 70, rows: 20 });
  const progress = new BatchProgress(total, { terminal, clock: new FakeClock() }, quiet);
  for (let task = 0; task < total; task++) {
    await progress.begin();
    await progress.end("answered");
  }
  return terminal.stderr;
}

Deno.test("BatchProgress writes ten plain lines at the most where there is no terminal", async () => {
  assertEquals(
    await written(3, {}),
    "rein: 1 of 3 done: 1 answered\nrein: 2 of 3 done: 2 answered\n",
  );
  const lines = (await written(1000, {})).trimEnd().split("\n");
  assertEquals([lines.length, lines[0]], [9, "rein: 100 of 1000 done: 100 answered"]);
});

Deno.test("BatchProgress is silent when it is to be quiet, on a terminal too", async () => {
  assertEquals([await written(5, { quiet: true }), await written(5, { quiet: true, live: true })], [
    "",
    "",
  ]);
});

Deno.test("BatchProgress lets tasks that run together write into no line of each other", async () => {
  const terminal = new FakeTerminal();
  terminal.stderrIsTerminal = true;
  terminal.size = () => ({ columns: 70, rows: 20 });
  const { err } = terminal;
  terminal.err = async (text) => {
    await settle();
    await err.call(terminal, text);
  };
  const progress = new BatchProgress(3, { terminal, clock: new FakeClock() }, false);
  await progress.begin();
  await Promise.all([progress.say("one"), progress.begin(), progress.say("two"), progress.begin()]);
  assertEquals(screen(terminal.stderr), [
    "rein: one",
    "rein: two",
    "0/3 [--------------------] 0 answered, 3 running, 0s",
  ]);
});

/** What stands on a terminal's lines: the return of the carriage begins one anew. */
function screen(text: string): string[] {
  return text.split("\n").map((line) => {
    let shown = "";
    for (const part of line.split("\r")) shown = part + shown.slice(part.length);
    return shown.trimEnd();
  });
}

Deno.test("BatchProgress rewrites one line, above which others stay, and takes it away", async () => {
  const terminal = new FakeTerminal();
  const clock = new FakeClock();
  terminal.stderrIsTerminal = true;
  terminal.size = () => ({ columns: 70, rows: 20 });
  const progress = new BatchProgress(2, { terminal, clock }, false);
  await progress.begin();
  await progress.begin();
  await progress.say("2: watch out");
  assertEquals(screen(terminal.stderr), [
    "rein: 2: watch out",
    "0/2 [--------------------] 0 answered, 2 running, 0s",
  ]);
  await progress.end("failed");
  assertEquals(
    screen(terminal.stderr).at(-1),
    "1/2 [##########----------] 0 answered, 1 failed, 1 running, 0s",
  );
  const following = new AbortController();
  const followed = progress.follow(following.signal);
  await settle();
  await clock.advance(1000);
  assertEquals(
    screen(terminal.stderr).at(-1),
    "1/2 [##########----------] 0 answered, 1 failed, 1 running, 1s",
  );
  following.abort();
  await followed;
  await progress.end("answered");
  await progress.clear();
  assertEquals(screen(terminal.stderr), ["rein: 2: watch out", ""]);
});
