import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createRealPorts } from "../../lib/real/ports.ts";
import { NEVER } from "../fakes.ts";

const PORTS = createRealPorts();

Deno.test("createRealPorts() has a clock that wakes, and that leaves nothing behind when it is aborted", async () => {
  await PORTS.clock.sleep(0, NEVER);
  const controller = new AbortController();
  const sleeping = PORTS.clock.sleep(60_000, controller.signal);
  controller.abort(new Error("Enough"));
  await assertRejects(() => sleeping, Error, "Enough");
  await assertRejects(
    () => PORTS.clock.sleep(60_000, AbortSignal.abort(new Error("Never"))),
    Error,
  );
});

Deno.test("createRealPorts() gives ids that are short and not the same", () => {
  const ids = Array.from({ length: 100 }, () => PORTS.newId());
  assertEquals(new Set(ids).size, 100);
  for (const id of ids) assertMatch(id, /^[0-9a-f]{12}$/);
});

Deno.test("createRealPorts() gives random numbers from 0 to 1, another one each time", () => {
  const numbers = Array.from({ length: 100 }, () => PORTS.random());
  assertEquals([numbers.every((n) => n >= 0 && n < 1), new Set(numbers).size > 90], [true, true]);
});
