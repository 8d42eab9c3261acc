/**
 * A first look at a file: what it is, which zone its times are in, and how
 * far it goes.
 *
 * @module
 */

import type { Files } from "../../lib/ports.ts";
import { type FormatName, PARSED, textOf } from "./entry.ts";
import { detectFormat, type ParserMaker, patternMaker } from "./formats/detect.ts";
import { BrokenGzipError, LineSplitter, type Reading, readPieces } from "./pieces.ts";
import type { Query } from "./query.ts";
import type { Source } from "./sources.ts";
import { TimeReader, type Zone } from "./time.ts";

/** Bytes at the beginning of a file that its format is recognised by. */
const HEAD_BYTES = 64 * 1024;

/** Bytes at the end of a file among which its newest entry is looked for. */
const TAIL_BYTES = 256 * 1024;

/** What can be counted. */
export interface Log {
  readonly source: Source;
  readonly isGzip: boolean;
  readonly make: ParserMaker;
  readonly format: FormatName;
  /** Null if the file holds no entry with a time. */
  readonly zone: Zone | null;
}

/** What a look at a file gave. */
export type Probe =
  | { readonly kind: "log"; readonly log: Log }
  | { readonly kind: "empty" }
  | { readonly kind: "skip"; readonly reason: string }
  | { readonly kind: "unknown"; readonly line: string };

/** What other compressions begin with. */
const COMPRESSIONS: readonly { readonly name: string; readonly magic: readonly number[] }[] = [
  { name: "zstd", magic: [0x28, 0xb5, 0x2f, 0xfd] },
  { name: "xz", magic: [0xfd, 0x37, 0x7a, 0x58] },
  { name: "bzip2", magic: [0x42, 0x5a, 0x68] },
];

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => bytes[at] === byte);
}

/** Everything of a file on disk, as large as it was when the call began. */
export function wholeOf({ path, size }: Source, isGzip: boolean): Reading {
  // Files that the kernel makes up as they are read have no size.
  return { path, isGzip, start: 0, end: size === 0 ? Infinity : size };
}

/** The first bytes of a file; what is broken gives what could be read. */
async function readHead(files: Files, reading: Reading, signal: AbortSignal): Promise<Uint8Array> {
  const head = new Uint8Array(HEAD_BYTES);
  let length = 0;
  try {
    for await (const piece of readPieces(files, { ...reading, pieceBytes: HEAD_BYTES }, signal)) {
      const part = piece.subarray(0, HEAD_BYTES - length);
      head.set(part, length);
      length += part.length;
      if (length === HEAD_BYTES) break;
    }
  } catch (error) {
    if (!(error instanceof BrokenGzipError)) throw error;
  }
  return head.subarray(0, length);
}

function zoneOf(make: ParserMaker, sample: Uint8Array, nowMs: number): Zone | null {
  const times = new TimeReader(nowMs);
  const parser = make([], times);
  let zone: Zone | null = null;
  const splitter = new LineSplitter((bytes, start, end) => {
    const isEntry = parser.parse(bytes, start, end) === PARSED.entry;
    if (isEntry && !Number.isNaN(parser.atMs)) zone = times.zone;
  }, () => {});
  splitter.push(sample);
  return zone;
}

/**
 * Looks at the beginning of a file.
 *
 * @throws {FileError} If it can't be read.
 */
export async function probe(
  files: Files,
  source: Source,
  { query, nowMs, signal }: {
    readonly query: Query;
    readonly nowMs: number;
    readonly signal: AbortSignal;
  },
): Promise<Probe> {
  const raw = await readHead(files, wholeOf(source, false), signal);
  const isGzip = startsWith(raw, [0x1f, 0x8b]);
  const head = isGzip ? await readHead(files, wholeOf(source, true), signal) : raw;
  if (head.length === 0) {
    return isGzip ? { kind: "skip", reason: "broken gzip" } : { kind: "empty" };
  }
  const compression = COMPRESSIONS.find(({ magic }) => startsWith(head, magic));
  if (compression) return { kind: "skip", reason: `compressed with ${compression.name}` };
  const make = query.pattern === null ? detectFormat(head) : patternMaker(query.pattern);
  const format = make?.([], new TimeReader(nowMs)).format;
  if (head.includes(0) && format !== "journal") return { kind: "skip", reason: "not a text file" };
  if (make === null || format === undefined) return { kind: "unknown", line: firstLine(head) };
  return { kind: "log", log: { source, isGzip, make, format, zone: zoneOf(make, head, nowMs) } };
}

function firstLine(head: Uint8Array): string {
  return textOf(head, 0, Math.min(head.length, 1000)).trimStart().split("\n")[0]?.trim() ?? "";
}

/**
 * The latest time among a log's last entries, which is that of its newest
 * entry unless the log is far out of order. Of a gzipped log, which must be
 * unpacked to its end, all entries are looked at.
 *
 * @returns Minus infinity if there is none before `untilMs`.
 */
export async function newestOf(
  files: Files,
  { source, isGzip, make }: Log,
  { nowMs, untilMs, signal }: {
    readonly nowMs: number;
    readonly untilMs: number;
    readonly signal: AbortSignal;
  },
): Promise<number> {
  const parser = make([], new TimeReader(nowMs));
  let newest = -Infinity;
  const note = () => {
    if (parser.atMs > newest && parser.atMs <= untilMs) newest = parser.atMs;
  };
  const splitter = new LineSplitter((bytes, start, end) => {
    if (parser.parse(bytes, start, end) === PARSED.entry) note();
  }, () => {});
  const whole = wholeOf(source, isGzip);
  const start = isGzip ? 0 : Math.max(0, source.size - TAIL_BYTES);
  try {
    for await (const piece of readPieces(files, { ...whole, start }, signal)) splitter.push(piece);
  } catch (error) {
    if (!(error instanceof BrokenGzipError)) throw error;
  }
  splitter.finish();
  if (parser.finish() === PARSED.entry) note();
  return newest;
}
