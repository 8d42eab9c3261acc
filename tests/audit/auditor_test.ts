import { assert, assertEquals, assertRejects } from "@std/assert";
import { AuditError } from "../../lib/audit/audit_error.ts";
import { Auditor, type AuditorOptions, type Told } from "../../lib/audit/auditor.ts";
import { AuditLog } from "../../lib/audit/audit_log.ts";
import { type AuditEntry, NO_HASH } from "../../lib/audit/entry.ts";
import { AuditSink } from "../../lib/audit/sink.ts";
import type { Event, RunResult } from "../../lib/events.ts";
import { run, type RunPorts } from "../../lib/loop.ts";
import type { Tool } from "../../lib/types.ts";
import { auditFaults } from "../_schemas.ts";
import {
  fakeResults,
  fakeRunPorts,
  fakeTool,
  judgeAll,
  NEVER,
  ScriptedModel,
  type ScriptedTurn,
} from "../fakes.ts";
import { inTempDir } from "../_temp.ts";
import { ACTOR, entriesIn, PORTS } from "./_logs.ts";

/** What was written, and whether it waited for the disk. */
interface Written {
  readonly entries: Told[];
  readonly durable: boolean[];
}

function auditorInto(written: Written, options: Partial<AuditorOptions> = {}): Auditor {
  const results = fakeResults({ secrets: ["a-literal-secret"] });
  return new Auditor({
    write: (entries, durable) => {
      written.entries.push(...entries);
      written.durable.push(durable);
      return Promise.resolve();
    },
  }, {
    redact: (data) => results.redact(data),
    session: null,
    effectOf: () => "execute",
    hashes: PORTS.hashes,
    ...options,
  });
}

async function follow(
  events: AsyncGenerator<Event, RunResult>,
  audit: (event: Event) => Promise<void>,
): Promise<void> {
  for (let next = await events.next(); !next.done; next = await events.next()) {
    await audit(next.value);
  }
}

/** The entries of a run that makes one call and answers. */
async function entriesOf(
  turn: ScriptedTurn,
  overrides: Partial<RunPorts> = {},
): Promise<Written> {
  const written: Written = { entries: [], durable: [] };
  const auditor = auditorInto(written);
  const model = new ScriptedModel(turn, { text: "done" });
  const events = run({ task: "do it" }, fakeRunPorts(model, overrides), NEVER);
  await follow(events, (event) => auditor.event(event));
  return written;
}

/** Any arguments. */
const ANY: Tool["parameters"] = {
  type: "object",
  properties: {},
  required: [],
  additionalProperties: true as false,
};

const CALL: ScriptedTurn = { calls: [{ name: "echo", arguments: { text: "hello" } }] };

function kindsOf({ entries }: Written): string[] {
  return entries.map(({ kind }) => kind);
}

/** The first entry of a kind. */
function firstOf<K extends Told["kind"]>(
  { entries }: Written,
  kind: K,
): Extract<Told, { kind: K }> {
  const found = entries.find((entry) => entry.kind === kind);
  if (found === undefined) throw new TypeError(`There is no ${kind}`);
  return found as Extract<Told, { kind: K }>;
}

function faultsOf({ entries }: Written): string[] {
  const place = { schema: "rein-audit/1", seq: 1, prev: NO_HASH };
  return entries.flatMap((entry) => auditFaults({ ...ACTOR, ...place, ...entry }));
}

Deno.test("Auditor tells of a run, of each call, and of nothing twice", async () => {
  const written = await entriesOf(CALL);
  assertEquals(faultsOf(written), []);
  assertEquals(kindsOf(written), [
    "run_started",
    "call_judged",
    "call_started",
    "call_finished",
    "run_finished",
  ]);
  const judged = firstOf(written, "call_judged");
  const finished = firstOf(written, "call_finished");
  assertEquals(judged.arguments, { text: "hello" });
  assertEquals(judged.evaluation.decision, "allow");
  const { arguments: args, status, summary, result_chars, omitted_chars } = finished;
  assertEquals({ args, status, summary, result_chars, omitted_chars }, {
    args: null,
    status: "success",
    summary: "echoed",
    result_chars: 16,
    omitted_chars: 0,
  });
});

Deno.test("Auditor waits for the disk before what may change something, and for nothing else", async () => {
  const { entries, durable } = await entriesOf(CALL);
  assertEquals(durable, [false, true, false, false]);
  assertEquals(entries.length, 5);
});

Deno.test("Auditor tells who approved a call, and what was refused", async () => {
  const asked = await entriesOf(CALL, {
    judge: judgeAll("ask"),
    approve: () => Promise.resolve({ granted: true, by: "person", scope: "once" }),
  });
  assertEquals(kindsOf(asked).slice(1, 4), ["call_judged", "approval", "call_started"]);
  const refused = await entriesOf(CALL, { judge: judgeAll("ask") });
  assertEquals(kindsOf(refused).slice(1, 4), ["call_judged", "approval", "call_finished"]);
  assertEquals([asked, refused].flatMap(faultsOf), []);
});

Deno.test("Auditor tells of calls that were never judged, with their arguments", async () => {
  const written = await entriesOf({ calls: [{ name: "coffee", arguments: { sugar: 2 } }] });
  assertEquals(faultsOf(written), []);
  const finished = firstOf(written, "call_finished");
  assertEquals([finished.arguments, finished.decision, finished.status, finished.error], [
    '{"sugar":2}',
    null,
    "error",
    "unknown_tool",
  ]);
});

Deno.test("Auditor keeps the arguments as the call gets them, where the model's were mended", async () => {
  const written = await entriesOf({ calls: [{ name: "echo", arguments: "{'text': 'hello',}" }] });
  assertEquals(firstOf(written, "call_judged").arguments, { text: "hello" });
});

Deno.test("Auditor keeps no secret and no long text", async () => {
  const text = `token ghp_${"a1B2".repeat(9)} a-literal-secret ${"x".repeat(100_000)}`;
  const written = await entriesOf({ calls: [{ name: "echo", arguments: { text } }] });
  assertEquals(faultsOf(written), []);
  const whole = JSON.stringify(written.entries);
  assertEquals([whole.includes("ghp_"), whole.includes("a-literal-secret")], [false, false]);
  assert(whole.length < 10_000, `${whole.length} characters`);
  const judged = firstOf(written, "call_judged");
  const { text: kept } = judged.arguments as { text: string };
  assert(/ \[\d+ characters, sha256 [0-9a-f]{64}\]$/.test(kept), kept.slice(-120));
});

Deno.test("Auditor takes numbers that JSON can't have, halves of characters, and depths", async () => {
  let deep = "1";
  for (let level = 0; level < 50; level++) deep = `{"d":${deep}}`;
  const text = `{"text":"x","n":1e999,"half":"\\ud800","many":[${
    "1,".repeat(999)
  }1],"deep":${deep}}`;
  const tool = fakeTool({ parameters: ANY });
  const written = await entriesOf({ calls: [{ name: "echo", arguments: text }] }, {
    tools: [tool],
  });
  const judged = firstOf(written, "call_judged");
  const args = judged.arguments as Record<string, unknown>;
  assertEquals([args["n"], args["half"]], [null, "\ufffd"]);
  assertEquals((args["many"] as unknown[]).slice(-2), [1, "… 800 more"]);
});

Deno.test("Auditor tells the ids of a delegation", async () => {
  const delegate = fakeTool({
    name: "delegate",
    effect: "delegate",
    parameters: ANY,
    run: () =>
      Promise.resolve({
        ok: true,
        data: { tasks: [{ agent: "billing", intent: "refund", task_id: "t-1" }] },
        summary: "done",
      }),
  });
  const args = { tasks: [{ agent: "billing", intent: "refund", params: {} }] };
  const written = await entriesOf({ calls: [{ name: "delegate", arguments: args }] }, {
    tools: [delegate],
  });
  const ids = written.entries.flatMap((entry) => "delegation" in entry ? [entry.delegation] : []);
  assertEquals(ids, [
    [{ agent: "billing", intent: "refund", task_id: null }],
    [{ agent: "billing", intent: "refund", task_id: "t-1" }],
  ]);
});

/** A log in a directory, and what is warned of. */
function sinkAt(path: string, required: boolean): AuditSink {
  const open = () => Promise.resolve(new AuditLog({ path, key: null, actor: ACTOR }, PORTS));
  return new AuditSink({ path, open, actor: ACTOR, required, copy: null });
}

/** Follows a run whose tool does something, with a log at a path. */
async function audited(
  path: string,
  effect: Tool["run"],
  { required = true }: { readonly required?: boolean } = {},
): Promise<string[]> {
  const warnings: string[] = [];
  const sink = sinkAt(path, required);
  const results = fakeResults();
  const auditor = new Auditor(sink.for((text) => warnings.push(text)), {
    redact: (data) => results.redact(data),
    session: null,
    effectOf: () => "write",
    hashes: PORTS.hashes,
  });
  const tool = fakeTool({ effect: "write", run: effect });
  const model = new ScriptedModel(CALL, CALL, { text: "done" });
  const events = run({ task: "do it" }, fakeRunPorts(model, { tools: [tool] }), NEVER);
  try {
    await follow(events, (event) => auditor.event(event));
  } finally {
    await sink.end();
  }
  return warnings;
}

Deno.test("an entry is in the log before its effect", () =>
  inTempDir({}, async (directory) => {
    const path = `${directory}/audit.jsonl`;
    const seen: AuditEntry["kind"][][] = [];
    await audited(path, async (args) => {
      seen.push((await entriesIn(path)).map(({ kind }) => kind));
      return { ok: true, data: args, summary: "done" };
    });
    assertEquals(seen[0], ["file_started", "run_started", "call_judged", "call_started"]);
    assertEquals(seen[1]?.slice(-3), ["call_finished", "call_judged", "call_started"]);
  }));

Deno.test("where a log is required and can't be had, no run begins", () =>
  inTempDir({ "file": "" }, async (directory) => {
    let effects = 0;
    const run = audited(`${directory}/file/audit.jsonl`, (args) => {
      effects++;
      return Promise.resolve({ ok: true, data: args, summary: "done" });
    });
    const error = await assertRejects(() => run, AuditError, "Without an audit log");
    assertEquals([effects, error.midRun], [0, false]);
  }));

Deno.test("where a log is required and fails in mid-run, the next effect does not happen", () =>
  inTempDir({}, async (directory) => {
    const path = `${directory}/log/audit.jsonl`;
    let effects = 0;
    const run = audited(path, async (args) => {
      effects++;
      // From here on there is something else in its place.
      await Deno.remove(`${directory}/log`, { recursive: true });
      await Deno.writeTextFile(`${directory}/log`, "");
      return { ok: true, data: args, summary: "done" };
    });
    const error = await assertRejects(() => run, AuditError, "can't be written any more");
    assertEquals([effects, error.midRun], [1, true]);
  }));

Deno.test("where no log is required and it fails, that is said once and the run goes on", () =>
  inTempDir({ "file": "" }, async (directory) => {
    let effects = 0;
    const warnings = await audited(`${directory}/file/audit.jsonl`, (args) => {
      effects++;
      return Promise.resolve({ ok: true, data: args, summary: "done" });
    }, { required: false });
    assertEquals([effects, warnings.length], [2, 1]);
    assert(warnings[0]?.startsWith("nothing is audited from here on: "), warnings[0]);
  }));

Deno.test("a log that fails for two entries at once is told of once", () =>
  inTempDir({ "file": "" }, async (directory) => {
    const warnings: string[] = [];
    const sink = sinkAt(`${directory}/file/audit.jsonl`, false).for((text) => warnings.push(text));
    const place = {
      run_id: "r",
      session: null,
      trace_id: "r",
      step: 0,
      at: "2026-11-29T12:00:00Z",
    };
    const model = { name: "m", source: "s", recorded: true };
    const begun = { kind: "run_started", task: "", model, resumed: "no", version: "1" } as const;
    const undone = { kind: "changes_undone", undone_run: "r", paths: [] } as const;
    await sink.write([{ ...place, ...begun }], false);
    await sink.write([{ ...place, ...undone }], true);
    assertEquals(warnings.length, 1);
  }));
