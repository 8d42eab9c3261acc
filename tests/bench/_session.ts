/**
 * One run of a program against a model server that calls a trivial command a
 * number of times and then answers.
 *
 * @module
 */

import { ended, type Program, start } from "../e2e/_program.ts";
import { type ServedRequest, startModelServer } from "../model_server.ts";

/** What was seen of a run. */
export interface Session {
  /** From the start of the process to the arrival of its first request. */
  readonly firstRequestMs: number;
  /** From the start of the process to its end. */
  readonly totalMs: number;
  readonly firstRequest: ServedRequest;
  /** From the end of each answer to the next request: the client's own time. */
  readonly turnsMs: readonly number[];
}

/** What the model does. */
export interface Script {
  /** How often it calls the shell before it answers. */
  readonly rounds: number;
  /** What it waits before each answer. */
  readonly thinkMs: number;
}

/** The arguments with which rein asks a server. */
export function questionTo(baseUrl: string): string[] {
  return ["--base-url", baseUrl, "--model", "m", "--max-steps", "1000", "--quiet", "hi"];
}

/** Starts the model of a script. */
export function startScript({ rounds, thinkMs }: Script): ReturnType<typeof startModelServer> {
  // Each call is another one: a model that repeats itself is stopped.
  const callOf = (round: number) => ({
    name: "run_shell",
    arguments: { command: `echo hi ${round}` },
  });
  return startModelServer((_, index) =>
    index < rounds ? { calls: [callOf(index)], thinkMs } : { text: "hi", thinkMs }
  );
}

/** Runs a program to its end; `argsFor` says how it is told of the server. */
export async function runSession(
  program: Program,
  argsFor: (baseUrl: string) => string[],
  script: Script,
): Promise<Session> {
  const server = startScript(script);
  const startMs = performance.now();
  const { code, stderr } = await ended(start(program, argsFor(server.baseUrl)));
  const totalMs = performance.now() - startMs;
  await server.close();
  const { requests, answeredMs } = server;
  const [firstRequest] = requests;
  if (code !== 0 || !firstRequest || requests.length !== script.rounds + 1) {
    throw new Error(`${program.name} ended with ${code}: ${stderr}`);
  }
  const turnsMs = requests.slice(1).map(({ atMs }, index) => atMs - (answeredMs[index] ?? NaN));
  return { firstRequestMs: firstRequest.atMs - startMs, totalMs, firstRequest, turnsMs };
}
