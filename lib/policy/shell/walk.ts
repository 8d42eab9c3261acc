/**
 * Walks over a script and reports every simple command that could run.
 *
 * @module
 */
import { parse, type ParsedScript, type ProcessSubstitutionPart } from "unbash";
import { bareFinding, type Finding, type Signal } from "../facts.ts";
import { ANY, isFromNetwork, isOpen, readable } from "../marks.ts";
import type { PathWorld } from "../paths.ts";
import { visitCommand } from "./command.ts";
import type { ExpandHooks } from "./expansion.ts";
import type { CommandExtra, Scene, Walk } from "./scene.ts";
import { ShellState } from "./state.ts";
import { visitNode, visitStatements } from "./statements.ts";

/** Repeated visits end once this many commands were visited. */
const MAX_REPEATED = 8_000;
/** Nothing is visited a second time once this many commands were visited. */
const MAX_VISITED = 16_000;
/** Codes within codes deeper than this are not read. */
const MAX_DEPTH = 40;

/** Finds everything that a shell would do with a text. Never throws for any text. */
export function findCommands(text: string, world: PathWorld): readonly Finding[] {
  const walk = new ScriptWalk(text, world);
  const scene: Scene = {
    state: ShellState.initial(world.cwd),
    source: { text, original: true },
    outer: null,
    stdin: null,
    depth: 0,
    remote: false,
    hypothetical: false,
    calls: [],
  };
  if (/[\uFDD0-\uFDEF]/.test(text)) {
    walk.note({ name: "too-complex", detail: "noncharacter" }, scene);
  }
  try {
    walk.script(parse(text), scene);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    walk.note({ name: "too-complex", detail: "nesting" }, scene);
  }
  return walk.findings;
}

/** Stands where a finding will be; it stays only if understanding failed. */
const PLACEHOLDER: Finding = {
  ...bareFinding("", null),
  signals: [{ name: "too-complex", detail: "nesting" }],
};

class ScriptWalk implements Walk {
  readonly findings: Finding[] = [];
  readonly streams = new Map<string, string>();
  readonly files = new Map<string, string>();
  readonly copies = new Map<string, string>();
  #visited = 0;

  constructor(readonly text: string, readonly world: PathWorld) {}

  report(finding: Finding): void {
    this.findings.push(finding);
  }

  findingsMark(): number {
    return this.findings.push(PLACEHOLDER) - 1;
  }

  reportAt(mark: number, finding: Finding): void {
    this.findings[mark] = finding;
  }

  note(signal: Signal, scene: Scene): void {
    const { outer } = scene;
    const text = outer === null ? readable(signal.detail) : this.text.slice(outer.start, outer.end);
    const finding = bareFinding(text, outer, scene.hypothetical);
    this.report({ ...finding, signals: [signal] });
  }

  mayRepeat(): boolean {
    return this.#visited < MAX_REPEATED;
  }

  mayVisitAgain(): boolean {
    return this.#visited < MAX_VISITED;
  }

  script(script: ParsedScript, scene: Scene): string {
    const place = script.source === undefined ? scene : inner(script.source, scene);
    const output = visitStatements(script.commands, place, this);
    if (script.errors === undefined && leavesRest(script, place.source.text)) {
      this.note({ name: "syntax-error", detail: "something after the last command" }, scene);
    }
    for (const { message } of script.errors?.slice(0, 1) ?? []) {
      this.note({ name: "syntax-error", detail: message }, scene);
    }
    return output;
  }

  node(node: Parameters<Walk["node"]>[0], scene: Scene): string {
    return visitNode(node, scene, this);
  }

  code(text: string, scene: Scene): string {
    if (isFromNetwork(text)) {
      this.note({ name: "network-code", detail: text.slice(0, 200) }, scene);
    } else if (isOpen(text)) {
      this.note({ name: "unknown-code", detail: text.slice(0, 200) }, scene);
    }
    if (scene.depth >= MAX_DEPTH) {
      this.note({ name: "too-complex", detail: "nested code" }, scene);
      return ANY;
    }
    return this.script(parse(text), inner(text, scene));
  }

  command(words: readonly string[], scene: Scene, extra: CommandExtra = {}): string {
    this.#visited += 1;
    return visitCommand(words, { scene, extra, walk: this });
  }

  hooks(scene: Scene): ExpandHooks {
    return {
      capture: (script) => this.#capture(script, scene),
      stream: (part) => this.#stream(part, scene),
      evaluated: (text) => this.#evaluated(text, scene),
      secret: (name) => this.note({ name: "secret-output", detail: name }, scene),
      tooComplex: () => this.note({ name: "too-complex", detail: "expansion" }, scene),
    };
  }

  #capture(script: ParsedScript | undefined, scene: Scene): string {
    if (script === undefined) return ANY;
    const fork = { ...scene, state: scene.state.fork(), stdin: null };
    return this.script(script, fork).replace(/\n+$/, "");
  }

  #stream(part: ProcessSubstitutionPart, scene: Scene): string {
    const stdin = part.operator === ">" ? ANY : null;
    const fork = { ...scene, state: scene.state.fork(), stdin };
    const output = part.script ? this.script(part.script, fork) : ANY;
    const path = `/dev/fd/${1_000 + this.streams.size}`;
    this.streams.set(path, output);
    return path;
  }

  #evaluated(text: string, scene: Scene): void {
    if (scene.depth >= MAX_DEPTH) {
      this.note({ name: "too-complex", detail: "nested code" }, scene);
      return;
    }
    const escaped = text.replaceAll('"', '\\"');
    this.script(parse(`: "${escaped}"`), inner(text, scene));
  }
}

/** Whether a top-level script ends before its text does; the parser may drop what it can't read. */
function leavesRest(script: ParsedScript, text: string): boolean {
  if (script.pos !== 0 || script.end !== text.length || text.includes("<<")) return false;
  const last = script.commands.at(-1)?.end ?? 0;
  const rest = text.slice(last, last + 1_000).replaceAll(/(^|\s)#[^\n]*/g, "$1");
  return /[^\s;&]/.test(rest);
}

/** A scene for text that stands elsewhere than in the judged text. */
function inner(text: string, scene: Scene): Scene {
  return {
    ...scene,
    source: { text, original: false },
    depth: scene.depth + 1,
  };
}
