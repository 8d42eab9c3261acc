import { assertEquals } from "@std/assert";
import { inTempDir } from "../_temp.ts";
import { realSpills, spillsIn } from "../../lib/real/spills.ts";

/** Prints path and mode of a process's open spill files. */
const LIST = `for fd in /proc/$1/fd/*; do path=$(readlink "$fd")
  [[ $path == /tmp/rein-* ]] && echo "$path $(stat -L -c %a "$fd")"; done`;

/** What the system says of this process's open spill files. */
async function openFiles(): Promise<string> {
  const args = ["-c", LIST, "list", String(Deno.pid)];
  const { stdout } = await new Deno.Command("bash", { args }).output();
  return new TextDecoder().decode(stdout).replace(/rein-[0-9a-f-]{36}/g, "rein-ID");
}

Deno.test({
  name: "a spill file is its owner's alone, has no name, and is gone once it is closed",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const file = realSpills.create("out1");
    assertEquals(await openFiles(), "/tmp/rein-ID (deleted) 600\n");
    file?.close();
    assertEquals(await openFiles(), "");
  },
});

Deno.test({
  name: "a spill file takes what is written, wherever it was read before",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const file = realSpills.create("out1");
    const encoder = new TextEncoder();
    const read = async (at: number, length: number) => {
      const into = new Uint8Array(length);
      const count = await file?.read(into, at) ?? 0;
      return new TextDecoder().decode(into.subarray(0, count));
    };
    file?.write(encoder.encode("one "));
    const first = await read(0, 2);
    file?.write(encoder.encode("two"));
    assertEquals([first, await read(0, 99), await read(4, 3), await read(99, 1)], [
      "on",
      "one two",
      "two",
      "",
    ]);
    file?.close();
  },
});

Deno.test("spillsIn() keeps files under their ids, for their owner alone", async () => {
  await inTempDir({}, async (folder) => {
    const spills = spillsIn(folder);
    const [first, second] = [spills.create("out1"), spills.create("out10")];
    first?.write(new TextEncoder().encode("one"));
    second?.write(new TextEncoder().encode("ten"));
    second?.markIncomplete();
    assertEquals(spills.create("out1"), null);
    first?.close();
    second?.close();
    assertEquals(spills.kept(), [
      { id: "out1", length: 3, complete: true },
      { id: "out10", length: 3, complete: false },
    ]);
    const mode = (name: string) => (Deno.statSync(`${folder}/${name}`).mode ?? 0) & 0o777;
    assertEquals(Deno.build.os === "windows" ? [] : [mode("out1"), mode("out10.part")], [
      0o600,
      0o600,
    ]);
    const into = new Uint8Array(9);
    assertEquals([await spills.open("out10")?.read(into, 1), into[0]], [2, "e".charCodeAt(0)]);
    spills.open("out10")?.remove();
    assertEquals(spills.kept().map(({ id }) => id), ["out1"]);
  });
});
