import { assertEquals } from "@std/assert";
import { runCli } from "../../lib/cli/cli.ts";
import { Interruption } from "../../lib/cli/exit_code.ts";
import { createDatabases } from "../../lib/real/databases.ts";
import { realFiles } from "../../lib/real/files.ts";
import type { Ports } from "../../lib/ports.ts";
import { inTempDir } from "../_temp.ts";
import { FakeClock, fakeEnvironment, fakePorts, FakeTerminal, NEVER } from "../fakes.ts";

/** Runs `rein kb …` in a directory with these files; paths below it are printed without it. */
function inKnowledge(
  files: Readonly<Record<string, string | Uint8Array>>,
  work: (
    kb: (...args: readonly string[]) => Promise<readonly [number, string, string]>,
    directory: string,
  ) => Promise<void>,
  overrides: Partial<Ports> = {},
): Promise<void> {
  return inTempDir(files, async (directory) => {
    const ports = {
      databases: createDatabases(`${directory}/state/rein`),
      files: { ...realFiles, cwd: () => directory },
      clock: new FakeClock(Date.UTC(2026, 10, 29)),
      ...overrides,
    };
    await work(async (...args) => {
      const terminal = new FakeTerminal();
      const interrupts = { signal: NEVER, interrupt: () => {} };
      const code = await runCli(["kb", ...args], fakePorts({ ...ports, terminal }), interrupts);
      const short = (text: string) => text.replaceAll(`${directory}/`, "");
      return [code, short(terminal.stdout), short(terminal.stderr)] as const;
    }, directory);
  });
}

Deno.test("kb add, list, search and remove tell people what they did", () =>
  inKnowledge({
    "docs/deploy.md": "# Deploy\nUse blue-green.",
    "docs/备份.md": "每天凌晨三点备份到对象存储",
    "docs/logo.png": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0),
  }, async (kb, directory) => {
    // Files are read by their absolute paths here: the real files know no other directory.
    assertEquals(await kb("add", "docs", "none.txt"), [
      1,
      "2 documents added, 0 replaced, 0 unchanged; 2 pieces\n",
      'rein: skipped: "docs/logo.png" is no text (PNG image)\n' +
      'rein: skipped: "none.txt" does not exist\n',
    ]);
    await Deno.remove(`${directory}/docs/deploy.md`);
    assertEquals(await kb("list"), [
      0,
      "docs/deploy.md  1 piece, 24 bytes, added 2026-11-29, gone since\n" +
      "docs/备份.md  1 piece, 39 bytes, added 2026-11-29\n",
      "",
    ]);
    assertEquals(await kb("search", "备份"), [
      0,
      "docs/备份.md:1\n    每天凌晨三点备份到对象存储\n",
      "",
    ]);
    assertEquals(await kb("search", "blue-green", "rollout", "-n", "1"), [
      0,
      "docs/deploy.md:1-2 (similar)\n    # Deploy\n    Use blue-green.\n",
      "",
    ]);
    assertEquals(await kb("remove", "docs", "other"), [
      1,
      "2 documents removed\n",
      'rein: the knowledge base has nothing at "other"\n',
    ]);
    assertEquals(await kb("list"), [0, "", "rein: the knowledge base is empty\n"]);
  }));

Deno.test("kb prints one object of JSON for programs", () =>
  inKnowledge({ "a.txt": "alpha" }, async (kb) => {
    const json = async (...args: readonly string[]) => {
      const [code, stdout] = await kb(...args, "-o", "json");
      return [code, JSON.parse(stdout)];
    };
    const schema = "rein-kb/1";
    const empty = { added: [], replaced: [], unchanged: [], refused: [] };
    assertEquals(await json("add", "a.txt"), [0, {
      schema,
      ...empty,
      added: ["a.txt"],
      pieces: 1,
    }]);
    assertEquals(await json("add", "a.txt", "b.txt"), [1, {
      schema,
      ...empty,
      unchanged: ["a.txt"],
      refused: [{ path: "b.txt", reason: '"b.txt" does not exist' }],
      pieces: 1,
    }]);
    const [document] = [{ path: "a.txt", pieces: 1, bytes: 5, state: "current" }];
    assertEquals(await json("list"), [0, {
      schema,
      documents: [{ ...document, added_at: "2026-11-29T00:00:00.000Z" }],
    }]);
    assertEquals(await json("search", "alpha"), [0, {
      schema,
      query: "alpha",
      hits: [{ path: "a.txt", place: "a.txt:1", excerpt: "alpha", exact: true }],
      notes: [],
    }]);
    assertEquals(await json("search", "zebra"), [1, {
      schema,
      query: "zebra",
      hits: [],
      notes: [],
    }]);
    assertEquals(await json("remove", "a.txt"), [0, { schema, removed: ["a.txt"], unknown: [] }]);
  }));

Deno.test("kb search ends with 1 where nothing is found, and makes no file for that", () =>
  inKnowledge({}, async (kb, directory) => {
    assertEquals(await kb("search", "x"), [1, "", "rein: the knowledge base is empty\n"]);
    assertEquals(await realFiles.stat(`${directory}/state`).then(() => true, () => false), false);
    assertEquals(await kb("remove", "x"), [
      1,
      "0 documents removed\n",
      'rein: the knowledge base has nothing at "x"\n',
    ]);
  }));

Deno.test("kb says in one line why it can't work, and ends with 2", async () => {
  const damaged = "no data base, but long enough".repeat(99);
  await inKnowledge({ "state/rein/knowledge.db": damaged, "a": "a" }, async (kb) => {
    const line = 'rein: "state/rein/knowledge.db" can\'t be used: file is not a database. ' +
      "Move the file away and add the documents again.\n";
    assertEquals(await kb("add", "a"), [2, "", line]);
    assertEquals(await kb("search", "a"), [2, "", line]);
    assertEquals((await kb())[0], 2);
    assertEquals((await kb("add"))[0], 2);
    assertEquals((await kb("search", "a", "-n", "0"))[0], 2);
  });
  await inKnowledge({ "a": "a" }, async (kb) => {
    assertEquals(await kb("add", "a"), [
      2,
      "",
      "rein: There is no place to keep a knowledge base. " +
      "Set HOME or XDG_STATE_HOME to one that may be written.\n",
    ]);
  }, { databases: createDatabases(null) });
});

Deno.test("kb names at most 20 files that it skips", () => {
  const files = Object.fromEntries(
    Array.from({ length: 25 }, (_, index) => [`d/${index}`, Uint8Array.of(0, 1, 2, 3)]),
  );
  return inKnowledge(files, async (kb) => {
    const [code, , stderr] = await kb("add", "d");
    assertEquals([code, stderr.split("\n").slice(20)], [0, ["rein: skipped: 5 more", ""]]);
  });
});

Deno.test("kb searches by meaning where REIN_EMBEDDING_MODEL is set, else by words alone", async () => {
  const asked: string[] = [];
  const fetch: Ports["fetch"] = async (input, init) => {
    const { input: texts } = await new Response(init?.body as BodyInit).json();
    asked.push(String(input), ...texts);
    const data = texts.map((text: string, index: number) => ({
      index,
      embedding: /car|automobile/.test(text) ? [1, 0] : [0, 1],
    }));
    return Response.json({ data });
  };
  const env = fakeEnvironment({
    REIN_EMBEDDING_MODEL: "e",
    OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
  });
  await inKnowledge({ "a.txt": "a hound", "b.txt": "an automobile" }, async (kb) => {
    await kb("add", "a.txt", "b.txt");
    assertEquals(await kb("search", "car", "-n", "1"), [
      0,
      "b.txt:1 (similar)\n    an automobile\n",
      "",
    ]);
    const url = "http://127.0.0.1:9/v1/embeddings";
    assertEquals(asked, [url, "an automobile", "a hound", url, "car"]);
  }, { fetch, env });
  await inKnowledge({ "a.txt": "a hound" }, async (kb) => {
    const note = "By words alone: http://127.0.0.1:9/v1 gave no embeddings of e: " +
      "it can't be reached.";
    assertEquals((await kb("add", "a.txt")).slice(0, 1), [0]);
    assertEquals(await kb("search", "hound"), [0, "a.txt:1\n    a hound\n", `rein: ${note}\n`]);
  }, { env });
});

Deno.test("kb add that is interrupted says what stays, and ends with the signal's code", () =>
  inTempDir({ "a.txt": "alpha", "b.txt": "beta" }, async (directory) => {
    const controller = new AbortController();
    const terminal = new FakeTerminal();
    const ports = fakePorts({
      terminal,
      databases: createDatabases(`${directory}/state`),
      files: {
        ...realFiles,
        cwd: () => directory,
        stat: (path) => {
          if (path.endsWith("b.txt")) controller.abort(new Interruption("SIGINT"));
          return realFiles.stat(path);
        },
      },
    });
    const interrupts = { signal: controller.signal, interrupt: () => {} };
    const code = await runCli(["kb", "add", "."], ports, interrupts);
    assertEquals([code, terminal.stdout, terminal.stderr], [
      130,
      "1 document added, 0 replaced, 0 unchanged; 1 piece\n",
      "rein: interrupted; what was added before stays\n",
    ]);
  }));
