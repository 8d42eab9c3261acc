import { assertEquals, assertRejects } from "@std/assert";
import type { Grants, Processes, ProcessSpec } from "../../lib/ports.ts";
import { createProcesses } from "../../lib/real/processes.ts";
import { bubblewrapArgs, checkBubblewrap, inBubblewrap } from "../../lib/sandbox/bubblewrap.ts";
import { SandboxError } from "../../lib/sandbox/grants.ts";
import { NEVER } from "../fakes.ts";
import { onGround } from "./_workers.ts";

const ENV = { PATH: Deno.env.get("PATH") ?? "", HOME: "/" };
const LOCKED: Grants = { read: true, write: [], net: [] };

/** Why bubblewrap can't be tested here, or null if it can. */
async function missing(): Promise<string | null> {
  try {
    await checkBubblewrap(createProcesses(), ENV, NEVER);
    return null;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    console.log(`Skipped: the tests inside bubblewrap, since ${why}`);
    return why;
  }
}

const MISSING = await missing();

/** What a command brings inside bubblewrap. */
async function wrapped(command: string, cwd: string, grants: Partial<Grants> = {}, signal = NEVER) {
  let stdout = "";
  const { code } = await inBubblewrap(createProcesses(), { ...LOCKED, ...grants }).run({
    program: "bash",
    args: ["-c", command],
    cwd,
    env: ENV,
    stdout: (bytes) => void (stdout += new TextDecoder().decode(bytes)),
    stderr: () => {},
  }, signal);
  return [code === 0, stdout.trim()];
}

const inside = (law: string, work: (directory: string, outside: string) => Promise<void>) =>
  Deno.test({
    name: `a command inside bubblewrap ${law}`,
    ignore: MISSING !== null,
    fn: () => onGround(({ inside, outside }) => work(inside, outside)),
  });

inside("reads, and writes nothing", async (cwd) => {
  assertEquals(await wrapped("cat a.txt && pwd", cwd), [true, `one\ntwo\n${cwd}`]);
  const command = "echo 1 > new; echo 1 >> a.txt; rm a.txt; touch /etc/x; cat a.txt; ls";
  assertEquals(await wrapped(command, cwd), [
    true,
    "one\ntwo\na.txt\nsub\nto-directory\nto-file\nto-nothing\nto-proc",
  ]);
});

inside("writes where that is granted, and has a place of its own for the rest", async (cwd) => {
  const grants = { write: [`${cwd}/sub`] };
  const command = "echo 1 > sub/f; echo 1 > g; cp sub/f to-file; cat sub/f; ls g; " +
    "cat <<< here > $TMPDIR/t && cat $TMPDIR/t";
  assertEquals(await wrapped(command, cwd, grants), [true, "1\nhere"]);
  assertEquals(await wrapped("cat to-file; ls $TMPDIR", cwd, grants), [true, "secret"]);
});

inside("reads nothing but the system where reading is granted for some paths", async (cwd, out) => {
  const command = `cat a.txt; cat ${out}; cat to-file; ls /home /root /var; true`;
  assertEquals(await wrapped(command, cwd, { read: [cwd] }), [true, "one\ntwo"]);
});

inside("reaches no network unless all of it is granted", async (cwd) => {
  const server = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = server.addr as Deno.NetAddr;
  const command = `exec 3<> /dev/tcp/127.0.0.1/${port} && echo reached`;
  assertEquals(await wrapped(command, cwd), [false, ""]);
  assertEquals(await wrapped(command, cwd, { net: ["127.0.0.1"] }), [false, ""]);
  assertEquals(await wrapped(command, cwd, { net: true }), [true, "reached"]);
  server.close();
});

inside("sees no process but its own", async (cwd) => {
  assertEquals(await wrapped(`cat /proc/${Deno.pid}/environ; ls -d /proc/[0-9]* | wc -l`, cwd), [
    true,
    "4",
  ]);
});

inside("sees no socket of a service", async (cwd) => {
  assertEquals(await wrapped("find /run -type s | wc -l", cwd), [true, "0"]);
});

inside("leaves nothing behind, not even what left its group", async (cwd) => {
  const sleeper = `sleep ${6100 + (Deno.pid % 1000) / 1000}`;
  const left = async () => {
    const { stdout } = await new Deno.Command("pgrep", { args: ["-f", `^${sleeper}`] }).output();
    return new TextDecoder().decode(stdout);
  };
  assertEquals(await wrapped(`setsid ${sleeper} > /dev/null 2>&1 & echo begun`, cwd), [
    true,
    "begun",
  ]);
  const signal = AbortSignal.timeout(300);
  await wrapped(`(setsid ${sleeper} &); trap '' TERM; ${sleeper}`, cwd, {}, signal);
  assertEquals(await left(), "");
});

Deno.test("bubblewrapArgs() of nothing granted reads everything and opens nothing", () => {
  const args = bubblewrapArgs(LOCKED, "/work").join(" ");
  assertEquals(
    args,
    "--unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --new-session " +
      "--die-with-parent --cap-drop ALL --unshare-net --ro-bind / / --tmpfs /run " +
      "--ro-bind-try /run/log /run/log --ro-bind-try /run/utmp /run/utmp " +
      "--ro-bind-try /run/systemd/resolve /run/systemd/resolve --proc /proc --dev /dev " +
      "--setenv TMPDIR /dev/shm --chdir /work",
  );
});

Deno.test("inBubblewrap() starts nothing but bwrap, with the program after a double dash", async () => {
  const specs: ProcessSpec[] = [];
  const run: Processes["run"] = (spec) => {
    specs.push(spec);
    return Promise.resolve({ code: 0, signal: null, outputHeld: false });
  };
  const spec = { args: ["-c", "x"], cwd: "/w", env: {}, stdout: () => {}, stderr: () => {} };
  const processes = inBubblewrap({ available: () => true, run }, LOCKED);
  await processes.run({ ...spec, program: "bash" }, NEVER);
  assertEquals(specs.map(({ program, args }) => [program, args.slice(-4)]), [
    ["bwrap", ["--", "bash", "-c", "x"]],
  ]);
});

Deno.test("checkBubblewrap() says that bwrap is not there, or what it said", async () => {
  const processes = (run: Processes["run"]): Processes => ({ available: () => true, run });
  const gone = processes(() => Promise.reject(new Deno.errors.NotFound("No such file")));
  await assertRejects(() => checkBubblewrap(gone, ENV, NEVER), SandboxError, "bwrap is not there");
  const broken = processes((spec) => {
    spec.stderr(new TextEncoder().encode("bwrap: No permissions to create new namespace\n"));
    return Promise.resolve({ code: 1, signal: null, outputHeld: false });
  });
  await assertRejects(
    () => checkBubblewrap(broken, ENV, NEVER),
    SandboxError,
    "bwrap fails: bwrap: No permissions to create new namespace",
  );
});
