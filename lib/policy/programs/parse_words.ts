/**
 * Reads a program's words by its option grammar.
 *
 * @module
 */
import type { Flag } from "../facts.ts";
import { isKnown } from "../marks.ts";
import { type OptionSpec, type OptionStyle, type OptionTable, optionTable } from "./grammar.ts";

/** A program's words, sorted. */
export interface ParsedWords {
  readonly flags: readonly GivenFlag[];
  /** Options that are unknown, ambiguous, or known not to be harmless. */
  readonly doubtful: readonly string[];
  readonly operands: readonly string[];
  /** For each operand, its index among the words. */
  readonly positions: readonly number[];
}

/** An option as given, with its grammar. */
export interface GivenFlag extends Flag {
  readonly spec: OptionSpec | null;
}

/** Sorts words into options and operands. */
export function parseWords(
  words: readonly string[],
  { options, style }: { options: string; style: OptionStyle },
): ParsedWords {
  const reader = new Reader(words, optionTable(options, style), style);
  return reader.read();
}

class Reader {
  readonly #flags: GivenFlag[] = [];
  readonly #doubtful: string[] = [];
  readonly #operands: string[] = [];
  readonly #positions: number[] = [];
  #at = 0;

  constructor(
    readonly words: readonly string[],
    readonly table: OptionTable,
    readonly style: OptionStyle,
  ) {}

  read(): ParsedWords {
    while (this.#at < this.words.length) {
      const word = this.words[this.#at] ?? "";
      this.#at += 1;
      if (this.style === "none") this.#operand(word);
      else if (word === "--") {
        this.#rest();
      } else if (!this.#option(word)) {
        this.#operand(word);
        if (this.style === "posix") this.#rest();
      }
    }
    return {
      flags: this.#flags,
      doubtful: this.#doubtful,
      operands: this.#operands,
      positions: this.#positions,
    };
  }

  #operand(word: string): void {
    this.#operands.push(word);
    this.#positions.push(this.#at - 1);
  }

  #rest(): void {
    for (; this.#at < this.words.length; this.#at += 1) {
      this.#operands.push(this.words[this.#at] ?? "");
      this.#positions.push(this.#at);
    }
  }

  /** Reads a word as an option; false if it is none. */
  #option(word: string): boolean {
    if (this.style === "bare" && this.#at === 1 && /^[A-Za-z]/.test(word)) {
      return this.#cluster(`-${word}`, true);
    }
    if (word === "-" || !word.startsWith("-")) {
      const whole = this.table.get(word.includes("=") ? word.slice(0, word.indexOf("=")) : word);
      if (whole === undefined || whole.name.startsWith("-")) return false;
      this.#give(whole, word.includes("=") ? word.slice(word.indexOf("=") + 1) : null);
      return true;
    }
    if (/^-\d/.test(word) && this.table.has("-#")) {
      this.#flags.push({ name: "-#", value: word.slice(1), spec: this.table.get("-#") ?? null });
      return true;
    }
    if (word.startsWith("--") || this.style === "single") return this.#long(word);
    return this.#cluster(word);
  }

  #long(word: string): boolean {
    const equals = word.indexOf("=");
    const name = equals < 0 ? word : word.slice(0, equals);
    const value = equals < 0 ? null : word.slice(equals + 1);
    const spec = this.#lookUp(name);
    if (spec === null) this.#doubt(name, value);
    else this.#give(spec, value);
    return true;
  }

  #lookUp(name: string): OptionSpec | null {
    if (!isKnown(name)) return null;
    const exact = this.table.get(name) ??
      (this.style === "single" ? this.table.get(name.replace(/^--/, "-")) : undefined);
    if (exact !== undefined) return exact;
    if (!name.startsWith("--") || name.length < 3) return null;
    const starting = [...this.table.values()].filter((option) => option.name.startsWith(name));
    return starting.length === 1 ? starting[0] ?? null : null;
  }

  #cluster(word: string, apart = false): boolean {
    for (let at = 1; at < word.length; at += 1) {
      const name = `-${word[at]}`;
      const spec = this.table.get(name);
      if (spec === undefined) {
        // Old long names with one dash, such as `-print0`, are listed whole.
        const whole = at === 1 ? this.table.get(word) : undefined;
        if (whole !== undefined) {
          this.#give(whole, null);
          return true;
        }
        this.#doubt(name, null);
      } else if (spec.value === "none" || apart) this.#give(spec, null);
      else {
        const glued = word.slice(at + 1);
        this.#give(spec, glued === "" ? null : glued);
        return true;
      }
    }
    return true;
  }

  #give(spec: OptionSpec, glued: string | null): void {
    let value = glued;
    if (value === null && spec.value === "required" && this.#at < this.words.length) {
      value = this.words[this.#at] ?? null;
      this.#at += 1;
    }
    if (!spec.harmless) this.#doubtful.push(spec.name);
    this.#flags.push({ name: spec.name, value, spec });
  }

  #doubt(name: string, value: string | null): void {
    const admitted = this.table.has("**") || this.table.has("*") && isKnown(name);
    if (!admitted) this.#doubtful.push(name);
    this.#flags.push({ name, value, spec: null });
  }
}
