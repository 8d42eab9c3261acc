/**
 * `awk`: a scanner for its programs, which can run commands and write files.
 *
 * @module
 */
import { ANY, isOpen } from "../marks.ts";
import type { Call } from "../shell/call.ts";
import { outputOf } from "../shell/outputs.ts";

/** What an awk program does beyond printing. */
export interface AwkEffects {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly runs: readonly string[];
  /** The texts that it may print into a command. */
  readonly texts: string;
  readonly understood: boolean;
}

/** Judges a call of `awk`. */
export function analyzeAwk(call: Call): string | null {
  const files = [...call.parsed.operands];
  const programs = call.values("-e", "--source");
  for (
    const file of call.values("-f", "--file", "-E", "--exec", "-i", "--include", "-l", "--load")
  ) {
    call.signal("unknown-code", file);
  }
  const given = call.has("-e", "--source", "-f", "--file", "-E", "--exec", "--version", "-V");
  if (!given) programs.push(files.shift() ?? "");
  const variables = new Map(
    call.values("-v", "--assign").map((text) => {
      const equals = text.indexOf("=");
      return [text.slice(0, equals), text.slice(equals + 1)] as const;
    }),
  );
  for (const program of programs) judgeProgram(program, variables, call);
  for (const file of files) {
    if (file !== "-" && !/^[A-Za-z_]\w*=/.test(file)) call.access("read", file);
  }
  return outputOf(call);
}

function judgeProgram(
  program: string,
  variables: ReadonlyMap<string, string>,
  call: Call,
): void {
  const effects = scanAwk(program, variables);
  if (/\bin\s+ENVIRON\b/.test(program)) call.signal("secret-output", "environment");
  if (/"\/inet[46]?\/(?:tcp|udp)/.test(program)) call.signal("reverse-shell", "/inet");
  for (const path of effects.reads) call.access("read", path);
  for (const path of effects.writes) call.access("write", path);
  for (const command of effects.runs) {
    if (command === ANY) call.signal("unknown-code", "awk command");
    else call.code(command, { stdin: effects.texts });
  }
  if (!effects.understood) call.signal("unknown-code", program.slice(0, 80));
  else if (isOpen(program)) call.signal("unknown-code", "awk program");
}

interface Token {
  readonly kind: "string" | "regex" | "word" | "number" | "operator" | "end";
  readonly text: string;
}

/** Scans an awk program. Never throws. */
export function scanAwk(
  program: string,
  variables: ReadonlyMap<string, string> = new Map(),
): AwkEffects {
  const tokens = tokenize(program);
  if (tokens === null) return { reads: [], writes: [], runs: [], texts: ANY, understood: false };
  return new Reader(tokens, variables).read();
}

const TOKEN =
  /\s+|\\\r?\n|#[^\n]*|(?<string>"(?:[^"\\\n]|\\[^])*")|(?<word>[A-Za-z_]\w*)|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(?<operator>\|&|\|\||&&|>>|\*\*=?|[-+*/%^!=<>]=|\+\+|--|[-+*/%^!<>|?:~$&=,;(){}[\]@\uFDD0-\uFDEF\\'.`])/y;
const REGEX = /\/(?:[^/\\\n[]|\\[^]|\[\^?\]?(?:[^\]\\\n]|\\[^]|\[:\w+:\])*\])*\//y;

function tokenize(program: string): Token[] | null {
  const tokens: Token[] = [];
  let at = 0;
  while (at < program.length) {
    const newline = program[at] === "\n";
    if (newline) tokens.push({ kind: "end", text: "\n" });
    if (program[at] === "/" && startsRegex(tokens.at(-1))) {
      REGEX.lastIndex = at;
      const regex = REGEX.exec(program);
      if (regex === null) return null;
      tokens.push({ kind: "regex", text: regex[0] });
      at = REGEX.lastIndex;
      continue;
    }
    TOKEN.lastIndex = at;
    const found = newline ? null : TOKEN.exec(program);
    if (found === null && !newline) return null;
    const token = found?.groups ? tokenOf(found.groups) : null;
    if (token) tokens.push(token);
    else if (found && !found[0].startsWith("\\") && found[0].includes("\n")) {
      tokens.push({ kind: "end", text: "\n" });
    }
    at = newline ? at + 1 : TOKEN.lastIndex;
  }
  return tokens;
}

function tokenOf(groups: Record<string, string | undefined>): Token | null {
  for (const kind of ["string", "word", "number", "operator"] as const) {
    const text = groups[kind];
    if (text !== undefined) return { kind, text };
  }
  return null;
}

/** A slash begins a pattern where no value stands before it. */
function startsRegex(before: Token | undefined): boolean {
  if (before === undefined || before.kind === "end") return true;
  if (before.kind === "word") {
    return /^(?:return|print|printf|in|case|getline|do|else)$/.test(before.text);
  }
  return before.kind === "operator" && !/^(?:[)\]$]|\+\+|--)$/.test(before.text);
}

class Reader {
  readonly #reads: string[] = [];
  readonly #writes: string[] = [];
  readonly #runs: string[] = [];
  #understood = true;
  #depth = 0;
  /** The bracket depth of the print statement at hand, or -1. */
  #printing = -1;

  readonly #variables: Map<string, string>;

  constructor(readonly tokens: readonly Token[], variables: ReadonlyMap<string, string>) {
    this.#variables = new Map(variables);
  }

  read(): AwkEffects {
    this.tokens.forEach((token, index) => {
      if (token.kind === "word") this.#word(token.text, index);
      else if (token.kind === "operator" || token.kind === "end") this.#operator(token.text, index);
    });
    return {
      reads: this.#reads,
      writes: this.#writes,
      runs: this.#runs,
      texts: this.tokens.filter(({ kind }) => kind === "string").map(({ text }) => unescape(text))
        .join("\n"),
      understood: this.#understood,
    };
  }

  #word(text: string, index: number): void {
    const value = this.tokens[index + 2];
    if (this.tokens[index + 1]?.text === "=" && value?.kind === "string") {
      this.#variables.set(text, unescape(value.text));
    }
    if (text === "print" || text === "printf") this.#printing = this.#depth;
    if (text === "system") this.#runs.push(this.#literal(index + 2, ")"));
    if (text === "getline") this.#getline(index);
  }

  #operator(text: string, index: number): void {
    if (text === "(" || text === "[") this.#depth += 1;
    else if (text === ")" || text === "]") this.#depth -= 1;
    else if (text === ";" || text === "}" || text === "{" || text === "\n") this.#printing = -1;
    else if (text === "@" || text === "`") this.#understood = false;
    else if (text === "|" || text === "|&") this.#pipe(index);
    else if ((text === ">" || text === ">>") && this.#printing === this.#depth) {
      this.#writes.push(this.#literal(index + 1, ""));
    }
  }

  #getline(index: number): void {
    for (let at = index + 1; at < Math.min(index + 5, this.tokens.length); at += 1) {
      const text = this.tokens[at]?.text;
      if (text === "<") {
        this.#reads.push(this.#literal(at + 1, ""));
        return;
      }
      if (text === ";" || text === "}" || text === ")" || text === "\n") return;
    }
  }

  /** A pipe has its command behind it after `print`, and before `getline`. */
  #pipe(index: number): void {
    if (this.tokens[index + 1]?.text !== "getline") {
      this.#runs.push(this.#literal(index + 1, ""));
      return;
    }
    const before = this.tokens[index - 1];
    const alone = /^[;({}\n!]$/.test(this.tokens[index - 2]?.text ?? ";");
    this.#runs.push(before?.kind === "string" && alone ? unescape(before.text) : ANY);
  }

  /** The text of a string that stands alone, else unknown. */
  #literal(index: number, closing: string): string {
    const token = this.tokens[index];
    const after = this.tokens[index + 1];
    const ends = after === undefined || after.text === closing ||
      /^(?:[;})\n,]|\|\||&&)$/.test(after.text);
    if (!ends) return ANY;
    return token?.kind === "string"
      ? unescape(token.text)
      : this.#variables.get(token?.text ?? "") ?? ANY;
  }
}

function unescape(text: string): string {
  return text.slice(1, -1).replaceAll(
    /\\(.)/g,
    (_, char: string) => char === "n" ? "\n" : char === "t" ? "\t" : char,
  );
}
