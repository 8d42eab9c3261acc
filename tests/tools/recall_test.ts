import { assertEquals, assertRejects } from "@std/assert";
import { DatabaseError, type Memories, MemoryError } from "../../lib/ports.ts";
import { createMemories } from "../../lib/real/memories.ts";
import type { History } from "../../lib/retrieval/history.ts";
import type { Hit } from "../../lib/retrieval/passages.ts";
import { createRecall, type RecallArgs } from "../../tools/recall.ts";
import { inTempDir } from "../_temp.ts";
import { CONTEXT } from "../fakes.ts";

const HITS: readonly Hit[] = [
  { source: "events", place: "step 3, run_shell", excerpt: "pool: 30 s", exact: true },
  { source: "output:out2", place: "out2, lines 4-9", excerpt: "…pool…", exact: false },
];

/** Memories of which one is there. */
const withMemory = (work: (memories: Memories) => Promise<void>) =>
  inTempDir({}, async (directory) => {
    const memories = createMemories(`${directory}/memory.db`);
    await memories.put({ key: "pool", value: "30", kind: "fact", updatedMs: 0 });
    await work(memories);
  });

const recall = (memories: Memories, history: History | null, args: RecallArgs) =>
  createRecall({ memories }, history).run(args, CONTEXT);

Deno.test("recall gives what this session has and what is remembered, each under its name", () =>
  withMemory(async (memories) => {
    const asked: unknown[] = [];
    const history: History = {
      search: (query, limit) => {
        asked.push([query, limit]);
        return Promise.resolve({ hits: HITS, notes: ["Of out1 only the beginning."] });
      },
    };
    assertEquals(await recall(memories, history, { query: "pool" }), {
      ok: true,
      data: {
        session: "[step 3, run_shell]\npool: 30 s\n\n[out2, lines 4-9] (similar)\n…pool…",
        memories: "pool (fact, 1970-01-01): 30",
        found: 3,
        note: "Of out1 only the beginning.",
      },
      summary: "3 matches",
    });
    assertEquals(asked, [["pool", 8]]);
  }));

Deno.test("recall leaves the session alone for a key, and for all memories", () =>
  withMemory(async (memories) => {
    const history: History = { search: () => Promise.reject(new TypeError("Not asked")) };
    const one = {
      ok: true,
      data: { memories: "pool (fact, 1970-01-01): 30", found: 1 },
      summary: "1 memory",
    } as const;
    assertEquals(await recall(memories, history, { key: "pool" }), one);
    assertEquals(await recall(memories, history, {}), one);
  }));

Deno.test("recall says what it did not find", () =>
  withMemory(async (memories) => {
    const history: History = { search: () => Promise.resolve({ hits: [], notes: [] }) };
    assertEquals(await recall(memories, history, { query: "zebra" }), {
      ok: true,
      data: {
        session: "",
        memories: "",
        found: 0,
        note: "Nothing of this session has it. Nothing of the kind is remembered.",
      },
      summary: "0 matches",
    });
  }));

Deno.test("recall gives what one of the two has where the other can't be used", async () => {
  await withMemory(async (memories) => {
    const broken: History = {
      search: () => Promise.reject(new DatabaseError("damaged", "The session is damaged")),
    };
    assertEquals(await recall(memories, broken, { query: "pool" }), {
      ok: true,
      data: { memories: "pool (fact, 1970-01-01): 30", found: 1, note: "The session is damaged." },
      summary: "1 match",
    });
    const defect: History = { search: () => Promise.reject(new TypeError("A defect")) };
    await assertRejects(() => recall(memories, defect, { query: "pool" }), TypeError, "A defect");
  });
  const lost: Memories = {
    ...createMemories(null),
    search: () => Promise.reject(new MemoryError("The store is lost")),
  };
  const history: History = { search: () => Promise.resolve({ hits: HITS, notes: [] }) };
  const outcome = await recall(lost, history, { query: "pool" });
  assertEquals(outcome.ok && [outcome.data["found"], outcome.data["note"]], [
    2,
    "The store is lost.",
  ]);
});

Deno.test("recall touches no path where there are no memories", () => {
  const history: History = { search: () => Promise.resolve({ hits: [], notes: [] }) };
  const memories = createMemories(null);
  assertEquals(createRecall({ memories }, history).subjects({}), []);
});
