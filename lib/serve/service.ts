/**
 * The tasks of an agent: taken once, run once, answered from the record as often as they are asked
 * for.
 *
 * @module
 */

import type { ResultEnvelope, TaskEnvelope, TaskError } from "../delegate/types.ts";
import { type Clock, DatabaseError } from "../ports.ts";
import type { Admission } from "./admission.ts";
import { type AgentFile, profileOf, type ServedIntent } from "./agent_file.ts";
import { contentOf } from "./content.ts";
import { fitted } from "./large_data.ts";
import { Latencies } from "./latencies.ts";
import { LiveTask, orAborted } from "./live_tasks.ts";
import { costOf, envelopeOf, failed, outcomeOf, type RunOutcome, taskError } from "./outcome.ts";
import type { KeptTask, TaskRecord } from "./task_record.ts";
import type {
  AgentProfile,
  ServedTask,
  Submission,
  TaskPhase,
  TaskProgress,
  TaskService,
} from "./types.ts";

/** A task that is to be run, or gone on with. */
export interface Work extends Pick<KeptTask, "task" | "receivedMs" | "session"> {
  readonly intent: ServedIntent;
}

/** What a run tells while it goes on. */
export interface WorkEvents {
  /** It is about to do something, in this session; stored before it returns. */
  begun(session: string): void;
  /** What it does now, in one line. */
  step(text: string): void;
}

/** Runs a task to its end; rejects for a defect alone. */
export type RunTask = (
  work: Work,
  events: WorkEvents,
  signal: AbortSignal,
) => Promise<RunOutcome>;

/** Somebody gave a task up. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";

  constructor() {
    super("The task was cancelled");
  }
}

/** The server stops before the task has ended; it is gone on with at the next start. */
export class Left extends Error {
  override readonly name = "Left";

  constructor() {
    super("The server stops");
  }
}

/** What is told of the tasks of a server. Never throws. */
export interface ServeEvents {
  received(task: TaskEnvelope): void;
  started(task: TaskEnvelope, resumed: boolean): void;
  /** What it does now, in one line. */
  step(task: TaskEnvelope, text: string): void;
  finished(task: TaskEnvelope, result: ResultEnvelope, ranMs: number): void;
  /** A task was not taken: `busy`, `conflict`, `refused`. */
  refused(task: TaskEnvelope, kind: string, message: string): void;
  /** Something that the owner must know. */
  trouble(text: string): void;
}

/** What a service is made of. */
export interface ServiceParts {
  readonly agent: AgentFile;
  readonly record: TaskRecord;
  readonly admission: Admission;
  readonly run: RunTask;
  readonly clock: Clock;
  readonly events: ServeEvents;
  /** Keeps an attachment, or throws. */
  readonly attach: (taskId: string, name: string, bytes: Uint8Array) => Promise<void>;
  /** Where an attachment can be fetched. */
  readonly urlOf: (taskId: string, name: string) => string;
  /** Is told that a task has finished and is stored. */
  readonly finished: (kept: KeptTask) => void;
}

/** How full a service is. */
export interface Load {
  readonly queued: number;
  readonly running: number;
  readonly draining: boolean;
}

/** Codes of what can never be right, or belongs elsewhere; see `Submission`. */
function refusal(error: TaskError): Submission {
  return { kind: "refused", error };
}

/** The wait until a task that could not be stored is tried again, in milliseconds. Source: a choice. */
const AGAIN_MS = 10_000;

/** The service of one agent; one process has the record. */
export class AgentService implements TaskService {
  readonly profile: AgentProfile;
  readonly #parts: ServiceParts;
  readonly #latencies = new Latencies();
  readonly #live = new Map<string, LiveTask>();
  /** Ids, the next one first. */
  readonly #queue: string[] = [];
  readonly #running = new Map<string, Promise<void>>();
  readonly #drains = new AbortController();

  constructor(parts: ServiceParts) {
    this.profile = profileOf(parts.agent);
    this.#parts = parts;
  }

  get load(): Load {
    const [queued, running] = [this.#queue.length, this.#running.size];
    return { queued, running, draining: this.#drains.signal.aborted };
  }

  /** When it makes sense to come again, in milliseconds. */
  get retryAfterMs(): number {
    return this.#latencies.retryAfterMs(this.#queue.length, this.#parts.agent.concurrency);
  }

  /** Goes on with what an earlier process has left. */
  start(): void {
    const left = this.#parts.record.unfinished();
    for (const { task: { task_id: id } } of left) {
      this.#live.set(id, new LiveTask());
      this.#queue.push(id);
    }
    this.#pump();
  }

  submit(task: TaskEnvelope): Submission {
    try {
      const taken = this.#take(task);
      if (taken.kind !== "taken") this.#tellRefused(task, taken);
      return taken;
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      this.#parts.events.trouble(`a task can't be kept: ${error.message}`);
      return refusal(taskError("unavailable", "The agent can't keep tasks now", true));
    }
  }

  find(taskId: string): ServedTask | null {
    const kept = this.#parts.record.find(taskId);
    if (kept === null) return null;
    const { task, result } = kept;
    return { task, phase: this.#phaseOf(kept), result };
  }

  async result(taskId: string, signal: AbortSignal): Promise<ResultEnvelope> {
    signal.throwIfAborted();
    const live = this.#live.get(taskId);
    if (live !== undefined) return await orAborted(live.result, signal);
    const result = this.#parts.record.find(taskId)?.result ?? null;
    if (result === null) throw new TypeError(`There is no task "${taskId}"`);
    return result;
  }

  follow(taskId: string, signal: AbortSignal): AsyncIterable<TaskProgress> {
    return this.#live.get(taskId)?.follow(signal) ?? nothing();
  }

  cancel(taskId: string): boolean {
    const live = this.#live.get(taskId);
    if (live === undefined) return false;
    this.#parts.record.cancel(taskId);
    live.stop.abort(new Cancelled());
    const at = this.#queue.indexOf(taskId);
    if (at !== -1) {
      this.#queue.splice(at, 1);
      this.#begin(taskId);
    }
    return true;
  }

  /**
   * Takes no new task and lets the running ones end.
   *
   * @param signal Aborted when that has taken long enough: what still runs is left in the record.
   * @returns Whether all that ran has ended by itself.
   */
  async drain(signal: AbortSignal): Promise<boolean> {
    this.#drains.abort();
    const all = Promise.all(this.#running.values()).then(() => {});
    const clean = await orAborted(all, signal).then(() => true, () => false);
    if (!clean) {
      for (const id of this.#running.keys()) this.#live.get(id)?.stop.abort(new Left());
    }
    await all;
    return clean;
  }

  #phaseOf({ task: { task_id: id }, phase }: KeptTask): TaskPhase {
    return phase === "running" && !this.#running.has(id) ? "queued" : phase;
  }

  #take(task: TaskEnvelope): Submission {
    const { agent, record, admission, clock } = this.#parts;
    const content = contentOf(task);
    const kept = record.find(task.task_id);
    if (kept !== null) return this.#known(kept, content);
    const fault = admission.faultOf(task, clock.now());
    if (fault !== null) return refusal(fault);
    // A place that is free is taken at once, so that it is never waited for.
    const free = this.#running.size < agent.concurrency;
    if (this.load.draining || (!free && this.#queue.length >= agent.queue)) {
      return { kind: "busy", retryAfterMs: this.retryAfterMs };
    }
    const receivedMs = clock.now();
    record.add({ task, content, receivedMs });
    this.#live.set(task.task_id, new LiveTask());
    this.#queue.push(task.task_id);
    this.#parts.events.received(task);
    this.#pump();
    const phase = this.#running.has(task.task_id) ? "running" : "queued";
    return { kind: "taken", known: false, served: { task, phase, result: null } };
  }

  #known(kept: KeptTask, content: string): Submission {
    const { task, result } = kept;
    if (kept.content !== content) {
      const message = `Task "${task.task_id}" is another one: its intent or parameters differ`;
      return { kind: "conflict", error: taskError("conflict", message) };
    }
    return { kind: "taken", known: true, served: { task, phase: this.#phaseOf(kept), result } };
  }

  #tellRefused(task: TaskEnvelope, submission: Exclude<Submission, { kind: "taken" }>): void {
    const message = submission.kind === "busy" ? "the queue is full" : submission.error.message;
    this.#parts.events.refused(task, submission.kind, message);
  }

  /** Starts what may start now. */
  #pump(): void {
    while (!this.load.draining && this.#running.size < this.#parts.agent.concurrency) {
      const id = this.#queue.shift();
      if (id === undefined) return;
      this.#begin(id);
    }
  }

  #begin(id: string): void {
    const running = this.#work(id)
      .catch((error) => {
        this.#parts.events.trouble(`task ${id}: ${messageOf(error)}`);
        if (error instanceof DatabaseError) void this.#again(id);
      })
      .finally(() => {
        this.#running.delete(id);
        this.#pump();
      });
    this.#running.set(id, running);
  }

  /** Takes a task up later, as after a restart: what it has done by now is in its session. */
  async #again(id: string): Promise<void> {
    try {
      await this.#parts.clock.sleep(AGAIN_MS, this.#drains.signal);
    } catch {
      return;
    }
    this.#queue.push(id);
    this.#pump();
  }

  /** Runs a task and stores what came of it; one that can't be stored stays unfinished for now. */
  async #work(id: string): Promise<void> {
    // Whoever hands the task in is answered before its run begins.
    await Promise.resolve();
    const { record, clock, events } = this.#parts;
    const live = this.#live.get(id);
    const kept = record.find(id);
    if (live === undefined || kept === null) return;
    if (kept.cancelled && !live.stop.signal.aborted) live.stop.abort(new Cancelled());
    const fromMs = clock.now();
    record.start(id, fromMs);
    live.tell({ type: "phase", phase: "running" });
    events.started(kept.task, kept.startedMs !== null);
    const outcome = await this.#outcome(kept, live);
    if (outcome.kind === "left") return;
    const result = await this.#envelope(kept, outcome, live.stop.signal.reason);
    const ranMs = Math.max(0, clock.now() - fromMs);
    await this.#store(id, result);
    this.#latencies.add(ranMs);
    this.#live.delete(id);
    live.finish(result);
    events.finished(kept.task, result, ranMs);
    const stored = record.find(id);
    if (stored !== null) this.#parts.finished(stored);
  }

  /** Stores a result, again and again: what has been done is known here alone. */
  async #store(id: string, result: ResultEnvelope): Promise<void> {
    const { record, clock, events } = this.#parts;
    for (let told = false;; told = true) {
      try {
        return record.finish(id, result, clock.now());
      } catch (error) {
        if (!(error instanceof DatabaseError) || this.load.draining) throw error;
        if (!told) events.trouble(`task ${id}: its result can't be stored: ${error.message}`);
        await clock.sleep(AGAIN_MS, this.#drains.signal).catch(() => {});
      }
    }
  }

  async #outcome(kept: KeptTask, live: LiveTask): Promise<RunOutcome> {
    const { record, admission, run } = this.#parts;
    const { task, receivedMs, session } = kept;
    const id = task.task_id;
    const intent = admission.intentOf(task);
    if (intent === null) {
      const message = `There is no intent "${task.intent}" any more`;
      return { kind: "failed", error: taskError("unknown_intent", message) };
    }
    if (live.stop.signal.aborted && session === null) {
      return { kind: "failed", error: taskError("cancelled", "The task was cancelled") };
    }
    const events: WorkEvents = {
      begun: (name) => record.begin(id, name),
      step: (text) => {
        live.tell({ type: "step", text });
        this.#parts.events.step(task, text);
      },
    };
    try {
      return await run({ task, receivedMs, session, intent }, events, live.stop.signal);
    } catch (error) {
      if (live.stop.signal.reason instanceof Left) return { kind: "left" };
      this.#parts.events.trouble(`task ${id}: ${messageOf(error)}`);
      const error_ = taskError("internal", "The agent failed in a way that nobody expected");
      return { kind: "failed", error: error_ };
    }
  }

  async #envelope(
    { task, receivedMs }: KeptTask,
    outcome: Exclude<RunOutcome, { kind: "left" }>,
    reason: unknown,
  ): Promise<ResultEnvelope> {
    const { clock, attach, urlOf, events } = this.#parts;
    const run = outcome.kind === "ran" ? outcome.run : null;
    // What was done before it could be given up is done.
    const cancelled = reason instanceof Cancelled && run?.stop_reason !== "answered";
    const told = cancelled
      ? failed(taskError("cancelled", "The task was cancelled"))
      : outcome.kind === "ran"
      ? outcomeOf(outcome)
      : failed(outcome.error);
    const whole = envelopeOf(task, told, costOf(run, clock.now() - receivedMs));
    const { result, attachment } = fitted(whole, (name) => urlOf(task.task_id, name));
    if (attachment === null) return result;
    try {
      await attach(task.task_id, attachment.name, attachment.bytes);
      return result;
    } catch (error) {
      events.trouble(`task ${task.task_id}: its details can't be kept: ${messageOf(error)}`);
      const { attachments: _, ...short } = result;
      return short;
    }
  }
}

async function* nothing(): AsyncGenerator<TaskProgress> {}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
