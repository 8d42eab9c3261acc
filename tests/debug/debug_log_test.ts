import { assertEquals, assertThrows } from "@std/assert";
import { openDebugLog } from "../../lib/debug/debug_log.ts";
import { DebugFileError, readDebugLines } from "../../lib/debug/read.ts";
import { FileError, type LineFile } from "../../lib/ports.ts";
import { VERSION } from "../../lib/version.ts";
import { fakePorts, MemoryFiles } from "../fakes.ts";
import { memoryLog, withoutTimes } from "./_lines.ts";

const STARTED = { type: "debug_started", version: VERSION, pid: Deno.pid } as const;
const RESPONSE = { type: "response", request: 1, status: 200, headers: {} } as const;

Deno.test("openDebugLog() begins with who writes, and adds to what is there", async () => {
  const first = await memoryLog();
  first.log.write(RESPONSE);
  const second = await memoryLog(first.text());
  assertEquals(withoutTimes(second.lines()), [STARTED, RESPONSE, STARTED]);
});

Deno.test("openDebugLog() ends a line that a killed process left, which is then read over", async () => {
  const first = await memoryLog();
  const torn = `${first.text()}{"schema":"rein-debug/1","type":"resp`;
  const second = await memoryLog(torn);
  assertEquals(withoutTimes(second.lines()), [STARTED, STARTED]);
  assertEquals(second.text().split("\n").length, 4);
});

Deno.test("readDebugLines() leaves out a last line that is torn, and names one that is none", async () => {
  const { text } = await memoryLog();
  assertEquals(withoutTimes(readDebugLines(`${text()}{"sch`, "d.jsonl")), [STARTED]);
  const faults = ["{", '{"schema":"other/1"}', "null"].map((line) =>
    assertThrows(() => readDebugLines(`${text()}${line}\n{}\n`, "d.jsonl"), DebugFileError).message
  );
  assertEquals(faults, [
    'Debug file "d.jsonl", line 2, is not JSON',
    'Debug file "d.jsonl", line 2, is no line of "rein-debug/1"',
    'Debug file "d.jsonl", line 2, is no line of "rein-debug/1"',
  ]);
});

Deno.test("DebugLog.write() takes secrets out, by their look, their field and their value", async () => {
  const { log, text, lines } = await memoryLog("", ["my-own-secret-value"]);
  log.write({
    type: "request",
    ask: 1,
    request: 1,
    method: "POST",
    url: "http://user:hunter2hunter2@host/v1",
    headers: {},
    body: { password: "correct horse", text: "AKIAIOSFODNN7EXAMPLE my-own-secret-value" },
  });
  assertEquals(lines().length, 2);
  const found = ["hunter2hunter2", "correct horse", "AKIAIOSFODNN7EXAMPLE", "my-own-secret-value"]
    .filter((secret) => text().includes(secret));
  assertEquals(found, []);
});

Deno.test("DebugLog.write() says once that nothing more can be written, and goes on", async () => {
  const said: string[] = [];
  const files = new MemoryFiles({});
  let lines = 0;
  const full: LineFile = {
    append: () => {
      if (++lines > 1) throw new FileError("unwritable", "d", "No room is left");
    },
    cut: () => {},
    lock: () => Promise.resolve(true),
    close: () => {},
  };
  files.openLines = () => Promise.resolve(full);
  const options = { path: "d", secrets: [], onFailure: (text: string) => said.push(text) };
  const log = await openDebugLog(options, fakePorts({ files }));
  log.write(RESPONSE);
  log.write(RESPONSE);
  assertEquals([said, lines], [["No room is left"], 2]);
});
