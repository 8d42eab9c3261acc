import { assertEquals } from "@std/assert";
import { printable } from "../../lib/cli/printable.ts";

Deno.test("printable() keeps text of all languages, line ends and tabs", () => {
  const text = "a\tb\n中文 😀 é — ü\n";
  assertEquals(printable(text), text);
});

Deno.test("printable() removes what moves, colours or hides", () => {
  assertEquals(
    printable("\u001b[31mred\u001b]0;title\u0007 \u009b2J back\b\r over\u0000\u007f"),
    "[31mred]0;title 2J back over",
  );
});

Deno.test("printable() removes what turns the direction of text around", () => {
  assertEquals(printable("rm\u202e fdp\u202c \u2066x\u2069"), "rm fdp x");
});
