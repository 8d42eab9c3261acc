/**
 * Recomputes what the demo's answer says, from the log alone and without any
 * of the commands that the recording runs.
 *
 * @module
 */

/** One request of the log. */
export interface LogLine {
  /** From 1. */
  readonly number: number;
  readonly atMs: number;
  /** Method and path, ids as `:id`, no query string; null if the request is malformed. */
  readonly endpoint: string | null;
  readonly status: number;
  readonly seconds: number;
}

/** A number of failures in the two hours that are compared. */
export interface Comparison {
  readonly endpoint: string;
  readonly lastHour: number;
  readonly hourBefore: number;
}

const HOUR_MS = 3_600_000;

const LINE =
  /^[\d.]+ - - \[(\d\d)\/Mar\/(\d{4}):(\d\d):(\d\d):(\d\d) \+0000\] "([^"]*)" (\d{3}) \d+ "[^"]*" "[^"]*" (\d+\.\d{3})$/;

/**
 * Parses every line of the log.
 *
 * @throws {SyntaxError} If a line is not in nginx's combined format with the request time.
 */
export function parseLog(log: string): readonly LogLine[] {
  return log.trimEnd().split("\n").map((text, index) => {
    const found = LINE.exec(text);
    if (found === null) throw new SyntaxError(`Cannot parse line ${index + 1}: ${text}`);
    const [, day, year, hour, minute, second, request = "", status, seconds] = found;
    return {
      number: index + 1,
      atMs: Date.UTC(Number(year), 2, Number(day), Number(hour), Number(minute), Number(second)),
      endpoint: endpointOf(request),
      status: Number(status),
      seconds: Number(seconds),
    };
  });
}

function endpointOf(request: string): string | null {
  const [method, target, version, ...rest] = request.split(" ");
  if (version !== "HTTP/1.1" || rest.length > 0 || target === undefined) return null;
  const [path = ""] = target.split("?");
  const segments = path.split("/").map((segment) => /^\d+$/.test(segment) ? ":id" : segment);
  return `${method} ${segments.join("/")}`;
}

/** The lines of the last hour that the log covers, and of the hour before. */
export function splitHours(lines: readonly LogLine[]): {
  readonly lastHour: readonly LogLine[];
  readonly hourBefore: readonly LogLine[];
} {
  const endMs = Math.max(...lines.slice(-1).map((line) => line.atMs));
  const hour = (from: number, to: number) =>
    lines.filter(({ atMs }) => atMs > endMs - from * HOUR_MS && atMs <= endMs - to * HOUR_MS);
  return { lastHour: hour(1, 0), hourBefore: hour(2, 1) };
}

/** Whether the server failed. */
export function isFailure({ status }: LogLine): boolean {
  return status >= 500 && status <= 599;
}

/** Failures by endpoint in both hours, most in the last hour first. */
export function compareHours(lines: readonly LogLine[]): readonly Comparison[] {
  const { lastHour, hourBefore } = splitHours(lines);
  const now = countFailures(lastHour);
  const before = countFailures(hourBefore);
  return [...new Set([...now.keys(), ...before.keys()])]
    .map((endpoint) => ({
      endpoint,
      lastHour: now.get(endpoint) ?? 0,
      hourBefore: before.get(endpoint) ?? 0,
    }))
    .sort((a, b) => b.lastHour - a.lastHour);
}

function countFailures(lines: readonly LogLine[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { endpoint } of lines.filter(isFailure)) {
    const key = endpoint ?? "(malformed)";
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** The time of day of a line, UTC: `14:07:16`. */
export function timeOf({ atMs }: LogLine): string {
  return new Date(atMs).toISOString().slice(11, 19);
}
