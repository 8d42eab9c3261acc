/**
 * The vectors of passages, kept beside them.
 *
 * @module
 */

import type { Database, SqlValue } from "../ports.ts";
import { BATCH_TEXTS, type Embedder } from "./embed.ts";

/** Makes their table; a vector goes with its passage. */
export const VECTOR_SCHEMA = `
  CREATE TABLE passage_vector (
    passage INTEGER PRIMARY KEY, model TEXT NOT NULL, vector BLOB NOT NULL
  );
  CREATE TRIGGER passage_vector_gone AFTER DELETE ON passage BEGIN
    DELETE FROM passage_vector WHERE passage = old.id;
  END;
`;

/** Vectors read at once: 16 MB of the largest. */
const PAGE_ROWS = 1000;

/** Four bytes a number; a buffer of SQLite's may begin anywhere. */
function vectorOf(value: SqlValue | undefined): Float32Array {
  if (!(value instanceof Uint8Array)) return new Float32Array(0);
  const aligned = value.byteOffset % 4 === 0 ? value : value.slice();
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 2);
}

/** The cosine of two vectors of length 1. */
function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

const MISSING = `FROM passage LEFT JOIN passage_vector AS own
  ON own.passage = passage.id AND own.model = ? WHERE own.passage IS NULL`;

/** How many passages have no vector of this model. */
export function countMissing(database: Database, model: string): number {
  return Number(database.all(`SELECT count(*) AS n ${MISSING}`, model)[0]?.["n"] ?? 0);
}

/**
 * Asks for vectors of passages that have none of this model, the newest first.
 *
 * @param limit Passages at the most.
 * @returns How many there are still without.
 * @throws {EmbeddingError} If the server fails; what came before stays.
 * @throws {DatabaseError} If they can't be kept.
 */
export async function embedMissing(
  database: Database,
  embedder: Embedder,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<number> {
  const { model } = embedder;
  const sql = `SELECT passage.id, passage.text ${MISSING} AND passage.id < ?
    ORDER BY passage.id DESC LIMIT ?`;
  let before: SqlValue = Number.MAX_SAFE_INTEGER;
  for (let left = limit; left > 0; left -= BATCH_TEXTS) {
    const rows = database.all(sql, model, before, Math.min(left, BATCH_TEXTS));
    if (rows.length === 0) break;
    before = rows.at(-1)?.["id"] ?? 0;
    const vectors = await embedder.embed(rows.map(({ text }) => String(text)), signal);
    database.transaction(() => {
      for (const [index, { id = null, text = null }] of rows.entries()) {
        const vector = vectors[index];
        if (vector === undefined) continue;
        const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
        // Another process may have put another passage in its place.
        const put = `REPLACE INTO passage_vector
          SELECT id, ?, ? FROM passage WHERE id = ? AND text = ?`;
        database.run(put, model, bytes, id, text);
      }
    });
  }
  return countMissing(database, model);
}

/**
 * The passages whose vectors are nearest to one, the nearest first. Looks at all of them.
 *
 * @throws {DatabaseError} If they can't be read.
 */
export function nearest(
  database: Database,
  { model, vector, limit }: {
    readonly model: string;
    readonly vector: Float32Array;
    readonly limit: number;
  },
): readonly number[] {
  let best: { readonly id: number; readonly cosine: number }[] = [];
  const sql = `SELECT passage, model, vector FROM passage_vector
    WHERE passage > ? ORDER BY passage LIMIT ${PAGE_ROWS}`;
  for (let after = -1, more = true; more;) {
    const rows = database.all(sql, after);
    for (const row of rows) {
      after = Number(row["passage"]);
      const other = vectorOf(row["vector"]);
      if (row["model"] !== model || other.length !== vector.length) continue;
      best.push({ id: after, cosine: dot(vector, other) });
    }
    best = best.sort((a, b) => b.cosine - a.cosine).slice(0, limit);
    more = rows.length === PAGE_ROWS;
  }
  return best.map(({ id }) => id);
}
