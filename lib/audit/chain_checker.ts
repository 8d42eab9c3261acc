/**
 * Whether the lines of a log are one chain, and if not, which of them is wrong.
 *
 * @module
 */

import { NO_HASH, type RawEntry } from "./entry.ts";
import { Gaps } from "./gaps.ts";
import type { FoundHead, Head } from "./head.ts";

/** Where a line stands. */
export interface LinePlace {
  /** The name of its file. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A line of a log, as it was found. */
export interface FoundLine extends LinePlace {
  /** Null: it is none. */
  readonly entry: RawEntry | null;
  /** The SHA-256 of the line, without its line end. */
  readonly hash: string;
  /** In bytes, without its line end. */
  readonly bytes: number;
  /** Whether it has a line end. */
  readonly ended: boolean;
  /** `unknown`: there is no key. */
  readonly seal: "good" | "bad" | "none" | "unknown";
}

/** What is wrong with a log. `seal`: somebody without the key wrote it. */
export type FaultKind = "changed" | "missing" | "cut_off" | "order" | "seal" | "head";

/** Something that is wrong, and where. */
export interface Fault extends LinePlace {
  readonly kind: FaultKind;
  /** The number of the entry; null where it can't be known. */
  readonly seq: number | null;
  /** One sentence without a final period. */
  readonly what: string;
}

/** What a check came to. */
export interface Verdict {
  /** In the order of the log. */
  readonly faults: readonly Fault[];
  /** Faults that are not among them: only the first ones are kept. */
  readonly furtherFaults: number;
  /** What somebody should know, and is no fault. */
  readonly notes: readonly string[];
  /** Entries that were read. */
  readonly entries: number;
  /** How many of them bear a seal. */
  readonly sealed: number;
}

/** What a check is told of a log. */
export interface CheckOptions {
  /** The name of its newest file. */
  readonly file: string;
  /** Whether a file must say where it ends. */
  readonly needsHead: boolean;
}

/** Faults that are kept. */
const MAX_FAULTS = 100;

/** The line before, as far as it binds the next one. */
interface Before extends LinePlace {
  readonly hash: string;
  readonly seq: number | null;
  /** Whether its hash is what the next line must name: it was found in order. */
  readonly trusted: boolean;
}

function range(from: number, to: number): string {
  return from === to ? `entry ${from} is missing` : `entries ${from} to ${to} are missing`;
}

/** Checks lines as they come, with one line of foresight. */
export class ChainChecker {
  readonly #head: Head | null;
  readonly #found: FoundHead;
  readonly #options: CheckOptions;
  readonly #gaps = new Gaps<Fault>();
  readonly #faults = new Map<string, Fault & { readonly order: number }>();
  readonly #notes: string[] = [];
  #furtherFaults = 0;
  #waiting: FoundLine | null = null;
  #before: Before | null = null;
  /** The number that comes next. */
  #expected = 1;
  #highest = 0;
  #lines = 0;
  #entries = 0;
  #sealed = 0;
  #torn = 0;
  /** Whether the line before is no entry. */
  #behindOther = false;

  /**
   * @param found The head, read before the lines.
   * @param options The name of the file that is written to, and whether it must have a head.
   */
  constructor(found: FoundHead, options: CheckOptions) {
    this.#found = found;
    this.#options = options;
    this.#head = found.kind === "whole" ? found.head : null;
  }

  /** Takes the next line. */
  take(line: FoundLine): void {
    if (this.#waiting !== null) this.#check(this.#waiting, line);
    this.#waiting = line;
  }

  /** Ends the check. */
  end(): Verdict {
    const last = this.#waiting;
    if (last !== null) this.#check(last, null);
    this.#waiting = null;
    this.#checkEnd(last);
    for (const { from, to, at } of this.#gaps.left()) {
      this.#fault({
        ...at,
        seq: from,
        what: `${range(from, to)} before this line; nothing vouches for what is right before them`,
      });
    }
    const faults = [...this.#faults.values()].toSorted((one, other) => one.order - other.order)
      .map(({ order: _order, ...fault }) => fault);
    if (this.#torn > 0) {
      this.#notes.push(`lines that were torn by a crash, and are kept: ${this.#torn}`);
    }
    return {
      faults,
      furtherFaults: this.#furtherFaults,
      notes: this.#notes,
      entries: this.#entries,
      sealed: this.#sealed,
    };
  }

  #fault(fault: Fault & { readonly order?: number }): void {
    const key = `${fault.file}:${fault.line}`;
    const known = this.#faults.get(key);
    // A changed line has no good seal either: that it was changed says more.
    if (known !== undefined && known.kind !== "seal") return;
    if (known === undefined && this.#faults.size >= MAX_FAULTS) {
      this.#furtherFaults++;
      return;
    }
    this.#faults.set(key, { order: this.#lines, ...fault });
  }

  #report(kind: FaultKind, at: LinePlace, seq: number | null, what: string): void {
    const { file, line } = at;
    this.#fault({ kind, file, line, seq, what });
  }

  #check(line: FoundLine, next: FoundLine | null): void {
    this.#lines++;
    const { entry } = line;
    if (entry === null) {
      this.#checkTorn(line, next);
      this.#behindOther = true;
      return;
    }
    this.#entries++;
    this.#checkSeal(line, entry);
    if (entry.mac !== undefined) this.#sealed++;
    if (this.#before === null) this.#begin(entry);
    this.#checkPlace(line, entry, next);
    if (entry["kind"] === "recovered" && entry["torn"] !== null && !this.#behindOther) {
      const what = `the torn line that entry ${entry.seq} tells of is missing before it`;
      this.#report("missing", line, entry.seq, what);
    }
    this.#behindOther = false;
  }

  /** A line that is no entry. */
  #checkTorn(line: FoundLine, next: FoundLine | null): void {
    const follower = next?.entry ?? null;
    const torn = follower?.["torn"] as { bytes?: unknown; sha256?: unknown } | null | undefined;
    if (follower?.["kind"] === "recovered" && torn?.sha256 === line.hash) {
      this.#torn++;
      return;
    }
    // A line that was put in stands for no entry.
    const inserted = follower?.seq === this.#expected;
    const seq = inserted ? null : this.#expected;
    if (next === null && !line.ended) {
      this.#report("cut_off", line, seq, "the line is cut off");
    } else {
      this.#report("changed", line, seq, "the line is no entry");
    }
    if (!inserted) this.#accept(line, this.#expected, false);
  }

  #checkSeal({ file, line, seal }: FoundLine, { seq }: RawEntry): void {
    if (seal === "bad") {
      this.#report("seal", { file, line }, seq, "the seal is not that of the key");
    }
    if (seal === "none" && this.#sealed > 0) {
      this.#report("seal", { file, line }, seq, "the entry has no seal, and earlier ones have");
    }
  }

  /** The first entry of all: earlier files may be kept elsewhere. */
  #begin(entry: RawEntry): void {
    this.#before = { file: "", line: 0, hash: NO_HASH, seq: 0, trusted: true };
    if (entry["kind"] !== "file_started" || entry.seq === 1) return;
    if (entry["continues"] === null) return;
    this.#notes.push(
      `the log begins with entry ${entry.seq}; it continues ${entry["continues"]}, ` +
        "which is not here",
    );
    this.#expected = entry.seq;
    this.#highest = entry.seq - 1;
    this.#before = { ...this.#before, hash: entry.prev };
  }

  /**
   * Whether what follows a line, the next line or the head, names its hash; where nothing follows,
   * that is taken for granted: more of an entry is not its `prev`.
   */
  #isNamed({ hash }: FoundLine, seq: number, next: FoundLine | null): boolean {
    if (next?.entry) return next.entry.prev === hash;
    return this.#head?.seq !== seq || this.#head.hash === hash;
  }

  #checkPlace(line: FoundLine, entry: RawEntry, next: FoundLine | null): void {
    const before = this.#before!;
    const expected = this.#expected;
    const linked = before.trusted && entry.prev === before.hash;
    if (entry.seq === expected) {
      if (linked || !before.trusted) return this.#accept(line, expected, true);
      return this.#unlinked(line, before, this.#isNamed(line, expected, next));
    }
    if (linked) return this.#misnumbered(line, entry);
    const follower = next?.entry?.seq;
    if (follower === expected) {
      this.#report("order", line, entry.seq, `entry ${entry.seq} stands before entry ${expected}`);
      this.#gaps.seeEarly(entry.seq);
      return;
    }
    if (follower === expected + 1) {
      this.#displaced(line, entry, expected);
      return;
    }
    this.#jumped(line, entry, expected);
  }

  /** The number is right, but the line does not name the one before. */
  #unlinked(line: FoundLine, before: Before, named: boolean): void {
    const changed = named ? before : line;
    const seq = named ? before.seq : this.#expected;
    // Of a line that the next one names, all is as it was: the one before is not.
    if (changed.line > 0) this.#report("changed", changed, seq, `entry ${seq} was changed`);
    else this.#report("changed", line, seq, `entry ${this.#expected} was changed`);
    this.#accept(line, this.#expected, named);
  }

  /** The line names the one before, but has another number. */
  #misnumbered(line: FoundLine, entry: RawEntry): void {
    const lost = entry["lost"] as { from?: unknown; to?: unknown } | null | undefined;
    const known = entry["kind"] === "recovered" && lost?.from === this.#expected &&
      lost.to === entry.seq - 1;
    if (!known) {
      this.#report("changed", line, this.#expected, `entry ${this.#expected} was changed`);
      return this.#accept(line, this.#expected, false);
    }
    const what = `${range(this.#expected, entry.seq - 1)}: the log had been cut off before it ` +
      "was written to again";
    this.#report("cut_off", line, this.#expected, what);
    this.#accept(line, entry.seq, true);
  }

  /** Another entry stands where one should, and the next one is in its place. */
  #displaced(line: FoundLine, entry: RawEntry, expected: number): void {
    const what = `entry ${entry.seq} stands where entry ${expected} should`;
    this.#report("order", line, entry.seq, what);
    this.#gaps.seeEarly(entry.seq);
    this.#accept(line, expected, false);
    this.#gaps.miss(expected, expected, this.#gap(line, expected));
  }

  #gap({ file, line }: LinePlace, seq: number): Fault & { readonly order: number } {
    return { kind: "missing", file, line, seq, what: "", order: this.#lines };
  }

  /** The numbers go on elsewhere. */
  #jumped(line: FoundLine, entry: RawEntry, expected: number): void {
    if (entry.seq > expected) {
      const from = Math.max(expected, this.#highest + 1);
      if (from < entry.seq) this.#gaps.miss(from, entry.seq - 1, this.#gap(line, from));
    } else {
      const what = `entry ${entry.seq} stands behind entry ${expected - 1}`;
      this.#report("order", line, entry.seq, what);
    }
    this.#accept(line, entry.seq, true);
  }

  /** Goes on from a line that stands for a number. */
  #accept({ file, line, hash }: FoundLine, seq: number, trusted: boolean): void {
    this.#gaps.see(seq);
    this.#before = { file, line, hash, seq, trusted };
    this.#expected = seq + 1;
    this.#highest = Math.max(this.#highest, seq);
    if (trusted && this.#head?.seq === seq && this.#head.hash !== hash) {
      this.#report(
        "changed",
        { file, line },
        seq,
        `entry ${seq} is not the one that the head names`,
      );
    }
  }

  #checkEnd(last: FoundLine | null): void {
    const { file, line } = last ?? { file: this.#options.file, line: 0 };
    const at = { file, line: line + 1 };
    if (last !== null && last.entry !== null) {
      const { entry: { seq }, ended, seal } = last;
      if (!ended) this.#report("cut_off", last, seq, "the line end is cut off");
      if (seal === "none") this.#report("seal", last, seq, "the last entry has no seal");
    }
    const head = this.#head;
    if (head !== null && head.seq > this.#highest) {
      const what = `${range(this.#highest + 1, head.seq)} at the end`;
      this.#report("cut_off", at, this.#highest + 1, what);
    }
    this.#checkHead(at);
  }

  #checkHead(at: LinePlace): void {
    const { kind } = this.#found;
    if (kind === "whole" || kind === "missing" && this.#entries === 0) return;
    const what = {
      missing: "the file that says where the log ends is not here: a cut-off end would not show",
      damaged: "the file that says where the log ends was changed",
      unsealed: "the file that says where the log ends has no seal",
    }[kind];
    if (kind === "missing" && !this.#options.needsHead) this.#notes.push(what);
    else this.#report("head", at, null, what);
  }
}
