import { assertEquals, assertRejects } from "@std/assert";
import type { Digest, Event, EventBody } from "../../lib/events.ts";
import type { Database } from "../../lib/ports.ts";
import { createDatabases } from "../../lib/real/databases.ts";
import { createHistory, type History } from "../../lib/retrieval/history.ts";
import { SpillStore } from "../../lib/results/spill.ts";
import type { JsonObject, Observation } from "../../lib/types.ts";
import { MemorySpills, NEVER } from "../fakes.ts";

/** A session in memory: its events, its outputs, and its history. */
class Session {
  readonly events: Event[] = [];
  readonly outputs = new SpillStore(new MemorySpills());
  /** How often events were asked for, and from where. */
  readonly askedAfter: number[] = [];
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add(step: number, body: EventBody): void {
    this.events.push({ schema: "rein-event/1", at: "", run_id: "r", step, ...body });
  }

  start(task: string, resumed: "no" | "crashed" = "no"): void {
    const model = { name: "m", source: "s", recorded: false };
    const began = { session: null, resumed };
    this.add(0, { type: "run_started", task, model, max_steps: 15, ...began });
  }

  compact(step: number, digest: Digest): void {
    this.add(step, {
      type: "context_compacted",
      cause: "high_water",
      window: 8000,
      tokens_before: 7000,
      tokens_after: 3000,
      condensed_through: 0,
      summarised_through: 4,
      by: "model",
      digest,
      facts: digest.facts,
      digests_shown: 1,
      round_tokens: 1000,
      facts_left: 0,
      usage: null,
    });
  }

  /** A call that ended well. */
  call(step: number, tool: string, args: JsonObject, data: JsonObject): void {
    const call_id = `c${this.events.length}`;
    const observation: Observation = {
      status: "success",
      data,
      error: null,
      truncated: [],
      summary: "",
    };
    const call = { call_id, tool, brief: "brief", arguments: args, decision: null, ms: 1 };
    this.add(step, { type: "call_finished", ...call, observation });
  }

  output(text: string): string {
    const spill = this.outputs.begin();
    spill?.write(new TextEncoder().encode(text));
    return spill?.id ?? "";
  }

  history(): History {
    const { events, askedAfter } = this;
    return createHistory(this.#database, this.outputs, {
      embedder: null,
      events: function* (after) {
        askedAfter.push(after);
        for (const [index, event] of events.entries()) {
          if (index + 1 > after) yield { seq: index + 1, event };
        }
      },
    });
  }
}

async function inSession(work: (session: Session) => Promise<void>): Promise<void> {
  const database = await createDatabases(null).open(null);
  const session = new Session(database);
  try {
    await work(session);
  } finally {
    session.outputs.end();
    database.close();
  }
}

async function found(history: History, query: string): Promise<string[]> {
  const { hits } = await history.search(query, 5, NEVER);
  return hits.map(({ place, excerpt }) => `${place}: ${excerpt}`);
}

Deno.test("search() finds tasks, what the model said, and calls with arguments and results", () =>
  inSession(async (session) => {
    session.start("find the zebra");
    session.add(1, {
      type: "turn_finished",
      content: "我先看看数据库",
      calls: [],
      finish_reason: "calls",
      usage: { input_tokens: 1, output_tokens: 1, estimated: false },
      closing: false,
      reasoning: null,
    });
    session.call(2, "run_shell", { command: "grep giraffe x" }, { stdout: "elephant\n", code: 0 });
    const history = session.history();
    assertEquals(await found(history, "zebra"), ["task: find the zebra"]);
    assertEquals(await found(history, "数据"), ["step 1, said: 我先看看数据库"]);
    const call = 'run_shell {"command":"grep giraffe x"}\nelephant\n\ncode: 0';
    assertEquals(await found(history, "giraffe"), [`step 2, run_shell: ${call}`]);
    assertEquals(await found(history, "elephant"), [`step 2, run_shell: ${call}`]);
  }));

Deno.test("search() finds what was noted when rounds left the context, and no task twice", () =>
  inSession(async (session) => {
    session.start("find the zebra");
    const digest = {
      facts: [{ text: "The zebra is in the log", call: "c1", step: 2 }],
      decisions: ["Look for stripes"],
      open: ["Who brought it"],
    };
    session.compact(7, digest);
    session.start("find the zebra", "crashed");
    const history = session.history();
    assertEquals(await found(history, "stripes"), [
      "step 7, noted: The zebra is in the log\nLook for stripes\nWho brought it",
    ]);
    assertEquals((await found(history, "find zebra")).filter((hit) => hit.startsWith("task")), [
      "task: find the zebra",
    ]);
  }));

Deno.test("search() finds failures by their words, and leaves out what was recalled before", () =>
  inSession(async (session) => {
    session.start("x");
    session.add(1, {
      type: "call_finished",
      call_id: "c",
      tool: "read_file",
      brief: "etc/app.conf",
      arguments: '{"path": "etc/app.conf"',
      decision: "deny",
      observation: {
        status: "denied",
        data: null,
        error: { code: "denied", message: "Rule says no", hint: "Ask", retriable: false },
        truncated: [],
        summary: "",
      },
      ms: 1,
    });
    session.call(2, "recall", { query: "app.conf" }, { session: "app.conf" });
    assertEquals(await found(session.history(), "app.conf"), [
      'step 1, read_file: read_file {"path": "etc/app.conf"\ndenied: Rule says no. Ask',
    ]);
  }));

Deno.test("search() indexes each event once, over processes, and tells tasks apart", () =>
  inSession(async (session) => {
    session.start("first zebra");
    assertEquals(await found(session.history(), "zebra"), ["task: first zebra"]);
    session.start("second giraffe");
    session.call(1, "run_shell", {}, { stdout: "lion" });
    const later = session.history();
    assertEquals(await found(later, "giraffe"), ["task 2, task: second giraffe"]);
    assertEquals(await found(later, "lion"), ["task 2, step 1, run_shell: run_shell {}\nlion"]);
    assertEquals(await found(later, "zebra"), ["task: first zebra"]);
    assertEquals(session.askedAfter, [0, 1, 3, 3]);
  }));

Deno.test("search() finds many events in batches", () =>
  inSession(async (session) => {
    session.start("x");
    for (let step = 1; step <= 500; step++) {
      session.call(step, "run_shell", { step }, { stdout: `word${step}.` });
    }
    assertEquals(await found(session.history(), "word500."), [
      'step 500, run_shell: run_shell {"step":500}\nword500.',
    ]);
  }));

Deno.test("search() finds in outputs that were cut, by lines, and forgets them once they are gone", () =>
  inSession(async (session) => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1} of the output`);
    session.output(lines.with(149, "the needle").join("\n"));
    const history = session.history();
    const { hits } = await history.search("needle", 5, NEVER);
    assertEquals(hits.map(({ place }) => place), ["out1, lines 134-177; read_output reads more"]);
    session.outputs.end();
    assertEquals(await found(history, "needle"), []);
  }));

Deno.test("search() forgets the outputs of an earlier process, whose ids mean others now", () =>
  inSession(async (session) => {
    session.output("the needle");
    await found(session.history(), "needle");
    session.outputs.end();
    const later = new SpillStore(new MemorySpills());
    later.begin()?.write(new TextEncoder().encode("the giraffe"));
    Object.assign(session, { outputs: later });
    const history = session.history();
    assertEquals(await found(history, "needle"), []);
    // The new store counts from one again.
    assertEquals(await found(history, "giraffe"), [
      "out1, line 1; read_output reads more: the giraffe",
    ]);
  }));

Deno.test("search() takes the first 4 MB of an output, and says that there is more", () =>
  inSession(async (session) => {
    session.output(`the needle\n${"x".repeat(4_000_000)}\nthe giraffe`);
    const history = session.history();
    const note = "Of out1 only the beginning was searched.";
    const { hits, notes } = await history.search("giraffe", 5, NEVER);
    assertEquals([hits, notes], [[], [note]]);
    assertEquals((await history.search("needle", 5, NEVER)).hits.length, 1);
  }));

Deno.test("search() does two searches at once one after the other", () =>
  inSession(async (session) => {
    session.start("zebra");
    session.output("zebra");
    const history = session.history();
    const both = await Promise.all([found(history, "zebra"), found(history, "zebra")]);
    assertEquals(
      both.map((hits) => hits.toSorted()),
      Array(2).fill([
        "out1, line 1; read_output reads more: zebra",
        "task: zebra",
      ]),
    );
  }));

Deno.test("search() ends with the signal's reason, and works afterwards", () =>
  inSession(async (session) => {
    session.start("zebra");
    session.output("zebra");
    const history = session.history();
    const signal = AbortSignal.abort(new RangeError("Enough"));
    await assertRejects(() => history.search("zebra", 5, signal), RangeError, "Enough");
    assertEquals((await found(history, "zebra")).length, 2);
  }));
