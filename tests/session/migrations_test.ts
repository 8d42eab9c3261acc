import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { readSession } from "../../lib/session/read.ts";
import { checkVersion, migrate, MIGRATIONS, versionOf } from "../../lib/session/migrations.ts";
import type { SessionPorts } from "../../lib/session/open.ts";
import { SessionError } from "../../lib/session/session_error.ts";
import { NOON, open, started, turn, withSessions } from "./_sessions.ts";

/** A session of version 1 as rein 0.1.0 wrote it. Never to be changed: such files are out there. */
const VERSION_1 = `
  CREATE TABLE event (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE TABLE header (
    id TEXT NOT NULL, named INTEGER NOT NULL, created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL, cwd TEXT NOT NULL, title TEXT NOT NULL DEFAULT '',
    version TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'new', steps INTEGER NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
    missing TEXT NOT NULL DEFAULT '[]'
  );
  INSERT INTO header VALUES
    ('old', 1, ${NOON}, ${NOON + 1000}, '/work', 'find it', '0.1.0', 'running', 1, 10, 5, '[]');
  PRAGMA user_version = 1;
`;

const EVENTS = [started("find it"), turn(1)];

/** Puts a file of version 1, changed by more statements, in the place of a session. */
async function makeOld(ports: SessionPorts, root: string, more = ""): Promise<void> {
  const database = await ports.databases.open(`${root}/old/session.db`);
  database.exec(`PRAGMA journal_mode = WAL; ${VERSION_1} ${more}`);
  for (const event of EVENTS) {
    database.run("INSERT INTO event (body) VALUES (?)", JSON.stringify(event));
  }
  database.close();
}

Deno.test("a session of version 1 is opened and gone on with", () =>
  withSessions(async (ports, root) => {
    await makeOld(ports, root);
    const { session, notes } = await open(ports, { id: "old", create: false });
    assertEquals(notes, []);
    assertEquals(versionOf(session.database), MIGRATIONS.length);
    assertEquals(session.header, {
      id: "old",
      named: true,
      createdMs: NOON,
      updatedMs: NOON + 1000,
      cwd: "/work",
      title: "find it",
      version: "0.1.0",
      state: "running",
      steps: 1,
      inputTokens: 10,
      outputTokens: 5,
      missing: [],
    });
    session.append(turn(2), { durable: true });
    assertEquals([...session.events()], [...EVENTS, turn(2)]);
    session.close();
  }));

Deno.test("migrate() goes from version to version, once, and keeps what is there", () =>
  withSessions(async (ports, root) => {
    await makeOld(ports, root);
    const database = await ports.databases.open(`${root}/old/session.db`);
    const steps = [
      ...MIGRATIONS,
      "ALTER TABLE header ADD COLUMN mood TEXT NOT NULL DEFAULT 'good'",
      "UPDATE header SET mood = 'better'; CREATE TABLE fact (text TEXT)",
    ];
    migrate(database, steps);
    migrate(database, steps);
    const rows = database.all("SELECT id, mood FROM header, pragma_user_version");
    assertEquals(rows.map((row) => ({ ...row })), [{ id: "old", mood: "better" }]);
    assertEquals([versionOf(database), database.all("SELECT 1 FROM event").length], [3, 2]);
    database.close();
  }));

Deno.test("migrate() does all of a step or nothing of it", () =>
  withSessions(async (ports) => {
    const database = await ports.databases.open(null);
    assertThrows(() =>
      migrate(database, [...MIGRATIONS, "CREATE TABLE a (b); CREATE TABLE a (b)"])
    );
    const tables = database.all("SELECT name FROM sqlite_schema ORDER BY name");
    assertEquals([versionOf(database), tables.map(({ name }) => name)], [1, ["event", "header"]]);
    checkVersion(database, "x");
    database.close();
  }));

Deno.test("a session of a newer rein is refused in one line, and left as it is", () =>
  withSessions(async (ports, root) => {
    const newer = MIGRATIONS.length + 1;
    for (const change of ["", "ALTER TABLE event RENAME TO happening;"]) {
      await Deno.remove(`${root}/old`, { recursive: true }).catch(() => {});
      await makeOld(ports, root, `PRAGMA user_version = ${newer};`);
      const database = await ports.databases.open(`${root}/old/session.db`);
      database.exec(change);
      database.close();
      const before = await Deno.readFile(`${root}/old/session.db`);
      const opened = [
        () => open(ports, { id: "old" }),
        () => open(ports, { id: "old", create: false }),
        () => readSession("old", ports),
      ];
      for (const opening of opened) {
        const error = await assertRejects(opening, SessionError);
        assertEquals([error.code, error.message, error.hint], [
          "newer",
          `Session "old" was written by a newer rein (version ${newer} of its file; ` +
          `this one knows ${MIGRATIONS.length})`,
          "Use that rein, or begin another session.",
        ]);
      }
      assertEquals(await Deno.readFile(`${root}/old/session.db`), before);
    }
  }));
