import { assertEquals, assertRejects } from "@std/assert";
import { type Database, DatabaseError } from "../../lib/ports.ts";
import { readSession } from "../../lib/session/read.ts";
import type { SessionPorts } from "../../lib/session/open.ts";
import { SessionError } from "../../lib/session/session_error.ts";
import { inTempDir } from "../_temp.ts";
import {
  ended,
  eventOf,
  NOON,
  open,
  portsIn,
  started,
  stored,
  turn,
  turns,
  withSessions,
} from "./_sessions.ts";

const SOON = { durable: false };

/** Ports whose data bases do otherwise. */
function changed(ports: SessionPorts, change: (database: Database) => Database): SessionPorts {
  const { databases } = ports;
  const opened: typeof databases.open = async (path, options) =>
    change(await databases.open(path, options));
  return { ...ports, databases: { ...databases, open: opened } };
}

/** Fails like a full disk from the moment it is asked to. */
function fillable(database: Database, isFull: () => boolean): Database {
  return {
    exec: (sql) => database.exec(sql),
    all: (sql, ...values) => database.all(sql, ...values),
    run: (sql, ...values) => {
      if (isFull()) throw new DatabaseError("full", "database or disk is full");
      return database.run(sql, ...values);
    },
    transaction: (work) => database.transaction(work),
    close: () => database.close(),
  };
}

Deno.test("a session holds its events as they were, in order, after it was closed", () =>
  withSessions(async (ports) => {
    const events = [started("find it"), ...turns(450), ended("answered")];
    await stored(ports, events, { id: "日志-1" });
    const { session, notes } = await open(ports, { id: "日志-1", create: false });
    assertEquals([...session.events()], events);
    assertEquals(notes, []);
    session.append(turn(900), { durable: true });
    session.append(turn(901), SOON);
    assertEquals([...session.events()].slice(-2), [turn(900), turn(901)]);
    session.close();
  }));

Deno.test("a session leaves out pieces of text", () =>
  withSessions(async (ports) => {
    const { session } = await open(ports);
    session.append(eventOf({ type: "text_delta", text: "a" }), SOON);
    session.append(turn(1), SOON);
    assertEquals([...session.events()], [turn(1)]);
    session.close();
  }));

Deno.test("a session's header follows its events", () =>
  withSessions(async (ports) => {
    const { session } = await open(ports, { id: "h" });
    const header = {
      id: "h",
      named: true,
      createdMs: NOON,
      updatedMs: NOON,
      cwd: "/work",
      title: "",
      version: session.header.version,
      state: "new",
      steps: 0,
      inputTokens: 0,
      outputTokens: 0,
      missing: [],
    };
    assertEquals(session.header, header);
    const long = `find\n  it ${"日".repeat(300)}`;
    session.append(started(long), SOON);
    session.append(eventOf({ type: "step_started", max_steps: 15, progress: "" }, 1), SOON);
    session.append(turn(1), SOON);
    const title = `find it ${"日".repeat(192)}`;
    const running = { ...header, title, state: "running", steps: 1 };
    const counted = { inputTokens: 10, outputTokens: 5, updatedMs: NOON + 1000 };
    assertEquals(session.header, { ...running, ...counted });
    session.append(ended("step_limit"), SOON);
    session.append({ ...started("another task", "run2"), at: "2020-01-01T00:00:00Z" }, SOON);
    session.append({ ...ended("answered", "42", "run2"), at: "whenever" }, SOON);
    // A clock that goes back does not make it older.
    const done = { ...running, ...counted, updatedMs: NOON + 2000, state: "answered" };
    assertEquals(session.header, done);
    session.close();
  }));

Deno.test("a session stores what its caller makes of an event", () =>
  withSessions(async (ports) => {
    const redact = () => started("with [redacted]");
    const { session } = await open(ports, { redact });
    session.append(started("with s3cret"), SOON);
    assertEquals([...session.events()], [started("with [redacted]")]);
    assertEquals(session.header.title, "with [redacted]");
    session.close();
  }));

Deno.test("a session's folder and files are for its user alone", () =>
  withSessions(async (ports, root) => {
    const { session } = await open(ports, { id: "mine" });
    session.append(turn(1), { durable: true });
    const modes = ["", "/session.db", "/session.db-wal", "/session.db-shm", "/lock"].map((path) =>
      ((Deno.statSync(`${root}/mine${path}`).mode ?? 0) & 0o777).toString(8)
    );
    assertEquals(modes, ["700", "600", "600", "600", "600"]);
    session.close();
  }));

Deno.test("a durable event makes SQLite wait for the disk, and no other does", () =>
  withSessions(async (ports) => {
    const ran: string[] = [];
    const listening = changed(ports, (database) => ({
      exec: (sql) => {
        ran.push(sql);
        database.exec(sql);
      },
      all: (sql, ...values) => {
        if (sql.includes("checkpoint")) ran.push(sql);
        return database.all(sql, ...values);
      },
      run: (sql, ...values) => database.run(sql, ...values),
      transaction: (work) => database.transaction(work),
      close: () => database.close(),
    }));
    const { session } = await open(listening, { id: "a" });
    ran.length = 0;
    for (const durable of [false, true, true, false, true]) session.append(turn(1), { durable });
    assertEquals(ran, [
      "PRAGMA synchronous = FULL",
      "PRAGMA wal_checkpoint(PASSIVE)",
      "PRAGMA synchronous = NORMAL",
      "PRAGMA synchronous = FULL",
    ]);
    session.close();
  }));

Deno.test("a full disk turns a session off, says so once, and leaves it incomplete", () =>
  withSessions(async (ports, root) => {
    let full = false;
    const told: string[] = [];
    const onFailure = (message: string) => told.push(message);
    const filling = changed(ports, (database) => fillable(database, () => full));
    const { session } = await open(filling, { id: "x", onFailure });
    session.append(turn(1), SOON);
    full = true;
    session.append(turn(2), SOON);
    full = false;
    session.append(turn(3), SOON);
    assertEquals(told, [
      "The session is not kept from here on: database or disk is full. " +
      'What was kept is shown by "rein sessions show x.incomplete"; it can\'t be resumed',
    ]);
    assertEquals(session.folder, `${root}/x.incomplete`);
    assertEquals([...session.events()], [turn(1)]);
    session.close();
    const kept = await readSession("x.incomplete", ports);
    assertEquals([...kept.events()], [turn(1)]);
    kept.close();
    for (const [id, create] of [["x", true], ["x", false], ["x.incomplete", false]] as const) {
      const named = id === "x";
      const error = await assertRejects(() => open(ports, { id, create, named }), SessionError);
      assertEquals(error.code, "incomplete");
    }
  }));

Deno.test("a session whose file may not grow keeps what it has", () =>
  withSessions(async (ports) => {
    const told: string[] = [];
    const onFailure = (message: string) => told.push(message);
    const { session } = await open(ports, { id: "small", onFailure });
    session.append(turn(1), SOON);
    session.database.exec("PRAGMA max_page_count = 8");
    for (let step = 2; step < 100; step++) session.append(turn(step, "x".repeat(2000)), SOON);
    assertEquals(told.length, 1);
    const events = [...session.events()];
    assertEquals(events, [
      turn(1),
      ...events.slice(1).map((_, index) => turn(index + 2, "x".repeat(2000))),
    ]);
    session.close();
  }));

Deno.test("an incomplete session whose folder can't be renamed is refused all the same", () =>
  withSessions(async (ports) => {
    let full = false;
    const stuck = {
      ...changed(ports, (database) => fillable(database, () => full)),
      folders: {
        ...ports.folders,
        rename: (from: string, to: string) => ports.folders.rename(`${from}/gone`, to),
      },
    };
    const { session } = await open(stuck, { id: "x" });
    full = true;
    session.append(turn(1), SOON);
    session.close();
    for (const _ of [1, 2]) {
      const error = await assertRejects(() => open(ports, { id: "x" }), SessionError);
      assertEquals(error.code, "incomplete");
    }
  }));

Deno.test("a session without a place is in memory, and says so only to who named it", async () => {
  const nowhere = { ...portsIn("/nowhere"), databases: fakeDatabases() };
  const { session, notes } = await open(nowhere);
  session.append(started("find it"), { durable: true });
  session.append(turn(1), SOON);
  assertEquals([session.id, session.folder, notes], [null, null, []]);
  assertEquals([...session.events()], [started("find it"), turn(1)]);
  assertEquals(session.header.title, "find it");
  session.close();
  assertEquals((await open(nowhere, { id: "x" })).notes, [
    "This session is not kept: there is no place for it",
  ]);
});

function fakeDatabases() {
  return { ...portsIn("/nowhere").databases, folder: null };
}

Deno.test("a session that is not to be kept leaves nothing", () =>
  inTempDir({}, async (directory) => {
    const { session } = await open(portsIn(directory), { keep: false });
    session.append(turn(1), SOON);
    session.close();
    assertEquals([...Deno.readDirSync(directory)], []);
  }));

Deno.test("nothing stays of a session without a name in which nothing happened", () =>
  withSessions(async (ports, root) => {
    (await open(ports)).session.close();
    (await open(ports, { id: "named" })).session.close();
    assertEquals([...Deno.readDirSync(root)].map(({ name }) => name), ["named"]);
  }));

Deno.test("a session that can't be made is in memory, with a note", () =>
  inTempDir({ rein: "a file where the folder should be" }, async (directory) => {
    const { session, notes } = await open(portsIn(directory), { id: "x" });
    session.append(turn(1), SOON);
    assertEquals([session.folder, [...session.events()]], [null, [turn(1)]]);
    assertEquals(notes.map((note) => note.slice(0, 46)), [
      "This session is not kept, and can't be resumed",
    ]);
    session.close();
  }));

Deno.test("a session that can't be made on a full disk leaves no folder", () =>
  withSessions(async (ports, root) => {
    const full = changed(ports, (database) => fillable(database, () => true));
    const opened = { ...full.databases };
    const onDisk: typeof opened.open = (path, options) =>
      path === null ? ports.databases.open(path) : opened.open(path, options);
    const { session, notes } = await open({ ...full, databases: { ...opened, open: onDisk } });
    assertEquals([session.folder, notes.length], [null, 1]);
    assertEquals([...Deno.readDirSync(root)], []);
    session.close();
  }));

Deno.test("append() stores what nothing happens by with the next event, and with the end", () =>
  withSessions(async (ports) => {
    const { session } = await open(ports, { id: "x" });
    const count = () => session.database.all("SELECT count(*) AS n FROM event")[0]?.["n"];
    session.append(turn(1), { durable: false, withNext: true });
    assertEquals(count(), 0);
    session.append(turn(2), { durable: false });
    assertEquals(count(), 2);
    session.append(turn(3), { durable: false, withNext: true });
    assertEquals([...session.events()], [turn(1), turn(2), turn(3)]);
    session.append(turn(4), { durable: false, withNext: true });
    session.close();
    const reading = await readSession("x", ports);
    assertEquals([...reading.events()], [turn(1), turn(2), turn(3), turn(4)]);
    reading.close();
  }));
