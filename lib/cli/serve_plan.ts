/**
 * How each intent of a served agent is run: with which model, tools, policies and form of answer.
 *
 * @module
 */

import { createTools } from "../../tools/registry.ts";
import { type AnswerForm, createAnswerForm } from "../answer/form.ts";
import { recognise } from "../messages/recognise.ts";
import { loadPolicy, prepareYaml } from "../policy/load.ts";
import { stricter } from "../policy/join.ts";
import { findSources, isBuiltInName } from "../policy/sources.ts";
import type { PolicySource } from "../policy/types.ts";
import { isOfServer } from "../mcp/names.ts";
import type { Ports } from "../ports.ts";
import { createResults } from "../results/results.ts";
import { AgentFileError, type ServedIntent, type WrittenAgent } from "../serve/agent_file.ts";
import { taskPolicyFault, taskPolicyText } from "../serve/task_policy.ts";
import { type Audit, openAudit } from "../audit/open_audit.ts";
import type { JsonObject, Subject, Tool } from "../types.ts";
import { type AgentsOfRun, findAgents, NOBODY } from "./agents_of_run.ts";
import { printable } from "./printable.ts";
import { createReadOnlyJudge, judgeOf, type LazyJudge } from "./judge.ts";
import { loadSettings, type RunSettings } from "./load_settings.ts";
import type { RunOptions } from "./run_options.ts";
import type { RunSetup } from "./run_setup.ts";

/** How an intent is run. */
export interface IntentPlan {
  readonly intent: ServedIntent;
  readonly loaded: RunSettings;
  /** All policies but that of a task. */
  readonly sources: readonly PolicySource[];
  readonly judge: LazyJudge;
  readonly answerForm: AnswerForm;
  /** Who it may give tasks to; nobody, where it has no tool for that. */
  readonly agents: AgentsOfRun;
  /** Where its runs are audited; null: nowhere. */
  readonly audit: Audit | null;
}

/** The tool that gives tasks to others. */
const DELEGATE = "delegate";

/** Tools that are no part of the registry, and may be named. */
const MORE_TOOLS: readonly string[] = [DELEGATE];

/** What is found from the directory of the agent file. */
function beside(file: string, path: string): string {
  if (path.startsWith("/")) return path;
  const at = file.lastIndexOf("/");
  return at === -1 ? path : `${file.slice(0, at)}/${path}`;
}

function modelOf(model: string, file: string): string {
  const [, recording] = /^recorded:(.+)$/.exec(model) ?? [];
  return recording === undefined ? model : `recorded:${beside(file, recording)}`;
}

/** The policies of an intent: an intent that reads begins with the one that allows no change. */
function policiesOf(
  { policy, effect }: ServedIntent,
  given: readonly string[],
  file: string,
): readonly string[] {
  const base = effect === "read" && !given.some(isBuiltInName) ? ["read-only"] : [];
  if (policy === null) return [...base, ...given];
  return [...base, ...given, isBuiltInName(policy) ? policy : beside(file, policy)];
}

function settingsFor(intent: ServedIntent, loaded: RunSettings, file: string): RunSettings {
  const { settings } = loaded;
  const model = intent.model === null ? settings.model : modelOf(intent.model, file);
  const maxSteps = intent.maxSteps ?? settings.maxSteps;
  const maxTimeMs = intent.maxTimeMs ?? settings.maxTimeMs;
  return { ...loaded, settings: { ...settings, model, maxSteps, maxTimeMs, session: true } };
}

/** Whether what is used is only looked at. */
export function onlyReads(subject: Subject): boolean {
  return (subject.kind === "path" || subject.kind === "host") && subject.access === "read";
}

/**
 * The judge of an intent. One that says that it only reads, and so may be done twice after a crash,
 * does not change anything, whatever its owner's policy allows.
 */
function withinEffect(
  { effect }: ServedIntent,
  judge: LazyJudge,
  readOnly: LazyJudge["judge"],
): LazyJudge {
  if (effect === "change") return judge;
  return {
    judge: async (request) => {
      const evaluation = await judge.judge(request);
      if (evaluation.decision !== "allow") return evaluation;
      const strict = await readOnly(request);
      if (strict.decision === "deny") return strict;
      // Nobody can be asked whether it changes something that is sent to another machine.
      const reads = strict.decision === "allow" ||
        (request.subjects.length > 0 && request.subjects.every(onlyReads));
      return reads ? evaluation : { ...strict, decision: "deny" };
    },
    prepare: () => judge.prepare(),
    settings: judge.settings,
  };
}

/** The tools of this build at this place. */
export function toolsHere(ports: Ports): readonly Tool[] {
  const results = createResults({ spills: ports.spills, secrets: [] });
  // A knowledge base and a session are there or not, task by task.
  const search = () => Promise.resolve({ hits: [], notes: [] });
  return createTools(ports, results.outputs, { knowledge: { path: "", search } });
}

/** Tools of MCP servers are known once their servers are there, which is task by task. */
function checkTools(
  { agent, placeOf }: WrittenAgent,
  tools: readonly Tool[],
  servers: readonly string[],
): void {
  const known = [...tools.map(({ name }) => name), ...MORE_TOOLS];
  agent.intents.forEach((intent, index) => {
    const at = intent.tools.findIndex((name) =>
      !known.includes(name) && !servers.some((server) => isOfServer(name, server))
    );
    if (at === -1) return;
    const message = `There is no tool "${intent.tools[at]}" here: there are ${known.join(", ")}`;
    throw new AgentFileError(message, placeOf(["intents", index, "tools", at]));
  });
}

async function agentsOf(
  { tools, agents: path }: ServedIntent,
  file: string,
  { envFile }: RunOptions,
  ports: Ports,
): Promise<AgentsOfRun> {
  if (!tools.includes(DELEGATE)) return NOBODY;
  const agents = path === null ? [] : [beside(file, path)];
  return await findAgents({ agents, ...envFile === undefined ? {} : { envFile } }, ports);
}

/**
 * Makes the plans of all intents.
 *
 * @throws {AgentFileError} If it names a tool that is not there.
 * @throws {PolicyError} If a policy can't be used.
 * @throws {UsageError | ConfigError} If a setting is wrong.
 */
export async function plansOf(
  written: WrittenAgent,
  options: RunOptions,
  ports: Ports,
): Promise<ReadonlyMap<string, IntentPlan>> {
  const { agent } = written;
  const loaded = await loadSettings(options, ports);
  checkTools(written, toolsHere(ports), Object.keys(loaded.settings.mcpServers));
  // A policy that comes with a task is read when it comes.
  await prepareYaml();
  const readOnly = createReadOnlyJudge(ports);
  const plans = new Map<string, IntentPlan>();
  const warn = (text: string) =>
    void ports.terminal.err(printable(`rein: ${recognise(text, ports.say)}\n`));
  for (const intent of agent.intents) {
    const sources = await findSources(ports, policiesOf(intent, options.policy, agent.file));
    const judge = withinEffect(intent, await judgeOf(sources, ports), readOnly);
    plans.set(intent.name, {
      intent,
      loaded: settingsFor(intent, loaded, agent.file),
      sources,
      judge,
      audit: await openAudit(judge.settings.audit, ports, warn),
      answerForm: await createAnswerForm(intent.answer, { bound: false }),
      agents: await agentsOf(intent, agent.file, options, ports),
    });
  }
  return plans;
}

/** A policy that came with a task, as the word of somebody who may loosen nothing. */
function sourceOf(policy: JsonObject): PolicySource {
  return { name: "the task's policy", layer: "project", text: taskPolicyText(policy) };
}

/** Why a policy that came with a task can't be used; null if it can. */
export function policyFaultOf({ sources }: IntentPlan, policy: JsonObject): string | null {
  const fault = taskPolicyFault(policy);
  if (fault !== null) return fault;
  try {
    loadPolicy([...sources, sourceOf(policy)]);
    return null;
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}

/**
 * What a run of a task is set up with.
 *
 * @param policy That came with the task; it can only tighten.
 * @param maxTimeMs The time that its run has, beside that of the intent.
 */
export async function setupFor(
  { loaded, sources, judge, answerForm, agents, audit }: IntentPlan,
  { policy, maxTimeMs }: { readonly policy: JsonObject | undefined; readonly maxTimeMs: number },
  ports: Ports,
): Promise<RunSetup> {
  const { settings } = loaded;
  const time = Math.min(maxTimeMs, settings.maxTimeMs ?? Infinity);
  const timed = { ...loaded, settings: { ...settings, maxTimeMs: time } };
  const joined = policy === undefined
    ? judge
    : tightened(judge, await judgeOf([...sources, sourceOf(policy)], ports));
  return { loaded: timed, judge: joined, answerForm, agents, audit };
}

/** Whatever the other says, it never allows what the owner's does not. */
function tightened(owner: LazyJudge, other: LazyJudge): LazyJudge {
  return {
    judge: async (request) => {
      const [first, second] = [await owner.judge(request), await other.judge(request)];
      return stricter(first.decision, second.decision) === second.decision ? second : first;
    },
    prepare: () => other.prepare(),
    settings: other.settings,
  };
}
