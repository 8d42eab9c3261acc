import { assertEquals } from "@std/assert";
import { inTempDir, LOCKED, PROGRAMS, recording, rein } from "./_program.ts";

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
