/**
 * Entries as bytes: canonical, bound to the one before, sealed where there is a key.
 *
 * @module
 */

import canonicalize from "canonicalize";
import type { Hashes } from "../audit_ports.ts";
import { AUDIT_SCHEMA, type DraftEntry, type EntryPlace, NO_HASH } from "./entry.ts";

/** A value as RFC 8785 has it. Texts must be well-formed, and numbers finite. */
export function canonical(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("This is no JSON");
  return text;
}

/** Where a chain ends. */
export interface ChainEnd {
  /** The number of the last entry; 0: there is none. */
  readonly seq: number;
  /** The hash of the last line, without its line end. */
  readonly hash: string;
}

/** The end of a chain that has not begun. */
export const NO_CHAIN: ChainEnd = { seq: 0, hash: NO_HASH };

/** A key, and what hashes. */
export interface Sealing {
  readonly hashes: Hashes;
  /** Null: nothing is sealed. */
  readonly key: Uint8Array | null;
}

const encoder = new TextEncoder();

/** The seal of a value without its `mac`; null without a key. */
export async function macOf(value: unknown, { hashes, key }: Sealing): Promise<string | null> {
  return key === null ? null : await hashes.hmac(key, encoder.encode(canonical(value)));
}

/** A line of the log, without its line end, and the end of the chain that it makes. */
export interface SealedLine {
  readonly text: string;
  readonly end: ChainEnd;
}

/** Binds an entry to the end of a chain. */
export async function sealEntry(
  draft: DraftEntry,
  end: ChainEnd,
  sealing: Sealing,
): Promise<SealedLine> {
  const place: EntryPlace = { schema: AUDIT_SCHEMA, seq: end.seq + 1, prev: end.hash };
  const open = { ...draft, ...place };
  const mac = await macOf(open, sealing);
  const text = canonical(mac === null ? open : { ...open, mac });
  return { text, end: { seq: place.seq, hash: await sealing.hashes.sha256(encoder.encode(text)) } };
}
