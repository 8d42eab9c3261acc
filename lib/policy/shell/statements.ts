/**
 * Visits statements: lists, pipelines, conditions, loops, groups, functions.
 *
 * @module
 */
import type {
  AndOr,
  Case,
  CommandNode,
  CompoundList,
  Coproc,
  For,
  Function as FunctionNode,
  If,
  Pipeline,
  PipelineNode,
  Redirected,
  Select,
  Statement,
  TestExpression,
  While,
} from "unbash";
import { isObeyedName } from "../environment.ts";
import { bareFinding, type Finding } from "../facts.ts";
import { ANY, mayBeWords, NAME, WORD, WORDS } from "../marks.ts";
import { arithmeticValue } from "./arithmetic.ts";
import { beginExpansion, expandPattern, expandText, expandWord } from "./expand.ts";
import type { Expansion } from "./expansion.ts";
import { readRedirects } from "./redirects.ts";
import type { Scene, Walk } from "./scene.ts";
import { visitSimple } from "./simple.ts";
import { visitEvaluated } from "./variables.ts";

/** Visits statements in order; returns what they would print. */
export function visitStatements(
  statements: readonly Statement[],
  scene: Scene,
  walk: Walk,
): string {
  let output = "";
  for (const statement of statements) {
    const place = statement.background ? { ...scene, state: scene.state.fork() } : scene;
    output = joinOutput(output, visitSafely(statement, place, walk));
  }
  return output;
}

/** What nests too deep for this machine is not understood; the rest still is. */
function visitSafely(statement: Statement, scene: Scene, walk: Walk): string {
  try {
    const { command } = statement;
    return command.type === "AndOr" ? visitAndOr(command, scene, walk) : walk.node(command, scene);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    walk.note({ name: "too-complex", detail: "nesting" }, scene);
    return ANY;
  }
}

/** Longer outputs are not computed. */
const MAX_OUTPUT_CHARS = 65_536;

/** One output after another. */
export function joinOutput(first: string, second: string): string {
  if (first === "") return second;
  return first.length + second.length > MAX_OUTPUT_CHARS ? ANY : first + second;
}

function visitList(list: CompoundList, scene: Scene, walk: Walk): string {
  return visitStatements(list.commands, scene, walk);
}

function inFork(scene: Scene): Scene {
  return { ...scene, state: scene.state.fork() };
}

/** Every command may run; those behind an operator may also not. */
function visitAndOr(node: AndOr, scene: Scene, walk: Walk): string {
  const [first, ...others] = node.commands;
  let output = first ? walk.node(first, scene) : "";
  const tail = inFork(scene);
  others.forEach((command, index) => {
    const isOr = node.operators[index] === "||";
    const place = isOr ? inFork(tail) : tail;
    output = joinOutput(output, walk.node(command, place));
    if (isOr) tail.state.join([place.state], true);
  });
  scene.state.join([tail.state], true);
  return output;
}

/** Visits any node but a list. */
export function visitNode(node: PipelineNode | CommandNode, scene: Scene, walk: Walk): string {
  switch (node.type) {
    case "Command":
      return visitSimple(node, scene, walk);
    case "Pipeline":
      return visitPipeline(node, scene, walk);
    case "Subshell":
      return visitList(node.body, inFork(scene), walk);
    case "BraceGroup":
      return visitList(node.body, scene, walk);
    case "If":
      return visitIf(node, scene, walk);
    case "For":
    case "Select":
      return visitFor(node, scene, walk);
    case "While":
      return visitWhile(node, scene, walk);
    case "Case":
      return visitCase(node, scene, walk);
    case "Function":
      return defineFunction(node, scene, walk);
    case "Coproc":
      return visitCoproc(node, inFork(scene), walk);
    case "Redirected":
      return visitRedirected(node, scene, walk);
    case "TestCommand":
      reportBare(node, scene, walk);
      visitTest(node.expression, expansionAt(scene, walk));
      return "";
    case "ArithmeticCommand":
      reportBare(node, scene, walk);
      arithmeticValue(node.expression, expansionAt(scene, walk));
      return "";
    case "ArithmeticFor": {
      const run = expansionAt(scene, walk);
      arithmeticValue(node.initialize, run);
      arithmeticValue(node.test, run);
      const output = repeat(node.body, scene, walk);
      arithmeticValue(node.update, run);
      return output;
    }
  }
}

function expansionAt(scene: Scene, walk: Walk): Expansion {
  return beginExpansion(scene.state, {
    home: walk.world.home,
    hooks: walk.hooks(scene),
    choice: 0,
  });
}

function visitPipeline(node: Pipeline, scene: Scene, walk: Walk): string {
  const [only] = node.commands;
  if (node.commands.length === 1 && only) return walk.node(only, scene);
  let stdin = scene.stdin;
  for (const command of node.commands) {
    stdin = walk.node(command, { ...inFork(scene), stdin });
  }
  return stdin ?? "";
}

function visitIf(node: If, scene: Scene, walk: Walk): string {
  visitList(node.clause, scene, walk);
  const branches = [node.then, ...node.elif.flatMap(({ clause, then }) => [clause, then])];
  if (node.else) branches.push(node.else);
  return visitBranches(branches, { scene, walk, mayBeNone: node.else === undefined });
}

function visitBranches(
  branches: readonly CompoundList[],
  { scene, walk, mayBeNone }: { scene: Scene; walk: Walk; mayBeNone: boolean },
): string {
  const places = branches.map(() => inFork(scene));
  const outputs = branches.map((branch, index) => {
    const place = places[index] ?? scene;
    return visitList(branch, place, walk);
  });
  scene.state.join(places.map(({ state }) => state), mayBeNone);
  const distinct = new Set(outputs);
  return distinct.size === 1 ? outputs[0] ?? "" : distinct.size === 0 ? "" : ANY;
}

function visitFor(node: For | Select, scene: Scene, walk: Walk): string {
  const run = expansionAt(scene, walk);
  const words = node.wordlist?.flatMap((word) => expandWord(word, run)) ??
    scene.state.positional ?? [ANY];
  const name = node.name.value;
  if (isObeyedName(name)) walk.note({ name: "environment", detail: name }, scene);
  const known = words.length > 0 && !words.some(mayBeWords);
  const place = known ? scene : inFork(scene);
  const output = visitRounds(node, words, place, walk);
  if (!known) scene.state.join([place.state], true);
  return output;
}

function visitRounds(
  node: For | Select,
  words: readonly string[],
  scene: Scene,
  walk: Walk,
): string {
  const name = node.name.value;
  let output = "";
  for (const word of words) {
    if (output !== "" && !walk.mayRepeat()) {
      walk.note({ name: "too-complex", detail: "loop" }, scene);
      scene.state.set(name, [ANY]);
      // Loops within loops would each be visited twice, and take exponential time.
      if (!walk.mayVisitAgain()) return ANY;
      return joinOutput(output, visitList(node.body, scene, walk));
    }
    scene.state.set(name, [node.type === "Select" ? ANY : word.replaceAll(WORDS, WORD)]);
    output = joinOutput(output, repeat(node.body, scene, walk)) || " ";
  }
  return output;
}

/** Visits a body twice if that is affordable: the second time knows the first. */
function repeat(body: CompoundList, scene: Scene, walk: Walk): string {
  const output = visitList(body, scene, walk);
  if (!assigns(body)) return output;
  const again = inFork(scene);
  if (!walk.mayRepeat()) {
    walk.note({ name: "too-complex", detail: "loop" }, scene);
    return ANY;
  }
  visitList(body, again, walk);
  scene.state.join([again.state], true);
  return ANY;
}

const assigning = new WeakMap<CompoundList, boolean>();

/** Whether anything in a body may change the shell's own state. */
function assigns(body: CompoundList): boolean {
  const known = assigning.get(body);
  if (known !== undefined) return known;
  const found = body.commands.some(({ command }) =>
    command.type !== "Command" || command.prefix.some((part) => part.type === "Assignment") ||
    STATEFUL.test(command.name?.text ?? "$")
  );
  assigning.set(body, found);
  return found;
}

const STATEFUL =
  /[$`\\"'*?{]|^(?:cd|pushd|popd|export|declare|typeset|local|readonly|read|mapfile|readarray|set|shift|unset|eval|\.|source|alias|printf|let|getopts|hash|trap)$/;

function visitWhile(node: While, scene: Scene, walk: Walk): string {
  visitList(node.clause, scene, walk);
  const place = inFork(scene);
  const output = repeat(node.body, place, walk);
  if (assigns(node.clause)) revisitClause(node.clause, place, walk);
  scene.state.join([place.state], true);
  return output === "" ? "" : ANY;
}

/** Visits a condition as it is after the body has run, if that is affordable. */
function revisitClause(clause: CompoundList, place: Scene, walk: Walk): void {
  if (walk.mayVisitAgain()) visitList(clause, place, walk);
  else walk.note({ name: "too-complex", detail: "loop" }, place);
}

function visitCase(node: Case, scene: Scene, walk: Walk): string {
  const run = expansionAt(scene, walk);
  expandText(node.word, run);
  for (const { pattern } of node.items) {
    for (const word of pattern) expandPattern(word, run);
  }
  return visitBranches(node.items.map(({ body }) => body), { scene, walk, mayBeNone: true });
}

function defineFunction(node: FunctionNode, scene: Scene, walk: Walk): string {
  const name = node.name.value;
  scene.state.define(name, { node: node.body, source: scene.source, certain: true });
  if (node.body.type === "CompoundList") {
    walk.note({ name: "syntax-error", detail: name }, scene);
  }
  return "";
}

function visitCoproc(node: Coproc, scene: Scene, walk: Walk): string {
  const { body } = node;
  if (body.type === "CompoundList") {
    walk.note({ name: "syntax-error", detail: "coproc" }, scene);
    return visitList(body, scene, walk);
  }
  return walk.node(body, { ...scene, stdin: ANY });
}

function visitRedirected(node: Redirected, scene: Scene, walk: Walk): string {
  const redirects = readRedirects(node.redirects, expansionAt(scene, walk), walk);
  if (redirects.accesses.length > 0 || redirects.signals.length > 0) {
    reportBare(node, scene, walk, redirects);
  }
  return walk.node(node.command, { ...scene, stdin: redirects.stdin ?? scene.stdin });
}

/** Reports something that runs no program by itself. */
function reportBare(
  node: { readonly pos: number; readonly end: number },
  scene: Scene,
  walk: Walk,
  redirects: Pick<Finding, "accesses" | "signals"> = { accesses: [], signals: [] },
): void {
  const text = scene.source.text.slice(node.pos, node.end).slice(-200);
  const span = scene.source.original ? { start: node.pos, end: node.end } : scene.outer;
  const { accesses, signals } = redirects;
  walk.report({ ...bareFinding(text, span, scene.hypothetical), accesses, signals });
}

const NUMERIC = /^-(?:eq|ne|lt|le|gt|ge)$/;

function visitTest(expression: TestExpression, run: Expansion): void {
  switch (expression.type) {
    case "TestUnary": {
      const text = expandText(expression.operand, run);
      if (expression.operator === "-v" || expression.operator === "-R") visitEvaluated(text, run);
      return;
    }
    case "TestBinary": {
      const texts = [expression.left, expression.right].map((word) => expandPattern(word, run));
      if (!NUMERIC.test(expression.operator)) return;
      for (const text of texts) visitNumeric(text, run);
      return;
    }
    case "TestLogical":
      return expression.operands.forEach((operand) => visitTest(operand, run));
    case "TestNot":
      return visitTest(expression.operand, run);
    case "TestGroup":
      return visitTest(expression.expression, run);
  }
}

/** A number may be the name of a variable whose value is evaluated in turn. */
function visitNumeric(text: string, run: Expansion): void {
  visitEvaluated(text, run);
  const value = /^[A-Za-z_]\w*$/.test(text) ? run.state.alternatives(text)[0]?.[0] : undefined;
  if (value !== undefined && value !== NAME) visitEvaluated(value, run);
}
