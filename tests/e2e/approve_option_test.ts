import { assertEquals } from "@std/assert";
import { eventFaults } from "../_schemas.ts";
import { inTempDir, type Program, PROGRAMS, recording, rein } from "./_program.ts";

const CHANGE = { calls: [{ name: "run_shell", arguments: { command: "rm -r d && mkdir e" } }] };
const DENIED = { calls: [{ name: "run_shell", arguments: { command: "rm -rf /" } }] };
const READ = { calls: [{ name: "run_shell", arguments: { command: "ls" } }] };
const GONE = { calls: [{ name: "read_file", arguments: { path: "gone" } }] };
const DONE = { text: "Done." };

/** The exit code, how each call ended and was approved, and what is in the directory. */
async function ran(program: Program, turns: readonly unknown[], options: readonly string[]) {
  return await inTempDir(async (cwd) => {
    await Deno.mkdir(`${cwd}/d`);
    const model = await recording(cwd, turns);
    const args = ["-m", model, "-o", "jsonl", "--no-session", ...options, "go"];
    const { code, stdout } = await rein(program, args, { cwd });
    const events = stdout.trim().split("\n").map((line) => JSON.parse(line));
    assertEquals(events.flatMap(eventFaults), []);
    const by = events.filter(({ type }) => type === "approval_answered")
      .map(({ approval }) => approval.by);
    const statuses = events.at(-1).result.calls.map(({ status }: { status: string }) => status);
    const left = [...Deno.readDirSync(cwd)].map(({ name }) => name)
      .filter((name) => name !== "recording.jsonl");
    return { code, by, statuses, left };
  });
}

for (const program of PROGRAMS) {
  Deno.test(`rein --approve (${program.name}) grants what all rules that ask were named for, and nothing else`, async () => {
    const turns = [CHANGE, READ, DONE];
    const denied = { code: 0, by: ["nobody"], statuses: ["denied", "success"], left: ["d"] };
    const granted = { code: 0, by: ["option"], statuses: ["success", "success"], left: ["e"] };
    const options = [
      [],
      ["--approve", "ops.delete"],
      ["ops.delete", "default.execute", "default.write"].flatMap((rule) => ["--approve", rule]),
      ["--approve-all"],
    ];
    const all = [];
    for (const given of options) all.push(await ran(program, turns, given));
    assertEquals(all, [denied, denied, granted, granted]);
  });

  Deno.test(`rein --approve-all (${program.name}) grants nothing that is denied`, async () => {
    assertEquals(await ran(program, [DENIED, READ, DONE], ["--approve-all"]), {
      code: 0,
      by: [],
      statuses: ["denied", "success"],
      left: ["d"],
    });
  });

  Deno.test(`rein --approve (${program.name}) says at once that there is no such rule`, async () => {
    await inTempDir(async (cwd) => {
      const model = await recording(cwd, [DONE]);
      const rule = "rules: [{id: own.x, decision: ask, programs: [x], reason: X}]\nname: own\n";
      await Deno.writeTextFile(`${cwd}/own.yaml`, rule);
      const run = async (...ids: string[]) => {
        const approved = ids.flatMap((id) => ["--approve", id]);
        const args = ["-q", "-m", model, "--policy", "own.yaml", "--no-session", ...approved, "go"];
        const { code, stderr } = await rein(program, args, { cwd });
        return [code, stderr];
      };
      assertEquals([await run("own.x", "ops.delete", "default.write"), await run("ops.delet")], [
        [0, ""],
        [2, 'rein: No policy in force has a rule "ops.delet". Did you mean ops.delete?\n'],
      ]);
    });
  });

  Deno.test(`rein --fail-on-… (${program.name}) makes an answered run fail for its calls`, async () => {
    const both = ["--fail-on-denied", "--fail-on-tool-error"];
    const codes = [
      await ran(program, [DENIED, READ, DONE], ["--fail-on-denied"]),
      await ran(program, [DENIED, READ, DONE], ["--fail-on-tool-error"]),
      await ran(program, [GONE, READ, DONE], ["--fail-on-tool-error"]),
      await ran(program, [GONE, READ, DONE], []),
      await ran(program, [GONE, DENIED, READ, DONE], both),
    ].map(({ code }) => code);
    assertEquals(codes, [4, 0, 3, 0, 4]);
  });
}
