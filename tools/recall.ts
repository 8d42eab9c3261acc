/**
 * `recall`: what has left the conversation, and what was remembered in earlier runs.
 *
 * @module
 */

import { DatabaseError, type Memory, MemoryError, type Ports } from "../lib/ports.ts";
import type { History } from "../lib/retrieval/history.ts";
import type { Hit } from "../lib/retrieval/passages.ts";
import type { JsonObject, Tool, ToolOutcome } from "../lib/types.ts";
import { keyField, orMemoryFailure } from "./_memories.ts";

/** What the model may ask for. */
export interface RecallArgs {
  readonly query?: string;
  readonly key?: string;
}

/** Memories given at once. */
const MAX_FOUND = 20;

/** Passages of this session given at once: 4,000 characters. */
const MAX_HITS = 8;

/** What a search brought back: the fields of the data, and how many things they tell. */
interface Part {
  readonly data: JsonObject;
  readonly found: number;
  readonly notes: readonly string[];
}

type Store = Pick<Ports, "memories">;

function lineOf({ key, value, kind, updatedMs }: Memory): string {
  const day = new Date(updatedMs).toISOString().slice(0, 10);
  return `${key} (${kind}, ${day}): ${value}`;
}

function memoryPart(list: readonly Memory[], note: string | null): Part {
  const memories = list.map(lineOf).join("\n");
  return { data: { memories }, found: list.length, notes: note === null ? [] : [note] };
}

async function ofMemories({ memories }: Store, query: string): Promise<Part> {
  const { memories: list, exact } = await memories.search(query, MAX_FOUND);
  if (list.length === 0) return memoryPart([], "Nothing of the kind is remembered.");
  if (!exact) return memoryPart(list, "None has every word; these are similar.");
  const all = list.length < MAX_FOUND;
  return memoryPart(list, all ? null : `The first ${MAX_FOUND}; there may be more.`);
}

async function ofKey({ memories }: Store, key: string): Promise<Part> {
  const memory = await memories.get(key);
  return memoryPart(memory === null ? [] : [memory], memory ? null : "There is no such key.");
}

const passageOf = ({ place, excerpt, exact }: Hit) =>
  `[${place}]${exact ? "" : " (similar)"}\n${excerpt}`;

async function ofHistory(history: History, query: string, signal: AbortSignal): Promise<Part> {
  const { hits, notes } = await history.search(query, MAX_HITS, signal);
  const none = hits.length === 0 ? ["Nothing of this session has it."] : [];
  const session = hits.map(passageOf).join("\n\n");
  return { data: { session }, found: hits.length, notes: [...none, ...notes] };
}

/** One of two stores that can't be used is a note; the other one may still help. */
async function orNote(work: Promise<Part>): Promise<Part> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof MemoryError || error instanceof DatabaseError)) throw error;
    return { data: {}, found: 0, notes: [`${error.message}.`] };
  }
}

function outcomeOf(parts: readonly Part[], one: string, many: string): ToolOutcome {
  const found = parts.reduce((sum, part) => sum + part.found, 0);
  const note = parts.flatMap(({ notes }) => notes).join(" ");
  const data = Object.assign({}, ...parts.map((part) => part.data), { found }) as JsonObject;
  return {
    ok: true,
    data: note === "" ? data : { ...data, note },
    summary: found === 1 ? `1 ${one}` : `${found} ${many}`,
  };
}

async function recall(
  store: Store,
  history: History | null,
  { key, query = "" }: RecallArgs,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  if (key !== undefined) return outcomeOf([await ofKey(store, key)], "memory", "memories");
  if (history === null || query.trim() === "") {
    return outcomeOf([await ofMemories(store, query)], "memory", "memories");
  }
  const parts = [orNote(ofHistory(history, query, signal)), orNote(ofMemories(store, query))];
  return outcomeOf(await Promise.all(parts), "match", "matches");
}

/**
 * Builds the tool.
 *
 * @param history This session; null, for memories alone, where nothing of it is kept.
 */
export function createRecall(ports: Store, history: History | null = null): Tool<RecallArgs> {
  const earlier = "what was remembered in earlier runs: by words, by key, or the latest.";
  return {
    name: "recall",
    description: history === null
      ? `Find ${earlier} Not for this conversation.`
      : `Find what has left this conversation, outputs that were cut, and ${earlier}`,
    parameters: {
      type: "object",
      properties: {
        key: keyField("Exact key of a memory."),
        query: {
          type: "string",
          maxLength: 200,
          description: "Words to find; all memories if left out.",
        },
      },
      required: [],
      additionalProperties: false,
    },
    effect: "read",
    timeoutMs: 30_000,
    limits: {
      ...(history === null ? {} : { session: { head: 4500, tail: 0 } }),
      memories: history === null ? { head: 5000, tail: 1000 } : { head: 2500, tail: 500 },
    },
    subjects: () => {
      const { path } = ports.memories;
      return path === null ? [] : [{ kind: "path", access: "read", path }];
    },
    brief: ({ key, query }) => key ?? query ?? "the latest",
    run: (args, { signal }) => orMemoryFailure(() => recall(ports, history, args, signal)),
  };
}
