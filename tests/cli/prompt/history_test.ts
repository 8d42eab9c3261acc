import { assertEquals } from "@std/assert";
import { MAX_ENTRIES, openHistory } from "../../../lib/cli/prompt/history.ts";
import { createDatabases } from "../../../lib/real/databases.ts";
import { inTempDir } from "../../_temp.ts";

const redact = (text: string) => text.replace("hunter2", "[redacted]");

Deno.test("openHistory() brings back what was written before, without secrets, for this user alone", () =>
  inTempDir({}, async (folder) => {
    const ports = { databases: createDatabases(folder) };
    const first = await openHistory({ keep: true, redact }, ports);
    for (const text of ["one", "one", "二\n三", "pass hunter2"]) first.add(text);
    assertEquals(first.entries, ["one", "二\n三", "pass hunter2"]);
    first.close();
    const second = await openHistory({ keep: true, redact }, ports);
    assertEquals(second.entries, ["one", "二\n三", "pass [redacted]"]);
    second.close();
    assertEquals((Deno.statSync(`${folder}/history.db`).mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("openHistory() keeps a bounded number of entries, and none that is very long", () =>
  inTempDir({}, async (folder) => {
    const ports = { databases: createDatabases(folder) };
    const first = await openHistory({ keep: true, redact }, ports);
    for (let number = 1; number <= MAX_ENTRIES + 5; number++) first.add(String(number));
    first.add("x".repeat(20_000));
    first.close();
    const second = await openHistory({ keep: true, redact }, ports);
    const { entries } = second;
    second.close();
    assertEquals([entries.length, entries[0], entries.at(-1)], [MAX_ENTRIES, "6", "1005"]);
  }));

Deno.test("openHistory() keeps nothing where that is not wanted, or there is no place", async () => {
  await inTempDir({}, async (folder) => {
    for (const [keep, place] of [[false, folder], [true, null], [true, "/proc/none"]] as const) {
      const history = await openHistory({ keep, redact }, { databases: createDatabases(place) });
      history.add("one");
      assertEquals(history.entries, ["one"]);
      history.close();
    }
    assertEquals([...Deno.readDirSync(folder)], []);
  });
});
