/**
 * Runs of one session, one after the other: followed, compacted, undone.
 *
 * @module
 */

import type { Event, RunResult } from "../events.ts";
import { run, type RunPorts } from "../loop.ts";
import type { Ports } from "../ports.ts";
import { apply, type RunRecord } from "../record.ts";
import { type Results } from "../results/results.ts";
import { guardInterrupted } from "../session/guard.ts";
import { Auditor } from "../audit/auditor.ts";
import { shownEvent } from "../session/redact_event.ts";
import type { Effect } from "../types.ts";
import type { ParentTask } from "../delegate/envelope.ts";
import { message } from "../messages/messages.ts";
import type { Telemetry } from "../trace/telemetry.ts";
import { lastRunOf } from "../session/restore.ts";
import type { Session } from "../session/store.ts";
import { approveByOption } from "./approve_by_option.ts";
import type { RunDebug } from "./debug_of_run.ts";
import type { RunSettings } from "./load_settings.ts";
import { prepareCalls } from "./prepare.ts";
import type { Reader } from "./render.ts";
import type { Ground } from "./run_setup.ts";
import { closeRunSession, createRecorder } from "./run_session.ts";
import type { UndoOutcome } from "./undo.ts";
import { watchOutput } from "./watch_output.ts";
import type { Kept } from "./kept_of_run.ts";
import type { ModelParts } from "./model_of_run.ts";
import type { Offer } from "./offer_of_run.ts";
import type { RunFace, RunWish } from "./run_wish.ts";

/** Runs that can begin, one after the other, in one session. */
export interface AssembledRun {
  readonly session: Session;
  readonly record: RunRecord;
  /** What a run is handed; another value once another model was chosen. */
  readonly runPorts: RunPorts;
  /** Takes secrets out of a text. */
  redact(text: string): string;
  /**
   * Chooses another model for the runs to come.
   *
   * @throws As `chooseModel`.
   */
  chooseModel(name: string): Promise<void>;
  /**
   * Runs a task to its end; every event is stored before its readers have it.
   *
   * @param task Null: go on with the one that was left.
   */
  follow(task: string | null, options: FollowOptions): Promise<RunResult>;
  /**
   * Makes as much room in the model's window as there can be.
   *
   * @returns What happened, stored; null where nothing would be gained.
   * @throws The signal's reason, if it is aborted while the model sums up.
   */
  compact(signal: AbortSignal): Promise<Event | null>;
  /**
   * Undoes what the newest run changed in files.
   *
   * @throws As `undoLast`.
   */
  undo(): Promise<UndoOutcome>;
  /** Ends the session, and all that runs stood on; never rejects. */
  end(): Promise<void>;
}

/** How one run is followed. */
export interface FollowOptions {
  readonly readers: readonly Reader[];
  readonly signal: AbortSignal;
  /** Whether what would change something is only described. */
  readonly dryRun: boolean;
}

/** Hands every event to its readers, in order, and returns the result. */
async function hand(
  events: AsyncGenerator<Event, RunResult>,
  readers: readonly Reader[],
): Promise<RunResult> {
  try {
    for (let next = await events.next();; next = await events.next()) {
      if (next.done) return next.value;
      for (const read of readers) await read(next.value);
    }
  } catch (error) {
    // What a reader can't have ends the run where it is.
    await events.return(undefined as never);
    throw error;
  }
}

/** What assembled runs are made of. */
export interface Parts {
  readonly ground: Ground;
  readonly kept: Kept;
  readonly offer: Offer;
  readonly readOnly: RunPorts["judge"];
  readonly ports: Ports;
  readonly wish: RunWish;
  readonly face: RunFace;
  readonly partsOf: (settings: RunSettings) => Promise<ModelParts>;
  readonly debug: RunDebug | null;
  readonly telemetry: Telemetry | null;
}

/** What stays the same, whatever model is asked. */
function steadyPorts(
  { ground: { judge }, kept, offer: { tools, todo }, readOnly, ports, wish, face }: Parts,
): Omit<RunPorts, keyof ModelParts> {
  const { record, results, session } = kept;
  const { options: { approve: rules = [], approveAll: all = false }, served, parent } = wish;
  return {
    tools,
    judge: guardInterrupted(judge.judge, { record, tools, readOnly }),
    approve: approveByOption(face.approve, { rules, all }),
    session: session.id,
    openItems: () => todo.filter(({ done }) => !done).map(({ text }) => text),
    clock: ports.clock,
    results: watchOutput(
      results,
      (piece) => face.onOutput(piece, (text) => redactText(results, text)),
    ),
    newId: ports.newId,
    random: ports.random,
    readOnly: null,
    // Nobody is there who could say whether a call that did not begin is still wanted.
    ...(served === undefined ? {} : { runsPending: true }),
    ...(parent === undefined ? {} : { serves: servesOf(parent) }),
  };
}

/** What a run tells of the task that it serves. */
function servesOf({ task_id, trace_id }: ParentTask): NonNullable<RunPorts["serves"]> {
  return { task_id, ...(trace_id === undefined ? {} : { trace_id }) };
}

function redactText(results: Results, text: string): string {
  return String(results.redact({ text })["text"]);
}

/** Runs of one session, put together. */
export class Assembled implements AssembledRun {
  readonly session: Session;
  readonly record: RunRecord;
  readonly #parts: Parts;
  readonly #steady: Omit<RunPorts, keyof ModelParts>;
  readonly #finished = new AbortController();
  #model: ModelParts;

  constructor(parts: Parts, model: ModelParts) {
    this.session = parts.kept.session;
    this.record = parts.kept.record;
    this.#parts = parts;
    this.#steady = steadyPorts(parts);
    this.#model = model;
  }

  get runPorts(): RunPorts {
    const { ground: { answerForm }, debug } = this.#parts;
    const { context, limits, model: asked } = this.#model;
    const bind = answerForm &&
      { answerForm: { ...answerForm, bound: asked.bindsAnswers ?? false } };
    const model = debug?.watch(asked) ?? asked;
    return { ...this.#steady, context, limits, model, ...bind };
  }

  /** Makes ready what the first call needs, once the model begins to answer. */
  prepare(answering: Promise<void>): void {
    const { ground: { judge, sandbox }, kept: { results }, offer: { tools }, face } = this.#parts;
    const { clock } = this.#parts.ports;
    const waiting = { clock, signal: AbortSignal.any([face.signal, this.#finished.signal]) };
    void prepareCalls({ tools, judge, results, sandbox }, answering, waiting);
  }

  redact(text: string): string {
    return redactText(this.#parts.kept.results, text);
  }

  async chooseModel(name: string): Promise<void> {
    const { ground: { loaded }, partsOf } = this.#parts;
    this.#model = await partsOf({ ...loaded, settings: { ...loaded.settings, model: name } });
  }

  follow(task: string | null, { readers, signal, dryRun }: FollowOptions): Promise<RunResult> {
    const { session, record } = this;
    const { ground: { answerForm }, kept: { undo, redact }, offer: { tools } } = this.#parts;
    const { readOnly, debug, telemetry } = this.#parts;
    const { model, limits, told } = this.#model;
    const answerSchema = answerForm?.schema ?? null;
    debug?.assembled({ model, limits, ...told, answerSchema, session: session.id });
    const effectOf = (name: string) => tools.find((tool) => tool.name === name)?.effect;
    const runPorts = { ...this.runPorts, readOnly: dryRun ? readOnly : null };
    const recorder = createRecorder(session, effectOf);
    const keeper: Reader = (event) => undo?.event(event) ?? Promise.resolve();
    const noted: Reader = (event) => {
      debug?.event(event);
      telemetry?.event(event);
      return Promise.resolve();
    };
    return hand(run({ task, record }, runPorts, signal), [
      // First: what can't be audited is not stored as if it had begun.
      ...this.#auditor(effectOf),
      recorder,
      keeper,
      noted,
      async (event) => {
        const shown = shownEvent(event, redact);
        for (const read of readers) await read(shown);
      },
    ]);
  }

  /** Nothing happens before its entry is in the log. */
  #auditor(effectOf: (tool: string) => Effect | undefined): Reader[] {
    const { ground: { audit }, kept: { redact }, ports: { hashes }, face } = this.#parts;
    if (audit === null) return [];
    const sink = audit.sink.for((text) => void face.steps.warn(text));
    const auditor = new Auditor(sink, { redact, session: this.session.id, effectOf, hashes });
    return [(event) => auditor.event(event)];
  }

  async compact(signal: AbortSignal): Promise<Event | null> {
    const { session, record } = this;
    const { context, model, tools } = this.runPorts;
    const body = await context.compact({ record, last: "", tools }, { model, signal });
    if (body === null) return null;
    const at = new Date(this.#parts.ports.clock.now()).toISOString();
    // It happens between two runs, and belongs to the one before.
    const run_id = lastRunOf(session.events()) ?? this.#parts.ports.newId();
    const event = { schema: "rein-event/1", at, run_id, step: record.steps, ...body } as const;
    apply(record, event);
    session.append(event, { durable: false });
    this.#parts.debug?.event(event);
    return event;
  }

  async undo(): Promise<UndoOutcome> {
    const { kept: { undo }, ports } = this.#parts;
    if (undo === null) return { kind: "nothing" };
    const { undoLast } = await import("./undo.ts");
    const [audit = () => Promise.resolve()] = this.#auditor(() => "write");
    const outcome = await undoLast({ session: this.session, undo, audit }, ports);
    if (outcome.kind === "undone") {
      apply(this.record, outcome.event);
      this.#parts.debug?.event(outcome.event);
    }
    return outcome;
  }

  async end(): Promise<void> {
    const { ground, kept: { results, undo }, offer: { delegation, mcp }, ports, telemetry, face } =
      this.#parts;
    this.#finished.abort();
    delegation.close();
    void mcp?.end();
    ground.sandbox.end();
    results.end();
    undo?.close();
    this.#parts.debug?.close();
    closeRunSession(this.session, ports);
    const fault = await telemetry?.end() ?? null;
    if (fault !== null) await face.steps.note(message("telemetry.lost", { why: fault }));
  }
}
