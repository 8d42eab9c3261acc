import { assertEquals } from "@std/assert";
import type { SpillFile, SpillFiles } from "../../lib/ports.ts";
import {
  MAX_KEPT_BYTES,
  MAX_OUTPUT_BYTES,
  MAX_RUN_BYTES,
  SpillStore,
} from "../../lib/results/spill.ts";
import { MemorySpills, NEVER, NO_SPILLS } from "../fakes.ts";

/** Files that count what is written and hold nothing. */
class CountingSpills implements SpillFiles {
  opened = 0;

  available(): boolean {
    return true;
  }

  kept = () => [];

  open = () => null;

  create(): SpillFile {
    this.opened++;
    const close = () => void this.opened--;
    const read = () => Promise.resolve(0);
    return { write: () => {}, read, markIncomplete: () => {}, close, remove: close };
  }
}

const MEGABYTE = new Uint8Array(1024 * 1024);

Deno.test("SpillStore keeps the beginning of an output, up to its bound, and says so", () => {
  const spill = new SpillStore(new CountingSpills()).begin();
  for (let at = 0; at < MAX_OUTPUT_BYTES / MEGABYTE.length; at++) spill?.write(MEGABYTE);
  assertEquals([spill?.length, spill?.complete], [MAX_OUTPUT_BYTES, true]);
  spill?.write(MEGABYTE);
  assertEquals([spill?.length, spill?.complete], [MAX_OUTPUT_BYTES, false]);
});

Deno.test("SpillStore lets the oldest outputs go where all would be too many", () => {
  const files = new CountingSpills();
  const store = new SpillStore(files);
  for (let output = 0; output < 6; output++) {
    const spill = store.begin();
    for (let at = 0; at < 300; at++) spill?.write(MEGABYTE);
  }
  const fits = MAX_RUN_BYTES / MAX_OUTPUT_BYTES;
  assertEquals(store.ids(), ["out3", "out4", "out5", "out6"].slice(-fits));
  assertEquals(files.opened, fits);
  for (let output = 0; output < 100; output++) store.begin();
  assertEquals(files.opened <= 65, true);
  store.end();
  assertEquals([files.opened, store.ids()], [0, []]);
});

Deno.test("SpillStore keeps nothing where nothing can be written", () => {
  const store = new SpillStore(NO_SPILLS);
  assertEquals([store.available, store.begin(), store.ids()], [false, null, []]);
});

Deno.test("SpillStore keeps what fitted before the disk was full", async () => {
  let writes = 0;
  const spill = new SpillStore(new MemorySpills(() => ++writes > 1)).begin();
  spill?.write(new TextEncoder().encode("first "));
  spill?.write(new TextEncoder().encode("second "));
  spill?.write(new TextEncoder().encode("third"));
  const pieces = await Array.fromAsync(spill?.read(NEVER) ?? []);
  assertEquals([pieces.map((bytes) => new TextDecoder().decode(bytes)), spill?.complete], [
    ["first "],
    false,
  ]);
});

async function textOf(store: SpillStore, id: string): Promise<string | null> {
  const pieces = await Array.fromAsync(store.get(id)?.read(NEVER) ?? []);
  return pieces.map((bytes) => new TextDecoder().decode(bytes)).join("");
}

Deno.test("SpillStore finds what an earlier process of the session has kept, and counts on", async () => {
  const files = new MemorySpills();
  const first = new SpillStore(files);
  first.begin()?.write(new TextEncoder().encode("one"));
  first.begin()?.write(new TextEncoder().encode("two"));
  first.end();
  const second = new SpillStore(files);
  assertEquals([second.ids(), files.opened], [["out1", "out2"], 0]);
  assertEquals(second.begin()?.id, "out3");
  assertEquals(await textOf(second, "out2"), "two");
  second.end();
  assertEquals(files.opened, 0);
});

Deno.test("SpillStore leaves a session the newest outputs, as much as it may keep", () => {
  const files = new MemorySpills();
  const store = new SpillStore(files);
  const half = new Uint8Array(MAX_KEPT_BYTES / 2);
  for (let output = 0; output < 3; output++) store.begin()?.write(half);
  store.end();
  assertEquals(new SpillStore(files).ids(), ["out2", "out3"]);
});

Deno.test("SpillStore remembers for a later process that an output misses its end", () => {
  const files = new MemorySpills((bytes) => bytes.length > 3);
  const store = new SpillStore(files);
  store.begin()?.write(new TextEncoder().encode("long"));
  store.end();
  assertEquals(new SpillStore(files).get("out1")?.complete, false);
});
