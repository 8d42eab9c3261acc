import { assertEquals } from "@std/assert";
import { closest } from "../../lib/calls/closest.ts";

const TOOLS = ["run_shell", "read_file", "list_files", "search_files", "calculate"];

Deno.test("closest() finds the name that was meant", () => {
  const meant = ["run_shel", "readFile", "LIST_FILES", "search", "calculator"];
  assertEquals(meant.map((name) => closest(name, TOOLS)[0]), TOOLS);
});

Deno.test("closest() gives at most three, the closest first", () => {
  assertEquals(closest("files", ["a_files", "files_b", "ab_files", "files"]), [
    "files",
    "a_files",
    "files_b",
  ]);
});

Deno.test("closest() gives none for what is like nothing, or empty", () => {
  assertEquals([closest("传输", TOOLS), closest("", TOOLS), closest("x", [])], [[], [], []]);
});
