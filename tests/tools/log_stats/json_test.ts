import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { PARSED, Slice } from "../../../tools/log_stats/entry.ts";
import { JsonParser } from "../../../tools/log_stats/formats/json.ts";
import { TimeReader } from "../../../tools/log_stats/time.ts";

/** Whether a line is an entry, and its fields as text; null for those that it does not have. */
function read(line: string, ...fields: readonly string[]): readonly (string | null)[] | null {
  const parser = new JsonParser(fields, new TimeReader(0));
  // What stands beside a line in its buffer must not matter.
  const bytes = new TextEncoder().encode(`"}${line}"}{"a":1}`);
  const end = bytes.length - 9;
  if (parser.parse(bytes, 2, end) !== PARSED.entry) return null;
  const slice = new Slice();
  return fields.map((_, field) => parser.get(field, slice) ? slice.text() : null);
}

Deno.test("JsonParser gives values of every kind as text", () => {
  const line = String.raw` { "a" : "x" ,"b":"say \"no\" \u4e2d","c":-1.5e3,"d":true,"e":null,` +
    String.raw`"f":{"g":[1,"]}"],"h":{"i":"\\"}},"j":[],"k":"", "f.g":2 } `;
  assertEquals(
    read(line, "a", "b", "c", "d", "e", "f", "f.g", "f.h.i", "j", "k", "l", "a.b"),
    [
      ...["x", 'say "no" 中', "-1.5e3", "true", null, '{"g":[1,"]}"],"h":{"i":"\\\\"}}', "2", "\\"],
      ...["", "", null, null],
    ],
  );
});

Deno.test("JsonParser refuses what is no object or not all of the line", () => {
  const lines = [
    ...["", "{", "[1]", '"a"', '{"a"}', '{"a":}', '{"a":1', '{"a":1,}', '{"a":"x}', "{a:1}"],
    ...['{"a":1}x', '{"a":{"b":1}', '{"a" 1}', '{"a":1 "b":2}', 'x{"a":1}', '{"a":[}', '{"a\\'],
  ];
  assertEquals(lines.filter((line) => read(line) !== null), []);
  assertEquals(["{}", "{ }", '{"a":1}'].filter((line) => read(line) === null), []);
});

Deno.test("JsonParser gives every field of any object as JSON.parse does", () => {
  const object = fc.dictionary(fc.string({ unit: "grapheme", minLength: 1 }), fc.jsonValue(), {
    maxKeys: 8,
  });
  fc.assert(fc.property(object, fc.constantFrom(0, 1), (value, indent) => {
    // Keys with escapes are compared as they are written, and so never asked for.
    const names = Object.keys(value).filter((name) =>
      JSON.stringify(name) === `"${name}"` && !name.includes(".")
    );
    const line = JSON.stringify(value, null, indent).replaceAll("\n", " ");
    const expected = names.map((name) => {
      const field = value[name];
      if (field === null || field === undefined) return null;
      return typeof field === "object" ? JSON.stringify(field) : String(field);
    });
    const actual = read(line, ...names)?.map((text, i) => {
      const isNumber = typeof value[names[i] ?? ""] === "number";
      return isNumber && text !== null ? String(Number(text)) : text;
    });
    const isBytes = (name: string) => Array.isArray(value[name]);
    assertEquals(
      actual?.filter((_, i) => !isBytes(names[i] ?? "")),
      expected.filter((_, i) => !isBytes(names[i] ?? "")),
    );
  }));
});
