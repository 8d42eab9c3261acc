/**
 * Reading the lines of a log, however long it is.
 *
 * @module
 */

import type { FoundLine, LinePlace } from "./chain_checker.ts";
import { isEntry, type RawEntry } from "./entry.ts";
import { canonical } from "./seal.ts";

/** Bytes that an entry can have: what it says is bounded when it is written. */
const MAX_ENTRY_BYTES = 8 * 1024 * 1024;

const LINE_END = 0x0a;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** What hashes, without waiting. */
export interface LineHashes {
  /** A hash that is fed piece by piece; the digest comes in hexadecimal digits. */
  begin(): { update(bytes: Uint8Array): unknown; digest(): string };
  /** HMAC-SHA-256 with the key of the log; null: there is no key. */
  readonly hmac: ((text: string) => string) | null;
}

/** Loads what hashes without waiting: a log has many lines. */
export async function lineHashes(key: Uint8Array | null): Promise<LineHashes> {
  const { createHash, createHmac } = await import("node:crypto");
  return {
    begin: () => {
      const hash = createHash("sha256");
      return { update: (bytes) => hash.update(bytes), digest: () => hash.digest("hex") };
    },
    hmac: key && ((text) => createHmac("sha256", key).update(text).digest("hex")),
  };
}

/** A line, whole or the part of it that can be an entry, and its hash. */
interface Gathered {
  readonly parts: Uint8Array[];
  readonly hash: ReturnType<LineHashes["begin"]>;
  bytes: number;
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function parsed(bytes: Uint8Array): RawEntry | null {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    return isEntry(value) ? value : null;
  } catch {
    return null;
  }
}

function sealOf(entry: RawEntry | null, { hmac }: LineHashes): FoundLine["seal"] {
  if (hmac === null || entry === null) return "unknown";
  const { mac, ...open } = entry;
  if (mac === undefined) return "none";
  return hmac(canonical(open)) === mac ? "good" : "bad";
}

/** Cuts bytes into lines as they come. */
export class LineReader {
  readonly #hashes: LineHashes;
  readonly #file: string;
  #gathered: Gathered | null = null;
  #line = 0;

  constructor(file: string, hashes: LineHashes) {
    this.#file = file;
    this.#hashes = hashes;
  }

  /** Takes a piece, which must not be overwritten; the lines that end in it. */
  *push(piece: Uint8Array): Generator<FoundLine> {
    for (let start = 0; start < piece.length;) {
      const end = piece.indexOf(LINE_END, start);
      if (end === -1) return this.#gather(piece.subarray(start));
      this.#gather(piece.subarray(start, end));
      yield this.#finish(true);
      start = end + 1;
    }
  }

  /** What stands behind the last line end. */
  *end(): Generator<FoundLine> {
    if (this.#gathered !== null) yield this.#finish(false);
  }

  #gather(bytes: Uint8Array): void {
    const gathered = this.#gathered ??= { parts: [], hash: this.#hashes.begin(), bytes: 0 };
    gathered.hash.update(bytes);
    gathered.bytes += bytes.length;
    if (gathered.bytes <= MAX_ENTRY_BYTES) gathered.parts.push(bytes);
    else gathered.parts.length = 0;
  }

  #finish(ended: boolean): FoundLine {
    const { parts, hash, bytes } = this.#gathered!;
    this.#gathered = null;
    const place: LinePlace = { file: this.#file, line: ++this.#line };
    const entry = bytes > MAX_ENTRY_BYTES ? null : parsed(joined(parts, bytes));
    return {
      ...place,
      entry,
      hash: hash.digest(),
      bytes,
      ended,
      seal: sealOf(entry, this.#hashes),
    };
  }
}
