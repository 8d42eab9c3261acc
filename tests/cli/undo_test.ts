import { assertEquals } from "@std/assert";
import { undoLast } from "../../lib/cli/undo.ts";
import { apply, newRecord } from "../../lib/record.ts";
import type { Observation } from "../../lib/types.ts";
import { DENIED, DONE } from "../_events.ts";
import { eventOf, started } from "../session/_sessions.ts";
import { type Bench, withUndo } from "../undo/_undo.ts";

/** Nothing is audited. */
const unaudited = () => Promise.resolve();

/** A command of the run, as its event tells it. */
function ran({ session }: Bench, command: string, observation: Observation = DONE): void {
  session.append(
    eventOf({
      type: "call_finished",
      call_id: "c2",
      tool: "run_shell",
      brief: command,
      arguments: { command },
      decision: "ask",
      observation,
      ms: 1,
    }, 1),
    { durable: false },
  );
}

Deno.test("undoLast() says what it restores, and which commands can't be undone", () =>
  withUndo({ a: "1\n2\n3\n" }, async (bench) => {
    bench.session.append(started("change it"), { durable: false });
    await bench.write("a", "1\nx\n");
    await bench.write("b", "new\n");
    ran(bench, "ls -la");
    ran(bench, "systemctl restart\n  nginx");
    ran(bench, "rm -rf gone", DENIED);
    const outcome = await undoLast({ ...bench, audit: unaudited }, bench.ports);
    const text = `Undoes the changes of files of run run1:
  ${bench.path("a")}  +2 −1
  ${bench.path("b")}  is removed: the run made it
Commands can't be undone. These changed something, or may have:
  systemctl restart nginx
`;
    assertEquals(outcome, {
      kind: "undone",
      text,
      event: {
        schema: "rein-event/1",
        at: "2026-11-29T12:00:00.000Z",
        run_id: "run1",
        step: 0,
        type: "changes_undone",
        undone_run: "run1",
        paths: [bench.path("a"), bench.path("b")],
      },
    });
    assertEquals([bench.read("a"), bench.read("b")], ["1\n2\n3\n", null]);
    assertEquals([...bench.session.events()].at(-1)?.type, "changes_undone");
    assertEquals(await undoLast({ ...bench, audit: unaudited }, bench.ports), { kind: "nothing" });
  }));

Deno.test("undoLast() refuses all of a run of which somebody else has changed a file", () =>
  withUndo({ a: "0" }, async (bench) => {
    await bench.write("a", "1");
    await bench.write("b", "1");
    await Deno.writeTextFile(bench.path("a"), "mine");
    assertEquals(await undoLast({ ...bench, audit: unaudited }, bench.ports), {
      kind: "refused",
      text: `Undoes the changes of files of run run1:
  ${bench.path("a")}: can't be restored, it was changed since by somebody else
  ${bench.path("b")}  is removed: the run made it
Nothing was restored.
`,
    });
    assertEquals(bench.read("b"), "1");
  }));

Deno.test("a model is told with the next task that changes were undone, once", () => {
  const record = newRecord();
  const undone = eventOf({ type: "changes_undone", undone_run: "run1", paths: ["/a", "/b"] });
  for (const event of [started("first"), undone, undone, started("second"), started("third")]) {
    apply(record, event);
  }
  assertEquals(record.entries.map((entry) => entry.kind === "said" ? entry.content : ""), [
    "first",
    "I have undone your changes of these files, which are as they were before: /a, /b.\n\nsecond",
    "third",
  ]);
  assertEquals(record.task, "third");
});
