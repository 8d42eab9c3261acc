/**
 * Finds calls that a model wrote into its text, while the text streams: what may be the beginning of
 * a call is held back until that is decided.
 *
 * A call counts only outside of code, with the name of a tool that was offered, and at the end of
 * the turn: what is followed by more words was an example.
 *
 * @module
 */

import type { ToolDefinition } from "../types.ts";
import { BARE_FORM, CALL_FORMS, type CallForm, NAME, PYTHON_FORM } from "./call_forms.ts";
import { CallText, type WrittenCall } from "./call_text.ts";

/** What a turn's text came to. */
export interface FoundCalls {
  /** What was held back and is text. */
  readonly text: string;
  readonly calls: readonly WrittenCall[];
  /** Whether the last call was cut off. */
  readonly cut: boolean;
}

/** Forms that count only where they are all of a text. */
const BARE_FORMS: readonly CallForm[] = [BARE_FORM, PYTHON_FORM];

/** Where a code fence begins or ends. */
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** Marks that end a turn, or a part of it, in the templates of models; they say nothing. */
const END_MARKS: readonly string[] = [
  "<|im_end|>",
  "<|eot_id|>",
  "<|eom_id|>",
  "<|end|>",
  "<|endoftext|>",
  "<|observation|>",
  "<|user|>",
  "<|stop|>",
  "</s>",
  "<｜end▁of▁sentence｜>",
];

/** Where a model goes on with a result that it made up. */
const MADE_UP = /\s*(?:<\|?tool_response\b|<function_results>|<\|tool\|>|Observation:)/y;

/** Beginnings that are tried before the rest is taken for text: an attempt takes time. */
const MAX_ATTEMPTS = 20;

/** Whether text begins so: it does, it does not, or it is too short to tell. */
type Begins = "yes" | "no" | "unknown";

function beginsWith(text: string, wanted: readonly string[]): Begins {
  if (wanted.some((one) => text.startsWith(one))) return "yes";
  return wanted.some((one) => one.startsWith(text)) ? "unknown" : "no";
}

/** What may stand before a call in its line: nothing, or the end of a sentence. */
const MAY_PRECEDE = /^\s*$|[.:!?…。：！？>)]\s*$/;

/** Characters of a line that are remembered from each end: all that tells where it leads. */
const LINE_CHARS = 100;

function shortened(line: string): string {
  if (line.length <= 3 * LINE_CHARS) return line;
  return line.slice(0, LINE_CHARS) + line.slice(-LINE_CHARS);
}

/** Reads one turn's text, however it is cut into pieces. */
export class TextCallFilter {
  readonly #tools: ReadonlyMap<string, ToolDefinition>;
  readonly #heads = new Map<CallForm, readonly string[]>();
  /** Characters that a form can begin with. */
  readonly #starts: RegExp;
  #held = "";
  /** Whether what is held can only be decided at the end of the turn. */
  #isCall = false;
  /** The line so far, as far as it was told. */
  #line = "";
  /** The mark that ends the code fence; empty outside of one. */
  #fence = "";
  #isBlank = true;

  /** @param tools Those that were offered; without any, all is text. */
  constructor(tools: readonly ToolDefinition[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    for (const form of [...CALL_FORMS, ...BARE_FORMS]) {
      const heads = form.heads.flatMap((head) =>
        head.includes(NAME) ? tools.map(({ name }) => head.replace(NAME, name)) : [head]
      );
      this.#heads.set(form, heads);
    }
    this.#starts = tools.length === 0 ? /(?!)/ : /[<[>{]/;
  }

  /** Adds text; returns what of it, and of what was held, is no call. */
  push(text: string): string {
    this.#held += text;
    return this.#isCall ? "" : this.#release(false);
  }

  /** Ends the turn; called once. */
  finish(): FoundCalls {
    let text = this.#isCall ? "" : this.#release(true);
    for (let attempts = 0; this.#held !== ""; attempts++) {
      const found = attempts < MAX_ATTEMPTS ? this.#read() : null;
      if (found !== null) return { text, ...found };
      this.#isCall = false;
      const passed = attempts < MAX_ATTEMPTS ? 1 : this.#held.length;
      text += this.#tell(passed) + this.#release(true);
    }
    return { text, calls: [], cut: false };
  }

  /** Ends the turn without calls: what was held back is text. */
  abandon(): string {
    const text = this.#held;
    this.#held = "";
    return text;
  }

  /** Tells what is decided; at the end of a turn, what is too short to be a beginning is none. */
  #release(atEnd: boolean): string {
    let told = "";
    while (this.#held !== "") {
      const start = this.#held.search(this.#starts);
      if (start !== 0) {
        told += this.#tell(start === -1 ? this.#held.length : start);
        continue;
      }
      const begins = this.#begins();
      this.#isCall = begins === "yes";
      if (begins === "yes" || (begins === "unknown" && !atEnd)) return told;
      told += this.#tell(1);
    }
    return told;
  }

  /** Hands out the first characters of what is held, and remembers where they lead. */
  #tell(length: number): string {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    const lines = (this.#line + text).split("\n");
    this.#line = shortened(lines.pop() ?? "");
    for (const line of lines) this.#passLine(line);
    this.#isBlank &&= text.trim() === "";
    return text;
  }

  #passLine(line: string): void {
    const [, mark = "", info = ""] = FENCE.exec(line) ?? [];
    if (mark === "") return;
    if (this.#fence === "") this.#fence = mark;
    else if (mark.startsWith(this.#fence) && info.trim() === "") this.#fence = "";
  }

  /** Whether a call begins where the held text begins. */
  #begins(): Begins {
    if (this.#fence !== "" || FENCE.test(this.#line)) return "no";
    const all = CALL_FORMS.map((form) => this.#beginsAs(form));
    if (this.#isBlank) all.push(...BARE_FORMS.map((form) => this.#beginsBare(form)));
    return all.find((one) => one === "yes") ?? all.find((one) => one === "unknown") ?? "no";
  }

  #beginsAs(form: CallForm): Begins {
    const mayStand = form.ownLine ? MAY_PRECEDE.test(this.#line) : !/[`"'“「]$/.test(this.#line);
    if (!mayStand) return "no";
    const opened = beginsWith(this.#held, form.opens);
    if (opened !== "yes") return opened;
    const open = form.opens.find((one) => this.#held.startsWith(one)) ?? "";
    return beginsWith(this.#held.slice(open.length).trimStart(), this.#heads.get(form) ?? []);
  }

  #beginsBare(form: CallForm): Begins {
    if (!/^[{[]/.test(this.#held)) return "no";
    return beginsWith(this.#held.replace(/\s+/g, ""), this.#heads.get(form) ?? []);
  }

  /** Reads calls from the beginning of the held text to its end; null if that is not what it is. */
  #read(): Omit<FoundCalls, "text"> | null {
    const scan = new CallText(this.#held, this.#tools);
    while (true) {
      while (scan.eat(...END_MARKS));
      scan.skipBlanks();
      if (scan.ended || scan.match(MADE_UP) !== null) break;
      const reading = this.#readOne(scan);
      if (reading === "none") return null;
      if (reading === "cut") return { calls: scan.calls, cut: true };
    }
    return scan.calls.length === 0 ? null : { calls: scan.calls, cut: false };
  }

  #readOne(scan: CallText) {
    for (const form of CALL_FORMS) if (scan.eat(...form.opens)) return form.read(scan);
    if (scan.calls.length > 0 || !this.#isBlank) return "none";
    const bare = BARE_FORMS.find((form) => this.#beginsBare(form) === "yes");
    return bare?.read(scan) ?? "none";
  }
}
