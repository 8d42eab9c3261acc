import { assertEquals } from "@std/assert";
import { LiveStatus } from "../../lib/cli/live_status.ts";
import { Screen } from "../../lib/cli/screen.ts";
import { createStyles } from "../../lib/cli/styles.ts";
import type { Event } from "../../lib/events.ts";
import { FakeClock, FakeTerminal, settle } from "../fakes.ts";

const STARTED: Event = {
  ...{ schema: "rein-event/1", at: new Date(0).toISOString(), run_id: "r", step: 1 },
  ...{ type: "call_started", call_id: "1", tool: "run_shell", brief: "make" },
};

/** A status on a terminal, and the lines that it wrote since it was asked last. */
function following() {
  const terminal = new FakeTerminal();
  const clock = new FakeClock();
  const screen = new Screen(terminal);
  const live = new LiveStatus({ screen, clock, styles: createStyles(false) });
  const lines = () => {
    const written = terminal.stderr;
    terminal.stderr = "";
    // deno-lint-ignore no-control-regex -- what erases begins with a control character
    return written.split(/\x1b\[J|\r/).filter((line) => line !== "");
  };
  return { live, clock, lines };
}

Deno.test("LiveStatus brings the seconds up to date, and writes nothing in between", async () => {
  const { live, clock, lines } = following();
  const done = new AbortController();
  const kept = live.keep(done.signal);
  await live.event(STARTED);
  await clock.advance(250);
  assertEquals(lines(), ["▸ run_shell make 0 s"]);
  await clock.advance(250);
  assertEquals(lines(), []);
  await clock.advance(500);
  assertEquals(lines(), ["▸ run_shell make 1 s"]);
  done.abort();
  await kept;
  assertEquals(clock.sleeping, 0);
});

Deno.test("LiveStatus shows the last line that a program printed, as it would be on a screen", async () => {
  const { live, clock, lines } = following();
  await live.event(STARTED);
  await clock.advance(1000);
  const redact = (text: string) => text.replace("hunter2", "[redacted]");
  live.output(
    new TextEncoder().encode("first\n 10%\r\x1b[32m 20% 完成\x1b[0m hunter2\n\n"),
    redact,
  );
  await settle();
  assertEquals(lines(), ["▸ run_shell make 1 s · 20% 完成 [redacted]"]);
  live.output("too soon", redact);
  await settle();
  assertEquals(lines(), []);
});
