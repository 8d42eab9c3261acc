/**
 * `rein "question"`: one task, from the command line to the exit code.
 *
 * @module
 */

import { pricesOfRun } from "../config/prices.ts";
import { createContext } from "../context/context.ts";
import { contextWindowOf } from "../context/windows.ts";
import { run, type RunPorts } from "../loop.ts";
import type { Ports, Terminal } from "../ports.ts";
import { newRecord } from "../record.ts";
import { createResults } from "../results/results.ts";
import { guardInterrupted } from "../session/guard.ts";
import { DEFAULT_LIMITS } from "../stop.ts";
import { createSandbox } from "../sandbox/sandbox.ts";
import type { Event, RunResult } from "../events.ts";
import { UndoLog } from "../undo/undo_log.ts";
import { createTools, MAIN_SIDE } from "../../tools/registry.ts";
import { openedList } from "../../tools/todo.ts";
import { createApprover } from "./approve.ts";
import { exitCodeOf } from "./exit_code.ts";
import { UsageError } from "./failure.ts";
import { createLazyJudge, createReadOnlyJudge } from "./judge.ts";
import { chooseEmbedder } from "./embedder.ts";
import { historyOfRun } from "./history_of_run.ts";
import { knowledgeOfRun } from "./knowledge_of_run.ts";
import { loadSettings } from "./load_settings.ts";
import { prepareCalls, watchFetch } from "./prepare.ts";
import {
  closeRunSession,
  createRecorder,
  openRunSession,
  type SessionChoice,
} from "./run_session.ts";
import { createRenderer, type Output } from "./render.ts";
import type { SettingOptions } from "./setting_options.ts";
import { chooseModel } from "./settings.ts";
import { StepWriter } from "./steps.ts";
import { readTask } from "./read_task.ts";

/** The options of a run. */
export interface RunOptions extends SettingOptions {
  readonly output: Output;
  readonly quiet: boolean;
  readonly policy: readonly string[];
  readonly dryRun: boolean;
  /** Whether the newest session of this directory is gone on with. */
  readonly continue: boolean;
}

/** Ending a run from outside. */
export interface Interrupts {
  readonly signal: AbortSignal;
  interrupt(): void;
}

/** One reader of the events. */
type Reader = (event: Event) => Promise<void>;

/** Who prints: with JSON lines the events themselves tell of the steps. */
function readersOf(output: Output, terminal: Terminal, steps: StepWriter): readonly Reader[] {
  const render = createRenderer(output, terminal);
  return output === "jsonl" ? [render] : [render, (event) => steps.event(event)];
}

/** Hands every event to its readers, in order, and returns the result. */
async function follow(
  events: AsyncGenerator<Event, RunResult>,
  readers: readonly Reader[],
): Promise<RunResult> {
  for (let next = await events.next();; next = await events.next()) {
    if (next.done) return next.value;
    for (const read of readers) await read(next.value);
  }
}

/** What is asked of a run. */
export interface RunRequest {
  /** The arguments that are no options; `-` asks for stdin. Null: go on with a task. */
  readonly words: readonly string[] | null;
  readonly choice: SessionChoice;
}

/** What a run is asked, by its options. */
function requestOf(words: readonly string[], { session, continue: goOn }: RunOptions): RunRequest {
  if (typeof session === "string") {
    if (!goOn) return { words, choice: { kind: "named", id: session } };
    const message = "--session and --continue name two sessions";
    throw new UsageError(message, "Leave one of them out.");
  }
  return { words, choice: { kind: goOn ? "latest" : "new" } };
}

/**
 * Runs one task.
 *
 * @param words The arguments that are no options; `-` asks for stdin.
 * @returns The exit code.
 * @throws As {@linkcode runRequest}.
 */
export function runCommand(
  words: readonly string[],
  options: RunOptions,
  ports: Ports,
  interrupts: Interrupts,
): Promise<number> {
  return runRequest(requestOf(words, options), options, ports, interrupts);
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
 * @throws {SyntaxError} If a policy file, the configuration or a recording has a fault.
 * @throws {SandboxError} If the walls that the policy asks for can't be had.
 * @throws {SessionError} If the session can't be used.
 * @throws {ModelError} If no model is set and none is found.
 * @throws The signal's reason, if it is aborted before there is a run.
 */
export async function runRequest(
  { words, choice }: RunRequest,
  options: RunOptions,
  ports: Ports,
  interrupts: Interrupts,
): Promise<number> {
  const { terminal, clock, files, newId } = ports;
  const { signal } = interrupts;
  const steps = new StepWriter(terminal, options.quiet);
  const { settings, apiKey, secrets } = await loadSettings(options, ports);
  const judge = await createLazyJudge(options.policy, ports);
  const { walls, limits } = judge.settings;
  const sandbox = createSandbox(walls, ports, {
    cwd: files.cwd(),
    realPath: (path) => files.realPathSync(path),
    mainSide: MAIN_SIDE,
    limits,
  });
  await sandbox.check(signal);
  const task = words === null ? null : await readTask(words, ports, steps, signal);
  const { fetch, response } = watchFetch(ports.fetch);
  let record = newRecord();
  const { model, note } = await chooseModel(
    { ...settings, apiKey, past: () => record },
    { ...ports, fetch },
    signal,
  );
  // A limit that could not be held ends the run before it begins.
  const prices = pricesOfRun(settings, model.name);
  if (note !== null) await steps.note(note);
  const opened = await openRunSession(choice, {
    keep: settings.session,
    redact: (data) => results.redact(data),
    warn: (text) => void steps.warn(text),
  }, ports);
  const { session } = opened;
  record = opened.record;
  for (const text of opened.notes) await steps.warn(text);
  const spills = session.folder === null ? ports.spills : ports.spillsIn(session.folder);
  const results = createResults({ spills, secrets });
  // Without a session, nothing could be undone once the run has ended.
  const undo = session.folder === null
    ? null
    : new UndoLog(session, ports, { warn: (text) => void steps.warn(text) });
  const toolPorts = { ...ports, files: undo?.files ?? files, processes: sandbox.processes };
  const embedder = () => chooseEmbedder({ ...settings, apiKey }, ports, { model, signal });
  const knowledge = await knowledgeOfRun(ports, { embedder, warn: (text) => steps.warn(text) });
  const { outputs } = results;
  const history = historyOfRun({ session, outputs, embedder });
  const todo = openedList(session.events());
  const sources = { knowledge, history, todo };
  const tools = sandbox.confine(createTools(toolPorts, outputs, sources));
  const readOnly = createReadOnlyJudge(ports);
  const runPorts: RunPorts = {
    model,
    tools,
    judge: guardInterrupted(judge.judge, { record, tools, readOnly }),
    approve: createApprover(ports, interrupts.interrupt),
    context: createContext({
      place: { os: ports.os, cwd: files.cwd(), date: localDate(clock.now()) },
      window: settings.contextWindow ?? contextWindowOf(model.name),
    }),
    session: session.id,
    openItems: () => todo.filter(({ done }) => !done).map(({ text }) => text),
    limits: {
      ...DEFAULT_LIMITS,
      maxSteps: settings.maxSteps,
      maxTokens: settings.maxTokens,
      maxTimeMs: settings.maxTimeMs,
      maxCost: settings.maxCost,
      prices,
    },
    clock,
    results,
    newId,
    random: ports.random,
    readOnly: options.dryRun ? readOnly : null,
  };
  const finished = new AbortController();
  const waiting = { clock, signal: AbortSignal.any([signal, finished.signal]) };
  void prepareCalls({ tools, judge, results, sandbox }, response(), waiting);
  const effectOf = (name: string) => tools.find((tool) => tool.name === name)?.effect;
  const recorder = createRecorder(session, effectOf);
  const keeper: Reader = (event) => undo?.event(event) ?? Promise.resolve();
  const readers = [recorder, keeper, ...readersOf(options.output, terminal, steps)];
  try {
    const events = run({ task, record }, runPorts, signal);
    const result = await follow(events, readers);
    return exitCodeOf(result, signal.reason);
  } finally {
    finished.abort();
    sandbox.end();
    results.end();
    undo?.close();
    closeRunSession(session, ports);
  }
}

/** The day where the person is, as `2026-11-29`. */
function localDate(ms: number): string {
  const date = new Date(ms);
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}
