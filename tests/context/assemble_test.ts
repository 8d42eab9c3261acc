import { assertEquals } from "@std/assert";
import { createAssembler } from "../../lib/context/assemble.ts";
import { newRecord, type RunRecord } from "../../lib/record.ts";
import type { Message } from "../../lib/types.ts";
import { EventLog } from "../_events.ts";

const assembler = createAssembler({ os: "linux", cwd: "/srv/app", date: "2026-11-29" });

function assemble(record: RunRecord, last: string, recall = false): readonly Message[] {
  return assembler.messages(record, last, { window: 128_000, recall });
}

function systemOf(messages: readonly Message[]): string {
  const [first] = messages;
  return first?.role === "system" ? first.content : "";
}

Deno.test("createAssembler() puts safety first, facts after it, progress last", () => {
  const { record } = new EventLog(newRecord()).task("What is up?").step();
  const messages = assemble(record, "[Step 1/15]");
  assertEquals(messages.slice(1), [
    { role: "user", content: "What is up?" },
    { role: "user", content: "[Step 1/15]" },
  ]);
  const system = systemOf(messages);
  const facts = "System: linux. Working directory: /srv/app. Date: 2026-11-29.";
  assertEquals([system.indexOf("Safety, before everything else:") > 0, system.endsWith(facts)], [
    true,
    true,
  ]);
  assertEquals(system.indexOf("Safety") < system.indexOf("How to work:"), true);
});

Deno.test("createAssembler() only ever adds to what it sent before, but for the progress", () => {
  const log = new EventLog(newRecord()).task("t").step();
  const first = assemble(log.record, "[Step 1/15]").slice(0, -1);
  log.turn("", ["c1"]).call("c1").step();
  const second = assemble(log.record, "[Step 2/15]");
  assertEquals(second.slice(0, first.length), first);
  assertEquals(second.at(-1), { role: "user", content: "[Step 2/15]" });
});

Deno.test("createAssembler() hands out a list that later steps do not change", () => {
  const log = new EventLog(newRecord()).task("t");
  const messages = assemble(log.record, "[Step 1/15]");
  const before = messages.length;
  log.step().turn("hi");
  assertEquals(messages.length, before);
});
