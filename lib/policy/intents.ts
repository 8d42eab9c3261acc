/**
 * Which intents of business agents a rule is about.
 *
 * @module
 */
import { fits } from "../patterns.ts";
import type { Rule } from "./types.ts";

/**
 * Whether a pattern stands for an intent.
 *
 * @param pattern `agent/intent`; `*` stands for any characters.
 * @param name `agent/intent`.
 */
export function matchesIntent(pattern: string, name: string): boolean {
  return fits(pattern, name);
}

/** Whether a rule speaks of an intent that is used in this way. */
export function coversIntent(
  { intents, access: only }: Pick<Rule, "intents" | "access">,
  name: string,
  access: "read" | "write",
): boolean {
  return (only === null || only === access) &&
    (intents?.some((pattern) => matchesIntent(pattern, name)) ?? false);
}
