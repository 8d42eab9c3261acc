/**
 * What servers really send for a turn, byte for byte, with what has to come of it: section M of
 * `CASES.md`, and what else has been seen.
 *
 * @module
 */

import type { FinishReason, Usage } from "../../lib/types.ts";

/** A turn that has to come of an answer. */
export interface ExpectedTurn {
  readonly text: string;
  /** As `id name arguments`. */
  readonly calls: readonly string[];
  readonly finishReason: FinishReason;
  readonly usage: Usage;
}

/** A failure that has to come of an answer; the message without the server's address. */
export interface ExpectedFailure {
  readonly code: string;
  readonly message: string;
}

/** One answer. */
export interface Fixture {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** `text/event-stream` if left out. */
  readonly contentType?: string;
  readonly expected: ExpectedTurn | ExpectedFailure;
}

const encoder = new TextEncoder();

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

/** Events as OpenAI writes them. */
function sse(...values: readonly unknown[]): string {
  return values.map((value) => typeof value === "string" ? value : JSON.stringify(value))
    .map((data) => `data: ${data}\n\n`).join("");
}

function delta(fields: unknown, finish_reason: string | null = null): unknown {
  return { choices: [{ index: 0, delta: fields, finish_reason }] };
}

function calls(...tool_calls: readonly unknown[]): unknown {
  return delta({ tool_calls });
}

const END = delta({}, "stop");
const CALLS_END = delta({}, "tool_calls");
const DONE = "[DONE]";
const HELLO = [delta({ role: "assistant", content: "Grüße, " }), delta({ content: "世界 😀" })];

function turn(
  text: string,
  expectedCalls: readonly string[] = [],
  finishReason: FinishReason = expectedCalls.length > 0 ? "calls" : "stop",
  usage: Usage = NO_USAGE,
): ExpectedTurn {
  return { text, calls: expectedCalls, finishReason, usage };
}

function failure(code: string, message: string): ExpectedFailure {
  return { code, message: `The model server at BASE ${message}` };
}

const GREETING = turn("Grüße, 世界 😀");
const CUT = failure(
  "bad_response",
  "ended its stream before the turn was complete (4 attempts)",
);

/** Answers as text, with what has to come of them. */
const TEXTS: readonly (readonly [string, string, Fixture["expected"], string?])[] = [
  ["a stream as OpenAI has it", sse(...HELLO, END, DONE), GREETING],
  [
    "usage in a last chunk without choices, with cached tokens",
    sse(...HELLO, END, {
      choices: [],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 7,
        prompt_tokens_details: { cached_tokens: 64 },
      },
    }, DONE),
    turn(GREETING.text, [], "stop", { inputTokens: 100, cachedInputTokens: 64, outputTokens: 7 }),
  ],
  [
    "DeepSeek's cached tokens, in every chunk",
    sse(
      ...HELLO,
      {
        choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
        usage: { prompt_tokens: 100, completion_tokens: 7, prompt_cache_hit_tokens: 90 },
      },
      DONE,
    ),
    turn(GREETING.text, [], "stop", { inputTokens: 100, cachedInputTokens: 90, outputTokens: 7 }),
  ],
  [
    "Kimi's usage, inside the choice",
    sse(...HELLO, {
      choices: [{
        index: 0,
        delta: {},
        finish_reason: "stop",
        usage: { prompt_tokens: 5, completion_tokens: 6, cached_tokens: 4 },
      }],
    }, DONE),
    turn(GREETING.text, [], "stop", { inputTokens: 5, cachedInputTokens: 4, outputTokens: 6 }),
  ],
  [
    "keepalive comments between and before events",
    `: keepalive\n\n: OPENROUTER PROCESSING\n\n${sse(HELLO[0])}: keepalive\n\n` +
    `:\n${sse(HELLO[1], END, DONE)}`,
    GREETING,
  ],
  ["a BOM at the beginning", `\uFEFF${sse(...HELLO, END, DONE)}`, GREETING],
  ["CRLF line ends", sse(...HELLO, END, DONE).replaceAll("\n", "\r\n"), GREETING],
  ["CR line ends", sse(...HELLO, END, DONE).replaceAll("\n", "\r"), GREETING],
  ["data: without a space", sse(...HELLO, END, DONE).replaceAll("data: ", "data:"), GREETING],
  [
    "an event split over several data lines",
    `data: {"choices": [{"index": 0,\ndata: "delta": {"content": "Grüße, 世界 😀"},\n` +
    `data: "finish_reason": "stop"}]}\n\n${sse(DONE)}`,
    GREETING,
  ],
  [
    "an event split over several data lines that end in CRLF",
    `data: {"choices": [{"index": 0,\r\ndata: "delta": {"content": "Grüße, 世界 😀"},\r\n` +
    `data: "finish_reason": "stop"}]}\r\n\r\n`,
    GREETING,
  ],
  [
    "events without empty lines between them",
    sse(...HELLO, END, DONE).replaceAll("\n\n", "\n"),
    GREETING,
  ],
  [
    "fields beside data: event, id, retry and unknown ones",
    sse(...HELLO, END, DONE).replaceAll("data:", "event: message\nid: 7\nretry: 10\nx: y\ndata:"),
    GREETING,
  ],
  ["no [DONE]", sse(...HELLO, END), GREETING],
  ["no empty line after the last event", sse(...HELLO, END).trimEnd(), GREETING],
  ["[DONE] and no reason for the end", sse(...HELLO, DONE), GREETING],
  ["a first chunk with empty choices", sse({ choices: [] }, ...HELLO, END, DONE), GREETING],
  [
    "Azure's first chunk",
    sse(
      { choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] },
      ...HELLO,
      END,
      DONE,
    ),
    GREETING,
  ],
  [
    "a last chunk without a delta",
    sse(...HELLO, { choices: [{ index: 0, finish_reason: "stop" }] }, DONE),
    GREETING,
  ],
  [
    "unknown fields everywhere, and error: null",
    sse(
      {
        x: [1],
        error: null,
        choices: [{ index: 0, y: {}, delta: { content: GREETING.text, z: 1 } }],
      },
      END,
      DONE,
    ),
    GREETING,
  ],
  [
    "two choices in one chunk and in chunks of their own",
    sse(
      {
        choices: [
          { index: 1, delta: { content: "No. " } },
          { index: 0, delta: { content: "Grüße, " } },
        ],
      },
      { choices: [{ index: 1, delta: { content: "Other." }, finish_reason: "length" }] },
      HELLO[1],
      END,
      DONE,
    ),
    GREETING,
  ],
  [
    "content as an array of parts, thoughts among them",
    sse(
      delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm" }] }] }),
      delta({ content: [{ type: "text", text: "Grüße, " }, { type: "text", text: "世界 😀" }] }),
      END,
      DONE,
    ),
    GREETING,
  ],
  ["a last chunk that comes twice", sse(...HELLO, END, END, DONE), GREETING],
  [
    "a last chunk with text that comes twice",
    sse(
      HELLO[0],
      delta({ content: "世界 😀" }, "stop"),
      delta({ content: "世界 😀" }, "stop"),
      DONE,
    ),
    GREETING,
  ],
  [
    "a whole completion",
    JSON.stringify({
      choices: [{ index: 0, message: { content: GREETING.text }, finish_reason: "stop" }],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    }),
    turn(GREETING.text, [], "stop", { inputTokens: 1, outputTokens: 2 }),
    "application/json",
  ],
  [
    "a whole completion in many lines that calls itself a stream",
    JSON.stringify({ choices: [{ message: { content: GREETING.text } }] }, null, 2),
    GREETING,
  ],
  [
    "a whole completion as the one event",
    sse({ choices: [{ index: 0, message: { content: GREETING.text }, finish_reason: "stop" }] }),
    GREETING,
  ],
  [
    "a stream that calls itself JSON",
    sse(...HELLO, END, DONE),
    GREETING,
    "application/json; charset=utf-8",
  ],
  // ── Calls ──
  [
    "a call in pieces",
    sse(
      calls({ index: 0, id: "a", type: "function", function: { name: "f", arguments: "" } }),
      calls({ index: 0, function: { arguments: '{"中":' } }),
      calls({ index: 0, function: { arguments: '"文"}' } }),
      CALLS_END,
      DONE,
    ),
    turn("", ['a f {"中":"文"}']),
  ],
  [
    "calls without index",
    sse(
      calls({ id: "a", function: { name: "f", arguments: '{"n":' } }),
      calls({ function: { arguments: "1}" } }),
      calls({ id: "b", function: { name: "f", arguments: '{"n":2}' } }),
      CALLS_END,
      DONE,
    ),
    turn("", ['a f {"n":1}', 'b f {"n":2}']),
  ],
  [
    "calls that all have index 0",
    sse(
      calls({ index: 0, id: "a", function: { name: "f", arguments: '{"n":1}' } }),
      calls({ index: 0, id: "b", function: { name: "f", arguments: '{"n":' } }),
      calls({ index: 0, function: { arguments: "2}" } }),
      CALLS_END,
      DONE,
    ),
    turn("", ['a f {"n":1}', 'b f {"n":2}']),
  ],
  [
    "calls without id that all have index 0, each beginning without arguments",
    sse(
      calls({ index: 0, function: { name: "f", arguments: "" } }),
      calls({ index: 0, function: { arguments: '{"n":1}' } }),
      calls({ index: 0, function: { name: "f", arguments: "" } }),
      calls({ index: 0, function: { arguments: '{"n":' } }),
      calls({ index: 0, function: { arguments: "2}" } }),
      CALLS_END,
      DONE,
    ),
    turn("", ['rein_1 f {"n":1}', 'rein_2 f {"n":2}']),
  ],
  [
    "calls without id, with an empty and a null one, with indices as text",
    sse(
      calls({ index: "0", function: { name: "f", arguments: "{}" } }),
      calls({ index: "1", id: "", function: { name: "g", arguments: "{}" } }),
      calls({ index: "2", id: null, function: { name: "h", arguments: "{}" } }),
      CALLS_END,
      DONE,
    ),
    turn("", ["rein_1 f {}", "rein_2 g {}", "rein_3 h {}"]),
  ],
  [
    "arguments in one piece, as an object, as null, as empty text and missing",
    sse(
      calls(
        { index: 0, id: "a", function: { name: "f", arguments: '{"n":1}' } },
        { index: 1, id: "b", function: { name: "f", arguments: { n: { m: 2 } } } },
        { index: 2, id: "c", function: { name: "f", arguments: null } },
        { index: 3, id: "d", function: { name: "f", arguments: "" } },
        { index: 4, id: "e", function: { name: "f" } },
      ),
      CALLS_END,
      DONE,
    ),
    turn("", ['a f {"n":1}', 'b f {"n":{"m":2}}', "c f ", "d f ", "e f "]),
  ],
  [
    "five calls at once, filled in any order",
    sse(
      calls(...[0, 1, 2, 3, 4].map((index) => ({
        index,
        id: `c${index}`,
        function: { name: "f", arguments: "" },
      }))),
      ...[3, 0, 4, 2, 1].map((index) =>
        calls({ index, function: { arguments: `{"n":${index}}` } })
      ),
      CALLS_END,
      DONE,
    ),
    turn("", [0, 1, 2, 3, 4].map((index) => `c${index} f {"n":${index}}`)),
  ],
  [
    "the legacy function_call, in pieces",
    sse(
      delta({ function_call: { name: "f", arguments: '{"n":' } }),
      delta({ function_call: { arguments: "1}" } }),
      delta({}, "function_call"),
      DONE,
    ),
    turn("", ['rein_1 f {"n":1}']),
  ],
  [
    "a call that comes whole once more with the end",
    sse(
      calls({ index: 0, id: "a", function: { name: "f", arguments: '{"n":1}' } }),
      delta(
        { tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: '{"n":1}' } }] },
        "tool_calls",
      ),
      DONE,
    ),
    turn("", ['a f {"n":1}']),
  ],
  [
    "a call that ends with stop",
    sse(calls({ index: 0, id: "a", function: { name: "f", arguments: "{}" } }), END, DONE),
    turn("", ["a f {}"]),
  ],
  [
    "a call that is cut off by the limit of length",
    sse(
      calls({ index: 0, id: "a", function: { name: "f", arguments: '{"command":"rm -rf /tmp/x' } }),
      delta({}, "length"),
      DONE,
    ),
    turn("", ['a f {"command":"rm -rf /tmp/x'], "length"),
  ],
  [
    "a whole completion with calls",
    JSON.stringify({
      choices: [{
        message: {
          content: null,
          tool_calls: [{ id: "a", function: { name: "f", arguments: { n: 1 } } }],
        },
        finish_reason: "tool_calls",
      }],
    }),
    turn("", ['a f {"n":1}']),
    "application/json",
  ],
  // ── Failures ──
  ["nothing at all", "", CUT],
  ["nothing but comments", ": keepalive\n\n: keepalive\n\n", CUT],
  ["nothing but [DONE]", sse(DONE), CUT],
  ["a stream that ends in the middle", sse(...HELLO), CUT],
  [
    "a call without its end, and no reason",
    sse(
      calls({ index: 0, id: "a", function: { name: "f", arguments: '{"command":"rm -rf /tmp' } }),
    ),
    CUT,
  ],
  [
    "a call without its end, and [DONE]",
    sse(
      calls({ index: 0, id: "a", function: { name: "f", arguments: '{"command":"rm -rf /tmp' } }),
      DONE,
    ),
    CUT,
  ],
  ["an end that says that the network broke", sse(...HELLO, delta({}, "network_error"), DONE), CUT],
  [
    "an error object inside the stream",
    sse(...HELLO, { error: { message: "Out of memory", type: "x" } }),
    failure("rejected", "sent an error: Out of memory"),
  ],
  [
    "an error as text inside the stream",
    sse(...HELLO, { error: "model runner has unexpectedly stopped" }),
    failure("rejected", "sent an error: model runner has unexpectedly stopped"),
  ],
  [
    "an error event of the server's name",
    `${sse(...HELLO)}event: error\ndata: {"message":"上游超时","code":504}\n\n`,
    failure("server_error", "sent an error: 上游超时 (4 attempts)"),
  ],
  [
    "vLLM's error inside the stream",
    sse({ object: "error", message: "boom", type: "BadRequestError", code: 400 }),
    failure("rejected", "sent an error: boom"),
  ],
  [
    "OpenRouter's error inside the stream",
    sse(...HELLO, {
      error: { code: 502, message: "Provider disconnected", metadata: { raw: "reset" } },
      choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }],
    }),
    failure("server_error", "sent an error: Provider disconnected: reset (4 attempts)"),
  ],
  [
    "an error that is no event, after some",
    `${sse(...HELLO)}{"error":{"message":"worker died","code":500}}\n`,
    failure("server_error", "sent an error: worker died (4 attempts)"),
  ],
  [
    "a 200 with an error body",
    JSON.stringify({ error: { message: "Quota exhausted", code: 400 } }),
    failure("rejected", "answered with an error: Quota exhausted"),
    "application/json",
  ],
  [
    "a 200 with MiniMax's error body",
    JSON.stringify({
      choices: null,
      base_resp: { status_code: 1008, status_msg: "insufficient balance" },
    }),
    failure("quota_exhausted", "answered with an error: insufficient balance"),
    "application/json",
  ],
  [
    "a 200 with an error body that calls itself a stream",
    JSON.stringify({ code: "InternalError", message: "服务异常" }),
    failure("server_error", "answered with an error: 服务异常 (4 attempts)"),
  ],
  [
    "a 200 with FastAPI's detail",
    JSON.stringify({ detail: "Not Found" }),
    failure("rejected", "answered with an error: Not Found"),
    "application/json",
  ],
  [
    "a web page",
    "<!doctype html>\n<title>Router</title>",
    failure(
      "bad_response",
      'answered "<!doctype html> <title>Router</title>", not an event stream',
    ),
    "text/html",
  ],
  [
    "an event that is not JSON",
    sse(HELLO[0], "upstream reset"),
    failure("bad_response", 'sent a stream that is not valid JSON: "upstream reset"'),
  ],
  [
    "an event that is JSON and no object",
    sse(HELLO[0], "42"),
    failure("bad_response", 'sent a stream that is not valid JSON: "42"'),
  ],
  [
    "an event that is cut in its middle",
    `${sse(...HELLO)}data: {"choices":[{"ind`,
    failure("bad_response", "ended its stream before the turn was complete (4 attempts)"),
  ],
];

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Answers with bytes that are no UTF-8. */
const MALFORMED: readonly Fixture[] = [{
  name: "malformed UTF-8 in a text",
  bytes: joined(
    encoder.encode('data: {"choices":[{"index":0,"delta":{"content":"a'),
    new Uint8Array([0xff, 0xe4, 0xb8]),
    encoder.encode(`b"}}]}\n\n${sse(END, DONE)}`),
  ),
  expected: turn("a\uFFFD\uFFFDb"),
}];

/** All answers. */
export const FIXTURES: readonly Fixture[] = [
  ...TEXTS.map(([name, text, expected, contentType]): Fixture => ({
    name,
    bytes: encoder.encode(text),
    expected,
    ...(contentType === undefined ? {} : { contentType }),
  })),
  ...MALFORMED,
];
