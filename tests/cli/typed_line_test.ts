import { assertEquals } from "@std/assert";
import { typedLine } from "../../lib/cli/typed_line.ts";

Deno.test("typedLine() takes keys that come together, with corrections", () => {
  assertEquals(typedLine("", "ab\u007fc\u0015数据x\b"), { text: "数据", ending: null, rest: "" });
});

Deno.test("typedLine() ends at the first Enter, and leaves the rest for the next line", () => {
  assertEquals(
    ["a\rb\r", "a\r\nb", "a\n"].map((keys) => typedLine("", keys)),
    ["b\r", "b", ""].map((rest) => ({ text: "a", ending: "enter", rest })),
  );
});

Deno.test("typedLine() ends at Ctrl-C, and does nothing at keys with codes", () => {
  assertEquals(typedLine("a", "b\u0003"), { text: "a", ending: "interrupt", rest: "" });
  assertEquals(typedLine("a", "\u001b[D"), { text: "a", ending: null, rest: "" });
});

Deno.test("typedLine() takes away a whole character, however it is made up", () => {
  assertEquals(typedLine("a👩‍👩‍👧", "\u007f").text, "a");
});
