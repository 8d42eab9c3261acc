import { assertEquals } from "@std/assert";
import { inTempDir, PROGRAMS, recording, rein } from "./_program.ts";

for (const program of PROGRAMS) {
  Deno.test(`rein (${program.name}) lets a model search the documents that were added, and only then`, () =>
    inTempDir(async (cwd) => {
      const settings = { cwd, env: { XDG_STATE_HOME: `${cwd}/state` } };
      await Deno.mkdir(`${cwd}/docs`);
      await Deno.writeTextFile(`${cwd}/docs/值班.md`, "# 值班\n数据库告警先看主从延迟。\n");
      await Deno.writeTextFile(`${cwd}/docs/deploy.txt`, "Deploy blue-green on Fridays.\n");
      const call = { name: "search_knowledge", arguments: { query: "告警 数据库" } };
      const model = await recording(cwd, [{ calls: [call] }, { text: "先看主从延迟" }]);
      const observed = async () => {
        const args = ["-m", model, "-o", "jsonl", "go"];
        const { stdout } = await rein(program, args, settings);
        const events = stdout.trim().split("\n").map((line) => JSON.parse(line));
        const { status, data } = events.find(({ type }) => type === "call_finished").observation;
        return { status, data };
      };
      assertEquals((await observed()).status, "error");

      const added = await rein(program, ["kb", "add", "docs"], settings);
      assertEquals(added, {
        code: 0,
        stdout: "2 documents added, 0 replaced, 0 unchanged; 2 pieces\n",
        stderr: "",
      });
      assertEquals(await observed(), {
        status: "success",
        data: { passages: "[docs/值班.md:1-2]\n# 值班\n数据库告警先看主从延迟。", found: 1 },
      });
      const found = await rein(program, ["kb", "search", "fridays"], settings);
      assertEquals([found.code, found.stdout], [
        0,
        "docs/deploy.txt:1\n    Deploy blue-green on Fridays.\n",
      ]);
      const mode = (await Deno.stat(`${cwd}/state/rein/knowledge.db`)).mode ?? 0;
      assertEquals(mode & 0o777, 0o600);
    }));
}
