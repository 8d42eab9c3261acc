import { assertEquals, assertRejects } from "@std/assert";
import { followTrace } from "../../lib/cli/trace_follow.ts";
import { nameOf } from "../../lib/serve/content.ts";
import { fakePorts, FakeTerminal, NEVER, settle } from "../fakes.ts";
import { english } from "../../lib/messages/messages.ts";
import { abandoned, open, stored, withSessions } from "../session/_sessions.ts";
import { agentRun, incident, Story } from "../trace/_story.ts";

const MANNER = { say: english, columns: 60 };

const first = new Story("run-1").begin("One").step("Hi.", [], [100, 10]).end().events;
const second = new Story("run-2").begin("Two").step("Ho.", [], [100, 10]).end().events;

const SHOWN_FIRST = `run run-1 · gpt-4o
  One
├─ step 1 · 900 ms · 100 in, 10 out · Hi.
└─ answered · 1 step · 0 calls · 905 ms · 100 in, 10 out
`;

Deno.test("a session that nobody has is told of at once, to its end", () =>
  withSessions(async (ports) => {
    await stored(ports, first, { id: "s" });
    const terminal = new FakeTerminal();
    const all = fakePorts({ ...ports, terminal });
    await followTrace({ session: "s", runId: null }, MANNER, all, NEVER);
    assertEquals(terminal.stdout, SHOWN_FIRST);
  }));

Deno.test("a session is followed between its runs while a process has it, and no longer", () =>
  withSessions(async (ports) => {
    const { session } = await open(ports, { id: "s" });
    const terminal = new FakeTerminal();
    const all = fakePorts({ ...ports, terminal });
    const followed = followTrace({ session: "s", runId: null }, MANNER, all, NEVER);
    const told: string[] = [];
    const look = async () => {
      while (ports.clock.sleeping === 0) await settle();
      told.push(terminal.stdout.slice(told.join("").length));
      await ports.clock.advance(300);
    };
    await look();
    for (const event of first.slice(0, 2)) session.append(event, { durable: false });
    await look();
    for (const event of first.slice(2)) session.append(event, { durable: false });
    await look();
    await look();
    for (const event of second) session.append(event, { durable: false });
    await look();
    session.close();
    await look();
    await followed;
    const lines = SHOWN_FIRST.split(/(?<=\n)/);
    const later = SHOWN_FIRST.replace("run-1", "run-2").replace("One", "Two").replace("Hi", "Ho");
    assertEquals(told.filter((text) => text !== ""), [
      lines.slice(0, 2).join(""),
      lines.slice(2).join(""),
      later,
    ]);
    assertEquals(terminal.stdout, SHOWN_FIRST + later);
  }));

Deno.test("one run is followed until it ends, whatever comes after it", () =>
  withSessions(async (ports) => {
    const { session } = await open(ports, { id: "s" });
    for (const event of [...first, ...second]) session.append(event, { durable: false });
    const terminal = new FakeTerminal();
    const all = fakePorts({ ...ports, terminal });
    await followTrace({ session: "s", runId: "run-1" }, MANNER, all, NEVER);
    session.close();
    assertEquals(terminal.stdout, SHOWN_FIRST);
  }));

Deno.test("a run whose process was killed ends as unfinished", () =>
  withSessions(async (ports, root) => {
    await abandoned(ports, first.slice(0, -1), root, "s");
    const terminal = new FakeTerminal();
    const all = fakePorts({ ...ports, terminal });
    await followTrace({ session: "s", runId: null }, MANNER, all, NEVER);
    assertEquals(
      terminal.stdout.split("\n").slice(-2),
      ["└─ unfinished · 1 step · 0 calls · 905 ms", ""],
    );
  }));

Deno.test("following ends at once when it is interrupted", () =>
  withSessions(async (ports) => {
    const { session } = await open(ports, { id: "s" });
    const stop = new AbortController();
    const all = fakePorts({ ...ports, terminal: new FakeTerminal() });
    const followed = followTrace({ session: "s", runId: null }, MANNER, all, stop.signal);
    while (ports.clock.sleeping === 0) await settle();
    stop.abort(new Error("Enough"));
    await assertRejects(() => followed, Error, "Enough");
    session.close();
  }));

Deno.test("a call that gave tasks away is told of with what agents of this machine ran", () =>
  withSessions(async (ports) => {
    await stored(ports, incident(), { id: "s" });
    await stored(ports, agentRun(), { id: nameOf("payments", "t-1") });
    const terminal = new FakeTerminal();
    const all = fakePorts({ ...ports, terminal });
    await followTrace({ session: "s", runId: null }, { ...MANNER, columns: 50 }, all, NEVER);
    const lines = terminal.stdout.split("\n");
    const from = lines.findIndex((line) => line.includes("delegate"));
    assertEquals(lines.slice(from + 1, from + 4), [
      "│  │  ├─ payments/examine · success · 1.8 s",
      "│  │  │  └─ run run-agent · gpt-4o · answered · 2…",
      "│  │  │     ├─ step 1 · 900 ms · 900 in, 40 out ·…",
    ]);
  }));
