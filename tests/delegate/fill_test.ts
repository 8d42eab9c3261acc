import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { fillParams, referencesIn } from "../../lib/delegate/fill.ts";
import type { Json, JsonObject } from "../../lib/types.ts";
import { resultOf } from "./_fake_agents.ts";

const RESULTS = new Map([
  ["orders", resultOf("t-1", { items: [{ id: "A-1", paid: true }, { id: "A-2" }], total: 12.5 })],
  ["退款", resultOf("t-2", { 金额: 30, none: null })],
]);

function filled(params: JsonObject): Json {
  const outcome = fillParams(params, RESULTS);
  return outcome.ok ? outcome.params : outcome.fault;
}

Deno.test("fillParams() keeps the type of a text that is one reference", () => {
  assertEquals(
    filled({
      id: "{{orders.data.items[0].id}}",
      paid: " {{ orders.data.items.0.paid }} ",
      total: "{{orders.data.total}}",
      list: ["{{orders.data.items}}"],
      deep: { sum: "{{退款.data.金额}}", none: "{{退款.data.none}}", status: "{{orders.status}}" },
    }),
    {
      id: "A-1",
      paid: true,
      total: 12.5,
      list: [[{ id: "A-1", paid: true }, { id: "A-2" }]],
      deep: { sum: 30, none: null, status: "success" },
    },
  );
});

Deno.test("fillParams() makes text of what stands within a text", () => {
  assertEquals(
    filled({ text: "{{orders.data.items[1].id}}: {{orders.data.total}} {{orders.data.items[1]}}" }),
    { text: 'A-2: 12.5 {"id":"A-2"}' },
  );
});

Deno.test("fillParams() leaves what is no reference as it is", () => {
  const params = {
    a: "{{name}}",
    b: "{{#if x}}",
    c: "{ {orders.data} }",
    d: "{{}}",
    n: 1,
    z: null,
  };
  assertEquals(filled(params), params);
  assertEquals(referencesIn(params), []);
});

Deno.test("fillParams() does not look again at what was filled in", () => {
  const results = new Map([["a", resultOf("t-1", { x: "{{a.data.y}}", y: "deep" })]]);
  assertEquals(fillParams({ v: "{{a.data.x}}!" }, results), {
    ok: true,
    params: { v: "{{a.data.y}}!" },
  });
});

Deno.test("fillParams() names what there is where a reference leads nowhere", () => {
  const faults = [
    "{{orders.data.item}}",
    "{{orders.data.items[2]}}",
    "{{orders.data.total.sum}}",
    "{{orders.data.items.length}}",
    "{{orders.data.constructor}}",
    "{{orders.result}}",
    "{{alerts.data.x}}",
  ].map((v) => filled({ v }));
  assertEquals(faults, [
    '{{orders.data.item}}: "orders.data" has no "item", it has summary, items, total; ' +
    'did you mean "items"?',
    '{{orders.data.items[2]}}: "orders.data.items" has no "2", it is a list of 2, counted from 0',
    '{{orders.data.total.sum}}: "orders.data.total" has no "sum", it is 12.5',
    '{{orders.data.items.length}}: "orders.data.items" has no "length", it is a list of 2, ' +
    "counted from 0",
    '{{orders.data.constructor}}: "orders.data" has no "constructor", it has summary, items, total',
    '{{orders.result}}: "orders" has no "result", it has data, status, error, cost',
    '{{alerts.data.x}}: no task "alerts" has brought a result',
  ]);
});

Deno.test("fillParams() refuses what grows beyond all bounds", () => {
  const results = new Map([["a", resultOf("t-1", { x: "y".repeat(400_000) })]]);
  assertEquals(fillParams({ v: "{{a.data.x}}{{a.data.x}}{{a.data.x}}" }, results), {
    ok: false,
    fault: "The parameters have 1200008 characters with what was filled in, and may have 1000000",
  });
});

Deno.test("fillParams() changes no parameters without double braces", () => {
  const plain = fc.jsonValue().filter((value) => !JSON.stringify(value).includes("{{"));
  fc.assert(fc.property(fc.dictionary(fc.string(), plain), (value) => {
    const params = JSON.parse(JSON.stringify(value)) as JsonObject;
    assertEquals(fillParams(params, RESULTS), { ok: true, params });
  }));
});
