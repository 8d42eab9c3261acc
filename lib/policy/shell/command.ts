/**
 * Judges what a command's words would run: a function, an alias, a builtin, or
 * a program, whatever way its name is written.
 *
 * @module
 */
import { analyze } from "../analyze/mod.ts";
import { bareFinding, type Finding, type Signal } from "../facts.ts";
import { ANY, emptied, isFromNetwork, isGlob, isKnown, isOpen, readable } from "../marks.ts";
import { resolveWord } from "../paths.ts";
import { isHarmlessAssignment, isObeyedAssignment } from "../environment.ts";
import { programSpec } from "../programs/lookup.ts";
import type { ProgramSpec } from "../programs/grammar.ts";
import { type ParsedWords, parseWords } from "../programs/parse_words.ts";
import { outputOf } from "./outputs.ts";
import { applyOperands } from "./operands.ts";
import { Call } from "./call.ts";
import { runBuiltin } from "./builtins.ts";
import { guessWhatRuns } from "./guess.ts";
import { guessAssignment } from "./guess_values.ts";
import type { CommandExtra, Scene, Walk } from "./scene.ts";
import { CWD } from "./state.ts";

/** Functions may call functions this deep. */
const MAX_CALLS = 64;

/** What a command is judged with. */
export interface CommandPlace {
  readonly scene: Scene;
  readonly extra: CommandExtra;
  readonly walk: Walk;
}

/** Visits a command by its words; returns what it would print. */
export function visitCommand(words: readonly string[], place: CommandPlace): string {
  const { scene, extra, walk } = place;
  const [name, ...args] = words;
  if (name === undefined) return visitAssignments(place);
  if (!isKnown(name)) return visitUnknown(name, args, place);
  const body = extra.external ? null : scene.state.function(name);
  if (body !== null) {
    const output = callFunction(name, args, place);
    // Where the program may be meant after all, it is judged as well.
    if (body.certain && programSpec(name) === null) return output;
  }
  const alias = extra.external ? null : scene.state.alias(name);
  if (alias !== null) {
    const nested = { ...scene, outer: extra.span ?? scene.outer, calls: [...scene.calls, alias] };
    if (!walk.mayRepeat()) walk.note({ name: "too-complex", detail: name }, scene);
    else if (!scene.calls.includes(alias)) {
      walk.code(`${alias} ${args.map(quote).join(" ")}`, nested);
    }
  }
  return visitProgram(name, args, place);
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Assignments alone, or redirections alone. */
function visitAssignments(place: CommandPlace): string {
  const { scene, extra, walk } = place;
  guessEnvironment(place);
  const signals = (extra.env ?? []).filter(isObeyedAssignment)
    .map((detail): Signal => ({ name: "environment", detail: readable(detail).slice(0, 80) }));
  walk.report({
    ...emptyFinding(extra, scene),
    accesses: extra.accesses ?? [],
    signals: [...extra.signals ?? [], ...signals],
  });
  return scene.stdin ?? "";
}

/** What programs obey may be code. */
function guessEnvironment(place: CommandPlace, program?: string): void {
  for (const assignment of place.extra.env ?? []) guessAssignment(assignment, place, program);
}

function emptyFinding(extra: CommandExtra, scene: Scene): Finding {
  return bareFinding(extra.text ?? "", extra.span ?? scene.outer, scene.hypothetical);
}

/** A name that isn't known: asks, and is tried as what it most likely is. */
function visitUnknown(name: string, args: readonly string[], place: CommandPlace): string {
  const { scene, extra, walk } = place;
  const kind = isFromNetwork(name) ? "network-code" : "unknown-program";
  walk.report({
    ...emptyFinding(extra, scene),
    text: extra.text ?? readable([name, ...args].join(" ")),
    accesses: extra.accesses ?? [],
    signals: [...extra.signals ?? [], { name: kind, detail: readable(name) }],
  });
  const guess = {
    ...place,
    extra: { ...extra, accesses: [], signals: [] },
    scene: { ...scene, hypothetical: true },
  };
  for (const likely of likelyNames(name)) {
    visitCommand(likely === "" ? args : [likely, ...args], guess);
  }
  return ANY;
}

function likelyNames(name: string): string[] {
  const names: string[] = [];
  if (isOpen(name)) names.push(emptied(name));
  if (isGlob(name)) {
    const base = name.slice(name.lastIndexOf("/") + 1);
    const source = base.replaceAll(/[.+^${}()|\\]/g, "\\$&")
      .replaceAll(/[\uFDD0-\uFDD3\uFDD6]+/g, ".*").replaceAll("\uFDD4", ".");
    const pattern = new RegExp(`^${source}$`);
    if (isKnown(base)) names.push(base);
    names.push(...DESTRUCTIVE.filter((program) => pattern.test(program)));
  }
  return names.filter(isKnown);
}

/** Programs that a glob in command position is tried as. */
const DESTRUCTIVE = [
  "rm",
  "dd",
  "shred",
  "mkfs",
  "chmod",
  "cat",
  "wipefs",
  "mv",
  "curl",
  "sh",
  "bash",
];

function callFunction(name: string, args: readonly string[], place: CommandPlace): string {
  const { scene, extra, walk } = place;
  const body = scene.state.function(name);
  if (body === null) return ANY;
  if (scene.calls.includes(body.node)) {
    const bomb = forks(body.source.text.slice(body.node.pos, body.node.end));
    walk.note({ name: bomb ? "fork-bomb" : "too-complex", detail: name }, {
      ...scene,
      outer: extra.span ?? scene.outer,
    });
    return ANY;
  }
  reportAround(place);
  if (scene.calls.length >= MAX_CALLS || !walk.mayRepeat()) {
    walk.note({ name: "too-complex", detail: name }, scene);
    return ANY;
  }
  const saved = scene.state.positional;
  scene.state.positional = args;
  const inside = {
    ...scene,
    source: body.source,
    outer: body.source.original ? null : extra.span ?? scene.outer,
    calls: [...scene.calls, body.node],
  };
  const { node } = body;
  const output = node.type === "CompoundList"
    ? walk.script({
      type: "Script",
      pos: node.pos,
      end: node.end,
      shebang: undefined,
      commands: node.commands,
    }, inside)
    : walk.node(node, inside);
  scene.state.positional = saved;
  return output;
}

/** Whether a function that calls itself does so beside itself. */
function forks(body: string): boolean {
  return /[|&](?!&)/.test(body.replaceAll(/&&|\|\||[<>]&|&>/g, ""));
}

/** What stands around a function call: redirections, assignments in front. */
function reportAround({ scene, extra, walk }: CommandPlace): void {
  const env = environmentSignals(extra);
  if ((extra.accesses?.length ?? 0) + (extra.signals?.length ?? 0) + env.length === 0) return;
  walk.report({
    ...emptyFinding(extra, scene),
    accesses: extra.accesses ?? [],
    signals: [...extra.signals ?? [], ...env],
  });
}

function environmentSignals(extra: CommandExtra): Signal[] {
  return (extra.env ?? []).filter((assignment) => !isHarmlessAssignment(assignment))
    .map((assignment) => ({
      name: "environment",
      detail: readable(assignment).slice(0, 80),
    }));
}

const TRUSTED = /^(?:\/usr(?:\/local)?)?\/s?bin\/[^/]+$/;

function visitProgram(name: string, args: readonly string[], place: CommandPlace): string {
  const { scene, extra, walk } = place;
  const base = name.slice(name.lastIndexOf("/") + 1);
  const copied = name.includes("/")
    ? walk.copies.get(resolveWord(name, scene.state.alternatives(CWD)[0]?.[0] ?? ANY))
    : undefined;
  const program = copied ?? base;
  const spec = programSpec(program);
  const parsed = readWords(spec, args);
  const call = new Call(program, args, spec, parsed, scene, walk, extra);
  for (const signal of environmentSignals(extra)) call.signals.push(signal);
  guessEnvironment(place, program);
  const lookAlike = name.includes("/") && !TRUSTED.test(name);
  if (lookAlike) call.signal("look-alike", name);
  if (copied !== undefined) call.signal("rebound", name);
  const text = name.includes("/") ? call.textOf(name) : null;
  if (text !== null) call.code(text);
  const report = walk.findingsMark();
  if (spec === null && !extra.external) callUnfound([name, ...args], place);
  const output = runBuiltin(call) ?? understand(call);
  walk.reportAt(report, {
    text: extra.text ?? readable([name, ...args].join(" ")),
    span: extra.span ?? scene.outer,
    program,
    plain: !lookAlike && copied === undefined,
    flags: parsed.flags.map(({ name, value }) => ({ name, value })),
    doubtful: parsed.doubtful,
    operands: parsed.operands,
    accesses: call.accesses,
    hosts: call.hosts,
    signals: call.signals,
    hypothetical: scene.hypothetical,
  });
  return output;
}

/** A program that may not be there is handed to a function of the script. */
function callUnfound(words: readonly string[], place: CommandPlace): void {
  const name = "command_not_found_handle";
  if (place.scene.state.function(name) === null) return;
  const extra = { span: place.extra.span ?? null };
  callFunction(name, words, { ...place, extra, scene: { ...place.scene, hypothetical: true } });
}

function readWords(spec: ProgramSpec | null, args: readonly string[]): ParsedWords {
  const style = spec?.style ?? "gnu";
  if (spec?.globals === undefined) {
    return parseWords(args, { options: optionsFor(spec, args), style });
  }
  const front = parseWords(args, { options: spec.globals, style: "posix" });
  const rest = front.operands;
  const back = parseWords(rest, { options: optionsFor(spec, rest), style });
  const offset = front.positions[0] ?? 0;
  return {
    flags: [...front.flags, ...back.flags],
    doubtful: [...front.doubtful, ...back.doubtful],
    operands: back.operands,
    positions: back.positions.map((position) => position + offset),
  };
}

function optionsFor(spec: ProgramSpec | null, args: readonly string[]): string {
  if (spec === null) return "";
  const base = spec.options ?? "";
  if (spec.subcommands === undefined) return base;
  const own = Object.entries(spec.subcommands).find(([words]) =>
    words.split(" ").every((word) => args.includes(word))
  );
  return own === undefined ? base : `${base} ${own[1].options ?? ""}`;
}

function understand(call: Call): string {
  if (call.spec !== null) applyOperands(call);
  guessWhatRuns(call);
  const analyzed = analyze(call);
  return analyzed ?? outputOf(call);
}
