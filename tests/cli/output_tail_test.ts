import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { OutputTail } from "../../lib/cli/output_tail.ts";

const asIs = (text: string) => text;

Deno.test("OutputTail gives the last lines as they would be on a screen", () => {
  const tail = new OutputTail();
  tail.push("one\n\n 10%\r\x1b[32m 20% 完成\x1b[0m\r\ntwo\tthree\x07\nwithout an end");
  assertEquals(tail.lines(3, asIs), [" 20% 完成", "two three", "without an end"]);
  tail.clear();
  assertEquals(tail.lines(3, asIs), []);
});

Deno.test("OutputTail has secrets taken out that are longer than what is shown", () => {
  const tail = new OutputTail();
  tail.push(`begin\n${"secret\n".repeat(100)}end\n`);
  const redact = (text: string) => text.replace(/begin\n(secret\n)+/, "[redacted]\n");
  assertEquals(tail.lines(3, redact), ["[redacted]", "end"]);
});

Deno.test("OutputTail gives the same however an output is cut into pieces, and never half a line", () => {
  const line = fc.string({ minLength: 1, maxLength: 300, unit: fc.constantFrom("a", "磁", "z") });
  fc.assert(fc.property(
    fc.array(line, { minLength: 1, maxLength: 300 }),
    fc.integer({ min: 1, max: 40_000 }),
    (lines, size) => {
      const tail = new OutputTail();
      const bytes = new TextEncoder().encode(lines.map((text) => `${text}\n`).join(""));
      for (let at = 0; at < bytes.length; at += size) tail.push(bytes.subarray(at, at + size));
      assertEquals(tail.lines(6, asIs), lines.slice(-6));
    },
  ));
});
