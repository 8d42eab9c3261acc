/**
 * Verifying an audit log: all of its files, in one pass.
 *
 * @module
 */

import type { Ports } from "../ports.ts";
import { ChainChecker, type Verdict } from "./chain_checker.ts";
import { lineHashes, LineReader } from "./found_lines.ts";
import { readHead } from "./head.ts";
import { filesOf, nameOf } from "./log_files.ts";

/** What reading a log needs. */
export type ReadPorts = Pick<Ports, "files" | "folders" | "hashes">;

/** What is to be verified. */
export interface VerifyRequest {
  /** The file that is written to. */
  readonly path: string;
  /** Whether only this very file is meant, and not those that go before. */
  readonly alone: boolean;
  /** Whether a file must say where it ends. */
  readonly needsHead: boolean;
  /** Null: seals are not looked at. */
  readonly key: Uint8Array | null;
}

/** Bytes read at once. */
const PIECE_BYTES = 1024 * 1024;

/**
 * Verifies a log.
 *
 * @throws {FileError} If a file can't be read.
 * @throws The signal's reason, if it is aborted.
 */
export async function verifyLog(
  { path, alone, needsHead, key }: VerifyRequest,
  { files, folders, hashes }: ReadPorts,
  signal: AbortSignal,
): Promise<Verdict> {
  // Read first: whoever writes meanwhile leaves a log that is longer than its head says.
  const head = await readHead(new TextDecoder().decode(folders.read(`${path}.head`)), {
    hashes,
    key,
  });
  const checker = new ChainChecker(head, { file: nameOf(path), needsHead });
  const lines = await lineHashes(key);
  for (const file of alone ? [path] : filesOf(path, folders)) {
    const reader = new LineReader(nameOf(file), lines);
    for await (const piece of files.read(file, signal, { pieceBytes: PIECE_BYTES })) {
      for (const line of reader.push(piece)) checker.take(line);
    }
    for (const line of reader.end()) checker.take(line);
  }
  return checker.end();
}
