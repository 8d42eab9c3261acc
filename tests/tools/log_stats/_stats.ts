/**
 * `log_stats` over files in memory.
 *
 * @module
 */

import type { JsonObject, ToolContext } from "../../../lib/types.ts";
import type { LogStatsArgs } from "../../../tools/log_stats/query.ts";
import { createLogStats } from "../../../tools/log_stats.ts";
import { CONTEXT, FakeClock, MemoryFiles } from "../../fakes.ts";

/** The present of these tests. */
export const NOW = Date.UTC(2026, 2, 10, 15);

type Contents = Readonly<Record<string, string | Uint8Array>>;

/** What may differ from one test to another. */
export interface StatsOptions {
  readonly context?: ToolContext;
  readonly pieceBytes?: number;
}

/** Data of a call, or its error. */
export async function stats(
  contents: Contents,
  args: Partial<LogStatsArgs> = {},
  { context = CONTEXT, pieceBytes }: StatsOptions = {},
): Promise<JsonObject> {
  const files = new MemoryFiles(contents, pieceBytes);
  const tool = createLogStats({ files, clock: new FakeClock(NOW) });
  const outcome = await tool.run({ paths: Object.keys(contents), samples: 0, ...args }, context);
  return outcome.ok ? outcome.data : { error: { ...outcome.error } };
}

/** Data of a call on one file of these lines. */
export function statsOf(
  lines: readonly string[],
  args: Partial<LogStatsArgs> = {},
): Promise<JsonObject> {
  return stats({ "a.log": lines.map((line) => `${line}\n`).join("") }, args);
}

/** Some fields of an object. */
export function only(data: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, data[name] ?? null]));
}

/** A line of an access log at a time of 10 March 2026, UTC. */
export function access(
  time: string,
  request: string,
  status: number,
  rest = '12 "-" "curl/8.0" 0.010',
): string {
  return `203.0.113.7 - - [10/Mar/2026:${time} +0000] "${request}" ${status} ${rest}`;
}

/** Bytes as gzip, one member. */
export async function gzip(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
