import { assertEquals } from "@std/assert";
import { type Ended, ended, inTempDir, type Program, PROGRAMS, recording } from "./_program.ts";

const LOOK = { calls: [{ name: "run_shell", arguments: { command: "echo hi; (sleep 300 &)" } }] };
const TURNS = [LOOK, { text: "Done." }];

/** What the program needs to be found from source; the executable needs nothing. */
function cacheOf({ name }: Program): Record<string, string> {
  if (name !== "source") return {};
  const home = Deno.env.get("HOME");
  return { DENO_DIR: Deno.env.get("DENO_DIR") ?? `${home}/.cache/deno` };
}

/** Runs rein with this environment and no other, behind the words of another program. */
async function bare(
  program: Program,
  args: readonly string[],
  { cwd, env = {}, before = [] }: {
    cwd: string;
    env?: Record<string, string>;
    before?: readonly string[];
  },
): Promise<Ended> {
  const [path = "", ...rest] = [...before, ...program.command, ...args];
  const child = new Deno.Command(path, {
    args: rest,
    cwd,
    clearEnv: true,
    env: { ...cacheOf(program), ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return await ended(child);
}

/** What a run of the recording must come to, wherever it is. */
function outcome({ code, stdout, stderr }: Ended) {
  const { answer, calls, session } = JSON.parse(stdout);
  const statuses = calls.map(({ status }: { status: string }) => status);
  return { code, answer, statuses, kept: session !== null, stderr };
}

const DONE = { code: 0, answer: "Done.", statuses: ["success"], stderr: "" };

async function missing(where: string, [program = "", ...args]: readonly string[]) {
  try {
    const { success } = await new Deno.Command(program, {
      args,
      stdout: "null",
      stderr: "null",
    }).output();
    if (success) return null;
  } catch {
    // Said below.
  }
  console.log(`Skipped: rein ${where}, since this process may not run ${program} for it`);
  return program;
}

const AS_PID_1 = ["--pid", "--fork", "--mount-proc", "--kill-child"];

const NO_PID_1 = Deno.build.os === "linux"
  ? await missing("as PID 1", ["unshare", ...AS_PID_1, "true"])
  : "os";

/** Goes to a directory where not even root can write, and starts what follows its name there. */
const UNWRITABLE = [
  ...["unshare", "--mount", "/bin/sh", "-c"],
  'mount -t tmpfs -o ro none "$0" && cd "$0" && exec "$@"',
];

const NO_MOUNT = Deno.build.os === "linux"
  ? await missing(
    "in a directory that nobody can write",
    ["unshare", "--mount", "mount", "-t", "tmpfs", "-o", "ro", "none", "/mnt"],
  )
  : "os";

for (const program of PROGRAMS) {
  Deno.test(`rein (${program.name}) works with an empty environment, and keeps nothing without a home`, async () => {
    await inTempDir(async (cwd) => {
      const args = ["-q", "-o", "json", "-m", await recording(cwd, TURNS), "hi"];
      assertEquals(outcome(await bare(program, args, { cwd })), { ...DONE, kept: false });
    });
  });

  Deno.test(`rein (${program.name}) keeps its session where XDG_STATE_HOME says, without a home`, async () => {
    await inTempDir(async (cwd) => {
      const args = ["-q", "-o", "json", "-m", await recording(cwd, TURNS), "hi"];
      const env = { XDG_STATE_HOME: `${cwd}/state` };
      assertEquals(outcome(await bare(program, args, { cwd, env })), { ...DONE, kept: true });
      assertEquals([...Deno.readDirSync(cwd)].map(({ name }) => name).toSorted(), [
        "recording.jsonl",
        "state",
      ]);
    });
  });

  Deno.test({
    name:
      `rein (${program.name}) works in a directory and with a home where nothing can be written`,
    ignore: NO_MOUNT !== null,
    fn: async () => {
      await inTempDir(async (cwd) => {
        await Deno.mkdir(`${cwd}/bare`);
        const turns = [
          { calls: [{ name: "write_file", arguments: { path: "new", content: "x" } }] },
          ...TURNS,
        ];
        const args = ["-q", "-o", "json", "-m", await recording(cwd, turns), "--approve-all", "hi"];
        const env = { HOME: `${cwd}/bare`, PATH: Deno.env.get("PATH") ?? "" };
        const before = [...UNWRITABLE, `${cwd}/bare`];
        const ran = outcome(await bare(program, args, { cwd, env, before }));
        assertEquals({ ...ran, stderr: "" }, {
          ...DONE,
          statuses: ["error", "success"],
          kept: false,
        });
      });
    },
  });

  Deno.test({
    name:
      `rein (${program.name}) works as PID 1, ends in time for SIGTERM, and leaves nobody behind`,
    ignore: NO_PID_1 !== null,
    fn: async () => {
      await inTempDir(async (cwd) => {
        const before = ["unshare", ...AS_PID_1];
        const env = { PATH: Deno.env.get("PATH") ?? "", XDG_STATE_HOME: `${cwd}/state` };
        const args = ["-q", "-o", "json", "-m", await recording(cwd, TURNS), "hi"];
        const done = outcome(await bare(program, args, { cwd, env, before }));
        assertEquals(done, { ...DONE, kept: true });
        const wait = [{
          calls: [{ name: "run_shell", arguments: { command: "kill -TERM 1; sleep 47" } }],
        }];
        const waiting = [
          "-q",
          "-o",
          "json",
          "-m",
          await recording(cwd, wait),
          "hi",
          "--approve-all",
        ];
        const { code, stdout } = await bare(program, waiting, { cwd, env, before });
        assertEquals([code, JSON.parse(stdout).stop_reason], [143, "interrupted"]);
      });
    },
  });

  Deno.test(`rein (${program.name}) works with any of the standard streams closed`, async () => {
    await inTempDir(async (cwd) => {
      const args = ["-q", "-o", "json", "-m", await recording(cwd, TURNS), "hi"];
      const closed = (redirect: string) =>
        bare(program, args, { cwd, before: ["/bin/bash", "-c", `exec "$@" ${redirect}`, "bash"] });
      assertEquals(outcome(await closed("<&-")), { ...DONE, kept: false });
      assertEquals(outcome(await closed("2>&-")), { ...DONE, kept: false });
      // The runtime puts /dev/null in its place, so that no file is written by mistake.
      assertEquals(await closed(">&-"), { code: 0, stdout: "", stderr: "" });
    });
  });
}
