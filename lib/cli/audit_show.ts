/**
 * `rein audit show` and `export`: the entries that are wanted.
 *
 * @module
 */

import type { AuditEntry } from "../audit/entry.ts";
import { readEntries, type ReadLine } from "../audit/read_entries.ts";
import { message } from "../messages/messages.ts";
import type { LineFile, Ports } from "../ports.ts";
import { filterOf, type FilterOptions, momentOf } from "./audit_filter.ts";
import { lineOf } from "./audit_lines.ts";
import { type LogPlace, placeOfLog } from "./audit_place.ts";
import { UsageError } from "./failure.ts";
import { jsonLine } from "./sessions_list.ts";

/** The options of `show`. */
export interface ShowOptions extends FilterOptions {
  readonly file?: string;
  /** The newest of those that are wanted. */
  readonly last?: number;
  readonly output: "text" | "jsonl";
}

/** The options of `export`. */
export interface ExportOptions extends FilterOptions {
  readonly file?: string;
  readonly out?: string;
}

/** Text that is written at once, in UTF-16 units. */
const PIECE_CHARS = 64 * 1024;

/** A line that is an entry. */
type EntryLine = ReadLine & { readonly entry: AuditEntry };

/** The entries that are wanted, in order; what is none is counted. */
async function* wanted(
  options: FilterOptions,
  ports: Ports,
  { place, signal, onOther }: {
    readonly place: LogPlace;
    readonly signal: AbortSignal;
    readonly onOther: () => void;
  },
): AsyncGenerator<EntryLine> {
  const nowMs = ports.clock.now();
  const isWanted = filterOf(options, nowMs);
  const sinceMs = options.since === undefined ? null : momentOf(options.since, "--since", nowMs);
  const { path, alone } = place;
  for await (const line of readEntries({ path, alone, sinceMs }, ports, signal)) {
    if (line.entry === null) onOther();
    else if (isWanted(line.entry)) yield { ...line, entry: line.entry };
  }
}

/** The last ones of some, in order. */
async function* lastOf(lines: AsyncIterable<EntryLine>, count: number): AsyncGenerator<EntryLine> {
  const kept: EntryLine[] = [];
  for await (const line of lines) {
    kept.push(line);
    if (kept.length > count) kept.shift();
  }
  yield* kept;
}

/** Writes texts in pieces of some size. */
async function inPieces(
  texts: AsyncIterable<string>,
  write: (text: string) => Promise<void> | void,
): Promise<void> {
  let piece = "";
  for await (const text of texts) {
    piece += text;
    if (piece.length < PIECE_CHARS) continue;
    await write(piece);
    piece = "";
  }
  if (piece !== "") await write(piece);
}

/** What is no entry is said once; `verify` tells more. */
class Others {
  #count = 0;
  readonly note = () => void this.#count++;

  async tell({ terminal, say }: Ports): Promise<void> {
    if (this.#count === 0) return;
    await terminal.err(`rein: ${say("audit.others", { count: this.#count })}\n`);
  }
}

/** An entry as it stands in the log; on a terminal, without what a terminal obeys. */
function asItIs({ text, entry }: EntryLine, { terminal }: Ports): string {
  return terminal.stdoutIsTerminal ? jsonLine(entry) : `${text}\n`;
}

/**
 * Prints the entries that are wanted.
 *
 * @throws {UsageError} If there is no log, or an option is wrong.
 * @throws {FileError} If the log can't be read.
 * @throws {OutputError} If it can't be printed.
 */
export async function showAudit(
  options: ShowOptions,
  ports: Ports,
  signal: AbortSignal,
): Promise<void> {
  const others = new Others();
  const place = await placeOfLog(options.file, ports);
  const all = wanted(options, ports, { place, signal, onOther: others.note });
  const lines = options.last === undefined ? all : lastOf(all, options.last);
  const texts = async function* () {
    for await (const line of lines) {
      yield options.output === "jsonl" ? asItIs(line, ports) : lineOf(line.entry, ports.say);
    }
  };
  await inPieces(texts(), (text) => ports.terminal.out(text));
  await others.tell(ports);
}

/** A new file for this user alone. */
async function newFile(path: string, { files }: Ports): Promise<LineFile> {
  const there = await files.stat(path).catch(() => null);
  if (there !== null) {
    throw new UsageError(message("audit.is_there", { path }), message("audit.is_there_hint"));
  }
  await files.replace(path, new Uint8Array(0), { makeParents: false, mode: 0o600 });
  return await files.openLines(path);
}

/**
 * Writes the entries of some time as they stand in the log, to stdout or to a new file.
 *
 * @throws As {@linkcode showAudit}, and {UsageError} if the file is there already.
 */
export async function exportAudit(
  { out, ...options }: ExportOptions,
  ports: Ports,
  signal: AbortSignal,
): Promise<void> {
  if (out === undefined) return await showAudit({ ...options, output: "jsonl" }, ports, signal);
  const others = new Others();
  let count = 0;
  const place = await placeOfLog(options.file, ports);
  const file = await newFile(out, ports);
  try {
    const lines = wanted(options, ports, { place, signal, onOther: others.note });
    for await (const { text } of lines) {
      file.append(text);
      count++;
    }
  } finally {
    file.close();
  }
  await others.tell(ports);
  await ports.terminal.err(`rein: ${ports.say("audit.exported", { count, path: out })}\n`);
}
