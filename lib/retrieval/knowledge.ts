/**
 * The knowledge base: documents that were added by hand, in pieces that can be found.
 *
 * @module
 */

import {
  type Clock,
  type Database,
  DatabaseError,
  type Databases,
  FileError,
  type Files,
} from "../ports.ts";
import {
  DOCUMENT_PIECE_CHARS,
  DocumentError,
  filesAt,
  piecesOfDocument,
  readContent,
} from "./documents.ts";
import type { Embedder } from "./embed.ts";
import { knowledgeExists, knowledgePath } from "./knowledge_path.ts";
import { migrate } from "./migrate.ts";
import { type Found, Passages } from "./passages.ts";

/** What came of one file. */
export interface AddedFile {
  /** Absolute. */
  readonly path: string;
  readonly outcome: "added" | "replaced" | "unchanged" | "refused";
  readonly pieces: number;
  /** Why it was refused; null otherwise. */
  readonly reason: string | null;
}

/** A document of the knowledge base. */
export interface KnowledgeDocument {
  /** Absolute. */
  readonly path: string;
  readonly pieces: number;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly addedMs: number;
  /** Whether the file is still as it was added. */
  readonly state: "current" | "changed" | "gone";
}

/** What the knowledge base needs of the outside world. */
export interface KnowledgePorts {
  readonly databases: Databases;
  readonly files: Files;
  readonly clock: Clock;
}

/** The versions of the tables; only ever added to. */
const STEPS: readonly string[] = [`
  CREATE TABLE document (
    path TEXT PRIMARY KEY, bytes INTEGER NOT NULL, modified_ms INTEGER, hash TEXT NOT NULL,
    pieces INTEGER NOT NULL, added_ms INTEGER NOT NULL
  );
`];

/** An open knowledge base. Every method throws {@linkcode DatabaseError}. */
export class Knowledge {
  readonly #database: Database;
  readonly #passages: Passages;
  readonly #files: Files;
  readonly #clock: Clock;

  /** @param database Closed with the knowledge base. */
  constructor(database: Database, { files, clock }: KnowledgePorts, embedder: Embedder | null) {
    this.#database = database;
    this.#files = files;
    this.#clock = clock;
    migrate(database, "knowledge", STEPS);
    this.#passages = new Passages(database, { embedder, excerptChars: DOCUMENT_PIECE_CHARS });
  }

  /**
   * Adds a file, or all below a directory; what has not changed since is left as it is.
   *
   * @param path Absolute.
   * @returns What came of each file, as it is done.
   * @throws The signal's reason, once it is aborted; what was added stays.
   */
  async *add(path: string, signal: AbortSignal): AsyncGenerator<AddedFile> {
    for await (const file of filesAt(path, this.#files, signal)) {
      signal.throwIfAborted();
      yield file.refused === null
        ? await this.#addFile(file.path, signal)
        : { path: file.path, outcome: "refused", pieces: 0, reason: file.refused };
    }
  }

  /** Removes a document, or all below a directory. Returns their paths. */
  remove(path: string): readonly string[] {
    return this.#database.transaction(() => {
      const rows = this.#database.all(
        "SELECT path FROM document WHERE path = ?1 OR substr(path, 1, length(?2)) = ?2 ORDER BY path",
        path,
        `${path.replace(/\/$/, "")}/`,
      );
      for (const { path: found = "" } of rows) {
        this.#passages.removeSource(String(found));
        this.#database.run("DELETE FROM document WHERE path = ?", found);
      }
      return rows.map(({ path: found }) => String(found));
    });
  }

  /** All documents by their paths, compared with the files of now. */
  async list(signal: AbortSignal): Promise<readonly KnowledgeDocument[]> {
    const rows = this.#database.all("SELECT * FROM document ORDER BY path");
    return await Promise.all(rows.map(async (row) => ({
      path: String(row["path"]),
      pieces: Number(row["pieces"]),
      bytes: Number(row["bytes"]),
      addedMs: Number(row["added_ms"]),
      state: await this.#stateOf(String(row["path"]), signal),
    })));
  }

  /** How many documents there are. */
  count(): number {
    return Number(this.#database.all("SELECT count(*) AS n FROM document")[0]?.["n"]);
  }

  /** Asks for the vectors of pieces that have none; see {@linkcode Passages.embed}. */
  embed(limit: number, signal: AbortSignal): Promise<readonly string[]> {
    return this.#passages.embed(limit, signal);
  }

  /** Finds pieces; the place of each begins with its path, from the working directory if below. */
  async search(query: string, limit: number, signal: AbortSignal): Promise<Found> {
    const { hits, notes } = await this.#passages.search(query, limit, signal);
    const here = `${this.#files.cwd().replace(/\/$/, "")}/`;
    return {
      hits: hits.map((hit) => ({
        ...hit,
        place: hit.place.startsWith(here) ? hit.place.slice(here.length) : hit.place,
      })),
      notes,
    };
  }

  close(): void {
    this.#database.close();
  }

  #known(path: string) {
    return this.#database.all("SELECT * FROM document WHERE path = ?", path)[0];
  }

  async #addFile(path: string, signal: AbortSignal): Promise<AddedFile> {
    try {
      const { bytes, hash, modifiedMs } = await readContent(path, this.#files, signal);
      const known = this.#known(path);
      if (known?.["hash"] === hash && known["bytes"] === bytes.length) {
        return { path, outcome: "unchanged", pieces: Number(known["pieces"]), reason: null };
      }
      const pieces = await piecesOfDocument(path, bytes);
      const document = [path, bytes.length, modifiedMs, hash, pieces.length, this.#clock.now()];
      this.#database.transaction(() => {
        this.#passages.removeSource(path);
        this.#passages.addPassages(
          pieces.map(({ place, text }) => ({ source: path, place: path + place, text })),
        );
        this.#database.run("REPLACE INTO document VALUES (?, ?, ?, ?, ?, ?)", ...document);
      });
      const outcome = known === undefined ? "added" : "replaced";
      return { path, outcome, pieces: pieces.length, reason: null };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DocumentError || error instanceof FileError)) throw error;
      return { path, outcome: "refused", pieces: 0, reason: error.message };
    }
  }

  async #stateOf(path: string, signal: AbortSignal): Promise<KnowledgeDocument["state"]> {
    const known = this.#known(path);
    try {
      const { kind, size, modifiedMs } = await this.#files.stat(path);
      if (kind !== "file") return "gone";
      if (size !== known?.["bytes"]) return "changed";
      if (modifiedMs !== null && modifiedMs === known["modified_ms"]) return "current";
      const { hash } = await readContent(path, this.#files, signal);
      return hash === known["hash"] ? "current" : "changed";
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FileError || error instanceof DocumentError)) throw error;
      return "gone";
    }
  }
}

/**
 * Opens the knowledge base.
 *
 * @param options `embedder`: null for words alone. `make`: whether it is made where it is missing.
 * @returns Null if it is missing and not to be made, or if nothing may be kept here.
 * @throws {DatabaseError} If it can't be used, with its path.
 */
export async function openKnowledge(
  ports: KnowledgePorts,
  { embedder, make }: { readonly embedder: Embedder | null; readonly make: boolean },
): Promise<Knowledge | null> {
  const path = knowledgePath(ports.databases);
  if (path === null || (!make && !await knowledgeExists(ports))) return null;
  const database = await ports.databases.open(path);
  try {
    return new Knowledge(database, ports, embedder);
  } catch (error) {
    database.close();
    if (!(error instanceof DatabaseError) || error.message.includes(path)) throw error;
    throw new DatabaseError(error.code, `"${path}" can't be used: ${error.message}`, error);
  }
}

/** The knowledge base as a run has it: opened for each search, so that nobody waits for it. */
export interface KnowledgeSource {
  /** The file, absolute. */
  readonly path: string;
  /** @throws {DatabaseError} If it can't be used. */
  search(query: string, limit: number, signal: AbortSignal): Promise<Found>;
}

/**
 * The knowledge base of this user, for a run.
 *
 * @returns Null if there is none, or no document in it.
 * @throws {DatabaseError} If it can't be used.
 */
export async function findKnowledge(
  ports: KnowledgePorts,
  embedder: Embedder | null,
): Promise<KnowledgeSource | null> {
  const open = () => openKnowledge(ports, { embedder, make: false });
  const path = knowledgePath(ports.databases);
  const knowledge = await open();
  if (knowledge === null || path === null) return null;
  try {
    if (knowledge.count() === 0) return null;
  } finally {
    knowledge.close();
  }
  return {
    path,
    search: async (query, limit, signal) => {
      const opened = await open();
      if (opened === null) return { hits: [], notes: ["The knowledge base is gone."] };
      try {
        return await opened.search(query, limit, signal);
      } finally {
        opened.close();
      }
    },
  };
}
