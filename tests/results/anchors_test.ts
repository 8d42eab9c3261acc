import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { type Anchor, AnchorScanner } from "../../lib/results/anchors.ts";

const encoder = new TextEncoder();

type Hit = readonly [id: number, start: number, end: number];

function scanned(anchors: readonly Anchor[], text: string): Hit[] {
  const hits: Hit[] = [];
  new AnchorScanner(anchors).scan(encoder.encode(text), (id, start, end) => {
    hits.push([id, start, end]);
  });
  return inOrder(hits);
}

function inOrder(hits: readonly Hit[]): Hit[] {
  return hits.toSorted((a, b) => a[1] - b[1] || a[0] - b[0]);
}

/** Every place of every anchor, one after the other. */
function plainly(anchors: readonly Anchor[], text: string): Hit[] {
  const lower = text.toLowerCase();
  return inOrder(anchors.flatMap(({ text: anchor, id }) => {
    const wild = anchor.startsWith("?");
    const wanted = wild ? anchor.slice(1) : anchor;
    return Array.from({ length: lower.length }, (_, at) => at)
      .filter((at) => lower.startsWith(wanted, at))
      .map((at) => [id, at, at + wanted.length] as const);
  }));
}

const LETTER = fc.constantFrom("a", "b", "A", "-", "1");

const WORD = fc.array(LETTER, { minLength: 4, maxLength: 7 })
  .map((letters) => letters.join("").toLowerCase());

const ANCHORS = fc.uniqueArray(
  fc.oneof(WORD, WORD.map((word) => `?${word.slice(1)}`)),
  { minLength: 1, maxLength: 6 },
).map((words) => words.map((text, id) => ({ text, id })));

const TEXT = fc.array(LETTER, { maxLength: 80 }).map((letters) => letters.join(""));

Deno.test("AnchorScanner finds what a plain search finds, at either end too", () => {
  fc.assert(
    fc.property(ANCHORS, TEXT, (anchors, text) => {
      assertEquals(scanned(anchors, text), plainly(anchors, text));
    }),
    { numRuns: 500 },
  );
});

Deno.test("AnchorScanner finds texts beyond ASCII", () => {
  assertEquals(scanned([{ text: "密码", id: 7 }], "的密码："), [[7, 3, 9]]);
});

Deno.test("AnchorScanner finds a wild anchor at the very beginning", () => {
  assertEquals(scanned([{ text: "?sk-", id: 1 }], "sk-1 sk-2"), [[1, 0, 3], [1, 5, 8]]);
});

Deno.test("AnchorScanner takes no anchor that is too short to skip ahead by", () => {
  assertThrows(() => new AnchorScanner([{ text: "abc", id: 3 }]), RangeError, "Anchor 3");
});
