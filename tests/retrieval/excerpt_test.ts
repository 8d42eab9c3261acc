import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { excerptOf } from "../../lib/retrieval/excerpt.ts";

const FILLER = "nothing to be seen here ".repeat(40);

Deno.test("excerptOf() gives a short text whole", () => {
  assertEquals(excerptOf(" short text\n", "text", 40), "short text");
});

Deno.test("excerptOf() shows the place that has the most of the words", () => {
  const text = `${FILLER} the pool ${FILLER} the pool had a timeout ${FILLER}`;
  const excerpt = excerptOf(text, "pool TIMEOUT", 80);
  assertEquals(
    excerpt,
    "…here  the pool had a timeout nothing to be seen here nothing to be seen here…",
  );
});

Deno.test("excerptOf() shows pieces of words, and the beginning where there are none", () => {
  assertEquals(
    excerptOf(`${FILLER} 凌晨三点备份 ${FILLER}`, "凌晨备份", 60).includes("凌晨"),
    true,
  );
  assertEquals(excerptOf(FILLER, "zebra", 50), "nothing to be seen here nothing to be seen here…");
});

Deno.test("excerptOf() is never longer than asked, and never parts a character", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 500 }),
      fc.string({ maxLength: 10 }),
      fc.integer({ min: 20, max: 200 }),
      (text, query, maxChars) => {
        const excerpt = excerptOf(text, query, maxChars);
        assertEquals([excerpt.length <= maxChars, excerpt.isWellFormed()], [true, true]);
      },
    ),
  );
});
