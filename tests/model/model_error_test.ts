import { assertEquals, assertStrictEquals } from "@std/assert";
import { APIConnectionError, APIError } from "openai";
import { modelErrorFrom, timeoutError, withoutKey } from "../../lib/model/model_error.ts";
import { ModelError } from "../../lib/types.ts";
import { NO_TIMEOUTS } from "./_ports.ts";

const SETTINGS = {
  baseUrl: "http://127.0.0.1:1/v1",
  apiKey: "sk-secret-1",
  model: "m",
  temperature: 0.2,
  timeouts: NO_TIMEOUTS,
};

function messageOf(error: unknown): string {
  return modelErrorFrom(error, SETTINGS).message.replace(SETTINGS.baseUrl, "BASE");
}

Deno.test("modelErrorFrom() leaves a ModelError as it is", () => {
  const error = new ModelError("bad_response", "Nonsense", { hint: "" });
  assertStrictEquals(modelErrorFrom(error, SETTINGS), error);
});

Deno.test("modelErrorFrom() tells statuses apart", () => {
  const statuses = [400, 401, 403, 404, 408, 429, 500, 503];
  const codes = statuses.map((status) => {
    const error = APIError.generate(status, { error: { message: "No" } }, "No", new Headers());
    const { code, status: kept } = modelErrorFrom(error, SETTINGS);
    return [kept, code];
  });
  assertEquals(codes, [
    [400, "rejected"],
    [401, "unauthorized"],
    [403, "unauthorized"],
    [404, "not_found"],
    [408, "rejected"],
    [429, "rate_limited"],
    [500, "server_error"],
    [503, "server_error"],
  ]);
});

Deno.test("modelErrorFrom() gives the innermost words of a broken connection, in one line", () => {
  const system = new Error("client error (Connect): tcp connect error:\n Connection refused");
  const cause = new TypeError("error sending request", { cause: system });
  assertEquals(
    messageOf(new APIConnectionError({ message: "Connection error.", cause })),
    "The model server at BASE can't be reached: tcp connect error: Connection refused",
  );
});

Deno.test("modelErrorFrom() gives a server's words in one short line, without markup", () => {
  const words = `<b>Out</b>\n of ${"memory ".repeat(100)}`;
  const error = APIError.generate(500, { error: { message: words } }, words, new Headers());
  assertEquals(
    messageOf(error),
    `The model server at BASE answered 500: Out of ${"memory ".repeat(27)}mem…`,
  );
});

Deno.test("modelErrorFrom() makes something of whatever was thrown", () => {
  assertEquals([messageOf("a string"), messageOf(undefined)], [
    "The model server at BASE can't be reached: a string",
    "The model server at BASE can't be reached: undefined",
  ]);
});

Deno.test("withoutKey() hides every mention of a key, but for placeholders", () => {
  assertEquals([
    withoutKey("sk-secret-1 and sk-secret-1", { apiKey: "sk-secret-1" }),
    withoutKey("ollama is there", { apiKey: "ollama" }),
    withoutKey("nothing", { apiKey: null }),
  ], ["[key] and [key]", "ollama is there", "nothing"]);
});

Deno.test("modelErrorFrom() takes a broken connection for what may pass, unless its words say not", () => {
  const words = [
    "client error (Connect): tcp connect error: Connection refused (os error 111)",
    "error reading a body from connection",
    "client error (Connect): dns error: failed to lookup address information: Temporary failure " +
    "in name resolution",
    "client error (Connect): dns error: failed to lookup address information: Name or service " +
    "not known",
    "client error (Connect): invalid peer certificate: UnknownIssuer",
    "Encountered redirect while redirect mode is set to 'error'",
  ];
  const retriable = words.map((text) => modelErrorFrom(new TypeError(text), SETTINGS).retriable);
  assertEquals(retriable, [true, true, true, false, false, false]);
});

Deno.test("modelErrorFrom() counts from now to the date that a server names", () => {
  const headers = new Headers({ "retry-after": "Mon, 30 Nov 2026 00:00:20 GMT" });
  const error = APIError.generate(429, { error: { message: "No" } }, "No", headers);
  const nowMs = Date.parse("2026-11-30T00:00:00Z");
  assertEquals(modelErrorFrom(error, SETTINGS, nowMs).retryAfterMs, 20_000);
});

Deno.test("timeoutError() says which timer it was, how long it took and where it is set", () => {
  const names = ["connect", "first_byte", "idle", "total"] as const;
  const texts = names.map((name) => {
    const { code, message, hint, retriable } = timeoutError(name, 90_000, { baseUrl: "BASE" });
    const says = [message, hint].every((text) => text.includes(`timeouts.${name}`));
    return [code, message.includes("90 s"), says, retriable];
  });
  assertEquals(texts, [
    ["unreachable", true, true, true],
    ["timeout", true, true, false],
    ["timeout", true, true, true],
    ["timeout", true, true, false],
  ]);
});
