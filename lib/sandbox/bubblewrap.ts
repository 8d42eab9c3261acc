/**
 * Programs of the machine inside bubblewrap: the file system read-only, no
 * network, no sight of other processes, unless it is granted.
 *
 * @module
 */

import type { Grant, Grants, Processes } from "../ports.ts";
import { SandboxError } from "./grants.ts";

/** What is seen of the system where not everything may be read. */
const SYSTEM: readonly string[] = [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc"],
];

/** Parts of /run that hold no socket of a service; the rest of it is hidden. */
const HARMLESS_RUN: readonly string[] = ["/run/log", "/run/utmp", "/run/systemd/resolve"];

/** Namespaces of its own; a session of its own, so that it can't type into the terminal. */
const APART: readonly string[] = [
  ...["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
  ...["--new-session", "--die-with-parent", "--cap-drop", "ALL"],
];

function bind(how: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) => [how, path, path]);
}

function readable(read: Grant): string[] {
  return read === true
    ? bind("--ro-bind", ["/"])
    : [...bind("--ro-bind-try", SYSTEM), ...bind("--ro-bind-try", read)];
}

function writable(write: Grant): string[] {
  return write === true ? bind("--bind", ["/"]) : bind("--bind-try", write);
}

/**
 * The arguments of `bwrap` before the program.
 *
 * A list of hosts opens no network, since bubblewrap can't tell hosts apart.
 *
 * @param cwd Where the program starts, absolute.
 */
export function bubblewrapArgs(grants: Grants, cwd: string): string[] {
  return [
    ...APART,
    ...grants.net === true ? [] : ["--unshare-net"],
    ...readable(grants.read),
    ...grants.write === true ? writable(true) : [],
    ...["--tmpfs", "/run", ...bind("--ro-bind-try", HARMLESS_RUN)],
    ...["--proc", "/proc", "--dev", "/dev"],
    ...grants.write === true ? [] : writable(grants.write),
    // The one place to write that any program may need; it ends with the program.
    ...["--setenv", "TMPDIR", "/dev/shm"],
    ...["--chdir", cwd],
  ];
}

/**
 * Lets every program run inside bubblewrap.
 *
 * @returns Processes that start nothing outside of it.
 */
export function inBubblewrap(processes: Processes, grants: Grants): Processes {
  return {
    ...processes,
    run: (spec, signal) => {
      const args = [...bubblewrapArgs(grants, spec.cwd), "--", spec.program, ...spec.args];
      return processes.run({ ...spec, program: "bwrap", args }, signal);
    },
  };
}

const HINT = 'Install bubblewrap (and let users make namespaces), or take "sandbox" out of the ' +
  "policy.";

/**
 * Makes sure that bubblewrap works here.
 *
 * @throws {SandboxError} If it is not there or can't do what is asked of it.
 */
export async function checkBubblewrap(
  processes: Processes,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const decoder = new TextDecoder();
  let said = "";
  const stderr = (bytes: Uint8Array) => void (said += decoder.decode(bytes));
  const wrapped = inBubblewrap(processes, { read: true, write: [], net: [] });
  const spec = { program: "true", args: [], cwd: "/", env, stdout: () => {}, stderr };
  const { code } = await wrapped.run(spec, signal).catch((cause) => {
    throw new SandboxError('The policy says "sandbox: bubblewrap", and bwrap is not there', HINT, {
      cause,
    });
  });
  if (code === 0 || signal.aborted) return;
  const message = `The policy says "sandbox: bubblewrap", and bwrap fails: ${said.trim()}`;
  throw new SandboxError(message, HINT);
}
