/**
 * `sed`: a scanner for its scripts, which can run commands and write files.
 *
 * @module
 */
import { ANY, isOpen } from "../marks.ts";
import type { Call } from "../shell/call.ts";
import { outputOf } from "../shell/outputs.ts";

/** What a sed script does beyond editing its stream. */
export interface SedEffects {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Commands that it runs; empty text stands for the stream itself. */
  readonly runs: readonly string[];
  /** Whether every command was understood. */
  readonly understood: boolean;
}

/** Judges a call of `sed`. */
export function analyzeSed(call: Call): string | null {
  const scripts = call.values("-e", "--expression");
  const files = [...call.parsed.operands];
  for (const file of call.values("-f", "--file")) {
    const text = file === "-" ? call.scene.stdin : call.textOf(file);
    if (text === null) call.signal("unknown-code", file);
    else scripts.push(text);
  }
  const given = call.has("-e", "--expression", "-f", "--file", "--version", "--help");
  if (!given) scripts.push(files.shift() ?? "");
  for (const script of scripts) judgeScript(script, call);
  const inPlace = call.has("-i", "--in-place");
  for (const file of files) if (file !== "-") call.access(inPlace ? "write" : "read", file);
  return outputOf(call);
}

function judgeScript(script: string, call: Call): void {
  const effects = scanSed(script);
  for (const path of effects.reads) call.access("read", path);
  for (const path of effects.writes) call.access("write", path);
  for (const command of effects.runs) {
    if (command === "") call.signal("unknown-code", "sed e");
    else call.code(command);
  }
  if (!effects.understood) call.signal("unknown-code", script.slice(0, 80));
  else if (isOpen(script)) call.signal("unknown-code", "sed script");
}

/** Scans a sed script. Never throws. */
export function scanSed(script: string): SedEffects {
  return new Scanner(script).scan();
}

class Scanner {
  #at = 0;
  readonly #reads: string[] = [];
  readonly #writes: string[] = [];
  readonly #runs: string[] = [];

  constructor(readonly text: string) {}

  scan(): SedEffects {
    let understood = true;
    while (understood && this.#at < this.text.length) {
      this.#skip(/[\s;{}]/);
      if (this.#at >= this.text.length) break;
      if (this.#peek() === "#") this.#line();
      else understood = this.#addresses() && this.#command();
    }
    return { reads: this.#reads, writes: this.#writes, runs: this.#runs, understood };
  }

  #peek(): string {
    return this.text[this.#at] ?? "";
  }

  #skip(pattern: RegExp): void {
    while (this.#at < this.text.length && pattern.test(this.#peek())) this.#at += 1;
  }

  /** The rest of the line; a backslash at its end continues it. */
  #line(): string {
    const start = this.#at;
    while (this.#at < this.text.length && this.#peek() !== "\n") {
      this.#at += this.#peek() === "\\" ? 2 : 1;
    }
    return this.text.slice(start, this.#at);
  }

  #addresses(): boolean {
    for (;;) {
      const char = this.#peek();
      if (/[\d$,~+!\s\uFDD0-\uFDEF]/.test(char)) this.#at += 1;
      else if (char === "/") {
        if (!this.#delimited("/")) return false;
      } else if (char === "\\") {
        this.#at += 1;
        if (!this.#delimited(this.#peek())) return false;
      } else return true;
      // Flags of an address.
      if (char === "/" || char === "\\") this.#skip(/[IM]/);
    }
  }

  /** Skips from a delimiter to the next one that is not escaped. */
  #delimited(delimiter: string): boolean {
    let inClass = false;
    for (this.#at += 1; this.#at < this.text.length; this.#at += 1) {
      const char = this.#peek();
      if (char === "\\") this.#at += 1;
      else if (char === "[" && !inClass) inClass = this.text.indexOf("]", this.#at + 2) > 0;
      else if (char === "]") inClass = false;
      else if (char === delimiter && (!inClass || !this.#closesLater(delimiter))) {
        this.#at += 1;
        return true;
      } else if (char === "\n" && delimiter !== "\n" && !inClass) continue;
    }
    return false;
  }

  /** Whether a bracket is closed before the delimiter comes again. */
  #closesLater(delimiter: string): boolean {
    const bracket = this.text.indexOf("]", this.#at);
    return bracket > 0 && this.text.indexOf(delimiter, bracket) > 0;
  }

  #command(): boolean {
    const char = this.#peek();
    this.#at += 1;
    if (/[{}=dDgGhHnNpPxzF]/.test(char) || char === "") return true;
    if (/[qQlL]/.test(char)) return this.#argument(/[\d\s]/);
    if (/[btT:]/.test(char)) return this.#argument(/[^;}\n]/);
    if (/[aicv]/.test(char)) return this.#line() !== null;
    if (/[rRwW]/.test(char)) {
      const file = this.#line().trim();
      (/[rR]/.test(char) ? this.#reads : this.#writes).push(file === "" ? ANY : file);
      return true;
    }
    if (char === "e") return this.#runs.push(this.#line().trim()) > 0;
    if (char === "s") return this.#substitution();
    if (char === "y") {
      const delimiter = this.#peek();
      return this.#delimited(delimiter) && this.#rest(delimiter);
    }
    return char === "#" ? this.#line() !== null : false;
  }

  #argument(pattern: RegExp): boolean {
    this.#skip(pattern);
    return true;
  }

  /** Skips a second part, in which brackets mean nothing. */
  #rest(delimiter: string): boolean {
    for (; this.#at < this.text.length; this.#at += 1) {
      if (this.#peek() === "\\") this.#at += 1;
      else if (this.#peek() === delimiter) {
        this.#at += 1;
        return true;
      }
    }
    return false;
  }

  #substitution(): boolean {
    const delimiter = this.#peek();
    if (delimiter === "" || delimiter === "\n" || delimiter === "\\") return false;
    if (!this.#delimited(delimiter)) return false;
    const start = this.#at;
    if (!this.#rest(delimiter)) return false;
    const replacement = this.text.slice(start, this.#at - 1).replaceAll(/\\(.)/g, "$1");
    for (;;) {
      const flag = this.#peek();
      if (flag === "e") this.#runs.push("", replacement);
      else if (flag === "w") {
        this.#at += 1;
        this.#writes.push(this.#line().trim() || ANY);
        return true;
      } else if (!/[gpiImM\d]/.test(flag) || flag === "") return this.#ends();
      this.#at += 1;
    }
  }

  /** After a command come spaces and then an end. */
  #ends(): boolean {
    this.#skip(/[ \t]/);
    return /^[;}\n#]?$/.test(this.#peek());
  }
}
