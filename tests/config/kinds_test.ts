import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  ADDRESS,
  choice,
  type Kind,
  NAME,
  orNone,
  real,
  shownAddress,
  SWITCH,
  TIME_SPAN,
  whole,
} from "../../lib/config/kinds.ts";

function texts<T>(kind: Kind<T>, ...all: readonly string[]): (T | undefined)[] {
  return all.map((text) => kind.fromText(text));
}

Deno.test("whole() takes whole numbers within its bounds, and nothing else", () => {
  const kind = whole({ from: 1, to: 1000 });
  assertEquals(texts(kind, "1", " 1000 ", "0", "1001", "1.5", "", " ", "many", "1k", "Infinity"), [
    ...[1, 1000],
    ...Array(8).fill(undefined),
  ]);
  assertEquals([kind.fromFile(3), kind.fromFile("3"), kind.fromFile(null)], [
    3,
    undefined,
    undefined,
  ]);
});

Deno.test("real() takes numbers within its bounds, and nothing else", () => {
  const kind = real({ from: 0, to: 2 });
  const none = [undefined, undefined, undefined, undefined];
  assertEquals(texts(kind, "0", "0.2", "2", "2.1", "-1", "NaN", ""), [0, 0.2, 2, ...none]);
});

Deno.test("TIME_SPAN takes hours, minutes and seconds, or seconds alone", () => {
  assertEquals(texts(TIME_SPAN, "90s", "10m", "2h", "1h30m", "1h0m5s", "90", "0.5", " 5s "), [
    ...[90_000, 600_000, 7_200_000, 5_400_000, 3_605_000, 90_000, 500, 5000],
  ]);
  assertEquals([TIME_SPAN.fromFile(90), TIME_SPAN.fromFile("10m")], [90_000, 600_000]);
});

Deno.test("TIME_SPAN refuses times that are none, nothing, or longer than a timer lasts", () => {
  const wrong = ["", "s", "m5", "5x", "-5s", "1.5h", "5s1m", "0", "0s", "1 h", "25h s", "577h"];
  assertEquals(texts(TIME_SPAN, ...wrong), wrong.map(() => undefined));
  assertEquals(TIME_SPAN.fromText("576h"), 24 * 24 * 3600 * 1000);
  assertEquals([[1], {}, true].map((value) => TIME_SPAN.fromFile(value)), [
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("TIME_SPAN reads what it writes", () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 2_073_600_000 }), (ms) => {
    assertEquals(TIME_SPAN.fromFile(TIME_SPAN.toFile(ms)), ms);
    assertEquals(TIME_SPAN.fromText(String(TIME_SPAN.toFile(ms))), ms);
  }));
});

Deno.test("SWITCH takes true and false, and the usual words in a variable", () => {
  assertEquals(texts(SWITCH, "true", "1", "Yes", "false", "0", "no", "maybe", "constructor", ""), [
    ...[true, true, true, false, false, false],
    ...[undefined, undefined, undefined],
  ]);
  assertEquals([SWITCH.fromFile(false), SWITCH.fromFile("no")], [false, undefined]);
});

Deno.test("NAME takes one line, without blanks around it", () => {
  assertEquals(
    texts(NAME, "gpt-4o", " 模型 ", "recorded:a b.jsonl", "", "  ", "a\nb", "a\u001bb"),
    [
      ...["gpt-4o", "模型", "recorded:a b.jsonl"],
      ...[undefined, undefined, undefined, undefined],
    ],
  );
  assertEquals([NAME.fromFile(null), NAME.fromFile(4)], [null, undefined]);
});

Deno.test("ADDRESS takes http addresses, and nothing else", () => {
  const wrong = ["models.test/v1", "file:///etc/passwd", "http://", "", "localhost:8000"];
  assertEquals(texts(ADDRESS, "http://127.0.0.1:1/v1", "HTTPS://a.test", ...wrong), [
    ...["http://127.0.0.1:1/v1", "HTTPS://a.test"],
    ...wrong.map(() => undefined),
  ]);
});

Deno.test("orNone() takes the word none everywhere, and null in a file", () => {
  const kind = orNone(whole({ from: 1, to: null }));
  assertEquals([kind.wanted, ...texts(kind, "none", "5", "0", "null")], [
    ...["a whole number from 1, or none", null, 5, undefined, undefined],
  ]);
  assertEquals([kind.fromFile(null), kind.fromFile("none"), kind.fromFile(5)], [null, null, 5]);
});

Deno.test("shownAddress() hides passwords, and keys among the parameters", () => {
  assertEquals(
    [
      "http://me:p@ss@h.test/v1",
      "https://h.test/v1?api-key=abc&version=2&sig=x#y",
      "http://h.test/a@b",
      "gopher//a:b@c",
    ].map(shownAddress),
    [
      "http://***@h.test/v1",
      "https://h.test/v1?api-key=***&version=2&sig=***#y",
      "http://h.test/a@b",
      "gopher//***@c",
    ],
  );
});

Deno.test("choice() takes its words, and nothing else", () => {
  const kind = choice("auto", "text");
  assertEquals(texts(kind, "auto", " TEXT ", "", "texts"), ["auto", "text", undefined, undefined]);
  assertEquals([kind.fromFile("text"), kind.fromFile(1), kind.wanted], [
    "text",
    undefined,
    "auto or text",
  ]);
});
