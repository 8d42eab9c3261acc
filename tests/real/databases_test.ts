import { assertEquals } from "@std/assert";
import { type Database, DatabaseError } from "../../lib/ports.ts";
import { createDatabases } from "../../lib/real/databases.ts";
import { inTempDir } from "../_temp.ts";

const databases = createDatabases(null);

function codeOf(work: () => unknown): string {
  try {
    work();
    return "none";
  } catch (error) {
    return error instanceof DatabaseError ? error.code : String(error);
  }
}

function fill(database: Database, insert: (text: string) => unknown): void {
  for (let row = 0; row < 100; row++) insert("x".repeat(4000));
  database.close();
}

Deno.test("a data base says what is wrong with it, whichever way it is used", async () => {
  await inTempDir({ "bad.db": new Uint8Array(8192).fill(7) }, async (directory) => {
    const bad = await databases.open(`${directory}/bad.db`);
    assertEquals([
      codeOf(() => bad.exec("SELECT 1 FROM t")),
      codeOf(() => bad.all("SELECT 1 FROM t")),
    ], [
      "damaged",
      "damaged",
    ]);
    bad.close();
    const small = await databases.open(null);
    small.exec("PRAGMA max_page_count = 3; CREATE TABLE t (v)");
    assertEquals([
      codeOf(() => fill(small, (text) => small.exec(`INSERT INTO t VALUES ('${text}')`))),
      codeOf(() => fill(small, (text) => small.run("INSERT INTO t VALUES (?)", text))),
    ], ["full", "full"]);
    const [one, other] = [
      await databases.open(`${directory}/a.db`),
      await databases.open(`${directory}/a.db`),
    ];
    one.exec("CREATE TABLE t (v)");
    other.exec("PRAGMA busy_timeout = 0");
    one.transaction(() => assertEquals(codeOf(() => other.transaction(() => {})), "busy"));
    for (const database of [one, other]) database.close();
  });
});
