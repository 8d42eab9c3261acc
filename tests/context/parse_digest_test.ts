import { assertEquals } from "@std/assert";
import { type DigestSource, parseDigest } from "../../lib/context/parse_digest.ts";

const CALLS = [
  { id: "call_a", step: 3, content: '{"status":"success","data":{"stdout":"/var 91% of 20 GB"}}' },
  {
    id: "call_b",
    step: 4,
    content: '{"status":"success","data":{"stdout":"leader node-kestrel"}}',
  },
];

async function parsed(value: unknown, source: Partial<DigestSource> = {}) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return await parseDigest(text, { calls: CALLS, spoken: false, cutOff: false, ...source });
}

/** The calls that facts of these shapes are said to rest on. */
async function callsOf(facts: readonly unknown[], source: Partial<DigestSource> = {}) {
  const digest = await parsed({ facts }, source);
  return digest?.facts.map(({ call }) => call) ?? null;
}

Deno.test("parseDigest() reads facts with their calls, decisions and open points", async () => {
  const value = {
    facts: [{ text: "/var is 91% full", call: 1 }, { text: "node-kestrel leads", call: 2 }],
    decisions: ["rotate first"],
    open: ["who writes"],
  };
  assertEquals(await parsed(value), {
    facts: [
      { text: "/var is 91% full", call: "call_a", step: 3 },
      { text: "node-kestrel leads", call: "call_b", step: 4 },
    ],
    decisions: ["rotate first"],
    open: ["who writes"],
  });
});

Deno.test("parseDigest() reads through fences, greetings, and what is nearly JSON", async () => {
  const json = '{"facts": [{"text": "up", "call": 1}]}';
  const texts = [
    `\`\`\`json\n${json}\n\`\`\``,
    `Sure, here is the summary:\n\n${json}\n\nTell me if you need more.`,
    "{facts: [{'text': 'up', 'call': 1},]}",
    `<think>The form is {"facts": […]}, so {x} is out.</think>\n${json}`,
  ];
  const expected = { facts: [{ text: "up", call: "call_a", step: 3 }], decisions: [], open: [] };
  for (const text of texts) assertEquals(await parsed(text), expected);
});

Deno.test("parseDigest() finds the call however it is named", async () => {
  const names = [2, "2", "#2", "call 2", "Call 2:", "[2]", "call_b"];
  assertEquals(await callsOf(names.map((call) => ({ text: "leads", call }))), [
    ...names.map(() => "call_b"),
  ]);
});

Deno.test("parseDigest() maps a fact without a call to the one whose result says it, or drops it", async () => {
  const facts = [
    { text: "node-kestrel is the leader", call: 99 },
    "/var is at 91%",
    { text: "db-7 was restored from snapshot-5521", call: 9 },
    { text: "", call: 1 },
    { text: 5, call: 1 },
    null,
  ];
  assertEquals(await callsOf(facts), ["call_b", "call_a"]);
});

Deno.test("parseDigest() takes a fact without a call where somebody spoke", async () => {
  const facts = [{ text: "Only hosts in Madrid-12 count", call: null }, { text: "up", call: 1 }];
  assertEquals(await callsOf(facts, { spoken: true }), [null, "call_a"]);
  assertEquals(await callsOf(facts), ["call_a"]);
});

Deno.test("parseDigest() drops the last fact of a text that was cut off", async () => {
  const text = '{"facts": [{"text": "up", "call": 1}, {"text": "node-kes';
  const digest = await parsed(text, { cutOff: true });
  assertEquals(digest?.facts, [{ text: "up", call: "call_a", step: 3 }]);
});

Deno.test("parseDigest() refuses what is no summary, or rests on nothing", async () => {
  const values = [
    "",
    "I can't do that.",
    "[1, 2]",
    "{}",
    { facts: "none" },
    { facts: [{ text: "db-7 was restored from snapshot-5521", call: 9 }] },
  ];
  for (const value of values) assertEquals(await parsed(value), null);
});

Deno.test("parseDigest() takes a summary that found nothing worth keeping", async () => {
  assertEquals(await parsed({ facts: [] }), { facts: [], decisions: [], open: [] });
});

Deno.test("parseDigest() bounds what a model writes without end", async () => {
  const digest = await parsed({
    facts: Array.from(
      { length: 500 },
      (_, index) => ({ text: `${index} ${"x".repeat(900)}`, call: 1 }),
    ),
    decisions: Array.from({ length: 500 }, () => "d".repeat(900)),
    open: [1, { a: 1 }, "  so  "],
  });
  assertEquals([digest?.facts.length, digest?.facts[0]?.text.length], [30, 300]);
  assertEquals([digest?.decisions.length, digest?.decisions[0]?.length], [8, 240]);
  assertEquals(digest?.open, ["so"]);
});
