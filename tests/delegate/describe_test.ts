import { assertEquals } from "@std/assert";
import { estimateText } from "../../lib/context/estimate.ts";
import { describeAgents, DIRECTORY_TOKENS, signatureOf } from "../../lib/delegate/describe.ts";
import { findIntents, foundIntentsText } from "../../lib/delegate/search.ts";
import { agentOf, ALERTS, intentOf, ORDERS } from "./_fake_agents.ts";

Deno.test("describeAgents() lists agents with intents, what they take, and whether they change", () => {
  assertEquals(
    describeAgents([ORDERS, ALERTS]),
    [
      "orders: Knows about orders",
      "- status(order: string, days?: integer): Does status",
      "- refund(order: string, days?: integer) [changes]: Does refund",
      "alerts: Knows about alerts",
      "- recent(order: string, days?: integer): Does recent",
    ].join("\n"),
  );
});

Deno.test("signatureOf() writes schemas as types", () => {
  const parameters = {
    type: "object",
    properties: {
      level: { enum: ["low", "high"] },
      tags: { type: "array", items: { type: "string" } },
      when: { type: ["string", "null"] },
      free: {},
    },
  };
  assertEquals(
    signatureOf({ parameters }),
    'level?: "low"|"high", tags?: string[], when?: string|null, free?: any',
  );
  assertEquals(signatureOf({ parameters: { type: "object" } }), "");
});

Deno.test("describeAgents() keeps its budget, and says how much it leaves out", () => {
  const many = Array.from({ length: 60 }, (_, index) =>
    agentOf(`agent${index}`, [
      intentOf("one", { description: "查询订单的退款状态，".repeat(30) }),
      intentOf("two", { description: "Looks ".repeat(100) }),
    ]));
  const lines = describeAgents(many).split("\n");
  const note = lines.pop() ?? "";
  const shown = lines.filter((line) => line.startsWith("agent")).length;
  const intents = lines.filter((line) => line.startsWith("- ")).length;
  assertEquals(shown > 2, true);
  assertEquals(estimateText(lines.join("\n")) <= DIRECTORY_TOKENS, true);
  assertEquals(
    note,
    `There are ${60 - shown} more agents with ${120 - intents} more intents: find them by search.`,
  );
});

const SHOP = [
  agentOf("orders", [
    intentOf("refund-status", { description: "查询订单的退款状态" }),
    intentOf("refund", { description: "Pays an order back", access: "write" }),
  ]),
  agentOf("alerts", [intentOf("recent", { description: "最近的告警" })]),
];

/** What is found by some words, as `agent/intent`. */
function found(words: string): string[] {
  return findIntents(SHOP, words).map(({ agent, intent }) => `${agent.name}/${intent.name}`);
}

Deno.test("findIntents() finds by words in names and descriptions, those with more words first", () => {
  assertEquals(found("refund"), ["orders/refund-status", "orders/refund"]);
  assertEquals(found("PAYS refund"), ["orders/refund", "orders/refund-status"]);
  assertEquals(found("kubernetes"), []);
});

Deno.test("findIntents() finds Chinese words within longer ones, and parts of what is asked", () => {
  assertEquals(found("退款"), ["orders/refund-status"]);
  assertEquals(found("退款到哪里了"), ["orders/refund-status"]);
  assertEquals(found("告警"), ["alerts/recent"]);
});

Deno.test("findIntents() finds all without a word, a bounded number", () => {
  assertEquals(found("  ").length, 3);
  const many = agentOf("many", Array.from({ length: 30 }, (_, index) => intentOf(`i${index}`)));
  assertEquals(findIntents([many], "").length, 10);
});

Deno.test("foundIntentsText() tells all that is needed to use an intent", () => {
  assertEquals(
    foundIntentsText(findIntents(SHOP, "pays")),
    [
      "orders: Knows about orders",
      "- refund(order: string, days?: integer) [changes]: Pays an order back",
      '  parameters: {"type":"object","properties":{"order":{"type":"string"},' +
      '"days":{"type":"integer"}},"required":["order"],"additionalProperties":false}',
      '  example: {"order":"A-1"}',
    ].join("\n"),
  );
});
