/**
 * `rein tools`: what a model is offered in this build, at this place.
 *
 * @module
 */

import { createResults } from "../results/results.ts";
import { withTextLimits } from "../results/text_limits.ts";
import { createSandbox } from "../sandbox/sandbox.ts";
import type { Say } from "../messages/messages.ts";
import { recognise } from "../messages/recognise.ts";
import type { Ports } from "../ports.ts";
import { LAST_RESORT_CHARS } from "../results/observe.ts";
import type { Effect, TextLimit, Tool } from "../types.ts";
import { createTools } from "../../tools/registry.ts";
import { createLazyJudge } from "./judge.ts";
import { textTable } from "./text_table.ts";
import { knowledgeOfRun } from "./knowledge_of_run.ts";

/** All definitions together stay below this, in tokens. Source: the issue of the tools. */
export const MAX_DEFINITION_TOKENS = 3500;

/** Characters of English and JSON in one token. Source: measured with `o200k_base`, rounded down. */
const CHARS_PER_TOKEN = 4;

/** One tool as programs get it. */
interface ToolEntry {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  readonly timeout_ms: number;
  /** By field of the result, in characters. */
  readonly limits: { readonly [field: string]: TextLimit };
  readonly definition_tokens: number;
}

/** The tokens of a tool's definition, estimated from its characters. */
export function definitionTokens({ name, description, parameters }: Tool): number {
  const definition = { type: "function", function: { name, description, parameters } };
  return Math.ceil(JSON.stringify(definition).length / CHARS_PER_TOKEN);
}

function entryOf(tool: Tool): ToolEntry {
  const { name, description, effect, timeoutMs, limits } = tool;
  const definition_tokens = definitionTokens(tool);
  return { name, description, effect, timeout_ms: timeoutMs, limits, definition_tokens };
}

function limitsText(limits: ToolEntry["limits"], say: Say): string {
  const rules = Object.entries(limits)
    .map(([field, { head, tail }]) => say("tools.kept", { field, head, tail }));
  return rules.length === 0
    ? say("tools.kept_all", { chars: LAST_RESORT_CHARS })
    : rules.join(say("list.separator"));
}

function textOf(entries: readonly ToolEntry[], tokens: number, say: Say, mcp: boolean): string {
  const rows = entries.map((entry) => [
    entry.name,
    entry.effect,
    say("tools.seconds", { seconds: entry.timeout_ms / 1000 }),
    String(entry.definition_tokens),
    limitsText(entry.limits, say),
  ]);
  const heading = [
    say("tools.head_tool"),
    say("tools.head_effect"),
    say("tools.head_timeout"),
    say("tools.head_tokens"),
    say("tools.head_kept"),
  ];
  const values = { count: entries.length, tokens };
  const total = mcp
    ? say("tools.total_with_mcp", values)
    : say("tools.total", { ...values, most: MAX_DEFINITION_TOKENS });
  return `${textTable([heading, ...rows])}\n${total}\n`;
}

/** How tools are listed. */
export interface ToolsOptions {
  readonly output: "text" | "json";
  /** Whether MCP servers are connected to, and their tools listed as well. */
  readonly mcp?: boolean;
}

/**
 * Prints the tools of a run without options here: the policy decides which shell it has.
 *
 * @throws {SyntaxError} If a policy file has a fault.
 * @throws {SandboxError} If the walls that the policy asks for can't be had.
 * @throws {OutputError} If it can't be printed.
 */
export async function toolsCommand(
  { output, mcp = false }: ToolsOptions,
  ports: Ports,
  signal: AbortSignal,
): Promise<void> {
  const { outputs } = createResults({ spills: ports.spills, secrets: [] });
  const { walls, limits } = (await createLazyJudge([], ports)).settings;
  const { processes } = createSandbox(walls, ports, {
    cwd: ports.files.cwd(),
    realPath: (path) => ports.files.realPathSync(path),
  });
  const warn = (text: string) => ports.terminal.err(`rein: ${recognise(text, ports.say)}\n`);
  const knowledge = await knowledgeOfRun(ports, { embedder: () => Promise.resolve(null), warn });
  const own = createTools({ ...ports, processes }, outputs, { knowledge });
  const others = mcp ? await (await import("./mcp_check.ts")).offeredTools(own, ports, signal) : [];
  const entries = [...own, ...others].map((tool) => entryOf(withTextLimits(tool, limits)));
  const tokens = entries.reduce((sum, entry) => sum + entry.definition_tokens, 0);
  const text = output === "json"
    ? `${JSON.stringify({ schema: "rein-tools/1", tools: entries, definition_tokens: tokens })}\n`
    : textOf(entries, tokens, ports.say, mcp);
  await ports.terminal.out(text);
}
