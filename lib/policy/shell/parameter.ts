/**
 * Parameter expansion: `$x`, `${x:-word}`, `${x#pattern}`, arrays and the rest.
 *
 * @module
 */
import type { ParameterExpansionPart, ParameterOperation } from "unbash";
import { ANY, blurred, emptied, isKnown, isOpen, NAME, NUMBER } from "../marks.ts";
import { arithmeticText } from "./arithmetic.ts";
import { elementOf, keysOf } from "./arrays.ts";
import { decodeEscapes } from "./decode.ts";
import type { Expansion } from "./expansion.ts";
import { removeAffix, replacePattern } from "./pattern.ts";
import type { Value } from "./state.ts";
import { pick, valueOf, visitEvaluated } from "./variables.ts";

/** The values of `$name`; several for `$@`, none for an empty array. */
export function expandSimple(name: string, run: Expansion): Value {
  return valueOf(name, run) ?? [ANY];
}

/** The values of a `${…}`. */
export function expandParameter(part: ParameterExpansionPart, run: Expansion): Value {
  const { operation } = part;
  if (part.prefix === "!") return expandIndirect(part, run);
  const value = elements(part, run);
  if (part.prefix === "#") {
    return [value?.every(isKnown) ? lengthOf(part, value) : NUMBER];
  }
  if (operation === undefined) return value ?? [ANY];
  if (operation.type === "Default") return expandDefault(part, value, run);
  if (operation.type === "Slice" && part.index?.text === "@" && value?.every(isKnown)) {
    return sliceArray(operation, value, run);
  }
  return (value ?? [ANY]).map((one) => transform(one, { operation, text: part.text }, run));
}

function lengthOf(part: ParameterExpansionPart, value: Value): string {
  const whole = part.index?.text === "@" || part.index?.text === "*";
  return String(whole ? value.length : (value[0] ?? "").length);
}

/** The elements that a parameter names, or null if nothing is known of it. */
function elements(part: ParameterExpansionPart, run: Expansion): Value | null {
  const value = valueOf(part.parameter, run);
  const index = part.index?.text;
  if (index === "@" || index === "*") return value;
  const all = part.parameter === "@" || part.parameter === "*";
  if (part.index === undefined) return value === null || all ? value : [value[0] ?? ""];
  const text = run.text(part.index);
  visitEvaluated(text, run);
  const element = elementOf(part.parameter, text, run);
  if (element !== null) return element;
  const at = arithmeticText(text, run);
  if (value === null || at === null) return value === null ? null : [ANY];
  return [value.at(at) ?? ""];
}

function expandIndirect(part: ParameterExpansionPart, run: Expansion): Value {
  if (part.index?.text === "@" || part.index?.text === "*") {
    return keysOf(part.parameter, run.state) ?? [NAME];
  }
  if (part.operation?.type === "Names" || part.index !== undefined) return [NAME];
  const name = valueOf(part.parameter, run)?.[0] ?? ANY;
  if (!isKnown(name)) return [ANY];
  visitEvaluated(name, run);
  const inner = /^[A-Za-z_]\w*$/.test(name) ? valueOf(name, run) : null;
  const array = /^([A-Za-z_]\w*)\[([^\]]+)\]$/.exec(name);
  const element = array && elementOf(array[1] ?? "", array[2] ?? "", run);
  if (element) return element;
  if (array && /^(?:\d+|@|\*)$/.test(array[2] ?? "")) {
    const values = valueOf(array[1] ?? "", run);
    return values === null
      ? [ANY]
      : /\d/.test(array[2] ?? "")
      ? [values[Number(array[2])] ?? ""]
      : values;
  }
  return inner ?? [ANY];
}

function expandDefault(
  part: ParameterExpansionPart,
  value: Value | null,
  run: Expansion,
): Value {
  const operation = part.operation;
  if (operation?.type !== "Default") return value ?? [ANY];
  const operand = run.text(operation.operand);
  const whole = value === null ? null : value.join(" ");
  const kind = operation.operator.at(-1);
  if (kind === "=" && whole === null) {
    run.state.setAlternatives(part.parameter, [[operand], [ANY]]);
  }
  if (whole === null || isOpen(whole) && emptied(whole) === "") {
    return unknownDefault(kind ?? "", operand, run);
  }
  const isSet = operation.operator.startsWith(":") ? whole !== "" : true;
  if (kind === "+") return [isSet ? operand : ""];
  if (isSet) return value ?? [ANY];
  if (kind === "=") run.state.set(part.parameter, [operand]);
  return [operand];
}

/** Either branch may be taken, so both are alternatives. */
function unknownDefault(kind: string, operand: string, run: Expansion): Value {
  if (kind === "?") return [ANY];
  const other = kind === "+" ? "" : ANY;
  return [pick(`default ${operand}`, [operand, other], run) ?? other];
}

function sliceArray(
  operation: Extract<ParameterOperation, { type: "Slice" }>,
  value: Value,
  run: Expansion,
): Value {
  const offset = arithmeticText(run.text(operation.offset), run);
  const length = operation.length && arithmeticText(run.text(operation.length), run);
  if (offset === null || length === null) return [ANY];
  return value.slice(offset, length === undefined ? undefined : offset + length);
}

function transform(
  value: string,
  { operation, text }: { operation: ParameterOperation; text: string },
  run: Expansion,
): string {
  if (operation.type === "Slice") return slice(value, operation, run);
  if (operation.type === "Remove") {
    const pattern = run.pattern(operation.operand);
    if (isOpen(pattern)) return blurred(value + pattern);
    if (!isKnown(value)) return removeKnownEnd(value, pattern, operation.operator);
    return removeAffix(value, pattern, operation.operator) ?? ANY;
  }
  if (operation.type === "Replace") {
    // A slash inside a substitution ends the pattern for the parser, but not for bash.
    if (/\$\([^)]*$|`[^`]*$/.test(operation.pattern.text)) {
      visitEvaluated(text.replace(/^\$\{[^/]*\/{1,2}/, ""), run);
    }
    const pattern = run.pattern(operation.pattern);
    const replacement = run.text(operation.replacement);
    if (!isKnown(value) || isOpen(pattern)) return blurred(value + replacement);
    return replacePattern(value, { pattern, replacement, operator: operation.operator }) ?? ANY;
  }
  if (operation.type === "CaseModification") {
    if (operation.operand) run.pattern(operation.operand);
  }
  if (operation.type === "CaseModification") return modifyCase(value, operation.operator);
  if (operation.type === "Transform") return transformed(value, operation.operand.text, run);
  return blurred(value);
}

/** An unknown value keeps the end that the operator doesn't touch. */
function removeKnownEnd(value: string, pattern: string, operator: string): string {
  if (value === NAME || value === NUMBER) return value;
  const cutsTail = operator.startsWith("%") && pattern.startsWith("/");
  return cutsTail && value.startsWith("/") ? `/${ANY}` : blurred(value);
}

function slice(
  value: string,
  operation: Extract<ParameterOperation, { type: "Slice" }>,
  run: Expansion,
): string {
  const offsetText = run.text(operation.offset);
  const lengthText = operation.length && run.text(operation.length);
  visitEvaluated(offsetText, run);
  const offset = arithmeticText(offsetText, run);
  const length = lengthText === undefined ? undefined : arithmeticText(lengthText, run);
  if (!isKnown(value) || offset === null || length === null) return blurred(value);
  const start = offset < 0 ? Math.max(0, value.length + offset) : offset;
  if (length === undefined) return value.slice(start);
  return value.slice(start, length < 0 ? value.length + length : start + length);
}

function modifyCase(value: string, operator: string): string {
  const change = (text: string) =>
    operator.startsWith("^") ? text.toUpperCase() : text.toLowerCase();
  return operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
}

function transformed(value: string, kind: string, run: Expansion): string {
  if (kind === "U" || kind === "u") return modifyCase(value, kind === "U" ? "^^" : "^");
  if (kind === "L") return modifyCase(value, ",,");
  if (kind === "P") visitEvaluated(value, run);
  if (kind === "E") return isKnown(value) ? decodeEscapes(value) : ANY;
  if (kind === "P") return isKnown(value) && !/[$`\\]/.test(value) ? value : ANY;
  return kind === "Q" && /^[\w./-]*$/.test(value) ? value : ANY;
}
