/**
 * Finding rows by words, in a full-text table of SQLite that is indexed by trigrams. Trigrams find
 * parts of words, and text that has no spaces between its words.
 *
 * @module
 */

import type { Database, SqlValue } from "../ports.ts";

/** A table of FTS5 with the tokenizer `trigram`. */
export interface TextTable {
  readonly name: string;
  /** All of its text, as an expression of SQL. */
  readonly text: string;
  /** The order of rows that the index does not rank. */
  readonly order: string;
  /**
   * The table of its terms (`fts5vocab`), for words that are too short for the index. Every text
   * must then end with {@linkcode TEXT_END}. Null: every row is looked at.
   */
  readonly terms: string | null;
}

/** A row that was found. */
export interface FoundRow {
  readonly id: number;
  /** Whether it has every word, or only something like the words. */
  readonly exact: boolean;
}

/** Makes each character of a text begin a trigram; see {@linkcode TextTable}. */
export const TEXT_END = "\n\n";

/** Characters that the trigram index needs at the least. Source: SQLite's documentation of FTS5. */
const TRIGRAM = 3;

/** Words of a query, and pieces of words, that are looked for at the most. */
const MAX_WORDS = 12;
const MAX_PIECES = 48;

/** Terms that may stand for one short word; with more, looking at every row takes no longer. */
const MAX_TERMS = 400;

const isLong = (word: string) => [...word].length >= TRIGRAM;
const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`;
const holding = (word: string) => `%${word.replaceAll(/[\\%_]/g, "\\$&")}%`;
const holds = ({ text }: TextTable) => `(${text} LIKE ? ESCAPE '\\')`;

/** Writing without spaces between words, such as Chinese. */
const UNSPACED = /\p{Lo}/u;

/**
 * The words of a query: what stands between spaces, without the marks of a sentence behind it, each
 * once, a bounded number.
 */
export function wordsOf(query: string): readonly string[] {
  const words = query.split(/\s+/).filter((word) => word !== "");
  const plain = words.map((word) => word.replace(/(?<=.)[?!,;。，、；？！]+$/su, ""));
  return [...new Set(plain)].slice(0, MAX_WORDS);
}

/** Runs of this many characters of each word. */
export function piecesOf(words: readonly string[], length: number): readonly string[] {
  const pieces = words.flatMap((word) => {
    const characters = [...word];
    return characters.map((_, at) => characters.slice(at, at + length).join(""))
      .slice(0, Math.max(0, characters.length - length + 1));
  });
  return [...new Set(pieces)].slice(0, MAX_PIECES);
}

/** Pairs mean something where words are written without spaces; elsewhere they are noise. */
export function pairsOf(words: readonly string[]): readonly string[] {
  return piecesOf(words.filter((word) => UNSPACED.test(word)), 2);
}

/** What may stand for the words: whole ones, and pieces of those that are written together. */
function partsOf(words: readonly string[]): readonly string[] {
  const plain = words.map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
  const whole = plain.filter((word) => isLong(word) && !UNSPACED.test(word));
  const together = plain.filter((word) => UNSPACED.test(word));
  return [...new Set([...whole, ...piecesOf(together, TRIGRAM)])];
}

const anyOf = (phrases: readonly string[]) => phrases.map(quoted).join(" OR ");

/** One search in one table. */
class Search {
  readonly #database: Database;
  readonly #table: TextTable;
  readonly #limit: number;

  constructor(database: Database, table: TextTable, limit: number) {
    this.#database = database;
    this.#table = table;
    this.#limit = limit;
  }

  /** Rows that fulfil a condition, in an order. */
  #select(condition: string, order: string, values: readonly SqlValue[]): number[] {
    const sql =
      `SELECT rowid AS id FROM ${this.#table.name} ${condition} ORDER BY ${order} LIMIT ?`;
    return this.#database.all(sql, ...values, this.#limit).map(({ id }) => Number(id));
  }

  #match(expression: string): number[] {
    return this.#select(`WHERE ${this.#table.name} MATCH ?`, "rank", [expression]);
  }

  /** The terms that begin with a short word; null where there are none to ask, or too many. */
  #termsOf(word: string): readonly string[] | null {
    const { terms } = this.#table;
    if (terms === null) return null;
    const prefix = word.toLowerCase();
    const sql = `SELECT term FROM ${terms} WHERE term >= ? AND term < ? LIMIT ?`;
    const rows = this.#database.all(sql, prefix, `${prefix}\u{10ffff}`, MAX_TERMS + 1);
    return rows.length > MAX_TERMS ? null : rows.map(({ term }) => String(term));
  }

  all(): number[] {
    return this.#select("", this.#table.order, []);
  }

  /** Rows that have every word: by the index, and by looking where that knows no way. */
  withAll(words: readonly string[]): number[] {
    const phrases: string[] = [];
    const looked: string[] = [];
    for (const word of words) {
      const terms = isLong(word) ? [word] : this.#termsOf(word);
      if (terms === null) looked.push(word);
      else if (terms.length === 0) return [];
      else phrases.push(`(${anyOf(terms)})`);
    }
    const { name, order } = this.#table;
    const conditions = [
      ...(phrases.length === 0 ? [] : [`${name} MATCH ?`]),
      ...looked.map(() => holds(this.#table)),
    ];
    const values = phrases.length === 0 ? [] : [phrases.join(" AND ")];
    return this.#select(
      `WHERE ${conditions.join(" AND ")}`,
      phrases.length === 0 ? order : "rank",
      [...values, ...looked.map(holding)],
    );
  }

  /** Rows that have something of the words, those with more or rarer of it first. */
  withSome(words: readonly string[]): number[] {
    const parts = partsOf(words);
    const found = parts.length === 0 ? [] : this.#match(anyOf(parts));
    if (found.length < this.#limit) found.push(...this.#withPairs(pairsOf(words)));
    // A word may be written in another form, or with a mistake.
    const pieces = found.length > 0 ? [] : piecesOf(words, TRIGRAM);
    if (pieces.length > 0) found.push(...this.#match(anyOf(pieces)));
    return [...new Set(found)].slice(0, this.#limit);
  }

  #withPairs(pairs: readonly string[]): number[] {
    if (pairs.length === 0) return [];
    if (this.#table.terms !== null) {
      const terms = pairs.flatMap((pair) => this.#termsOf(pair) ?? []);
      return terms.length === 0 ? [] : this.#match(anyOf(terms.slice(0, 2 * MAX_TERMS)));
    }
    const conditions = pairs.map(() => holds(this.#table));
    return this.#select(
      `WHERE ${conditions.join(" OR ")}`,
      `${conditions.join(" + ")} DESC`,
      [...pairs, ...pairs].map(holding),
    );
  }
}

/**
 * Finds rows by words, best first: those that have every word and, where there are too few of
 * them, those that have some. A query is words, never a pattern.
 *
 * @param query Without a word, all rows are found, in the table's order.
 * @param limit Rows at the most.
 * @param options `fill`: whether rows with some of the words follow those with all; if left out,
 * only where there is none with all.
 * @throws {DatabaseError} If the data base can't be read.
 */
export function findRows(
  database: Database,
  table: TextTable,
  { query, limit, fill = false }: {
    readonly query: string;
    readonly limit: number;
    readonly fill?: boolean;
  },
): readonly FoundRow[] {
  const search = new Search(database, table, limit);
  const words = wordsOf(query);
  const whole = words.length === 0 ? search.all() : search.withAll(words);
  const exact = whole.map((id) => ({ id, exact: true }));
  const enough = words.length === 0 || whole.length >= limit || (!fill && whole.length > 0);
  if (enough || (words.length === 1 && whole.length > 0)) return exact;
  const similar = search.withSome(words).filter((id) => !whole.includes(id));
  return [...exact, ...similar.map((id) => ({ id, exact: false }))].slice(0, limit);
}
