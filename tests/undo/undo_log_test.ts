import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { UndoLog } from "../../lib/undo/undo_log.ts";
import { type Bench, withUndo } from "./_undo.ts";

/** Undoes the newest run; what could not be restored, or null where there was nothing. */
async function undone({ undo }: Bench): Promise<readonly (string | null)[] | null> {
  const plan = await undo.plan();
  if (plan === null) return null;
  const faults = plan.files.map(({ fault }) => fault);
  if (faults.every((fault) => fault === null)) await undo.apply(plan);
  return faults;
}

Deno.test("UndoLog restores what a run changed, and removes what it made", () =>
  withUndo({ a: "one\r\n" }, async (bench) => {
    await bench.write("a", "two\n");
    await bench.write("b", "new");
    assertEquals(await undone(bench), [null, null]);
    assertEquals([bench.read("a"), bench.read("b"), await bench.undo.plan()], [
      "one\r\n",
      null,
      null,
    ]);
  }));

Deno.test("UndoLog restores the mode of a file", () =>
  withUndo({ a: "one" }, async (bench) => {
    await Deno.chmod(bench.path("a"), 0o751);
    await bench.write("a", "two");
    await Deno.chmod(bench.path("a"), 0o600);
    await undone(bench);
    assertEquals(((await Deno.stat(bench.path("a"))).mode ?? 0) & 0o777, 0o751);
  }));

Deno.test("UndoLog goes back one run at a time, however often each changed a file", () =>
  withUndo({ a: "0" }, async (bench) => {
    for (const [text, run] of [["1", "r1"], ["2", "r1"], ["3", "r2"], ["4", "r2"]] as const) {
      await bench.write("a", text, run);
    }
    const seen: unknown[] = [];
    for (let times = 0; times < 3; times++) seen.push(await undone(bench), bench.read("a"));
    assertEquals(seen, [[null], "2", [null], "0", null, "0"]);
  }));

Deno.test("UndoLog restores nothing of a run if somebody else has changed or removed a file", () =>
  withUndo({ a: "0", b: "0", c: "0" }, async (bench) => {
    for (const name of ["a", "b", "c"]) await bench.write(name, "1");
    await Deno.writeTextFile(bench.path("b"), "mine");
    await Deno.remove(bench.path("c"));
    assertEquals(await undone(bench), [
      null,
      "it was changed since by somebody else",
      "it was removed since",
    ]);
    assertEquals(["a", "b", "c"].map(bench.read), ["1", "mine", null]);
    const plan = await bench.undo.plan();
    await assertRejects(
      () => plan === null ? Promise.resolve() : bench.undo.apply(plan),
      TypeError,
    );
  }));

Deno.test("UndoLog follows no link that took the place of a directory", () =>
  withUndo({}, async (bench) => {
    await Deno.mkdir(bench.path("dir"));
    await bench.write("dir/a", "1");
    await Deno.rename(bench.path("dir"), bench.path("other"));
    await Deno.symlink(bench.path("other"), bench.path("dir"));
    assertEquals([await undone(bench), bench.read("other/a")], [
      ["its path leads elsewhere now"],
      "1",
    ]);
  }));

Deno.test("UndoLog leaves out files that are as they were, as after an interrupted undo", () =>
  withUndo({ a: "0", b: "0" }, async (bench) => {
    await bench.write("a", "1");
    await bench.write("b", "1");
    await Deno.writeTextFile(bench.path("a"), "0");
    assertEquals((await bench.undo.plan())?.files.map(({ path }) => path), [bench.path("b")]);
  }));

Deno.test("UndoLog finds what another process has kept, also if it was ended before the change", () =>
  withUndo({ a: "0" }, async (bench) => {
    await bench.write("a", "1", "r1");
    const { ports, session } = bench;
    const broken = { ...ports, files: { ...ports.files, replace: () => Promise.reject("killed") } };
    const dying = new UndoLog(session, broken, { warn: () => {} });
    await dying.files.replace(bench.path("a"), new Uint8Array(), { makeParents: false })
      .catch(() => {});
    dying.close();
    const later = new UndoLog(session, ports, { warn: () => {} });
    const plan = await later.plan();
    assertEquals([plan?.runId, plan?.files.map(({ fault }) => fault)], ["r1", [null]]);
    later.close();
  }));

Deno.test("UndoLog keeps what a file held for this user alone, before it is changed", () =>
  withUndo({ a: "0" }, async (bench) => {
    await bench.write("a", "1");
    const info = await Deno.stat(`${bench.session.folder}/undo.db`);
    assertEquals((info.mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("UndoLog says once that nothing can be undone any more, and holds no change up", () =>
  withUndo({ a: "0" }, async (bench) => {
    await Deno.mkdir(`${bench.session.folder}/undo.db`);
    await bench.write("a", "1");
    await bench.write("a", "2");
    assertEquals([bench.read("a"), bench.warnings.length], ["2", 1]);
  }));

Deno.test("UndoLog brings back any history of files, run by run", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.string(), fc.nat(2)), { maxLength: 12 }),
      (writes) =>
        withUndo({ a: "first" }, async (bench) => {
          const runs = writes.toSorted(([, , one], [, , other]) => one - other);
          const state = () => JSON.stringify(["a", "b", "c"].map(bench.read));
          const states = [state()];
          for (const run of [0, 1, 2]) {
            for (const [name, text, of] of runs) {
              if (of === run) await bench.write(name, text, `r${run}`);
            }
            if (state() !== states.at(-1)) states.push(state());
          }
          while (states.length > 1) {
            states.pop();
            await undone(bench);
            assertEquals(state(), states.at(-1));
          }
          assertEquals(await bench.undo.plan(), null);
        }),
    ),
    { numRuns: 30 },
  ));
