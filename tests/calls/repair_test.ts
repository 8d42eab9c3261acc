import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { repairArguments } from "../../lib/calls/repair.ts";

const MENDED: readonly (readonly [string, unknown])[] = [
  ['{"a": 1,}', { a: 1 }],
  ["{'a': 'b'}", { a: "b" }],
  ["{a: 1}", { a: 1 }],
  ['{"a": "it\'s \\"so\\"",}', { a: 'it\'s "so"' }],
  ['{"a": "two\nlines"}', { a: "two\nlines" }],
  ['{"a": True, "b": None}', { a: true, b: null }],
  ['```json\n{"a": 1}\n```', { a: 1 }],
];

for (const [text, args] of MENDED) {
  Deno.test(`repairArguments() mends ${JSON.stringify(text)}`, async () => {
    assertEquals<unknown>(await repairArguments(text), args);
  });
}

const REFUSED: readonly string[] = [
  '{"command": run("ls")}',
  '{"a": 1, ...}',
  '{"a": 1e}',
  '{"a": 1 /* or 2 */}',
  '{"command": "rm -rf /tmp/x',
  '{"command": "rm -rf /tmp/x"',
  '{"options": {"command": "rm -rf /tmp/x}}',
  "{'options': {'command': 'rm -rf /tmp/x}}",
  '{"command": ["ls"}',
  '{"command": "echo "a" && rm "b""}',
  '{"a": 1}{"b": 2}',
  "[1,]",
  "ls -la",
  "",
];

for (const text of REFUSED) {
  Deno.test(`repairArguments() leaves ${JSON.stringify(text)} alone`, async () => {
    assertEquals(await repairArguments(text), null);
  });
}

Deno.test("repairArguments() never mends an object that was cut off", async () => {
  const object = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()));
  await fc.assert(fc.asyncProperty(object, fc.nat(), async (value, at) => {
    const text = JSON.stringify(value);
    const cut = text.slice(0, at % text.length);
    return await repairArguments(cut) === null;
  }));
});
