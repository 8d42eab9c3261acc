import { assertEquals } from "@std/assert";
import { createMemories } from "../../lib/real/memories.ts";
import type { Memories } from "../../lib/ports.ts";
import { createRecall } from "../../tools/recall.ts";
import { createRemember } from "../../tools/remember.ts";
import { inTempDir } from "../e2e/_program.ts";
import { CONTEXT, FakeClock } from "../fakes.ts";

/** Works with a store of its own. */
const withStore = (work: (memories: Memories, path: string) => Promise<void>) =>
  inTempDir(async (directory) => {
    const path = `${directory}/state/rein/memory.db`;
    await work(createMemories(path), path);
  });

function toolsOf(memories: Memories) {
  const clock = new FakeClock(Date.UTC(2026, 10, 29));
  const remember = createRemember({ memories, clock });
  const recall = createRecall({ memories });
  return {
    keep: (key: string, value: string) => remember.run({ key, value }, CONTEXT),
    find: async (query: string) => {
      const outcome = await recall.run({ query }, CONTEXT);
      return outcome.ok ? outcome.data : outcome.error;
    },
    keysFor: async (query: string) => {
      const { memories: found } = await memories.search(query, 20);
      return found.map(({ key }) => key);
    },
    remember,
    recall,
  };
}

Deno.test("recall finds by key what remember kept", () =>
  withStore(async (memories) => {
    const { keep, recall } = toolsOf(memories);
    assertEquals(await keep("db host", "db1.internal:5432"), {
      ok: true,
      data: { key: "db host" },
      summary: "remembered",
    });
    assertEquals(await recall.run({ key: "db host" }, CONTEXT), {
      ok: true,
      data: { memories: "db host (fact, 2026-11-29): db1.internal:5432", found: 1 },
      summary: "1 memory",
    });
    assertEquals(await recall.run({ key: "other" }, CONTEXT), {
      ok: true,
      data: { memories: "", found: 0, note: "There is no such key." },
      summary: "0 memories",
    });
  }));

Deno.test("remember replaces under the same key and forgets with an empty value", () =>
  withStore(async (memories) => {
    const { keep, find } = toolsOf(memories);
    await keep("region", "eu-1");
    assertEquals(await keep("region", "eu-2"), {
      ok: true,
      data: { key: "region", replaced: "eu-1" },
      summary: "replaced",
    });
    assertEquals(await find("region"), {
      memories: "region (fact, 2026-11-29): eu-2",
      found: 1,
    });
    assertEquals((await keep("region", "")).ok, true);
    assertEquals([await memories.count(), await memories.remove("region")], [0, false]);
  }));

Deno.test("recall finds words in keys and values, in any order and case", () =>
  withStore(async (memories) => {
    const { keep, keysFor } = toolsOf(memories);
    await keep("deploy", "Use blue-green on Fridays");
    await keep("backup", "Nightly at 03:00, kept 14 days");
    assertEquals(await keysFor("FRIDAY"), ["deploy"]);
    assertEquals(await keysFor("days nightly"), ["backup"]);
    assertEquals(await keysFor("up"), ["backup"]);
    assertEquals((await keysFor("")).toSorted(), ["backup", "deploy"]);
    assertEquals(await keysFor("nothing"), []);
  }));

Deno.test("recall finds Chinese, from one character on", () =>
  withStore(async (memories) => {
    const { keep, keysFor, find } = toolsOf(memories);
    await keep("主库", "生产数据库在北京机房,端口 5432");
    await keep("备份", "每天凌晨三点备份到对象存储");
    assertEquals(await keysFor("数据库"), ["主库"]);
    assertEquals(await keysFor("机房"), ["主库"]);
    assertEquals(await keysFor("库"), ["主库"]);
    assertEquals(await keysFor("北京机房 端口"), ["主库"]);
    assertEquals(await keysFor("数据库的端口是多少"), ["主库"]);
    assertEquals(await find("凌晨备份"), {
      memories: "备份 (fact, 2026-11-29): 每天凌晨三点备份到对象存储",
      found: 1,
      note: "None has every word; these are similar.",
    });
  }));

Deno.test("recall takes a query for words, never for a pattern", () =>
  withStore(async (memories) => {
    const { keep, keysFor } = toolsOf(memories);
    await keep("a", 'say "NOT" OR * 100% a_b \\');
    await keep("b", "plain");
    for (const query of ["%", "_", '"NOT"', "100%", "a_b", "\\", "*", '"']) {
      assertEquals([query, await keysFor(query)], [query, ["a"]]);
    }
    for (const query of ["key:plain", "NEAR(plain)", "AND", "('"]) await keysFor(query);
  }));

Deno.test("recall reads without making a file; remember makes one for its owner alone", () =>
  withStore(async (memories, path) => {
    const { keep, find } = toolsOf(memories);
    const nothing = { memories: "", found: 0, note: "Nothing of the kind is remembered." };
    assertEquals(await find("x"), nothing);
    assertEquals(await Deno.stat(path).then(() => true, () => false), false);
    await keep("k", "v");
    const modes = [path, path.slice(0, path.lastIndexOf("/"))].map((place) =>
      (Deno.statSync(place).mode ?? 0) & 0o777
    );
    assertEquals(modes, [0o600, 0o700]);
  }));

Deno.test("remember survives a second writer at the same time", () =>
  withStore(async (first, path) => {
    const second = createMemories(path);
    const put = (memories: Memories, key: string) =>
      memories.put({ key, value: "v", kind: "fact", updatedMs: 0 });
    const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
    await Promise.all(keys.map((key, index) => put(index % 2 === 0 ? first : second, key)));
    assertEquals(await second.count(), 20);
  }));

Deno.test("recall and remember report a store that can't be used", () =>
  withStore(async (memories, path) => {
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(
      path,
      "this is no data base, but long enough to look like one".repeat(9),
    );
    const { keep } = toolsOf(memories);
    const outcome = await keep("k", "v");
    assertEquals(outcome, {
      ok: false,
      error: {
        code: "memory",
        message: `"${path}" can't be used: file is not a database`,
        hint: "Go on without it, and say so.",
        retriable: false,
      },
    });
  }));

Deno.test("a store of a newer rein is left alone", () =>
  withStore(async (memories, path) => {
    await toolsOf(memories).keep("k", "v");
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 99");
    database.close();
    const outcome = await toolsOf(memories).keep("k", "w");
    assertEquals(
      outcome.ok ? null : outcome.error.message,
      `"${path}" can't be used: It was written by a newer rein`,
    );
  }));

Deno.test("remember and recall name the store to the policy, and show what they would keep", () =>
  withStore(async (memories, path) => {
    const { remember, recall } = toolsOf(memories);
    const args = { key: "k", value: "v" };
    assertEquals(remember.subjects(args), [{ kind: "path", access: "write", path }]);
    assertEquals(recall.subjects({}), [{ kind: "path", access: "read", path }]);
    assertEquals(await remember.preview?.(args), 'Remember "k":\nv');
    assertEquals(await remember.preview?.({ key: "k", value: "" }), 'Forget "k".');
  }));
