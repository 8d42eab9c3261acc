/**
 * Reading the entries of a log, for people and programs that look at it.
 *
 * @module
 */

import type { Ports } from "../ports.ts";
import { type AuditEntry, isEntry } from "./entry.ts";
import { filesOf, nameOf } from "./log_files.ts";

/** A line of a log. */
export interface ReadLine {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Without its line end. */
  readonly text: string;
  /** Null: it is none. */
  readonly entry: AuditEntry | null;
}

/** What is to be read. */
export interface ReadRequest {
  /** The file that is written to. */
  readonly path: string;
  /** Whether only this very file is meant, and not those that go before. */
  readonly alone: boolean;
  /** Entries before this moment are not wanted, in milliseconds; null: all are. */
  readonly sinceMs: number | null;
}

function entryIn(text: string): AuditEntry | null {
  try {
    const value: unknown = JSON.parse(text);
    return isEntry(value) ? value as unknown as AuditEntry : null;
  } catch {
    return null;
  }
}

/** Bytes read at once. */
const PIECE_BYTES = 256 * 1024;

/**
 * The lines of a log, the oldest first; memory stays bounded. Files that were full before the wanted
 * time are left out.
 *
 * @throws {FileError} If a file can't be read.
 * @throws The signal's reason, if it is aborted.
 */
export async function* readEntries(
  { path, alone, sinceMs }: ReadRequest,
  { files, folders }: Pick<Ports, "files" | "folders">,
  signal: AbortSignal,
): AsyncGenerator<ReadLine> {
  for (const file of alone ? [path] : filesOf(path, folders)) {
    if (sinceMs !== null && (folders.info(file)?.modifiedMs ?? 0) < sinceMs) continue;
    const decoder = new TextDecoder();
    let rest = "";
    let line = 0;
    const told = (text: string) => ({
      file: nameOf(file),
      line: ++line,
      text,
      entry: entryIn(text),
    });
    for await (const piece of files.read(file, signal, { pieceBytes: PIECE_BYTES })) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const text of lines) yield told(text);
    }
    if (rest !== "") yield told(rest);
  }
}
