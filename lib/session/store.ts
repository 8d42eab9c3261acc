/**
 * The events of a session, stored as they happen.
 *
 * @module
 */

import { type Database, DatabaseError, FileError, type FolderLock, type Ports } from "../ports.ts";
import type { Event } from "../events.ts";
import { readHeader, type SessionHeader, updateHeader } from "./header.ts";
import { noteEnded, noteIncomplete } from "./lock.ts";
import { setAside } from "./names.ts";
import { SessionError } from "./session_error.ts";

/** Rows read at once: few queries, and little memory. */
const PAGE_ROWS = 200;

/** How an event is stored. */
export interface AppendOptions {
  /** Whether it must outlast a power cut, which takes a disk's time. */
  readonly durable: boolean;
  /** Whether it is stored with the next one, since nothing happens by it; false if left out. */
  readonly withNext?: boolean;
}

/** An open session. */
export interface Session {
  /** Null: it is in memory, and gone with the process. */
  readonly id: string | null;
  /** Where it is kept; another place once writing failed, null in memory. */
  readonly folder: string | null;
  readonly database: Database;
  /** Where it stands. */
  readonly header: SessionHeader;
  /**
   * Stores an event, all or nothing, before it returns; pieces of text are left out. The first
   * failure is reported and turns the store off: what comes later is ignored. Never throws for
   * what the disk does.
   */
  append(event: Event, options: AppendOptions): void;
  /**
   * The stored events, in order, as they were stored.
   *
   * @throws {SessionError} `damaged`, if one can't be read.
   */
  events(): Iterable<Event>;
  /** As `events`, after a number. */
  eventsAfter(seq: number): Iterable<NumberedEvent>;
  /**
   * Ends it and gives back its lock; nothing stays of one without a name in which nothing
   * happened. Never throws for what the disk does.
   */
  close(): void;
}

/** What a store is handed. */
export interface StoreParts {
  readonly id: string | null;
  readonly folder: string | null;
  readonly database: Database;
  readonly lock: FolderLock | null;
  /** Whether the file was made just now, so that the disk may know nothing of it yet. */
  readonly fresh: boolean;
  /** Takes secrets out of an event before it is stored. */
  readonly redact: (event: Event) => Event;
  /** Is told, once, that the session is no longer kept. */
  readonly onFailure: (message: string) => void;
}

/** An event with its number, from 1; numbers may be missing. */
export interface NumberedEvent {
  readonly seq: number;
  readonly event: Event;
}

/**
 * Events of a file, in order.
 *
 * @param afterSeq Those after this number; 0: all.
 * @throws {SessionError} `damaged`, if one can't be read.
 */
export function* numberedEvents(
  database: Database,
  id: string,
  afterSeq: number,
): Generator<NumberedEvent> {
  const sql = `SELECT seq, body FROM event WHERE seq > ? ORDER BY seq LIMIT ${PAGE_ROWS}`;
  for (let last = afterSeq;;) {
    const rows = orDamaged(id, last, () => database.all(sql, last));
    for (const { seq, body } of rows) {
      const event = orDamaged(id, last, () => JSON.parse(String(body)) as Event);
      last = Number(seq);
      yield { seq: last, event };
    }
    if (rows.length < PAGE_ROWS) return;
  }
}

/**
 * All events of a file, in order.
 *
 * @throws {SessionError} `damaged`, if one can't be read.
 */
export function* storedEvents(database: Database, id: string): Generator<Event> {
  for (const { event } of numberedEvents(database, id, 0)) yield event;
}

function orDamaged<T>(id: string, last: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DatabaseError || error instanceof SyntaxError)) throw error;
    const hint = "What can be read of it is rescued when it is resumed.";
    const message = `Session "${id}" is damaged after event ${last}`;
    throw new SessionError("damaged", message, hint, error);
  }
}

/** Does the work; what was committed stays, whatever the disk does then. */
function quietly(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof DatabaseError || error instanceof FileError)) throw error;
  }
}

/** Pieces of a turn; what it came to is stored whole, with its end. */
const PASSING: readonly Event["type"][] = ["text_delta", "reasoning_delta", "text_restarted"];

/** A session whose events are rows of a data base. */
export class EventStore implements Session {
  readonly id: string | null;
  readonly database: Database;
  readonly #parts: StoreParts;
  readonly #ports: Pick<Ports, "folders" | "clock">;
  #folder: string | null;
  #state: "open" | "failed" | "closed" = "open";
  /** What SQLite waits for at a commit; `NORMAL` is how the file was opened. */
  #durable = false;
  #onDisk: boolean;
  /** Events that are stored with the next one. */
  #waiting: Event[] = [];

  constructor(parts: StoreParts, ports: Pick<Ports, "folders" | "clock">) {
    this.id = parts.id;
    this.database = parts.database;
    this.#folder = parts.folder;
    this.#onDisk = !parts.fresh;
    this.#parts = parts;
    this.#ports = ports;
  }

  get folder(): string | null {
    return this.#folder;
  }

  get header(): SessionHeader {
    const header = readHeader(this.database);
    if (header !== null) return header;
    throw new SessionError("damaged", `Session "${this.#name}" has no header`, "Remove it.");
  }

  get #name(): string {
    return this.id ?? "in memory";
  }

  append(event: Event, { durable, withNext = false }: AppendOptions): void {
    if (this.#state !== "open" || PASSING.includes(event.type)) return;
    this.#waiting.push(this.#parts.redact(event));
    if (!withNext) this.#store(durable);
  }

  events(): Iterable<Event> {
    this.#store(false);
    return storedEvents(this.database, this.#name);
  }

  eventsAfter(seq: number): Iterable<NumberedEvent> {
    this.#store(false);
    return numberedEvents(this.database, this.#name, seq);
  }

  /** Stores what waits, all or nothing. */
  #store(durable: boolean): void {
    const events = this.#waiting;
    if (this.#state !== "open" || events.length === 0) return;
    this.#waiting = [];
    try {
      if (this.#folder !== null) this.#waitForDisk(durable);
      this.database.transaction(() => {
        for (const event of events) {
          this.database.run("INSERT INTO event (body) VALUES (?)", JSON.stringify(event));
          updateHeader(this.database, event);
        }
      });
      if (durable && !this.#onDisk) this.#bringToDisk();
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      this.#fail(error);
    }
  }

  close(): void {
    if (this.#state === "closed") return;
    this.#store(false);
    const whole = this.#state === "open";
    this.#state = "closed";
    const lasting = this.#lasting();
    quietly(() => this.database.close());
    const { lock } = this.#parts;
    const folder = this.#folder;
    if (whole && lasting === "nothing" && folder !== null) {
      quietly(() => this.#ports.folders.remove(folder));
    } else if (whole && lock !== null) {
      noteEnded(lock, lasting === "for a while", this.#ports.clock.now());
    }
    lock?.release();
  }

  /** How much of it is worth keeping; all, where that can't be known. */
  #lasting(): "all" | "for a while" | "nothing" {
    try {
      const { named, state } = this.header;
      if (named) return "all";
      if (this.database.all("SELECT 1 FROM event LIMIT 1").length === 0) return "nothing";
      return state === "running" ? "all" : "for a while";
    } catch {
      return "all";
    }
  }

  #waitForDisk(durable: boolean): void {
    if (durable === this.#durable) return;
    this.database.exec(`PRAGMA synchronous = ${durable ? "FULL" : "NORMAL"}`);
    this.#durable = durable;
  }

  /** A new file was made without waiting for the disk: SQLite drops its log beside an empty one. */
  #bringToDisk(): void {
    this.database.all("PRAGMA wal_checkpoint(PASSIVE)");
    this.#onDisk = this.#folder !== null;
  }

  /** A session that misses its end must not look as if it were whole. */
  #fail(error: DatabaseError): void {
    this.#state = "failed";
    const { lock, onFailure } = this.#parts;
    if (lock !== null) noteIncomplete(lock, this.#ports.clock.now());
    const rest = this.#setAside();
    onFailure(`The session is not kept from here on: ${error.message}. ${rest}`);
  }

  #setAside(): string {
    if (this.#folder === null) return "It can't be resumed";
    try {
      this.#folder = setAside(this.#folder, ".incomplete", this.#ports.folders);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return `What was kept is in "${this.#folder}"; it can't be resumed`;
    }
    const name = this.#folder.slice(this.#folder.lastIndexOf("/") + 1);
    return `What was kept is shown by "rein sessions show ${name}"; it can't be resumed`;
  }
}
