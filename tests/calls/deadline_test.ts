import { assertEquals, assertInstanceOf } from "@std/assert";
import { DeadlineError, startDeadline } from "../../lib/calls/deadline.ts";
import { FakeClock, NEVER } from "../fakes.ts";

Deno.test("startDeadline() aborts its signal when the time is over, and not before", async () => {
  const clock = new FakeClock();
  const deadline = startDeadline(clock, 100, NEVER);
  await clock.advance(99);
  assertEquals([deadline.signal.aborted, deadline.expired()], [false, false]);
  await clock.advance(1);
  assertEquals([deadline.signal.aborted, deadline.expired()], [true, true]);
  assertInstanceOf(deadline.signal.reason, DeadlineError);
});

Deno.test("startDeadline() aborts its signal with its parent, which is no expiry", async () => {
  const clock = new FakeClock();
  const parent = new AbortController();
  const deadline = startDeadline(clock, 100, parent.signal);
  parent.abort("stop");
  await clock.advance(1000);
  assertEquals(
    [deadline.signal.reason, deadline.expired(), clock.sleeping],
    ["stop", false, 0],
  );
});

Deno.test("startDeadline() of an aborted parent is aborted from the beginning", () => {
  const clock = new FakeClock();
  const deadline = startDeadline(clock, 100, AbortSignal.abort("stop"));
  assertEquals(
    [deadline.signal.reason, deadline.expired(), clock.sleeping],
    ["stop", false, 0],
  );
});

Deno.test("Deadline.clear() ends the waiting", async () => {
  const clock = new FakeClock();
  const deadline = startDeadline(clock, 100, NEVER);
  deadline.clear();
  await clock.advance(1000);
  assertEquals([deadline.signal.aborted, clock.sleeping], [false, 0]);
});
