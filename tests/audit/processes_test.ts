import { assert, assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import type { AuditEntry } from "../../lib/audit/entry.ts";
import { filesOf } from "../../lib/audit/log_files.ts";
import { verifyLog } from "../../lib/audit/verify.ts";
import { realFolders } from "../../lib/real/folders.ts";
import { NEVER } from "../fakes.ts";
import { inTempDir } from "../_temp.ts";
import { draftOf, linesIn, logAt, PORTS } from "./_logs.ts";

function startAppender(path: string, from: number, count: number, rotateBytes = 0) {
  const script = fileURLToPath(new URL("_appender.ts", import.meta.url));
  const numbers = [from, count, rotateBytes].map(String);
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "-P=tests", script, path, ...numbers],
    cwd: fileURLToPath(new URL("../../", import.meta.url)),
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

async function addOne(path: string, number: number): Promise<void> {
  const log = logAt(path);
  await log.append([draftOf(number)], false);
  await log.close();
}

async function faultsOf(path: string) {
  const request = { path, alone: false, needsHead: true, key: null };
  return (await verifyLog(request, PORTS, NEVER)).faults;
}

Deno.test("several processes add to one log at once: one chain, every line whole", async () => {
  await inTempDir({}, async (directory) => {
    const path = `${directory}/audit.jsonl`;
    const [processes, count] = [4, 150];
    const running = Array.from({ length: processes }, (_, index) =>
      // A file holds about 50 entries.
      startAppender(path, 1000 * (index + 1), count, 20_000));
    const ends = await Promise.all(running.map((child) => child.output()));
    assertEquals(ends.map(({ code }) => code), running.map(() => 0));
    assertEquals(await faultsOf(path), []);
    const files = filesOf(path, realFolders);
    assert(files.length > 3, "the log was full several times");
    const entries = (await Promise.all(files.map(linesIn))).flat()
      .map((line) => JSON.parse(line) as AuditEntry);
    const of = (pid: number) =>
      entries.flatMap((entry) =>
        entry.kind === "call_started" && entry.pid === pid ? [entry.call_id] : []
      );
    for (const [index, { pid }] of running.entries()) {
      const from = 1000 * (index + 1);
      assertEquals(of(pid), Array.from({ length: count }, (_, at) => `call_${from + at}`));
    }
  });
});

Deno.test("processes that are killed while they add leave a chain that goes on", async () => {
  await inTempDir({}, async (directory) => {
    const path = `${directory}/audit.jsonl`;
    for (let round = 1; round <= 6; round++) {
      const child = startAppender(path, round * 100_000, 100_000);
      const reader = child.stdout.getReader();
      await reader.read();
      // It adds about 2,000 entries a second: the blow falls anywhere in one of them.
      await addOne(path, round);
      child.kill("SIGKILL");
      await reader.cancel();
      await child.status;
    }
    await addOne(path, 7);
    assertEquals(await faultsOf(path), []);
  });
});
