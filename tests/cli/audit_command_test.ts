import { assertEquals } from "@std/assert";
import { runCli } from "../../lib/cli/cli.ts";
import { momentOf } from "../../lib/cli/audit_filter.ts";
import { localClock, localDay } from "../../lib/local_time.ts";
import type { AuditEntry, DraftEntry } from "../../lib/audit/entry.ts";
import { realFiles } from "../../lib/real/files.ts";
import { createDatabases } from "../../lib/real/databases.ts";
import { fakeEnvironment, fakePorts, FakeTerminal, NEVER } from "../fakes.ts";
import { inTempDir } from "../_temp.ts";
import { draftOf, entriesIn, linesIn, logAt, writeLog } from "../audit/_logs.ts";

/** A state folder, the log in it, and running `rein audit …` there. */
interface Place {
  readonly directory: string;
  readonly path: string;
  run(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }>;
}

function inPlace(work: (place: Place) => Promise<void>): Promise<void> {
  return inTempDir({}, async (directory) => {
    const path = `${directory}/audit/audit.jsonl`;
    const run = async (...args: readonly string[]) => {
      const terminal = new FakeTerminal();
      const ports = fakePorts({
        terminal,
        files: { ...realFiles, cwd: () => directory },
        databases: createDatabases(directory),
        env: fakeEnvironment({ HOME: directory }),
      });
      const interrupts = { signal: NEVER, interrupt: () => {} };
      const code = await runCli(["audit", ...args], ports, interrupts);
      return { code, stdout: terminal.stdout, stderr: terminal.stderr };
    };
    await work({ directory, path, run });
  });
}

async function added(path: string, ...drafts: readonly DraftEntry[]): Promise<void> {
  const log = logAt(path);
  await log.append(drafts, false);
  await log.close();
}

const done = (stdout: string) => ({ code: 0, stdout, stderr: "" });

Deno.test("rein audit verify says that a log is whole, and exits with 0", () =>
  inPlace(async ({ path, run }) => {
    await writeLog(path, 3);
    assertEquals(await run("verify"), done(`${path} is whole: 3 entries.\n`));
  }));

Deno.test("rein audit verify says which entry is wrong and why, and exits with 1", () =>
  inPlace(async ({ path, run }) => {
    await writeLog(path, 4);
    const lines = await linesIn(path);
    const changed = lines.with(1, lines[1]!.replace("run_shell", "run_shelf"));
    await Deno.writeTextFile(path, changed.slice(0, 3).map((line) => `${line}\n`).join(""));
    assertEquals(await run("verify"), {
      code: 1,
      stdout: `audit.jsonl:2: changed: entry 2 was changed
audit.jsonl:4: cut off: entry 4 is missing at the end
${path} is not as it was written: 3 entries, 2 faults.
`,
      stderr: "",
    });
    const { code, stdout } = await run("verify", "--output", "json");
    const { faults, ...told } = JSON.parse(stdout);
    assertEquals([code, faults.length, told], [1, 2, {
      schema: "rein-audit-verify/1",
      path,
      whole: false,
      entries: 3,
      sealed: 0,
      further_faults: 0,
      notes: [],
    }]);
  }));

Deno.test("rein audit verify looks at seals with a key that only its owner may read", () =>
  inPlace(async ({ directory, path, run }) => {
    const key = "a key that nobody knows";
    const keyFile = `${directory}/key`;
    await Deno.writeTextFile(keyFile, `${key}\n`, { mode: 0o644 });
    await writeLog(path, 3, { key: new TextEncoder().encode(key) });
    const open = await run("verify", "--key-file", keyFile);
    assertEquals([open.code, open.stdout], [2, ""]);
    await Deno.chmod(keyFile, 0o600);
    assertEquals(
      await run("verify", "--key-file", keyFile),
      done(`${path} is whole: 3 entries, 3 sealed.\n`),
    );
    assertEquals(
      await run("verify"),
      done(
        "Note: there is no key here, so that no seal was checked\n" +
          `${path} is whole: 3 entries, 3 sealed.\n`,
      ),
    );
  }));

Deno.test("rein audit says that there is no log, and that a time is none", () =>
  inPlace(async ({ path, run }) => {
    const none = await run("verify");
    assertEquals([none.code, none.stderr.startsWith(`rein: There is no audit log at "${path}"`)], [
      2,
      true,
    ]);
    await writeLog(path, 2);
    const wrong = await run("show", "--since", "soon");
    assertEquals([wrong.code, wrong.stdout], [2, ""]);
  }));

/** Entries of each kind that is filtered by something. */
const ENTRIES: readonly DraftEntry[] = [
  draftOf(2, {
    kind: "call_judged",
    tool: "run_shell",
    arguments: { command: "rm \x1b[2J -rf /" },
    evaluation: {
      decision: "deny",
      parts: [{
        text: "rm",
        span: null,
        decision: "deny",
        matches: [{
          rule: "baseline.rm",
          decision: "deny",
          reason: "no",
          suggest: null,
          matched: "rm",
          span: null,
        }],
      }],
    },
  }),
  draftOf(3, { run_id: "run2", trace_id: "run2", session: "s1", user: { uid: 7, name: null } }),
  draftOf(4, {
    kind: "call_finished",
    tool: "calculate",
    brief: "1 + 1",
    arguments: null,
    decision: "allow",
    status: "success",
    error: null,
    summary: "= 2",
    result_chars: 9,
    omitted_chars: 0,
    ms: 3,
  }),
];

function timeOf(number: number): string {
  const ms = number * 1000;
  return `${localDay(ms)} ${localClock(ms)}:0${number}`;
}

Deno.test("rein audit show prints entries as a line each, harmless to a terminal", () =>
  inPlace(async ({ path, run }) => {
    await added(path, ...ENTRIES);
    assertEquals(
      await run("show"),
      done(
        `      1 ${timeOf(2)} me                          file started
      2 ${
          timeOf(2)
        } me         run1         [1] deny: run_shell {"command":"rm \\u001b[2J -rf /"} (baseline.rm)
      3 ${timeOf(3)} 7          run2         [1] started: run_shell echo 3 é 中文 "quoted"
      4 ${timeOf(4)} me         run1         [1] success: calculate 1 + 1 → = 2 (3 ms)
`,
      ),
    );
  }));

Deno.test("rein audit show prints those that meet every condition, as they stand in the log", () =>
  inPlace(async ({ path, run }) => {
    await added(path, ...ENTRIES);
    const shown = async (...args: readonly string[]) => {
      const { stdout } = await run("show", "--output", "jsonl", ...args);
      return stdout.split("\n").slice(0, -1).map((line) => (JSON.parse(line) as AuditEntry).seq);
    };
    assertEquals(await shown(), [1, 2, 3, 4]);
    assertEquals(await shown("--run", "run2"), [3]);
    assertEquals(await shown("--session", "s1"), [3]);
    assertEquals(await shown("--tool", "run_shell"), [2, 3]);
    assertEquals(await shown("--decision", "deny"), [2]);
    assertEquals(await shown("--status", "success"), [4]);
    assertEquals(await shown("--user", "7"), [3]);
    assertEquals(await shown("--user", "me", "--tool", "run_shell"), [2]);
    assertEquals(await shown("--last", "2"), [3, 4]);
    assertEquals(await shown("--since", "1970-01-01T00:00:03Z"), [3, 4]);
    assertEquals(await shown("--until", "1970-01-01T00:00:02Z"), [1, 2]);
    const { stdout } = await run("show", "--output", "jsonl");
    assertEquals(stdout, await Deno.readTextFile(path));
  }));

Deno.test("rein audit export writes a new file for its user alone", () =>
  inPlace(async ({ directory, path, run }) => {
    await added(path, ...ENTRIES);
    const out = `${directory}/out.jsonl`;
    const ended = await run("export", "--since", "1970-01-01T00:00:03Z", "--out", out);
    assertEquals(ended, { code: 0, stdout: "", stderr: `rein: 2 entries in ${out}\n` });
    assertEquals((await entriesIn(out)).map(({ seq }) => seq), [3, 4]);
    assertEquals((Deno.statSync(out).mode ?? 0) & 0o777, 0o600);
    const again = await run("export", "--out", out);
    assertEquals([again.code, (await entriesIn(out)).length], [2, 2]);
  }));

Deno.test("momentOf() takes a day, a day with a time, and how long ago", () => {
  const now = Date.UTC(2026, 10, 29, 12);
  const moments = ["90s", "30m", "2h", "7d", "2026-11-29T10:00:00Z"]
    .map((text) => (now - momentOf(text, "--since", now)) / 1000);
  assertEquals(moments, [90, 1800, 7200, 604_800, 7200]);
  const local = momentOf("2026-11-29", "--since", now);
  assertEquals([localDay(local), localClock(local)], ["2026-11-29", "00:00"]);
  assertEquals(momentOf("2026-11-29 00:00", "--since", now), local);
});

Deno.test("rein audit verify in Chinese", () =>
  inPlace(async ({ path, run }) => {
    await writeLog(path, 4);
    assertEquals(await run("verify", "--lang", "zh"), done(`${path} 完好：4 个条目。\n`));
    const lines = await linesIn(path);
    const changed = lines.with(1, lines[1]!.replace("run_shell", "run_shelf"));
    await Deno.writeTextFile(path, changed.slice(0, 3).map((line) => `${line}\n`).join(""));
    assertEquals(await run("verify", "--lang", "zh"), {
      code: 1,
      stdout: `audit.jsonl:2：已更改：条目 2 被更改过
audit.jsonl:4：截断：结尾缺失条目 4
${path} 不是写入时的样子：3 个条目，2 处错误。
`,
      stderr: "",
    });
  }));

Deno.test("rein audit verify in Chinese says what is no entry, cut off, or sealed by another key", () =>
  inPlace(async ({ directory, path, run }) => {
    const keyFile = `${directory}/key`;
    await Deno.writeTextFile(keyFile, "another key than it was", { mode: 0o600 });
    await writeLog(path, 2, { key: new TextEncoder().encode("a key that nobody knows") });
    const [first = "", second = ""] = await linesIn(path);
    await Deno.writeTextFile(path, `${first}\n${second}\n{}\n{"seq":4`);
    const { code, stdout } = await run("verify", "--lang", "zh", "--key-file", keyFile);
    assertEquals([code, stdout.split("\n").slice(0, 4)], [1, [
      "audit.jsonl:1：封印：封印与密钥不符",
      "audit.jsonl:2：封印：封印与密钥不符",
      "audit.jsonl:3：已更改：此行不是条目",
      "audit.jsonl:4：截断：此行被截断",
    ]]);
  }));

Deno.test("rein audit show in Chinese leaves what was done as it was", () =>
  inPlace(async ({ path, run }) => {
    await writeLog(path, 2);
    const { stdout } = await run("show", "--lang", "zh");
    assertEquals(
      stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "WHEN"),
      `      1 WHEN me                          文件开始
      2 WHEN me         run1         [1] 开始：run_shell echo 2 é 中文 "quoted"
`,
    );
  }));
