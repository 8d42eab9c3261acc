/**
 * The policy of a run: read where someone wrote one, loaded where it is first
 * needed otherwise.
 *
 * @module
 */

import type { Ports } from "../ports.ts";
import type { Policy, PolicySource } from "../policy/types.ts";
import type { Evaluation, Judge, JudgeRequest } from "../types.ts";

/** A judge that loads itself. */
export interface LazyJudge {
  judge(request: JudgeRequest): Promise<Evaluation>;
  /** Loads the policy now and judges once, so that the first call need not wait for it. */
  prepare(): Promise<void>;
  /** What the policy says of walls, long texts and the audit; the built-in ones say nothing. */
  readonly settings: Pick<Policy, "walls" | "limits" | "audit">;
}

/** The first command that is parsed takes 3 ms longer than those after it. */
const WARM_UP: JudgeRequest = {
  tool: "run_shell",
  effect: "execute",
  subjects: [{ kind: "command", command: "true" }],
};

/** A policy with its judge. */
interface Loaded {
  readonly policy: Policy;
  readonly judge: Judge;
}

async function load(sources: readonly PolicySource[], ports: Ports): Promise<Loaded> {
  const { judgeHere, loadSources } = await import("./policy_in_force.ts");
  const policy = await loadSources(sources);
  return { policy, judge: judgeHere(policy, {}, ports) };
}

/** Builds the judge that tells what only reads, for a dry run. */
export function createReadOnlyJudge(ports: Ports): LazyJudge["judge"] {
  let loading: Promise<Loaded> | undefined;
  const loaded = async () => {
    const { builtInSources } = await import("../policy/load.ts");
    return await load(builtInSources("read-only"), ports);
  };
  return async (request) => (await (loading ??= loaded())).judge(request);
}

/**
 * Builds the judge of a run from every policy that applies.
 *
 * @param named Built-in policies and files that the command line names. Where anyone wrote a
 *   policy, all is loaded at once, so that a fault ends the run before it begins.
 * @throws {PolicyError} If a policy file has a fault or can't be read, with line and column.
 */
export async function createLazyJudge(named: readonly string[], ports: Ports): Promise<LazyJudge> {
  const { findSources } = await import("../policy/sources.ts");
  return await judgeOf(await findSources(ports, named), ports);
}

/**
 * Builds the judge of a run from sources that were found before.
 *
 * @throws {PolicyError} If a policy file has a fault, with line and column.
 */
export async function judgeOf(
  sources: readonly PolicySource[],
  ports: Ports,
): Promise<LazyJudge> {
  const { hasOwn } = await import("../policy/sources.ts");
  let loading: Promise<Loaded> | undefined;
  const loaded = () => loading ??= load(sources, ports);
  const settings = hasOwn(sources) ? (await loaded()).policy : { walls: {}, limits: {}, audit: {} };
  return {
    judge: async (request) => (await loaded()).judge(request),
    prepare: async () => void (await loaded()).judge(WARM_UP),
    settings,
  };
}
