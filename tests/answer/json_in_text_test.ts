import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { compactJson, jsonInText } from "../../lib/answer/json_in_text.ts";
import type { Json } from "../../lib/types.ts";

Deno.test("jsonInText() finds any JSON value that stands alone", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const compact = JSON.stringify(value);
    const pretty = `\n ${JSON.stringify(value, null, 2)}\n`;
    const expected = { text: compact, value: JSON.parse(compact) };
    assertEquals([jsonInText(compact), jsonInText(pretty)], [expected, expected]);
  }));
});

Deno.test("jsonInText() finds an object or a list with text around it, in a fence or not", () => {
  const value = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
  fc.assert(fc.property(value, (value) => {
    const text = JSON.stringify(value, null, 1);
    const expected = { text: compactJson(text), value: JSON.parse(text) };
    const ways = [
      `Here it is:\n\n${text}\n\nThat is all.`,
      `The answer is ${text}.`,
      `\`\`\`json\n${text}\n\`\`\``,
      `Look:\n\`\`\`\n${text}\n\`\`\`\nThat "is" {not} all [so far.`,
    ];
    assertEquals(ways.map(jsonInText), ways.map(() => expected));
  }));
});

Deno.test("jsonInText() takes a single value from the only fence, and from no sentence", () => {
  const texts = [
    "```json\n42\n```",
    'Thus:\n```\n"so"\n```',
    "It is 42.",
    'It is "so".',
    "",
    "```\n```",
  ];
  assertEquals(texts.map(jsonInText), [
    { text: "42", value: 42 },
    { text: '"so"', value: "so" },
    "none",
    "none",
    "none",
    "none",
  ]);
});

Deno.test("jsonInText() takes none of several values, wherever they stand", () => {
  const texts = [
    '{"a":1} {"a":2}',
    '```json\n{"a":1}\n```\nor rather {"a":2}',
    '```\n{"a":1}\n```\n```\n{"a":2}\n```',
    '{"a":1}\n{"a":2}\n',
  ];
  assertEquals(texts.map(jsonInText), texts.map(() => "several"));
});

Deno.test("jsonInText() leaves numbers and texts as they were written", () => {
  const text = '{ "id" : 12345678901234567890, "text": "a  \\" b: { }", "n": 1.50 }';
  const found = jsonInText(text);
  assertEquals(
    typeof found === "string" ? found : found.text,
    '{"id":12345678901234567890,"text":"a  \\" b: { }","n":1.50}',
  );
});

Deno.test("jsonInText() reads a long text of brackets a bounded number of times", () => {
  const texts: Json[] = ["[".repeat(100_000), "{x} ".repeat(50_000), "[{".repeat(50_000)];
  assertEquals(texts.map((text) => jsonInText(String(text))), ["none", "none", "none"]);
});
