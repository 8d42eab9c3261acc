import { assertEquals, assertRejects } from "@std/assert";
import { createAnswerForm } from "../../lib/answer/form.ts";
import type { JsonObject } from "../../lib/types.ts";

const DISKS: JsonObject = {
  type: "object",
  properties: { full: { type: "boolean" }, disks: { type: "array", items: { type: "string" } } },
  required: ["full", "disks"],
  additionalProperties: false,
};

async function checked(schema: JsonObject, text: string) {
  return (await createAnswerForm(schema, { bound: false })).check(text);
}

Deno.test("createAnswerForm() takes an answer that fits, compact and as data", async () => {
  assertEquals(await checked(DISKS, '```json\n{ "full": true,\n  "disks": ["/ var"] }\n```'), {
    fits: true,
    text: '{"full":true,"disks":["/ var"]}',
    data: { full: true, disks: ["/ var"] },
  });
});

Deno.test("createAnswerForm() says all that is wrong with an answer", async () => {
  const texts = ["No.", '{"full":1,"size":2}', '{"full":true,"disks":[]} {}', "[]"];
  assertEquals(await Promise.all(texts.map((text) => checked(DISKS, text))), [
    { fits: false, errors: ["the answer holds no JSON value"] },
    {
      fits: false,
      errors: [
        "the value must have required property 'disks'",
        'the value must NOT have additional properties ("size")',
        "/full must be boolean",
      ],
    },
    { fits: false, errors: ["the answer holds more than one JSON value"] },
    { fits: false, errors: ["the value must be object"] },
  ]);
  assertEquals(await checked({ enum: ["yes", "no"] }, '"maybe"'), {
    fits: false,
    errors: ['the value must be equal to one of the allowed values (["yes","no"])'],
  });
});

Deno.test("createAnswerForm() says a bounded number of errors of bounded length", async () => {
  const items = { enum: ["x".repeat(1000)] };
  const answer = await checked({ items }, JSON.stringify(Array.from({ length: 50 }, () => 1)));
  const errors = answer.fits ? [] : answer.errors;
  assertEquals([errors.length, errors.at(-1), errors.every(({ length }) => length <= 300)], [
    21,
    "and 30 more",
    true,
  ]);
});

Deno.test("createAnswerForm() reads each dialect as it is meant", async () => {
  const pair = [{ type: "string" }, { type: "number" }];
  const schemas: JsonObject[] = [
    { $schema: "http://json-schema.org/draft-06/schema#", items: pair },
    { $schema: "http://json-schema.org/draft-07/schema#", items: pair },
    { $schema: "https://json-schema.org/draft/2019-09/schema", items: pair },
    { $schema: "https://json-schema.org/draft/2020-12/schema", prefixItems: pair },
    { prefixItems: pair, format: "no such format" },
  ];
  const fits = schemas.map(async (schema) => [
    (await checked(schema, '["a",1]')).fits,
    (await checked(schema, '["a","b"]')).fits,
  ]);
  assertEquals(await Promise.all(fits), schemas.map(() => [true, false]));
});

Deno.test("createAnswerForm() refuses what is no schema, or leads elsewhere", async () => {
  const schemas: JsonObject[] = [
    { type: "disk" },
    { $ref: "https://example.org/other.json" },
    { $schema: "http://json-schema.org/draft-04/schema#" },
  ];
  for (const schema of schemas) {
    await assertRejects(() => createAnswerForm(schema, { bound: false }), Error);
  }
});
