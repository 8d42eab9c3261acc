import { assertEquals } from "@std/assert";
import { costOf, envelopeOf } from "../../lib/serve/outcome.ts";
import { fitted, MAX_DATA_BYTES } from "../../lib/serve/large_data.ts";
import type { Json } from "../../lib/types.ts";
import { taskOf } from "./_tasks.ts";

function resultOf(data: { summary: string; [name: string]: Json }) {
  return envelopeOf(taskOf("t"), { status: "success", data, error: null }, costOf(null, 1));
}

Deno.test("fitted() leaves data alone that is small enough", () => {
  const result = resultOf({ summary: "x".repeat(MAX_DATA_BYTES - 20) });
  assertEquals(fitted(result, String), { result, attachment: null });
});

Deno.test("fitted() keeps what comes first and attaches all of it", () => {
  const data = {
    summary: "Many rows.",
    top_items: ["first", "second"],
    rows: Array.from({ length: 5000 }, (_, index) => `row ${index}`),
    count: 5000,
  };
  const { result, attachment } = fitted(resultOf(data), (name) => `/tasks/t/attachments/${name}`);
  assertEquals(result.data, {
    summary: "Many rows.",
    top_items: ["first", "second"],
    count: 5000,
    left_out: ["rows"],
  });
  assertEquals(JSON.parse(new TextDecoder().decode(attachment?.bytes)), data);
  assertEquals(result.attachments, [{
    name: "data.json",
    media_type: "application/json",
    url: "/tasks/t/attachments/data.json",
    bytes: attachment?.bytes.length,
  }]);
});

Deno.test("fitted() shortens even a summary and top items that are too long", () => {
  const data = { summary: "x".repeat(50_000), top_items: Array(5000).fill("item") };
  const { result } = fitted(resultOf(data), String);
  assertEquals(JSON.stringify(result.data).length < MAX_DATA_BYTES, true);
  assertEquals(Array.isArray(result.data?.["top_items"]), true);
});
