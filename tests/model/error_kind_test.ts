import { assertEquals } from "@std/assert";
import { kindOf, statusIn } from "../../lib/model/error_kind.ts";

function kind(status: number | null, words = "", headers: Record<string, string> = {}) {
  return kindOf({ status, words, headers: new Headers(headers), nowMs: 0 });
}

Deno.test("kindOf() tells what may pass: network aside, 408, 409, 429 and 5xx", () => {
  const statuses = [null, 400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 529];
  assertEquals(
    statuses.map((status) => [status, kind(status).code, kind(status).retriable]),
    [
      [null, "rejected", false],
      [400, "rejected", false],
      [401, "unauthorized", false],
      [402, "quota_exhausted", false],
      [403, "unauthorized", false],
      [404, "not_found", false],
      [408, "rejected", true],
      [409, "rejected", true],
      [413, "rejected", false],
      [422, "rejected", false],
      [429, "rate_limited", true],
      [500, "server_error", true],
      [502, "server_error", true],
      [503, "server_error", true],
      [529, "server_error", true],
    ],
  );
});

/** As vendors say that an account has nothing left. */
const EXHAUSTED = [
  'You exceeded your current quota, please check your plan and billing details.\n{"code":"insufficient_quota"}',
  "You exceeded your current quota, please check your plan and billing details.",
  'Your account x is suspended, please check your plan\n{"type":"exceeded_current_quota_error"}',
  "Insufficient Balance",
  "Insufficient credits. Add more using https://openrouter.ai/settings/credits",
  "This request requires more credits, or fewer max_tokens. You requested up to 8192 tokens",
  "Sorry, your account balance is insufficient",
  "Your credit balance is too low to access the Anthropic API.",
  "The request failed because your account has an overdue balance.",
  'Access denied, please make sure your account is in good standing.\n{"code":"Arrearage"}',
  "Free allocated quota exceeded.",
  "Your team has either used all available credits or reached its monthly spending limit.",
  "Budget has been exceeded! Current cost: 1.2, Max budget: 1.0",
  "您的账户已欠费，请充值后重试",
  "余额不足或无可用资源包,请充值。",
  "您的账户余额不足",
  "免费额度已用完",
  "资源包配额已耗尽，请购买",
];

Deno.test("kindOf() never asks again an account that has nothing left", () => {
  assertEquals(
    EXHAUSTED.map((words) => [words, kind(429, words).code, kind(429, words).retriable]),
    EXHAUSTED.map((words) => [words, "quota_exhausted", false]),
  );
});

/** As vendors say that it is too much at once. */
const TOO_FAST = [
  "Rate limit reached for gpt-4o: Limit 3 / min. Please try again in 20s. Add a payment method to your account",
  "Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing",
  "You exceeded your current quota, please check your plan and billing details. Please retry in 34.07s.",
  "Allocated quota exceeded, please increase your quota limit.",
  "您的账户已达到速率限制，请您控制请求频率",
  "当前API请求过多，请稍后重试。",
  "Requests rate limit exceeded, please try again later.",
  "max RPM: 3, please try again after 1 seconds",
];

Deno.test("kindOf() takes too much at once for what passes", () => {
  assertEquals(
    TOO_FAST.map((words) => [words, kind(429, words).code, kind(429, words).retriable]),
    TOO_FAST.map((words) => [words, "rate_limited", true]),
  );
});

Deno.test("kindOf() believes a server that says whether to ask again", () => {
  assertEquals(kind(500, "", { "x-should-retry": "false" }).retriable, false);
});

Deno.test("statusIn() finds what an error in a stream stands for", () => {
  const errors: unknown[] = [
    { code: 502 },
    { code: "429" },
    { status: 503 },
    { status_code: 500 },
    { type: "server_error" },
    { type: "overloaded_error" },
    { code: "rate_limit_exceeded" },
    { status: "UNAVAILABLE" },
    { type: "invalid_request_error", code: null },
    { code: 1008 },
    "boom",
    null,
  ];
  assertEquals(errors.map(statusIn), [
    502,
    429,
    503,
    500,
    503,
    503,
    429,
    503,
    null,
    null,
    null,
    null,
  ]);
});
