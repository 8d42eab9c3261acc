/**
 * What was said and done in a session, and outputs that were cut, as passages that can be found.
 *
 * @module
 */

import type { Database } from "../ports.ts";
import type { KeptOutput, KeptOutputs } from "../results/spill.ts";
import type { NumberedEvent } from "../session/store.ts";
import type { Embedder } from "./embed.ts";
import { EventTexts } from "./event_texts.ts";
import { migrate } from "./migrate.ts";
import { type Found, type Passage, Passages } from "./passages.ts";
import { splitText } from "./split.ts";

/** A session as `recall` searches it. */
export interface History {
  /**
   * Finds what was said, done or put out, best first; the place of each is its step and tool, or
   * the id and the lines of an output.
   *
   * @throws {DatabaseError} If the session can't be read.
   * @throws The signal's reason, once it is aborted.
   */
  search(query: string, limit: number, signal: AbortSignal): Promise<Found>;
}

/** Where a history gets what it indexes. */
export interface HistoryOptions {
  /** The events after a number, in their order; from the first one after 0. */
  readonly events: (afterSeq: number) => Iterable<NumberedEvent>;
  /** Null: by words alone. */
  readonly embedder: Embedder | null;
}

/** Bytes that are searched of one output: its beginning. Source: issue 5. */
export const MAX_OUTPUT_BYTES = 4_000_000;

/** Bytes of outputs that are indexed in one search: about four seconds. Source: tests/bench/retrieval_bench.ts. */
const MAX_BYTES_A_SEARCH = 16_000_000;

/** Events that are indexed in one transaction. */
const BATCH_EVENTS = 200;

/** The versions of the table; only ever added to. */
const STEPS: readonly string[] = [`
  CREATE TABLE history_state (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
`];

/** How far the events are indexed, and which task they had come to. */
class Progress {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(name: "seq" | "task"): number {
    const rows = this.#database.all("SELECT value FROM history_state WHERE name = ?", name);
    return Number(rows[0]?.["value"] ?? 0);
  }

  set(name: "seq" | "task", value: number): void {
    this.#database.run("REPLACE INTO history_state VALUES (?, ?)", name, value);
  }
}

const outputSource = (id: string) => `output:${id}`;

/** The text of an output's beginning, and whether that is all of it. */
async function textOf(output: KeptOutput, maxBytes: number, signal: AbortSignal) {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const piece of output.read(signal)) {
    const room = maxBytes - bytes;
    text += decoder.decode(piece.subarray(0, room), { stream: true });
    bytes += Math.min(room, piece.length);
    if (piece.length > room) return { text, bytes, complete: false };
  }
  return { text: text + decoder.decode(), bytes, complete: output.complete };
}

function* passagesOfOutput(id: string, text: string): Generator<Passage> {
  for (const { text: piece, startLine, endLine } of splitText(text)) {
    const lines = startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
    yield {
      source: outputSource(id),
      place: `${id}, ${lines}; read_output reads more`,
      text: piece,
    };
  }
}

/** The outputs of this run that are in the index. */
class OutputIndex {
  readonly #database: Database;
  readonly #passages: Passages;
  readonly #outputs: KeptOutputs;
  /** Whether all of each was indexed; another process gives the same ids to others. */
  readonly #indexed = new Map<string, boolean>();

  constructor(database: Database, passages: Passages, outputs: KeptOutputs) {
    this.#database = database;
    this.#passages = passages;
    this.#outputs = outputs;
  }

  /** Indexes what is new, the newest first, and forgets what is gone. Returns notes. */
  async update(signal: AbortSignal): Promise<readonly string[]> {
    this.#forget();
    const wanted = this.#outputs.ids().toReversed().filter((id) => !this.#indexed.has(id));
    let room = MAX_BYTES_A_SEARCH;
    const later: string[] = [];
    for (const id of wanted) {
      if (room < MAX_OUTPUT_BYTES) later.push(id);
      else room -= await this.#add(id, signal);
    }
    const partly = [...this.#indexed].filter(([, complete]) => !complete).map(([id]) => id);
    const beginnings = `Of ${partly.join(", ")} only the beginning was searched.`;
    return [
      ...(partly.length === 0 ? [] : [beginnings]),
      ...(later.length === 0 ? [] : [`Not searched yet: ${later.join(", ")}; ask again.`]),
    ];
  }

  /** What made room, and what an earlier process left. */
  #forget(): void {
    const there = new Set(this.#outputs.ids());
    const gone = this.#passages.sources()
      .filter((source) => source.startsWith(outputSource("")))
      .map((source) => source.slice(outputSource("").length))
      .filter((id) => !there.has(id) || !this.#indexed.has(id));
    for (const id of gone) {
      this.#passages.removeSource(outputSource(id));
      this.#indexed.delete(id);
    }
  }

  async #add(id: string, signal: AbortSignal): Promise<number> {
    const output = this.#outputs.get(id);
    if (output === null) return 0;
    const { text, bytes, complete } = await textOf(output, MAX_OUTPUT_BYTES, signal);
    this.#database.transaction(() => this.#passages.addPassages(passagesOfOutput(id, text)));
    this.#indexed.set(id, complete);
    return bytes;
  }
}

/**
 * The history of a session. It is brought up to date when it is searched; nothing is indexed
 * before.
 *
 * @param database The session's own, or one beside it; its tables are made at the first search.
 * @param outputs The outputs of this run that were cut.
 */
export function createHistory(
  database: Database,
  outputs: KeptOutputs,
  { events, embedder }: HistoryOptions,
): History {
  const open = () => {
    migrate(database, "history", STEPS);
    const passages = new Passages(database, { embedder, excerptChars: 500 });
    const progress = new Progress(database);
    const texts = new EventTexts(progress.get("task"));
    return { passages, progress, texts, output: new OutputIndex(database, passages, outputs) };
  };
  type Opened = ReturnType<typeof open>;
  let opened: Opened | undefined;

  /** Indexes one batch; returns whether there may be more. */
  const indexBatch = ({ passages, progress, texts }: Opened) =>
    database.transaction(() => {
      let count = 0;
      for (const { seq, event } of events(progress.get("seq"))) {
        passages.addPassages(texts.passagesOf(event));
        progress.set("seq", seq);
        if (++count === BATCH_EVENTS) break;
      }
      progress.set("task", texts.task);
      return count === BATCH_EVENTS;
    });

  const indexEvents = (signal: AbortSignal): Opened => {
    opened ??= open();
    try {
      while (indexBatch(opened)) signal.throwIfAborted();
      return opened;
    } catch (error) {
      // The task that it came to may be ahead of what was committed.
      opened = undefined;
      throw error;
    }
  };

  const search: History["search"] = async (query, limit, signal) => {
    const { passages, output } = indexEvents(signal);
    const notes = await output.update(signal);
    const found = await passages.search(query, limit, signal);
    return { hits: found.hits, notes: [...notes, ...found.notes] };
  };

  // One after the other: calls of one step may run at the same time.
  let last: Promise<unknown> = Promise.resolve();
  return {
    search: (...asked) => {
      const found = last.then(() => search(...asked));
      last = found.catch(() => {});
      return found;
    },
  };
}
