import { assertEquals, assertRejects } from "@std/assert";
import type { LogOptions } from "../../lib/audit/audit_log.ts";
import { ForeignFile } from "../../lib/audit/audit_error.ts";
import type { Verdict } from "../../lib/audit/chain_checker.ts";
import { verifyLog } from "../../lib/audit/verify.ts";
import { FileError } from "../../lib/ports.ts";
import { auditFaults } from "../_schemas.ts";
import { inTempDir } from "../_temp.ts";
import { NEVER } from "../fakes.ts";
import { draftOf, entriesIn, KEY, linesIn, logAt, PORTS, writeLog } from "./_logs.ts";

function inLog(work: (path: string) => Promise<void>): Promise<void> {
  return inTempDir({}, (directory) => work(`${directory}/audit/audit.jsonl`));
}

/** Adds one entry, as another process would. */
async function add(path: string, number: number, options: Partial<LogOptions> = {}): Promise<void> {
  const log = logAt(path, options);
  await log.append([draftOf(number)], false);
  await log.close();
}

function verdictOf(path: string, key: Uint8Array | null = null): Promise<Verdict> {
  return verifyLog({ path, alone: false, needsHead: true, key }, PORTS, NEVER);
}

/** What is wrong, in a few words. */
async function faultsOf(path: string, key: Uint8Array | null = null): Promise<string[]> {
  const { faults } = await verdictOf(path, key);
  return faults.map(({ kind, file, line, seq }) => `${kind} ${file}:${line} ${seq}`);
}

Deno.test("an audit log is one chain of entries that fit the published schema", () =>
  inLog(async (path) => {
    await add(path, 2);
    await add(path, 3);
    const entries = await entriesIn(path);
    assertEquals(entries.map(({ seq, kind }) => [seq, kind]), [
      [1, "file_started"],
      [2, "call_started"],
      [3, "call_started"],
    ]);
    assertEquals(entries.flatMap(auditFaults), []);
    assertEquals(await verdictOf(path), {
      faults: [],
      furtherFaults: 0,
      notes: [],
      entries: 3,
      sealed: 0,
    });
  }));

Deno.test("an audit log is for its user alone", () =>
  inLog(async (path) => {
    await add(path, 2);
    const modes = [path, `${path}.head`, path.slice(0, path.lastIndexOf("/"))]
      .map((name) => (Deno.statSync(name).mode ?? 0) & 0o777);
    assertEquals(modes, [0o600, 0o600, 0o700]);
  }));

Deno.test("an audit log goes on in another file when one is full, and stays one chain", () =>
  inLog(async (path) => {
    for (let number = 2; number <= 14; number++) await add(path, number, { rotateBytes: 2000 });
    const folder = path.slice(0, path.lastIndexOf("/"));
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).toSorted();
    assertEquals(names, [
      "audit.jsonl",
      "audit.jsonl.000000000005",
      "audit.jsonl.000000000010",
      "audit.jsonl.000000000015",
      "audit.jsonl.head",
    ]);
    const [first] = await entriesIn(path);
    assertEquals(first?.kind === "file_started" && first.continues, "audit.jsonl.000000000015");
    assertEquals((await verdictOf(path)).faults, []);
    const alone = { path: `${folder}/audit.jsonl.000000000010`, alone: true, needsHead: false };
    const { faults, notes } = await verifyLog({ ...alone, key: null }, PORTS, NEVER);
    assertEquals({ faults, notes }, {
      faults: [],
      notes: [
        "the log begins with entry 6; it continues audit.jsonl.000000000005, which is not here",
        "the file that says where the log ends is not here: a cut-off end would not show",
      ],
    });
  }));

Deno.test("a full file that is gone from between two others is missed", () =>
  inLog(async (path) => {
    for (let number = 2; number <= 14; number++) await add(path, number, { rotateBytes: 2000 });
    await Deno.remove(`${path}.000000000010`);
    assertEquals(await faultsOf(path), ["missing audit.jsonl.000000000015:1 6"]);
  }));

Deno.test("a log whose writer ended between two files goes on in order", () =>
  inLog(async (path) => {
    await writeLog(path, 4);
    await Deno.rename(path, `${path}.000000000004`);
    await add(path, 5);
    const [first] = await entriesIn(path);
    assertEquals(first?.kind === "file_started" && first.continues, "audit.jsonl.000000000004");
    assertEquals(await faultsOf(path), []);
  }));

Deno.test("a log whose file was removed tells of it", () =>
  inLog(async (path) => {
    await writeLog(path, 4);
    await Deno.remove(path);
    assertEquals(await faultsOf(path), ["cut_off audit.jsonl:1 1"]);
    await add(path, 5);
    assertEquals(await faultsOf(path), ["missing audit.jsonl:1 1"]);
  }));

Deno.test("a torn line is kept, and the log says so", () =>
  inLog(async (path) => {
    await writeLog(path, 3);
    const torn = '{"arguments":{"command":"ls';
    await Deno.writeTextFile(path, torn, { append: true });
    assertEquals(await faultsOf(path), ["cut_off audit.jsonl:4 4"]);
    await add(path, 4);
    assertEquals((await linesIn(path))[3], torn);
    const text = new TextEncoder().encode(torn);
    const recovered = JSON.parse((await linesIn(path))[4] ?? "");
    assertEquals(auditFaults(recovered), []);
    const { kind, seq, torn: told, lost, head } = recovered;
    assertEquals({ kind, seq, told, lost, head }, {
      kind: "recovered",
      seq: 4,
      told: { bytes: text.length, sha256: await PORTS.hashes.sha256(text) },
      lost: null,
      head: "whole",
    });
    const { faults, notes } = await verdictOf(path);
    assertEquals({ faults, notes }, {
      faults: [],
      notes: ["lines that were torn by a crash, and are kept: 1"],
    });
  }));

Deno.test("a torn line that is changed later, or removed, is told", () =>
  inLog(async (path) => {
    await writeLog(path, 3);
    await Deno.writeTextFile(path, "torn", { append: true });
    await add(path, 4);
    const whole = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, whole.replace("torn\n", "worn\n"));
    assertEquals(await faultsOf(path), ["changed audit.jsonl:4 null"]);
    await Deno.writeTextFile(path, whole.replace("torn\n", ""));
    assertEquals(await faultsOf(path), ["missing audit.jsonl:4 4"]);
  }));

Deno.test("a log that was cut off and written to again still tells what is missing", () =>
  inLog(async (path) => {
    await writeLog(path, 6);
    const lines = await linesIn(path);
    await Deno.writeTextFile(path, lines.slice(0, 3).map((line) => `${line}\n`).join(""));
    assertEquals(await faultsOf(path), ["cut_off audit.jsonl:4 4"]);
    await add(path, 7);
    const entries = await entriesIn(path);
    assertEquals(entries.map(({ seq }) => seq), [1, 2, 3, 7, 8]);
    assertEquals(await faultsOf(path), ["cut_off audit.jsonl:4 4"]);
  }));

Deno.test("a writer that ended before it said where the log ends is no fault", () =>
  inLog(async (path) => {
    await writeLog(path, 3);
    const head = await Deno.readTextFile(`${path}.head`);
    await add(path, 4);
    await Deno.writeTextFile(`${path}.head`, head);
    assertEquals(await faultsOf(path), []);
    await add(path, 5);
    assertEquals((await entriesIn(path)).map(({ kind }) => kind).includes("recovered"), false);
    assertEquals(await faultsOf(path), []);
  }));

Deno.test("a head that is missing or changed is a fault, and told when the log goes on", () =>
  inLog(async (path) => {
    await writeLog(path, 3);
    await Deno.remove(`${path}.head`);
    assertEquals(await faultsOf(path), ["head audit.jsonl:4 null"]);
    await Deno.writeTextFile(`${path}.head`, "nonsense");
    assertEquals(await faultsOf(path), ["head audit.jsonl:4 null"]);
    await add(path, 4);
    const recovered = (await entriesIn(path))[3];
    assertEquals(recovered?.kind === "recovered" && recovered.head, "damaged");
    assertEquals(await faultsOf(path), []);
  }));

Deno.test("a file that is no audit log is left as it is", () =>
  inTempDir({ "notes.txt": "my notes\n" }, async (directory) => {
    const path = `${directory}/notes.txt`;
    await assertRejects(() => add(path, 2), ForeignFile);
    assertEquals(await Deno.readTextFile(path), "my notes\n");
  }));

Deno.test("a folder in the place of a log is said by its path", () =>
  inTempDir({ "log/x": "" }, async (directory) => {
    await assertRejects(() => add(`${directory}/log`, 2), FileError, "is a directory");
  }));

Deno.test("who has not the key can't write what a seal holds", () =>
  inLog(async (path) => {
    await writeLog(path, 4, { key: KEY });
    assertEquals(await faultsOf(path, KEY), []);
    // Another key, and none.
    const other = new TextEncoder().encode("another key, guessed");
    const text = await Deno.readTextFile(path);
    const head = await Deno.readTextFile(`${path}.head`);
    await Deno.remove(path);
    await Deno.remove(`${path}.head`);
    await writeLog(path, 4, { key: other });
    assertEquals(await faultsOf(path, KEY), [
      ...[1, 2, 3, 4].map((seq) => `seal audit.jsonl:${seq} ${seq}`),
      "head audit.jsonl:5 null",
    ]);
    await Deno.remove(path);
    await Deno.remove(`${path}.head`);
    await writeLog(path, 4);
    assertEquals(await faultsOf(path, KEY), ["seal audit.jsonl:4 4", "head audit.jsonl:5 null"]);
    // An entry without a seal behind those with one.
    await Deno.writeTextFile(path, text);
    await Deno.writeTextFile(`${path}.head`, head);
    await add(path, 5);
    assertEquals(await faultsOf(path, KEY), ["seal audit.jsonl:5 5", "head audit.jsonl:6 null"]);
  }));

Deno.test("seals may begin in the middle of a log", () =>
  inLog(async (path) => {
    await writeLog(path, 3);
    await add(path, 4, { key: KEY });
    // The head that was there bears no seal, which whoever seals says.
    assertEquals((await entriesIn(path)).map(({ kind, mac }) => [kind, mac !== undefined]), [
      ["file_started", false],
      ["call_started", false],
      ["call_started", false],
      ["recovered", true],
      ["call_started", true],
    ]);
    assertEquals(await faultsOf(path, KEY), []);
  }));
