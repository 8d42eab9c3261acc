import { assertEquals } from "@std/assert";
import { createDatabases } from "../../lib/real/databases.ts";
import { hashOf, type KeptChange, KeptChanges } from "../../lib/undo/kept_changes.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

async function keep(kept: KeptChanges, path: string, before: string): Promise<KeptChange> {
  const change: KeptChange = {
    runId: "r",
    step: 1,
    callId: "c",
    path,
    before: await hashOf(bytesOf(before)),
    mode: 0o644,
    after: "",
  };
  kept.add(change, bytesOf(before));
  return change;
}

Deno.test("KeptChanges keeps a content once, and drops the oldest beyond its limit", async () => {
  const kept = new KeptChanges(await createDatabases(null).open(null), 10);
  const first = await keep(kept, "a", "aaaa");
  await keep(kept, "b", "aaaa");
  const third = await keep(kept, "c", "cccc");
  assertEquals(kept.content(first.before ?? ""), bytesOf("aaaa"));
  await keep(kept, "d", "dddd");
  assertEquals([kept.content(first.before ?? ""), kept.content(third.before ?? "")], [
    null,
    bytesOf("cccc"),
  ]);
  assertEquals(kept.changesOf("r").map(({ path }) => path), ["a", "b", "c", "d"]);
  kept.close();
});

Deno.test("hashOf() is SHA-256", async () => {
  // Source: FIPS 180-2, appendix B.1.
  assertEquals(
    await hashOf(bytesOf("abc")),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});
