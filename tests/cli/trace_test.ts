import { assertEquals, assertMatch } from "@std/assert";
import { runCli } from "../../lib/cli/cli.ts";
import { nameOf } from "../../lib/serve/content.ts";
import type { SessionPorts } from "../../lib/session/open.ts";
import { FileError, type Ports } from "../../lib/ports.ts";
import { fakeEnvironment, fakePorts, FakeTerminal, MemoryFiles, NEVER } from "../fakes.ts";
import { abandoned, stored, withSessions } from "../session/_sessions.ts";
import { agentRun, incident, longRun, Story } from "../trace/_story.ts";

/** What `rein trace …` prints, and how it ends. */
async function run(ports: SessionPorts, args: readonly string[], others: Partial<Ports> = {}) {
  const terminal = new FakeTerminal();
  const all = fakePorts({ ...ports, terminal, ...others });
  const code = await runCli(["trace", ...args], all, { signal: NEVER, interrupt: () => {} });
  return { code, stdout: terminal.stdout, stderr: terminal.stderr };
}

/** The first line of each tree. */
const heads = ({ stdout }: { readonly stdout: string }) =>
  stdout.split("\n").filter((line) => /^run \S+ ·/.test(line)).map((line) => line.split(" ")[1]);

const short = (runId: string, task = "Hello") =>
  new Story(runId).begin(task).step("Hi.", [], [100, 10]).end({ answer: "Hi." }).events;

Deno.test("rein trace shows the runs of a session, with curve and composition", () =>
  withSessions(async (ports) => {
    await stored(ports, [...incident(), ...short("run-2")], { id: "shop" });
    const shown = await run(ports, ["shop"]);
    assertEquals([shown.code, shown.stderr, heads(shown)], [0, "", ["run-1", "run-2"]]);
    assertMatch(shown.stdout, /\nTokens of each request: \S+ 1800–4100\nWhere the context went,/);
    assertMatch(shown.stdout, /\n\nrun run-2 · gpt-4o · answered · 1 step · 0 calls · /);
  }));

Deno.test("rein trace takes a session, a run, or the newest session of this directory", () =>
  withSessions(async (ports) => {
    await stored(ports, [...short("run-1"), ...short("run-2")], { id: "a" });
    await stored(ports, short("run-3"), { id: "b" });
    await stored(ports, short("run-4"), { id: "c", cwd: "/srv" });
    assertEquals(heads(await run(ports, ["a"])), ["run-1", "run-2"]);
    assertEquals(heads(await run(ports, ["run-2"])), ["run-2"]);
    assertEquals(heads(await run(ports, [])), ["run-3"]);
  }));

Deno.test("rein trace of what is not there is one line and exit code 2", () =>
  withSessions(async (ports) => {
    assertEquals(await run(ports, []), {
      code: 2,
      stdout: "",
      stderr: 'rein: No session has begun in /work. See "rein sessions list --all".\n',
    });
    await stored(ports, short("run-1"));
    assertEquals(await run(ports, ["nobody\x1b[2J"]), {
      code: 2,
      stdout: "",
      stderr: 'rein: There is no session and no run "nobody[2J". ' +
        'See "rein sessions list --all".\n',
    });
    const zh = { env: fakeEnvironment({ REIN_LANG: "zh" }) };
    assertMatch((await run(ports, ["nobody"], zh)).stderr, /^rein[:：] ?没有会话或运行 "nobody"/);
  }));

Deno.test("rein trace joins in what an agent of this machine ran for a task", () =>
  withSessions(async (ports) => {
    await stored(ports, incident(), { id: "shop" });
    await stored(ports, agentRun(), { id: nameOf("payments", "t-1"), cwd: "/srv" });
    const { stdout } = await run(ports, ["shop"]);
    assertMatch(stdout, /\n│ {5}│ {2}└─ run run-agent · gpt-4o · answered · 2 steps · 1 call · /);
  }));

Deno.test("rein trace --output json prints all of it, in one line that a terminal does not obey", () =>
  withSessions(async (ports) => {
    await stored(ports, incident("find\x1b it\u202e"), { id: "shop" });
    const { stdout } = await run(ports, ["shop", "-o", "json"]);
    // deno-lint-ignore no-control-regex -- control characters are what this is about
    assertEquals(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/.test(stdout), false);
    const { schema, session, runs: [told] } = JSON.parse(stdout);
    assertEquals([schema, session, told.task], ["rein-trace/1", "shop", "find\x1b it\u202e"]);
    assertEquals(Object.keys(told), [
      ...["run_id", "session", "trace_id", "task", "model", "started", "elapsed_ms", "steps"],
      ...["facts", "composition", "result"],
    ]);
    const [first] = told.steps;
    assertEquals({ ...first, calls: first.calls.length }, {
      step: 1,
      content: "I look at the log first.",
      reasoning: null,
      usage: { input_tokens: 1800, output_tokens: 90, estimated: false },
      retries: 0,
      closing: false,
      started: "2026-11-29T12:00:00.005Z",
      model_ms: 900,
      compactions: [],
      calls: 2,
    });
  }));

Deno.test("rein trace --html writes a page, and prints nothing", () =>
  withSessions(async (ports) => {
    await stored(ports, incident(), { id: "shop" });
    const files = new MemoryFiles({});
    assertEquals(await run(ports, ["shop", "--html", "report.html"], { files }), {
      code: 0,
      stdout: "",
      stderr: "",
    });
    assertMatch(await files.readText("report.html"), /^<!DOCTYPE html>\n<html lang="en">/);
  }));

Deno.test("rein trace --html that can't be written is one line and exit code 2", () =>
  withSessions(async (ports) => {
    await stored(ports, incident(), { id: "shop" });
    const files = new MemoryFiles({});
    files.replace = () =>
      Promise.reject(new FileError("no_permission", "/root/x.html", "No permission"));
    assertEquals(await run(ports, ["shop", "--html", "/root/x.html"], { files }), {
      code: 2,
      stdout: "",
      stderr: "rein: The page can't be written: No permission. Name a file that can be written.\n",
    });
  }));

Deno.test("rein trace --follow prints neither JSON nor a page", () =>
  withSessions(async (ports) => {
    for (const other of [["-o", "json"], ["--html", "x.html"]]) {
      const { code, stderr } = await run(ports, ["--follow", ...other]);
      assertEquals([code, stderr], [
        2,
        "rein: --follow prints lines, neither JSON nor a page. " +
        "Leave out --output and --html, or --follow.\n",
      ]);
    }
  }));

Deno.test("rein trace shows a session that a killed process left", () =>
  withSessions(async (ports, root) => {
    const left = incident().slice(0, -3);
    await abandoned(ports, left, root, "torn");
    const { code, stdout } = await run(ports, ["torn"]);
    assertEquals(code, 0);
    assertMatch(stdout, /^run run-1 · gpt-4o · unfinished · 4 steps · 6 calls · /);
  }));

Deno.test("rein trace of a damaged session is one line and exit code 2", () =>
  withSessions(async (ports, root) => {
    await stored(ports, longRun(30), { id: "torn" });
    const path = `${root}/torn/session.db`;
    const bytes = await Deno.readFile(path);
    await Deno.writeFile(path, bytes.fill(0xff, 200, bytes.length - 200));
    const { code, stdout, stderr } = await run(ports, ["torn"]);
    assertEquals([code, stdout], [2, ""]);
    assertMatch(stderr, /^rein: Session "torn" .*\n$/);
  }));
