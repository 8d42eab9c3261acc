/**
 * Where a log really ends, whatever its last writer came to.
 *
 * @module
 */

import type { HeldLog } from "../audit_ports.ts";
import { ForeignFile } from "./audit_error.ts";
import { AUDIT_SCHEMA, type EntryBody, isEntry } from "./entry.ts";
import type { FoundHead, Head } from "./head.ts";
import { type ChainEnd, NO_CHAIN, type Sealing } from "./seal.ts";

/** Bytes read at first; more where a line is longer. */
const FIRST_BYTES = 64 * 1024;

const LINE_END = 0x0a;

/** What a log needs before anything else is added to it. */
export interface Tail {
  readonly end: ChainEnd;
  /** In bytes; null: there is no file. */
  readonly size: number | null;
  /** Whether the last line was not ended. */
  readonly torn: boolean;
  /** What the log must say of itself first; null: nothing. */
  readonly recovered: Extract<EntryBody, { kind: "recovered" }> | null;
}

/** The last whole line and what stands behind it; both without line ends. */
interface LastLines {
  readonly line: Uint8Array | null;
  readonly rest: Uint8Array;
}

function lastLines(log: HeldLog, size: number): LastLines {
  for (let length = Math.min(size, FIRST_BYTES);; length = Math.min(size, length * 4)) {
    const bytes = log.read(size - length, length);
    const end = bytes.lastIndexOf(LINE_END);
    const start = end <= 0 ? -1 : bytes.lastIndexOf(LINE_END, end - 1);
    const whole = length === size;
    if (end >= 0 && (start >= 0 || whole)) {
      return { line: bytes.subarray(start + 1, end), rest: bytes.subarray(end + 1) };
    }
    if (whole) return { line: null, rest: bytes };
  }
}

function seqIn(line: Uint8Array): number | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(line));
    return isEntry(value) ? value.seq : null;
  } catch {
    return null;
  }
}

/** What is without a head and does not begin with an entry is something else. */
function checkOurs(log: HeldLog, head: FoundHead): void {
  if (head.kind !== "missing") return;
  const beginning = new TextDecoder().decode(log.read(0, FIRST_BYTES));
  if (!beginning.includes(`"schema":"${AUDIT_SCHEMA}"`)) throw new ForeignFile();
}

function headWord({ kind }: FoundHead): "whole" | "missing" | "damaged" {
  return kind === "unsealed" ? "damaged" : kind;
}

/** The numbers that the head knows of and the log has not. */
function lostAfter(seq: number, head: Head | null): { from: number; to: number } | null {
  return head !== null && head.seq > seq ? { from: seq + 1, to: head.seq } : null;
}

/** Looks at the file itself, since its length is not what the head says. */
async function examine(
  log: HeldLog,
  size: number,
  found: FoundHead,
  { hashes }: Sealing,
): Promise<Tail> {
  checkOurs(log, found);
  const head = found.kind === "whole" ? found.head : null;
  const { line, rest } = lastLines(log, size);
  const last = line === null ? NO_CHAIN : {
    // A last line that is no entry any more still has its place, as far as the head knows it.
    seq: seqIn(line) ?? head?.seq ?? 0,
    hash: await hashes.sha256(line),
  };
  const lost = lostAfter(last.seq, head);
  const torn = rest.length === 0 ? null : { bytes: rest.length, sha256: await hashes.sha256(rest) };
  const quiet = torn === null && lost === null && found.kind === "whole";
  return {
    // Lost numbers are not given again, so that they stay missing.
    end: { ...last, seq: lost?.to ?? last.seq },
    size,
    torn: torn !== null,
    recovered: quiet ? null : { kind: "recovered", torn, lost, head: headWord(found) },
  };
}

/**
 * Finds the end of a log, from its head where that fits the file, else from the file.
 *
 * @throws {ForeignFile} If the file is no audit log.
 * @throws {FileError} If it can't be read.
 */
export async function findTail(log: HeldLog, found: FoundHead, sealing: Sealing): Promise<Tail> {
  const size = log.size();
  const head = found.kind === "whole" ? found.head : null;
  if (size === null || size === 0) {
    const damaged = found.kind === "damaged" || found.kind === "unsealed";
    const word = headWord(found);
    return {
      // Of a file that is gone, or was moved just before its writer ended, the head knows the end.
      end: head ?? NO_CHAIN,
      size,
      torn: false,
      recovered: damaged ? { kind: "recovered", torn: null, lost: null, head: word } : null,
    };
  }
  if (head !== null && head.bytes === size) {
    return { end: head, size, torn: false, recovered: null };
  }
  return await examine(log, size, found, sealing);
}
