/**
 * Taking secrets out of lines.
 *
 * @module
 */

import type { Anchor } from "./anchors.ts";
import { SECRET_RULES, type SecretRule } from "./secret_rules.ts";

/** What was taken out. */
export interface RedactCounts {
  /** Secrets, one block of a private key counted once. */
  secrets: number;
  /** Characters that went, less those of the marks that stand for them; may be negative. */
  removedChars: number;
}

/** Literal secrets shorter than this would hit ordinary words, in characters. */
const LEAST_LITERAL_CHARS = 8;

/** Anchors of literal secrets are cut to this, in characters. */
const LITERAL_ANCHOR_CHARS = 24;

/** A private key block without an end is given up after as many lines; RSA-16384 has about 200. */
const MAX_KEY_LINES = 400;

function isWordByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return byte >= 0x30 && byte <= 0x39 || byte >= 0x41 && byte <= 0x5a ||
    byte >= 0x61 && byte <= 0x7a;
}

/** Letters, digits and what else keys consist of. */
function isKeyByte(byte: number | undefined): boolean {
  return isWordByte(byte) || byte !== undefined && "-_.+/=~".includes(String.fromCharCode(byte));
}

function confirmsKey(bytes: Uint8Array, start: number, end: number): boolean {
  if (isWordByte(bytes[start - 1]) && bytes[start - 1] !== 0x5c) return false;
  for (let at = end; at < end + 8; at++) if (!isKeyByte(bytes[at])) return false;
  return true;
}

/** Bytes that may stand between the part of a name that was found and its separator. */
const AFTER_NAME = new Set(Array.from(" \t\"'\\]_-", (character) => character.charCodeAt(0)));

/** `:`, `=`, `>`, and the first byte of a full-width colon. */
const SEPARATORS = new Set([0x3a, 0x3d, 0x3e, 0xef]);

function confirmsName(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = end; at < end + 40 && at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (SEPARATORS.has(byte)) return true;
    if (!AFTER_NAME.has(byte) && !isWordByte(byte)) break;
  }
  for (let at = start - 1; at >= Math.max(1, start - 30); at--) {
    if (bytes[at] === 0x2d && bytes[at - 1] === 0x2d) return true;
    if (!isKeyByte(bytes[at])) return false;
  }
  return false;
}

/** Where the authority of a URL ends. */
const AFTER_AUTHORITY = new Set(Array.from("/ \n\t\"'<>", (character) => character.charCodeAt(0)));

function confirmsUserinfo(bytes: Uint8Array, end: number): boolean {
  for (let at = end; at < end + 500 && at < bytes.length; at++) {
    if (bytes[at] === 0x40) return true;
    if (AFTER_AUTHORITY.has(bytes[at]!)) return false;
  }
  return false;
}

function literalRules(literals: readonly string[]): SecretRule[] {
  const lines = literals.flatMap((literal) => literal.split(/\s*\n\s*/))
    .filter((line) => line.length >= LEAST_LITERAL_CHARS);
  const forms = new Set(lines.flatMap((line) => [line, encodeURIComponent(line.toWellFormed())]));
  return [...forms].map((form) => ({
    id: "secret-value",
    anchors: [form.toLowerCase().replace(/^\?+/, "").slice(0, LITERAL_ANCHOR_CHARS)],
    confirm: "none" as const,
    pattern: new RegExp(form.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&"), "g"),
  })).filter(({ anchors: [anchor = ""] }) => new TextEncoder().encode(anchor).length >= 4);
}

/** Lines inside a private key block: blank, a header of PEM or PGP, base64, or repetitions of it. */
const KEY_LINES: readonly RegExp[] = [
  /^\s*$/,
  /^\s*(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): /,
  /[A-Za-z0-9+/]{16,}={0,2}["',\\n]{0,8}\s*$/,
  /^\s*=?[A-Za-z0-9+/]{1,15}={0,2}\s*$/,
  /^\[repeated [\d,]+ more times?\]\s*$/,
];

/** The rules with the literal secrets of a run, ready to be found and applied. */
export class Redactor {
  readonly #rules: readonly SecretRule[];
  /** Every anchor with the number of its rule. */
  readonly anchors: readonly Anchor[];

  /** @param literals Values that are secrets whatever they look like; short ones are ignored. */
  constructor(literals: readonly string[]) {
    this.#rules = [...literalRules(literals), ...SECRET_RULES];
    this.anchors = this.#rules.flatMap(({ anchors }, id) => anchors.map((text) => ({ text, id })));
  }

  /** Whether the surroundings of an anchor make a secret likely. */
  confirms(id: number, bytes: Uint8Array, start: number, end: number): boolean {
    switch (this.#rules[id]?.confirm) {
      case "key":
        return confirmsKey(bytes, start, end);
      case "name":
        return confirmsName(bytes, start, end);
      case "userinfo":
        return confirmsUserinfo(bytes, end);
      case "none":
        return true;
      case undefined:
        return false;
    }
  }

  /**
   * Applies the named rules to a line.
   *
   * @param rules Their numbers, in any order, each as often as it was found.
   * @param counts Added to.
   */
  redact(line: string, rules: readonly number[], counts: RedactCounts): string {
    let redacted = line;
    let last = -1;
    for (const id of rules.toSorted((a, b) => a - b)) {
      const rule = this.#rules[id];
      if (rule !== undefined && id !== last) redacted = this.#apply(rule, redacted, counts);
      last = id;
    }
    counts.removedChars += line.length - redacted.length;
    return redacted;
  }

  #apply({ id, pattern, accept }: SecretRule, line: string, counts: RedactCounts): string {
    return line.replace(pattern, (match: string, ...rest: unknown[]) => {
      const groups = rest.at(-1);
      const named = typeof groups === "object" && groups !== null && "secret" in groups;
      const secret = named ? String(groups.secret) : match;
      if (accept !== undefined && !accept(secret)) return match;
      counts.secrets++;
      return `${match.slice(0, match.length - secret.length)}[redacted: ${id}]`;
    });
  }
}

/** Follows a private key block from the line where it begins to the one where it ends. */
export class KeyBlock {
  #lines = 0;
  /** Whether the next line may belong to it. */
  open = false;

  /** Looks at a line before it is redacted, to see whether a block begins in it and goes on. */
  begin(line: string): void {
    const begin = line.search(/-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/);
    if (begin === -1 || line.includes("-----END ", begin)) return;
    this.open = true;
    this.#lines = 0;
  }

  /** What is to be kept of the next line; null: nothing of it. */
  take(line: string): string | null {
    const end = /-----END [A-Z0-9 ]{0,40}-----/.exec(line);
    if (end !== null) {
      this.open = false;
      const rest = line.slice(end.index + end[0].length);
      return rest.trim() === "" ? null : rest;
    }
    if (++this.#lines > MAX_KEY_LINES || !KEY_LINES.some((form) => form.test(line))) {
      this.open = false;
    }
    return this.open ? null : line;
  }
}
