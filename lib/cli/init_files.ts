/**
 * What `rein init` writes: a configuration for the person, a policy for the working directory, a
 * file for the key.
 *
 * @module
 */

import { FIELDS, SETTINGS, type Values } from "../config/settings.ts";
import type { Json } from "../types.ts";

/** What the person chose; null: nothing. */
export type ChosenSettings = Pick<Values, "baseUrl" | "model">;

const CONFIG_HEAD = `# The configuration of rein, for you on this machine. Written by "rein init".
# A setting behind "# " has its default; take the mark away to change it. Options and REIN_* in the
# environment go before what stands here. "rein config show" says what holds, and where from.
# The key does not belong in here: it is OPENAI_API_KEY, in the environment or in the file "env"
# beside this one, which only you may read.
`;

const PRICES = `
# What a million tokens cost, by the name of a model, for limits.max_cost:
# prices:
#   "*": { input: 0.50, output: 1.50 }
`;

/** Values in comments where there is no default: each is possible. */
const EXAMPLES: { readonly [F in keyof Values]?: Json } = {
  model: "qwen3:8b",
  baseUrl: "http://127.0.0.1:11434/v1",
  embeddingModel: "nomic-embed-text",
  maxTokens: 200_000,
  maxTimeMs: "10m",
  maxCost: 0.5,
  contextWindow: 32_000,
};

/** One setting: its description, and its value or what it could be. */
function settingLines<F extends keyof Values>(field: F, chosen: ChosenSettings): string[] {
  const { key, kind, fallback, description } = SETTINGS[field];
  const [name = key, ...outer] = key.split(".").reverse();
  const indent = "  ".repeat(outer.length);
  const value: Json = field === "model" || field === "baseUrl" ? chosen[field] : null;
  const shown = value ?? (fallback === null ? EXAMPLES[field] ?? null : kind.toFile(fallback));
  const line = `${name}: ${JSON.stringify(shown)}`;
  return [`${indent}# ${description}`, `${indent}${value === null ? "# " : ""}${line}`];
}

/** What stands above the settings of a group. */
const GROUP_HEADS: { readonly [group: string]: string } = {
  limits: "When a run ends, at the latest.",
  timeouts: "How long the model's server is waited for.",
};

/** The group of a setting: `limits` of `limits.max_steps`; empty for one that stands alone. */
function groupOf(field: keyof Values): string {
  const { key } = SETTINGS[field];
  return key.slice(0, Math.max(0, key.indexOf(".")));
}

/** The text of a configuration, with every setting in it. */
export function configText(chosen: ChosenSettings): string {
  const block = (field: keyof Values) => `${settingLines(field, chosen).join("\n")}\n`;
  const groups = [...new Set(FIELDS.map(groupOf))].map((group) => {
    const blocks = FIELDS.filter((field) => groupOf(field) === group).map(block);
    if (group === "") return blocks.map((text) => `\n${text}`).join("");
    return `\n# ${GROUP_HEADS[group] ?? ""}\n${group}:\n${blocks.join("")}`;
  });
  return [CONFIG_HEAD, ...groups, PRICES].join("");
}

/** A policy for the working directory, which can only tighten what holds anyway. */
export const POLICY_TEXT = `# What rein may do in this directory. Written by "rein init".
# Rules here only tighten: what the machine's policy or yours asks about or denies stays so, since a
# strange folder must not be able to give itself leave. To allow something, write it into
# ~/.config/rein/policy.yaml, or name a file with --policy.
# "rein policy check 'COMMAND'" says what is decided, "rein policy lint" finds mistakes, and
# "rein schema policy" prints the schema.
name: this directory

# What is decided where no rule speaks, the strictest of all policies: allow, ask or deny.
defaults:
  write: ask
  execute: ask

rules:
  # Files that often hold secrets are not read; baseline asks about them otherwise.
  - id: here.secrets
    decision: deny
    paths:
      read: [./.env, ./.env.*, ./secrets/**, "!./.env.example"]
    reason: This directory keeps its secrets there
    suggest: Ask the person for what you need to know, without the secret itself
    examples:
      match: [cat .env, head secrets/token]
      not: [cat .env.example, ls .env]

  # What is published is left to people. Take the marks away where that fits.
  # - id: here.no-push
  #   decision: deny
  #   programs: [git]
  #   subcommands: [push]
  #   reason: People push from here
  #   examples:
  #     match: [git push origin main]
  #     not: [git status]
`;

/** The text of the file that holds the key. */
export function envText(key: string): string {
  // Between marks that it does not hold itself, nothing of it means anything else.
  const mark = ["'", "`"].find((quote) => !key.includes(quote)) ?? '"';
  return `# Read by rein as if it stood in the environment, which goes before it. For you alone: 0600.
OPENAI_API_KEY=${mark}${key}${mark}
`;
}
