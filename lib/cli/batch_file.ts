/**
 * The file of a batch's results, which says what is done already.
 *
 * @module
 */

import { type Message, message } from "../messages/messages.ts";
import { FileError, type Files, type LineFile, OutputError } from "../ports.ts";
import { UsageError } from "./failure.ts";

/** A file of results that is open. */
export interface ResultFile {
  /** Ids of tasks that are answered in it. */
  readonly answered: ReadonlySet<string>;
  /** Whether its last line was torn and is gone. */
  readonly torn: boolean;
  /**
   * Adds a result.
   *
   * @throws {OutputError} If that can't be done.
   */
  add(line: string): void;
  close(): void;
}

/** How every line begins that is written here. */
const BEGINNING = '{"id":';

const LF = 0x0a;

/** What a file holds. */
interface Found {
  readonly answered: Set<string>;
  /** Bytes up to and with its last line end. */
  wholeBytes: number;
  /** What stands behind them. */
  tail: string;
}

function notResults(fault: Message): UsageError {
  return new UsageError(fault, message("batch.no_result_hint"));
}

/** The id of a line if it is a result, and whether that was answered; null: it is none. */
function resultOf(line: string): { id: string; answered: boolean } | null {
  try {
    const { id, schema, stop_reason } = JSON.parse(line);
    if (typeof id !== "string" || schema !== "rein-result/1") return null;
    return { id, answered: stop_reason === "answered" };
  } catch {
    return null;
  }
}

/** Lines of a file as bytes, the last one perhaps without its end. */
async function* linesOf(path: string, files: Pick<Files, "read">, signal: AbortSignal) {
  let open: Uint8Array[] = [];
  const joined = (last: Uint8Array) => {
    const bytes = new Uint8Array([...open, last].reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of [...open, last]) {
      bytes.set(piece, at);
      at += piece.length;
    }
    open = [];
    return bytes;
  };
  for await (const piece of files.read(path, signal)) {
    let from = 0;
    for (let at = piece.indexOf(LF); at !== -1; at = piece.indexOf(LF, from)) {
      yield joined(piece.subarray(from, at + 1));
      from = at + 1;
    }
    open.push(piece.slice(from));
  }
  signal.throwIfAborted();
  yield joined(new Uint8Array(0));
}

async function readResults(
  path: string,
  files: Pick<Files, "read">,
  signal: AbortSignal,
): Promise<Found> {
  const found: Found = { answered: new Set(), wholeBytes: 0, tail: "" };
  const decoder = new TextDecoder();
  let number = 0;
  for await (const bytes of linesOf(path, files, signal)) {
    const line = decoder.decode(bytes);
    number++;
    if (!line.endsWith("\n")) {
      found.tail = line;
      continue;
    }
    found.wholeBytes += bytes.length;
    if (line.trim() === "") continue;
    const result = resultOf(line);
    if (result === null) throw notResults(message("batch.line_no_result", { number, path }));
    if (result.answered) found.answered.add(result.id);
  }
  return found;
}

/** Deals with what stands behind the last line end: a whole result, a torn one, or neither. */
function mend(path: string, { tail, wholeBytes, answered }: Found, file: LineFile): boolean {
  if (tail === "") return false;
  const result = resultOf(tail);
  if (result !== null) {
    file.append("");
    if (result.answered) answered.add(result.id);
    return false;
  }
  // After a power cut, a file may end in zeros.
  const rest = tail.replace(/\0+$/, "");
  if (!rest.startsWith(BEGINNING) && !BEGINNING.startsWith(rest)) {
    throw notResults(message("batch.last_no_result", { path }));
  }
  file.cut(wholeBytes);
  return true;
}

function inUse(path: string): UsageError {
  return new UsageError(message("batch.in_use", { path }), message("batch.in_use_hint"));
}

async function existing(path: string, files: Files, signal: AbortSignal): Promise<Found> {
  try {
    return await readResults(path, files, signal);
  } catch (error) {
    if (!(error instanceof FileError) || error.code !== "not_found") throw error;
    return { answered: new Set(), wholeBytes: 0, tail: "" };
  }
}

function asOutputError(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new OutputError(false, error, `"${path}"`);
  }
}

/** What it takes to read the file that is open. */
interface Reading {
  readonly files: Files;
  readonly file: LineFile;
  readonly signal: AbortSignal;
}

/** Nobody may write to it from before it is read. */
async function readAlone(path: string, { files, file, signal }: Reading): Promise<ResultFile> {
  if (!await file.lock()) throw inUse(path);
  const found = await existing(path, files, signal);
  const torn = mend(path, found, file);
  return {
    answered: found.answered,
    torn,
    add: (line) => asOutputError(path, () => file.append(line)),
    close: () => file.close(),
  };
}

/**
 * Opens the file of results for this process alone, made where it is missing. A last line that was torn, as by the end of
 * its process, goes, so that its task is done again.
 *
 * @throws {UsageError} If it holds anything but results, can't be written, or another process has it.
 * @throws The signal's reason, once it is aborted.
 */
export async function openResultFile(
  path: string,
  files: Files,
  signal: AbortSignal,
): Promise<ResultFile> {
  try {
    const file = await files.openLines(path);
    try {
      return await readAlone(path, { files, file, signal });
    } catch (error) {
      file.close();
      throw error;
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const fault = message("batch.result_file", { error: error.message });
    throw new UsageError(fault, message("usage.path_hint"), error);
  }
}
