import { assertEquals, assertMatch } from "@std/assert";
import { ended, inTempDir, type Program, PROGRAMS, recording, start } from "./_program.ts";

/** Seconds that no other process sleeps, so that a process left over can be told. */
let seconds = 4700 + (Deno.pid % 1000) / 1000;

async function running(command: string): Promise<boolean> {
  const { code } = await new Deno.Command("pgrep", { args: ["-f", command] }).output();
  return code === 0;
}

/** Whether a process catches SIGINT yet. */
async function listens(pid: number): Promise<boolean> {
  // Deno itself reads nothing below /proc without all permissions.
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/status`] }).output();
  const mask = /^SigCgt:\s*(\w+)$/m.exec(new TextDecoder().decode(stdout))?.[1];
  const caught = BigInt(`0x${mask ?? "0"}`);
  // SIGHUP, SIGINT and SIGTERM: the runtime itself may listen to some of them before the program.
  const wanted = 1n | 2n | (1n << 14n);
  return (caught & wanted) === wanted;
}

/** Reads events until one is of this type. */
async function until(
  lines: ReadableStreamDefaultReader<string>,
  type: string,
): Promise<void> {
  let seen = "";
  while (!seen.includes(`"type":"${type}"`)) {
    const { done, value } = await lines.read();
    if (done) throw new Error(`No event ${type} came: ${seen}`);
    seen += value;
  }
}

/** Starts a run that sleeps, sends signals once it does, and waits for the end. */
async function interrupted(
  program: Program,
  command: string,
  signals: readonly Deno.Signal[],
): Promise<{ code: number; last: { result: { stop_reason: string; calls: unknown[] } } | null }> {
  return await inTempDir(async (cwd) => {
    const call = { name: "run_shell", arguments: { command } };
    const model = await recording(cwd, [{ text: "Waiting.", calls: [call] }, { text: "never" }]);
    const child = start(program, ["-m", model, "-o", "jsonl", "hi"], { cwd });
    const [watched, kept] = child.stdout.pipeThrough(new TextDecoderStream()).tee();
    const reader = watched.getReader();
    await until(reader, "call_started");
    for (const signal of signals) child.kill(signal);
    const all = (await Array.fromAsync(kept)).join("");
    await reader.cancel();
    await child.stderr.cancel();
    const lines = all.trim().split("\n").map((line) => JSON.parse(line));
    const last = lines.at(-1);
    return { code: (await child.status).code, last: last.type === "run_finished" ? last : null };
  });
}

for (const program of PROGRAMS) {
  const test = (law: string, work: () => Promise<void>) =>
    Deno.test(`rein (${program.name}) ${law}`, work);

  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const) {
    test(`ends with ${code} and a result at ${signal}, and leaves no process`, async () => {
      const command = `sleep ${(seconds += 1).toFixed(3)}`;
      const { code: exit, last } = await interrupted(program, command, [signal]);
      assertEquals(
        [exit, last?.result.stop_reason, last?.result.calls.length, await running(command)],
        [code, "interrupted", 1, false],
      );
    });
  }

  test("prints what was obtained when it is interrupted", async () => {
    await inTempDir(async (cwd) => {
      const command = `sleep ${(seconds += 1).toFixed(3)}`;
      const calls = ["echo one", command].map((line) => ({
        name: "run_shell",
        arguments: { command: line },
      }));
      const model = await recording(cwd, [{ calls }, { text: "never" }]);
      const child = start(program, ["-m", model, "hi"], { cwd });
      while (!await running(`^${command}`)) await new Promise((go) => setTimeout(go, 20));
      child.kill("SIGINT");
      const { code, stdout, stderr } = await ended(child);
      assertEquals([code, stdout], [130, ""]);
      assertMatch(stderr, /unfinished: it was interrupted, in step 1 of 15, after 2 calls\n/);
      assertMatch(stderr, /\n {4}\[1\] run_shell echo one → 1 line\n/);
    });
  });

  test("ends with 130 and a result while it waits for stdin", async () => {
    const child = start(program, ["-o", "json", "q", "-"], { stdinKind: "piped" });
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode("x"));
    // The signals are listened to before stdin is read.
    while (!await listens(child.pid)) await new Promise((go) => setTimeout(go, 10));
    child.kill("SIGINT");
    const { code, stdout } = await ended(child);
    await writer.close().catch(() => {});
    assertEquals([code, JSON.parse(stdout).stop_reason], [130, "interrupted"]);
  });
}
