/**
 * What every policy command starts with: the policy in force and its judge.
 *
 * @module
 */
import { createJudge } from "../policy/evaluate.ts";
import { loadPolicy, prepareYaml } from "../policy/load.ts";
import type { Ports } from "../ports.ts";
import { findSources, hasOwn } from "../policy/sources.ts";
import type { Policy, PolicySource } from "../policy/types.ts";
import type { Judge } from "../types.ts";
import type { CommonOptions, PolicyPorts } from "./policy_options.ts";

/**
 * Joins sources; YAML is made ready only for those that people wrote.
 *
 * @throws {PolicyError} If one can't be used.
 */
export async function loadSources(sources: readonly PolicySource[]): Promise<Policy> {
  if (hasOwn(sources)) await prepareYaml();
  return loadPolicy(sources);
}

/**
 * Loads the policies that the options name.
 *
 * @throws {PolicyError} If one can't be used.
 */
export async function loadInForce(options: CommonOptions, ports: PolicyPorts): Promise<Policy> {
  return await loadSources(await findSources(ports, options.policy));
}

/** The judge of a policy on this machine, in the directory of the options. */
export function judgeHere(
  policy: Policy,
  options: Pick<CommonOptions, "cwd">,
  ports: Pick<Ports, "files" | "env">,
): Judge {
  return createJudge(policy, {
    cwd: options.cwd ?? ports.files.cwd(),
    home: ports.env.get("HOME") ?? null,
    realPath: (path) => ports.files.realPathSync(path),
  });
}
