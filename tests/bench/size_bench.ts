/**
 * Sizes: what is sent first, and what lies on disk.
 *
 * @module
 */

import type { Bench, Row } from "./_bench.ts";
import { questionTo, runSession } from "./_session.ts";

/** The usual estimate for English text and JSON. */
const BYTES_PER_TOKEN = 4;

/** Measures the first request and the executables. */
export const sizeBench: Bench = async ({ rein, empty }) => {
  const { firstRequest } = await runSession(rein, questionTo, { rounds: 0, thinkMs: 0 });
  const alone = { reference: null, aim: null };
  const rows: Row[] = [
    { what: "first request", unit: "bytes", value: firstRequest.bytes, ...alone },
    {
      what: `first request, estimated (bytes / ${BYTES_PER_TOKEN})`,
      unit: "tokens",
      value: firstRequest.bytes / BYTES_PER_TOKEN,
      ...alone,
    },
  ];
  const megabytes = async (path: string) => (await Deno.stat(path)).size / 1e6;
  const reference = await megabytes(empty.command[0]);
  for (const path of [rein.command[0], `${rein.command[0]}-locked`]) {
    const value = await megabytes(path).catch(() => null);
    if (value === null) continue;
    const what = `size of dist/${path.split("/").at(-1)}`;
    rows.push({ what, unit: "MB", value, reference, aim: { of: "value", most: 110 } });
  }
  return rows;
};
