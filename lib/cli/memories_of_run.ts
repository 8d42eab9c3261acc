/**
 * What a run may keep for later ones.
 *
 * @module
 */

import type { Memories } from "../ports.ts";
import type { Redact } from "../session/redact_event.ts";

/** The same memories, which keep no secret, whatever they are given. */
export function memoriesOfRun(memories: Memories, redact: Redact): Memories {
  const clean = (text: string) => String(redact({ text })["text"]);
  return {
    path: memories.path,
    put: (memory) =>
      memories.put({ ...memory, key: clean(memory.key), value: clean(memory.value) }),
    remove: (key) => memories.remove(key),
    get: (key) => memories.get(key),
    search: (query, limit) => memories.search(query, limit),
    count: () => memories.count(),
  };
}
