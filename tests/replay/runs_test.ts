import { assertEquals } from "@std/assert";
import { debugFaults } from "../_schemas.ts";
import { linesOf, replayed, RUNS } from "./_runs.ts";

for (const name of [...Deno.readDirSync(RUNS)].map(({ name }) => name).toSorted()) {
  Deno.test(`rein does again what it did in ${name}`, async () => {
    const lines = await linesOf(name);
    assertEquals([lines.flatMap(debugFaults), await replayed(lines)], [[], []]);
  });
}
