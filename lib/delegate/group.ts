/**
 * The tasks of one call: side by side where they may be, one after the other where they must, within
 * one deadline. What becomes of one takes no other along, but for those that need its result.
 *
 * @module
 */

import { type Deadline, startDeadline } from "../calls/deadline.ts";
import type { JsonObject } from "../types.ts";
import { cancelTask, type DeliverPorts, type Limit, recoverTask, sendTask } from "./deliver.ts";
import { type Chain, envelopeOf, sentAt } from "./envelope.ts";
import { fillParams, referencesIn } from "./fill.ts";
import { type CallOrigin, Ledger, type LedgerPorts } from "./ledger.ts";
import type { PlannedTask } from "./plan.ts";
import { taskIdOf } from "./task_id.ts";
import {
  CANCELLED,
  endOfError,
  endOfRow,
  failure,
  isObtained,
  notObtained,
  type OutcomeEnd,
  tableEnd,
  type TaskOutcome,
  TIMEOUT,
} from "./task_outcome.ts";
import { hasEnded, type TaskPhase, type TaskRow } from "./task_row.ts";
import type { ResultEnvelope, TaskEnvelope } from "./types.ts";

/** A task as people see it while it is on its way. */
export interface TaskView {
  readonly name: string;
  readonly agent: string;
  readonly intent: string;
  readonly phase: TaskPhase;
  /** When it came into this phase; milliseconds since the epoch. */
  readonly sinceMs: number;
}

/** What is wanted. */
export interface GroupRequest {
  readonly tasks: readonly PlannedTask[];
  readonly origin: CallOrigin;
  /** Whether an earlier process had begun the call, and has ended. */
  readonly again: boolean;
  readonly chain: Chain;
  /** For all of them together. */
  readonly timeoutMs: number;
}

/** What running a group needs. */
export interface GroupPorts extends DeliverPorts, Omit<LedgerPorts, "now"> {
  /** Is told where all tasks are, whenever that changes. */
  readonly onProgress: (tasks: readonly TaskView[]) => void;
}

/** A task on its way. */
interface Going {
  id: string | null;
  statusUrl: string | null;
  /** Whether the agent may have it. */
  sent: boolean;
}

/** A task on its way, and until when. */
interface Way {
  readonly going: Going;
  readonly limit: Limit;
}

class Group {
  readonly #request: GroupRequest;
  readonly #ports: GroupPorts;
  readonly #signal: AbortSignal;
  readonly #deadline: Deadline;
  readonly #deadlineMs: number;
  readonly #ledger: Ledger;
  readonly #views = new Map<string, TaskView>();
  readonly #going = new Map<string, Promise<TaskOutcome>>();
  /** Results that may be referred to. */
  readonly #results = new Map<string, ResultEnvelope>();
  #rows: ReadonlyMap<string, TaskRow> = new Map();

  constructor(request: GroupRequest, ports: GroupPorts, signal: AbortSignal) {
    this.#request = request;
    this.#ports = ports;
    this.#signal = signal;
    this.#deadline = startDeadline(ports.clock, request.timeoutMs, signal);
    this.#deadlineMs = ports.clock.now() + request.timeoutMs;
    const now = () => ports.clock.now();
    this.#ledger = new Ledger(request.origin, { ...ports, now });
  }

  async run(): Promise<readonly TaskOutcome[]> {
    const { tasks } = this.#request;
    try {
      this.#rows = this.#ledger.begin(tasks);
      for (const task of tasks) this.#show(task, "waiting");
      // Whoever comes before stands in the map before anyone waits for it.
      const starts = tasks.map((task) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#going.set(task.name, promise.then(() => this.#perform(task)));
        return resolve;
      });
      for (const start of starts) start();
      return await Promise.all(this.#going.values());
    } finally {
      this.#deadline.clear();
    }
  }

  #show({ name, agent, intent }: PlannedTask, phase: TaskPhase): void {
    const sinceMs = this.#ports.clock.now();
    this.#views.set(name, { name, agent: agent.name, intent: intent.name, phase, sinceMs });
    this.#ports.onProgress([...this.#views.values()]);
  }

  async #perform(task: PlannedTask): Promise<TaskOutcome> {
    const going: Going = { id: null, statusUrl: null, sent: false };
    const end = await this.#endOf(task, going);
    const outcome = { task, id: going.id, end };
    if (end.kind === "result" && isObtained(outcome)) this.#results.set(task.name, end.result);
    const written = tableEnd(end);
    this.#ledger.ended(task.name, written);
    this.#show(task, written.phase);
    return outcome;
  }

  /** How a task ends; never throws. */
  async #endOf(task: PlannedTask, going: Going): Promise<OutcomeEnd> {
    try {
      return await this.#earlierEnd(task, going) ?? await this.#newEnd(task, going);
    } catch (error) {
      return endOfError(error);
    }
  }

  /** Why what was waited for is given up. */
  get #why(): string {
    return this.#signal.aborted ? CANCELLED : TIMEOUT;
  }

  /** The end of a task that an earlier process began; null: it was never sent. */
  async #earlierEnd(task: PlannedTask, going: Going): Promise<OutcomeEnd | null> {
    const row = this.#rows.get(task.name);
    if (!this.#request.again) return null;
    if (!this.#ledger.kept && !task.agent.idempotent && task.intent.access === "write") {
      const message = "Whether it was sent before is not known, and it must not be sent twice";
      return failure("unknown_outcome", message);
    }
    if (row === undefined || row.phase === "waiting") return null;
    going.id = row.id;
    going.statusUrl = row.statusUrl;
    if (hasEnded(row.phase) && (row.result === null || row.resultWhole)) return endOfRow(row);
    const { envelope } = row;
    if (envelope === null) return failure("lost", "What was sent can't be read any more");
    going.sent = true;
    const end = await this.#within(
      task,
      going,
      (limit) => this.#recover(task, row, envelope, { going, limit }),
    );
    // A part of a result is better than none.
    return hasEnded(row.phase) && end.kind !== "result" ? endOfRow(row) : end;
  }

  async #recover(
    task: PlannedTask,
    row: TaskRow,
    envelope: TaskEnvelope,
    { going, limit }: Way,
  ): Promise<OutcomeEnd> {
    this.#show(task, row.phase === "running" ? "running" : "sent");
    const ports = this.#ports;
    const found = await recoverTask(task.agent, envelope, row.statusUrl, { ports, limit });
    if (found !== null) return { kind: "result", result: found };
    if (row.redacted) {
      const message = "The agent never had it, and it can't be sent again: " +
        "its parameters held secrets, which are not kept";
      return failure("not_kept", message);
    }
    return await this.#send(task, envelope, { going, limit });
  }

  async #newEnd(task: PlannedTask, going: Going): Promise<OutcomeEnd> {
    const before = await Promise.all(task.after.map((name) => this.#going.get(name)));
    if (this.#deadline.signal.aborted) return notObtained(this.#why);
    const missing = before.find((outcome) => outcome !== undefined && !isObtained(outcome));
    if (missing !== undefined) return notObtained(`${missing.task.name} failed`);
    const filled = fillParams(task.params, this.#results);
    if (!filled.ok) return failure("unknown_reference", filled.fault);
    const { params } = filled;
    const fault = await this.#misfit(task, params);
    if (fault !== null) return failure("invalid_params", fault);
    const content = { agent: task.agent.name, intent: task.intent.name, params };
    const id = await taskIdOf({ ...this.#request.origin, name: task.name }, content);
    return await this.#within(task, going, async (limit) => {
      going.id = id;
      const envelope = envelopeOf(task, params, { id, chain: this.#request.chain });
      return await this.#send(task, envelope, { going, limit });
    });
  }

  /** What the schema has against parameters, now that they are known. */
  async #misfit({ intent, params: before }: PlannedTask, params: JsonObject) {
    if (referencesIn(before).length === 0) return null;
    const { paramFaults } = await import("./check_params.ts");
    const faults = paramFaults(intent, params);
    return faults.length === 0 ? null : `With the references filled in, ${faults.join("; ")}`;
  }

  /** Works within the agent's bounds and the deadlines; what is given up is cancelled there. */
  async #within(
    task: PlannedTask,
    going: Going,
    work: (limit: Limit) => Promise<OutcomeEnd>,
  ): Promise<OutcomeEnd> {
    const { clock, bounds } = this.#ports;
    const { agent } = task;
    let leave: (() => void) | null = null;
    let deadline: Deadline | null = null;
    try {
      leave = await bounds.enter(agent, this.#deadline.signal);
      if (!bounds.available(agent.name)) return unavailable(agent.name);
      deadline = startDeadline(clock, agent.timeoutMs, this.#deadline.signal);
      const deadlineMs = Math.min(this.#deadlineMs, clock.now() + agent.timeoutMs);
      return await work({ signal: deadline.signal, deadlineMs });
    } catch (error) {
      if (!(deadline ?? this.#deadline).signal.aborted) return endOfError(error);
      return await this.#giveUp(task, going);
    } finally {
      deadline?.clear();
      leave?.();
    }
  }

  async #giveUp(task: PlannedTask, { id, statusUrl, sent }: Going): Promise<OutcomeEnd> {
    const end = notObtained(this.#why);
    // What is known is written before the agent is told, which may take a while.
    this.#ledger.ended(task.name, tableEnd(end));
    this.#show(task, tableEnd(end).phase);
    if (sent && id !== null) await cancelTask(task.agent, id, statusUrl, this.#ports);
    return end;
  }

  async #send(
    task: PlannedTask,
    envelope: TaskEnvelope,
    { going, limit }: Way,
  ): Promise<OutcomeEnd> {
    const { name, agent, intent } = task;
    const time = { nowMs: this.#ports.clock.now(), deadlineMs: limit.deadlineMs };
    const sending = sentAt(envelope, time);
    const durable = intent.access === "write";
    const { params } = envelope;
    const written = this.#ledger.sent(name, { envelope: { ...sending }, params, durable });
    if (!written && durable) {
      return failure("not_recorded", "The task table can't be written, so it was not sent", true);
    }
    going.sent = true;
    this.#show(task, "sent");
    const events = {
      accepted: (statusUrl: string | null) => {
        going.statusUrl = statusUrl;
        this.#ledger.accepted(name, statusUrl);
        this.#show(task, "running");
      },
    };
    const result = await sendTask(agent, sending, events, { ports: this.#ports, limit });
    return { kind: "result", result };
  }
}

function unavailable(agent: string): OutcomeEnd {
  const message = `${agent} could not be used several times in a row and is left alone in this run`;
  return failure("unavailable", message);
}

/**
 * Runs the tasks of a call; never throws for what agents, the network or the disk do.
 *
 * @param signal Aborted when the call is given up: all that is on its way is then cancelled.
 * @returns What came of each, in their order.
 */
export function runGroup(
  request: GroupRequest,
  ports: GroupPorts,
  signal: AbortSignal,
): Promise<readonly TaskOutcome[]> {
  return new Group(request, ports, signal).run();
}
