import { assertEquals, assertMatch } from "@std/assert";
import { inTempDir, type Program, PROGRAMS, recording, rein, start } from "./_program.ts";

/** A command that waits until somebody writes into its pipe. */
const WAIT = {
  text: "I wait.",
  calls: [{ name: "run_shell", arguments: { command: "cat gate" } }],
};

/** Reads until a text has come. */
async function until(lines: ReadableStreamDefaultReader<string>, text: string): Promise<string> {
  for (let seen = "";;) {
    if (seen.includes(text)) return seen;
    const { done, value } = await lines.read();
    if (done) throw new Error(`"${text}" never came: ${seen}`);
    seen += value;
  }
}

async function rest(lines: ReadableStreamDefaultReader<string>): Promise<string> {
  for (let seen = "";;) {
    const { done, value } = await lines.read();
    if (done) return seen;
    seen += value;
  }
}

const readerOf = (child: Deno.ChildProcess) =>
  child.stdout.pipeThrough(new TextDecoderStream()).getReader();

/** Works while a run of session `s` waits in its first call. */
async function whileItWaits(
  program: Program,
  work: (
    settings: { cwd: string; env: Record<string, string> },
    go: () => Promise<void>,
  ) => Promise<void>,
): Promise<void> {
  await inTempDir(async (cwd) => {
    const settings = { cwd, env: { XDG_STATE_HOME: `${cwd}/state` } };
    const model = await recording(cwd, [WAIT, { text: "It came." }]);
    await new Deno.Command("mkfifo", { args: [`${cwd}/gate`] }).output();
    const args = ["-m", model, "--session", "s", "-o", "jsonl", "Wait for it"];
    const running = start(program, args, settings);
    const events = readerOf(running);
    await until(events, '"type":"call_started"');
    await work(settings, () => Deno.writeTextFile(`${cwd}/gate`, "here\n"));
    await rest(events);
    await running.stderr.cancel();
    assertEquals((await running.status).code, 0);
  });
}

/** The same whatever times, counts and ids a run had. */
function still(text: string): string {
  return text.replace(/^run .*$/m, "run ID · MODEL")
    .replace(/\d+ in, \d+ out/g, "TOKENS")
    .replace(/\b[\d.]+ m?s\b/g, "TIME");
}

for (const program of PROGRAMS) {
  const test = (law: string, work: () => Promise<void>) =>
    Deno.test(`rein trace (${program.name}) ${law}`, work);

  test("follows a run of another process to its end", () =>
    whileItWaits(program, async (settings, go) => {
      const following = start(program, ["trace", "s", "--follow"], settings);
      const lines = readerOf(following);
      const seen = await until(lines, "I wait.\n");
      await go();
      const all = seen + await rest(lines);
      await following.stderr.cancel();
      assertEquals((await following.status).code, 0);
      assertEquals(
        still(all),
        `run ID · MODEL
  Wait for it
├─ step 1 · TIME · TOKENS · I wait.
│  ├─ run_shell cat gate · allow (reading.text) · 1 line · TIME
├─ step 2 · TIME · TOKENS · It came.
├─ answer: It came.
└─ answered · 2 steps · 1 call · TIME · TOKENS
`,
      );
      const { stdout } = await rein(program, ["trace"], settings);
      assertMatch(stdout, /^run \S+ · .* · answered · 2 steps · 1 call · /);
    }));

  test("ends at Ctrl-C with 130, and leaves the run that it follows alone", () =>
    whileItWaits(program, async (settings, go) => {
      const following = start(program, ["trace", "--follow"], settings);
      const lines = readerOf(following);
      await until(lines, "I wait.\n");
      following.kill("SIGINT");
      assertEquals(await rest(lines), "");
      const said = await new Response(following.stderr).text();
      assertEquals([(await following.status).code, said], [130, ""]);
      await go();
    }));

  test("writes a page of what is there so far", () =>
    whileItWaits(program, async (settings, go) => {
      const { code, stdout, stderr } = await rein(
        program,
        ["trace", "s", "--html", "a.html"],
        settings,
      );
      assertEquals([code, stdout, stderr], [0, "", ""]);
      assertMatch(await Deno.readTextFile(`${settings.cwd}/a.html`), /<h1>Wait for it<\/h1>/);
      await go();
    }));
}
