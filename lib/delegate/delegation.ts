/**
 * Delegating, as a run has it: who there is, what may be asked, and how it is asked.
 *
 * @module
 */

import type { Clock } from "../ports.ts";
import type { ObservationError, Subject, ToolContext, ToolOutcome } from "../types.ts";
import { AgentBounds } from "./agent_bounds.ts";
import { describeAgents } from "./describe.ts";
import type { Chain, ParentTask } from "./envelope.ts";
import { referencesIn } from "./fill.ts";
import { runGroup, type TaskView } from "./group.ts";
import { type PlannedTask, planTasks, type TaskRequest } from "./plan.ts";
import { reportOf } from "./report.ts";
import { findIntents, foundIntentsText, MAX_FOUND } from "./search.ts";
import { traceIdOf } from "./task_id.ts";
import type { TaskTable } from "./task_table.ts";
import type { Agent, AgentAddress, Transport } from "./types.ts";

/** Who there is, and how far tasks may lead. */
export interface Delegates {
  readonly agents: readonly Agent[];
  readonly maxDepth: number;
  /** Tasks that one task may lead to. */
  readonly maxSubtasks: number;
}

/** What delegating needs. */
export interface DelegationPorts {
  readonly clock: Clock;
  /** A number from 0 to 1, another one each time. */
  readonly random: () => number;
  readonly transportOf: (agent: Agent) => Transport;
  readonly table: TaskTable;
  /** Is told where the tasks of the call are that runs now. */
  readonly onProgress: (tasks: readonly TaskView[]) => void;
  /** Is told, once a call, that the table can't be used. */
  readonly onTrouble: (message: string) => void;
}

/** What a model asks for: tasks, or words to find out whom to ask. */
export interface DelegateArgs {
  readonly tasks?: readonly TaskRequest[];
  readonly search?: string;
  readonly timeout_ms?: number;
}

/** What the tool needs of delegating. */
export interface Delegation {
  /** The agents with their intents, as far as they fit. */
  readonly description: string;
  /** For all tasks of one call, in milliseconds, where the call says nothing. */
  readonly timeoutMs: number;
  /** What is wrong with a call; null: nothing. Nothing has happened yet. */
  check(args: DelegateArgs): Promise<ObservationError | null>;
  /** What the policy judges. */
  subjects(args: DelegateArgs): readonly Subject[];
  /** What is sent to whom, for the person who decides. */
  preview(args: DelegateArgs): string;
  run(args: DelegateArgs, context: ToolContext): Promise<ToolOutcome>;
}

/** The least time for one call, in milliseconds, where the call says nothing: two tasks in a row. */
const GROUP_MS = 300_000;

/** Characters of what is found and of the parameters that a person is shown. */
const FOUND_LIMIT = { head: 6000, tail: 0 };

function refused(code: string, message: string, hint: string): ObservationError {
  return { code, message, hint, retriable: false };
}

const MEND = "Nothing was sent. Correct the tasks and send the call again.";

function addressText(address: AgentAddress): string {
  return address.transport === "process"
    ? `program ${address.command.join(" ")}`
    : `${address.transport} ${address.url.href}`;
}

class RealDelegation implements Delegation {
  readonly description: string;
  readonly timeoutMs: number;
  readonly #delegates: Delegates;
  readonly #parent: ParentTask | null;
  readonly #ports: DelegationPorts;
  /** The bounds belong to a run. */
  #bounds = { run: "", bounds: new AgentBounds() };

  constructor(delegates: Delegates, parent: ParentTask | null, ports: DelegationPorts) {
    this.#delegates = delegates;
    this.#parent = parent;
    this.#ports = ports;
    this.description = describeAgents(delegates.agents);
    this.timeoutMs = Math.max(GROUP_MS, ...delegates.agents.map(({ timeoutMs }) => timeoutMs));
  }

  async check({ tasks, search }: DelegateArgs): Promise<ObservationError | null> {
    if ((tasks === undefined) === (search === undefined)) {
      const message = "A call has either tasks or search";
      return refused("invalid_arguments", message, "Give one of them.");
    }
    if (tasks === undefined) return null;
    const depth = this.#depthError();
    if (depth !== null) return depth;
    const plan = await planTasks(tasks, this.#delegates.agents);
    return plan.ok ? null : refused("invalid_tasks", plan.faults.join(". "), MEND);
  }

  #depthError(): ObservationError | null {
    const { depth, maxDepth } = this.#place();
    if (depth <= maxDepth) return null;
    const message = `This task is ${
      depth - 1
    } delegations deep, and may be ${maxDepth} at the most`;
    return refused("depth_limit", message, "Do it without other agents, or say what is missing.");
  }

  #place(): Pick<Chain, "depth" | "maxDepth"> {
    const { maxDepth } = this.#delegates;
    if (this.#parent === null) return { depth: 1, maxDepth };
    const { depth = 1, max_depth = maxDepth } = this.#parent;
    return { depth: depth + 1, maxDepth: Math.min(maxDepth, max_depth) };
  }

  subjects({ tasks = [], search }: DelegateArgs): readonly Subject[] {
    const { agents } = this.#delegates;
    if (search !== undefined) {
      const files = [...new Set(agents.map(({ file }) => file))];
      return files.map((path) => ({ kind: "path", access: "read", path }));
    }
    return tasks.map(({ agent, intent }) => {
      const known = agents.find(({ name }) => name === agent)
        ?.intents.find(({ name }) => name === intent);
      return { kind: "intent", agent, intent, access: known?.access ?? "write" };
    });
  }

  preview({ tasks = [] }: DelegateArgs): string {
    return tasks.map((task) => this.#previewOf(task)).join("\n\n");
  }

  #previewOf({ id, agent: name, intent, params = {}, after = [] }: TaskRequest): string {
    const agent = this.#delegates.agents.find((one) => one.name === name);
    const access = agent?.intents.find((one) => one.name === intent)?.access;
    const waits = [...new Set([...after, ...referencesIn(params).map(({ task }) => task)])];
    const lines = [
      `${id === undefined ? "" : `${id}: `}${name}/${intent} (${
        access === "read" ? "reads" : "may change something"
      })`,
      ...(agent === undefined ? [] : [`to ${addressText(agent.address)}`]),
      ...(waits.length === 0 ? [] : [`after ${waits.join(", ")}`]),
    ];
    return `${lines.join(", ")}\n${JSON.stringify(params, null, 2)}`;
  }

  async run(args: DelegateArgs, context: ToolContext): Promise<ToolOutcome> {
    if (args.search !== undefined) return this.#search(args.search, context);
    const { agents, maxSubtasks } = this.#delegates;
    const error = await this.check(args);
    if (error !== null) return { ok: false, error };
    const plan = await planTasks(args.tasks ?? [], agents);
    if (!plan.ok) {
      return { ok: false, error: refused("invalid_tasks", plan.faults.join(". "), MEND) };
    }
    const { run, id, again } = context.call;
    const limit = this.#subtaskError(plan.tasks, { run, call: id, most: maxSubtasks });
    if (limit !== null) return { ok: false, error: limit };
    const timeoutMs = this.#timeLeft(args.timeout_ms ?? this.timeoutMs);
    if (timeoutMs <= 0) {
      const message = "The deadline of this task has passed";
      return { ok: false, error: refused("timeout", message, "Answer with what there is.") };
    }
    const outcomes = await runGroup(
      {
        tasks: plan.tasks,
        origin: { run, call: id },
        again,
        chain: await this.#chain(run),
        timeoutMs,
      },
      { ...this.#ports, bounds: this.#boundsOf(run) },
      context.signal,
    );
    return reportOf(outcomes, context.collect);
  }

  #search(words: string, { collect }: ToolContext): ToolOutcome {
    const found = findIntents(this.#delegates.agents, words);
    const collector = collect({ field: "found", limit: FOUND_LIMIT, raw: false });
    collector.push(foundIntentsText(found));
    const { text, truncated } = collector.finish();
    const note = found.length === MAX_FOUND ? [`The first ${MAX_FOUND}; there may be more.`] : [];
    const none = found.length === 0 ? ["No intent has any of these words; try others."] : [];
    return {
      ok: true,
      data: {
        found: text,
        ...(note.length + none.length === 0 ? {} : { note: [...note, ...none].join(" ") }),
      },
      summary: found.length === 1 ? "1 intent" : `${found.length} intents`,
      truncated,
    };
  }

  /** A task of another agent may lead to so many tasks, over all its calls. */
  #subtaskError(
    tasks: readonly PlannedTask[],
    { run, call, most }: { readonly run: string; readonly call: string; readonly most: number },
  ): ObservationError | null {
    if (this.#parent === null) return null;
    const before = this.#ports.table.countOf(run, call);
    if (before + tasks.length <= most) return null;
    const message = `This task may lead to ${most} tasks, and ${before} were asked for before; ` +
      `these are ${tasks.length} more`;
    return refused("subtask_limit", message, "Ask for fewer, or go on with what there is.");
  }

  /** The time that a call has, within the deadline of the task that is served. */
  #timeLeft(wantedMs: number): number {
    const deadline = this.#parent?.deadline;
    const untilMs = deadline === undefined ? Infinity : Date.parse(deadline);
    return Math.min(wantedMs, Number.isNaN(untilMs) ? Infinity : untilMs - this.#ports.clock.now());
  }

  async #chain(run: string): Promise<Chain> {
    const { trace_id = await traceIdOf(run), task_id: parentTaskId = null } = this.#parent ?? {};
    return { ...this.#place(), traceId: trace_id, parentTaskId };
  }

  #boundsOf(run: string): AgentBounds {
    if (this.#bounds.run !== run) this.#bounds = { run, bounds: new AgentBounds() };
    return this.#bounds.bounds;
  }
}

/**
 * Builds what the tool needs.
 *
 * @param delegates At least one agent.
 * @param parent The task that the run serves; null: a person asked.
 */
export function createDelegation(
  delegates: Delegates,
  parent: ParentTask | null,
  ports: DelegationPorts,
): Delegation {
  return new RealDelegation(delegates, parent, ports);
}
