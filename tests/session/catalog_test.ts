import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { DatabaseError } from "../../lib/ports.ts";
import { countSessions, findLatest, listSessions } from "../../lib/session/catalog.ts";
import { readSession } from "../../lib/session/read.ts";
import { KEPT_SESSIONS, prune, removeSession } from "../../lib/session/remove.ts";
import { SessionError } from "../../lib/session/session_error.ts";
import { ended, open, portsIn, started, stored, turn, withSessions } from "./_sessions.ts";

const ANSWERED = [started("find it"), ended("answered")];
const UNFINISHED = [started("find it"), ended("step_limit")];

/** Makes the file of a session look as if it had been written then, in seconds. */
async function writtenAt(root: string, id: string, seconds: number): Promise<void> {
  await Deno.utime(`${root}/${id}/session.db`, seconds, seconds);
}

/** Answered sessions without a name, the first the oldest, as folders with their locks alone. */
async function manyAnswered(root: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `a${index}`);
  for (const [index, id] of ids.entries()) {
    await Deno.mkdir(`${root}/${id}`, { recursive: true });
    const time = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
    await Deno.writeTextFile(`${root}/${id}/lock`, `may be pruned, ended ${time}\n`);
  }
  return ids;
}

Deno.test("listSessions() lists by headers, newest first, whatever state sessions are in", () =>
  withSessions(async (ports, root) => {
    assertEquals([await listSessions(ports), countSessions(ports)], [[], 0]);
    await stored(ports, ANSWERED, { id: "old" });
    await ports.clock.advance(1000);
    const { session } = await open(ports, { id: "running" });
    session.append({ ...started("another"), at: "2026-11-29T13:00:00.000Z" }, { durable: false });
    await stored(ports, UNFINISHED, { id: "halted", cwd: "/elsewhere" });
    await Deno.mkdir(`${root}/nothing`);
    await Deno.mkdir(`${root}/.x.rescued`);
    await Deno.writeTextFile(`${root}/note`, "no session");
    await Deno.rename(`${root}/old`, `${root}/old.incomplete`);
    // What is written goes to the log first.
    for (const [index, id] of ["running", "old.incomplete", "halted"].entries()) {
      await writtenAt(root, id, 1000 + index);
    }
    const rows = (await listSessions(ports)).map(({ id, condition, inUse, header }) =>
      [id, condition, inUse, header?.state, header?.title].join(" ")
    );
    assertEquals(rows, [
      "running whole true running another",
      "halted whole false step_limit find it",
      "old.incomplete incomplete false answered find it",
      "nothing whole false  ",
    ]);
    assertEquals((await listSessions(ports, 1)).map(({ id }) => id), ["running"]);
    assertEquals(countSessions(ports), 4);
    session.close();
  }));

Deno.test("findLatest() finds the newest of a directory that can be gone on with", () =>
  withSessions(async (ports, root) => {
    const query = { cwd: "/work", unfinished: false };
    assertEquals(await findLatest(query, ports), null);
    await stored(ports, UNFINISHED, { id: "halted" });
    await stored(ports, ANSWERED, { id: "answered" });
    await stored(ports, UNFINISHED, { id: "elsewhere", cwd: "/elsewhere" });
    await stored(ports, UNFINISHED, { id: "cut" });
    await Deno.rename(`${root}/cut`, `${root}/cut.incomplete`);
    const { session } = await open(ports, { id: "busy" });
    session.append(started("find it"), { durable: false });
    const ids = ["halted", "answered", "elsewhere", "cut.incomplete"];
    for (const [index, id] of ids.entries()) await writtenAt(root, id, 1000 + index);
    assertEquals((await findLatest(query, ports))?.id, "busy");
    const unfinished = { ...query, unfinished: true };
    assertEquals((await findLatest(unfinished, ports))?.id, "halted");
    session.close();
    assertEquals((await findLatest(unfinished, ports))?.id, "busy");
    removeSession("busy", ports);
    assertEquals((await findLatest(query, ports))?.id, "answered");
  }));

Deno.test("readSession() reads what another writes meanwhile, and changes nothing", () =>
  withSessions(async (ports) => {
    const { session } = await open(ports, { id: "x" });
    session.append(turn(1), { durable: false });
    const reading = await readSession("x", ports);
    assertEquals([...reading.events()], [turn(1)]);
    session.append(turn(2), { durable: false });
    assertEquals([...reading.events()], [turn(1), turn(2)]);
    reading.close();
    session.append(turn(3), { durable: true });
    assertEquals([...session.events()].length, 3);
    session.close();
  }));

Deno.test("sessions are listed and read where SQLite has no room for a file of its own", () =>
  withSessions(async (ports, root) => {
    await stored(ports, [started("find it"), turn(1)], { id: "x" });
    const noRoom: typeof ports.databases.open = (path, options) =>
      options?.alone
        ? ports.databases.open(path, options)
        : Promise.reject(new DatabaseError("unusable", "disk I/O error"));
    const full = { ...ports, databases: { ...ports.databases, open: noRoom } };
    assertEquals((await listSessions(full)).map(({ header }) => header?.title), ["find it"]);
    const reading = await readSession("x", full);
    assertEquals([...reading.events()], [started("find it"), turn(1)]);
    reading.close();
    await Deno.writeTextFile(`${root}/x/session.db-wal`, "a log that must be heeded");
    const error = await assertRejects(() => readSession("x", full), SessionError);
    assertEquals([error.code, error.message], [
      "unusable",
      'Session "x" can\'t be read: disk I/O error',
    ]);
  }));

Deno.test("a session can be gone on with while another process reads it", () =>
  withSessions(async (ports) => {
    await stored(ports, [turn(1)], { id: "x" });
    const reading = await readSession("x", ports);
    const { session } = await open(ports, { id: "x" });
    session.append(turn(2), { durable: true });
    assertEquals([...reading.events()], [turn(1), turn(2)]);
    session.close();
    assertEquals([...reading.events()], [turn(1), turn(2)]);
    reading.close();
  }));

Deno.test("listing sessions that nobody has leaves nothing beside them", () =>
  withSessions(async (ports, root) => {
    await stored(ports, [turn(1)], { id: "x" });
    await listSessions(ports);
    const names = [...Deno.readDirSync(`${root}/x`)].map(({ name }) => name);
    assertEquals(names.toSorted(), ["lock", "lock.db", "session.db"]);
  }));

Deno.test("removeSession() removes all of a session, and only sessions", () =>
  withSessions(async (ports, root) => {
    await stored(ports, ANSWERED, { id: "x" });
    await Deno.writeTextFile(`${root}/x/out1`, "kept output");
    removeSession("x", ports);
    assertEquals([...Deno.readDirSync(root)], []);
    for (const id of ["x", "..", ".", "", "../sessions", "/etc"]) {
      assertEquals(assertThrows(() => removeSession(id, ports), SessionError).code, "not_found");
    }
  }));

Deno.test("prune() removes the oldest ended sessions without a name, a few at a time", () =>
  withSessions(async (ports, root) => {
    const ids = await manyAnswered(root, KEPT_SESSIONS + 25);
    await stored(ports, UNFINISHED);
    await stored(ports, [started("broken off")]);
    await stored(ports, ANSWERED, { id: "named" });
    await Deno.writeTextFile(`${root}/note`, "no session");
    const { session } = await open(ports, { id: ids[0] ?? "", named: false });
    session.append(turn(1), { durable: false });
    assertEquals([1, 2, 3, 4].map(() => prune(ports)), [10, 10, 5, 0]);
    session.close();
    const left = [...Deno.readDirSync(root)].map(({ name }) => name);
    const expected = [ids[0], ...ids.slice(26), "s1", "s2", "named", "note"];
    assertEquals(left.toSorted(), expected.map(String).toSorted());
  }));

Deno.test("prune() leaves a session that another process took and left meanwhile", () =>
  withSessions(async (ports, root) => {
    const ids = await manyAnswered(root, KEPT_SESSIONS + 1);
    await Deno.writeTextFile(`${root}/${ids[0]}/lock`, "ended 2026-11-29T12:00:00.000Z\n");
    const earlier = new TextEncoder().encode("may be pruned, ended 2020-01-01T00:00:00.000Z\n");
    const read = (path: string) =>
      path === `${root}/${ids[0]}/lock` ? earlier : ports.folders.read(path);
    assertEquals(prune({ ...ports, folders: { ...ports.folders, read } }), 0);
    assertEquals(countSessions(ports), KEPT_SESSIONS + 1);
  }));

Deno.test("a session without a name may be pruned once its run has ended, until it goes on", () =>
  withSessions(async (ports, root) => {
    const noteOf = (id: string) => Deno.readTextFile(`${root}/${id}/lock`);
    const id = await stored(ports, ANSWERED);
    assertEquals(await noteOf(id), "may be pruned, ended 2026-11-29T12:00:00.000Z\n");
    assertEquals(await noteOf(await stored(ports, UNFINISHED)), await noteOf(id));
    await stored(ports, [started("more")], { id, named: false });
    assertEquals(await noteOf(id), "ended 2026-11-29T12:00:00.000Z\n");
    assertEquals(await noteOf(await stored(ports, ANSWERED, { id: "named" })), await noteOf(id));
  }));

Deno.test("prune() does nothing where there is nothing, and throws for no fault of the disk", () => {
  const ports = portsIn("/nowhere");
  assertEquals(prune(ports), 0);
  assertEquals(prune(portsIn("/proc/version")), 0);
  assertEquals(prune({ ...ports, databases: { ...ports.databases, folder: null } }), 0);
});
