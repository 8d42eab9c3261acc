import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import type { Event } from "../../lib/events.ts";
import { listSessions } from "../../lib/session/catalog.ts";
import { readSession } from "../../lib/session/read.ts";
import type { SessionPorts } from "../../lib/session/open.ts";
import { SessionError } from "../../lib/session/session_error.ts";
import { abandoned, open, stored, turns, withSessions } from "./_sessions.ts";

/** Bytes of a page of SQLite. */
const PAGE = 4096;

/** Puts NULs into a file. */
async function blank(path: string, from: number, bytes: number): Promise<void> {
  const file = await Deno.open(path, { write: true });
  await file.seek(from, Deno.SeekMode.Start);
  await file.write(new Uint8Array(bytes));
  file.close();
}

/** What there is of a session when it is opened: its events, what is missing, what was said. */
async function whatIsLeft(ports: SessionPorts, id: string) {
  const { session, notes } = await open(ports, { id, create: false });
  const left = { events: [...session.events()], missing: session.header.missing, notes };
  session.close();
  return left;
}

/** The names of what is below the folder of sessions. */
async function namesIn(root: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(root), ({ name }) => name)).toSorted();
}

/** Events of a list whose places are not among these numbers, from 1. */
function without(events: readonly Event[], missing: readonly number[]): Event[] {
  return events.filter((_, index) => !missing.includes(index + 1));
}

Deno.test("a log that is torn anywhere leaves a whole beginning of the events, in order", () =>
  withSessions(async (ports, root) => {
    const events = turns(12);
    await abandoned(ports, events, root);
    const wal = await Deno.readFile(`${root}/torn/session.db-wal`);
    const lock = await Deno.readFile(`${root}/torn/lock`);
    const base = await Deno.readFile(`${root}/torn/session.db`);
    let longest = 0;
    const lasts = async (torn: Uint8Array) => {
      await Deno.writeFile(`${root}/torn/session.db`, base);
      await Deno.writeFile(`${root}/torn/session.db-wal`, torn);
      await Deno.remove(`${root}/torn/session.db-shm`).catch(() => {});
      await Deno.writeFile(`${root}/torn/lock`, lock);
      try {
        const left = await whatIsLeft(ports, "torn");
        assertEquals([left.missing, left.notes], [[], []]);
        assertEquals(left.events, events.slice(0, left.events.length));
        longest = Math.max(longest, left.events.length);
      } catch (error) {
        // Without its tables the file holds nothing.
        if (!(error instanceof SessionError) || error.code !== "empty") throw error;
      }
    };
    await lasts(wal);
    assertEquals(longest, events.length);
    const place = fc.integer({ min: 0, max: wal.length - 1 });
    const cut = fc.asyncProperty(place, (at) => lasts(wal.slice(0, at)));
    const garbled = fc.asyncProperty(place, fc.uint8Array({ minLength: 1 }), (at, bytes) => {
      const copy = wal.slice();
      copy.set(bytes.subarray(0, copy.length - at), at);
      return lasts(copy);
    });
    await fc.assert(cut, { numRuns: 100 });
    await fc.assert(garbled, { numRuns: 100 });
  }));

Deno.test("a torn log loses nothing that was stored before the tear", () =>
  withSessions(async (ports, root) => {
    const events = turns(12);
    const { session } = await open(ports, { id: "torn" });
    const ends: number[] = [];
    for (const event of events) {
      session.append(event, { durable: false });
      ends.push((await Deno.stat(`${root}/torn/session.db-wal`)).size);
    }
    const wal = await Deno.readFile(`${root}/torn/session.db-wal`);
    for (const [count, end] of ends.entries()) {
      await Deno.mkdir(`${root}/cut${count}`);
      await Deno.copyFile(`${root}/torn/session.db`, `${root}/cut${count}/session.db`);
      await Deno.writeFile(`${root}/cut${count}/session.db-wal`, wal.slice(0, end + 100));
      assertEquals((await whatIsLeft(ports, `cut${count}`)).events, events.slice(0, count + 1));
    }
    session.close();
  }));

Deno.test("NULs anywhere in a session's file cost the events that they hit, and no others", () =>
  withSessions(async (ports, root) => {
    const events = turns(120);
    await stored(ports, events, { id: "whole" });
    const whole = await Deno.readFile(`${root}/whole/session.db`);
    const place = fc.integer({ min: 0, max: whole.length - 1 });
    const size = fc.constantFrom(1, 16, 512, PAGE, 3 * PAGE);
    let number = 0;
    const rescued = fc.asyncProperty(place, size, async (at, bytes) => {
      const id = `n${++number}`;
      await Deno.mkdir(`${root}/${id}`);
      await Deno.writeFile(`${root}/${id}/session.db`, whole);
      await blank(`${root}/${id}/session.db`, at, Math.min(bytes, whole.length - at));
      const { events: left, missing, notes } = await whatIsLeft(ports, id);
      if (notes.length === 0) return assertEquals([left.length, missing], [events.length, []]);
      const gone = events.length - left.length;
      // The newest ones can be lost without a trace of their numbers.
      const unseen = gone - missing.length;
      assertEquals(left, without(events.slice(0, events.length - unseen), missing));
      // A page holds a dozen of them at the most.
      assertEquals(gone <= 14 * (1 + Math.ceil(bytes / PAGE)), true, `${gone} lost`);
      const again = await whatIsLeft(ports, id);
      assertEquals(again, { events: left, missing, notes: [] });
    });
    // The first is the number of the newest event.
    await fc.assert(rescued, { numRuns: 60, examples: [[whole.length - 3934, 1]] });
  }));

Deno.test("NULs over the first page cost no event but those in it", () =>
  withSessions(async (ports, root) => {
    const events = turns(60);
    await stored(ports, events, { id: "x" });
    await blank(`${root}/x/session.db`, 0, PAGE);
    assertEquals(await whatIsLeft(ports, "x"), {
      events,
      missing: [],
      notes: [
        'Session "x" was damaged, and all that could be seen of it was rescued: 60 events; ' +
        'its files are kept in "x.damaged-2026-11-29"',
      ],
    });
    assertEquals(await namesIn(root), ["x", "x.damaged-2026-11-29"]);
  }));

Deno.test("a damaged session is set aside, rescued, and told of, with what lies beside it", () =>
  withSessions(async (ports, root) => {
    const events = turns(60);
    const id = await stored(ports, events);
    await Deno.writeTextFile(`${root}/${id}/out1`, "kept");
    const before = await Deno.readFile(`${root}/${id}/session.db`);
    const at = before.length - 3 * PAGE;
    await blank(`${root}/${id}/session.db`, at, PAGE);
    const { events: left, missing, notes } = await whatIsLeft(ports, id);
    assertEquals(left, without(events, missing));
    assertEquals(missing.length > 0 && missing.length < 15, true);
    const ranges = missing.length === 1 ? `${missing[0]}` : `${missing[0]}–${missing.at(-1)}`;
    assertEquals(notes, [
      `Session "s1" was damaged, ${left.length} of 60 events were rescued, and these are ` +
      `missing: ${ranges}; its files are kept in "s1.damaged-2026-11-29"`,
    ]);
    assertEquals(await Deno.readTextFile(`${root}/s1/out1`), "kept");
    const kept = await Deno.readFile(`${root}/s1.damaged-2026-11-29/session.db`);
    before.fill(0, at, at + PAGE);
    assertEquals(kept, before);
    const [info] = await listSessions(ports);
    assertEquals([info?.id, info?.header?.named, info?.header?.createdMs], [
      "s1",
      false,
      ports.clock.now(),
    ]);
  }));

Deno.test("damaged sessions of one name and day are all kept", () =>
  withSessions(async (ports, root) => {
    for (const _ of [1, 2]) {
      await stored(ports, turns(10), { id: "x" });
      await blank(`${root}/x/session.db`, 0, PAGE);
      await whatIsLeft(ports, "x");
    }
    assertEquals(await namesIn(root), ["x", "x.damaged-2026-11-29", "x.damaged-2026-11-29-2"]);
  }));

Deno.test("a session of which nothing can be read is refused, or begun anew where it is made", () =>
  withSessions(async (ports, root) => {
    for (const create of [false, true]) {
      await stored(ports, turns(3), { id: "x" });
      await Deno.writeFile(`${root}/x/session.db`, new Uint8Array(8 * PAGE));
      const said = 'Session "x" was damaged, and nothing of it could be read; its files are kept ' +
        `in "x.damaged-2026-11-29${create ? "-2" : ""}"`;
      if (create) {
        const { session, notes } = await open(ports, { id: "x" });
        assertEquals([[...session.events()], notes], [[], [said]]);
        session.close();
      } else {
        const error = await assertRejects(() => open(ports, { id: "x", create }), SessionError);
        assertEquals([error.code, error.message], ["damaged", said]);
      }
    }
  }));

Deno.test("an empty file does not cost the log beside it", () =>
  withSessions(async (ports, root) => {
    const events = turns(30);
    await abandoned(ports, events, root);
    await Deno.truncate(`${root}/torn/session.db`, 0);
    assertEquals((await whatIsLeft(ports, "torn")).events, events);
  }));

Deno.test("a log that is gone is told of, since it may have held the newest events", () =>
  withSessions(async (ports, root) => {
    const events = turns(10);
    await stored(ports, events, { id: "x" });
    const { session } = await open(ports, { id: "x" });
    await Deno.copyFile(`${root}/x/lock`, `${root}/lock`);
    session.close();
    await Deno.rename(`${root}/lock`, `${root}/x/lock`);
    assertEquals(await whatIsLeft(ports, "x"), {
      events,
      missing: [],
      notes: ['Session "x" may miss its newest events: the log beside its file is gone'],
    });
    assertEquals((await whatIsLeft(ports, "x")).notes, []);
  }));

Deno.test("a session whose making was cut short is made when it is asked for", () =>
  withSessions(async (ports, root) => {
    await Deno.mkdir(`${root}/x`, { recursive: true });
    const error = await assertRejects(() => open(ports, { id: "x", create: false }), SessionError);
    assertEquals(error.code, "empty");
    const { session } = await open(ports, { id: "x" });
    assertEquals(session.header.state, "new");
    session.close();
  }));

Deno.test("what was set aside can be shown, as far as it can be read", () =>
  withSessions(async (ports, root) => {
    await stored(ports, turns(10), { id: "x" });
    await blank(`${root}/x/session.db`, 0, PAGE);
    await whatIsLeft(ports, "x");
    const error = await assertRejects(
      () => readSession("x.damaged-2026-11-29", ports),
      SessionError,
    );
    assertEquals([error.code, error.hint], [
      "damaged",
      "What could be read of it is in the session without that ending.",
    ]);
  }));
