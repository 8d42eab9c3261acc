/**
 * The policy that comes with a task: somebody else's words, which the agent reads and matches, so
 * that they have their bounds.
 *
 * @module
 */

import { isJsonObject } from "../json_object.ts";
import type { Json, JsonObject } from "../types.ts";

/** Characters of a policy as JSON at the most. Source: a choice; some 200 rules. */
const MAX_CHARS = 32_000;

/** Texts with more of `**` than this take too long to compare with long paths. */
const MAX_DEEP_STARS = 3;

/** A rule without its examples: trying them is work, which its author has done. */
function untried(rule: Json): Json {
  if (!isJsonObject(rule)) return rule;
  const { examples: _examples, ...rest } = rule;
  return rest;
}

/** A text somewhere in a value that is too hard to match; null: there is none. */
function hardText(value: Json): string | null {
  if (typeof value === "string") {
    return value.split("**").length - 1 > MAX_DEEP_STARS ? value : null;
  }
  if (typeof value !== "object" || value === null) return null;
  const values: readonly Json[] = Array.isArray(value) ? value : Object.values(value);
  for (const one of values) {
    const hard = hardText(one);
    if (hard !== null) return hard;
  }
  return null;
}

/** Why a policy that came with a task is not even read; null: it is. */
export function taskPolicyFault(policy: JsonObject): string | null {
  const chars = JSON.stringify(policy).length;
  if (chars > MAX_CHARS) {
    return `The task's policy has ${chars} characters, and ${MAX_CHARS} are the most`;
  }
  return hardText(policy) === null
    ? null
    : `The task's policy has a text with more than ${MAX_DEEP_STARS} times "**"`;
}

/** What of it is heard, as the text of a policy: how much is shown is not the caller's to say. */
export function taskPolicyText(policy: JsonObject): string {
  const { limits: _limits, ...rest } = policy;
  const { rules } = rest;
  return JSON.stringify(Array.isArray(rules) ? { ...rest, rules: rules.map(untried) } : rest);
}
