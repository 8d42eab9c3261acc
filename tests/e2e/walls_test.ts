import { assertEquals } from "@std/assert";
import { inTempDir, LOCKED, type Program, PROGRAMS, recording, rein } from "./_program.ts";

const KEY = "sk-walls-0123456789";

/** Paths by which the environment of rein could be read. */
const ENVIRONMENT = ["/proc/self/environ", "self/environ", "environ", "/proc/self/task/../environ"];

for (const program of LOCKED === null ? PROGRAMS : [...PROGRAMS, LOCKED]) {
  Deno.test(`rein (${program.name}) has no tool by which its environment can be read`, async () => {
    await inTempDir(async (cwd) => {
      await Deno.symlink("/proc/self", `${cwd}/self`);
      await Deno.symlink("/proc/self/environ", `${cwd}/environ`);
      const calls = ENVIRONMENT.flatMap((path) => [
        { name: "read_file", arguments: { path } },
        { name: "search_files", arguments: { path, pattern: "." } },
        { name: "run_shell", arguments: { command: `cat ${path}` } },
      ]);
      const model = await recording(cwd, [{ calls }, { text: "ok" }]);
      const env = { OPENAI_API_KEY: KEY };
      const { stdout } = await rein(program, ["-m", model, "-o", "jsonl", "hi"], { cwd, env });
      const events = stdout.trim().split("\n").map((line) => JSON.parse(line));
      const finished = events.filter(({ type }) => type === "call_finished");
      assertEquals([finished.length > 0, stdout.includes(KEY)], [true, false]);
    });
  });
}

/** What came of one call in a run under a policy file. */
async function observed(
  program: Program,
  policy: string,
  call: { readonly name: string; readonly arguments: unknown },
): Promise<{ status: string; data: { exit_code?: number } | null }> {
  return await inTempDir(async (cwd) => {
    await Deno.writeTextFile(`${cwd}/policy.yaml`, policy);
    const model = await recording(cwd, [{ calls: [call] }, { text: "ok" }]);
    const args = ["--policy", "policy.yaml", "-m", model, "-o", "jsonl", "hi"];
    const { stdout } = await rein(program, args, { cwd });
    const events = stdout.trim().split("\n").map((line) => JSON.parse(line));
    return events.find(({ type }) => type === "call_finished").observation;
  });
}

for (const program of PROGRAMS) {
  Deno.test(`rein (${program.name}) holds tools to the paths that a policy grants`, async () => {
    const policy = "grants:\n  read: [.]\n";
    const call = { name: "read_file", arguments: { path: "/etc/hostname" } };
    const { status } = await observed(program, policy, call);
    assertEquals(status, "error");
  });

  Deno.test(`rein (${program.name}) starts no program where a policy contains the shell`, async () => {
    const call = { name: "run_shell", arguments: { command: "ps" } };
    const { data } = await observed(program, "shell: contained\n", call);
    assertEquals(data?.exit_code, 127);
  });
}
