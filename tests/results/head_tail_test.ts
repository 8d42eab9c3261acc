import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { countLineEnds, HeadTail, limitText } from "../../lib/results/head_tail.ts";

const NOTE =
  /(?:^|\n)\[… ([\d,]+) characters(?: \(([\d,]+) line ends\))? left out here …\](?:\n|$)/;

Deno.test("limitText() leaves a text within its limit as it is", () => {
  const text = "one\ntwo\n";
  const counts = { totalChars: 8, totalLines: 2, omittedChars: 0, omittedLines: 0 };
  assertEquals(limitText(text, { head: 4, tail: 4 }), { text, ...counts });
});

Deno.test("limitText() leaves an empty text empty", () => {
  assertEquals(limitText("", { head: 0, tail: 0 }), {
    text: "",
    totalChars: 0,
    totalLines: 0,
    omittedChars: 0,
    omittedLines: 0,
  });
});

Deno.test("limitText() says in one line between head and tail what is missing", () => {
  assertEquals(limitText("a\nb\nc\nd\ne\n", { head: 4, tail: 2 }), {
    text: "a\nb\n[… 4 characters (2 line ends) left out here …]\ne\n",
    totalChars: 10,
    totalLines: 5,
    omittedChars: 4,
    omittedLines: 2,
  });
});

Deno.test("limitText() begins a line for its note where the head ends inside one", () => {
  assertEquals(limitText("abcdefghij", { head: 3, tail: 2 }), {
    text: "abc\n[… 5 characters left out here …]\nij",
    totalChars: 10,
    totalLines: 1,
    omittedChars: 5,
    omittedLines: 0,
  });
});

Deno.test("limitText() keeps one side only where the other has no room", () => {
  const only = (head: number, tail: number) => limitText("abcdefgh", { head, tail }).text;
  assertEquals([only(3, 0), only(0, 3), only(0, 0)], [
    "abc\n[… 5 characters left out here …]",
    "[… 5 characters left out here …]\nfgh",
    "[… 8 characters left out here …]",
  ]);
});

Deno.test("limitText() keeps head and tail of one line of 300,000 characters", () => {
  const text = `BEGIN${"x".repeat(300_000)}END\n`;
  assertEquals(limitText(text, { head: 5, tail: 4 }), {
    text: "BEGIN\n[… 300,000 characters left out here …]\nEND\n",
    totalChars: 300_009,
    totalLines: 1,
    omittedChars: 300_000,
    omittedLines: 0,
  });
});

Deno.test("limitText() keeps surrogate pairs whole", () => {
  assertEquals(limitText("😀😁😂🤣😃", { head: 3, tail: 3 }), {
    text: "😀\n[… 4 characters left out here …]\n🤣😃",
    totalChars: 10,
    totalLines: 1,
    omittedChars: 4,
    omittedLines: 0,
  });
});

Deno.test("limitText() keeps joined and combined characters whole", () => {
  const family = "👩‍👩‍👧‍👦";
  const text = `ab${family}${"x".repeat(50)}e\u0301`;
  assertEquals(
    limitText(text, { head: 5, tail: 1 }).text,
    "ab\n[… 61 characters left out here …]\ne\u0301",
  );
});

Deno.test("limitText() cuts Chinese text between characters", () => {
  assertEquals(
    limitText("磁盘空间不足", { head: 2, tail: 2 }).text,
    "磁盘\n[… 2 characters left out here …]\n不足",
  );
});

Deno.test("limitText() says nothing where whole characters leave nothing out", () => {
  assertEquals(limitText("a😀", { head: 1, tail: 1 }), {
    text: "a😀",
    totalChars: 3,
    totalLines: 1,
    omittedChars: 0,
    omittedLines: 0,
  });
});

const LINES = fc.array(
  fc.constantFrom("a", "\n", "中", "😀", "👩\u200d", "\u0301", "\r\n", "xyz".repeat(30)),
  {
    maxLength: 60,
  },
).map((parts) => parts.join(""));

const LIMIT = fc.record({
  head: fc.integer({ min: 0, max: 120 }),
  tail: fc.integer({ min: 0, max: 120 }),
});

Deno.test("HeadTail gives the same for pieces cut anywhere as for the whole", () => {
  const cuts = fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 40 });
  fc.assert(fc.property(LINES, LIMIT, cuts, (text, limit, at) => {
    const collector = new HeadTail(limit);
    const places = [0, ...at.toSorted((a, b) => a - b), text.length];
    for (const [index, end] of places.entries()) {
      collector.push(text.slice(places[index - 1] ?? 0, end));
    }
    assertEquals(collector.finish(), limitText(text, limit));
  }));
});

Deno.test("HeadTail counts exactly what it leaves out", () => {
  fc.assert(fc.property(LINES, LIMIT, (text, limit) => {
    const limited = limitText(text, limit);
    const note = NOTE.exec(limited.text);
    if (note === null) return assertEquals(limited.text, text);
    const omitted = Number(note[1]?.replaceAll(",", ""));
    const lines = Number(note[2]?.replaceAll(",", "") ?? 0);
    assertEquals([omitted, lines], [limited.omittedChars, limited.omittedLines]);
    assertEquals(limited.totalChars, text.length);
    assertEquals(
      limited.totalLines,
      text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
    );
    const last = limited.text.slice(note.index + note[0].length);
    const first = text.slice(0, text.length - omitted - last.length);
    assertEquals(countLineEnds(text) - countLineEnds(first) - countLineEnds(last), lines);
    assertEquals([limited.text.startsWith(first), text.endsWith(last)], [true, true]);
  }));
});

Deno.test("HeadTail keeps a bounded part of a text without bound", () => {
  const collector = new HeadTail({ head: 10, tail: 10 });
  const piece = `${"0123456789".repeat(1000)}\n`;
  for (let count = 0; count < 1000; count++) collector.push(piece);
  assertEquals(collector.finish(), {
    text: "0123456789\n[… 10,000,980 characters (999 line ends) left out here …]\n123456789\n",
    totalChars: 10_001_000,
    totalLines: 1000,
    omittedChars: 10_000_980,
    omittedLines: 999,
  });
});
