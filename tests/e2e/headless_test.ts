import { assertEquals, assertMatch } from "@std/assert";
import { eventFaults, resultFaults } from "../_schemas.ts";
import { startModelServer } from "../model_server.ts";
import {
  bash,
  ended,
  inTempDir,
  type Program,
  PROGRAMS,
  recording,
  rein,
  start,
} from "./_program.ts";
import { NO_PTY, Pty } from "./_pty.ts";

const LOOK = { calls: [{ name: "run_shell", arguments: { command: "echo hi" } }] };
const CALCULATE = { calls: [{ name: "calculate", arguments: { expression: "1" } }] };

/** The program as words of a shell's line. */
function quoted({ command }: Program): string {
  return command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}

for (const program of PROGRAMS) {
  const test = (law: string, work: () => Promise<void>, ignore = false) =>
    Deno.test({ name: `rein (${program.name}) ${law}`, ignore, fn: work });

  test("takes what a pipe has so far that never ends, and says so", async () => {
    const server = startModelServer(() => ({ text: "ok" }));
    const args = ["--base-url", server.baseUrl, "-m", "m", "what is it?"];
    const child = start(program, args, { stdinKind: "piped" });
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode("so far\n"));
    const { code, stdout, stderr } = await ended(child);
    await writer.close().catch(() => {});
    await server.close();
    assertEquals([code, stdout], [0, "ok\n"]);
    assertMatch(stderr, /stdin paused without ending; what came so far is used/);
    assertMatch(server.requests[0]?.body.messages[1]?.content ?? "", /\nso far\n/);
  });

  test(
    "leaves what is typed to whoever comes next, where it shows nothing of a run",
    () =>
      inTempDir(async (cwd) => {
        const model = await recording(cwd, [
          { calls: [{ name: "run_shell", arguments: { command: "tail -f -n +1 go | head -1" } }] },
          { text: "Done." },
        ]);
        await Deno.writeTextFile(`${cwd}/go`, "");
        const line = `${quoted(program)} -q -m ${model} q; read -r next; echo "next is $next"`;
        const pty = new Pty({ name: "bash", command: ["bash", "-c", line] }, [], { cwd });
        await pty.type("typed ahead\n");
        await pty.waitFor("typed ahead");
        await Deno.writeTextFile(`${cwd}/go`, "go\n");
        await pty.waitFor("next is typed ahead");
        await pty.end();
      }),
    NO_PTY !== null,
  );

  test(
    "leaves the keyboard to whoever reads its answer, though it shows a run",
    () =>
      inTempDir(async (cwd) => {
        const model = await recording(cwd, [
          { calls: [{ name: "run_shell", arguments: { command: "tail -f -n +1 go | head -1" } }] },
          { text: "Done." },
        ]);
        await Deno.writeTextFile(`${cwd}/go`, "");
        const reader =
          '{ for n in 1 2 3; do read -r key < /dev/tty; echo "key is $key"; done; cat; }';
        const line = `${quoted(program)} -m ${model} q | ${reader}`;
        const pty = new Pty({ name: "bash", command: ["bash", "-c", line] }, [], { cwd });
        await pty.waitFor("run_shell tail");
        for (const key of ["x", "y", "z"]) {
          await pty.type(`${key}\n`);
          await pty.waitFor(`key is ${key}`);
        }
        await Deno.writeTextFile(`${cwd}/go`, "go\n");
        await pty.waitFor("Done.");
        await pty.end();
      }),
    NO_PTY !== null,
  );

  test(
    "prints one line of JSON to a colour terminal, without an escape, whatever it warns of",
    () =>
      inTempDir(async (cwd) => {
        const model = await recording(cwd, [LOOK, { text: "\x1b[31mred\x1b[0m 磁盘" }]);
        const env = { TERM: "xterm-256color", COLORTERM: "truecolor", FORCE_COLOR: "1" };
        const line = (redirect: string) => `${quoted(program)} -o json -m ${model} q ${redirect}`;
        const inPty = (redirect: string) =>
          new Pty({ name: "bash", command: ["bash", "-c", line(redirect)] }, [], { cwd, env })
            .end();
        const { screen } = await inPty("2> warnings");
        const lines = screen.split("\r\n");
        assertEquals([lines.length, screen.includes("\x1b")], [2, false]);
        assertEquals(resultFaults(JSON.parse(lines[0] ?? "")), []);
        assertMatch(await Deno.readTextFile(`${cwd}/warnings`), /^rein: the model is a recording/);
        await inPty("> out.json");
        const kept = await Deno.readTextFile(`${cwd}/out.json`);
        assertEquals([kept.split("\n").length, kept.includes("\x1b")], [2, false]);
        assertEquals(JSON.parse(kept).answer, "\x1b[31mred\x1b[0m 磁盘");
      }),
    NO_PTY !== null,
  );

  test("ends quietly where one reader of both streams has seen enough", () =>
    inTempDir(async (cwd) => {
      const model = await recording(cwd, [LOOK, LOOK, { text: "one\ntwo\nthree" }]);
      const line = `{ rein -m ${model} --verbose q; echo "code $?" >&3; } 2>&1 | head -n 1`;
      const { stdout, stderr } = await bash(program, `exec 3>&1; ${line}`, { cwd });
      assertEquals(stderr, "");
      assertMatch(stdout, /^rein: the model is a recording[^\n]*\ncode 141\n$/);
    }));

  test("ends with 3, 5 and a last result event, and nothing but JSON on stdout", async () => {
    const refusing = startModelServer(() =>
      Response.json({ error: { message: "no" } }, { status: 401 })
    );
    try {
      await inTempDir(async (cwd) => {
        const model = await recording(cwd, [CALCULATE, CALCULATE, CALCULATE]);
        const ways: [number, number, string[]][] = [
          [3, 1, ["-m", model, "--max-steps", "1"]],
          [5, 0, ["--base-url", refusing.baseUrl, "-m", "m"]],
        ];
        for (const [code, calls, args] of ways) {
          const ran = await rein(program, ["-o", "jsonl", ...args, "q"], { cwd });
          const events = ran.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
          const { type, result } = events.at(-1);
          assertEquals(
            [ran.code, type, result.calls.length, events.flatMap(eventFaults)],
            [code, "run_finished", calls, []],
          );
          if (code === 3) assertMatch(result.ending.why, /step/);
        }
      });
      assertEquals(refusing.requests.length, 1);
    } finally {
      await refusing.close();
    }
  });

  test("prints the schemas of results and events, which jq can read", async () => {
    const line = "for name in result event batch; do rein schema $name | jq -er '.title'; done; " +
      "rein schema event | jq -er '.[\"$id\"] // .title' > /dev/null && echo versioned";
    const { code, stderr, stdout } = await bash(program, line);
    assertEquals([code, stderr, stdout.trimEnd().split("\n").length], [0, "", 4]);
  });
}
