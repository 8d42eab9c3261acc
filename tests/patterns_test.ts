import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { starredSource } from "../lib/patterns.ts";

function starred(pattern: string): RegExp {
  let groups = 0;
  return new RegExp(`^${starredSource(pattern.split("*"), ".", () => ++groups)}$`, "s");
}

Deno.test("starredSource() matches what stars for anything match", () => {
  const texts = (characters: readonly string[]) =>
    fc.array(fc.constantFrom(...characters), { maxLength: 9 }).map((all) => all.join(""));
  fc.assert(
    fc.property(texts(["a", "b", ".", "*", "*"]), texts(["a", "b"]), (pattern, text) => {
      const plain = new RegExp(`^${pattern.replaceAll("*", ".*")}$`, "s");
      assertEquals(starred(pattern).test(text), plain.test(text));
    }),
    { numRuns: 3000 },
  );
});

Deno.test("starredSource() does not take for ever, however many stars there are", () => {
  const hard = `${"*a".repeat(30)}*b`;
  assertEquals(starred(hard).test("a".repeat(5000)), false);
  assertEquals(starred(hard).test(`${"a".repeat(5000)}b`), true);
});
