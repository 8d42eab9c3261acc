import { assertEquals } from "@std/assert";
import { inTempDir } from "../_temp.ts";
import { linesOf, startChild } from "./_child.ts";
import { open, portsIn, turn } from "./_sessions.ts";

/** Kills a process that stores events once it said this many; returns the last one that it said. */
async function killedAfter(events: number, directory: string): Promise<number> {
  const child = startChild(directory, "killed");
  await child.stdin.close();
  let said = 0;
  for await (const line of linesOf(child.stdout)) {
    said = Number(line);
    if (said === events) child.kill("SIGKILL");
  }
  await child.status;
  return said;
}

Deno.test("a session whose process was killed has all events that it said were stored", async () => {
  for (const events of [1, 40, 333]) {
    await inTempDir({}, async (directory) => {
      const said = await killedAfter(events, directory);
      const { session, notes } = await open(portsIn(directory), { id: "killed", create: false });
      const left = [...session.events()];
      assertEquals(left.length >= said, true);
      assertEquals(
        left,
        left.map((_, index) => turn(index + 1, "x".repeat(((index + 1) % 7) * 900))),
      );
      assertEquals(notes, []);
      session.close();
    });
  }
});
