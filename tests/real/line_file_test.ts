import { assertEquals } from "@std/assert";
import { openLines } from "../../lib/real/line_file.ts";
import { inTempDir } from "../_temp.ts";

Deno.test("openLines() gives one lock of a file, which ends with it", async () => {
  await inTempDir({}, async (directory) => {
    const path = `${directory}/out.jsonl`;
    const [first, second] = [await openLines(path), await openLines(path)];
    const locks = [await first.lock(), await second.lock()];
    first.append("kept");
    first.close();
    locks.push(await second.lock());
    second.close();
    assertEquals([locks, await Deno.readTextFile(path)], [[true, false, true], "kept\n"]);
  });
});
