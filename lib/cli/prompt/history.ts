/**
 * What was written at prompts, kept between sessions in a file for this user alone.
 *
 * @module
 */

import { type Database, DatabaseError, type Ports } from "../../ports.ts";

/** Entries that are kept. */
export const MAX_ENTRIES = 1000;

/** Characters of an entry that is kept; longer ones were pasted, and are no use again. */
const MAX_CHARS = 10_000;

/** The history of prompts. */
export interface PromptHistory {
  /** The oldest first. */
  readonly entries: readonly string[];
  /** Adds one, unless it is the same as the last. */
  add(text: string): void;
  close(): void;
}

/** A history that is gone with the process. */
class HistoryInMemory implements PromptHistory {
  readonly #entries: string[];

  constructor(entries: readonly string[]) {
    this.#entries = [...entries];
  }

  get entries(): readonly string[] {
    return this.#entries;
  }

  add(text: string): void {
    if (text !== this.#entries.at(-1)) this.#entries.push(text);
  }

  close(): void {}
}

/** A history that other processes may be adding to. */
class HistoryOnDisk extends HistoryInMemory {
  readonly #database: Database;
  readonly #redact: (text: string) => string;

  constructor(database: Database, redact: (text: string) => string) {
    super(readEntries(database));
    this.#database = database;
    this.#redact = redact;
  }

  override add(text: string): void {
    if (text === this.entries.at(-1)) return;
    super.add(text);
    if (text.length > MAX_CHARS) return;
    quietly(() => {
      this.#database.run("INSERT INTO entry (text) VALUES (?)", this.#redact(text));
      const last = "SELECT id FROM entry ORDER BY id DESC LIMIT 1 OFFSET ?";
      this.#database.run(`DELETE FROM entry WHERE id <= (${last})`, MAX_ENTRIES);
    });
  }

  override close(): void {
    quietly(() => this.#database.close());
  }
}

function readEntries(database: Database): string[] {
  const rows = database.all("SELECT text FROM entry ORDER BY id DESC LIMIT ?", MAX_ENTRIES);
  return rows.map(({ text }) => String(text)).reverse();
}

/** Nothing depends on the history. */
function quietly(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
  }
}

/** How a history is opened. */
export interface HistoryOptions {
  /** Whether it is kept on the disk, where it can be. */
  readonly keep: boolean;
  /** Takes secrets out of what is kept. */
  readonly redact: (text: string) => string;
}

/** Opens the history; where none can be kept, it begins empty and is gone with the process. */
export async function openHistory(
  { keep, redact }: HistoryOptions,
  { databases }: Pick<Ports, "databases">,
): Promise<PromptHistory> {
  const nothing = new HistoryInMemory([]);
  if (!keep || databases.folder === null) return nothing;
  try {
    const database = await databases.open(`${databases.folder}/history.db`);
    // Nothing depends on the last entries, and waiting for the disk would be felt.
    database.exec("PRAGMA synchronous = OFF");
    database.exec("CREATE TABLE IF NOT EXISTS entry (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
    return new HistoryOnDisk(database, redact);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return nothing;
  }
}
