import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { failed, LAST_RESORT_CHARS, renderObservation } from "../../lib/results/observe.ts";
import type { JsonObject } from "../../lib/types.ts";
import { fakeResults, NO_SPILLS } from "../fakes.ts";

const { observe } = fakeResults({ spills: NO_SPILLS });

const GONE = "The rest is gone: this run can't keep it. Ask for less at once.";

function rendered(data: JsonObject): string {
  return renderObservation(observe({ ok: true, data, summary: "" }, {}));
}

Deno.test("observe() hands on what is within its limits", () => {
  assertEquals(observe({ ok: true, data: { text: "abc", n: 1 }, summary: "3 chars" }, {}), {
    status: "success",
    data: { text: "abc", n: 1 },
    error: null,
    truncated: [],
    summary: "3 chars",
  });
});

Deno.test("observe() cuts a field by the tool's limit and says so", () => {
  const limits = { text: { head: 2, tail: 1 } };
  assertEquals(observe({ ok: true, data: { text: "abcdef", n: 1 }, summary: "" }, limits), {
    status: "success",
    data: { text: "ab\n[… 3 characters left out here …]\nf", n: 1 },
    error: null,
    truncated: [{
      field: "text",
      total_chars: 6,
      omitted_chars: 3,
      omitted_lines: 0,
      read_on: GONE,
    }],
    summary: "",
  });
});

Deno.test("observe() keeps the cuts that the tool made", () => {
  const truncated = [{
    field: "text",
    total_chars: 9,
    omitted_chars: 8,
    omitted_lines: 1,
    read_on: GONE,
  }];
  const outcome = { ok: true, data: { text: "a" }, summary: "", truncated } as const;
  assertEquals(observe(outcome, {}).truncated, truncated);
});

Deno.test("observe() leaves fields alone that are no text or not there", () => {
  const limits = { count: { head: 0, tail: 0 }, gone: { head: 0, tail: 0 } };
  assertEquals(observe({ ok: true, data: { count: 12345 }, summary: "" }, limits).data, {
    count: 12345,
  });
});

Deno.test("observe() turns a failed outcome into an error", () => {
  const error = { code: "not_found", message: "No such file", hint: "Look.", retriable: false };
  assertEquals(observe({ ok: false, error }, {}), {
    status: "error",
    data: null,
    error,
    truncated: [],
    summary: "error: No such file",
  });
});

Deno.test("observe() brings any data within the last resort", () => {
  const texts: readonly JsonObject[] = [
    { text: "x".repeat(300_000) },
    { text: '"'.repeat(9000) },
    { text: "\u0000".repeat(9000) },
    { text: "\n".repeat(20_000), other: "中".repeat(20_000) },
    { list: Array.from({ length: 5000 }, (_, index) => `entry "${index}"`) },
    { deep: { deeper: { text: "\\".repeat(50_000) } } },
    Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, "v".repeat(150)])),
  ];
  const lengths = texts.map((data) => rendered(data).length);
  assertEquals(lengths.filter((length) => length > LAST_RESORT_CHARS), []);
});

Deno.test("observe() keeps head and tail of the longest text in the last resort", () => {
  const text = `BEGIN${"x".repeat(100_000)}END`;
  const { data, truncated } = observe({ ok: true, data: { text, note: "kept" }, summary: "" }, {});
  const kept = String(data?.["text"]);
  assertEquals([kept.slice(0, 5), kept.slice(-3), data?.["note"]], ["BEGIN", "END", "kept"]);
  assertEquals(truncated.map(({ field, total_chars }) => [field, total_chars]), [[
    "text",
    100_008,
  ]]);
});

Deno.test("observe() ends for any data, within the last resort", () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
    const data = JSON.parse(JSON.stringify(value)) as JsonObject;
    assert(rendered(data).length <= LAST_RESORT_CHARS);
  }));
});

Deno.test("failed() bounds what its error says, whatever stood in the call", () => {
  const long = "名😀".repeat(50_000);
  const error = { code: "unknown_tool", message: long, hint: long, retriable: false };
  const text = renderObservation(failed("error", error));
  assertEquals([text.length <= LAST_RESORT_CHARS, text.isWellFormed()], [true, true]);
});

Deno.test("renderObservation() is one JSON object with what there is", () => {
  const error = { code: "timeout", message: "Too slow", hint: "Ask for less.", retriable: false };
  const observation = {
    ...failed("timeout", error),
    data: { stdout: "a" },
    truncated: [{
      field: "stdout",
      total_chars: 9,
      omitted_chars: 8,
      omitted_lines: 2,
      read_on: GONE,
    }],
  };
  assertEquals(
    renderObservation(observation),
    '{"status":"timeout","data":{"stdout":"a"},"error":{"code":"timeout","message":"Too slow",' +
      '"hint":"Ask for less.","retriable":false},' +
      `"truncated":[{"field":"stdout","total_chars":9,"omitted_chars":8,"read_on":"${GONE}"}]}`,
  );
  const { data } = observe({ ok: true, data: { n: 1 }, summary: "not sent" }, {});
  assertEquals(rendered(data ?? {}), '{"status":"success","data":{"n":1}}');
});
