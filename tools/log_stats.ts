/**
 * `log_stats`: counts logs, as grep, awk, sort and uniq would together.
 *
 * @module
 */

import type { Clock, Files } from "../lib/ports.ts";
import type { JsonObject, Tool } from "../lib/types.ts";
import { splitPattern } from "./log_stats/glob.ts";
import { LEVELS } from "./log_stats/levels.ts";
import { DEFAULT_SAMPLES, DEFAULT_TOP, type LogStatsArgs } from "./log_stats/query.ts";

/** Enough for some 30 GB of an access log; what was counted by then is reported. */
const TIMEOUT_MS = 60_000;

const DESCRIPTION = "Count log entries in one pass over files of any size: by any field, with " +
  "shares, change against the time before, percentiles, samples. Knows access logs, JSON lines, " +
  "logfmt, syslog, journal exports, lines that begin with a time. Use it instead of grep, awk, " +
  "sort, uniq; to see single lines use search_files.";

const text = (description: string): JsonObject => ({ type: "string", description });

const amount = (description: string, maximum: number): JsonObject => ({
  type: "integer",
  maximum,
  description,
});

const PROPERTIES: Tool["parameters"]["properties"] = {
  paths: {
    type: "array",
    items: { type: "string" },
    minItems: 1,
    description: "Files (.gz too), directories, globs with ** and {a,b}.",
  },
  pattern: text("RE2 with named groups, for lines of no known format."),
  last: text('15m, 1h, 7d back from "to" or the newest entry.'),
  from: text("ISO time, in the log's zone if it names none."),
  to: text('The same, exclusive, or "now".'),
  level: { type: "string", enum: LEVELS.slice(1), description: "This or worse." },
  status: text("5xx or 404,500-504"),
  text: text("Text in the line, in any case."),
  group_by: {
    type: "array",
    items: { type: "string" },
    maxItems: 3,
    description: "endpoint (method and path), path, status, status_class, ip, level, app, host, " +
      "message, minute, hour, day, any field of the log.",
  },
  normalize: { type: "boolean", description: "/order/12?a=1 as /order/:id; uuids, hashes too." },
  percentiles_of: text("Numeric field: duration, bytes; 2ms is 0.002."),
  top: amount(`Groups, ${DEFAULT_TOP} if left out.`, 60),
  samples: amount(`Lines, ${DEFAULT_SAMPLES} if left out.`, 10),
};

/** A call in a few words: `access.log: 5xx, by endpoint, last 1h`. */
function brief(args: LogStatsArgs): string {
  const { status, level, text, group_by = [], last, from, to, percentiles_of } = args;
  const what = [
    ...(status ? [status] : []),
    ...(level ? [`level ${level}`] : []),
    ...(text ? [JSON.stringify(text)] : []),
    ...(percentiles_of ? [percentiles_of] : []),
    ...(group_by.length === 0 ? [] : [`by ${group_by.join(" and ")}`]),
    ...(last ? [`last ${last}`] : []),
    ...(from ? [`from ${from}`] : []),
    ...(to ? [`to ${to}`] : []),
  ];
  const paths = args.paths.join(" ");
  return what.length === 0 ? paths : `${paths}: ${what.join(", ")}`;
}

/** Builds the tool. */
export function createLogStats(
  ports: { readonly files: Files; readonly clock: Clock },
): Tool<LogStatsArgs> {
  return {
    name: "log_stats",
    description: DESCRIPTION,
    parameters: {
      type: "object",
      properties: PROPERTIES,
      required: ["paths"],
      additionalProperties: false,
    },
    effect: "read",
    timeoutMs: TIMEOUT_MS,
    limits: {},
    // Files that a directory or a pattern stands for are judged when they are found.
    subjects: ({ paths }) =>
      paths.map((path) => ({ kind: "path", access: "read", path: splitPattern(path).base })),
    brief,
    run: async (args, context) => {
      // Loaded at the first call: start-up is measured, and many runs count nothing.
      const { logStats } = await import("./log_stats/run.ts");
      return await logStats(args, ports, context);
    },
  };
}
