import { assertEquals } from "@std/assert";
import { detectEncoding } from "../../lib/results/encoding.ts";

Deno.test("detectEncoding() takes bytes of any value, as encryption makes them, for no text", () => {
  const all = Uint8Array.from({ length: 4096 }, (_, index) => index * 167 % 256);
  assertEquals(detectEncoding(all), { kind: "binary", type: "binary data" });
});
