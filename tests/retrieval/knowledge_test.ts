import { assertEquals, assertRejects } from "@std/assert";
import { createDatabases } from "../../lib/real/databases.ts";
import { realFiles } from "../../lib/real/files.ts";
import { DatabaseError } from "../../lib/ports.ts";
import {
  findKnowledge,
  type Knowledge,
  type KnowledgePorts,
  openKnowledge,
} from "../../lib/retrieval/knowledge.ts";
import { inTempDir } from "../_temp.ts";
import { FakeClock, NEVER } from "../fakes.ts";

const ADDED_MS = Date.UTC(2026, 10, 29);

function portsIn(directory: string): KnowledgePorts {
  return {
    databases: createDatabases(`${directory}/state/rein`),
    files: { ...realFiles, cwd: () => directory },
    clock: new FakeClock(ADDED_MS),
  };
}

/** Works with a knowledge base beside these files. */
function withKnowledge(
  files: Readonly<Record<string, string | Uint8Array>>,
  work: (knowledge: Knowledge, directory: string) => Promise<void>,
): Promise<void> {
  return inTempDir(files, async (directory) => {
    const options = { embedder: null, make: true };
    const knowledge = await openKnowledge(portsIn(directory), options);
    if (knowledge === null) throw new Error("There is no knowledge base");
    try {
      await work(knowledge, directory);
    } finally {
      knowledge.close();
    }
  });
}

/** What came of each file, by its path below the directory. */
async function added(knowledge: Knowledge, directory: string, path = ""): Promise<string[]> {
  const files = await Array.fromAsync(knowledge.add(directory + path, NEVER));
  return files.map((file) => {
    const reason = file.reason === null ? "" : `: ${file.reason.replaceAll(`${directory}/`, "")}`;
    return `${file.path.slice(directory.length + 1)} ${file.outcome}${reason}`;
  });
}

async function places(knowledge: Knowledge, query: string): Promise<string[]> {
  const { hits } = await knowledge.search(query, 5, NEVER);
  return hits.map(({ place }) => place);
}

Deno.test("add() takes what is text below a directory, and says why of the rest", () =>
  withKnowledge({
    "docs/a.md": "# Deploy\nUse blue-green.",
    "docs/deep/b.txt": "数据库在北京机房",
    "docs/.hidden/c.txt": "hidden",
    "docs/.secret": "hidden",
    "docs/logo.png": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0),
    "docs/big.log": "x".repeat(10_000_001),
    "docs/empty.txt": "",
  }, async (knowledge, directory) => {
    assertEquals(await added(knowledge, directory, "/docs"), [
      "docs/a.md added",
      'docs/big.log refused: "docs/big.log" has more than 10 MB',
      "docs/deep/b.txt added",
      "docs/empty.txt added",
      'docs/logo.png refused: "docs/logo.png" is no text (PNG image)',
    ]);
    assertEquals(await added(knowledge, directory, "/none"), [
      'none refused: "none" does not exist',
    ]);
    assertEquals(await places(knowledge, "机房"), ["docs/deep/b.txt:1"]);
    assertEquals(await places(knowledge, "blue-green"), ["docs/a.md:1-2"]);
  }));

Deno.test("add() leaves what has not changed, and replaces what has", () =>
  withKnowledge({ "a.txt": "alpha", "b.txt": "beta" }, async (knowledge, directory) => {
    await added(knowledge, directory, "/a.txt");
    await added(knowledge, directory, "/b.txt");
    await Deno.writeTextFile(`${directory}/a.txt`, "gamma");
    assertEquals(
      [await added(knowledge, directory, "/a.txt"), await added(knowledge, directory, "/b.txt")],
      [["a.txt replaced"], ["b.txt unchanged"]],
    );
    assertEquals([await places(knowledge, "alpha"), await places(knowledge, "gamma")], [
      [],
      ["a.txt:1"],
    ]);
  }));

Deno.test("list() tells what has changed and what is gone since", () =>
  withKnowledge({ "a.txt": "alpha", "b.txt": "beta", "c.txt": "gamma" }, async (knowledge, dir) => {
    for (const name of ["a", "b", "c"]) await added(knowledge, dir, `/${name}.txt`);
    await Deno.writeTextFile(`${dir}/b.txt`, "BETA");
    await Deno.utime(`${dir}/b.txt`, 1, 1);
    await Deno.utime(`${dir}/a.txt`, 1, 1);
    await Deno.remove(`${dir}/c.txt`);
    const one = { pieces: 1, addedMs: ADDED_MS };
    assertEquals(await knowledge.list(NEVER), [
      { ...one, path: `${dir}/a.txt`, bytes: 5, state: "current" },
      { ...one, path: `${dir}/b.txt`, bytes: 4, state: "changed" },
      { ...one, path: `${dir}/c.txt`, bytes: 5, state: "gone" },
    ]);
  }));

Deno.test("remove() takes a document, or all below a directory, out of the searches", () =>
  withKnowledge(
    { "d/a.txt": "alpha", "d/b.txt": "alpha", "d%.txt": "alpha", "d2.txt": "alpha" },
    async (knowledge, dir) => {
      for (const path of ["/d", "/d%.txt", "/d2.txt"]) await added(knowledge, dir, path);
      assertEquals(knowledge.remove(`${dir}/d`), [`${dir}/d/a.txt`, `${dir}/d/b.txt`]);
      assertEquals((await places(knowledge, "alpha")).toSorted(), ["d%.txt:1", "d2.txt:1"]);
      assertEquals(knowledge.remove(`${dir}/d`), []);
      assertEquals(knowledge.count(), 2);
    },
  ));

Deno.test("search() finds in Markdown by the headings, which stand with each piece", () =>
  withKnowledge({
    "x.md": `# Deploy\n\nText.\n\n## Rollback\n${"Switch the traffic back. ".repeat(50)}`,
  }, async (knowledge, dir) => {
    await added(knowledge, dir, "/x.md");
    const { hits } = await knowledge.search("rollback deploy traffic", 1, NEVER);
    assertEquals(hits.map(({ place, excerpt, exact }) => [place, excerpt.slice(0, 40), exact]), [
      ["x.md:6", "[Deploy > Rollback]\n Switch the traffic ", true],
    ]);
  }));

Deno.test("search() finds in HTML what a reader sees, and in GB18030 what it says", () =>
  withKnowledge({
    "page.html": "<html><head><style>p{}</style><script>secret()</script></head>" +
      "<body><h1>备份</h1><p>每天 <b>凌晨</b>三点</p></body></html>",
    // "数据库在北京机房" in GB18030.
    "old.txt": Uint8Array.from(
      "cafdbeddbfe2d4dab1b1bea9bbfab7bf".match(/../g) ?? [],
      (pair) => parseInt(pair, 16),
    ),
  }, async (knowledge, dir) => {
    await added(knowledge, dir, "/");
    const { hits } = await knowledge.search("凌晨 备份", 1, NEVER);
    assertEquals(hits.map(({ place, excerpt }) => [place, excerpt]), [
      ["page.html, part 1", "# 备份\n\n每天 凌晨三点"],
    ]);
    assertEquals([await places(knowledge, "secret"), await places(knowledge, "机房")], [[], [
      "old.txt:1",
    ]]);
  }));

Deno.test("openKnowledge() makes a file for its owner alone, and none for reading", () =>
  inTempDir({}, async (directory) => {
    const ports = portsIn(directory);
    const path = `${directory}/state/rein/knowledge.db`;
    assertEquals(await openKnowledge(ports, { embedder: null, make: false }), null);
    assertEquals(await findKnowledge(ports, null), null);
    (await openKnowledge(ports, { embedder: null, make: true }))?.close();
    assertEquals((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
    assertEquals(await findKnowledge(ports, null), null);
  }));

Deno.test("openKnowledge() says of a damaged file and of a newer one which it is", () =>
  inTempDir(
    { "state/rein/knowledge.db": "no data base, but long enough".repeat(99) },
    async (dir) => {
      const path = `${dir}/state/rein/knowledge.db`;
      const open = () => openKnowledge(portsIn(dir), { embedder: null, make: true });
      const damaged = await assertRejects(open, DatabaseError);
      assertEquals(damaged.message, `"${path}" can't be used: file is not a database`);
      await Deno.remove(path);
      (await open())?.close();
      const database = await createDatabases(null).open(path);
      database.run("UPDATE retrieval_version SET version = 99");
      database.close();
      const newer = await assertRejects(open, DatabaseError);
      assertEquals(
        newer.message,
        `"${path}" can't be used: It was written by a newer rein (knowledge 99)`,
      );
    },
  ));

Deno.test("findKnowledge() finds what is there when it is searched, not what was", () =>
  withKnowledge({ "a.txt": "alpha" }, async (knowledge, directory) => {
    await added(knowledge, directory, "/a.txt");
    const source = await findKnowledge(portsIn(directory), null);
    assertEquals(source?.path, `${directory}/state/rein/knowledge.db`);
    const hit = { source: `${directory}/a.txt`, place: "a.txt:1", excerpt: "alpha", exact: true };
    assertEquals(await source?.search("alpha", 5, NEVER), { hits: [hit], notes: [] });
    knowledge.remove(directory);
    assertEquals(await source?.search("alpha", 5, NEVER), { hits: [], notes: [] });
    await Deno.remove(`${directory}/state`, { recursive: true });
    assertEquals(await source?.search("alpha", 5, NEVER), {
      hits: [],
      notes: ["The knowledge base is gone."],
    });
  }));
