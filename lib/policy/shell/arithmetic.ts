/**
 * Arithmetic that can be computed from constants; everything else is null.
 *
 * @module
 */
import { type ArithmeticExpression, parse } from "unbash";
import { isKnown, NUMBER } from "../marks.ts";
import type { Expansion } from "./expansion.ts";
import { valueOf, visitEvaluated } from "./variables.ts";

/** How deep variables may name variables. */
const MAX_DEPTH = 8;

/** The value of an expression, or null; substitutions in it are visited. */
export function arithmeticValue(
  expression: ArithmeticExpression | undefined,
  run: Expansion,
  depth = 0,
): number | null {
  if (expression === undefined || depth > 1_000) return null;
  switch (expression.type) {
    case "ArithmeticWord": {
      const text = expression.parts ? run.parts(expression.parts) : expression.value;
      visitEvaluated(text, run);
      return wordValue(text, run, 0);
    }
    case "ArithmeticGroup":
      return arithmeticValue(expression.expression, run, depth + 1);
    case "ArithmeticUnary": {
      const value = arithmeticValue(expression.operand, run, depth + 1);
      return value === null ? null : unary(expression.operator, value);
    }
    case "ArithmeticBinary": {
      const left = arithmeticValue(expression.left, run, depth + 1);
      const right = arithmeticValue(expression.right, run, depth + 1);
      const assigned = /^([-+*/%&|^]|<<|>>)?=$/.test(expression.operator);
      if (assigned) assign(expression.left, expression.operator === "=" ? right : null, run);
      return left === null || right === null ? null : binary(expression.operator, left, right);
    }
    case "ArithmeticTernary": {
      const test = arithmeticValue(expression.test, run, depth + 1);
      const yes = arithmeticValue(expression.consequent, run, depth + 1);
      const no = arithmeticValue(expression.alternate, run, depth + 1);
      return test === null ? null : test !== 0 ? yes : no;
    }
    case "ArithmeticCommandExpansion": {
      const text = run.hooks.capture(expression.script).trim();
      return /^-?\d+$/.test(text) ? Number(text) : null;
    }
  }
}

function assign(target: ArithmeticExpression, value: number | null, run: Expansion): void {
  if (target.type !== "ArithmeticWord" || !/^[A-Za-z_]\w*$/.test(target.value)) return;
  run.state.set(target.value, [value === null ? NUMBER : String(value)]);
}

/** The value of an arithmetic text such as a subscript, or null. */
export function arithmeticText(text: string, run: Expansion): number | null {
  if (/^\s*-?\d{1,15}\s*$/.test(text)) return Number(text);
  if (!isKnown(text) || text.length > 200) return null;
  if (/^\s*[A-Za-z_]\w*\s*$/.test(text)) return wordValue(text.trim(), run, 0);
  const command = parse(`((${text}))`).commands[0]?.command;
  return command?.type === "ArithmeticCommand" ? arithmeticValue(command.expression, run) : null;
}

function wordValue(text: string, run: Expansion, depth: number): number | null {
  const number = numberOf(text);
  if (number !== null) return number;
  if (depth > MAX_DEPTH || !/^[A-Za-z_]\w*$/.test(text)) return null;
  const value = valueOf(text, run)?.[0];
  if (value === undefined) return null;
  visitEvaluated(value, run);
  return value === "" ? 0 : wordValue(value, run, depth + 1);
}

function numberOf(text: string): number | null {
  if (/^0[0-7]+$/.test(text)) return parseInt(text, 8);
  if (/^(0|[1-9]\d{0,15}|0[xX][0-9a-fA-F]{1,12})$/.test(text)) return Number(text);
  const based = /^(\d{1,2})#([0-9A-Za-z]{1,12})$/.exec(text);
  const base = Number(based?.[1]);
  if (!based || base < 2 || base > 36) return null;
  const value = parseInt(based[2] ?? "", base);
  return Number.isNaN(value) ? null : value;
}

function unary(operator: string, value: number): number | null {
  if (operator === "-") return -value;
  if (operator === "+") return value;
  if (operator === "!") return value === 0 ? 1 : 0;
  return operator === "~" ? ~value : null;
}

const BINARY: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => Math.trunc(a / b),
  "%": (a, b) => a % b,
  "**": (a, b) => a ** b,
  "^": (a, b) => a ^ b,
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "<<": (a, b) => a << b,
  ">>": (a, b) => a >> b,
  "=": (_, b) => b,
  ",": (_, b) => b,
};

function binary(operator: string, left: number, right: number): number | null {
  const value = BINARY[operator]?.(left, right);
  return value === undefined || !Number.isFinite(value) ? null : value;
}
