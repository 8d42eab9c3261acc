import { assertEquals, assertThrows } from "@std/assert";
import { EventSplitter, type ServerEvent } from "../../lib/model/events.ts";
import { StreamError } from "../../lib/model/stream_error.ts";

const encoder = new TextEncoder();

function split(...pieces: readonly string[]): ServerEvent[] {
  const splitter = new EventSplitter();
  const events = pieces.flatMap((piece) => splitter.push(encoder.encode(piece)));
  return [...events, ...splitter.end()];
}

Deno.test("EventSplitter hands an event out with its empty line, not later", () => {
  const splitter = new EventSplitter();
  const events = ["data: a\n", "\n", "data: b\r\n\r", "\n"].map((text) =>
    splitter.push(encoder.encode(text)).map(({ data }) => data)
  );
  assertEquals(events, [[], ["a"], [], ["b"]]);
});

Deno.test("EventSplitter keeps the name of an event for that event alone", () => {
  assertEquals(split("event: error\ndata: a\n\ndata: b\n\n"), [
    { name: "error", data: "a" },
    { name: "", data: "b" },
  ]);
});

Deno.test("EventSplitter takes CR and LF for one line end, also where they are cut apart", () => {
  const pieces = ["event: error\r", "\ndata: a\r", "\ndata: b\r", "\n\r", "\ndata: c"];
  assertEquals(split(...pieces), [{ name: "error", data: "a\nb" }, { name: "", data: "c" }]);
});

Deno.test("EventSplitter.other is all that came where there was no event", () => {
  const splitter = new EventSplitter();
  for (const piece of ['{\n "a":', " 1\n}", "\n"]) splitter.push(encoder.encode(piece));
  assertEquals([splitter.end(), splitter.other], [[], '{\n "a": 1\n}']);
});

Deno.test("EventSplitter refuses a line that never ends", () => {
  const splitter = new EventSplitter();
  const megabyte = encoder.encode("x".repeat(1024 * 1024));
  const { fault } = assertThrows(() => {
    for (let count = 0; count < 100; count++) splitter.push(megabyte);
  }, StreamError);
  assertEquals(fault, { kind: "too_long" });
});
