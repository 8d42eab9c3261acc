/**
 * Reads policies: YAML in, rules in force out.
 *
 * @module
 */
import { LineCounter, parseDocument } from "yaml";
import baselineText from "../../policies/baseline.yaml" with { type: "text" };
import opsText from "../../policies/ops.yaml" with { type: "text" };
import { type Layer, type Policy, PolicyError, type Rule } from "./types.ts";

export { type Policy, PolicyError } from "./types.ts";

/** The text of one policy and whose word it is. */
export interface PolicySource {
  /** Its path, or "built in: ops"; shown to people. */
  readonly name: string;
  readonly layer: Layer;
  readonly text: string;
}

/** The policies inside the program; `baseline` is always among them. */
export function builtInSources(
  name: "ops" | "read-only" | "locked" = "ops",
): readonly PolicySource[] {
  const baseline = { name: "built in: baseline", layer: "built-in", text: baselineText } as const;
  return name === "locked"
    ? [baseline]
    : [baseline, { name: `built in: ${name}`, layer: "built-in", text: opsText }];
}

/**
 * Joins sources into one policy.
 *
 * @throws {PolicyError} If a source is not YAML, or not a policy.
 */
export function loadPolicy(sources: readonly PolicySource[]): Policy {
  return { rules: sources.flatMap(readRules) };
}

function readRules(source: PolicySource): Rule[] {
  const lines = new LineCounter();
  const document = parseDocument(source.text, { lineCounter: lines });
  const fault = document.errors[0];
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw new PolicyError(fault.message.split("\n")[0] ?? "Malformed YAML", {
      file: source.name,
      line,
      column: col,
    });
  }
  const content: unknown = document.toJS();
  const rules = isRecord(content) ? content["rules"] : undefined;
  if (!Array.isArray(rules)) throw refuse(source, "A policy needs a list named `rules`");
  return rules.map((rule) => readRule(rule, source));
}

function readRule(value: unknown, source: PolicySource): Rule {
  if (!isRecord(value) || typeof value["id"] !== "string") {
    throw refuse(source, "Every rule needs an `id`");
  }
  const decision = value["decision"];
  if (decision !== "allow" && decision !== "ask" && decision !== "deny") {
    throw refuse(source, `Rule "${value["id"]}" needs a decision: allow, ask or deny`);
  }
  return {
    id: value["id"],
    decision,
    programs: strings(value["programs"]),
    subcommands: strings(value["subcommands"]),
    paths: strings(value["paths"]),
    reason: String(value["reason"] ?? "No reason given"),
    suggest: typeof value["suggest"] === "string" ? value["suggest"] : null,
    source: source.name,
    layer: source.layer,
  };
}

function refuse(source: PolicySource, message: string): PolicyError {
  return new PolicyError(message, { file: source.name, line: 1, column: 1 });
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
