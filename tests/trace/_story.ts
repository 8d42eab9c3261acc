/**
 * Sessions written down by code, for traces: events whose times stand still.
 *
 * @module
 */

import type { Event, EventBody, Fact, RunResult } from "../../lib/events.ts";
import { failed } from "../../lib/results/observe.ts";
import type { Approval, Decision, Evaluation, Json, Observation } from "../../lib/types.ts";
import { evaluationOf } from "../fakes.ts";

/** Noon of a day, in milliseconds since the epoch. */
export const NOON = Date.UTC(2026, 10, 29, 12);

/** A call of a story. */
export interface ToldCall {
  readonly id: string;
  readonly tool: string;
  readonly brief: string;
  readonly arguments: Json;
  readonly observation: Observation | null;
  readonly evaluation?: Evaluation;
  readonly approval?: Approval;
  /** Milliseconds. */
  readonly ms?: number;
}

/** What a successful call brings. */
export function brought(data: { readonly [name: string]: Json }, summary: string): Observation {
  return { status: "success", data, error: null, truncated: [], summary };
}

/** What a call that went wrong brings. */
export function wentWrong(status: "error" | "denied", message: string): Observation {
  return failed(status, { code: status, message, hint: "Try another way.", retriable: false });
}

/** A judgement of a command by one rule. */
export function judged(decision: Decision, text: string, rule: string): Evaluation {
  const evaluation = evaluationOf(decision, text);
  const parts = evaluation.parts.map((part) => ({
    ...part,
    matches: part.matches.map((match) => ({ ...match, rule })),
  }));
  return { ...evaluation, parts };
}

/** Tells runs event by event; every event is at a moment of its own. */
export class Story {
  readonly events: Event[] = [];
  readonly #runId: string;
  #nowMs = NOON;
  #step = 0;
  #tokens = { input_tokens: 0, output_tokens: 0 };

  constructor(runId: string) {
    this.#runId = runId;
  }

  /** Adds any event, so many milliseconds after the one before. */
  add(body: EventBody, afterMs = 0): this {
    this.#nowMs += afterMs;
    const at = new Date(this.#nowMs).toISOString();
    this.events.push({
      schema: "rein-event/1",
      at,
      run_id: this.#runId,
      step: this.#step,
      ...body,
    });
    return this;
  }

  begin(task: string, session: string | null = "story"): this {
    const model = { name: "gpt-4o", source: "https://models.example/v1", recorded: false };
    return this.add({ type: "run_started", task, model, max_steps: 15, session, resumed: "no" });
  }

  /** A step: the model says something and calls, in `ms` milliseconds. */
  step(content: string, calls: readonly ToldCall[], tokens: readonly [number, number], ms = 900) {
    return this.open().turn(content, { calls, tokens, ms });
  }

  /** A step whose request has not been answered. */
  open(): this {
    this.#step++;
    return this.add({ type: "step_started", max_steps: 15, progress: "" }, 5);
  }

  turn(
    content: string,
    { calls = [], tokens: [input_tokens, output_tokens], ms, reasoning = null, closing = false }: {
      readonly calls?: readonly ToldCall[];
      readonly tokens: readonly [number, number];
      readonly ms: number;
      readonly reasoning?: string | null;
      readonly closing?: boolean;
    },
  ): this {
    this.#tokens.input_tokens += input_tokens;
    this.#tokens.output_tokens += output_tokens;
    const usage = { input_tokens, output_tokens, estimated: false };
    const finish_reason = calls.length > 0 ? "calls" : "stop";
    const wanted = calls.map(({ id, tool, arguments: given }) => ({
      id,
      name: tool,
      arguments: JSON.stringify(given),
    }));
    this.add(
      { type: "turn_finished", content, reasoning, calls: wanted, finish_reason, usage, closing },
      ms,
    );
    for (const call of calls) this.#call(call);
    return this;
  }

  compact(before: number, after: number, facts: readonly Fact[]): this {
    const digest = { facts, decisions: ["Look at the payment service first."], open: ["Why now?"] };
    return this.add({
      type: "context_compacted",
      cause: "high_water",
      window: 8192,
      tokens_before: before,
      tokens_after: after,
      condensed_through: 2,
      summarised_through: 2,
      round_tokens: 1000,
      by: "model",
      digest,
      facts,
      facts_left: 0,
      digests_shown: 1,
      usage: null,
    }, 40);
  }

  end(overrides: Partial<RunResult> = {}): this {
    const usage = { ...this.#tokens, estimated: false };
    const result: RunResult = {
      schema: "rein-result/1",
      run_id: this.#runId,
      status: "success",
      stop_reason: "answered",
      answer: null,
      data: null,
      model: { name: "gpt-4o", recorded: false },
      steps: this.#step,
      usage,
      cost: null,
      elapsed_ms: this.#nowMs - NOON,
      session: "story",
      calls: [],
      facts: [],
      error: null,
      ending: null,
      ...overrides,
    };
    return this.add({ type: "run_finished", result });
  }

  #call(call: ToldCall): void {
    const { id: call_id, tool, brief, arguments: given, observation, approval, ms = 120 } = call;
    const evaluation = call.evaluation ?? judged("allow", brief, "ops.read");
    const { decision } = evaluation;
    this.add({ type: "call_proposed", call_id, tool, arguments: JSON.stringify(given) }, 1);
    this.add({ type: "call_judged", call_id, tool, evaluation }, 1);
    if (approval !== undefined) {
      this.add({ type: "approval_answered", call_id, tool, approval }, 1500);
    }
    this.add({ type: "call_started", call_id, tool, brief }, 1);
    if (observation === null) return;
    const done = { call_id, tool, brief, arguments: given, decision, observation, ms };
    this.add({ type: "call_finished", ...done }, ms);
  }
}

/** What a `delegate` call brings of one task. */
export function delegated(
  task: { readonly agent: string; readonly taskId: string; readonly failed?: string },
): { readonly [name: string]: Json } {
  const { agent, taskId, failed: why } = task;
  return {
    task_id: taskId,
    agent,
    intent: "examine",
    status: why === undefined ? "success" : "failed",
    data: why === undefined ? { summary: "the pool is exhausted" } : null,
    error: why === undefined ? null : { code: "timeout", message: why, retriable: true },
    cost: { input_tokens: 900, output_tokens: 80, latency_ms: 1800 },
  };
}

const PAYMENT_LOG = [
  "14:07:12 pool exhausted: 20 of 20 connections in use",
  "14:07:12 POST /pay 502 3001 ms",
  "14:07:13 pool exhausted: 20 of 20 connections in use",
].join("\n");

const FACTS: readonly Fact[] = [
  { text: "Checkout fails since 14:07:16 with 502.", call: "c2", step: 1 },
  { text: "The person wants nothing to be restarted.", call: null, step: 0 },
];

/** A run that another agent did for a task. */
export function agentRun(): readonly Event[] {
  const story = new Story("run-agent").begin("examine {service: payment}", "task-1");
  const call = {
    id: "c1",
    tool: "read_file",
    brief: "payment.log 1–200",
    arguments: { path: "payment.log" },
    observation: brought({ text: PAYMENT_LOG }, "lines 1–200 of 812"),
  };
  return story.step("I read its log.", [call], [900, 40])
    .step("", [], [1200, 60]).end({ answer: "The connection pool is exhausted." }).events;
}

function firstSteps(story: Story): Story {
  const grep = 'grep -c " 502 " access.log';
  return story.step("I look at the log first.", [
    {
      id: "c1",
      tool: "list_files",
      brief: ".",
      arguments: { path: "." },
      observation: brought({ entries: ["access.log", "build/"] }, "2 entries"),
    },
    {
      id: "c2",
      tool: "run_shell",
      brief: grep,
      arguments: { command: grep },
      evaluation: judged("allow", grep, "ops.read-text"),
      observation: brought({ stdout: "295\n", exit_code: 0 }, "1 line"),
      ms: 340,
    },
  ], [1800, 90]).step("The old build takes room.", [
    {
      id: "c3",
      tool: "run_shell",
      brief: "rm -rf /",
      arguments: { command: "rm -rf /" },
      evaluation: judged("deny", "rm -rf /", "baseline.rm-root"),
      observation: wentWrong("denied", "The policy denies this"),
      ms: 2,
    },
    {
      id: "c4",
      tool: "run_shell",
      brief: "rm -rf build",
      arguments: { command: "rm -rf build" },
      evaluation: judged("ask", "rm -rf build", "ops.delete"),
      approval: { granted: true, by: "person", scope: "once" },
      observation: brought({ stdout: "", exit_code: 0 }, "0 lines"),
      ms: 80,
    },
  ], [2900, 120]);
}

/** A session with all that a trace can show: failures, an approval, delegation, room made, facts. */
export function incident(task = "Why does checkout fail since 14:07?"): readonly Event[] {
  const story = firstSteps(new Story("run-1").begin(task));
  story.step("", [{
    id: "c5",
    tool: "http_request",
    brief: "GET http://payment.internal/health",
    arguments: { url: "http://payment.internal/health" },
    evaluation: judged("allow", "payment.internal", "ops.http-get"),
    observation: wentWrong("error", "Connection refused"),
    ms: 30,
  }], [4100, 60]);
  const delegation = {
    id: "c6",
    tool: "delegate",
    brief: "2 tasks",
    arguments: { tasks: [{ agent: "payments" }, { agent: "orders" }] },
    observation: brought({
      tasks: [
        delegated({ agent: "payments", taskId: "t-1" }),
        delegated({ agent: "orders", taskId: "t-2", failed: "No answer in 30 s" }),
      ],
    }, "1 of 2 done"),
    ms: 2000,
  };
  story.open().compact(7400, 2100, FACTS)
    .turn("Others know their services better.", {
      calls: [delegation],
      tokens: [2400, 110],
      ms: 1500,
    });
  story.step("", [], [3000, 140], 1200);
  const answer = "The payment service has no free connections since 14:07:12.\n\n" +
    "Raise its pool, or find what holds them.";
  return story.end({ answer, facts: FACTS }).events;
}

/** A run of so many calls, one in each step. */
export function longRun(calls: number, outputChars = 2000): readonly Event[] {
  const story = new Story("run-long").begin("Read everything");
  const text = "line of a log file with words in it\n".repeat(Math.ceil(outputChars / 36));
  for (let count = 1; count <= calls; count++) {
    story.step(
      `Part ${count}`,
      [{
        id: `c${count}`,
        tool: count % 3 === 0 ? "run_shell" : "read_file",
        brief: `part-${count}.log`,
        arguments: { path: `part-${count}.log` },
        observation: brought({ text }, "60 lines"),
        ms: 20,
      }],
      [1000 + count, 20],
      50,
    );
  }
  return story.end({ answer: "All is read." }).events;
}
