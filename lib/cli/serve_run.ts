/**
 * The run of a served task: begun, gone on with after a crash, or left alone where it can't be told
 * what it has done.
 *
 * @module
 */

import { parseArguments } from "../calls/parse.ts";
import type { Approver } from "../calls/pipeline.ts";
import type { TaskEnvelope } from "../delegate/types.ts";
import type { Event, RunResult } from "../events.ts";
import { ModelError, type Tool } from "../types.ts";
import type { Ports } from "../ports.ts";
import { nameOf } from "../serve/content.ts";
import { type RunOutcome, taskError } from "../serve/outcome.ts";
import { SERVED_RULES, taskPrompt } from "../serve/prompt.ts";
import { type Recovery, recoveryOf, type StoredCall } from "../serve/recovery.ts";
import { Cancelled, Left, type RunTask, type Work, type WorkEvents } from "../serve/service.ts";
import { isReading } from "../session/reading.ts";
import { readSession } from "../session/read.ts";
import { SessionError } from "../session/session_error.ts";
import { assembleRun } from "./assemble_run.ts";
import { failureOf } from "./failure.ts";
import type { Reader } from "./render.ts";
import type { RunOptions } from "./run_options.ts";
import { layGround } from "./run_setup.ts";
import type { SessionChoice } from "./run_session.ts";
import { type IntentPlan, onlyReads, setupFor, toolsHere } from "./serve_plan.ts";
import { PLAIN_LOOK, StepWriter } from "./steps.ts";

/** What runs of served tasks stand on. */
export interface ServeGround {
  readonly agent: string;
  readonly plans: ReadonlyMap<string, IntentPlan>;
  readonly options: RunOptions;
  readonly ports: Ports;
}

/** Time that a run leaves for its last words, in milliseconds, and at the most of all it has. */
const LAST_WORDS_MS = 30_000;
const LAST_WORDS_SHARE = 0.2;

/** The tool whose calls are looked after by whoever they were sent to. */
const DELEGATE = "delegate";

/** Ends a run whose task nobody waits for any more. */
class DeadlineOver extends Error {
  override readonly name = "DeadlineOver";

  constructor() {
    super("The time of the task is over");
  }
}

const nobody: Approver = () =>
  Promise.resolve({ granted: false, by: "nobody", reason: "a served task asks nobody" });

function endedBefore(code: string, message: string, retriable = false): RunOutcome {
  return { kind: "failed", error: taskError(code, message, retriable) };
}

/** When a task must have ended, in milliseconds since the epoch. */
function endMsOf({ task: { timeout_sec, deadline }, receivedMs }: Work): number {
  const own = receivedMs + timeout_sec * 1000;
  return deadline === undefined ? own : Math.min(own, Date.parse(deadline));
}

/** Whether a call may be made twice. */
function harmless({ tool: name, arguments: text, evaluation }: StoredCall, tools: readonly Tool[]) {
  const tool = tools.find((other) => other.name === name);
  if (name === DELEGATE || tool?.effect === "read") return true;
  if (evaluation !== null && isReading(evaluation)) return true;
  const parsed = parseArguments(text);
  if (tool === undefined || !parsed.ok) return false;
  const subjects = tool.subjects(parsed.args);
  return subjects.length > 0 && subjects.every(onlyReads);
}

async function eventsOf(session: string, ports: Ports): Promise<readonly Event[] | null> {
  const stored = await readSession(session, ports);
  try {
    const lost = (stored.info.header?.missing.length ?? 0) > 0;
    return lost ? null : [...stored.events()];
  } finally {
    stored.close();
  }
}

/** How a task goes on that had begun. */
async function recover({ session, intent }: Work, ports: Ports): Promise<Recovery> {
  if (session === null) return { kind: "fresh", anew: false };
  const lost: Recovery = intent.effect === "read"
    ? { kind: "fresh", anew: true }
    : { kind: "unknown", what: "a session that can't be read any more" };
  try {
    const events = await eventsOf(session, ports);
    if (events === null) return lost;
    const tools = toolsHere(ports);
    const mayRepeat = intent.effect === "read";
    return recoveryOf(events, (call) => mayRepeat || harmless(call, tools));
  } catch (error) {
    if (error instanceof SessionError) return lost;
    throw error;
  }
}

/** What a run says to the owner, with the task that it is about. */
function stepsOf(
  { task_id: id }: TaskEnvelope,
  { terminal, say }: Pick<Ports, "terminal" | "say">,
): StepWriter {
  const err = (text: string) =>
    terminal.err(text.replace(/^rein: /, () => say("serve.of_task", { id })));
  return new StepWriter({ ...terminal, err }, true, { ...PLAIN_LOOK, say });
}

function stepReader({ step }: WorkEvents): Reader {
  return (event) => {
    if (event.type === "call_started") step(`${event.tool} ${event.brief}`.trim());
    return Promise.resolve();
  };
}

/** What is to be run. */
interface Start {
  readonly choice: SessionChoice;
  readonly session: string;
  /** Null: go on. */
  readonly prompt: string | null;
  /** How much of its time is over, in milliseconds. */
  readonly elapsedMs: number;
}

/** The name of the next session of a task: what it had can't be used any more. */
function nextName(session: string): string {
  const [, name = session, number = "1"] = /^(task-[0-9a-f]+)-(\d+)$/.exec(session) ?? [];
  return `${name}-${Number(number) + 1}`;
}

function startOf(work: Work, recovery: Recovery, { agent, ports }: ServeGround): Start {
  const before = work.session ?? nameOf(agent, work.task.task_id);
  if (recovery.kind === "resume") {
    const choice = { kind: "resume", id: before } as const;
    return { choice, session: before, prompt: null, elapsedMs: recovery.elapsedMs };
  }
  const session = recovery.kind === "fresh" && recovery.anew ? nextName(before) : before;
  const prompt = taskPrompt(work.intent.prompt, work.task, ports.newId());
  return { choice: { kind: "named", id: session }, session, prompt, elapsedMs: 0 };
}

/** Runs, with all that a run of rein has: its session, its walls, its policies. */
async function runOnce(
  plan: IntentPlan,
  work: Work,
  { choice, session, prompt, elapsedMs }: Start,
  { ground: { options, ports }, events, signal, leftMs }: Surroundings,
): Promise<RunOutcome> {
  const lastWords = Math.min(LAST_WORDS_MS, leftMs * LAST_WORDS_SHARE);
  const maxTimeMs = Math.max(1, Math.round(elapsedMs + leftMs - lastWords));
  const setup = await setupFor(plan, { policy: work.task.policy, maxTimeMs }, ports);
  const ground = await layGround(setup, ports, signal);
  const steps = stepsOf(work.task, ports);
  const { tools, recursive } = plan.intent;
  const served = { tools, rules: SERVED_RULES };
  const wish = { options: { ...options, recursive }, choice, served, parent: work.task };
  const face = { steps, approve: nobody, signal, onOutput: () => {} };
  const assembled = await assembleRun(ground, wish, ports, face);
  try {
    if (assembled.session.id !== session) {
      return endedBefore("unavailable", "The agent can't keep what it does now", true);
    }
    events.begun(session);
    const readers = [stepReader(events)];
    const run = await assembled.follow(prompt, { readers, signal, dryRun: false });
    if (run.stop_reason === "interrupted" && signal.reason instanceof Left) return { kind: "left" };
    return endedRun(plan, run, signal.reason instanceof DeadlineOver);
  } finally {
    await assembled.end();
  }
}

/** A run that has ended, with what its last words mean. */
function endedRun({ answerForm }: IntentPlan, run: RunResult, late: boolean): RunOutcome {
  const checked = answerForm.check(run.answer ?? "");
  return { kind: "ran", run, late, lastWords: checked.fits ? checked.data : null };
}

/** What a run needs beside itself. */
interface Surroundings {
  readonly ground: ServeGround;
  readonly events: WorkEvents;
  readonly signal: AbortSignal;
  /** Milliseconds until the task must have ended. */
  readonly leftMs: number;
}

/** What failed before there was a run, as the end of its task. */
function outcomeOfError(error: unknown, signal: AbortSignal): RunOutcome {
  const { reason } = signal;
  if (reason instanceof Left) return { kind: "left" };
  if (reason instanceof DeadlineOver) return endedBefore("timeout", reason.message, true);
  if (reason instanceof Cancelled) return endedBefore("cancelled", reason.message);
  if (error instanceof ModelError) {
    return endedBefore(`model_${error.code}`, error.message, error.retriable);
  }
  const { code, message } = failureOf(error);
  if (code === "internal") throw error;
  return endedBefore(code, message);
}

async function runWithin(
  plan: IntentPlan,
  work: Work,
  events: WorkEvents,
  { ground, signal }: Pick<Surroundings, "ground" | "signal">,
): Promise<RunOutcome> {
  const { ports } = ground;
  const recovery = await recover(work, ports);
  if (recovery.kind === "ended") return endedRun(plan, recovery.run, false);
  if (recovery.kind === "unknown") {
    const message = `The agent was ended in the middle of ${recovery.what}; whether that took ` +
      "effect is not known, and it is not done again";
    return endedBefore("unknown_outcome", message);
  }
  if (signal.aborted) return outcomeOfError(signal.reason, signal);
  // A clock that was set back gives nobody more time.
  const leftMs = Math.min(endMsOf(work) - ports.clock.now(), work.task.timeout_sec * 1000);
  if (leftMs <= 0) {
    return endedBefore("timeout", "The time of the task was over before it could go on", true);
  }
  const over = new AbortController();
  const timer = new AbortController();
  const waiting = ports.clock.sleep(leftMs, timer.signal)
    .then(() => over.abort(new DeadlineOver()), () => {});
  const bounded = AbortSignal.any([signal, over.signal]);
  try {
    const start = startOf(work, recovery, ground);
    return await runOnce(plan, work, start, { ground, events, signal: bounded, leftMs });
  } catch (error) {
    return outcomeOfError(error, bounded);
  } finally {
    timer.abort();
    await waiting;
  }
}

/** Builds what runs served tasks. */
export function createTaskRunner(ground: ServeGround): RunTask {
  return async (work, events, signal) => {
    const plan = ground.plans.get(work.intent.name);
    if (plan === undefined) throw new TypeError(`There is no plan for "${work.intent.name}"`);
    return await runWithin(plan, work, events, { ground, signal });
  };
}
