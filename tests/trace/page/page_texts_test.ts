import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { fairLength, PAGE_CHARS, withinBounds } from "../../../lib/trace/page/page_texts.ts";

Deno.test("fairLength() leaves short texts whole, and shares the rest among long ones", () => {
  assertEquals(fairLength([10, 10, 1000, 1000], 220), 100);
  assertEquals(fairLength([10, 20, 30], 60), Infinity);
  assertEquals(fairLength([], 0), Infinity);
  assertEquals(fairLength([5, 5], 0), 0);
});

Deno.test("fairLength() never takes more room than there is, nor leaves room for one more", () => {
  const lengths = fc.array(fc.nat(10_000), { maxLength: 50 });
  fc.assert(fc.property(lengths, fc.nat(100_000), (each, room) => {
    const most = fairLength(each, room);
    const taken = (bound: number) => each.reduce((sum, length) => sum + Math.min(length, bound), 0);
    assertEquals(taken(most) <= room, true);
    if (most !== Infinity) assertEquals(taken(most + 1) > room, true);
  }));
});

Deno.test("withinBounds() cuts long texts in their middle, and says how much is gone", () => {
  const long = `begin ${"词".repeat(PAGE_CHARS.output * 2)} end`;
  const [short, cut, said] = withinBounds((texts) => [
    texts.take("output", "short"),
    texts.take("output", long),
    texts.take("said", "word"),
  ]);
  assertEquals([short, said], [{ text: "short", left: 0 }, { text: "word", left: 0 }]);
  const text = cut?.text ?? "";
  assertEquals(
    [text.slice(0, 6), text.slice(-4), text.length - "\n…\n".length + (cut?.left ?? 0)],
    ["begin ", " end", long.length],
  );
  assertEquals(text.length <= PAGE_CHARS.output, true);
});
