import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { asFinished, inOrder } from "../../lib/cli/batch_lines.ts";

function kept() {
  const lines: string[] = [];
  const write = async (line: string) => {
    await Promise.resolve();
    lines.push(line);
  };
  return { lines, write };
}

Deno.test("inOrder() writes each line once those before it are there, whatever their order", async () => {
  const orders = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 });
  await fc.assert(fc.asyncProperty(orders, async (order) => {
    const { lines, write } = kept();
    const ordered = inOrder(write);
    const seen = new Set<number>();
    for (const index of order) {
      seen.add(index);
      await ordered.add(index, String(index));
      const ready = [0, 1, 2, 3, 4, 5, 6, 7].findIndex((number) => !seen.has(number));
      assertEquals(lines.length, ready === -1 ? 8 : ready);
    }
    assertEquals(lines, ["0", "1", "2", "3", "4", "5", "6", "7"]);
  }));
});

Deno.test("inOrder() writes in the end what waits for lines that never came", async () => {
  const { lines, write } = kept();
  const ordered = inOrder(write);
  await ordered.add(4, "4");
  await ordered.add(2, "2");
  assertEquals(lines, []);
  await ordered.flush();
  assertEquals(lines, ["2", "4"]);
});

Deno.test("asFinished() writes lines as they come", async () => {
  const { lines, write } = kept();
  await asFinished(write).add(4, "4");
  await asFinished(write).add(2, "2");
  assertEquals(lines, ["4", "2"]);
});
