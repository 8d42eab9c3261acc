import { assertEquals } from "@std/assert";
import { LiveStatus } from "../../lib/cli/live_status.ts";
import { Screen } from "../../lib/cli/screen.ts";
import { StepWriter } from "../../lib/cli/steps.ts";
import { createStyles } from "../../lib/cli/styles.ts";
import type { Event } from "../../lib/events.ts";
import { eventOf } from "../session/_sessions.ts";
import { FakeClock, FakeTerminal, settle } from "../fakes.ts";

const STARTED: Event = {
  ...{ schema: "rein-event/1", at: new Date(0).toISOString(), run_id: "r", step: 1 },
  ...{ type: "call_started", call_id: "1", tool: "run_shell", brief: "make" },
};

/** A status on a terminal, and the lines that it wrote since it was asked last. */
function following(terminal = new FakeTerminal()) {
  const clock = new FakeClock();
  const screen = new Screen(terminal);
  const styles = createStyles(false);
  const steps = new StepWriter(screen, false, { styles, fit: null, verbose: false });
  const live = new LiveStatus({ screen, clock, styles, steps });
  const lines = () => {
    const written = terminal.stderr;
    terminal.stderr = "";
    // deno-lint-ignore no-control-regex -- what erases begins with a control character
    return written.split(/\x1b\[J|\r/).filter((line) => line !== "");
  };
  return { live, steps, clock, lines };
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

/** A terminal at which somebody presses Ctrl-O while a run goes on. */
class KeyTerminal extends FakeTerminal {
  press = () => {};

  override watch = (_key: string, pressed: () => void): Promise<void> => {
    this.press = pressed;
    return Promise.resolve();
  };
}

const FINISHED = eventOf({
  ...{ type: "call_finished", call_id: "1", tool: "run_shell", brief: "make", arguments: {} },
  ...{ decision: "allow", ms: 1 },
  observation: {
    ...{ status: "success", data: { stdout: "one\ntwo\n" }, error: null, truncated: [] },
    summary: "2 lines",
  },
}, 1);

/** Tells it and who prints, in the order in which a run does. */
async function tell({ live, steps }: ReturnType<typeof following>, event: Event): Promise<void> {
  await live.event(event);
  await steps.event(event);
}

Deno.test("LiveStatus shows at Ctrl-O what the running call printed so far, without its secrets, and hides it again", async () => {
  const terminal = new KeyTerminal();
  const { live, clock, lines } = following(terminal);
  const done = new AbortController();
  const kept = live.keep(done.signal);
  await live.event(STARTED);
  await clock.advance(1000);
  const redact = (text: string) => text.replace("hunter2", "[redacted]");
  live.output("one\nhunter2\n\x1b[1mthree\x1b[0m\n", redact);
  await settle();
  lines();
  terminal.press();
  await settle();
  assertEquals(lines(), [
    "▸ run_shell make 1 s",
    "\n  │ one",
    "\n  │ [redacted]",
    "\n  │ three",
    "\nWhat calls bring back is shown from here on; Ctrl-O hides it\x1b[4A",
  ]);
  terminal.press();
  await clock.advance(3000);
  assertEquals(lines().at(-1), "▸ run_shell make 4 s · three");
  done.abort();
  await kept;
});

Deno.test("LiveStatus shows at Ctrl-O what the newest call brought back, once, and not in the middle of text", async () => {
  const terminal = new KeyTerminal();
  const all = following(terminal);
  const done = new AbortController();
  const kept = all.live.keep(done.signal);
  const output = "  │ stdout:\n  │ one\n  │ two\n";
  await tell(all, FINISHED);
  terminal.stderr = "";
  terminal.press();
  await settle();
  assertEquals(terminal.stderr.split("\x1b[J")[0], output);
  terminal.press();
  terminal.press();
  await settle();
  assertEquals(terminal.stderr.split("│ one").length, 2);
  terminal.press();
  await tell(all, FINISHED);
  await tell(all, eventOf({ type: "text_delta", text: "So" }));
  terminal.stderr = "";
  terminal.press();
  await settle();
  assertEquals(terminal.stderr.includes("│ one"), false);
  await tell(all, eventOf({ type: "text_restarted" }));
  // deno-lint-ignore no-control-regex -- what erases begins with a control character
  const shown = terminal.stderr.replace(/What calls[^\x1b]*|\x1b\[J/g, "");
  assertEquals(shown, `[Step 1/0] run_shell make → 2 lines\n${output}`);
  done.abort();
  await kept;
});
