/**
 * From the tasks that a model wants to those that can be sent: every name is resolved, the order is
 * known, and what is wrong is said before anything happens.
 *
 * @module
 */

import { closest } from "../calls/closest.ts";
import type { JsonObject } from "../types.ts";
import { referencesIn } from "./fill.ts";
import type { Agent, Intent } from "./types.ts";

/** A task as a model asks for it. */
export interface TaskRequest {
  /** Its name within the call; where left out it gets one: `t1`. */
  readonly id?: string;
  readonly agent: string;
  readonly intent: string;
  readonly params?: JsonObject;
  /** Names of tasks that must have succeeded before. */
  readonly after?: readonly string[];
}

/** A task that can be sent. */
export interface PlannedTask {
  readonly name: string;
  readonly agent: Agent;
  readonly intent: Intent;
  /** May hold references. */
  readonly params: JsonObject;
  /** What it waits for, those that it refers to included; each once. */
  readonly after: readonly string[];
}

/** The tasks of a call, in their order, or all that is wrong with them. */
export type Plan =
  | { readonly ok: true; readonly tasks: readonly PlannedTask[] }
  | { readonly ok: false; readonly faults: readonly string[] };

/** Faults that are told at once. */
const MAX_FAULTS = 8;

/** Names that are listed where none is near. */
const MAX_NAMES = 20;

/** Each task with its name; those without get the first free one. */
function named(requests: readonly TaskRequest[]): (readonly [string, TaskRequest])[] {
  const taken = new Set(requests.flatMap(({ id }) => id ?? []));
  return requests.map((request, index) => {
    if (request.id !== undefined) return [request.id, request] as const;
    let number = index + 1;
    while (taken.has(`t${number}`)) number++;
    taken.add(`t${number}`);
    return [`t${number}`, request] as const;
  });
}

function nearest(wanted: string, names: readonly string[]): string {
  const near = closest(wanted, [...new Set(names)]);
  if (near.length > 0) return `did you mean ${near.join(" or ")}?`;
  const more = names.length > MAX_NAMES ? ", …" : "";
  return names.length === 0
    ? "there is none"
    : `there are ${names.slice(0, MAX_NAMES).join(", ")}${more}`;
}

function duplicates(names: readonly string[]): string[] {
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  return [...new Set(twice)].map((name) => `Two tasks have the id "${name}"`);
}

/** One way that leads back to where it began, or null. */
function cycleIn(after: ReadonlyMap<string, readonly string[]>): readonly string[] | null {
  const done = new Set<string>();
  const from = (name: string, path: readonly string[]): readonly string[] | null => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return null;
    for (const next of after.get(name) ?? []) {
      const cycle = from(next, [...path, name]);
      if (cycle !== null) return cycle;
    }
    done.add(name);
    return null;
  };
  for (const name of after.keys()) {
    const cycle = from(name, []);
    if (cycle !== null) return cycle;
  }
  return null;
}

/** What a task waits for: what it says, and what it refers to. */
function waitsFor({ after = [], params = {} }: TaskRequest): readonly string[] {
  return [...new Set([...after, ...referencesIn(params).map(({ task }) => task)])];
}

function orderFaults(name: string, request: TaskRequest, names: readonly string[]): string[] {
  const others = names.filter((other) => other !== name);
  const unknown = (request.after ?? []).filter((other) => !names.includes(other))
    .map((other) => `Task "${name}" is to run after "${other}": ${nearest(other, others)}`);
  const lost = referencesIn(request.params ?? {}).filter(({ task }) => !names.includes(task))
    .map(({ text, task }) =>
      `Task "${name}" refers to ${text}, and no task of this call is "${task}": ${
        nearest(task, others)
      }`
    );
  return [...unknown, ...lost];
}

/** The agent and the intent of a task, or why there are none. */
function resolve(
  name: string,
  { agent: agentName, intent: intentName }: TaskRequest,
  agents: readonly Agent[],
): { readonly agent: Agent; readonly intent: Intent } | string {
  const agent = agents.find((one) => one.name === agentName);
  if (agent === undefined) {
    const hint = nearest(agentName, agents.map((one) => one.name));
    return `Task "${name}": there is no agent "${agentName}": ${hint}`;
  }
  const intent = agent.intents.find((one) => one.name === intentName);
  if (intent !== undefined) return { agent, intent };
  const elsewhere = agents.filter(({ intents }) => intents.some((one) => one.name === intentName));
  const hint = elsewhere.length > 0
    ? `${elsewhere.map((one) => one.name).join(" and ")} ${
      elsewhere.length === 1 ? "has" : "have"
    } it`
    : nearest(intentName, agent.intents.map((one) => one.name));
  return `Task "${name}": agent "${agentName}" has no intent "${intentName}": ${hint}`;
}

/** What the parameters of a resolved task have against their intent. */
type CheckParams = (intent: Intent, params: JsonObject) => readonly string[];

function planOne(
  name: string,
  request: TaskRequest,
  { agents, check }: { readonly agents: readonly Agent[]; readonly check: CheckParams },
): PlannedTask | string {
  const resolved = resolve(name, request, agents);
  if (typeof resolved === "string") return resolved;
  const params = request.params ?? {};
  const faults = check(resolved.intent, params);
  if (faults.length === 0) return { name, ...resolved, params, after: waitsFor(request) };
  const { agent, intent } = resolved;
  return `Task "${name}": the params of ${agent.name}/${intent.name} do not fit: ${
    faults.slice(0, 4).join("; ")
  }`;
}

/**
 * Plans the tasks of a call.
 *
 * @param requests Not empty.
 * @param agents Those that there are.
 * @returns The tasks in the order in which they were asked for, or all faults, bounded.
 */
export async function planTasks(
  requests: readonly TaskRequest[],
  agents: readonly Agent[],
): Promise<Plan> {
  const { paramFaults } = await import("./check_params.ts");
  const entries = named(requests);
  const names = entries.map(([name]) => name);
  const planned = entries.map(([name, request]) =>
    planOne(name, request, { agents, check: paramFaults })
  );
  const faults = [
    ...duplicates(names),
    ...planned.filter((task) => typeof task === "string"),
    ...entries.flatMap(([name, request]) => orderFaults(name, request, names)),
  ];
  const cycle = cycleIn(new Map(entries.map(([name, request]) => [name, waitsFor(request)])));
  if (cycle !== null) faults.push(`Tasks wait for each other: ${cycle.join(" → ")}`);
  if (faults.length > 0) return { ok: false, faults: faults.slice(0, MAX_FAULTS) };
  return { ok: true, tasks: planned.filter((task) => typeof task !== "string") };
}
