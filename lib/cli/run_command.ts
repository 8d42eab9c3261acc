/**
 * `rein "question"`: one task, from the command line to the exit code.
 *
 * @module
 */

import type { Ports } from "../ports.ts";
import { assembleRun, layGround } from "./assemble_run.ts";
import { exitCodeOf } from "./exit_code.ts";
import { createPerson, readersOf } from "./person.ts";
import { readTask } from "./read_task.ts";
import type { Interrupts, RunOptions } from "./run_options.ts";
import { choiceOf, type SessionChoice } from "./run_session.ts";

export type { Interrupts, RunOptions } from "./run_options.ts";

/** What is asked of a run. */
export interface RunRequest {
  /** The arguments that are no options; `-` asks for stdin. Null: go on with a task. */
  readonly words: readonly string[] | null;
  readonly choice: SessionChoice;
}

/**
 * Runs one task.
 *
 * @param words The arguments that are no options; `-` asks for stdin.
 * @returns The exit code.
 * @throws As {@linkcode runRequest}.
 */
export async function runCommand(
  words: readonly string[],
  options: RunOptions,
  ports: Ports,
  interrupts: Interrupts,
): Promise<number> {
  return await runRequest({ words, choice: choiceOf(options) }, options, ports, interrupts);
}

/**
 * Goes on with a task that was not answered.
 *
 * @param id Its session; null: the newest unfinished one of this directory.
 * @returns The exit code.
 * @throws As {@linkcode runRequest}.
 */
export function resumeCommand(
  id: string | null,
  options: RunOptions,
  ports: Ports,
  interrupts: Interrupts,
): Promise<number> {
  return runRequest({ words: null, choice: { kind: "resume", id } }, options, ports, interrupts);
}

/**
 * Runs one task, or what was left of one.
 *
 * @returns The exit code.
 * @throws {UsageError} If there is no question or a setting is wrong.
 * @throws As {@linkcode layGround} and {@linkcode assembleRun}.
 */
export async function runRequest(
  { words, choice }: RunRequest,
  options: RunOptions,
  ports: Ports,
  { signal, interrupt }: Interrupts,
): Promise<number> {
  const person = await createPerson(options, ports);
  const { steps, terminal, live } = person;
  const ground = await layGround(options, ports, signal);
  const readers = readersOf(person, ground.loaded.settings);
  const task = words === null ? null : await readTask(words, ports, steps, signal);
  const assembled = await assembleRun(ground, choice, ports, {
    steps,
    terminal,
    interrupt,
    signal,
    onOutput: (piece, redact) => live?.output(piece, redact),
  });
  const finished = new AbortController();
  const kept = live?.keep(finished.signal);
  try {
    const { dryRun } = options;
    const result = await assembled.follow(task, { readers, signal, dryRun });
    return exitCodeOf(result, signal.reason);
  } finally {
    finished.abort();
    await kept;
    assembled.end();
  }
}
