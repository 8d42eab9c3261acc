/**
 * `deno task bench`: measures dist/rein beside small programs of the same
 * runtime, in turns, and prints one table. Ratios travel from machine to
 * machine, milliseconds do not.
 *
 * @module
 */

import { inTempDir } from "../e2e/_program.ts";
import type { Bench, Row } from "./_bench.ts";
import { buildPrograms } from "./_programs.ts";
import { renderTable } from "./_table.ts";
import { sizeBench } from "./size_bench.ts";
import { startBench } from "./start_bench.ts";
import { turnBench } from "./turn_bench.ts";

/** Every benchmark; a new one is one file and one line here. */
const BENCHES: readonly Bench[] = [startBench, turnBench, sizeBench];

await inTempDir(async (directory) => {
  const programs = await buildPrograms(directory);
  if (programs === null) return;
  const rows: Row[] = [];
  for (const bench of BENCHES) rows.push(...await bench(programs));
  console.log(renderTable(rows));
});
