import { assertEquals } from "@std/assert";
import { cleanTerminal } from "../../lib/results/terminal.ts";

/** Each text with what a terminal shows of it in the end. */
function assertShown(expected: Readonly<Record<string, string>>): void {
  const shown = Object.keys(expected).map((text) => [
    text,
    cleanTerminal(text, { codeChars: 0, overwrittenChars: 0, overwrites: 0 }),
  ]);
  assertEquals(Object.fromEntries(shown), expected);
}

Deno.test("cleanTerminal() takes codes out, in 7-bit and 8-bit form", () => {
  assertShown({
    "\x1b[1;31mred\x1b[0m": "red",
    "\x9b31mred\x9bm": "red",
    "\x1b]0;title\x07text": "text",
    "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\": "link",
    "\x1bP1$r\x1b\\dcs": "dcs",
    "\x1b(Btext\x1b=": "text",
    "\x1b[?25lhidden\x1b[K": "hidden",
  });
});

Deno.test("cleanTerminal() ends a code that is cut off at the end of the line", () => {
  assertShown({ "a\x1b[12": "a", "a\x1b": "a", "\x1b]0;no end\nnext": "\nnext" });
});

Deno.test("cleanTerminal() shows the last state of an overwritten line", () => {
  assertShown({
    "10%\r20%\r100%\n": "100%\n",
    "a\r\nb\r\n": "a\nb\n",
    "a\rb\nc\rd": "b\nd",
    "only\r": "only",
  });
});

Deno.test("cleanTerminal() undoes overstriking, and takes other control characters out", () => {
  assertShown({ "N\bNA\bAM\bM": "NAM", "_\bx": "x", "\b\ba": "a", "a\x07\x0c\x01b": "ab" });
});

Deno.test("cleanTerminal() shows names that NUL separates one a line", () => {
  assertShown({ "a\0b c\0": "a\nb c\n" });
});

Deno.test("cleanTerminal() counts what it takes out", () => {
  const counts = { codeChars: 0, overwrittenChars: 0, overwrites: 0 };
  cleanTerminal("\x1b[1mab\rcd\ref\r\n", counts);
  assertEquals(counts, { codeChars: 5, overwrittenChars: 6, overwrites: 2 });
});
