import { assertEquals, assertThrows } from "@std/assert";
import { parseTasks } from "../../lib/cli/batch_tasks.ts";
import { UsageError } from "../../lib/cli/failure.ts";

Deno.test("parseTasks() takes plain lines as they stand, named by their numbers", () => {
  const plain = (id: string, task: string) => ({ id, task, model: null, input: [] });
  assertEquals(parseTasks('\ufeffIs it up?\r\n\n  [1] {"task": "x"}  \n看磁盘', "f"), [
    plain("1", "Is it up?"),
    plain("3", '[1] {"task": "x"}'),
    plain("4", "看磁盘"),
  ]);
});

Deno.test("parseTasks() takes JSON lines where the first character is a brace", () => {
  const lines = [
    '{"task": "one"}',
    "",
    '{"id": "b", "task": "two", "model": "m", "input": "a.log"}',
    '{"id": 7, "task": "three", "input": ["a", "b"]}',
  ];
  assertEquals(parseTasks(lines.join("\n"), "f"), [
    { id: "1", task: "one", model: null, input: [] },
    { id: "b", task: "two", model: "m", input: ["a.log"] },
    { id: "7", task: "three", model: null, input: ["a", "b"] },
  ]);
});

Deno.test("parseTasks() says which line is no task, and why", () => {
  const faults = [
    "",
    '{"task": "x"}\nplain',
    '{"task": "x"}\n["x"]',
    '{"id": "a"}',
    '{"task": " "}',
    '{"task": "x", "id": true}',
    '{"task": "x", "model": 1}',
    '{"task": "x", "input": [1]}',
    '{"task": "x", "prompt": "y"}',
    '{"task": "x", "id": "1"}\n{"task": "y", "id": 1}',
    '{"task": "x", "id": 2}\n{"task": "y"}',
  ].map((text) => assertThrows(() => parseTasks(text, "f"), UsageError).message);
  assertEquals(faults, [
    "There are no tasks in f",
    "Line 2 of f is not JSON",
    "Line 2 of f is no object",
    'Line 1 of f has no text as "task"',
    'Line 1 of f has no text as "task"',
    'Line 1 of f has no text as "id"',
    'Line 1 of f has no text as "model"',
    'Line 1 of f has no file as "input"',
    'Line 1 of f has a field "prompt" that is not known',
    'Two tasks of f have the id "1"',
    'Two tasks of f have the id "2"',
  ]);
});
