/**
 * Cuts an expression into numbers, names and symbols.
 *
 * @module
 */

import { CalculationError, position } from "./error.ts";

/** One piece of an expression; `end` stands once, behind the last piece. */
export interface Token {
  readonly kind: "number" | "name" | "symbol" | "end";
  /** As written, except: names in lower case, numbers without `_`, `**` as `^`. */
  readonly text: string;
  /** UTF-16 units from the beginning. */
  readonly offset: number;
}

const SPACE = /\s*/y;

const PATTERNS: readonly (readonly [Token["kind"], RegExp])[] = [
  ["number", /(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+)?/iy],
  ["name", /[a-z][a-z0-9_]*/iy],
  ["symbol", /\*\*|[-+*/%^(),]/y],
];

/**
 * Cuts an expression into tokens, white space left out.
 *
 * @param expression Any text; empty gives the end token alone.
 * @throws {CalculationError} At a character that starts no token.
 */
export function tokenize(expression: string): readonly Token[] {
  const tokens: Token[] = [];
  let offset = skipSpace(expression, 0);
  while (offset < expression.length) {
    const [token, length] = tokenAt(expression, offset);
    tokens.push(token);
    offset = skipSpace(expression, offset + length);
  }
  return [...tokens, { kind: "end", text: "", offset: expression.length }];
}

function tokenAt(expression: string, offset: number): readonly [Token, number] {
  for (const [kind, pattern] of PATTERNS) {
    const text = matchAt(pattern, expression, offset);
    if (text !== "") return [{ kind, text: normalize(kind, text), offset }, text.length];
  }
  const character = String.fromCodePoint(expression.codePointAt(offset) ?? 0);
  throw new CalculationError(
    "unexpected_character",
    `Cannot read ${JSON.stringify(character)} at ${position(offset)}`,
    "Use numbers, + - * / % ^, brackets, and the functions and constants that the tool lists",
  );
}

function normalize(kind: Token["kind"], text: string): string {
  if (kind === "number") return text.replaceAll("_", "");
  if (kind === "name") return text.toLowerCase();
  return text === "**" ? "^" : text;
}

function skipSpace(expression: string, offset: number): number {
  return offset + matchAt(SPACE, expression, offset).length;
}

function matchAt(pattern: RegExp, text: string, offset: number): string {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0] ?? "";
}
