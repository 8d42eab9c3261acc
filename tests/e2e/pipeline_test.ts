import { assertEquals } from "@std/assert";
import { eventFaults, resultFaults } from "../_schemas.ts";
import { bash, inTempDir, type Program, PROGRAMS, recording, rein, start } from "./_program.ts";

const LOOK = { calls: [{ name: "run_shell", arguments: { command: "echo hi" } }] };

/** A directory with a script that starts rein, as programs that take a name need it. */
async function withScript<T>(
  program: Program,
  turns: readonly unknown[],
  work: (cwd: string, model: string) => Promise<T>,
): Promise<T> {
  return await inTempDir(async (cwd) => {
    const words = program.command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
    await Deno.writeTextFile(`${cwd}/rein.sh`, `#!/bin/sh\nexec ${words} "$@"\n`);
    await Deno.chmod(`${cwd}/rein.sh`, 0o755);
    return await work(cwd, await recording(cwd, turns));
  });
}

/** The lines of a text, each held to the schema of events. */
function eventsOf(text: string) {
  const lines = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(lines.flatMap(eventFaults), []);
  return lines;
}

/** Reads a stream in pieces of a size, and rests after each. */
async function readSlowly(stream: ReadableStream<Uint8Array>, pieceBytes: number): Promise<string> {
  const reader = stream.getReader({ mode: "byob" });
  const decoder = new TextDecoder();
  let text = "";
  while (true) {
    const { done, value } = await reader.read(new Uint8Array(pieceBytes));
    text += decoder.decode(value, { stream: true });
    if (done) return text;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

for (const program of PROGRAMS) {
  const test = (law: string, work: () => Promise<void>) => {
    Deno.test(`rein (${program.name}) ${law}`, work);
  };

  test("is read by jq, as one object and as lines", async () => {
    await withScript(program, [LOOK, { text: "Hi.\n磁盘" }], async (cwd, model) => {
      const line = `rein -q -m ${model} -o json "say hi" | jq -er '.answer, .calls[0].status'; ` +
        `rein -q -m ${model} -o jsonl "say hi" | jq -es '[.[].type] | first, last, length > 5'`;
      const { stdout, stderr } = await bash(program, line, { cwd });
      assertEquals([stdout, stderr], [
        'Hi.\n磁盘\nsuccess\n"run_started"\n"run_finished"\ntrue\n',
        "",
      ]);
    });
  });

  test("ends quietly where head has seen enough, and writes all of it through tee", async () => {
    await withScript(program, [LOOK, LOOK, { text: "Hi." }], async (cwd, model) => {
      const line = `rein -q -m ${model} -o jsonl "say hi" | head -n 1 | jq -r .type; ` +
        `rein -q -m ${model} -o jsonl "say hi" | tee copy.jsonl > through.jsonl`;
      const { stdout, stderr } = await bash(program, line, { cwd });
      assertEquals([stdout, stderr], ["run_started\n", ""]);
      const [copy, through] = [
        await Deno.readTextFile(`${cwd}/copy.jsonl`),
        await Deno.readTextFile(`${cwd}/through.jsonl`),
      ];
      assertEquals([copy === through, eventsOf(copy).at(-1).type], [true, "run_finished"]);
    });
  });

  test("is started by xargs, several at once, and takes no stdin of others", async () => {
    await withScript(program, [{ text: "Hi." }], async (cwd, model) => {
      const line = `printf 'one\\ntwo\\nthree\\n' | ` +
        `xargs -P 2 -I {} ./rein.sh -q -m ${model} -o json {} | jq -r .answer`;
      assertEquals(await bash(program, line, { cwd }), {
        code: 0,
        stdout: "Hi.\nHi.\nHi.\n",
        stderr: "",
      });
    });
  });

  test("gives a slow reader all of it, in order", async () => {
    const answer = "0123456789".repeat(100_000);
    await withScript(program, [LOOK, { text: answer }], async (cwd, model) => {
      const child = start(program, ["-q", "-m", model, "-o", "jsonl", "hi"], { cwd });
      const text = await readSlowly(child.stdout, 64 * 1024);
      await child.stderr.cancel();
      const events = eventsOf(text);
      const { code } = await child.status;
      assertEquals([code, events[0].type, events.at(-1).type, events.at(-1).result.answer], [
        0,
        "run_started",
        "run_finished",
        answer,
      ]);
    });
  });

  test("prints one object or events that end in a result, whatever happens, as its schemas say", async () => {
    await withScript(program, [LOOK, { text: "Hi." }], async (cwd, model) => {
      await Deno.writeTextFile(`${cwd}/s.json`, '{"type":"object"}');
      const play = async (name: string, turns: readonly unknown[]) => {
        const lines = turns.map((turn) => `${JSON.stringify(turn)}\n`).join("");
        await Deno.writeTextFile(`${cwd}/${name}.jsonl`, lines);
        return `recorded:${name}.jsonl`;
      };
      const remove = { calls: [{ name: "run_shell", arguments: { command: "rm -rf /" } }] };
      const wrong = {
        calls: [{ name: "no_tool", arguments: "{" }, { name: "todo", arguments: 1 }],
      };
      const ways: [number, string[]][] = [
        [0, ["-m", model, "hi"]],
        [0, ["-m", model, "--no-session", "--dry-run", "hi"]],
        [0, ["-m", await play("wrong", [wrong, LOOK, { text: "Hi." }]), "hi"]],
        [2, ["-m", "recorded:gone", "hi"]],
        [2, ["--nonsense"]],
        [2, []],
        [3, ["-m", await play("looks", [LOOK, LOOK, LOOK]), "--max-steps", "2", "hi"]],
        [4, ["-m", await play("denied", [remove, { text: "No." }]), "hi"]],
        [4, [
          "-m",
          await play("answered", [remove, LOOK, { text: "Hi." }]),
          "--fail-on-denied",
          "hi",
        ]],
        [5, ["-m", await play("short", [LOOK]), "hi"]],
        [5, ["--base-url", "http://127.0.0.1:9/v1", "-m", "m", "hi"]],
        [6, [
          "-m",
          await play("prose", [{ text: "a" }, { text: "b" }, { text: "c" }]),
          "--schema",
          "s.json",
          "hi",
        ]],
        [0, [
          "-m",
          await play("mended", [{ text: "a" }, { text: "{}" }]),
          "--schema",
          "s.json",
          "hi",
        ]],
      ];
      for (const [code, args] of ways) {
        const json = await rein(program, ["-q", "-o", "json", ...args], { cwd });
        const lines = await rein(program, ["-q", "-o", "jsonl", ...args], { cwd });
        const [object = "", ...rest] = json.stdout.split("\n");
        const events = eventsOf(lines.stdout);
        assertEquals(
          [args, json.code, lines.code, rest, resultFaults(JSON.parse(object)), events.at(-1).type],
          [args, code, code, [""], [], "run_finished"],
        );
      }
    });
  });

  test("prints a result that its schema admits when it is interrupted", async () => {
    const sleep = { calls: [{ name: "run_shell", arguments: { command: "sleep 47" } }] };
    await withScript(program, [sleep], async (cwd, model) => {
      const child = start(program, ["-q", "-m", model, "-o", "jsonl", "wait"], { cwd });
      let text = "";
      let signalled = false;
      for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
        text += piece;
        if (signalled || !text.includes('"call_started"')) continue;
        child.kill("SIGTERM");
        signalled = true;
      }
      const events = eventsOf(text);
      await child.stderr.cancel();
      assertEquals([(await child.status).code, events.at(-1).result.stop_reason], [
        143,
        "interrupted",
      ]);
    });
  });
}
