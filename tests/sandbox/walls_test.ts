import { assertEquals } from "@std/assert";
import type { ToolOutcome } from "../../lib/types.ts";
import { permissionsOf } from "../../lib/real/workers.ts";
import { PROBES } from "./_probe_worker.ts";
import { inWorker, onGround } from "./_workers.ts";

/** The code of a failure, or what was brought back. */
const codeOf = (outcome: ToolOutcome) => outcome.ok ? outcome.data : outcome.error.code;

Deno.test("a tool in a worker reads what is granted", () =>
  onGround(async ({ inside }) => {
    const whole = { content: "one\ntwo\n", start_line: 1, end_line: 2, total_lines: 2 };
    const outcome = await inWorker("read_file", { path: `${inside}/a.txt` }, { cwd: inside });
    assertEquals(codeOf(outcome), whole);
  }));

for (
  const path of [
    "/etc/hostname",
    "IN/../out.txt",
    "IN/to-file",
    "IN/to-directory/out.txt",
    "IN/sub/../to-directory/./out.txt",
    "IN/to-directory/in/../out.txt",
    "IN/to-proc/environ",
    "/proc/self/environ",
    "/proc/self/root/etc/hostname",
    "/proc/thread-self/status",
    "/dev/stdin",
  ]
) {
  Deno.test(`a tool in a worker cannot read ${path}`, () =>
    onGround(async ({ inside }) => {
      const args = { path: path.replace(/^IN/, inside) };
      const outcome = await inWorker("read_file", args, { cwd: inside });
      assertEquals(codeOf(outcome), "no_permission");
    }));
}

Deno.test("a tool in a worker that reads everything cannot read the environment", () =>
  onGround(async ({ inside }) => {
    const read = { cwd: inside, grants: { read: true } } as const;
    const outcomes = [];
    for (const path of ["/proc/self/environ", `${inside}/to-proc/environ`, "/proc/1/environ"]) {
      outcomes.push(codeOf(await inWorker("read_file", { path }, read)));
    }
    assertEquals(outcomes, ["no_permission", "no_permission", "no_permission"]);
  }));

Deno.test("a tool in a worker lists and searches nothing outside", () =>
  onGround(async ({ inside }) => {
    const options = { cwd: inside };
    const path = `${inside}/to-directory`;
    const listed = await inWorker("list_files", { path }, options);
    const searched = await inWorker("search_files", { path, pattern: "secret" }, options);
    assertEquals([codeOf(listed), codeOf(searched)], ["no_permission", "no_permission"]);
  }));

Deno.test("a tool in a worker asks the main side where it may read", () =>
  onGround(async ({ inside }) => {
    await Deno.writeTextFile(`${inside}/sub/b.txt`, "two\n");
    const asked: string[] = [];
    const mayRead = (path: string) => {
      asked.push(path);
      return Promise.resolve(path.endsWith("b.txt"));
    };
    const args = { path: inside, pattern: "two" };
    const outcome = await inWorker("search_files", args, { cwd: inside, context: { mayRead } });
    assertEquals(codeOf(outcome), {
      matches: `${inside}/sub/b.txt:1: two`,
      total_matches: 1,
      files: 1,
      skipped: 1,
    });
    assertEquals(asked, [`${inside}/a.txt`, `${inside}/sub/b.txt`]);
  }));

/** What a worker with the permissions of a tool could do of all that it tries. */
function probe(): Promise<Record<string, string>> {
  const permissions = permissionsOf({ read: ["/nowhere"], write: [], net: [] });
  const url = new URL("./_probe_worker.ts", import.meta.url);
  const worker = new Worker(url, { type: "module", deno: { permissions } } as WorkerOptions);
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(event.error ?? new Error(event.message));
    worker.onmessage = (event: MessageEvent) => {
      worker.terminate();
      resolve(event.data);
    };
  });
}

Deno.test("a worker of tools can neither see the environment, nor start, reach or write anything", async () => {
  const outcomes = Object.entries(await probe()).map(([name, outcome]) => `${name}: ${outcome}`);
  assertEquals(outcomes, Object.keys(PROBES).map((name) => `${name}: NotCapable`));
});
