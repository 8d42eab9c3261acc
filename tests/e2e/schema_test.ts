import { assertEquals } from "@std/assert";
import { resultFaults } from "../_schemas.ts";
import { inTempDir, PROGRAMS, recording, rein } from "./_program.ts";
import { NO_PTY, Pty } from "./_pty.ts";

const SCHEMA = JSON.stringify({
  type: "object",
  properties: { lines: { type: "integer" } },
  required: ["lines"],
});

const COUNT = { calls: [{ name: "run_shell", arguments: { command: "seq 1 3 | wc -l" } }] };

/** Runs rein with a schema for the answer of this model. */
async function answered(
  program: typeof PROGRAMS[number],
  turns: readonly unknown[],
  rest: string[],
) {
  return await inTempDir(async (cwd) => {
    await Deno.writeTextFile(`${cwd}/schema.json`, SCHEMA);
    const model = await recording(cwd, turns);
    return await rein(program, ["-q", "-m", model, "--schema", "schema.json", ...rest], { cwd });
  });
}

for (const program of PROGRAMS) {
  Deno.test(`rein --schema (${program.name}) prints JSON that fits, after calls and a correction`, async () => {
    const turns = [COUNT, { text: "Three." }, { text: '```json\n{ "lines": 3 }\n```' }];
    assertEquals(await answered(program, turns, ["How many?"]), {
      code: 0,
      stdout: '{"lines":3}\n',
      stderr: "",
    });
    const { stdout } = await answered(program, turns, ["-o", "json", "How many?"]);
    const { answer, data, steps, stop_reason } = JSON.parse(stdout);
    assertEquals(
      [resultFaults(JSON.parse(stdout)), answer, data, steps, stop_reason],
      [[], '{"lines":3}', { lines: 3 }, 2, "answered"],
    );
  });

  Deno.test(`rein --schema (${program.name}) exits with 6 and the errors, stdout empty, where nothing fits`, async () => {
    const turns = [{ text: "Three." }, { text: '{"lines": "3"}' }, { text: "{}" }];
    const { code, stdout, stderr } = await answered(program, turns, ["How many?"]);
    assertEquals([code, stdout, stderr.split("\n").slice(0, 2)], [6, "", [
      "{}",
      "rein: The answer does not fit the schema after 2 corrections: the value must have " +
      "required property 'lines'. Look at the schema and the question, or use another model.",
    ]]);
  });

  Deno.test(`rein --schema (${program.name}) says what is wrong with a schema before it runs anything`, async () => {
    await inTempDir(async (cwd) => {
      const schemas = { "a.json": "{", "b.json": "[]", "c.json": '{"type":"disk"}' };
      for (const [name, text] of Object.entries(schemas)) {
        await Deno.writeTextFile(`${cwd}/${name}`, text);
      }
      const model = await recording(cwd, [{ text: "Hello." }]);
      const ways = [...Object.keys(schemas), "gone.json"].map(async (name) => {
        const ended = await rein(program, ["-m", model, "--schema", name, "hi"], { cwd });
        return [ended.code, ended.stdout, ended.stderr.slice(0, 33)];
      });
      assertEquals(await Promise.all(ways), [
        [2, "", 'rein: The answer schema "a.json" '],
        [2, "", 'rein: The answer schema "b.json" '],
        [2, "", 'rein: The answer schema "c.json" '],
        [2, "", 'rein: The answer schema "gone.jso'],
      ]);
    });
  });

  Deno.test({
    name: `rein --schema (${program.name}) shows a terminal the answer alone, not what did not fit`,
    ignore: NO_PTY !== null,
    fn: async () => {
      await inTempDir(async (cwd) => {
        await Deno.writeTextFile(`${cwd}/schema.json`, SCHEMA);
        const model = await recording(cwd, [{ text: "Three." }, { text: '{ "lines": 3 }' }]);
        const args = ["-q", "-m", model, "--schema", "schema.json", "How many?"];
        const { code, screen } = await new Pty(program, args, { cwd }).end();
        assertEquals([code, screen], [0, '{"lines":3}\r\n']);
      });
    },
  });
}
