/**
 * One program call while it is being understood: its words, and what is found
 * about them.
 *
 * @module
 */
import type { Access, AccessKind, Signal, SignalName } from "../facts.ts";
import { ANY, emptied, isOpen, readable } from "../marks.ts";
import { isFreePath, resolveWord } from "../paths.ts";
import type { ProgramSpec } from "../programs/grammar.ts";
import type { ParsedWords } from "../programs/parse_words.ts";
import type { CommandExtra, Scene, Walk } from "./scene.ts";
import { CWD } from "./state.ts";

/** Every file with an ending that certificates share with their private keys. */
const KEY_FILES = /\uFDD3\.(?:pem|asc|gpg)$/;

/** A program call in the making. */
export class Call {
  readonly accesses: Access[];
  readonly signals: Signal[];
  readonly hosts: string[] = [];

  constructor(
    /** The program's base name. */
    readonly program: string,
    /** The words behind the program. */
    readonly args: readonly string[],
    readonly spec: ProgramSpec | null,
    readonly parsed: ParsedWords,
    readonly scene: Scene,
    readonly walk: Walk,
    readonly extra: CommandExtra,
  ) {
    this.accesses = [...extra.accesses ?? []];
    this.signals = [...extra.signals ?? []];
  }

  /** The working directory, perhaps unknown. */
  get cwd(): string {
    return this.extra.cwd ?? this.scene.state.alternatives(CWD)[0]?.[0] ?? ANY;
  }

  /** Notes that a path is touched. */
  access(kind: AccessKind, word: string, recursive = false): void {
    const path = resolveWord(word, this.cwd);
    if (isFreePath(path) || this.walk.streams.has(word)) return;
    this.accesses.push({ kind, word, path, recursive });
    if (kind === "destroy" && word.includes("..") && isOpen(word)) {
      this.accesses.push({ kind, word, path: resolveWord(emptied(word), this.cwd), recursive });
    }
    if (kind !== "read" || this.program === "openssl" || !KEY_FILES.test(word)) return;
    this.signal("secret-output", readable(word));
  }

  /** Notes that a host is spoken to. */
  host(host: string): void {
    this.hosts.push(host);
  }

  /** Notes something that rules may ask about. */
  signal(name: SignalName, detail: string): void {
    this.signals.push({ name, detail });
  }

  /** The text of a file, as far as the script itself made it; null if it didn't. */
  textOf(word: string): string | null {
    const stream = this.walk.streams.get(word);
    if (stream !== undefined) return stream;
    if (/^\/dev\/(?:stdin|fd\/0)$/.test(word)) return this.scene.stdin ?? "";
    return this.walk.files.get(resolveWord(word, this.cwd)) ?? null;
  }

  /** Remembers what the script puts into a file. */
  writes(word: string, text: string): void {
    this.walk.files.set(resolveWord(word, this.cwd), text);
  }

  /** Whether one of these options was given. */
  has(...names: readonly string[]): boolean {
    return this.parsed.flags.some(({ name }) => names.includes(name));
  }

  /** The values of these options, in order. */
  values(...names: readonly string[]): string[] {
    return this.parsed.flags.filter(({ name }) => names.includes(name))
      .map(({ value }) => value ?? "");
  }

  /** Judges words as a command that this one runs. */
  run(words: readonly string[], scene: Partial<Scene> = {}, extra: CommandExtra = {}): string {
    const place = { ...this.scene, state: this.scene.state.fork(), ...scene, outer: this.outer };
    return this.walk.command(words, place, {
      span: this.outer,
      cwd: this.cwd,
      external: true,
      ...extra,
    });
  }

  /** Judges a text as shell code that this command runs in a shell of its own. */
  code(text: string, scene: Partial<Scene> = {}): string {
    return this.walk.code(text, {
      ...this.scene,
      state: this.scene.state.child(),
      ...scene,
      outer: this.outer,
    });
  }

  /** The place of this call in the judged text. */
  get outer(): Scene["outer"] {
    return this.extra.span ?? this.scene.outer;
  }
}
