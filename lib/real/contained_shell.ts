/**
 * The contained shell: bash interpreted inside this thread, over the real
 * files that it may use. It starts no program.
 *
 * @module
 */

import process from "node:process";
import type { Bash, BashExecResult, BashOptions } from "just-bash";
import { commandsFor } from "../sandbox/commands.ts";
import type { Grant, Processes, ProcessExit, ProcessSpec } from "../ports.ts";
import { createShellFiles, MAX_FILE_BYTES, type ShellFilesOptions } from "./shell_files.ts";

/** What the shell of a call may use. */
export interface ShellOptions extends Omit<ShellFilesOptions, "commands"> {
  /** Hosts that `curl` may reach; without any there is no `curl`. */
  readonly net: Grant;
}

/** What a script may take; the whole call ends at the tool's time limit. */
const LIMITS: NonNullable<BashOptions["executionLimits"]> = {
  maxCommandCount: 1_000_000,
  maxLoopIterations: 10_000_000,
  // Loops of these look at no signal and no clock until they end: a second or two each.
  maxAwkIterations: 1_000_000,
  maxSedIterations: 1_000_000,
  maxJqIterations: 1_000_000,
  maxWorkUnits: 100_000_000,
  maxArrayElements: 5_000_000,
  maxExecutionTimeMs: 600_000,
  maxStringLength: MAX_FILE_BYTES,
  maxOutputSize: MAX_FILE_BYTES,
  maxLiveBytes: 4 * MAX_FILE_BYTES,
  maxInputBytes: 16 * MAX_FILE_BYTES,
};

/** Exit codes as shells give them. */
const EXIT = { cannotRun: 126, terminated: 143 };

function networkOf(hosts: Grant): Pick<BashOptions, "network"> {
  if (hosts !== true && hosts.length === 0) return {};
  const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"] as const;
  const network = { allowedMethods: [...methods], maxResponseSize: MAX_FILE_BYTES };
  if (hosts === true) return { network: { ...network, dangerouslyAllowFullInternetAccess: true } };
  const allowedUrlPrefixes = hosts.flatMap((host) => [`http://${host}`, `https://${host}`]);
  return { network: { ...network, allowedUrlPrefixes } };
}

/** Loads the interpreter; it wants to look at variables, and there are none. */
export async function loadShell(): Promise<typeof Bash> {
  Object.defineProperty(process, "env", { value: {}, writable: true, configurable: true });
  return (await import("just-bash")).Bash;
}

/** The script of `bash -c SCRIPT`. */
function scriptOf({ program, args }: ProcessSpec): string {
  const at = args.indexOf("-c");
  const script = at < 0 ? undefined : args[at + 1];
  if (program === "bash" && script !== undefined) return script;
  throw new TypeError(`The contained shell can't start "${program}"`);
}

function sinkText(text: string, sink: (bytes: Uint8Array) => void): void {
  if (text !== "") sink(new TextEncoder().encode(text));
}

async function exec(
  spec: ProcessSpec,
  signal: AbortSignal,
  options: ShellOptions,
): Promise<BashExecResult> {
  const Shell = await loadShell();
  const commands = commandsFor(options.net);
  const shell = new Shell({
    fs: createShellFiles({ ...options, commands }),
    cwd: spec.cwd,
    env: { HOME: spec.cwd, ...spec.env, PATH: "/usr/bin:/bin" },
    commands: [...commands] as NonNullable<BashOptions["commands"]>,
    executionLimits: LIMITS,
    // Its second line of defence patches what the runtime keeps from being patched.
    defenseInDepth: false,
    ...networkOf(options.net),
  });
  return await shell.exec(scriptOf(spec), { signal, rawScript: true });
}

/** Builds the shell of one call. */
export function createContainedShell(options: ShellOptions): Processes {
  return {
    available: () => true,
    programs: commandsFor(options.net),
    async run(spec, signal): Promise<ProcessExit> {
      try {
        const result = await exec(spec, signal, options);
        sinkText(result.stdout, spec.stdout);
        sinkText(result.stderr, spec.stderr);
        return { code: result.exitCode, signal: null, outputHeld: false };
      } catch (error) {
        if (signal.aborted) return { code: EXIT.terminated, signal: "SIGTERM", outputHeld: false };
        sinkText(`bash: ${error instanceof Error ? error.message : String(error)}\n`, spec.stderr);
        return { code: EXIT.cannotRun, signal: null, outputHeld: false };
      }
    },
  };
}
