/**
 * `recall`: what was remembered in earlier runs.
 *
 * @module
 */

import type { Memory, Ports } from "../lib/ports.ts";
import type { Tool, ToolOutcome } from "../lib/types.ts";
import { keyField, orMemoryFailure } from "./_memories.ts";

/** What the model may ask for. */
export interface RecallArgs {
  readonly query?: string;
  readonly key?: string;
}

/** Memories given at once. */
const MAX_FOUND = 20;

function lineOf({ key, value, kind, updatedMs }: Memory): string {
  const day = new Date(updatedMs).toISOString().slice(0, 10);
  return `${key} (${kind}, ${day}): ${value}`;
}

function found(memories: readonly Memory[], note: string | null): ToolOutcome {
  return {
    ok: true,
    data: {
      memories: memories.map(lineOf).join("\n"),
      found: memories.length,
      ...(note === null ? {} : { note }),
    },
    summary: memories.length === 1 ? "1 memory" : `${memories.length} memories`,
  };
}

async function recall({ memories }: Pick<Ports, "memories">, args: RecallArgs) {
  if (args.key !== undefined) {
    const memory = await memories.get(args.key);
    return found(memory === null ? [] : [memory], memory ? null : "There is no such key.");
  }
  const { memories: list, exact } = await memories.search(args.query ?? "", MAX_FOUND);
  if (list.length === 0) return found([], "Nothing of the kind is remembered.");
  if (!exact) return found(list, "None has every word; these are similar.");
  return found(list, list.length < MAX_FOUND ? null : `The first ${MAX_FOUND}; there may be more.`);
}

/** Builds the tool. */
export function createRecall(ports: Pick<Ports, "memories">): Tool<RecallArgs> {
  return {
    name: "recall",
    description: "Find what was remembered in earlier runs: by key, by words, or the latest. " +
      "Not for this conversation.",
    parameters: {
      type: "object",
      properties: {
        key: keyField("Exact key."),
        query: {
          type: "string",
          maxLength: 200,
          description: "Words to find in keys and values; all if left out.",
        },
      },
      required: [],
      additionalProperties: false,
    },
    effect: "read",
    timeoutMs: 10_000,
    limits: { memories: { head: 5000, tail: 1000 } },
    subjects: () => {
      const { path } = ports.memories;
      return path === null ? [] : [{ kind: "path", access: "read", path }];
    },
    brief: ({ key, query }) => key ?? query ?? "the latest",
    run: (args) => orMemoryFailure(() => recall(ports, args)),
  };
}
