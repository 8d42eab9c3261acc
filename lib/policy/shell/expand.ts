/**
 * Expands words as bash would, as far as that is known without running anything.
 *
 * @module
 */
import { parse, type Word, type WordPart } from "unbash";
import { ANY, inert, NUMBER, ONE, quoted, STAR, unquoted, WORDS } from "../marks.ts";
import { arithmeticValue } from "./arithmetic.ts";
import { expandBraces } from "./braces.ts";
import { expandParameter, expandSimple } from "./parameter.ts";
import type { ExpandHooks, Expansion } from "./expansion.ts";
import { valueOf } from "./variables.ts";
import { CWD, type ShellState } from "./state.ts";

/** Begins the expansion of one command's words. */
export function beginExpansion(
  state: ShellState,
  { home, hooks, choice }: { home: string; hooks: ExpandHooks; choice: number },
): Expansion {
  const run: Expansion = {
    state,
    home,
    hooks,
    choice,
    width: 1,
    picks: new Map(),
    text: (word) => expandText(word, run),
    pattern: (word) => expandPattern(word, run),
    parts: (parts) => expandQuotedParts(parts, run),
  };
  return run;
}

/** Expands a word to the words that a program would see; there may be none. */
export function expandWord(word: Word, run: Expansion): string[] {
  const parts = word.parts;
  if (parts === undefined) return [tilde(word.text, run) ?? word.value];
  if (parts.some((part) => part.type === "BraceExpansion")) return expandBraced(word, run);
  const fields = new Fields(run);
  expandParts(parts, fields, tildeHead(word, run));
  return fields.finish();
}

/** Expands a word to exactly one text, without splitting and globbing. */
export function expandText(word: Word, run: Expansion): string {
  const parts = word.parts;
  if (parts === undefined) return tilde(word.text, run) ?? word.value;
  const fields = new Fields(run);
  const head = tildeHead(word, run);
  const text = parts.map((part, index) =>
    index === 0 && head !== null ? head : partText(part, fields)
  );
  const whole = text.join("");
  if (whole.length <= MAX_WORD_CHARS) return inert(whole);
  run.hooks.tooComplex();
  return ANY;
}

/** Expands a word to a pattern: what was quoted in it is not active. */
export function expandPattern(word: Word, run: Expansion): string {
  const fields = new Fields(run);
  return (word.parts ?? [])
    .map((part) => {
      const text = partText(part, fields);
      // What a set of characters matches isn't computed.
      if (part.type === "Glob" && part.kind === "bracket" || part.type === "ExtendedGlob") {
        return ANY;
      }
      return isQuoting(part) ? text : unquoted(text);
    })
    .join("") || unquoted(word.parts === undefined ? word.value : "");
}

function isQuoting(part: WordPart): boolean {
  return part.type === "SingleQuoted" || part.type === "DoubleQuoted" ||
    part.type === "AnsiCQuoted" || part.type === "Literal";
}

/** Expands the parts of a here-document or of a text in double quotes. */
export function expandQuotedParts(parts: readonly WordPart[], run: Expansion): string {
  const fields = new Fields(run);
  return quoted(parts.map((part) => partText(part, fields)).join(""));
}

/** Longer words are unknown; no system takes an argument of this size. */
const MAX_WORD_CHARS = 131_072;

/** Words in the making. */
class Fields {
  readonly #words: string[] = [];
  #current: string | null = null;
  constructor(readonly run: Expansion) {}

  /** Adds text to the word at hand. */
  add(text: string): void {
    this.#current = (this.#current ?? "") + text;
    if (this.#current.length > MAX_WORD_CHARS) {
      this.#current = ANY;
      this.run.hooks.tooComplex();
    }
  }

  /** Adds text that is split at the field separators. */
  split(text: string): void {
    const pieces = splitFields(unquoted(text), this.run);
    pieces.forEach((piece, index) => {
      if (index > 0) this.cut();
      if (piece !== "") this.add(piece);
    });
  }

  /** Adds words, of which the first and the last join what stands around them. */
  words(values: readonly string[]): void {
    values.forEach((value, index) => {
      if (index > 0) this.cut();
      this.add(value);
    });
  }

  /** Ends the word at hand. */
  cut(): void {
    if (this.#current !== null) this.#words.push(this.#current);
    this.#current = null;
  }

  finish(): string[] {
    this.cut();
    return this.#words;
  }
}

function expandParts(
  parts: readonly WordPart[],
  fields: Fields,
  head: string | null,
): void {
  parts.forEach((part, index) => {
    if (index === 0 && head !== null) fields.add(head);
    else expandPart(part, fields);
  });
}

function expandPart(part: WordPart, fields: Fields): void {
  const { run } = fields;
  switch (part.type) {
    case "DoubleQuoted":
    case "LocaleString":
      return expandDoubleQuoted(part.parts, fields);
    case "SimpleExpansion":
    case "ParameterExpansion": {
      const values = part.type === "SimpleExpansion"
        ? expandSimple(part.text.slice(1), run)
        : expandParameter(part, run);
      values.forEach((value, index) => {
        if (index > 0) fields.cut();
        fields.split(value);
      });
      return;
    }
    case "CommandExpansion":
      return fields.split(run.hooks.capture(part.script));
    default:
      return fields.add(partText(part, fields));
  }
}

function expandDoubleQuoted(parts: readonly WordPart[], fields: Fields): void {
  if (parts.length === 0) fields.add("");
  for (const part of parts) {
    if (isAllElements(part, fields.run)) {
      const values = part.type === "SimpleExpansion"
        ? expandSimple("@", fields.run)
        : expandParameter(part, fields.run);
      fields.words(values.map((value) => value === ANY ? WORDS : quoted(value)));
    } else fields.add(quoted(partText(part, fields)));
  }
}

function isAllElements(
  part: WordPart,
  run: Expansion,
): part is Extract<WordPart, { type: "SimpleExpansion" | "ParameterExpansion" }> {
  if (part.type === "SimpleExpansion") return part.text === "$@";
  if (part.type !== "ParameterExpansion" || part.prefix === "#") return false;
  if (part.parameter === "@" || part.index?.text === "@") return true;
  if (part.prefix !== "!" || part.index !== undefined) return false;
  const named = valueOf(part.parameter, run)?.[0] ?? "";
  return named === "@" || named.endsWith("[@]");
}

/** The text of a part as if it were one word. */
function partText(part: WordPart, fields: Fields): string {
  const { run } = fields;
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return part.value;
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.map((inner) => quoted(partText(inner, fields))).join("");
    case "SimpleExpansion":
      return expandSimple(part.text.slice(1), run).join(" ");
    case "ParameterExpansion":
      return expandParameter(part, run).join(" ");
    case "CommandExpansion":
      return run.hooks.capture(part.script);
    case "ArithmeticExpansion":
      return arithmeticValue(part.expression, run)?.toString() ?? NUMBER;
    case "ProcessSubstitution":
      return run.hooks.stream(part);
    case "Glob":
      return part.kind === "star" ? STAR : ONE;
    case "ExtendedGlob":
      for (const inner of part.parts ?? []) partText(inner, fields);
      return STAR;
    case "BraceExpansion":
      return part.text;
  }
}

function expandBraced(word: Word, run: Expansion): string[] {
  const { words, cut } = expandBraces(word.text);
  if (cut) run.hooks.tooComplex();
  return words.flatMap((text) => expandRaw(text, word, run));
}

function expandRaw(text: string, word: Word, run: Expansion): string[] {
  if (text === "") return [];
  const command = parse(`: ${text}`).commands[0]?.command;
  const argument = command?.type === "Command" ? command.args[0] : undefined;
  if (argument?.type !== "Word" || command?.type !== "Command" || command.args.length !== 1) {
    return argument?.type === "Assignment" ? [quoted(text)] : [word.text];
  }
  const fields = new Fields(run);
  if (argument.parts === undefined) return [tilde(argument.text, run) ?? argument.value];
  expandParts(argument.parts, fields, tildeHead(argument, run));
  return fields.finish();
}

function splitFields(text: string, run: Expansion): string[] {
  const separators = run.state.alternatives("IFS")[0]?.[0] ?? " \t\n";
  if (separators === "") return [text];
  const escaped = separators.replaceAll(/[\\\]^-]/g, "\\$&");
  return text.split(new RegExp(`[${escaped}]+`));
}

/** A first literal part with its tilde expanded, or null if it has none. */
function tildeHead(word: Word, run: Expansion): string | null {
  const first = word.parts?.[0];
  if (first?.type !== "Literal" || !first.text.startsWith("~")) return null;
  const ends = first.text.includes("/") || (word.parts?.length ?? 0) === 1 ||
    word.parts?.[1]?.type === "Glob";
  return ends ? tilde(first.text, run) : null;
}

/** A raw text with its leading tilde expanded, or null if it has none. */
function tilde(text: string, run: Expansion): string | null {
  if (!text.startsWith("~")) return null;
  const slash = text.indexOf("/");
  const user = text.slice(1, slash < 0 ? undefined : slash);
  const rest = slash < 0 ? "" : text.slice(slash).replaceAll(/\\(.)/g, "$1");
  if (user === "") return (run.state.alternatives("HOME")[0]?.[0] ?? run.home) + rest;
  if (user === "+") return (run.state.alternatives(CWD)[0]?.[0] ?? ANY) + rest;
  if (user === "-") return ANY + rest;
  if (!/^[A-Za-z_][\w.-]*$/.test(user)) return null;
  return (user === "root" ? "/root" : `/home/${user}`) + rest;
}

/** The value of an assignment's word: tildes stand after every colon too. */
export function expandAssigned(word: Word, run: Expansion): string {
  if (word.parts !== undefined || !word.text.includes("~")) return expandText(word, run);
  return word.value.split(":").map((piece) => tilde(piece, run) ?? piece).join(":");
}
