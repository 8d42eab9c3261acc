import { assertEquals, assertMatch } from "@std/assert";
import type { AuditEntry } from "../../lib/audit/entry.ts";
import { auditFaults } from "../_schemas.ts";
import { inTempDir } from "../_temp.ts";
import { PROGRAMS, rein } from "./_program.ts";

const ANSWER = { text: "Done." };
const CALL = { text: "I look.", calls: [{ name: "run_shell", arguments: { command: "echo hi" } }] };

function recording(...turns: readonly unknown[]): string {
  return turns.map((turn) => `${JSON.stringify(turn)}\n`).join("");
}

function policy(lines: string): string {
  return `name: test\naudit:\n${lines}`;
}

for (const program of PROGRAMS) {
  const test = (law: string, work: (directory: string) => Promise<void>) =>
    Deno.test(`rein (${program.name}) ${law}`, () =>
      inTempDir({ "turns.jsonl": recording(CALL, ANSWER), "file": "" }, work));

  const run = (directory: string, ...args: readonly string[]) =>
    rein(program, args, {
      cwd: directory,
      env: {
        XDG_STATE_HOME: `${directory}/state`,
        REIN_MODEL: `recorded:${directory}/turns.jsonl`,
      },
    });

  test("audits what it does, by one chain over many runs", async (directory) => {
    assertEquals((await run(directory, "do it")).code, 0);
    assertEquals((await run(directory, "--no-session", "do it")).code, 0);
    const path = `${directory}/state/rein/audit/audit.jsonl`;
    const entries = (await Deno.readTextFile(path)).trim().split("\n")
      .map((line) => JSON.parse(line) as AuditEntry);
    const ofRun = ["run_started", "call_judged", "call_started", "call_finished", "run_finished"];
    assertEquals(entries.map(({ kind }) => kind), ["file_started", ...ofRun, ...ofRun]);
    assertEquals(entries.flatMap(auditFaults), []);
    assertEquals(entries.map(({ user: { uid } }) => uid), entries.map(() => Deno.uid()));
    const whole = await run(directory, "audit", "verify");
    assertEquals([whole.code, whole.stdout], [0, `${path} is whole: 11 entries.\n`]);
  });

  test("begins no run that a policy wants audited and that can't be", async (directory) => {
    const required = policy(`  required: true\n  path: ${directory}/file/audit.jsonl\n`);
    await Deno.writeTextFile(`${directory}/p.yaml`, required);
    const ended = await run(directory, "--policy", "p.yaml", "do it");
    assertEquals([ended.code, ended.stdout], [2, ""]);
    assertMatch(ended.stderr, /Without an audit log no run may begin: .*file/);
    const json = await run(directory, "--policy", "p.yaml", "--output", "json", "do it");
    assertEquals([json.code, JSON.parse(json.stdout).error.code], [2, "audit"]);
  });

  test("ends a run whose required log fails on the way, before the next effect", async (directory) => {
    const log = `${directory}/log`;
    const breaking = `rm -r ${log} && touch ${log}`;
    const calls = [breaking, "touch after"].map((command) => ({
      text: "Now.",
      calls: [{ name: "run_shell", arguments: { command } }],
    }));
    await Deno.writeTextFile(`${directory}/turns.jsonl`, recording(...calls, ANSWER));
    const required = policy(`  required: true\n  path: ${log}/audit.jsonl\n`);
    await Deno.writeTextFile(`${directory}/p.yaml`, required);
    const ended = await run(directory, "--policy", "p.yaml", "--approve-all", "do it");
    assertEquals([ended.code, ended.stdout], [1, ""]);
    assertMatch(
      ended.stderr,
      /rein: The audit log can't be written any more, so the run ends here/,
    );
    const names = [...Deno.readDirSync(directory)].map(({ name }) => name);
    assertEquals(names.includes("after"), false);
  });

  test("goes on with one warning where no log is required and it can't be had", async (directory) => {
    const wanted = policy(`  path: ${directory}/file/audit.jsonl\n`);
    await Deno.writeTextFile(`${directory}/p.yaml`, wanted);
    const ended = await run(directory, "--policy", "p.yaml", "do it");
    assertEquals([ended.code, ended.stdout], [0, "Done.\n"]);
    assertEquals(ended.stderr.split("nothing is audited from here on").length, 2, ended.stderr);
  });
}
