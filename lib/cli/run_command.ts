/**
 * `rein "question"`: one task, from the command line to the exit code.
 *
 * @module
 */

import type { AnswerForm } from "../answer/form.ts";
import type { Approver } from "../calls/pipeline.ts";
import { pricesOfRun } from "../config/prices.ts";
import { createContext } from "../context/context.ts";
import { contextWindowOf } from "../context/windows.ts";
import { run, type RunPorts } from "../loop.ts";
import type { Ports, Terminal } from "../ports.ts";
import { newRecord, noteUnkept } from "../record.ts";
import { createResults } from "../results/results.ts";
import { guardInterrupted } from "../session/guard.ts";
import { DEFAULT_LIMITS } from "../stop.ts";
import { createSandbox } from "../sandbox/sandbox.ts";
import type { Event, RunResult } from "../events.ts";
import { UndoLog } from "../undo/undo_log.ts";
import { createTools, MAIN_SIDE } from "../../tools/registry.ts";
import { openedList } from "../../tools/todo.ts";
import { loadAnswerForm } from "./answer_schema.ts";
import { createApprover } from "./approve.ts";
import { checkApproved } from "./approved_rules.ts";
import { approveByOption } from "./approve_by_option.ts";
import { exitCodeOf } from "./exit_code.ts";
import { UsageError } from "./failure.ts";
import { createLazyJudge, createReadOnlyJudge, type LazyJudge } from "./judge.ts";
import { chooseEmbedder } from "./embedder.ts";
import { historyOfRun } from "./history_of_run.ts";
import { knowledgeOfRun } from "./knowledge_of_run.ts";
import { loadSettings, type RunSettings } from "./load_settings.ts";
import { prepareCalls, watchFetch } from "./prepare.ts";
import type { ProgramOptions } from "./program_options.ts";
import {
  closeRunSession,
  createRecorder,
  openRunSession,
  type SessionChoice,
} from "./run_session.ts";
import { createReasoningWriter } from "./reasoning_writer.ts";
import { createRenderer, type Output } from "./render.ts";
import type { SettingOptions } from "./setting_options.ts";
import { chooseModel } from "./settings.ts";
import { StepWriter } from "./steps.ts";
import { readTask, type TaskSources } from "./read_task.ts";

/** The options of a run. */
export interface RunOptions extends SettingOptions, ProgramOptions {
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
export type Reader = (event: Event) => Promise<void>;

/** Who prints: with JSON lines the events themselves tell of the steps. */
function readersOf(
  { output, schema }: RunOptions,
  terminal: Terminal,
  { steps, reasoning }: { readonly steps: StepWriter; readonly reasoning: boolean },
): readonly Reader[] {
  const render = createRenderer(output, terminal, { fitting: schema !== undefined });
  if (output === "jsonl") return [render];
  // Thoughts end their line before anything else is written.
  const thoughts = reasoning ? [createReasoningWriter(terminal)] : [];
  return [...thoughts, render, (event) => steps.event(event)];
}

/** What runs of the same options share; whatever is wrong with it ends all of them. */
export interface RunSetup {
  readonly loaded: RunSettings;
  readonly judge: LazyJudge;
  /** What the answer must fit; null: any text. */
  readonly answerForm: AnswerForm | null;
}

/**
 * Loads what runs of these options share.
 *
 * @throws {UsageError} If a setting, the answer's schema or the id of an approved rule is wrong.
 * @throws {SyntaxError} If a policy file or the configuration has a fault.
 */
export async function setUpRuns(options: RunOptions, ports: Ports): Promise<RunSetup> {
  const loaded = await loadSettings(options, ports);
  const judge = await createLazyJudge(options.policy, ports);
  const { schema, approve = [], policy } = options;
  await checkApproved(approve, policy, ports);
  const answerForm = schema === undefined ? null : await loadAnswerForm(schema, ports.files);
  return { loaded, judge, answerForm };
}

/** Who is told of a run, and how it is ended from outside. */
export interface Face {
  readonly interrupts: Interrupts;
  readonly steps: StepWriter;
  readonly readers: readonly Reader[];
  /** Who is asked for approval; left out: whoever is at the terminal. */
  readonly approve?: Approver;
}

/** Who approves, behind what the command line has approved. */
function approverOf(
  { approve = [], approveAll = false }: RunOptions,
  approver: Approver,
): Approver {
  return approveByOption(approver, { rules: approve, all: approveAll });
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
  /** What else the task is made of. */
  readonly beside?: Omit<TaskSources, "words">;
  readonly choice: SessionChoice;
}

/** What a run is asked, by its options. */
function requestOf(words: readonly string[], options: RunOptions): RunRequest {
  const { session, continue: goOn, file, input = [] } = options;
  const beside = { file, inputs: input };
  if (typeof session === "string") {
    if (!goOn) return { words, beside, choice: { kind: "named", id: session } };
    const message = "--session and --continue name two sessions";
    throw new UsageError(message, "Leave one of them out.");
  }
  return { words, beside, choice: { kind: goOn ? "latest" : "new" } };
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
 * Runs one task, or what was left of one, and prints what comes of it.
 *
 * @returns The exit code.
 * @throws As {@linkcode setUpRuns} and {@linkcode performRun}.
 */
export async function runRequest(
  request: RunRequest,
  options: RunOptions,
  ports: Ports,
  interrupts: Interrupts,
): Promise<number> {
  const { terminal } = ports;
  const steps = new StepWriter(terminal, options.quiet);
  const setup = await setUpRuns(options, ports);
  const { reasoning } = setup.loaded.settings;
  const face = { interrupts, steps, readers: readersOf(options, terminal, { steps, reasoning }) };
  const result = await performRun(request, { options, setup }, ports, face);
  return exitCodeOf(result, interrupts.signal.reason, options);
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
 * @throws {SyntaxError} If a recording has a fault.
 * @throws {SandboxError} If the walls that the policy asks for can't be had.
 * @throws {SessionError} If the session can't be used.
 * @throws {ModelError} If no model is set and none is found.
 * @throws The signal's reason, if it is aborted before there is a run.
 */
export async function performRun(
  { words, beside, choice }: RunRequest,
  { options, setup }: RunManner,
  ports: Ports,
  face: Face,
): Promise<RunResult> {
  const { interrupts, steps, readers: printers } = face;
  const { clock, files, newId } = ports;
  const { signal } = interrupts;
  const { loaded: { settings, apiKey, secrets }, judge, answerForm } = setup;
  const { walls, limits } = judge.settings;
  const sandbox = createSandbox(walls, ports, {
    cwd: files.cwd(),
    realPath: (path) => files.realPathSync(path),
    mainSide: MAIN_SIDE,
    limits,
  });
  await sandbox.check(signal);
  const task = words === null
    ? null
    : await readTask({ words, ...beside }, ports, { steps, secrets, signal });
  const { fetch, response } = watchFetch(ports.fetch);
  let record = newRecord();
  const { model, note, window } = await chooseModel(
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
    onFailure: (text) => {
      noteUnkept(record);
      void steps.warn(text);
    },
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
    approve: approverOf(options, face.approve ?? createApprover(ports, interrupts.interrupt)),
    context: createContext({
      place: { os: ports.os, cwd: files.cwd(), date: localDate(clock.now()) },
      window: settings.contextWindow ?? window ?? contextWindowOf(model.name),
      clock,
      sendsReasoning: () => model.sendsReasoning ?? false,
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
    ...(answerForm && { answerForm: { ...answerForm, bound: model.bindsAnswers ?? false } }),
  };
  const finished = new AbortController();
  const waiting = { clock, signal: AbortSignal.any([signal, finished.signal]) };
  void prepareCalls({ tools, judge, results, sandbox }, response(), waiting);
  const effectOf = (name: string) => tools.find((tool) => tool.name === name)?.effect;
  const recorder = createRecorder(session, effectOf);
  const keeper: Reader = (event) => undo?.event(event) ?? Promise.resolve();
  const readers = [recorder, keeper, ...printers];
  try {
    const events = run({ task, record }, runPorts, signal);
    return await follow(events, readers);
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
