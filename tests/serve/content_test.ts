import { assertEquals, assertNotEquals } from "@std/assert";
import { contentOf, nameOf } from "../../lib/serve/content.ts";
import { taskOf } from "./_tasks.ts";

Deno.test("contentOf() is the same for the same task, whatever its keys' order and its times", () => {
  const one = taskOf("t", { params: { a: 1, b: { c: [1, 2], d: null } } });
  const other = taskOf("t", {
    params: { b: { d: null, c: [1, 2] }, a: 1 },
    timeout_sec: 5,
    deadline: "2026-11-30T12:00:00Z",
    depth: 2,
  });
  assertEquals(contentOf(one), contentOf(other));
});

Deno.test("contentOf() is another for another intent, parameter or attachment", () => {
  const attachment = { name: "a", media_type: "text/plain", text: "x" };
  const contents = [
    taskOf("t"),
    taskOf("t", { intent: "change" }),
    taskOf("t", { params: { n: 1 } }),
    taskOf("t", { params: { n: "1" } }),
    taskOf("t", { attachments: [attachment] }),
    taskOf("t", { attachments: [{ ...attachment, text: "y" }] }),
  ].map(contentOf);
  assertEquals(new Set(contents).size, contents.length);
});

Deno.test("nameOf() gives each task of each agent a name that files and sessions take", () => {
  assertEquals(/^task-[0-9a-f]{32}$/.test(nameOf("worker", "a:b~c")), true);
  assertNotEquals(nameOf("worker", "t"), nameOf("other", "t"));
  assertNotEquals(nameOf("worker", "t-1"), nameOf("worker", "t-2"));
});
