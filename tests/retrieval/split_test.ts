import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { PIECE_CHARS, splitText } from "../../lib/retrieval/split.ts";

const SENTENCE = "The pool is emptied before the node goes down. ";

/** A paragraph of about so many characters. */
const paragraph = (chars: number) => SENTENCE.repeat(Math.ceil(chars / SENTENCE.length)).trim();

Deno.test("splitText() leaves a short text whole, with its lines and without empty ones around it", () => {
  assertEquals([...splitText("\n\nOne\n\nTwo\n\n")], [
    { text: "One\n\nTwo", startLine: 3, endLine: 5, heading: "" },
  ]);
  assertEquals([[...splitText("")], [...splitText(" \n\n")]], [[], []]);
});

Deno.test("splitText() parts at paragraphs, else at lines", () => {
  const text = [paragraph(600), "", paragraph(300), "", paragraph(300)].join("\n");
  assertEquals(
    [...splitText(text)].map(({ startLine, endLine }) => [startLine, endLine]),
    [[1, 3], [5, 5]],
  );
  const lines = Array.from({ length: 40 }, (_, index) => `${index} ${"x".repeat(97)}`).join("\n");
  assertEquals(
    [...splitText(lines, { firstLine: 101 })].map(({ startLine, endLine }) => endLine - startLine),
    [9, 8, 8, 8, 2],
  );
});

Deno.test("splitText() gives each piece of Markdown the headings that it stands under", () => {
  const text = [
    "# Deploy",
    paragraph(300),
    "## Rollback",
    paragraph(700),
    "",
    paragraph(700),
    "## Check",
    "```sh",
    "# no heading",
    "```",
    paragraph(300),
    "# Other",
    "Short.",
  ].join("\n");
  assertEquals(
    [...splitText(text, { markdown: true })].map(({ startLine, endLine, heading }) =>
      `${startLine}-${endLine} ${heading}`
    ),
    [
      "1-2 Deploy",
      "3-4 Deploy > Rollback",
      "6-6 Deploy > Rollback",
      "7-11 Deploy > Check",
      "12-13 Other",
    ],
  );
  assertEquals([...splitText("# a", {})].map(({ heading }) => heading), [""]);
});

Deno.test("splitText() keeps short sections together", () => {
  const text = "# A\nOne.\n\n# B\nTwo.\n";
  assertEquals([...splitText(text, { markdown: true })], [
    { text: "# A\nOne.\n\n# B\nTwo.", startLine: 1, endLine: 5, heading: "A" },
  ]);
});

Deno.test("splitText() cuts a long line after a sentence, a word, or a whole character", () => {
  const cut = (text: string) => [...splitText(text)].map((piece) => piece.text);
  const sentences = paragraph(2500);
  const pieces = cut(sentences);
  assertEquals(pieces.slice(0, -1).every((piece) => piece.endsWith(".")), true);
  assertEquals(cut("数据库。".repeat(300))[0]?.length, 1000);
  assertEquals(cut(`${"a".repeat(700)} ${"b".repeat(700)}`).map(({ length }) => length), [
    701,
    700,
  ]);
  assertEquals(cut(`a${"😀".repeat(800)}`).every((piece) => piece.isWellFormed()), true);
});

Deno.test("splitText() cuts one line of 4 MB in time that grows with its length", () => {
  const pieces = [...splitText("x".repeat(4_000_000))];
  assertEquals(pieces.length, 4000);
});

Deno.test("splitText() leaves nothing out but space, and keeps pieces short", () => {
  const line = fc.oneof(
    fc.constant(""),
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc.constant(SENTENCE.repeat(50)),
    fc.constant("## Heading"),
    fc.constant("```"),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.boolean(), (lines, markdown) => {
      const text = lines.join("\n");
      const pieces = [...splitText(text, { markdown })];
      const plain = (value: string) => value.replace(/\s+/g, "");
      assertEquals(plain(pieces.map((piece) => piece.text).join("")), plain(text));
      assertEquals(pieces.every((piece) => piece.text.length <= PIECE_CHARS + 1), true);
      assertEquals(
        pieces.every((piece, index) => piece.startLine >= (pieces[index - 1]?.endLine ?? 1)),
        true,
      );
    }),
  );
});
