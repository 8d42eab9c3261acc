/**
 * Which format a file has, from its first lines.
 *
 * @module
 */

import type { RE2JS } from "re2js";
import { type LineParser, PARSED, textOf } from "../entry.ts";
import { TimeReader } from "../time.ts";
import { AccessParser } from "./access.ts";
import { JournalParser } from "./journal.ts";
import { JsonParser } from "./json.ts";
import { LogfmtParser } from "./logfmt.ts";
import { PatternParser } from "./pattern.ts";
import { PlainParser, SyslogParser } from "./text.ts";

/** Lines that are looked at. */
const SAMPLE_LINES = 200;

/** Builds the parser of a format for the fields of a query. */
export type ParserMaker = (fields: readonly string[], times: TimeReader) => LineParser;

/** From the most particular to the most general; the first of equals wins. */
const MAKERS: readonly ParserMaker[] = [
  (fields, times) => new AccessParser(fields, times),
  (fields, times) => new JsonParser(fields, times),
  (fields, times) => new SyslogParser(fields, times),
  (fields, times) => new PlainParser(fields, times),
];

/** Prose and scripts hold `a=b` too, so half of the lines must look like it. */
const LOGFMT: ParserMaker = (fields, times) => new LogfmtParser(fields, times);
const LOGFMT_SHARE = 0.5;

/** A maker of parsers for a pattern of the caller's. */
export function patternMaker(pattern: RE2JS): ParserMaker {
  return (fields, times) => new PatternParser(fields, times, pattern);
}

/** Lines of a sample as places in it; the last one only if it is whole or alone. */
function* linesOf(sample: Uint8Array): Generator<readonly [number, number]> {
  let start = 0;
  for (let count = 0; count < SAMPLE_LINES && start < sample.length; count++) {
    const end = sample.indexOf(10, start);
    if (end < 0 && count > 0) return;
    const stop = end < 0 ? sample.length : end;
    const last = sample[stop - 1] === 13 ? stop - 1 : stop;
    if (last > start) yield [start, last];
    start = stop + 1;
  }
}

function countParsed(make: ParserMaker, sample: Uint8Array): number {
  const parser = make([], new TimeReader(0));
  let parsed = 0;
  for (const [start, end] of linesOf(sample)) {
    if (parser.parse(sample, start, end) === PARSED.entry) parsed++;
  }
  return parsed;
}

/**
 * Recognises a format.
 *
 * @param sample The beginning of a file.
 * @returns The maker of the parser that understands most lines, or null if none understands one.
 */
export function detectFormat(sample: Uint8Array): ParserMaker | null {
  const beginning = textOf(sample, 0, 64);
  if (/^__(CURSOR|REALTIME_TIMESTAMP)=/.test(beginning)) {
    return (fields, times) => new JournalParser(fields, times);
  }
  let best: ParserMaker | null = null;
  let most = 0;
  for (const make of MAKERS) {
    const parsed = countParsed(make, sample);
    if (parsed > most) [best, most] = [make, parsed];
  }
  const lines = [...linesOf(sample)].length;
  const parsed = countParsed(LOGFMT, sample);
  return parsed > most && parsed >= LOGFMT_SHARE * lines ? LOGFMT : best;
}
