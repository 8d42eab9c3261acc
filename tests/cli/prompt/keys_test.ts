import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { type Key, KeyParser } from "../../../lib/cli/prompt/keys.ts";

/** Keys in short: names, and texts in quotation marks. */
function keysOf(...pieces: readonly string[]): string {
  const parser = new KeyParser();
  const short = (key: Key) => key.kind === "text" ? JSON.stringify(key.text) : key.name;
  return pieces.flatMap((piece) => parser.push(piece)).map(short).join(" ");
}

Deno.test("KeyParser tells text from keys", () => {
  assertEquals(
    keysOf("你好 a\r\x7f\x01\x05\x0b\x15\x17\x0c\x03\x04\t"),
    '"你好 a" enter backspace home end cut_after cut_before cut_word clear_screen interrupt ' +
      "end_of_input tab",
  );
});

Deno.test("KeyParser knows the sequences of arrows, Home, End and Delete", () => {
  assertEquals(
    keysOf("\x1b[A\x1b[B\x1bOC\x1b[D\x1b[H\x1b[4~\x1b[3~\x1b[1;5C\x1b[1;3D"),
    "up down right left home end delete word_right word_left",
  );
});

Deno.test("KeyParser takes Ctrl-J, Alt-J and Alt-Enter as a new line", () => {
  assertEquals(keysOf("\n\x1bj\x1b\r"), "newline newline newline");
});

Deno.test("KeyParser takes what is pasted as text, whatever is in it", () => {
  assertEquals(keysOf("\x1b[200~a\r\nb\rc\x03\x1b[A\n\x1b[201~\r"), '"a\\nb\\nc[A\\n" enter');
});

Deno.test("KeyParser takes no key that it does not know as text", () => {
  assertEquals(keysOf("a\x1b[15~\x1b[?1;2c\x1bx\x00\x1fb"), '"a" "b"');
});

Deno.test("KeyParser waits for the end of a sequence", () => {
  assertEquals(keysOf("\x1b", "[", "A", "\x1b[200~a", "b\x1b[20", "1~c"), 'up "ab" "c"');
});

Deno.test("KeyParser gives the same keys however they are cut", () => {
  const typed = fc.array(
    fc.constantFrom("你", "a", "\r", "\x1b[A", "\x1b[200~x\ny\x1b[201~", "\x03", "\x1b\r"),
  ).map((parts) => parts.join(""));
  fc.assert(fc.property(typed, (text) => {
    const joined = (keys: string) => keys.replaceAll('" "', "");
    assertEquals(joined(keysOf(...text)), joined(keysOf(text)));
  }));
});
