import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { escapeHtml, Html, joined, tag } from "../../../lib/trace/page/html.ts";

/** Texts in which HTML, and what breaks out of it, is more frequent than chance has it. */
const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(
    fc.constantFrom(
      ...["<", ">", '"', "'", "&", "&lt;", "&#60", "<!--", "-->", "]]>", "</pre>", "</script>"],
      ...["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "\0", "\u202e", "\ud800"],
      ...["\r", "\n", "=", " ", "`", "分析", "a"],
    ),
  ).map((pieces) => pieces.join("")),
);

/** What a parser of HTML makes of an escaped text. */
function decoded(text: string): string {
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return text.replace(/&([^;]+);/g, (_, name: string) => entities[name] ?? "?");
}

/** The same text, with what no document may have as U+FFFD. */
function harmless(text: string): string {
  return Array.from(text.toWellFormed().replaceAll("\r\n", "\n").replaceAll("\r", "\n"))
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      const isControl = code < 0x20 ? code !== 0x09 && code !== 0x0a : code >= 0x7f && code < 0xa0;
      const turns = code >= 0x202a && code <= 0x202e || code >= 0x2066 && code <= 0x2069;
      return isControl || turns || code === 0xfffe || code === 0xffff ? "\ufffd" : character;
    }).join("");
}

Deno.test("escapeHtml() leaves nothing that ends a text or an attribute, whatever it is given", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const escaped = escapeHtml(text);
      assertMatch(escaped, /^(?:[^<>"'&]|&(?:amp|lt|gt|quot|#39);)*$/);
      assertEquals(decoded(escaped), harmless(text));
    }),
    { numRuns: 1000 },
  );
});

Deno.test("tag() has the same elements and attributes whatever texts stand in them", () => {
  const made = (text: string) =>
    tag("p", { class: text, id: null }, text, tag("b", {}, [text])).text;
  const shape = made("").split("");
  fc.assert(fc.property(hostile, (text) => {
    const escaped = escapeHtml(text);
    assertEquals(made(text), `<p class="${escaped}">${escaped}<b>${escaped}</b></p>`);
    const marks = made(text).replace(/[^<>"]/g, "");
    assertEquals(marks, shape.join("").replace(/[^<>"]/g, ""));
  }));
});

Deno.test("tag() and joined() take markup as it is, and nothing for null", () => {
  assertEquals(
    joined(tag("meta", { charset: "utf-8" }), null, 1, new Html("<i>x</i>"), [["a"], "<"]).text,
    '<meta charset="utf-8">1<i>x</i>a&lt;',
  );
});

Deno.test("tag() keeps the line end at the beginning of a pre, which parsers drop", () => {
  assertEquals(tag("pre", {}, "\nx").text, "<pre>\n\nx</pre>");
});
