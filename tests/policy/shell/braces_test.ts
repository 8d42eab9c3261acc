import { assertEquals } from "@std/assert";
import { expandBraces } from "../../../lib/policy/shell/braces.ts";

Deno.test("expandBraces() expands lists, sequences and nests as bash does", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["{a,b}", ["a", "b"]],
    ["x{a,b}y", ["xay", "xby"]],
    ["{a,{b,c}}", ["a", "b", "c"]],
    ["{1..3}", ["1", "2", "3"]],
    ["{a..c}", ["a", "b", "c"]],
    ["{3..1}", ["3", "2", "1"]],
    ["{+1..3}", ["1", "2", "3"]],
    ["{a,b}{c,d}", ["ac", "ad", "bc", "bd"]],
    ["{,x}", ["", "x"]],
    ["{a}", ["{a}"]],
    ["'{a,b}'", ["'{a,b}'"]],
    ["${x,y}", ["${x,y}"]],
    ["{$(a,b),c}", ["$(a,b)", "c"]],
  ];
  for (const [text, words] of cases) assertEquals(expandBraces(text).words, words, text);
});

Deno.test("expandBraces() says where it had to stop", () => {
  assertEquals(expandBraces("{a,b}".repeat(40)).cut, true);
  assertEquals(expandBraces("{".repeat(5_000)).cut, true);
  assertEquals(expandBraces("{a,b}").cut, false);
});

Deno.test("expandBraces() stops at a sequence that would fill the shell's memory", () => {
  for (const text of ["{1..1000000000}", "{-1..10000000000}", "x{a,{1..999999}}"]) {
    assertEquals(expandBraces(text).cut, true, text);
  }
  for (const text of ["{1..10000}", "{1..1000000..1000}", "'{1..1000000000}'"]) {
    assertEquals(expandBraces(text).cut, false, text);
  }
});
