/**
 * What every policy command starts with: the policy in force and its judge.
 *
 * @module
 */
import { createJudge } from "../policy/evaluate.ts";
import { loadPolicy, prepareYaml } from "../policy/load.ts";
import { findSources } from "../policy/sources.ts";
import type { Policy } from "../policy/types.ts";
import type { Judge } from "../types.ts";
import type { CommonOptions, PolicyPorts } from "./policy_options.ts";

/**
 * Loads the policies that the options name.
 *
 * @throws {PolicyError} If one can't be used.
 */
export async function loadInForce(options: CommonOptions, ports: PolicyPorts): Promise<Policy> {
  const sources = await findSources(ports, options.policy);
  if (sources.some(({ layer }) => layer !== "built-in")) await prepareYaml();
  return loadPolicy(sources);
}

/** The judge of a policy on this machine, in the directory of the options. */
export function judgeHere(policy: Policy, options: CommonOptions, ports: PolicyPorts): Judge {
  return createJudge(policy, {
    cwd: options.cwd ?? ports.files.cwd(),
    home: ports.env.get("HOME") ?? null,
    realPath: (path) => ports.files.realPathSync(path),
  });
}
