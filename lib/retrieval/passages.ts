/**
 * Passages of any texts in a data base, found by words and, where there is an embedder, by meaning.
 *
 * @module
 */

import { type Database, DatabaseError } from "../ports.ts";
import { type Embedder, EmbeddingError } from "./embed.ts";
import { excerptOf } from "./excerpt.ts";
import { migrate } from "./migrate.ts";
import { findRows, type FoundRow, TEXT_END, type TextTable } from "./query.ts";
import { embedMissing, nearest, VECTOR_SCHEMA } from "./vectors.ts";

/** A piece of a text, and where it stands. */
export interface Passage {
  /** What it belongs to, and is removed with. */
  readonly source: string;
  /** For whoever cites it: `docs/x.md:12-40`, `step 12, run_shell`. */
  readonly place: string;
  readonly text: string;
}

/** A passage that was found. */
export interface Hit {
  readonly source: string;
  readonly place: string;
  /** What stands around the words that were found. */
  readonly excerpt: string;
  /** Whether it has every word of the query, or is only like it. */
  readonly exact: boolean;
}

/** What a search found. */
export interface Found {
  /** Best first. */
  readonly hits: readonly Hit[];
  /** What whoever asked should know, in sentences: what could not be searched, for instance. */
  readonly notes: readonly string[];
}

/** How passages are found. */
export interface PassagesOptions {
  /** Null: by words alone. */
  readonly embedder: Embedder | null;
  /** Characters of an excerpt; 400 if left out. */
  readonly excerptChars?: number;
}

/** The versions of the tables; only ever added to. */
const STEPS: readonly string[] = [`
  CREATE TABLE passage (
    id INTEGER PRIMARY KEY, source TEXT NOT NULL, place TEXT NOT NULL, text TEXT NOT NULL
  );
  CREATE INDEX passage_source ON passage (source);
  CREATE VIRTUAL TABLE passage_text USING fts5(
    text, content = 'passage', content_rowid = 'id', tokenize = 'trigram'
  );
  CREATE VIRTUAL TABLE passage_term USING fts5vocab(passage_text, row);
  CREATE TRIGGER passage_added AFTER INSERT ON passage BEGIN
    INSERT INTO passage_text (rowid, text) VALUES (new.id, new.text);
  END;
  CREATE TRIGGER passage_gone AFTER DELETE ON passage BEGIN
    INSERT INTO passage_text (passage_text, rowid, text) VALUES ('delete', old.id, old.text);
  END;
  ${VECTOR_SCHEMA}
`];

const TABLE: TextTable = {
  name: "passage_text",
  text: "text",
  order: "rowid DESC",
  terms: "passage_term",
};

/** Characters of an excerpt. */
const EXCERPT_CHARS = 400;

/** Passages of each kind of search that are joined at the least. */
const MIN_RANKED = 30;

/** How fast a place in a ranking loses weight. Source: Cormack, Clarke, Büttcher: RRF, 2009. */
const FUSION_K = 60;

/** Passages that get a vector during one search: two requests. */
const EMBEDDED_A_SEARCH = 128;

/**
 * Joins rankings by reciprocal rank: what stands high in several of them is first.
 *
 * @param rankings Ids, best first, each at most once in a ranking.
 */
export function fuse(rankings: readonly (readonly number[])[]): readonly number[] {
  const scores = new Map<number, number>();
  for (const ranking of rankings) {
    for (const [index, id] of ranking.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + 1 / (FUSION_K + index + 1));
    }
  }
  return [...scores].sort(([, a], [, b]) => b - a).map(([id]) => id);
}

/** What has no vectors: a failure that a search goes on without. */
function noteOf(error: unknown): string {
  if (error instanceof EmbeddingError || error instanceof DatabaseError) {
    return `By words alone: ${error.message}.`;
  }
  throw error;
}

/** Passages in a data base. Every method throws {@linkcode DatabaseError}. */
export class Passages {
  readonly #database: Database;
  readonly #embedder: Embedder | null;
  readonly #excerptChars: number;

  /**
   * Makes the tables where they are missing.
   *
   * @throws {DatabaseError} If the data base can't be used, or a newer rein has written it.
   */
  constructor(database: Database, { embedder, excerptChars = EXCERPT_CHARS }: PassagesOptions) {
    this.#database = database;
    this.#embedder = embedder;
    this.#excerptChars = excerptChars;
    migrate(database, "passages", STEPS);
  }

  /** Adds passages; fastest within a transaction. Returns how many. */
  addPassages(passages: Iterable<Passage>): number {
    let count = 0;
    for (const { source, place, text } of passages) {
      const sql = "INSERT INTO passage (source, place, text) VALUES (?, ?, ?)";
      this.#database.run(sql, source, place, text.toWellFormed() + TEXT_END);
      count++;
    }
    return count;
  }

  /** Removes all passages of a source. Returns how many. */
  removeSource(source: string): number {
    return this.#database.run("DELETE FROM passage WHERE source = ?", source);
  }

  /** The sources that there are, sorted. */
  sources(): readonly string[] {
    const rows = this.#database.all("SELECT DISTINCT source FROM passage ORDER BY source");
    return rows.map(({ source }) => String(source));
  }

  /**
   * Asks for the vectors of passages that have none, where there is an embedder.
   *
   * @param limit Passages at the most.
   * @returns What whoever asked should know; never throws for a server that fails.
   * @throws The signal's reason, once it is aborted.
   */
  async embed(limit: number, signal: AbortSignal): Promise<readonly string[]> {
    if (this.#embedder === null) return [];
    try {
      const missing = await embedMissing(this.#database, this.#embedder, { limit, signal });
      return missing === 0 ? [] : [`${missing} passages can be found by words only, so far.`];
    } catch (error) {
      signal.throwIfAborted();
      return [noteOf(error)];
    }
  }

  /**
   * Finds passages, best first.
   *
   * @param query Words, never a pattern; without a word nothing is found.
   * @param limit Hits at the most.
   * @throws The signal's reason, once it is aborted.
   */
  async search(query: string, limit: number, signal: AbortSignal): Promise<Found> {
    if (query.trim() === "") return { hits: [], notes: [] };
    const depth = Math.max(limit, MIN_RANKED);
    const rows = findRows(this.#database, TABLE, { query, limit: depth, fill: true });
    const { ids, notes } = await this.#byMeaning(query, depth, signal);
    const order = fuse([rows.map(({ id }) => id), ids]).slice(0, limit);
    return { hits: order.flatMap((id) => this.#hit(id, query, rows)), notes };
  }

  async #byMeaning(query: string, limit: number, signal: AbortSignal) {
    if (this.#embedder === null) return { ids: [], notes: [] };
    try {
      const [vector] = await this.#embedder.embed([query], signal);
      if (vector === undefined) return { ids: [], notes: [] };
      const notes = await this.embed(EMBEDDED_A_SEARCH, signal);
      const { model } = this.#embedder;
      return { ids: nearest(this.#database, { model, vector, limit }), notes };
    } catch (error) {
      signal.throwIfAborted();
      return { ids: [], notes: [noteOf(error)] };
    }
  }

  #hit(id: number, query: string, rows: readonly FoundRow[]): Hit[] {
    const [row] = this.#database.all("SELECT source, place, text FROM passage WHERE id = ?", id);
    if (row === undefined) return [];
    return [{
      source: String(row["source"]),
      place: String(row["place"]),
      excerpt: excerptOf(String(row["text"]), query, this.#excerptChars),
      exact: rows.some((found) => found.id === id && found.exact),
    }];
  }
}
