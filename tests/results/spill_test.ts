import { assertEquals } from "@std/assert";
import type { SpillFile, SpillFiles } from "../../lib/ports.ts";
import { MAX_OUTPUT_BYTES, MAX_RUN_BYTES, SpillStore } from "../../lib/results/spill.ts";
import { MemorySpills, NEVER, NO_SPILLS } from "../fakes.ts";

/** Files that count what is written and hold nothing. */
class CountingSpills implements SpillFiles {
  open = 0;

  available(): boolean {
    return true;
  }

  create(): SpillFile {
    this.open++;
    return { write: () => {}, read: () => Promise.resolve(0), close: () => void this.open-- };
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
  assertEquals(files.open, fits);
  for (let output = 0; output < 100; output++) store.begin();
  assertEquals(files.open <= 65, true);
  store.end();
  assertEquals([files.open, store.ids()], [0, []]);
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
