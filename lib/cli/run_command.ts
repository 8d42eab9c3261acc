/**
 * `rein "question"`: one task, from the command line to the exit code.
 *
 * @module
 */

import type { Approver } from "../calls/pipeline.ts";
import type { RunResult } from "../events.ts";
import type { Ports } from "../ports.ts";
import { createApprover } from "./approve.ts";
import { assembleRun } from "./assemble_run.ts";
import type { AssembledRun } from "./assembled_run.ts";
import { exitCodeOf } from "./exit_code.ts";
import type { LiveStatus } from "./live_status.ts";
import { createPerson, readersOf } from "./person.ts";
import { readTask, type TaskSources } from "./read_task.ts";
import type { Reader } from "./render.ts";
import type { Interrupts, RunOptions } from "./run_options.ts";
import { choiceOf, type SessionChoice } from "./run_session.ts";
import { layGround, type RunSetup, setUpRuns } from "./run_setup.ts";
import type { StepWriter } from "./steps.ts";

/** What is asked of a run. */
export interface RunRequest {
  /** The arguments that are no options; `-` asks for stdin. Null: go on with a task. */
  readonly words: readonly string[] | null;
  /** What else the task is made of. */
  readonly beside?: Omit<TaskSources, "words">;
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
  const { file, input: inputs = [] } = options;
  const request = { words, beside: { file, inputs }, choice: choiceOf(options) };
  return await runRequest(request, options, ports, interrupts);
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

/** Who is told of a run, and how it is ended from outside. */
export interface Face {
  readonly interrupts: Interrupts;
  readonly steps: StepWriter;
  readonly readers: readonly Reader[];
  readonly approve: Approver;
  /** What is shown of what goes on; left out: nothing. */
  readonly live?: LiveStatus | null;
}

/**
 * Runs one task, or what was left of one, and prints what comes of it.
 *
 * @returns The exit code.
 * @throws As `setUpRuns` and {@linkcode performRun}.
 */
export async function runRequest(
  request: RunRequest,
  options: RunOptions,
  ports: Ports,
  interrupts: Interrupts,
): Promise<number> {
  const person = await createPerson(options, ports);
  const { steps, terminal, live } = person;
  const setup = await setUpRuns(options, ports);
  const readers = readersOf(person, setup.loaded.settings);
  const approve = createApprover({ ...ports, terminal }, interrupts.interrupt);
  const face = { interrupts, steps, readers, approve, live };
  try {
    const result = await performRun(request, { options, setup }, ports, face);
    return exitCodeOf(result, interrupts.signal.reason, options);
  } finally {
    await setup.audit?.end();
  }
}

/** How runs are to be. */
export interface RunManner {
  readonly options: RunOptions;
  readonly setup: RunSetup;
}

/**
 * Runs one task, or what was left of one.
 *
 * @throws {UsageError} If there is no question.
 * @throws As `layGround` and `assembleRun`.
 */
export async function performRun(
  { words, beside, choice }: RunRequest,
  { options, setup }: RunManner,
  ports: Ports,
  face: Face,
): Promise<RunResult> {
  const { interrupts: { signal }, steps, approve, live } = face;
  const { secrets } = setup.loaded;
  const ground = await layGround(setup, ports, signal);
  const task = words === null
    ? null
    : await readTask({ words, ...beside }, ports, { steps, secrets, signal });
  const assembled = await assembleRun(ground, { options, choice }, ports, {
    steps,
    approve,
    signal,
    onOutput: (piece, redact) => live?.output(piece, redact),
    onTasks: (tasks) => live?.tasks(tasks),
  });
  try {
    return await followTo(assembled, task, options, face);
  } finally {
    await assembled.end();
  }
}

/** Follows a run to its end, and keeps what is shown of it up to date. */
async function followTo(
  assembled: AssembledRun,
  task: string | null,
  { dryRun }: RunOptions,
  { interrupts: { signal }, readers, live }: Face,
): Promise<RunResult> {
  const finished = new AbortController();
  const kept = live?.keep(finished.signal);
  try {
    return await assembled.follow(task, { readers, signal, dryRun });
  } finally {
    finished.abort();
    await kept;
  }
}
