import { assertEquals, assertThrows } from "@std/assert";
import { DatabaseError } from "../../lib/ports.ts";
import { createDatabases } from "../../lib/real/databases.ts";
import { costOf, envelopeOf } from "../../lib/serve/outcome.ts";
import { TaskRecord } from "../../lib/serve/task_record.ts";
import { inTempDir } from "../_temp.ts";
import { taskOf } from "./_tasks.ts";

function resultOf(id: string) {
  const told = { status: "success", data: { summary: id }, error: null } as const;
  return envelopeOf(taskOf(id), told, costOf(null, 1));
}

async function memory(): Promise<TaskRecord> {
  return new TaskRecord(await createDatabases(null).open(null));
}

Deno.test("the record knows a task from its receipt to its end, over processes", async () => {
  await inTempDir({}, async (directory) => {
    const path = `${directory}/serve.db`;
    const open = async () => new TaskRecord(await createDatabases(directory).open(path));
    const task = taskOf("t-1", { params: { n: 1 }, callback: "http://x.example/" });
    const first = await open();
    first.add({ task, content: "abc", receivedMs: 5 });
    first.start("t-1", 6);
    first.begin("t-1", "s-1");
    first.close();
    const second = await open();
    const running = {
      ...{ task, content: "abc", phase: "running", receivedMs: 5, startedMs: 6 },
      ...{ finishedMs: null, session: "s-1", cancelled: false, result: null },
    } as const;
    assertEquals(second.unfinished(), [running]);
    second.start("t-1", 8);
    second.finish("t-1", resultOf("t-1"), 9);
    const finished = { ...running, phase: "finished", finishedMs: 9, result: resultOf("t-1") };
    assertEquals([second.unfinished(), second.find("t-1")], [[], finished as never]);
    assertEquals(second.toPost().map(({ task }) => task.task_id), ["t-1"]);
    second.posted("t-1");
    assertEquals(second.toPost(), []);
    second.close();
  });
});

Deno.test("unfinished tasks come in the order in which they came", async () => {
  const record = await memory();
  for (const id of ["b", "a", "c"]) record.add({ task: taskOf(id), content: "", receivedMs: 1 });
  record.finish("a", resultOf("a"), 2);
  assertEquals(record.unfinished().map(({ task }) => task.task_id), ["b", "c"]);
});

Deno.test("forget() forgets what is too old or too much, and nothing that is not finished", async () => {
  const record = await memory();
  for (const [index, id] of ["a", "b", "c", "d", "e"].entries()) {
    record.add({ task: taskOf(id), content: "", receivedMs: index });
    if (id !== "e") record.finish(id, resultOf(id), 10 + index);
  }
  assertEquals(record.forget(100, 11), ["a"]);
  assertEquals(record.forget(1, 0), ["b", "c"]);
  assertEquals([record.find("d")?.phase, record.find("e")?.phase, record.find("a")], [
    "finished",
    "queued",
    null,
  ]);
});

Deno.test("oldSessions() gives the sessions beyond the newest, once", async () => {
  const record = await memory();
  for (const [index, id] of ["a", "b", "c"].entries()) {
    record.add({ task: taskOf(id), content: "", receivedMs: index });
    record.begin(id, `s-${id}`);
    record.finish(id, resultOf(id), index);
  }
  assertEquals([record.oldSessions(2), record.oldSessions(2)], [["s-a"], []]);
});

Deno.test("a record of a newer rein is refused, and a task is not kept twice", async () => {
  const database = await createDatabases(null).open(null);
  database.exec("PRAGMA user_version = 99");
  assertThrows(() => new TaskRecord(database), DatabaseError, "newer rein (version 99)");
  const record = await memory();
  record.add({ task: taskOf("t"), content: "", receivedMs: 0 });
  assertThrows(() => record.add({ task: taskOf("t"), content: "", receivedMs: 0 }), DatabaseError);
});
