/**
 * `run_shell`: a command in bash.
 *
 * @module
 */

import type { Environment, Ports, Processes, ProcessExit } from "../lib/ports.ts";
import type { CollectedText, TextLimit, Tool, ToolOutcome } from "../lib/types.ts";

/** What the model may ask for. */
export interface RunShellArgs {
  readonly command: string;
  readonly timeout_ms?: number;
}

const STDOUT_LIMIT: TextLimit = { head: 2000, tail: 2000 };
const STDERR_LIMIT: TextLimit = { head: 1000, tail: 1000 };

/** What a command gets of rein's environment; never a key. */
const INHERITED = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ"] as const;

const STANDARD_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Output is for a model: no pager, no colours, no questions. */
const FIXED = {
  TERM: "dumb",
  PAGER: "cat",
  GIT_PAGER: "cat",
  SYSTEMD_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  DEBIAN_FRONTEND: "noninteractive",
};

function cleanEnvironment(env: Environment): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => {
    const value = env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return { PATH: STANDARD_PATH, ...Object.fromEntries(inherited), ...FIXED };
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** What a model should know of processes that did not end with the command. */
function processNotes({ outputHeld, groupEnded, escaped = [] }: ProcessExit): string[] {
  const names = (ended: boolean) =>
    escaped.filter((one) => one.ended === ended)
      .map(({ pid, command }) => `${pid} (${command})`).join(", ");
  const [alive, ended] = [names(false), names(true)];
  return [
    groupEnded ? "Background processes were ended with the command." : "",
    alive === "" ? "" : `Left the command's process group and still there: ${alive}.`,
    ended === "" ? "" : `Left the command's process group and were ended: ${ended}.`,
    outputHeld && alive + ended === ""
      ? "A background process still held the output and was no longer listened to."
      : "",
  ].filter((note) => note !== "");
}

/** What the model should know beside the output itself. */
function noteOf(stdout: CollectedText, stderr: CollectedText, exit: ProcessExit): string {
  return [
    ...stdout.notes.map((note) => `stdout: ${note}.`),
    ...stderr.notes.map((note) => `stderr: ${note}.`),
    ...processNotes(exit),
  ].join(" ");
}

function outcomeOf(exit: ProcessExit, stdout: CollectedText, stderr: CollectedText): ToolOutcome {
  const { code } = exit;
  const lines = plural(stdout.totalLines, "line");
  const note = noteOf(stdout, stderr, exit);
  return {
    ok: true,
    data: {
      exit_code: code,
      stdout: stdout.text,
      stderr: stderr.text,
      ...(note === "" ? {} : { note }),
    },
    summary: code === 0 ? lines : `exit ${code}, ${lines}`,
    truncated: [...stdout.truncated, ...stderr.truncated],
  };
}

/** Which commands there are, for the model. */
function programsLine({ programs }: Pick<Processes, "programs">): string {
  if (programs === undefined) return "The programs of this machine are there.";
  return `There are bash itself and ${programs.join(" ")}, and no other program; files that may ` +
    "not be read look as if they were not there.";
}

/** Builds the tool. */
export function createRunShell(ports: Pick<Ports, "processes" | "files" | "env">): Tool<
  RunShellArgs
> {
  return {
    name: "run_shell",
    description: "Run a command in bash and get its exit code, stdout and stderr. For looking at " +
      `the system and for pipelines. ${programsLine(ports.processes)} stdin is empty and each ` +
      "call starts anew in the working directory. Not for interactive programs; to look at one " +
      "file use read_file or search_files.",
    parameters: {
      type: "object",
      properties: {
        command: {
          type: "string",
          minLength: 1,
          maxLength: 20_000,
          description: "Bash command line; plain reading commands run without asking.",
        },
        timeout_ms: {
          type: "integer",
          minimum: 100,
          maximum: 600_000,
          description: "Time limit in milliseconds, 30000 if left out.",
        },
      },
      required: ["command"],
      additionalProperties: false,
    },
    effect: "execute",
    timeoutMs: 30_000,
    limits: {},
    subjects: ({ command }) => [{ kind: "command", command }],
    brief: ({ command }) => command,
    run: async ({ command }, { signal, collect }) => {
      const stdout = collect({ field: "stdout", limit: STDOUT_LIMIT, raw: true });
      const stderr = collect({ field: "stderr", limit: STDERR_LIMIT, raw: true });
      const exit = await ports.processes.run({
        program: "bash",
        args: ["--noprofile", "--norc", "-c", command],
        cwd: ports.files.cwd(),
        env: cleanEnvironment(ports.env),
        stdout: (bytes) => stdout.push(bytes),
        stderr: (bytes) => stderr.push(bytes),
      }, signal);
      return outcomeOf(exit, stdout.finish(), stderr.finish());
    },
  };
}
