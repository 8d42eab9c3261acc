import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { layOut, rowLines, widthOf } from "../../lib/cli/marked_text.ts";

const shown = (text: string, start: number, end: number, columns: number, styled = false) =>
  layOut(text, [{ start, end }], columns).flatMap((row) => rowLines(row, styled));

Deno.test("layOut() puts ~ below what is marked, across rows and lines", () => {
  assertEquals(shown("echo a\nrm -rf build", 10, 19, 8), [
    "echo a",
    "rm -rf b",
    "   ~~~~~",
    "uild",
    "~~~~",
  ]);
});

Deno.test("layOut() underlines what is marked where that can be shown", () => {
  assertEquals(shown("rm -rf b", 0, 2, 80, true), ["\u001b[1;4mrm\u001b[0m -rf b"]);
});

Deno.test("layOut() counts columns, not characters", () => {
  assertEquals(shown("删除 数据库", 3, 6, 80), ["删除 数据库", "     ~~~~~~"]);
  assertEquals(shown("数据库", 0, 0, 5), ["数据", "库"]);
});

Deno.test("layOut() leaves out codes for the terminal, and marks stay where they belong", () => {
  assertEquals(shown("a\u001b[2K\u202eb rm", 8, 10, 80), ["a[2Kb rm", "      ~~"]);
});

Deno.test("layOut() never makes a row wider than the terminal", () => {
  fc.assert(fc.property(
    fc.string({ unit: "grapheme" }),
    fc.integer({ min: 4, max: 40 }),
    (text, columns) => {
      const rows = layOut(text, [{ start: 0, end: 3 }], columns);
      return rows.every((row) => widthOf(rowLines(row, false)[0] ?? "") <= columns);
    },
  ));
});
