/**
 * What stands in for the world in an offline replay: the model says what it said, calls bring what
 * they brought, the person answers as they did.
 *
 * @module
 */

import type { Approver } from "../calls/pipeline.ts";
import type { TurnFailure } from "../debug/lines.ts";
import type { RecordedAsk, RecordedRun } from "../debug/read.ts";
import type { Event } from "../events.ts";
import type { Results } from "../results/results.ts";
import {
  type Approval,
  type Evaluation,
  type Json,
  type Model,
  type ModelChunk,
  ModelError,
  type Observation,
  type Tool,
  type ToolOutcome,
} from "../types.ts";

type Finished = Extract<Event, { type: "call_finished" }>;

/** A call as it was recorded. */
export interface RecordedCall {
  readonly id: string;
  readonly tool: string;
  readonly arguments: Json;
  readonly brief: string;
  readonly evaluation: Evaluation | null;
  readonly approval: Approval | null;
  readonly observation: Observation;
}

/** The calls of a run that have ended, in the order in which they did. */
export function recordedCalls(events: readonly Event[]): readonly RecordedCall[] {
  const judged = new Map<string, Evaluation>();
  const answered = new Map<string, Approval>();
  const finished: Finished[] = [];
  for (const event of events) {
    if (event.type === "call_judged") judged.set(event.call_id, event.evaluation);
    if (event.type === "approval_answered") answered.set(event.call_id, event.approval);
    if (event.type === "call_finished") finished.push(event);
  }
  return finished.map(({ call_id: id, tool, arguments: args, brief, observation }) => ({
    id,
    tool,
    arguments: args,
    brief,
    evaluation: judged.get(id) ?? null,
    approval: answered.get(id) ?? null,
    observation,
  }));
}

/** Where a call of this tool with these arguments is; -1: nowhere. */
function indexOfCall(calls: readonly RecordedCall[], tool: string, args: Json): number {
  const wanted = JSON.stringify(args);
  return calls.findIndex((call) => call.tool === tool && JSON.stringify(call.arguments) === wanted);
}

/** The first call of this tool with these arguments; null: it was not made. */
export function recordedCallOf(
  calls: readonly RecordedCall[],
  tool: string,
  args: Json,
): RecordedCall | null {
  return calls[indexOfCall(calls, tool, args)] ?? null;
}

/** Takes calls by their tool and arguments: the same one twice is taken in its order. */
export class CallQueue {
  readonly #waiting: RecordedCall[];

  constructor(calls: readonly RecordedCall[]) {
    this.#waiting = [...calls];
  }

  take(tool: string, args: Json): RecordedCall | null {
    const index = indexOfCall(this.#waiting, tool, args);
    return index === -1 ? null : this.#waiting.splice(index, 1)[0] ?? null;
  }
}

/** What a recorded model needs to know of its run. */
export interface ModelStage {
  readonly run: RecordedRun;
  /** Is told what the model is asked, before it answers. */
  readonly onAsk: (asked: RecordedAsk, request: Parameters<Model["ask"]>[0]) => void;
  /** Is told that the model is asked more often than it was. */
  readonly onMore: () => void;
  /** Ends the run as it was ended: by a person or its time. */
  readonly interrupt: () => void;
}

/** The model of a run, as it was. */
export function replayedModel({ run, onAsk, onMore, interrupt }: ModelStage): Model {
  const { name, source, recorded, binds_answers, sends_reasoning } = run.assembled.model;
  const waiting = [...run.asks];
  return {
    name,
    source,
    recorded,
    bindsAnswers: binds_answers,
    sendsReasoning: sends_reasoning,
    async *ask(request, signal): AsyncGenerator<ModelChunk> {
      const asked = waiting.shift();
      if (asked === undefined) {
        onMore();
        const message = "The recording has ended";
        throw new ModelError("recording_ended", message, { hint: "" });
      }
      onAsk(asked, request);
      const { turn } = asked;
      yield* turn?.notes ?? [];
      if (turn?.type === "turn") {
        const { message, finish_reason: finishReason, usage } = turn;
        if (message.reasoning) yield { type: "reasoning", text: message.reasoning };
        if (message.content !== "") yield { type: "text", text: message.content };
        yield { type: "turn_finished", message, finishReason, usage };
        return;
      }
      if (turn?.text) yield { type: "text", text: turn.text };
      if (turn?.error) throw modelError(turn.error);
      interrupt();
      await Promise.resolve();
      signal.throwIfAborted();
      throw new ModelError("recording_ended", "The recording breaks off here", { hint: "" });
    },
  };
}

function modelError({ code, message, hint, window }: TurnFailure): ModelError {
  return new ModelError(code, message, { hint, window });
}

/** Outcomes that stand for observations which were made before. */
export class ReplayedOutcomes {
  readonly #observations = new WeakMap<ToolOutcome, Observation>();

  /** An outcome that comes to this observation. */
  outcomeOf(observation: Observation): ToolOutcome {
    const outcome: ToolOutcome = { ok: true, data: {}, summary: observation.summary };
    this.#observations.set(outcome, observation);
    return outcome;
  }

  /** The same results, that know these outcomes. */
  within(results: Results): Results {
    return {
      ...results,
      observe: (outcome, limits) =>
        this.#observations.get(outcome) ?? results.observe(outcome, limits),
    };
  }
}

/** What a call that was only described would have done, as it was told then. */
function wouldOf(call: RecordedCall | null): string {
  const would = call?.observation.data?.["would"];
  if (typeof would !== "string") throw new TypeError("Nothing was told");
  return would;
}

/** What a tool of a replay needs to know of its run. */
export interface ToolStage {
  readonly outcomes: ReplayedOutcomes;
  readonly interrupt: () => void;
  /** Resolves when it is a call's turn to end. */
  readonly pass: (id: string) => Promise<void>;
}

/** A tool that brings what its calls brought. */
export function replayedTool(
  tool: Tool,
  calls: readonly RecordedCall[],
  { outcomes, interrupt, pass }: ToolStage,
): Tool {
  const queue = new CallQueue(calls.filter(({ tool: name }) => name === tool.name));
  return {
    ...tool,
    preview: (args) =>
      Promise.resolve().then(() => wouldOf(recordedCallOf(calls, tool.name, args))),
    run: async (args) => {
      const call = queue.take(tool.name, args);
      if (call === null) {
        const message = "This call was not made when the run was recorded";
        return { ok: false, error: { code: "not_recorded", message, hint: "", retriable: false } };
      }
      await pass(call.id);
      if (call.observation.error?.code === "interrupted") interrupt();
      return outcomes.outcomeOf(call.observation);
    },
  };
}

/** The person, who answers as they did. */
export function replayedApprover(calls: readonly RecordedCall[]): Approver {
  const queue = new CallQueue(calls.filter(({ approval }) => approval !== null));
  return ({ tool, arguments: args }) =>
    Promise.resolve(
      queue.take(tool, args)?.approval ??
        { granted: false, by: "nobody", reason: "nobody was asked when the run was recorded" },
    );
}
