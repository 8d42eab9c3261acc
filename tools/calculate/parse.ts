/**
 * Turns an expression into a tree by recursive descent.
 *
 * ```text
 * sum     = product { ("+" | "-") product }
 * product = signed { ("*" | "/" | "%") signed }
 * signed  = ("+" | "-") signed | power
 * power   = value [ "^" signed ]              so -2^2 is -4, and 2^-1 works
 * value   = number | name | name "(" [ sum { "," sum } ] ")" | "(" sum ")"
 * ```
 *
 * @module
 */

import { CalculationError, position } from "./error.ts";
import { type Token, tokenize } from "./tokens.ts";

/** An operator between two values. */
export type Operator = "+" | "-" | "*" | "/" | "%" | "^";

/** A parsed expression; `offset` is where an operator or a name stands. */
export type Expression =
  | { readonly kind: "number"; readonly text: string; readonly offset: number }
  | { readonly kind: "constant"; readonly name: string; readonly offset: number }
  | { readonly kind: "negation"; readonly operand: Expression; readonly offset: number }
  | {
    readonly kind: "call";
    readonly name: string;
    readonly args: readonly Expression[];
    readonly offset: number;
  }
  | {
    readonly kind: "operation";
    readonly operator: Operator;
    readonly left: Expression;
    readonly right: Expression;
    readonly offset: number;
  };

/** Brackets, signs and powers inside each other; far above what people write. */
export const MAX_DEPTH = 100;

/**
 * Parses a whole expression.
 *
 * @param expression Any text.
 * @throws {CalculationError} If it is empty, malformed or nested too deep.
 */
export function parse(expression: string): Expression {
  const parser = new Parser(tokenize(expression));
  return parser.whole();
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    if (this.#peek().kind === "end") throw emptyExpression();
    const expression = this.#sum();
    if (this.#peek().kind !== "end") throw unexpectedAfterValue(this.#peek());
    return expression;
  }

  #sum(): Expression {
    return this.#leftToRight(["+", "-"], () => this.#product());
  }

  #product(): Expression {
    return this.#leftToRight(["*", "/", "%"], () => this.#signed());
  }

  #leftToRight(operators: readonly Operator[], operand: () => Expression): Expression {
    let left = operand();
    for (;;) {
      const operator = operators.find((symbol) => this.#at(symbol));
      if (operator === undefined) return left;
      const { offset } = this.#take();
      left = { kind: "operation", operator, left, right: operand(), offset };
    }
  }

  #signed(): Expression {
    if (!this.#at("-") && !this.#at("+")) return this.#power();
    const sign = this.#take();
    const operand = this.#nested(sign, () => this.#signed());
    return sign.text === "+" ? operand : { kind: "negation", operand, offset: sign.offset };
  }

  #power(): Expression {
    const left = this.#value();
    if (!this.#at("^")) return left;
    const sign = this.#take();
    const right = this.#nested(sign, () => this.#signed());
    return { kind: "operation", operator: "^", left, right, offset: sign.offset };
  }

  #value(): Expression {
    const token = this.#take();
    if (token.kind === "number") return { ...token, kind: "number" };
    if (token.kind === "name") return this.#named(token);
    if (token.text !== "(") throw missingValue(token, this.#tokens[this.#next - 2]);
    const inner = this.#nested(token, () => this.#sum());
    this.#close(token);
    return inner;
  }

  #named({ text: name, offset }: Token): Expression {
    if (!this.#at("(")) return { kind: "constant", name, offset };
    const bracket = this.#take();
    const args = this.#at(")") ? [] : this.#nested(bracket, () => this.#arguments());
    this.#close(bracket);
    return { kind: "call", name, args, offset };
  }

  #arguments(): Expression[] {
    const args = [this.#sum()];
    while (this.#at(",")) {
      this.#take();
      args.push(this.#sum());
    }
    return args;
  }

  #close(bracket: Token): void {
    const token = this.#peek();
    if (token.kind === "end") throw unclosedBracket(bracket);
    if (!this.#at(")")) throw unexpectedAfterValue(token);
    this.#take();
  }

  #nested<T>(token: Token, inner: () => T): T {
    if (this.#depth === MAX_DEPTH) throw tooDeep(token);
    this.#depth += 1;
    const result = inner();
    this.#depth -= 1;
    return result;
  }

  #at(symbol: string): boolean {
    const token = this.#peek();
    return token.kind === "symbol" && token.text === symbol;
  }

  #take(): Token {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }

  /** The end token stands last and is never passed by a successful parse. */
  #peek(): Token {
    const token = this.#tokens[Math.min(this.#next, this.#tokens.length - 1)];
    if (token === undefined) throw new RangeError("A token list must end with its end token");
    return token;
  }
}

function emptyExpression(): CalculationError {
  return new CalculationError(
    "empty_expression",
    "Cannot calculate an empty expression",
    "Write an expression such as 100 * 412 / 703",
  );
}

function missingValue(token: Token, before: Token | undefined): CalculationError {
  const after = before === undefined ? "" : ` after "${before.text}"`;
  const hint = before?.text === "%"
    ? "% is the remainder; write 15 percent of x as 15 / 100 * x"
    : "Put a number, a constant, a function or an opening bracket there";
  if (token.kind === "end") {
    return new CalculationError(
      "unexpected_end",
      `Expression ends at ${position(token.offset)} where a value is missing${after}`,
      hint,
    );
  }
  return new CalculationError(
    "unexpected_token",
    `Expected a value${after}, got "${token.text}" at ${position(token.offset)}`,
    hint,
  );
}

function unexpectedAfterValue(token: Token): CalculationError {
  return new CalculationError(
    "unexpected_token",
    `Expected an operator, got "${token.text}" at ${position(token.offset)}`,
    hintAfterValue(token),
  );
}

function hintAfterValue(token: Token): string {
  if (token.text === ")") return "Remove the bracket, or open one before it";
  if (token.text === ",") return "Write 1000 or 1_000 for a thousand, and . before decimals";
  return "Write multiplication with *, as in 2 * pi";
}

function unclosedBracket(bracket: Token): CalculationError {
  return new CalculationError(
    "unclosed_bracket",
    `Bracket opened at ${position(bracket.offset)} is never closed`,
    "Add the closing bracket",
  );
}

function tooDeep(token: Token): CalculationError {
  return new CalculationError(
    "too_deep",
    `Expression is nested more than ${MAX_DEPTH} deep at ${position(token.offset)}`,
    "Calculate it in parts",
  );
}
