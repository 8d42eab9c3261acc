/**
 * What is known of a run while it goes on: the one state that the stops, the context and the
 * result are made from. It is what its events come to, so that it can be had again from them.
 *
 * @module
 */

import {
  compacted,
  type Compaction,
  type DoneCall,
  type Entry,
  type RoundEntry,
} from "./conversation.ts";
import type { CallRecord, Event, EventBody, RunError, StopReason } from "./events.ts";
import { Repetition } from "./repetition.ts";
import { renderObservation } from "./results/observe.ts";
import type { AssistantMessage, FinishReason, Json } from "./types.ts";

export * from "./conversation.ts";

/** A run's state; only {@linkcode apply} and the functions below it change it. */
export interface RunRecord {
  task: string;
  /** The entry of the task. */
  taskEntry: number;
  session: string | null;
  /** The conversation of the session, without what was summarised. */
  readonly entries: Entry[];
  /** Entries so far, also those that were summarised. */
  entryCount: number;
  readonly compaction: Compaction;
  /** Requests that the model has answered in the session. */
  answers: number;
  /** The ids of all calls of the session. */
  readonly callIds: Set<string>;
  /** Calls that were begun and have not ended: the runs in which they began, by their ids. */
  readonly begun: Map<string, string>;
  /** Calls that were running when their process ended: each may have taken effect. */
  readonly interrupted: { readonly tool: string; readonly arguments: Json }[];
  /** Files whose changes a person has undone, and the model was not told of yet. */
  undone: readonly string[];

  // ── Of the run, which begins anew with every task ──
  calls: CallRecord[];
  /** What was done, in the order in which it ended. */
  done: DoneCall[];
  /** Calls that were proposed and not run, since the run ended first. */
  notRun: string[];
  steps: number;
  inputTokens: number;
  /** Those of the input that the server had kept from earlier requests. */
  cachedInputTokens: number;
  outputTokens: number;
  /** Whether some of the tokens were counted by rein. */
  estimated: boolean;
  /** Denied calls since the last one that was not. */
  denialsInARow: number;
  /** Whether a call of the newest step with calls was denied. */
  deniedLately: boolean;
  repetition: Repetition;
  /** The text of the newest turn, as far as it came. */
  text: string;
  /** How the newest turn ended and whether it proposed calls. */
  turn: { readonly finishReason: FinishReason; readonly calls: number } | null;
  /** How often the answer was asked for again, since it did not fit its schema. */
  corrections: number;
  /** The answer as data, once it fits its schema; else null. */
  data: Json;
  /** Whether the model has summed up, as the last thing of a run that had stopped. */
  closed: boolean;
  /** Whether nothing more of the context could be left out, and it did not fit. */
  exhausted: boolean;
  error: RunError | null;
  /** When the run began, and when it was last heard of, in milliseconds since the epoch. */
  startedMs: number;
  lastMs: number;
  /** How it ended; null while it goes on, or if its process ended first. */
  stop: StopReason | null;
}

/** The part of the state that begins anew with every run. */
function freshRun() {
  return {
    calls: [],
    done: [],
    notRun: [],
    steps: 0,
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    estimated: false,
    denialsInARow: 0,
    deniedLately: false,
    repetition: new Repetition(),
    text: "",
    turn: null,
    corrections: 0,
    data: null,
    closed: false,
    exhausted: false,
    error: null,
    stop: null,
  } satisfies Partial<RunRecord>;
}

/** A session before its first run. */
export function newRecord(): RunRecord {
  return {
    task: "",
    taskEntry: 0,
    session: null,
    entries: [],
    entryCount: 0,
    compaction: {
      window: null,
      roundTokens: null,
      condensedThrough: 0,
      summarisedThrough: 0,
      digests: [],
      facts: [],
      factsLeft: 0,
      count: 0,
    },
    answers: 0,
    callIds: new Set(),
    begun: new Map(),
    interrupted: [],
    undone: [],
    ...freshRun(),
    startedMs: 0,
    lastMs: 0,
  };
}

/** Said to a model that is to go on with a task after its run had stopped. */
export const GO_ON = "Go on with the task where it was left.";

/** The code of a call that was proposed and not run, since the run ended first. */
export const NOT_RUN_CODE = "not_run";

/** The code of a call that was running when its process ended. */
export const INTERRUPTED_CODE = "interrupted";

type Of<Type extends EventBody["type"]> = Extract<Event, { type: Type }>;

function say(record: RunRecord, content: string): void {
  record.entries.push({ kind: "said", number: ++record.entryCount, content });
}

/** What a person says, after what they have undone since. */
function sayAfterUndo(record: RunRecord, content: string): void {
  const { undone } = record;
  record.undone = [];
  if (undone.length === 0) return say(record, content);
  const note = `I have undone your changes of these files, which are as they were before: ${
    undone.join(", ")
  }.`;
  say(record, `${note}\n\n${content}`);
}

function beginRun(record: RunRecord, event: Of<"run_started">): void {
  const atMs = Date.parse(event.at);
  record.session = event.session;
  if (event.resumed === "crashed") {
    // The time in which no process was there is nobody's.
    record.startedMs = atMs - (record.lastMs - record.startedMs);
    if (record.undone.length > 0) sayAfterUndo(record, GO_ON);
    return;
  }
  Object.assign(record, freshRun(), { startedMs: atMs });
  if (event.resumed === "stopped") return sayAfterUndo(record, GO_ON);
  record.task = event.task;
  record.taskEntry = record.entryCount + 1;
  sayAfterUndo(record, event.task);
}

function beginStep(record: RunRecord): void {
  record.steps++;
  record.text = "";
  record.turn = null;
}

function addUsage(record: RunRecord, usage: Of<"turn_finished">["usage"]): void {
  record.answers++;
  record.inputTokens += usage.input_tokens;
  record.cachedInputTokens += usage.cached_input_tokens ?? 0;
  record.outputTokens += usage.output_tokens;
  record.estimated ||= usage.estimated;
}

function addTurn(record: RunRecord, event: Of<"turn_finished">): void {
  const { content, reasoning, calls, finish_reason: finishReason } = event;
  addUsage(record, event.usage);
  for (const { id } of calls) record.callIds.add(id);
  record.text = content;
  record.closed = event.closing;
  if (!event.closing) record.turn = { finishReason, calls: calls.length };
  if (calls.length > 0) record.deniedLately = false;
  // A turn that says nothing at all would be refused by servers when it is sent back.
  if (content === "" && calls.length === 0) return;
  record.entries.push({
    kind: "round",
    number: ++record.entryCount,
    step: record.steps,
    message: { role: "assistant", content, calls, ...(reasoning ? { reasoning } : {}) },
    results: new Map(),
  });
}

/** The newest round, or null before the first. */
export function newestRound(record: RunRecord): RoundEntry | null {
  const round = record.entries.findLast(({ kind }) => kind === "round");
  return round?.kind === "round" ? round : null;
}

/** Calls of a turn that run at the same time end in any order; they are reported in theirs. */
function insertCall(record: RunRecord, call: CallRecord, order: readonly string[]): void {
  const later = order.slice(order.indexOf(call.id) + 1);
  const at = record.calls.findIndex(({ id, step }) => step === call.step && later.includes(id));
  record.calls.splice(at === -1 ? record.calls.length : at, 0, call);
}

function addCall(record: RunRecord, event: Of<"call_finished">): void {
  const { observation, tool, call_id: id, brief } = event;
  const round = newestRound(record);
  const { status, summary } = observation;
  const done = { step: record.steps, what: `${tool} ${brief}`.trim(), status, summary };
  round?.results.set(id, { content: renderObservation(observation), done });
  record.begun.delete(id);
  if (observation.error?.code === INTERRUPTED_CODE) {
    record.interrupted.push({ tool, arguments: event.arguments });
  }
  if (observation.error?.code === NOT_RUN_CODE) {
    record.notRun.push(done.what);
    return;
  }
  const denied = status === "denied";
  record.denialsInARow = denied ? record.denialsInARow + 1 : 0;
  record.deniedLately ||= denied;
  record.done.push(done);
  record.repetition.add({ tool, arguments: event.arguments, observation, step: record.steps });
  insertCall(record, {
    id,
    step: record.steps,
    tool,
    arguments: event.arguments,
    decision: event.decision,
    status,
    ms: event.ms,
    truncated: observation.truncated.length > 0,
  }, round?.message.calls.map((call) => call.id) ?? []);
}

/** An answer that fits is the answer; one that does not is asked for again, as long as it may be. */
function checkAnswer(record: RunRecord, event: Of<"answer_checked">): void {
  record.data = event.data;
  if (event.answer !== null) record.text = event.answer;
  if (event.correction === null) return;
  say(record, event.correction);
  record.corrections++;
  record.text = "";
  record.turn = null;
}

function compact(record: RunRecord, event: Of<"context_compacted">): void {
  if (event.usage !== null) addUsage(record, event.usage);
  const { entries, compaction } = compacted(record, event);
  Object.assign(record.compaction, compaction);
  record.entries.splice(0, record.entries.length, ...entries);
}

/** Brings the record to where it is after an event. */
export function apply(record: RunRecord, event: Event): void {
  switch (event.type) {
    case "run_started":
      beginRun(record, event);
      break;
    case "step_started":
      beginStep(record);
      break;
    case "text_delta":
      record.text += event.text;
      break;
    case "text_restarted":
      record.text = "";
      break;
    case "turn_finished":
      addTurn(record, event);
      break;
    case "call_started":
      // One that is taken up again began before.
      if (!record.begun.has(event.call_id)) record.begun.set(event.call_id, event.run_id);
      break;
    case "call_finished":
      addCall(record, event);
      break;
    case "context_compacted":
      compact(record, event);
      break;
    case "answer_checked":
      checkAnswer(record, event);
      break;
    case "changes_undone":
      record.undone = [...new Set([...record.undone, ...event.paths])];
      break;
    case "run_finished":
      record.stop = event.result.stop_reason;
      break;
  }
  record.lastMs = Date.parse(event.at);
}

/** Notes what went wrong with the model; the run then ends. */
export function noteError(record: RunRecord, error: RunError | null): void {
  record.error = error;
}

/** Notes that the model is asked for its last words; they are told like any others. */
export function beginClosing(record: RunRecord): void {
  record.closed = true;
  record.text = "";
}

/** Notes that the session can't be kept any more, so that nobody is sent to resume it. */
export function noteUnkept(record: RunRecord): void {
  record.session = null;
}

/** Notes that the model's window is full of what can't be left out; the run then ends. */
export function noteExhausted(record: RunRecord): void {
  record.exhausted = true;
}

/** Calls of the newest turn that have no result. */
export function openCalls(record: RunRecord): AssistantMessage["calls"] {
  const round = newestRound(record);
  return round?.message.calls.filter(({ id }) => !round.results.has(id)) ?? [];
}
