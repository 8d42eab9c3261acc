/**
 * Bringing what an entry says within bounds: whatever a call was given, an entry stays short.
 *
 * @module
 */

import type { Hashes } from "../audit_ports.ts";
import type { EvaluatedPart, Evaluation, Json } from "../types.ts";

/** Characters of a text that are kept; of a longer one, its beginning and its hash. */
const TEXT_CHARS = 2000;

/** Items of a list or fields of an object that are kept. */
const MAX_ITEMS = 200;

/** Levels that are kept; what is deeper is kept as text. */
const MAX_DEPTH = 16;

/** Characters of all arguments together. */
const ARGUMENTS_CHARS = 128 * 1024;

/** Parts of a command, and rules of a part, that are kept; the strictest come first. */
const MAX_PARTS = 200;
const MAX_MATCHES = 20;

/** Characters of what a rule matched, and of the reason of an approval. */
const PIECE_CHARS = 500;

const encoder = new TextEncoder();

/** A text without halves of characters, cut where it is long. */
export function clipText(text: string, chars: number): string {
  const whole = text.toWellFormed();
  return whole.length <= chars ? whole : `${whole.slice(0, chars).toWellFormed()}…`;
}

/** A text that can be told apart from every other one, however little of it is kept. */
export async function boundText(text: string, hashes: Hashes): Promise<string> {
  if (text.length <= TEXT_CHARS) return text.toWellFormed();
  const hash = await hashes.sha256(encoder.encode(text));
  return `${clipText(text, TEXT_CHARS)} [${text.length} characters, sha256 ${hash}]`;
}

/** What stands behind a text that was cut, or for items that were. */
const CUT = /(… \[\d+ characters, sha256 [0-9a-f]{64}\]|^… \d+ more)$/;

/** Whether something of a value was left out. */
export function isCut(value: Json): boolean {
  if (typeof value === "string") return CUT.test(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((part: Json) => isCut(part));
}

async function boundValue(value: Json, hashes: Hashes, depth: number): Promise<Json> {
  if (typeof value === "string") return await boundText(value, hashes);
  // JSON has no infinity, but 1e999 is one for whoever reads it.
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return await boundText(JSON.stringify(value), hashes);
  if (Array.isArray(value)) {
    const kept = value.slice(0, MAX_ITEMS);
    const items = await Promise.all(kept.map((item) => boundValue(item, hashes, depth + 1)));
    const more = value.length - kept.length;
    return more > 0 ? [...items, `… ${more} more`] : items;
  }
  const fields = Object.entries(value);
  const kept = await Promise.all(
    fields.slice(0, MAX_ITEMS).map(async ([name, field]) =>
      [clipText(name, PIECE_CHARS), await boundValue(field, hashes, depth + 1)] as const
    ),
  );
  const more = fields.length - kept.length;
  return Object.fromEntries(more > 0 ? [...kept, ["…", `${more} more`]] : kept);
}

/** Arguments of a call, within bounds. */
export async function boundArguments(value: Json, hashes: Hashes): Promise<Json> {
  const bounded = await boundValue(value, hashes, 0);
  const text = JSON.stringify(bounded);
  return text.length <= ARGUMENTS_CHARS ? bounded : await boundText(text, hashes);
}

function boundPart({ text, matches, ...part }: EvaluatedPart): EvaluatedPart {
  return {
    ...part,
    text: clipText(text, PIECE_CHARS),
    matches: matches.slice(0, MAX_MATCHES).map((match) => ({
      ...match,
      reason: clipText(match.reason, PIECE_CHARS),
      suggest: match.suggest === null ? null : clipText(match.suggest, PIECE_CHARS),
      matched: clipText(match.matched, PIECE_CHARS),
    })),
  };
}

/** Strictest first. */
const STRICTNESS = { deny: 0, ask: 1, allow: 2 } as const;

/** An evaluation within bounds; where there are too many parts, the strictest stay. */
export function boundEvaluation({ decision, parts }: Evaluation): Evaluation {
  const kept = parts.length <= MAX_PARTS
    ? parts
    : parts.toSorted((one, other) => STRICTNESS[one.decision] - STRICTNESS[other.decision])
      .slice(0, MAX_PARTS);
  return { decision, parts: kept.map(boundPart) };
}
