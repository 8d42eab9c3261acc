import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { listSessions } from "../../lib/session/catalog.ts";
import { readSession } from "../../lib/session/read.ts";
import { removeSession } from "../../lib/session/remove.ts";
import { SessionError } from "../../lib/session/session_error.ts";
import { inTempDir } from "../_temp.ts";
import { linesOf, startChild } from "./_child.ts";
import { NOON, open, portsIn, stored, turn, withSessions } from "./_sessions.ts";

const SOON = { durable: false };

/** The time of a clock on the wall here. */
function wallTime(ms: number): string {
  const date = new Date(ms);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0"))
    .join(":");
}

Deno.test("a session that is open is refused to the second, which is told who has it", () =>
  withSessions(async (ports) => {
    const { session } = await open(ports, { id: "x" });
    session.append(turn(1), SOON);
    const error = await assertRejects(() => open(ports, { id: "x" }), SessionError);
    assertEquals([error.code, error.message], [
      "in_use",
      `Session "x" is in use by process ${Deno.pid}, since ${wallTime(NOON)}`,
    ]);
    const removing = assertThrows(() => removeSession("x", ports), SessionError);
    assertEquals(removing.code, "in_use");
    session.append(turn(2), SOON);
    assertEquals([...session.events()], [turn(1), turn(2)]);
    session.close();
    const again = await open(ports, { id: "x" });
    assertEquals(again.session.header.steps, 0);
    again.session.close();
  }));

Deno.test("a session in use since another day says the day", () =>
  withSessions(async (ports) => {
    const { session } = await open(ports, { id: "x" });
    await ports.clock.advance(48 * 3600 * 1000);
    const error = await assertRejects(() => open(ports, { id: "x" }), SessionError);
    assertEquals(
      error.message,
      `Session "x" is in use by process ${Deno.pid}, since 2026-11-29 ${wallTime(NOON)}`,
    );
    session.close();
  }));

Deno.test("a session that another process has is refused, shown, and free once that dies", () =>
  inTempDir({}, async (directory) => {
    const ports = portsIn(directory);
    await stored(ports, [turn(1)], { id: "shared" });
    const child = startChild(directory, "shared", "hold");
    for await (const line of linesOf(child.stdout)) {
      const error = await assertRejects(() => open(ports, { id: "shared" }), SessionError);
      assertEquals(error.code, "in_use");
      assertEquals(error.message.includes(`in use by process ${line}, since `), true);
      assertEquals((await listSessions(ports)).map(({ inUse }) => inUse), [true]);
      const reading = await readSession("shared", ports);
      assertEquals([...reading.events()], [turn(1)]);
      reading.close();
      child.kill("SIGKILL");
    }
    await child.stdin.close().catch(() => {});
    await child.status;
    const { session } = await open(ports, { id: "shared" });
    assertEquals([...session.events()], [turn(1)]);
    session.close();
  }));

Deno.test("looking whether a session is in use takes it from nobody", () =>
  withSessions(async (ports, root) => {
    await stored(ports, [turn(1)], { id: "x" });
    const before = await Deno.readTextFile(`${root}/x/lock`);
    assertEquals((await listSessions(ports)).map(({ inUse }) => inUse), [false]);
    assertEquals(await Deno.readTextFile(`${root}/x/lock`), before);
  }));

Deno.test("a lock of a folder that was removed meanwhile is not one of the new folder", () =>
  withSessions(async (ports, root) => {
    const { session } = await open(ports, { id: "x" });
    await Deno.remove(`${root}/x`, { recursive: true });
    const again = await open(ports, { id: "x" });
    assertEquals([...again.session.events()], []);
    again.session.close();
    session.close();
  }));
