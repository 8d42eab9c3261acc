import { assertEquals } from "@std/assert";
import { DatabaseError } from "../../lib/ports.ts";
import type { KnowledgeSource } from "../../lib/retrieval/knowledge.ts";
import type { Hit } from "../../lib/retrieval/passages.ts";
import { createSearchKnowledge } from "../../tools/search_knowledge.ts";
import { CONTEXT } from "../fakes.ts";

const hit = (place: string, excerpt: string, exact = true): Hit => ({
  source: "/docs/x.md",
  place,
  excerpt,
  exact,
});

function knowing(search: KnowledgeSource["search"]) {
  return createSearchKnowledge({ path: "/state/rein/knowledge.db", search });
}

/** A tool whose knowledge base finds these. */
const finding = (hits: readonly Hit[], notes: readonly string[] = []) =>
  knowing(() => Promise.resolve({ hits, notes }));

Deno.test("search_knowledge gives passages behind their places", async () => {
  const asked: unknown[] = [];
  const tool = knowing((query, limit) => {
    asked.push([query, limit]);
    const hits = [hit("docs/x.md:1-2", "每天备份"), hit("docs/y.md:7", "Nightly", false)];
    return Promise.resolve({ hits, notes: ["By words alone."] });
  });
  assertEquals(await tool.run({ query: "备份" }, CONTEXT), {
    ok: true,
    data: {
      passages: "[docs/x.md:1-2]\n每天备份\n\n[docs/y.md:7]\nNightly",
      found: 2,
      note: "By words alone.",
    },
    summary: "2 passages",
  });
  await tool.run({ query: "x", limit: 8 }, CONTEXT);
  assertEquals(asked, [["备份", 5], ["x", 8]]);
});

Deno.test("search_knowledge says where it found nothing, or only what is similar", async () => {
  const none = await finding([]).run({ query: "x" }, CONTEXT);
  assertEquals(none, {
    ok: true,
    data: { passages: "", found: 0, note: "Nothing was found; try other words." },
    summary: "0 passages",
  });
  const similar = await finding([hit("a:1", "a", false)]).run({ query: "x" }, CONTEXT);
  assertEquals(similar, {
    ok: true,
    data: {
      passages: "[a:1]\na",
      found: 1,
      note: "None has every word; these are similar.",
    },
    summary: "1 passage",
  });
});

Deno.test("search_knowledge keeps many long passages within its limit", async () => {
  const hits = Array.from({ length: 8 }, (_, index) => hit(`p:${index}`, "x".repeat(1200)));
  const tool = finding(hits);
  const outcome = await tool.run({ query: "x", limit: 8 }, CONTEXT);
  const passages = outcome.ok ? String(outcome.data["passages"]) : "";
  const { head = 0, tail = 0 } = tool.limits["passages"] ?? {};
  assertEquals([passages.length <= head + tail, passages.includes("p:7")], [true, true]);
});

Deno.test("search_knowledge reports a knowledge base that can't be used, and names its file", async () => {
  const tool = knowing(() => Promise.reject(new DatabaseError("damaged", '"/k" is damaged')));
  assertEquals(await tool.run({ query: "x" }, CONTEXT), {
    ok: false,
    error: {
      code: "knowledge",
      message: '"/k" is damaged',
      hint: "Go on without it, and say so.",
      retriable: false,
    },
  });
  assertEquals(tool.subjects({ query: "x" }), [
    { kind: "path", access: "read", path: "/state/rein/knowledge.db" },
  ]);
});
