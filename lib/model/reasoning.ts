/**
 * Parts what a model thinks from what it answers, where both come as one text. Models put tags
 * around their thoughts; templates of some open the tag themselves, so that only its end is seen.
 *
 * @module
 */

/** A piece of a turn's text, as it is to be told. */
export type SaidPiece =
  | { readonly type: "text" | "reasoning"; readonly text: string }
  /** The text so far is void: it was thoughts. */
  | { readonly type: "restart" };

/** A turn's text in its two parts. */
export interface PartedText {
  readonly content: string;
  readonly reasoning: string;
}

/** How thoughts are marked. Source: the chat templates of the models. */
const TAGS: readonly (readonly [open: string, close: string, models: string])[] = [
  ["<think>", "</think>", "DeepSeek, Qwen, GLM, Kimi, MiniMax and most others"],
  ["<thinking>", "</thinking>", "models tuned on answers of Claude"],
  ["<thought>", "</thought>", "Gemini's compatible endpoint"],
  ["[THINK]", "[/THINK]", "Magistral"],
  ["<seed:think>", "</seed:think>", "Seed-OSS"],
];

/** The tag that may close without having been opened. */
const LONE_CLOSE = "</think>";

/** A code fence at the beginning of a line. */
const FENCE_LINE = /^ {0,3}(?:```|~~~)/gm;

/** How many characters at the end of a text may be the beginning of a marker. */
export function heldLength(text: string, marker: string): number {
  for (let length = Math.min(text.length, marker.length - 1); length > 0; length--) {
    if (marker.startsWith(text.slice(-length))) return length;
  }
  return 0;
}

/** Whether a text ends within a code fence. */
export function endsInFence(text: string): boolean {
  return (text.match(FENCE_LINE)?.length ?? 0) % 2 === 1;
}

function isTold(piece: SaidPiece): boolean {
  return piece.type === "restart" || piece.text !== "";
}

type State =
  /** Nothing but blanks so far: a tag may open. */
  | { readonly at: "start" }
  | { readonly at: "thoughts"; readonly close: string; readonly assumed: boolean }
  | { readonly at: "answer" };

/** Reads one turn's text, however it is cut into pieces. */
export class ReasoningFilter {
  #state: State;
  /** Whether a tag that closes what was never opened is still possible. */
  #mayCloseAlone = true;
  #closedAlone = false;
  #assumedWrongly = false;
  #held = "";
  #content = "";
  #reasoning = "";

  /**
   * @param opened Whether the text is known to begin with thoughts, without a tag that says so. If
   *   they never end, they were the answer.
   */
  constructor(opened = false) {
    this.#state = opened ? { at: "thoughts", close: LONE_CLOSE, assumed: true } : { at: "start" };
  }

  /** Whether thoughts ended that no tag had opened; it will be so in the model's next turn. */
  get closedAlone(): boolean {
    return this.#closedAlone;
  }

  /** Whether thoughts that no tag had opened never ended, and so were the answer. */
  get assumedWrongly(): boolean {
    return this.#assumedWrongly;
  }

  /** Adds text; what may be the beginning of a tag is held back. */
  push(text: string): SaidPiece[] {
    this.#held += text;
    const pieces: SaidPiece[] = [];
    while (this.#advance(pieces));
    return pieces.filter(isTold);
  }

  /** Ends the turn; called once. */
  finish(): { readonly pieces: readonly SaidPiece[] } & PartedText {
    const pieces = this.push("");
    const rest = this.#held;
    this.#held = "";
    if (this.#state.at === "thoughts") this.#think(rest, pieces);
    else this.#answer(rest, pieces);
    if (this.#state.at === "thoughts" && this.#state.assumed) {
      const text = this.#reasoning;
      this.#assumedWrongly = true;
      return { pieces: [...pieces, { type: "text", text }], content: text, reasoning: "" };
    }
    return {
      pieces: pieces.filter(isTold),
      content: this.#content,
      reasoning: this.#reasoning.trim(),
    };
  }

  #think(said: string, pieces: SaidPiece[]): void {
    const text = this.#reasoning === "" ? said.trimStart() : said;
    this.#reasoning += text;
    pieces.push({ type: "reasoning", text });
  }

  #answer(text: string, pieces: SaidPiece[]): void {
    this.#content += text;
    pieces.push({ type: "text", text });
  }

  /** Takes one step through what is held; false: more is needed. */
  #advance(pieces: SaidPiece[]): boolean {
    if (this.#held === "") return false;
    switch (this.#state.at) {
      case "start":
        return this.#begin();
      case "thoughts":
        return this.#followThoughts(this.#state.close, pieces);
      case "answer":
        return this.#followAnswer(pieces);
    }
  }

  #begin(): boolean {
    const begun = this.#held.trimStart();
    const tag = TAGS.find(([open]) => begun.startsWith(open));
    if (tag !== undefined) {
      const [open, close] = tag;
      this.#held = begun.slice(open.length);
      this.#mayCloseAlone = false;
      this.#state = { at: "thoughts", close, assumed: false };
      return true;
    }
    if (TAGS.some(([open]) => open.startsWith(begun))) return false;
    // Blanks between thoughts and answer belong to neither.
    if (!this.#mayCloseAlone) this.#held = begun;
    this.#state = { at: "answer" };
    return true;
  }

  #followThoughts(close: string, pieces: SaidPiece[]): boolean {
    const assumed = this.#state.at === "thoughts" && this.#state.assumed;
    // A template that opens the tag, and a model that opens it once more.
    if (assumed && this.#reasoning === "") {
      const begun = this.#held.trimStart();
      const [open] = TAGS[0]!;
      if (begun.startsWith(open)) {
        this.#held = begun;
        return this.#begin();
      }
      if (open.startsWith(begun)) return false;
    }
    const end = this.#held.indexOf(close);
    if (end === -1) {
      const kept = heldLength(this.#held, close);
      this.#think(this.#held.slice(0, this.#held.length - kept), pieces);
      this.#held = this.#held.slice(this.#held.length - kept);
      return false;
    }
    this.#think(this.#held.slice(0, end), pieces);
    this.#held = this.#held.slice(end + close.length);
    this.#mayCloseAlone = false;
    this.#closedAlone ||= assumed;
    this.#state = { at: "start" };
    return true;
  }

  #followAnswer(pieces: SaidPiece[]): boolean {
    const at = this.#mayCloseAlone ? this.#held.indexOf(LONE_CLOSE) : -1;
    if (at === -1) {
      const kept = this.#mayCloseAlone ? heldLength(this.#held, LONE_CLOSE) : 0;
      this.#answer(this.#held.slice(0, this.#held.length - kept), pieces);
      this.#held = this.#held.slice(this.#held.length - kept);
      return false;
    }
    const after = this.#held.slice(at + LONE_CLOSE.length);
    const before = this.#content + this.#held.slice(0, at);
    // What follows tells whether the tag is one or is spoken of.
    if (/^[ \t]*\r?$/.test(after) && !this.#endsLine(before)) return false;
    this.#answer(this.#held.slice(0, at), pieces);
    if (!this.#closes(before, after)) {
      this.#answer(LONE_CLOSE, pieces);
      this.#held = after;
      return true;
    }
    pieces.push({ type: "restart" });
    this.#reasoning = this.#content;
    this.#content = "";
    this.#mayCloseAlone = false;
    this.#closedAlone = true;
    this.#held = after;
    this.#state = { at: "start" };
    return true;
  }

  #endsLine(before: string): boolean {
    return /(^|\n)[ \t]*$/.test(before);
  }

  #closes(before: string, after: string): boolean {
    return (this.#endsLine(before) || /^[ \t]*\r?\n/.test(after)) && !endsInFence(before) &&
      !before.includes("<think>");
  }
}

/** The fields of a delta, or of a message, that bring thoughts by themselves. */
export interface ReasoningFields {
  /** DeepSeek, vLLM, SGLang, Kimi, GLM, Qwen, llama.cpp. */
  readonly reasoning_content?: unknown;
  /** OpenRouter, ollama, newer vLLM, Groq. */
  readonly reasoning?: unknown;
  /** OpenRouter: pieces with a type; encrypted ones have no text. */
  readonly reasoning_details?: unknown;
  /** Mistral: a list, in which some parts are thoughts. */
  readonly content?: unknown;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function detailText(detail: unknown): string {
  if (typeof detail !== "object" || detail === null) return "";
  const { text, summary } = detail as { text?: unknown; summary?: unknown };
  return textOf(text) || textOf(summary);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function thinkingPart(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [];
  const { type, thinking } = part as { type?: unknown; thinking?: unknown };
  if (type !== "thinking") return [];
  return typeof thinking === "string" ? [thinking] : listOf(thinking).map(detailText);
}

/** Which field of a server brings thoughts. */
export type ReasoningField = "reasoning_content" | "reasoning";

/**
 * The thoughts of a delta. Servers send the same in several fields at once; one of them counts.
 *
 * @returns Empty if it brings none; `field` is null where it came as details only.
 */
export function reasoningOf(
  delta: ReasoningFields,
): { readonly text: string; readonly field: ReasoningField | null } {
  const content = textOf(delta.reasoning_content);
  if (content !== "") return { text: content, field: "reasoning_content" };
  const plain = textOf(delta.reasoning);
  if (plain !== "") return { text: plain, field: "reasoning" };
  const details = listOf(delta.reasoning_details).map(detailText);
  const parts = listOf(delta.content).flatMap(thinkingPart);
  return { text: [...details, ...parts].join(""), field: null };
}
