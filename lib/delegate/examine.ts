/**
 * Whether an agent is what the directory says.
 *
 * @module
 */

import { canonicalText } from "../calls/canonical_text.ts";
import { startDeadline } from "../calls/deadline.ts";
import type { Clock } from "../ports.ts";
import {
  type Agent,
  type AgentReport,
  type Intent,
  TASK_PROTOCOL,
  type Transport,
  TransportError,
} from "./types.ts";

/** Time for an agent to say what it is, in milliseconds. */
export const EXAMINATION_MS = 10_000;

/** Where the directory and the agent differ in intents, by their names. */
export interface IntentDifferences {
  /** The directory has them, the agent does not. */
  readonly missing: readonly string[];
  /** The agent has them, the directory does not. */
  readonly extra: readonly string[];
  /** Their parameters differ. */
  readonly otherParameters: readonly string[];
  /** The agent says that they change something, the directory that they only read. */
  readonly changing: readonly string[];
}

/** What was found of one agent. */
export interface Examination {
  readonly name: string;
  readonly reachable: boolean;
  /** Why it can't be used, in one line; null if it can. */
  readonly failure: string | null;
  /** Whether it takes the tasks that rein sends; null where it does not say. */
  readonly speaksProtocol: boolean | null;
  /** Those that it says; empty where it does not say. */
  readonly protocols: readonly string[];
  /** Null where it does not say. */
  readonly intents: IntentDifferences | null;
  readonly ms: number;
  /** Whether all is well; intents that the directory does not have are no harm. */
  readonly passed: boolean;
}

/** Whether an agent says more of parameters than that they are an object. */
function saysParameters({ parameters }: Intent): boolean {
  return Object.keys(parameters).some((key) => key !== "type");
}

function haveSameParameters(one: Intent, other: Intent): boolean {
  if (!saysParameters(other)) return true;
  return canonicalText(one.parameters) === canonicalText(other.parameters);
}

/**
 * Compares the intents of the directory with those that an agent says it has.
 *
 * @returns Names in the order of the side that has them.
 */
export function compareIntents(
  own: readonly Intent[],
  theirs: readonly Intent[],
): IntentDifferences {
  const find = (intents: readonly Intent[], { name }: Intent) =>
    intents.find((intent) => intent.name === name);
  const names = (intents: readonly Intent[]) => intents.map(({ name }) => name);
  const both = own.flatMap((intent) => {
    const other = find(theirs, intent);
    return other === undefined ? [] : [{ intent, other }];
  });
  const differing = (differ: (one: Intent, other: Intent) => boolean) =>
    names(both.filter(({ intent, other }) => differ(intent, other)).map(({ intent }) => intent));
  return {
    missing: names(own.filter((intent) => find(theirs, intent) === undefined)),
    extra: names(theirs.filter((intent) => find(own, intent) === undefined)),
    otherParameters: differing((one, other) => !haveSameParameters(one, other)),
    changing: differing((one, other) => one.access === "read" && other.access === "write"),
  };
}

function examined(agent: Agent, { protocols, intents }: AgentReport, ms: number): Examination {
  const speaks = protocols.length === 0 ? null : protocols.includes(TASK_PROTOCOL);
  const differences = intents === null ? null : compareIntents(agent.intents, intents);
  const isDifferent = differences !== null &&
    [differences.missing, differences.otherParameters, differences.changing]
      .some((names) => names.length > 0);
  return {
    name: agent.name,
    reachable: true,
    failure: null,
    speaksProtocol: speaks,
    protocols,
    intents: differences,
    ms,
    passed: speaks !== false && !isDifferent,
  };
}

/**
 * Asks an agent what it is, without a task, and compares it with the directory.
 *
 * @throws The signal's reason, once it is aborted.
 */
export async function examineAgent(
  agent: Agent,
  transport: Pick<Transport, "report">,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Examination> {
  const begunMs = clock.now();
  const deadline = startDeadline(clock, EXAMINATION_MS, signal);
  try {
    const report = await transport.report(deadline.signal);
    return examined(agent, report, clock.now() - begunMs);
  } catch (error) {
    signal.throwIfAborted();
    if (!deadline.expired() && !(error instanceof TransportError)) throw error;
    const late = `It did not answer in ${EXAMINATION_MS / 1000} s`;
    return {
      name: agent.name,
      reachable: error instanceof TransportError && error.code !== "unreachable",
      failure: error instanceof TransportError ? error.message : late,
      speaksProtocol: null,
      protocols: [],
      intents: null,
      ms: clock.now() - begunMs,
      passed: false,
    };
  } finally {
    deadline.clear();
  }
}
