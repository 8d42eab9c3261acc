/**
 * Visits simple commands: expands their words, once for each alternative that
 * the script's variables allow, and hands them on as a program's words.
 *
 * @module
 */
import type { Assignment, Command, Word } from "unbash";
import { ANY, inert } from "../marks.ts";
import { arithmeticText } from "./arithmetic.ts";
import { beginExpansion, expandAssigned, expandText, expandWord } from "./expand.ts";
import type { Expansion } from "./expansion.ts";
import { readRedirects } from "./redirects.ts";
import type { Scene, Walk } from "./scene.ts";
import { CWD, type Value } from "./state.ts";
import {
  clearKeys,
  declareKeys,
  elementOf,
  forgetKeys,
  keysOf,
  placed,
  setElement,
  subscripted,
} from "./arrays.ts";
import { inDeclaredCase, integerMark, valueOf, visitEvaluated } from "./variables.ts";

/** Combinations beyond this many are not tried. */
const MAX_CHOICES = 32;
/** Arrays grow no longer than this. */
const MAX_ELEMENTS = 4_096;

/** Visits a simple command; returns what it would print. */
export function visitSimple(node: Command, scene: Scene, walk: Walk): string {
  const outputs = new Set<string>();
  let width = 1;
  for (let choice = 0; choice < Math.min(width, MAX_CHOICES); choice += 1) {
    const run = beginExpansion(scene.state, {
      home: walk.world.home,
      hooks: walk.hooks(scene),
      choice,
    });
    outputs.add(visitChoice(node, { run, scene, walk }));
    width = run.width;
    // Substitutions within substitutions multiply the combinations.
    if (width > 1 && !walk.mayRepeat()) {
      width = Infinity;
      break;
    }
  }
  if (width > MAX_CHOICES) walk.note({ name: "too-complex", detail: "alternatives" }, scene);
  return outputs.size === 1 ? [...outputs][0] ?? "" : ANY;
}

interface Place {
  readonly run: Expansion;
  readonly scene: Scene;
  readonly walk: Walk;
}

function visitChoice(node: Command, { run, scene, walk }: Place): string {
  const assignments = node.prefix.filter((part) => part.type === "Assignment");
  const words = expandWords(node, run);
  const redirects = readRedirects(node.redirects, run, walk);
  const env = assignments.map((assignment) => {
    const value = assignedValue(assignment, run);
    if (words.length === 0) assign(assignment, value, run);
    return `${assignment.name}=${value.join(" ")}`;
  });
  const span = scene.source.original ? { start: node.pos, end: node.end } : scene.outer;
  const output = walk.command(words, { ...scene, stdin: redirects.stdin ?? scene.stdin }, {
    env,
    cwd: valueOf(CWD, run)?.[0] ?? ANY,
    accesses: redirects.accesses,
    signals: redirects.signals,
    span,
    text: scene.source.text.slice(node.pos, node.end),
  });
  for (const { kind, path } of redirects.accesses) {
    if (kind === "write") walk.files.set(path, output);
  }
  return output;
}

function expandWords(node: Command, run: Expansion): string[] {
  const words = node.name ? expandWord(node.name, run) : [];
  const declares = DECLARING.has(words[0] ?? "");
  for (const argument of node.args) {
    if (argument.type === "Word") {
      for (const word of expandWord(argument, run)) words.push(word);
    } else if (declares) {
      const keyed = words.some((word) => /^-[a-zA-Z]*A/.test(word));
      if (keyed) declareKeys(argument.name, run.state);
      words.push(declaredWord(argument, run));
    } else for (const word of assignmentWords(argument, run)) words.push(word);
  }
  return words;
}

const DECLARING: ReadonlySet<string> = new Set([
  "export",
  "declare",
  "typeset",
  "local",
  "readonly",
  "alias",
]);

/** A declared variable is set by the builtin's own handling; arrays are set here. */
function declaredWord(argument: Assignment, run: Expansion): string {
  const value = assignedValue(argument, run);
  if (argument.value.type === "ArrayValue") {
    assignArray(argument, value, run);
    return argument.name;
  }
  if (argument.append === true) {
    assign(argument, value, run);
    return argument.name;
  }
  return `${argument.name}=${value[0] ?? ""}`;
}

/** To other programs, what looks like an assignment is a word like any other. */
function assignmentWords(argument: Assignment, run: Expansion): string[] {
  const equals = argument.text.indexOf("=");
  const head = argument.text.slice(0, equals + 1);
  if (argument.index) visitSubscript(argument.index, run);
  if (argument.value.type === "ArrayValue") {
    return [head, ...argument.value.elements.flatMap((element) => expandWord(element, run))];
  }
  const value = argument.value;
  const words = value.parts === undefined ? [expandAssigned(value, run)] : expandWord(value, run);
  const [first, ...others] = words;
  return [head + (first ?? ""), ...others];
}

/** A subscript is arithmetic, which evaluates its names' values in turn. */
function visitSubscript(index: Word, run: Expansion): void {
  const text = expandText(index, run);
  visitEvaluated(text, run);
  arithmeticText(text, run);
}

function assignedValue(assignment: Assignment, run: Expansion): Value {
  if (assignment.index) visitSubscript(assignment.index, run);
  if (assignment.value.type === "Word") return [expandAssigned(assignment.value, run)];
  const elements = assignment.value.elements.flatMap((element) => expandElement(element, run));
  if (elements.length <= MAX_ELEMENTS) return elements.map(inert);
  run.hooks.tooComplex();
  return [...elements.slice(0, MAX_ELEMENTS), ANY].map(inert);
}

/** An element may have a subscript of its own: `[3]=x`. */
function expandElement(element: Word, run: Expansion): string[] {
  const hasKey = /^\[[^\]]+\]=/.test(element.text);
  const words = hasKey ? [expandText(element, run)] : expandWord(element, run);
  for (const word of words) if (word.startsWith("[")) visitEvaluated(word, run);
  return words;
}

function assign(assignment: Assignment, value: Value, run: Expansion): void {
  const { name } = assignment;
  const before = run.state.alternatives(name)[0];
  if (run.state.alternatives(integerMark(name)).length > 0) {
    visitEvaluated(value[0] ?? "", run);
    arithmeticText(value[0] ?? "", run);
  }
  if (assignment.index) assignElement(assignment, value, run);
  else if (assignment.value.type === "ArrayValue") assignArray(assignment, value, run);
  else if (assignment.append) run.state.set(name, [(before?.[0] ?? ANY) + (value[0] ?? "")]);
  else {
    forgetKeys(name, run.state);
    run.state.set(name, value.map((text) => inDeclaredCase(name, text, run.state)));
  }
}

function assignElement({ name, index, append }: Assignment, value: Value, run: Expansion): void {
  const text = index === undefined ? ANY : expandText(index, run);
  const given = value[0] ?? "";
  if (keysOf(name, run.state) !== null) {
    const before = append ? elementOf(name, text, run)?.[0] ?? ANY : "";
    return setElement(name, [text, before + given], run.state);
  }
  const elements = [...run.state.alternatives(name)[0] ?? []];
  const at = arithmeticText(text, run);
  if (at === null || at < 0 || at > 9_999) return run.state.set(name, [ANY]);
  const place = Math.min(at, elements.length + 64);
  while (elements.length < place) elements.push("");
  elements[place] = append ? (elements[place] ?? "") + given : given;
  run.state.set(name, elements);
}

/** Sets a whole array, of which the elements may have subscripts of their own. */
function assignArray({ name, append }: Assignment, value: Value, run: Expansion): void {
  const { state } = run;
  const before = append ? state.alternatives(name)[0] ?? [] : [];
  const keys = keysOf(name, state);
  if (keys === null) {
    forgetKeys(name, state);
    return state.set(name, [...before, ...placed(value) ?? [ANY]]);
  }
  if (!append) clearKeys(name, state);
  for (const element of value) {
    const pair = subscripted(element);
    if (pair === null) forgetKeys(name, state);
    else setElement(name, pair, state);
  }
  if (keysOf(name, state) === null) state.set(name, [ANY]);
}
