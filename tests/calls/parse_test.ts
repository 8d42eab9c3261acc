import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseArguments } from "../../lib/calls/parse.ts";

const AGAIN = "Send the call again with one complete JSON object.";

function messageOf(text: string): string {
  const parsed = parseArguments(text);
  return parsed.ok ? "ok" : parsed.error.message;
}

Deno.test("parseArguments() gives the object as it stands", () => {
  const args = { command: "ls -la", n: 1, deep: { list: [null, true, "中文"] } };
  assertEquals(parseArguments(JSON.stringify(args)), { ok: true, args });
});

Deno.test("parseArguments() takes an empty text as no arguments", () => {
  assertEquals([parseArguments(""), parseArguments(" \n")], [
    { ok: true, args: {} },
    { ok: true, args: {} },
  ]);
});

Deno.test("parseArguments() refuses a call that was cut off, and says where", () => {
  assertEquals(parseArguments('{"command": "rm -rf /tmp/x'), {
    ok: false,
    error: {
      code: "invalid_arguments",
      message: 'Arguments are not JSON at character 27 (near "and\\": \\"rm -rf /tmp/x"): ' +
        "Unterminated string",
      hint: AGAIN,
      retriable: false,
    },
  });
});

Deno.test("parseArguments() says where a text stops being JSON", () => {
  const expected = {
    '{"a": x}': 'at character 7 (near "{\\"a\\": x}"): Unexpected token \'x\'',
    '{"a": true, "b": maybe}':
      'at character 18 (near "{\\"a\\": true, \\"b\\": maybe}"): Unexpected token \'m\'',
    "{'a': 1}": "at character 2 (near \"{'a': 1}\"): Expected property name or '}'",
    '{"a": 1,}': 'at character 9 (near "{\\"a\\": 1,}"): Expected double-quoted property name',
    '{"a": ,}': 'at character 7 (near "{\\"a\\": ,}"): Unexpected token \',\'',
    '{"a": tru': 'at character 10 (near "{\\"a\\": tru"): Unexpected end',
    '{"a": 1} {': 'at character 10 (near "{\\"a\\": 1} {"): ' +
      "Unexpected non-whitespace character after JSON",
    "ls -la": "at character 1 (near \"ls -la\"): Unexpected token 'l'",
  };
  const found = Object.keys(expected).map((text) => [text, messageOf(text)]);
  const whole = Object.entries(expected).map(([text, place]) => [
    text,
    `Arguments are not JSON ${place}`,
  ]);
  assertEquals(found, whole);
});

Deno.test("parseArguments() finds the place in a long text", () => {
  const text = `{"command": "${"y".repeat(10_000)}", "n": oops}`;
  assertEquals(
    messageOf(text),
    'Arguments are not JSON at character 10022 (near "yyyyyyyyyyyy\\", \\"n\\": oops}"): ' +
      "Unexpected token 'o'",
  );
});

Deno.test("parseArguments() refuses what is JSON but no object, and names it", () => {
  const texts = ['"ls"', "12345", "null", "[1]", "true"];
  assertEquals(texts.map(messageOf), [
    "Arguments are a string, not a JSON object",
    "Arguments are a number, not a JSON object",
    "Arguments are null, not a JSON object",
    "Arguments are an array, not a JSON object",
    "Arguments are a boolean, not a JSON object",
  ]);
});

Deno.test("parseArguments() never throws, and repairs nothing", () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
  const cutOff = fc.tuple(object, fc.nat()).map(([text, at]) => text.slice(0, at % text.length));
  fc.assert(fc.property(fc.oneof(fc.string(), object, cutOff), (text) => {
    const parsed = parseArguments(text);
    const known = text.trim() === "" ? {} : isObjectText(text) ? JSON.parse(text) : null;
    assertEquals(parsed.ok ? parsed.args : null, known);
  }));
});

function isObjectText(text: string): boolean {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
