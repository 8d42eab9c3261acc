/**
 * `rein batch`: many tasks, a few at a time, each a run with a session of its own.
 *
 * @module
 */

import type { Approver } from "../calls/pipeline.ts";
import type { RunResult } from "../events.ts";
import { message, type Say } from "../messages/messages.ts";
import { recognise } from "../messages/recognise.ts";
import type { Ports, Terminal } from "../ports.ts";
import { openResultFile, type ResultFile } from "./batch_file.ts";
import { asFinished, type BatchLines, inOrder } from "./batch_lines.ts";
import { BatchProgress, countsText, type TaskEnd } from "./batch_progress.ts";
import { type BatchTask, parseTasks } from "./batch_tasks.ts";
import { exitCodeOf, Interruption, SIGNAL_EXIT_CODES } from "./exit_code.ts";
import { failureOf, readNamedFile, UsageError } from "./failure.ts";
import { failedResult } from "./render.ts";
import { performRun } from "./run_command.ts";
import type { Interrupts, RunOptions } from "./run_options.ts";
import { type RunSetup, setUpRuns } from "./run_setup.ts";
import { PLAIN_LOOK, StepWriter } from "./steps.ts";

/** The options of a batch, beside those of each of its runs. */
export interface BatchOptions extends RunOptions {
  /** Tasks at the same time. */
  readonly jobs: number;
  readonly asFinished: boolean;
  /** A file to which results are added, and that says what is done already. */
  readonly out?: string;
}

/** What came of one task. */
interface Ended {
  readonly result: RunResult;
  /** The exit code that it would have had by itself. */
  readonly code: number;
}

/** A batch on its way. */
interface Batch {
  readonly options: BatchOptions;
  readonly setup: RunSetup;
  readonly ports: Ports;
  readonly interrupts: Interrupts;
  readonly progress: BatchProgress;
  readonly lines: BatchLines;
  readonly file: ResultFile | null;
  /** Exit codes so far, by the place of their task. */
  readonly codes: Map<number, number>;
}

/** Ids that are named where some are left, at the most. */
const NAMED_IDS = 10;

/** Questions of several tasks at once would be a trap for whoever is at the terminal. */
const nobody: Approver = () =>
  Promise.resolve({ granted: false, by: "nobody", reason: "a batch asks nobody" });

async function wholeStdin(terminal: Terminal, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of terminal.input(signal)) text += decoder.decode(bytes, { stream: true });
  signal.throwIfAborted();
  return text + decoder.decode();
}

async function readTasks(
  path: string,
  { files, terminal }: Ports,
  signal: AbortSignal,
): Promise<readonly BatchTask[]> {
  if (path === "-") return parseTasks(await wholeStdin(terminal, signal), "stdin");
  return parseTasks(await readNamedFile(files, message("file.tasks"), path), `"${path}"`);
}

/** What a run says to the person, with the task that it is about. */
function stepsOf({ id }: BatchTask, { ports, progress }: Batch): StepWriter {
  const err = (text: string) =>
    progress.aside(() => ports.terminal.err(text.replace(/^rein: /, `rein: ${id}: `)));
  return new StepWriter({ ...ports.terminal, err }, true, { ...PLAIN_LOOK, say: ports.say });
}

function setupOf({ model }: BatchTask, setup: RunSetup): RunSetup {
  if (model === null) return setup;
  const { loaded } = setup;
  return { ...setup, loaded: { ...loaded, settings: { ...loaded.settings, model } } };
}

/** Runs one task; what fails before there is a run is a result like others. */
async function runTask(task: BatchTask, batch: Batch): Promise<Ended> {
  const { options, setup, ports, interrupts } = batch;
  const request = {
    words: [task.task],
    beside: { inputs: task.input, typed: false },
    choice: { kind: "new" },
  } as const;
  const manner = { options, setup: setupOf(task, setup) };
  const face = { interrupts, steps: stepsOf(task, batch), readers: [], approve: nobody };
  const { signal } = interrupts;
  try {
    const result = await performRun(request, manner, ports, face);
    return { result, code: exitCodeOf(result, signal.reason, options) };
  } catch (error) {
    // Whatever an interruption made fail, the interruption is why it ended.
    const failure = failureOf(signal.aborted ? signal.reason : error);
    const stop = signal.aborted ? "interrupted" : null;
    return { result: failedResult(ports.newId(), failure, stop), code: failure.exitCode };
  }
}

function endOf({ result, code }: Ended): TaskEnd {
  if (code === 0) return "answered";
  return result.status === "failed" ? "failed" : "unfinished";
}

/** Why a task has no answer that counts, in a few words. */
function whyOf({ result: { error, ending }, code }: Ended, say: Say): string {
  const why = error?.message ?? ending?.why;
  return why === undefined ? say("batch.calls_failed", { code }) : recognise(why, say);
}

async function finish(task: BatchTask, index: number, ended: Ended, batch: Batch): Promise<void> {
  const line = JSON.stringify({ id: task.id, ...ended.result });
  batch.file?.add(line);
  batch.codes.set(index, ended.code);
  const how = endOf(ended);
  await batch.progress.end(how);
  if (how !== "answered" && !batch.interrupts.signal.aborted) {
    const { say } = batch.ports;
    const id = how === "failed" ? "batch.failed_task" : "batch.unfinished_task";
    await batch.progress.note(say(id, { id: task.id, why: whyOf(ended, say) }));
  }
  await batch.lines.add(index, line);
}

/** Takes one task after the other until none is left or the batch is ended. */
async function work(queue: Iterator<[number, BatchTask]>, batch: Batch): Promise<void> {
  const { signal } = batch.interrupts;
  while (!signal.aborted) {
    const next = queue.next();
    if (next.done) return;
    const [index, task] = next.value;
    await batch.progress.begin();
    await finish(task, index, await runTask(task, batch), batch);
  }
}

/** Runs tasks, a few at a time; a failure to write ends all of them. */
async function runTasks(
  tasks: readonly BatchTask[],
  batch: Omit<Batch, "interrupts">,
  interrupts: Interrupts,
): Promise<void> {
  const broken = new AbortController();
  const signal = AbortSignal.any([interrupts.signal, broken.signal]);
  const whole = { ...batch, interrupts: { ...interrupts, signal } };
  const queue = tasks.entries();
  const workers = Array.from({ length: batch.options.jobs }, async () => {
    try {
      await work(queue, whole);
    } catch (error) {
      broken.abort(error);
      throw error;
    }
  });
  const [failed] = (await Promise.allSettled(workers)).filter(({ status }) =>
    status === "rejected"
  );
  if (failed?.status === "rejected") throw failed.reason;
  await batch.lines.flush();
}

/** What is left after an interruption, and how to go on. */
function leftText(left: readonly BatchTask[], { out }: BatchOptions, say: Say): string {
  const ids = left.slice(0, NAMED_IDS).map(({ id }) => id);
  const more = left.length > ids.length ? ", …" : "";
  const values = { count: left.length, ids: `${ids.join(", ")}${more}` };
  return say(out === undefined ? "batch.left_without_file" : "batch.left", values);
}

/**
 * The exit code of a batch: 0 if all are answered, 5 if all failed by the model, else 3; the
 * signal's if it was interrupted.
 */
function exitCodeOfBatch(codes: readonly number[], skipped: number, reason: unknown): number {
  if (reason instanceof Interruption) return SIGNAL_EXIT_CODES[reason.signal];
  if (codes.every((code) => code === 0)) return 0;
  return skipped === 0 && codes.every((code) => code === 5) ? 5 : 3;
}

/** Where the lines go: on a terminal, they stand above the line of progress. */
function linesOf(options: BatchOptions, { terminal }: Ports, progress: BatchProgress): BatchLines {
  const out = (line: string) => terminal.out(`${line}\n`);
  const write = (line: string) =>
    terminal.stdoutIsTerminal ? progress.aside(() => out(line)) : out(line);
  return options.asFinished ? asFinished(write) : inOrder(write);
}

/** What is known of a batch before it begins. */
interface Prepared {
  readonly tasks: readonly BatchTask[];
  readonly options: BatchOptions;
  readonly setup: RunSetup;
  readonly file: ResultFile | null;
}

async function runBatch(
  { tasks, options, setup, file }: Prepared,
  ports: Ports,
  interrupts: Interrupts,
): Promise<number> {
  const waiting = tasks.filter(({ id }) => !file?.answered.has(id));
  const skipped = tasks.length - waiting.length;
  const { say } = ports;
  const progress = new BatchProgress(waiting.length, ports, options.quiet);
  if (file?.torn) {
    await progress.say(say("batch.torn", { path: options.out ?? "" }));
  }
  if (skipped > 0) await progress.note(say("batch.skipped", { skipped, count: tasks.length }));
  const lines = linesOf(options, ports, progress);
  const codes = new Map<number, number>();
  const batch = { options, setup, ports, progress, lines, file, codes };
  const finished = new AbortController();
  const following = progress.follow(finished.signal);
  try {
    await runTasks(waiting, batch, interrupts);
  } finally {
    finished.abort();
    await following;
    await progress.clear();
  }
  if (waiting.length > 0) {
    const counts = countsText(progress.counts, say);
    await progress.note(say("batch.result", { count: waiting.length, counts }));
  }
  const left = waiting.filter((_task, index) => codes.get(index) !== 0);
  const { aborted, reason } = interrupts.signal;
  const interrupted = aborted && left.length > 0;
  if (interrupted) await progress.say(leftText(left, options, say));
  return exitCodeOfBatch([...codes.values()], skipped, interrupted ? reason : undefined);
}

/**
 * Runs the tasks of a file.
 *
 * @param path The file; `-`: stdin.
 * @returns The exit code.
 * @throws {UsageError} If the tasks, the options or the file of results are wrong.
 * @throws {OutputError} If a result can't be written.
 * @throws As {@linkcode setUpRuns}; the signal's reason, if it is aborted before a task begins.
 */
export async function batchCommand(
  path: string,
  options: BatchOptions,
  ports: Ports,
  interrupts: Interrupts,
): Promise<number> {
  const { signal } = interrupts;
  if (options.debug !== undefined && options.jobs > 1) {
    throw new UsageError(message("batch.debug"), message("batch.debug_hint"));
  }
  const tasks = await readTasks(path, ports, signal);
  const setup = await setUpRuns(options, ports);
  const file = options.out === undefined
    ? null
    : await openResultFile(options.out, ports.files, signal);
  try {
    return await runBatch({ tasks, options, setup, file }, ports, interrupts);
  } finally {
    file?.close();
    await setup.audit?.end();
  }
}
