import { assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { generateLog } from "../../demo/log.ts";
import { SCHEMAS } from "../../lib/cli/schemas.ts";
import { ended, environment, inTempDir, PROGRAMS, rein } from "./_program.ts";

const RECORDING = fileURLToPath(new URL("../../demo/demo.jsonl", import.meta.url));
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const lines = (await Deno.readTextFile(RECORDING)).trim().split("\n");
const answer: string = JSON.parse(lines.at(-1) ?? "").text;

Deno.test("deno task demo answers by real calls, all of them allowed", async () => {
  const demo = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "demo"],
    cwd: ROOT,
    clearEnv: true,
    env: environment(),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const { code, stdout, stderr } = await ended(demo);
  assertEquals([code, stdout], [0, `${answer}\n`]);
  assertEquals(stderr.split("\n").filter((line) => line.startsWith("[Step ")).length, 12);
});

for (const program of PROGRAMS) {
  Deno.test(`rein (${program.name}) does the demo's work, told in valid events`, async () => {
    await inTempDir(async (cwd) => {
      await Deno.writeTextFile(`${cwd}/access.log`, generateLog());
      const args = ["-m", `recorded:${RECORDING}`, "-o", "jsonl", "question"];
      const { code, stdout } = await rein(program, args, { cwd });
      const ajv = new Ajv2020({ strict: false });
      const [isEvent, isResult] = [SCHEMAS["event"], SCHEMAS["result"]]
        .map((schema) => ajv.compile(schema as object));
      const events = stdout.trim().split("\n").map((line) => JSON.parse(line));
      const invalid = events.filter((event) => !isEvent?.(event));
      const { result } = events.at(-1);
      assertEquals([code, invalid, isResult?.(result), result.answer], [0, [], true, answer]);
      const calls: { decision: string; status: string }[] = result.calls;
      assertEquals(
        calls.map(({ decision, status }) => [decision, status]),
        Array.from({ length: 12 }, () => ["allow", "success"]),
      );
    });
  });
}
