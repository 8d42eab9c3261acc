import { assertEquals } from "@std/assert";
import { runCli } from "../../lib/cli/cli.ts";
import { localTime } from "../../lib/cli/sessions_list.ts";
import type { SessionPorts } from "../../lib/session/open.ts";
import { VERSION } from "../../lib/version.ts";
import { fakePorts, FakeTerminal, NEVER } from "../fakes.ts";
import {
  ended,
  eventOf,
  NOON,
  open,
  started,
  stored,
  turn,
  turns,
  withSessions,
} from "../session/_sessions.ts";

/** What `rein sessions …` prints, and how it ends. */
async function run(ports: SessionPorts, ...args: readonly string[]) {
  const terminal = new FakeTerminal();
  const all = fakePorts({ ...ports, terminal });
  const code = await runCli(["sessions", ...args], all, { signal: NEVER, interrupt: () => {} });
  return { code, stdout: terminal.stdout, stderr: terminal.stderr };
}

const done = (stdout: string) => ({ code: 0, stdout, stderr: "" });
const AT = localTime(NOON);
const END = localTime(NOON + 2000);

Deno.test("rein sessions list prints a table whose columns stand, Chinese or not", () =>
  withSessions(async (ports) => {
    assertEquals(await run(ports, "list"), done("No session is kept here.\n"));
    await stored(ports, [started("分析\n日志\x1b[2J"), ended("answered")], { id: "日志" });
    await stored(ports, [started("find it")], { id: "a", cwd: "/srv" });
    const { session } = await open(ports, { id: "open" });
    assertEquals(
      await run(ports, "list"),
      done(
        `session  updated           state       steps  directory  task
日志     ${END}  answered    0      /work      分析 日志[2J
a        ${AT}  broken off  0      /srv       find it
open     ${AT}  in use      0      /work
`,
      ),
    );
    session.close();
  }));

Deno.test("rein sessions list prints the newest 20, and all with --all", () =>
  withSessions(async (ports) => {
    for (let count = 1; count <= 22; count++) await stored(ports, [started(`task ${count}`)]);
    const lines = async (...args: string[]) =>
      (await run(ports, "list", ...args)).stdout.trimEnd().split("\n");
    assertEquals((await lines()).slice(21), [
      "",
      "The newest 20 of 22; --all prints all of them.",
    ]);
    assertEquals((await lines("--all")).length, 23);
  }));

Deno.test("rein sessions list --output json prints whole values, and nothing for a terminal", () =>
  withSessions(async (ports) => {
    await stored(ports, [started("find\x1b it\u202e\x9b"), turn(1)], { id: "x" });
    const { stdout } = await run(ports, "list", "--output", "json");
    // deno-lint-ignore no-control-regex -- control characters are what this is about
    assertEquals(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/.test(stdout), false);
    assertEquals(JSON.parse(stdout), {
      schema: "rein-sessions/1",
      sessions: [{
        id: "x",
        condition: "whole",
        in_use: false,
        named: true,
        created: "2026-11-29T12:00:00.000Z",
        updated: "2026-11-29T12:00:01.000Z",
        cwd: "/work",
        title: "find\x1b it\u202e\x9b",
        state: "running",
        steps: 0,
        input_tokens: 10,
        output_tokens: 5,
        version: VERSION,
        missing: [],
      }],
      total: 1,
    });
  }));

const CALL = { call_id: "c1", tool: "run_shell", brief: "ls -la" };
const EVENTS = [
  started("find it\nin all files"),
  eventOf({
    type: "call_finished",
    ...CALL,
    arguments: {},
    decision: "allow",
    observation: { status: "success", data: null, error: null, truncated: [], summary: "2 lines" },
    ms: 12,
  }, 1),
  { ...turn(1), type: "context_compacted", facts: [{ text: "it is full", call: "c1", step: 1 }] },
  { ...turn(1), type: "mood_changed" },
  eventOf({ type: "call_started", ...CALL, call_id: "c2", brief: "rm \x1b[2Jx" }, 2),
  ended("answered", "It is\n\nthere."),
  started("go on", "run2"),
] as ReturnType<typeof turn>[];

Deno.test("rein sessions show tells a session run by run", () =>
  withSessions(async (ports) => {
    await stored(ports, EVENTS, { id: "x" });
    assertEquals(
      await run(ports, "show", "x"),
      done(`Session x
  state      broken off
  directory  /work
  begun      ${AT}, updated ${END}
  steps      0, with 20 tokens in and 10 out
  version    ${VERSION}

Run 1: answered, 2 steps with scripted
  Task:
    find it
    in all files
  [1] run_shell ls -la → 2 lines (success, 12 ms)
  [2] run_shell rm [2Jx (unfinished)
  Facts:
    - it is full (c1, step 1)
  Answer:
    It is

    there.

Run 2: broken off, 0 steps with scripted
  Task:
    go on
`),
    );
    const { stdout } = await run(ports, "show", "x", "-o", "json");
    const { schema, id, runs } = JSON.parse(stdout);
    assertEquals([schema, id, runs.length, runs[0].calls[1].brief], [
      "rein-session/1",
      "x",
      2,
      "rm \x1b[2Jx",
    ]);
  }));

Deno.test("rein sessions export prints exactly the stored events", () =>
  withSessions(async (ports) => {
    const events = [...EVENTS, ...turns(300)];
    await stored(ports, events, { id: "x" });
    const { code, stdout } = await run(ports, "export", "x");
    const lines = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    assertEquals([code, lines], [0, events]);
  }));

Deno.test("rein sessions remove removes what it is told, or nothing of it", () =>
  withSessions(async (ports) => {
    for (const id of ["deploy", "x1", "x2"]) await stored(ports, EVENTS, { id });
    assertEquals(await run(ports, "remove", "x1", "deplyo"), {
      code: 2,
      stdout: "",
      stderr: 'rein: There is no session "deplyo". Did you mean deploy?\n',
    });
    assertEquals(await run(ports, "remove", "x1", "x2", "x1"), done("Removed x1.\nRemoved x2.\n"));
    const { session } = await open(ports, { id: "deploy" });
    const { code, stderr } = await run(ports, "remove", "deploy");
    assertEquals([code, stderr], [
      2,
      `rein: Session "deploy" is in use by process ${Deno.pid}, since ${AT.slice(-5)}. ` +
      "Wait until that ends, or begin another session.\n",
    ]);
    session.close();
  }));

Deno.test("rein sessions says in one line what is wrong, and exits with 2", () =>
  withSessions(async (ports) => {
    await stored(ports, EVENTS, { id: "deploy" });
    const wrong = [["show", "deploi"], ["export", "nothing-like-it"], ["show", "../x"], []];
    const ended = await Promise.all(wrong.map((args) => run(ports, ...args)));
    const see = 'See "rein sessions list".';
    assertEquals(ended.map(({ code, stderr }) => [code, stderr]), [
      [2, 'rein: There is no session "deploi". Did you mean deploy?\n'],
      [2, `rein: There is no session "nothing-like-it". ${see}\n`],
      [2, `rein: There is no session "../x". ${see}\n`],
      [2, 'rein: A command is missing. See "rein sessions --help".\n'],
    ]);
  }));
