import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { validateArguments } from "../../lib/calls/validate.ts";
import { readSchema } from "../../lib/mcp/schema.ts";
import type { ObjectSchema } from "../../lib/types.ts";

function schemaOf(raw: unknown): ObjectSchema {
  const read = readSchema(raw);
  if (!read.ok) throw new TypeError(read.fault);
  return read.schema;
}

Deno.test("readSchema() keeps properties, what is required and what they refer to", () => {
  const raw = {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "https://x.example/s",
    type: "object",
    title: "Arguments",
    properties: {
      id: { type: "string", description: "An id." },
      pattern: { type: "string", pattern: "^(a+)+$", description: "What to find." },
      at: { $ref: "#/$defs/at" },
      any: true,
    },
    required: ["id", "at", "nowhere"],
    anyOf: [{ required: ["id"] }],
    $defs: { at: { $id: "urn:x", type: "integer" } },
  };
  assertEquals(schemaOf(raw), {
    type: "object",
    properties: {
      id: { type: "string", description: "An id." },
      pattern: { type: "string", description: "What to find. (pattern: ^(a+)+$)" },
      at: { $ref: "#/$defs/at" },
      any: {},
    },
    required: ["id", "at"],
    additionalProperties: false,
    $defs: { at: { type: "integer" } },
  });
});

Deno.test("readSchema() admits further arguments where the server does, and where it names none", () => {
  const further = (raw: unknown) => schemaOf(raw).additionalProperties;
  assertEquals(
    [
      further(undefined),
      further({ type: "object" }),
      further({ type: "object", properties: { a: {} } }),
      further({ type: "object", properties: { a: {} }, additionalProperties: true }),
      further({ additionalProperties: { type: "string", pattern: "x" } }),
      further({ additionalProperties: false }),
    ],
    [true, true, false, true, { type: "string", description: "(pattern: x)" }, false],
  );
});

Deno.test("readSchema() refuses what describes no arguments", () => {
  assertEquals([
    readSchema("object"),
    readSchema({ type: "array" }),
    readSchema({ type: "object", properties: [] }),
    readSchema({ type: "object", description: "x".repeat(20_001) }),
  ], [
    { ok: false, fault: "its schema is no object" },
    { ok: false, fault: "its schema is not that of an object" },
    { ok: false, fault: "the properties of its schema are no object" },
    { ok: false, fault: "its schema has 20035 characters of 20000" },
  ]);
});

Deno.test("arguments of a foreign schema are checked, whatever it says beside", async () => {
  const schema = schemaOf({
    type: "object",
    $async: true,
    properties: {
      when: { type: "string", format: "date-time", "x-order": 1 },
      list: { type: ["array", "null"], items: { minimum: 1, pattern: "(" } },
    },
    required: ["when"],
  });
  assertEquals(await validateArguments(schema, { when: "now", list: [2] }), null);
  assertEquals(await validateArguments(schema, { list: 3 }) === null, false);
});

Deno.test("readSchema() never throws, and gives the shape of an object", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.boolean(), (value, wrapped) => {
    const read = readSchema(wrapped ? { type: "object", properties: value } : value);
    return !read.ok || read.schema.type === "object" && Array.isArray(read.schema.required);
  }));
});
