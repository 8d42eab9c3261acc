/**
 * Rules that speak of tools by their names, and by which defaults those are judged that are not
 * rein's own.
 *
 * @module
 */

import { fits } from "../patterns.ts";
import type { Effect, Subject } from "../types.ts";
import type { Rule } from "./types.ts";

/** Whether a rule names a tool. */
export function namesTool({ tools }: Rule, tool: string): boolean {
  return tools?.some((pattern) => fits(pattern, tool)) ?? false;
}

/** Whether a rule allows a tool by its name: one with other conditions does not. */
export function allowsTool(rule: Rule, tool: string): boolean {
  const { decision, programs, paths, hosts, intents, signals } = rule;
  const others = [programs, paths, hosts, intents, signals];
  return decision === "allow" && others.every((condition) => condition === null) &&
    namesTool(rule, tool);
}

/** The effects whose defaults a tool is judged by: what is sent away may change something there. */
export function toolDefaults({ effect }: Subject & { readonly kind: "tool" }): readonly Effect[] {
  return effect === "network" ? ["network", "write"] : [effect];
}
