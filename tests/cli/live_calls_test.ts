import { assertEquals } from "@std/assert";
import { afterEvent, type Live, liveLines, NOTHING } from "../../lib/cli/live_calls.ts";
import { createStyles } from "../../lib/cli/styles.ts";
import type { TaskView } from "../../lib/delegate/group.ts";
import type { Event, EventBody } from "../../lib/events.ts";

const styles = createStyles(false);

/** What is going on after these, each a second after the one before. */
function after(...bodies: readonly EventBody[]): Live {
  return bodies.reduce((live, body, index): Live => {
    const at = new Date(index * 1000).toISOString();
    return afterEvent(live, { schema: "rein-event/1", at, run_id: "r", step: 1, ...body } as Event);
  }, NOTHING);
}

function started(id: string, brief: string): EventBody {
  return { type: "call_started", call_id: id, tool: "run_shell", brief };
}

const STEP: EventBody = { type: "step_started", max_steps: 15, progress: "" };
const TEXT: EventBody = { type: "text_delta", text: "x" };

function lines(live: Live, nowMs: number, columns = 60): string[] {
  return liveLines(live, { columns, nowMs, styles });
}

Deno.test("liveLines() says how long a call takes, and what it printed last", () => {
  const live = after(started("1", "make -j4 all"));
  assertEquals([lines(live, 3500), lines({ ...live, lastLine: "[ 40%] building" }, 3500)], [
    ["▸ run_shell make -j4 all 3 s"],
    ["▸ run_shell make -j4 all 3 s · [ 40%] building"],
  ]);
});

Deno.test("liveLines() shows nothing that is gone at once", () => {
  assertEquals([
    lines(after(started("1", "true")), 100),
    lines(after(STEP), 900),
    lines(after(STEP), 2000),
    lines(after(STEP, TEXT), 2000),
  ], [[], [], ["▸ waiting for the model 2 s"], []]);
});

Deno.test("liveLines() keeps within the columns, whatever a call is and prints", () => {
  const live = {
    ...after(started("1", `grep 数据库连接超时 ${"x".repeat(100)}\n\x1b[2J`)),
    lastLine: `数据库\t\x07连接${"y".repeat(100)}`,
  };
  assertEquals([lines(live, 5000, 60), lines(live, 5000, 39)], [
    ["▸ run_shell grep 数据库连接超时… 5 s · 数据库 连接yyyyyyyyy…"],
    ["▸ run_shell grep 数据库连接超时… 5 s"],
  ]);
});

Deno.test("liveLines() shows calls that run at the same time, and counts the rest", () => {
  const calls = ["a", "b", "c", "d", "e", "f"].map((name) => started(name, name));
  assertEquals(lines(after(...calls), 9000), [
    "▸ run_shell a 9 s",
    "▸ run_shell b 8 s",
    "▸ run_shell c 7 s",
    "▸ run_shell d 6 s",
    "  and 2 more calls",
  ]);
});

Deno.test("liveLines() shows nothing while a person is asked", () => {
  const requested = { type: "approval_requested", call_id: "2", tool: "x" } as const;
  const answered = {
    ...{ type: "approval_answered", call_id: "2", tool: "x" } as const,
    approval: { granted: true, by: "person", scope: "once" } as const,
  };
  assertEquals([
    lines(after(started("1", "a"), requested), 5000),
    lines(after(started("1", "a"), requested, answered), 5000),
  ], [[], ["▸ run_shell a 5 s"]]);
});

Deno.test("liveLines() shows a line for each task of a call, those on their way first", () => {
  const delegating = after({
    type: "call_started",
    call_id: "1",
    tool: "delegate",
    brief: "orders/status, alerts/recent",
  });
  const task = (name: string, phase: TaskView["phase"], sinceMs: number): TaskView => ({
    name,
    agent: "orders",
    intent: name,
    phase,
    sinceMs,
  });
  const tasks = [
    task("status", "partial_success", 1000),
    task("refund", "running", 1000),
    task("wait", "waiting", 3000),
  ];
  assertEquals(lines({ ...delegating, tasks }, 4000), [
    "▸ delegate orders/status, alerts/recent 4 s",
    "    orders/refund running 3 s",
    "    orders/wait waiting 1 s",
    "    orders/status partial success",
  ]);
  const many = Array.from({ length: 20 }, (_, index) => task(`t${index}`, "sent", 0));
  assertEquals(lines({ ...delegating, tasks: many }, 4000).slice(-2), [
    "    orders/t6 sent 4 s",
    "    and 13 more tasks",
  ]);
  const at = new Date(5000).toISOString();
  const ended = { type: "call_finished", call_id: "1", tool: "delegate", at } as Event;
  assertEquals(afterEvent({ ...delegating, tasks }, ended).tasks, []);
});
