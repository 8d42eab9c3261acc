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

/** Enough for some 40 GB. */
const TIMEOUT_MS = 120_000;

const DESCRIPTION = "Count log entries by any field, with shares, change against the window " +
  "before, percentiles and sample lines, in one pass over files of any size. Knows access logs, " +
  "JSON lines, logfmt, syslog, journal exports and lines that begin with a time. Use it instead " +
  "of grep, awk, sort and uniq; to see single lines use search_files.";

const text = (description: string, maxLength = 200): JsonObject => ({
  type: "string",
  minLength: 1,
  maxLength,
  description,
});

const amount = (description: string, minimum: number, maximum: number): JsonObject => ({
  type: "integer",
  minimum,
  maximum,
  description,
});

const PROPERTIES: Tool["parameters"]["properties"] = {
  paths: {
    type: "array",
    items: { type: "string", minLength: 1, maxLength: 4096 },
    minItems: 1,
    maxItems: 50,
    description: "Files (.gz too), directories or globs (* ** ? [a-z] {a,b}).",
  },
  pattern: text("RE2 with named groups, only for lines of no known format.", 1000),
  last: text('Window back from "to" or else from the newest entry: 15m, 1h, 7d.', 20),
  from: text("ISO time, in the log's zone if it names none.", 40),
  to: text('ISO time (exclusive) or "now".', 40),
  level: { type: "string", enum: LEVELS, description: "The mildest that counts." },
  status: text("Such as 5xx or 404,500-504."),
  text: text("Only lines with this text, in any case."),
  group_by: {
    type: "array",
    items: { type: "string", minLength: 1, maxLength: 100 },
    maxItems: 3,
    description: "endpoint (method and path), path, status, status_class, ip, level, app, host, " +
      "message, minute, hour, day, or any field of the log.",
  },
  normalize: {
    type: "boolean",
    description: "/order/12?a=1 becomes /order/:id; uuids and hashes too.",
  },
  top: amount(`Groups to list, ${DEFAULT_TOP} if left out.`, 1, 60),
  percentiles_of: text("Numeric field, such as duration or bytes; 1.5ms counts as 0.0015.", 100),
  samples: amount(`Sample lines, ${DEFAULT_SAMPLES} if left out.`, 0, 10),
};

/** A call in a few words: `5xx by endpoint, last 1h: access.log`. */
function brief(args: LogStatsArgs): string {
  const { status, level, text, group_by = [], last, from, to, percentiles_of } = args;
  const what = [
    ...(status === undefined ? [] : [status]),
    ...(level === undefined ? [] : [`level ${level}`]),
    ...(text === undefined ? [] : [JSON.stringify(text)]),
    ...(percentiles_of === undefined ? [] : [percentiles_of]),
    ...(group_by.length === 0 ? [] : [`by ${group_by.join(" and ")}`]),
    ...(last === undefined ? [] : [`last ${last}`]),
    ...(from === undefined ? [] : [`from ${from}`]),
    ...(to === undefined ? [] : [`to ${to}`]),
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
