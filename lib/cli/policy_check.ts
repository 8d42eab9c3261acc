/**
 * `rein policy check`: the decision on one command, or on a stream of them.
 *
 * @module
 */
import { english, type Say } from "../messages/messages.ts";
import type { EvaluatedPart, Evaluation, Judge } from "../types.ts";
import { type CommonOptions, EXIT, type PolicyPorts } from "./policy_options.ts";
import { judgeHere, loadInForce } from "./policy_in_force.ts";

function judgeCommand(judge: Judge, command: string): Evaluation {
  const subjects = [{ kind: "command", command }] as const;
  return judge({ tool: "run_shell", effect: "execute", subjects });
}

/** Judges one command and prints why; returns the exit code. */
export async function checkCommand(
  command: string | undefined,
  options: CommonOptions,
  ports: PolicyPorts,
): Promise<number> {
  if (command === undefined || command === "") {
    await ports.terminal.err(`rein: ${ports.say("policy.no_command")}\n`);
    return EXIT.error;
  }
  const judge = judgeHere(await loadInForce(options, ports), options, ports);
  const evaluation = judgeCommand(judge, command);
  const text = options.output === "json"
    ? `${JSON.stringify(evaluation)}\n`
    : renderEvaluation(command, evaluation, ports.say);
  await ports.terminal.out(text);
  return EXIT[evaluation.decision];
}

/** An evaluation for people: the decision, then each part with its rules. */
export function renderEvaluation(
  command: string,
  evaluation: Evaluation,
  say: Say = english,
): string {
  const parts = evaluation.parts.map((part) => renderPart(command, part, say));
  return `${evaluation.decision}\n${parts.join("")}`;
}

function renderPart(command: string, part: EvaluatedPart, say: Say): string {
  const own = part.span !== null && command.slice(part.span.start, part.span.end) === part.text;
  const text = part.text.split("\n")[0] ?? "";
  const lines = [`\n  ${part.decision.padEnd(5)}  ${text}`];
  const [first] = part.matches;
  const underline = own && first?.span ? underlined(part, first.span.start, first.span.end) : null;
  if (underline !== null) lines.push(`         ${underline}`);
  for (const match of part.matches) {
    lines.push(`         ${match.rule}: ${match.reason}`);
    if (match.suggest !== null) {
      lines.push(say("policy.instead", { suggestion: match.suggest }));
    }
  }
  return `${lines.join("\n")}\n`;
}

function underlined(part: EvaluatedPart, start: number, end: number): string | null {
  const from = start - (part.span?.start ?? 0);
  const line = part.text.split("\n")[0] ?? "";
  const to = Math.min(end - (part.span?.start ?? 0), line.length);
  return from < 0 || to <= from ? null : " ".repeat(from) + "~".repeat(to - from);
}

/** Answers are written in blocks of this many characters. */
const BLOCK_CHARS = 65_536;

/** Judges JSON lines from stdin; returns the exit code. */
export async function checkLines(options: CommonOptions, ports: PolicyPorts): Promise<number> {
  const judge = judgeHere(await loadInForce(options, ports), options, ports);
  let block = "";
  let code: number = EXIT.allow;
  for await (const line of linesOf(ports.terminal.input(new AbortController().signal))) {
    const answer = answerLine(line, judge);
    if (answer.failed) code = EXIT.error;
    block += `${answer.text}\n`;
    if (block.length > BLOCK_CHARS) {
      await ports.terminal.out(block);
      block = "";
    }
  }
  if (block !== "") await ports.terminal.out(block);
  return code;
}

function answerLine(line: string, judge: Judge): { text: string; failed: boolean } {
  const request = parseRequest(line);
  if (request === null) {
    const error = 'Expected an object with "command", a string';
    return { text: JSON.stringify({ id: null, error }), failed: true };
  }
  const { decision, parts } = judgeCommand(judge, request.command);
  const part = parts.find((one) => one.decision === decision);
  const match = part?.matches[0];
  const text = JSON.stringify({
    id: request.id,
    decision,
    command: part?.text ?? null,
    rule: match?.rule ?? null,
    reason: match?.reason ?? null,
    suggest: match?.suggest ?? null,
    matched: match?.matched ?? null,
  });
  return { text, failed: false };
}

function parseRequest(line: string): { id: unknown; command: string } | null {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || !("command" in value)) return null;
    const { command } = value;
    return typeof command === "string" ? { id: "id" in value ? value.id : null, command } : null;
  } catch {
    return null;
  }
}

/** Whole lines without their ends; empty ones are skipped. */
async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") yield line;
  }
  rest += decoder.decode();
  if (rest.trim() !== "") yield rest;
}
