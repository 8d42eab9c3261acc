/**
 * Everything that is counted in one pass.
 *
 * @module
 */

import { BYTE, type LineParser, PARSED, Slice, textOf } from "./entry.ts";
import { FieldList } from "./fields.ts";
import { Filter } from "./filter.ts";
import { Counts, Groups, MAX_GROUPS, NO_GROUP } from "./groups.ts";
import { Keys } from "./keys.ts";
import { parseAmount } from "./numbers.ts";
import { Quantiles } from "./quantiles.ts";
import { type Query, type Window, windowBefore } from "./query.ts";
import { LineSamples } from "./samples.ts";
import { formatTime, type Zone } from "./time.ts";

/** Lines shown of those that were not understood. */
const BROKEN_SAMPLES = 2;

/** Later times are taken for mistakes when the newest entry is looked for. */
export const FUTURE_MS = 86_400_000;

/** What a tally needs to know. */
export interface TallyOptions {
  readonly window: Window | null;
  readonly nowMs: number;
  readonly zone: Zone;
}

/** Counts lines; its methods are called for every one of them. */
export class Tally {
  /** Whether entries outside some window are left out. */
  readonly hasWindow: boolean;
  readonly fields = new FieldList();
  readonly groups = new Groups();
  /** Lines of each group, in the window and in the one before. */
  readonly now = new Counts();
  readonly before = new Counts();
  readonly quantiles = new Quantiles();
  readonly samples: LineSamples;
  readonly broken = new LineSamples(BROKEN_SAMPLES);
  /** Entries and lines that are none; empty lines count as nothing. */
  read = 0;
  notParsed = 0;
  withoutTime = 0;
  /** Entries in the window, whatever else was asked for. */
  inWindow = 0;
  matched = 0;
  matchedBefore = 0;
  /** Matched entries of groups beyond the most. */
  ungrouped = 0;
  /** Matched entries whose amount is not there or no number. */
  notNumeric = 0;
  firstMs = Infinity;
  lastMs = -Infinity;
  /** The latest time that is no mistake. */
  newestMs = -Infinity;
  readonly #filter: Filter;
  readonly #keys: Keys;
  readonly #isGrouped: boolean;
  readonly #amount: number;
  readonly #message: number;
  readonly #slice = new Slice();
  readonly #zone: Zone;
  readonly #plausibleMs: number;
  /** Borders of the windows: before, now, after. All of them are infinite if there are none. */
  readonly #beforeMs: number;
  readonly #fromMs: number;
  readonly #toMs: number;
  #parser: LineParser | null = null;
  #isJournal = false;

  constructor(query: Query, { window, nowMs, zone }: TallyOptions) {
    this.#filter = new Filter(query, this.fields);
    this.#keys = new Keys(query, this.fields, zone);
    this.#isGrouped = query.groupBy.length > 0;
    this.#amount = query.percentilesOf === null ? -1 : this.fields.add(query.percentilesOf);
    this.#message = this.fields.add("message", { mayBeMissing: true });
    this.samples = new LineSamples(query.samples);
    this.#zone = zone;
    this.#plausibleMs = nowMs + FUTURE_MS;
    this.#fromMs = window?.fromMs ?? -Infinity;
    this.#toMs = window?.toMs ?? Infinity;
    this.#beforeMs = (window && windowBefore(window))?.fromMs ?? this.#fromMs;
    this.hasWindow = window !== null;
  }

  /** Goes on with another file. */
  begin(parser: LineParser): void {
    this.#parser = parser;
    this.#isJournal = parser.format === "journal";
  }

  /** Takes a line without its LF. */
  line(bytes: Uint8Array, start: number, end: number): void {
    const parser = this.#parser;
    if (parser === null) return;
    let stop = end;
    if (!this.#isJournal) {
      if (bytes[end - 1] === BYTE.cr && end > start) stop--;
      if (start === stop) return;
    }
    const parsed = parser.parse(bytes, start, stop);
    if (parsed === PARSED.entry) this.#entry(parser, bytes, start, stop);
    else if (parsed === PARSED.no) this.unparsed(bytes, start, stop);
  }

  /** Takes a line that is no entry. */
  unparsed(bytes: Uint8Array, start: number, end: number): void {
    this.read++;
    this.notParsed++;
    if (this.broken.wants(this.notParsed)) this.broken.keep(textOf(bytes, start, end));
  }

  /** The names of the last entry's fields, for errors. */
  fieldNames(): readonly string[] {
    return this.#parser?.names() ?? [];
  }

  /** Takes the end of a file. */
  end(): void {
    const parser = this.#parser;
    if (parser?.finish() === PARSED.entry) this.#entry(parser, new Uint8Array(0), 0, 0);
  }

  #entry(parser: LineParser, bytes: Uint8Array, start: number, end: number): void {
    this.read++;
    const { atMs } = parser;
    if (atMs < this.firstMs) this.firstMs = atMs;
    if (atMs > this.lastMs) this.lastMs = atMs;
    if (atMs > this.newestMs && atMs <= this.#plausibleMs) this.newestMs = atMs;
    if (Number.isNaN(atMs)) this.withoutTime++;
    if (this.hasWindow && !(atMs >= this.#beforeMs && atMs < this.#toMs)) return;
    const isNow = !this.hasWindow || atMs >= this.#fromMs;
    if (isNow) this.inWindow++;
    if (!this.#filter.matches(parser, bytes, start, end)) return;
    const group = this.#isGrouped ? this.#group(parser) : 0;
    if (!isNow) {
      this.matchedBefore++;
      if (group !== NO_GROUP) this.before.add(group);
      return;
    }
    this.matched++;
    if (group === NO_GROUP) this.ungrouped++;
    else this.now.add(group);
    if (this.#amount >= 0) this.#measure(parser, group === NO_GROUP ? MAX_GROUPS : group);
    if (this.samples.wants(this.matched)) {
      this.samples.keep(this.#isJournal ? this.#journalLine(parser) : textOf(bytes, start, end));
    }
  }

  #group(parser: LineParser): number {
    return this.groups.find(this.#keys.bytes, this.#keys.write(parser));
  }

  #measure(parser: LineParser, group: number): void {
    const slice = this.#slice;
    const amount = this.fields.get(parser, this.#amount, slice)
      ? parseAmount(slice.bytes, slice.start, slice.end)
      : NaN;
    if (Number.isNaN(amount)) this.notNumeric++;
    else this.quantiles.add(group, amount);
  }

  /** An entry of the journal as one line. */
  #journalLine(parser: LineParser): string {
    const message = parser.get(this.#message, this.#slice) ? this.#slice.text() : "";
    return `${formatTime(parser.atMs, this.#zone)} ${message}`;
  }
}
