import { assertEquals } from "@std/assert";
import { knowledgeOfRun } from "../../lib/cli/knowledge_of_run.ts";
import { createDatabases } from "../../lib/real/databases.ts";
import { realFiles } from "../../lib/real/files.ts";
import { openKnowledge } from "../../lib/retrieval/knowledge.ts";
import { inTempDir } from "../_temp.ts";
import { FakeClock, NEVER } from "../fakes.ts";

/** Looks for the knowledge base in a folder; returns whether it is there, and what was asked. */
async function lookIn(folder: string | null) {
  const told: string[] = [];
  const ports = { databases: createDatabases(folder), files: realFiles, clock: new FakeClock() };
  const source = await knowledgeOfRun(ports, {
    embedder: () => {
      told.push("asked for an embedder");
      return Promise.resolve(null);
    },
    warn: (text) => {
      told.push(text);
      return Promise.resolve();
    },
  });
  return { path: source?.path ?? null, told };
}

Deno.test("knowledgeOfRun() asks for nothing where there is no knowledge base", () =>
  inTempDir({}, async (directory) => {
    const nothing = { path: null, told: [] };
    assertEquals([await lookIn(null), await lookIn(directory)], [nothing, nothing]);
  }));

Deno.test("knowledgeOfRun() gives one that has documents", () =>
  inTempDir({ "a.txt": "alpha" }, async (directory) => {
    const ports = {
      databases: createDatabases(directory),
      files: realFiles,
      clock: new FakeClock(),
    };
    const knowledge = await openKnowledge(ports, { embedder: null, make: true });
    const told = ["asked for an embedder"];
    assertEquals(await lookIn(directory), { path: null, told });
    await Array.fromAsync(knowledge?.add(`${directory}/a.txt`, NEVER) ?? []);
    knowledge?.close();
    assertEquals(await lookIn(directory), { path: `${directory}/knowledge.db`, told });
  }));

Deno.test("knowledgeOfRun() leaves one out that can't be used, and says so", () =>
  inTempDir({ "knowledge.db": "no data base, but long enough".repeat(99) }, async (directory) => {
    const why = `"${directory}/knowledge.db" can't be used: file is not a database`;
    assertEquals(await lookIn(directory), {
      path: null,
      told: ["asked for an embedder", `The knowledge base is left out: ${why}`],
    });
  }));
