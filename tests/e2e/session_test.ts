import { assertEquals, assertMatch } from "@std/assert";
import {
  type Ended,
  ended,
  inTempDir,
  LOCKED,
  type Program,
  PROGRAMS,
  recording,
  rein,
  start,
} from "./_program.ts";

const LOOK = { calls: [{ name: "run_shell", arguments: { command: "echo here" } }] };
const SLEEP = { calls: [{ name: "run_shell", arguments: { command: "sleep 8347" } }] };

/** Runs rein in a directory of its own, with a state folder of its own. */
interface Place {
  readonly cwd: string;
  readonly state: string;
  run(args: readonly string[], env?: Record<string, string>): Promise<Ended>;
}

async function inPlace(
  program: Program,
  turns: readonly unknown[],
  work: (place: Place) => Promise<void>,
): Promise<void> {
  await inTempDir(async (cwd) => {
    const model = await recording(cwd, turns);
    const state = `${cwd}/state`;
    const base = { XDG_STATE_HOME: state, REIN_MODEL: model };
    const run = (args: readonly string[], env = {}) =>
      rein(program, args, { cwd, env: { ...base, ...env } });
    await work({ cwd, state, run });
  });
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

function modes(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => {
    const { mode } = Deno.statSync(`${folder}/${name}`);
    return `${((mode ?? 0) & 0o777).toString(8)}`;
  });
}

for (const program of PROGRAMS) {
  const test = (law: string, turns: readonly unknown[], work: (place: Place) => Promise<void>) =>
    Deno.test(`rein (${program.name}) ${law}`, () => inPlace(program, turns, work));

  test(
    "goes on with a task that a limit ended, by the command that it names",
    [LOOK, { text: "So far." }, LOOK, { text: "All is well." }],
    async ({ run }) => {
      const first = await run(["--max-steps", "1", "look"]);
      assertEquals([first.code, first.stdout], [3, "So far.\n"]);
      const [, id = ""] = /go on with: rein resume (\w+)\n$/.exec(first.stderr) ?? [];
      const second = await run(["resume", id]);
      assertEquals([second.code, second.stdout], [0, "All is well.\n"]);
      const third = await run(["resume", id]);
      assertEquals([third.code, third.stdout], [2, ""]);
      assertMatch(
        third.stderr,
        /^rein: Session "\w+" was answered; nothing is left to go on with\./,
      );
    },
  );

  test(
    "asks on in the newest session of the directory, and in one by its name",
    [{ text: "One." }, { text: "Two." }, { text: "Three." }],
    async ({ run, state }) => {
      assertEquals((await run(["--session", "日志", "one"])).stdout, "One.\n");
      assertEquals((await run(["-c", "two"])).stdout, "Two.\n");
      assertEquals((await run(["--session", "日志", "three"])).stdout, "Three.\n");
      assertEquals([...Deno.readDirSync(`${state}/rein/sessions`)].map(({ name }) => name), [
        "日志",
      ]);
      assertEquals([...new Set(modes(`${state}/rein/sessions/日志`))], ["600"]);
      const show = await run(["sessions", "show", "日志", "--output", "json"]);
      const { runs } = JSON.parse(show.stdout);
      assertEquals(runs.map(({ task }: { task: string }) => task), ["one", "two", "three"]);
    },
  );

  test(
    "keeps nothing but the audit with --no-session, and nothing where nothing can be kept",
    [{ text: "Done." }],
    async (
      { run, state, cwd },
    ) => {
      const none = await run(["--no-session", "do it"]);
      assertEquals([none.code, none.stdout], [0, "Done.\n"]);
      assertEquals([...Deno.readDirSync(`${state}/rein`)].map(({ name }) => name), ["audit"]);
      await Deno.writeTextFile(`${cwd}/file`, "");
      const barred = await run(["do it"], { XDG_STATE_HOME: `${cwd}/file` });
      assertEquals([barred.code, barred.stdout], [0, "Done.\n"]);
      assertMatch(barred.stderr, /This session is not kept, and can't be resumed: .*file/);
      const homeless = await run(["do it"], { XDG_STATE_HOME: "", HOME: "" });
      assertEquals([homeless.code, homeless.stdout], [0, "Done.\n"]);
    },
  );

  test("says who has a session that is in use", [SLEEP, { text: "Done." }], async (
    { run, cwd, state },
  ) => {
    const env = { XDG_STATE_HOME: state, REIN_MODEL: `recorded:${cwd}/recording.jsonl` };
    const first = start(program, ["--session", "s", "-o", "jsonl", "sleep"], { cwd, env });
    const reader = first.stdout.getReader();
    let told = "";
    while (!told.includes('"call_started"')) {
      const { value, done } = await reader.read();
      if (done) break;
      told += new TextDecoder().decode(value);
    }
    const second = await run(["--session", "s", "go on"]);
    assertEquals([second.code, second.stdout], [2, ""]);
    assertMatch(
      second.stderr,
      new RegExp(`^rein: Session "s" is in use by process ${first.pid}, `),
    );
    first.kill("SIGINT");
    reader.releaseLock();
    assertEquals((await ended(first)).code, 130);
    const third = await run(["resume"]);
    assertEquals([third.code, third.stdout], [0, "Done.\n"]);
  });

  test("refuses a session of a newer rein in one line", [{ text: "Done." }], async (
    { run, state },
  ) => {
    await run(["--session", "s", "do it"]);
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(`${state}/rein/sessions/s/session.db`);
    database.exec("PRAGMA user_version = 9000");
    database.close();
    const { code, stdout, stderr } = await run(["--session", "s", "again"]);
    assertEquals([code, stdout, stderr.trim().split("\n").length], [2, "", 1]);
    assertMatch(stderr, /newer/);
  });

  test("stops a model that repeats itself, and tells a program so", [LOOK, LOOK, LOOK], async (
    { run },
  ) => {
    const { code, stdout } = await run(["-o", "json", "look"]);
    const { stop_reason, ending, session, calls } = JSON.parse(stdout);
    assertEquals([code, stop_reason, calls.length], [3, "repeating", 3]);
    assertEquals(ending.resume, `rein resume ${session}`);
    assertEquals(ending.done, [1, 2, 3].map((step) => `[${step}] run_shell echo here → 1 line`));
  });

  test("ends at its time limit, with the running command", [SLEEP], async ({ run }) => {
    const { code, stdout } = await run(["--max-time", "1s", "-o", "json", "sleep"]);
    const { stop_reason, calls } = JSON.parse(stdout);
    assertEquals([code, stop_reason, calls[0].status], [3, "time_limit", "cancelled"]);
  });
}

Deno.test({
  name: "rein-locked keeps nothing and says nothing of it",
  ignore: LOCKED === null,
  fn: () =>
    inPlace(LOCKED ?? PROGRAMS[0] as Program, [{ text: "Done." }], async ({ run, state }) => {
      const { code, stdout, stderr } = await run(["do it"]);
      assertEquals([code, stdout, exists(state)], [0, "Done.\n", false]);
      assertMatch(stderr, /^rein: the model is a recording [^\n]*\n$/);
      const resumed = await run(["resume"]);
      assertEquals(resumed.code, 2);
    }),
});
