import { assertEquals } from "@std/assert";
import { cellOf, cutToColumns, textTable } from "../../lib/cli/text_table.ts";

Deno.test("textTable() sets Chinese and Latin text in columns", () => {
  assertEquals(
    textTable([["name", "n", "task"], ["日志", "12", "分析"], ["a", "3", ""]]),
    "name  n   task\n" +
      "日志  12  分析\n" +
      "a     3\n",
  );
  assertEquals(textTable([]), "");
});

Deno.test("cutToColumns() cuts by columns, never through a character", () => {
  assertEquals(
    ["abcdef", "日志分析", "日志分", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "ok"].map((text) => cutToColumns(text, 5)),
    ["abcd…", "日志…", "日志…", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦…", "ok"],
  );
});

Deno.test("cellOf() makes one harmless line of any text", () => {
  assertEquals(cellOf(" a\n\tb\x1b[31mc\u202e "), "a b[31mc");
});
