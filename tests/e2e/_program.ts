/**
 * Running rein as people and scripts do: as a process, from source and as the
 * compiled executables.
 *
 * @module
 */

import { fileURLToPath } from "node:url";

/** A way to start rein. */
export interface Program {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

/** How a process ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a process is started with. */
export interface RunSettings {
  readonly cwd?: string;
  /** Beside `PATH` and `HOME`; nothing else is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  /** Text for stdin; an empty file where left out. */
  readonly stdin?: string;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The program from source, with the permissions of the full build. */
export const SOURCE: Program = {
  name: "source",
  command: [
    Deno.execPath(),
    ...["run", "--quiet", `--config=${ROOT}deno.json`, "--no-prompt", "-P=rein"],
    `${ROOT}main.ts`,
  ],
};

function newestSourceMs(directory: string): number {
  let newest = 0;
  for (const entry of Deno.readDirSync(directory)) {
    const path = `${directory}/${entry.name}`;
    const ms = entry.isDirectory ? newestSourceMs(path) : Deno.statSync(path).mtime?.getTime() ?? 0;
    newest = Math.max(newest, ms);
  }
  return newest;
}

/** Why an executable can't be tested, or null if it can. */
function fault(path: string, task: string): string | null {
  try {
    const builtMs = Deno.statSync(path).mtime?.getTime() ?? 0;
    const sources = ["lib", "tools", "policies"].map((name) => newestSourceMs(ROOT + name));
    return builtMs >= Math.max(...sources) ? null : `is older than its source: deno task ${task}`;
  } catch {
    return `is not built: deno task ${task}`;
  }
}

function executable(name: string, task: string): Program | null {
  const path = `${ROOT}dist/${name}`;
  const why = fault(path, task);
  if (why === null) return { name, command: [path] };
  console.log(`Skipped: the tests of dist/${name}, since it ${why}`);
  return null;
}

/** The compiled executable, or null (with a printed reason) if there is none. */
export const REIN = executable("rein", "compile");

/** The compiled locked executable, or null (with a printed reason) if there is none. */
export const LOCKED = executable("rein-locked", "compile:locked");

/** Whether only the executable is wanted where there is one: its source was tested before. */
const ONLY_BUILT = Deno.env.get("REIN_TEST_BUILT") === "1";

/** The full program in every form that is there and wanted. */
export const PROGRAMS: readonly Program[] = REIN === null
  ? [SOURCE]
  : ONLY_BUILT
  ? [REIN]
  : [SOURCE, REIN];

/** What rein keeps while tests run; nothing goes into the home of whoever runs them. */
const STATE = Deno.makeTempDirSync({ prefix: "rein-test-state-" });
globalThis.addEventListener("unload", () => Deno.removeSync(STATE, { recursive: true }));

/** The environment of a child: only what is named, and a folder for what lasts. */
export function environment(extra: RunSettings["env"] = {}): Record<string, string> {
  const inherited = ["PATH", "HOME", "DENO_DIR"].flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(inherited), XDG_STATE_HOME: STATE, ...extra };
}

/** Starts rein and hands the running process over. */
export function start(
  program: Program,
  args: readonly string[],
  settings: RunSettings & { readonly stdinKind?: "piped" | "null" } = {},
): Deno.ChildProcess {
  const [path, ...before] = program.command;
  return new Deno.Command(path, {
    args: [...before, ...args],
    ...(settings.cwd === undefined ? {} : { cwd: settings.cwd }),
    clearEnv: true,
    env: environment(settings.env),
    stdin: settings.stdinKind ?? "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Runs rein to its end. */
export async function rein(
  program: Program,
  args: readonly string[],
  settings: RunSettings = {},
): Promise<Ended> {
  const stdinKind = settings.stdin === undefined ? "null" : "piped";
  const child = start(program, args, { ...settings, stdinKind });
  if (settings.stdin !== undefined) await writeAll(child.stdin, settings.stdin);
  return await ended(child);
}

async function writeAll(stdin: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch {
    // The program need not read all that it is offered.
  }
}

/** Waits for a process and collects what it wrote. */
export async function ended(child: Deno.ChildProcess): Promise<Ended> {
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Runs a bash line in which `rein` starts the program. */
export async function bash(
  program: Program,
  line: string,
  settings: RunSettings = {},
): Promise<Ended> {
  const quoted = program.command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const child = new Deno.Command("bash", {
    args: ["-c", `rein() { ${quoted} "$@"; }\n${line}`],
    ...(settings.cwd === undefined ? {} : { cwd: settings.cwd }),
    clearEnv: true,
    env: environment(settings.env),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return await ended(child);
}

/** A fresh directory that is removed after the work. */
export async function inTempDir<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await Deno.makeTempDir({ prefix: "rein-test-" });
  try {
    return await work(directory);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

/** Writes a recording of these turns and returns the `--model` that plays it. */
export async function recording(directory: string, turns: readonly unknown[]): Promise<string> {
  const path = `${directory}/recording.jsonl`;
  await Deno.writeTextFile(path, turns.map((turn) => `${JSON.stringify(turn)}\n`).join(""));
  return `recorded:${path}`;
}
