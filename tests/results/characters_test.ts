import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { clip, wholeCharacter } from "../../lib/results/characters.ts";

/** Each text with a cut and where the cut goes. */
function assertCuts(expected: readonly (readonly [string, number, number])[]): void {
  const cuts = expected.map(([text, cut]) => [text, cut, wholeCharacter(text, cut)]);
  assertEquals(cuts, expected.map((row) => [...row]));
}

Deno.test("wholeCharacter() leaves a cut between characters where it is", () => {
  assertCuts([["abc", 1, 1], ["中文", 1, 1], ["a😀b", 3, 3], ["", 0, 0]]);
});

Deno.test("wholeCharacter() moves a cut inside a character to its beginning", () => {
  assertCuts([
    ["a😀b", 2, 1],
    ["ae\u0301x", 2, 1],
    ["a👩‍👩‍👧b", 5, 1],
    ["🇩🇪🇫🇷", 2, 0],
    ["a\r\nb", 2, 1],
  ]);
});

Deno.test("wholeCharacter() moves a cut outside the text to its nearest end", () => {
  assertCuts([["abc", -1, 0], ["abc", 3, 3], ["abc", 9, 3]]);
});

Deno.test("wholeCharacter() keeps surrogate pairs whole in a sequence without end", () => {
  const joined = "👩\u200d".repeat(200);
  assertEquals(wholeCharacter(joined, 301), 300);
  assertEquals(wholeCharacter(`a${"\u0301".repeat(500)}`, 250), 250);
});

Deno.test("clip() counts the ellipsis and parts no character", () => {
  assertEquals(
    [clip("abc", 3), clip("abcd", 3), clip("a😀b", 3), clip("", 1), clip("ab", 1)],
    ["abc", "ab…", "a…", "", "…"],
  );
});

Deno.test("clip() gives well-formed text within its limit for any text", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 300 });
  fc.assert(fc.property(text, fc.integer({ min: 1, max: 200 }), (whole, maxChars) => {
    const short = clip(whole, maxChars);
    const within = short.length <= maxChars && short.isWellFormed();
    assertEquals([within, whole.startsWith(short.replace(/…$/, ""))], [true, true]);
  }));
});
