import { assertEquals, assertRejects } from "@std/assert";
import type { ProcessExit } from "../../lib/ports.ts";
import { createProcesses, type KillableProcesses } from "../../lib/real/processes.ts";
import { inPieces, NEVER } from "../fakes.ts";

/** A command while it runs: what it has written, and a way to wait for that. */
class Running {
  stdout = "";
  stderr = "";
  readonly exit: Promise<ProcessExit>;
  #waiting: { readonly text: string; readonly resolve: () => void } | null = null;

  constructor(command: string, processes: KillableProcesses, signal: AbortSignal) {
    const decoder = new TextDecoder();
    this.exit = processes.run({
      program: "bash",
      args: ["-c", command],
      cwd: "/",
      env: { PATH: Deno.env.get("PATH") ?? "" },
      stdout: (bytes) => {
        this.stdout += decoder.decode(bytes);
        if (this.#waiting && this.stdout.includes(this.#waiting.text)) this.#waiting.resolve();
      },
      stderr: (bytes) => this.stderr += new TextDecoder().decode(bytes),
    }, signal);
  }

  /** Resolves once this has been written to stdout. */
  wrote(text: string): Promise<void> {
    if (this.stdout.includes(text)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting = { text, resolve });
  }

  /** The numbers that the command has written. */
  get pids(): number[] {
    return (this.stdout.match(/\d+/g) ?? []).map(Number);
  }
}

function start(command: string, signal: AbortSignal = NEVER, processes = createProcesses()) {
  return new Running(command, processes, signal);
}

/** How a process is doing, as the system says: a zombie counts as gone. */
async function isAlive(pid: number): Promise<boolean> {
  const args = ["-o", "stat=", "-p", String(pid)];
  const { stdout } = await new Deno.Command("ps", { args }).output();
  const state = new TextDecoder().decode(stdout).trim();
  return state !== "" && !state.startsWith("Z");
}

/** Which of these processes are there. */
async function alive(pids: readonly number[]): Promise<number[]> {
  const states = await Promise.all(pids.map(isAlive));
  return pids.filter((_, index) => states[index]);
}

/** Which of these processes stay, though they were killed: the system takes a moment to end one. */
async function leftOf(pids: readonly number[]): Promise<number[]> {
  let left = await alive(pids);
  for (let look = 0; left.length > 0 && look < 100; look++) left = await alive(left);
  return left;
}

const DONE = { code: 0, signal: null, outputHeld: false };

Deno.test("createProcesses() runs a program to its end", async () => {
  const running = start("echo out; echo err >&2; exit 7");
  assertEquals([await running.exit, running.stdout, running.stderr], [
    { ...DONE, code: 7 },
    "out\n",
    "err\n",
  ]);
});

Deno.test("createProcesses() brings all of a large output, in order", async () => {
  const running = start("seq 1 200000");
  assertEquals(await running.exit, DONE);
  const numbers = running.stdout.trimEnd().split("\n");
  assertEquals([numbers.length, numbers.findIndex((line, index) => line !== `${index + 1}`)], [
    200_000,
    -1,
  ]);
});

Deno.test("createProcesses() says which signal ended a program", async () => {
  assertEquals(await start("kill -KILL $$").exit, {
    code: 137,
    signal: "SIGKILL",
    outputHeld: false,
  });
});

Deno.test("createProcesses() says that a program is not there", async () => {
  const processes = createProcesses();
  const spec = { args: [], cwd: "/", env: {}, stdout: () => {}, stderr: () => {} };
  await assertRejects(() => processes.run({ ...spec, program: "no-such-program" }, NEVER));
});

/** Starts a command, waits for a word of its, interrupts it, and tells what is left of it. */
async function interrupted(command: string) {
  const controller = new AbortController();
  const running = start(command, controller.signal);
  await running.wrote("ready");
  controller.abort();
  const exit = await running.exit;
  return { exit, left: await leftOf(running.pids) };
}

Deno.test("createProcesses() ends a program with all its children when it is aborted", async () => {
  assertEquals(await interrupted("sleep 300 & echo $! $$ ready; wait"), {
    exit: { code: 143, signal: "SIGTERM", outputHeld: false },
    left: [],
  });
});

Deno.test("createProcesses() kills what does not listen to SIGTERM", async () => {
  assertEquals(await interrupted("trap '' TERM; sleep 300 & echo $! $$ ready; wait; sleep 300"), {
    exit: { code: 137, signal: "SIGKILL", outputHeld: false },
    left: [],
  });
});

Deno.test("createProcesses() lets a program that listens clean up", async () => {
  const controller = new AbortController();
  const running = start(
    "trap 'echo cleaned; exit 9' TERM; echo ready; sleep 300 & wait",
    controller.signal,
  );
  await running.wrote("ready");
  controller.abort();
  assertEquals([await running.exit, running.stdout], [{ ...DONE, code: 9 }, "ready\ncleaned\n"]);
});

Deno.test("createProcesses() ends what was aborted before it began", async () => {
  const { code, signal } = await start("sleep 300", AbortSignal.abort()).exit;
  assertEquals([code, signal], [143, "SIGTERM"]);
});

Deno.test("createProcesses() waits for no background process, and leaves none", async () => {
  const running = start("(sleep 300 & echo $!)");
  assertEquals(await running.exit, { ...DONE, groupEnded: true });
  assertEquals([running.pids.length, await leftOf(running.pids)], [1, []]);
});

Deno.test("createProcesses() leaves no grandchild that keeps printing", async () => {
  const running = start(
    "( ( while :; do echo tick >&2; sleep 0.01; done ) & echo $! ) & wait $!; echo $!",
  );
  assertEquals(await running.exit, { ...DONE, groupEnded: true });
  assertEquals([running.pids.length, await leftOf(running.pids)], [2, []]);
});

Deno.test("createProcesses() listens no longer to what has left the group, and says so", async () => {
  const running = start(
    "exec 3>&1; read pid < <(setsid sh -c 'echo $$; exec sleep 300'); echo $pid",
  );
  const exit = await running.exit;
  const left = await alive(running.pids);
  for (const pid of left) Deno.kill(pid, "SIGKILL");
  const escaped = running.pids.map((pid) => ({ pid, command: "sleep 300", ended: false }));
  assertEquals([exit, left, left.length], [
    { ...DONE, outputHeld: true, escaped },
    running.pids,
    1,
  ]);
});

Deno.test("createProcesses() finds what has left the group in silence", async () => {
  const running = start(
    "read pid < <(setsid sh -c 'echo $$; exec sleep 300 > /dev/null 2>&1'); echo $pid",
  );
  const { escaped = [], ...exit } = await running.exit;
  const left = await alive(running.pids);
  for (const pid of left) Deno.kill(pid, "SIGKILL");
  assertEquals(exit, DONE);
  assertEquals(escaped.map(({ pid, ended }) => [pid, ended]), running.pids.map((p) => [p, false]));
  assertEquals(left, running.pids);
});

Deno.test("createProcesses() ends what has left the group with a program that is aborted", async () => {
  const command = "setsid sh -c 'setsid sleep 300 & echo $! $$ ready; sleep 300' & wait";
  const { exit: { escaped = [], ...exit }, left } = await interrupted(command);
  assertEquals([exit.signal, left], ["SIGTERM", []]);
  assertEquals(escaped.map(({ ended }) => ended), escaped.map(() => true));
  assertEquals(escaped.length >= 2, true);
});

Deno.test("createProcesses() gives a program empty stdin and nothing of rein's environment", async () => {
  Deno.env.set("REIN_TEST_SECRET", "secret");
  const running = start("cat; env | grep -c SECRET");
  await running.exit;
  Deno.env.delete("REIN_TEST_SECRET");
  assertEquals(running.stdout, "0\n");
});

Deno.test("KillableProcesses.killAll() ends everything at once", async () => {
  const processes = createProcesses();
  const command = "trap '' TERM; sleep 300 & echo $! $$ ready; wait";
  const all = [start(command, NEVER, processes), start(command, NEVER, processes)];
  for (const running of all) await running.wrote("ready");
  processes.killAll();
  const exits = await Promise.all(all.map(({ exit }) => exit));
  assertEquals(exits.map(({ code, signal }) => [code, signal]), [
    [137, "SIGKILL"],
    [137, "SIGKILL"],
  ]);
  assertEquals(await leftOf(all.flatMap(({ pids }) => pids)), []);
});

Deno.test("createProcesses() is available where every program may be started", () => {
  assertEquals(createProcesses().available(), true);
});

Deno.test("createProcesses() feeds a program its input and then ends it", async () => {
  let stdout = "";
  const exit = await createProcesses().run({
    program: "sh",
    args: ["-c", "wc -c; echo end"],
    cwd: "/",
    env: { PATH: Deno.env.get("PATH") ?? "" },
    input: inPieces("一".repeat(100_000), "x")(),
    stdout: (bytes) => stdout += new TextDecoder().decode(bytes),
    stderr: () => {},
  }, NEVER);
  assertEquals([exit.code, stdout.trim().split(/\s+/)], [0, ["300001", "end"]]);
});

Deno.test("createProcesses() gives up an input that goes on when the program has ended", async () => {
  const given = Promise.withResolvers<void>();
  const input: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: () => {
        given.resolve();
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
  const spec = { cwd: "/", env: { PATH: Deno.env.get("PATH") ?? "" }, input };
  const sinks = { stdout: () => {}, stderr: () => {} };
  const exit = await createProcesses().run({ program: "true", args: [], ...spec, ...sinks }, NEVER);
  await given.promise;
  assertEquals(exit.code, 0);
});
