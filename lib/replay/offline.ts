/**
 * The whole of a recorded run again, by today's rein: with the recorded model, against what its
 * calls brought. Nothing is executed. Where rein would go another way that is told, and the replay
 * stays on the recorded one.
 *
 * @module
 */

import { createAnswerForm } from "../answer/form.ts";
import { createContext } from "../context/context.ts";
import type { RecordedAsk, RecordedRun } from "../debug/read.ts";
import type { Event } from "../events.ts";
import { run, type RunPorts } from "../loop.ts";
import type { Clock } from "../ports.ts";
import type { RunRecord } from "../record.ts";
import { createResults } from "../results/results.ts";
import { guardInterrupted } from "../session/guard.ts";
import { restoreRecord } from "../session/restore.ts";
import { DEFAULT_LIMITS, type Prices } from "../stop.ts";
import type {
  Evaluation,
  Json,
  JsonObject,
  Judge,
  JudgeRequest,
  ModelRequest,
  Tool,
  ToolDefinition,
} from "../types.ts";
import {
  compareCalls,
  compareDefinitions,
  comparedResult,
  compareRequest,
  compareResults,
} from "./compare.ts";
import type { Difference } from "./difference.ts";
import { decisionDifference } from "./judge_again.ts";
import { ReplayClock } from "./replay_clock.ts";
import {
  CallQueue,
  type RecordedCall,
  recordedCallOf,
  recordedCalls,
  replayedApprover,
  replayedModel,
  ReplayedOutcomes,
  replayedTool,
} from "./stand_ins.ts";
import { Turnstile } from "./turnstile.ts";

/** Today's rein, as far as a replay takes it. */
export interface ReplayParts {
  /** The clock of the world; the run has one of its own. */
  readonly clock: Clock;
  /** Every tool that there is. None of them is run. */
  readonly tools: readonly Tool[];
  /** The policy of the recorded run, judged by today's rules of judging. */
  readonly judge: Judge;
  /** Allows what only reads. */
  readonly readOnly: Judge;
  /** Takes secrets out of data, as the debug log did. */
  readonly redact: (data: JsonObject) => JsonObject;
  /** The items of a task's list that are not done, by the events so far. */
  readonly openItems: (events: readonly Event[]) => readonly string[];
}

/** No place to keep anything. */
const NO_SPILLS = { available: () => false, kept: () => [], create: () => null, open: () => null };

/** A tool that rein does not have any more, or had from elsewhere. */
function unknownTool(definition: ToolDefinition): Tool {
  return {
    ...definition,
    effect: "execute",
    timeoutMs: 1000,
    limits: {},
    subjects: () => [],
    brief: (args) => JSON.stringify(args),
    run: () => Promise.reject(new TypeError("Nothing is run in a replay")),
  };
}

/** One run that is done again. */
class Replay {
  readonly differences: Difference[] = [];
  readonly #run: RecordedRun;
  readonly #parts: ReplayParts;
  readonly #calls: readonly RecordedCall[];
  readonly #judged: CallQueue;
  readonly #clock: ReplayClock;
  readonly #turnstile: Turnstile;
  readonly #interruption = new AbortController();
  readonly #tools: readonly Tool[];
  /** What today's run tells, without pieces of text. */
  readonly #told: Event[] = [];
  #asks = 0;
  /** Whether the recording ended before the run did: what comes then tells nothing. */
  #beyond = false;

  constructor(run: RecordedRun, parts: ReplayParts) {
    this.#run = run;
    this.#parts = parts;
    this.#calls = recordedCalls(run.events);
    this.#judged = new CallQueue(this.#calls);
    this.#clock = new ReplayClock(Date.parse(run.events[0]?.at ?? ""));
    this.#turnstile = new Turnstile(run.events, parts.clock);
    this.#tools = this.#toolsOf();
  }

  /** Does it again, and finds what differs. */
  async play(): Promise<void> {
    const { earlier, events: recorded, runId } = this.#run;
    const [first] = recorded;
    if (first?.type !== "run_started") return;
    const record = restoreRecord(earlier);
    const ports = await this.#ports(record);
    this.differences.push(...compareDefinitions(this.#run, this.#parts.tools));
    const task = first.resumed === "no" ? first.task : null;
    for await (const event of run({ task, record }, ports, this.#interruption.signal)) {
      if (event.type === "text_delta" || event.type === "reasoning_delta") continue;
      this.#told.push(event);
      this.#turnstile.told(event);
      // What happens next happened when the recording says.
      const at = recorded[this.#told.length]?.at;
      if (at !== undefined) this.#clock.set(Date.parse(at));
    }
    if (this.#beyond) return;
    const now = comparedResult(this.#told);
    this.differences.push(
      ...compareCalls(this.#run, this.#told),
      ...this.#asksDifference(),
      ...compareResults(runId, comparedResult(recorded), now && this.#parts.redact(now)),
    );
  }

  /** The recorded end came from outside: a person, or the time. */
  readonly #interrupt = (): void => {
    const { max_time_ms: maxTimeMs } = this.#run.assembled.limits;
    const late = comparedResult(this.#run.events)?.["stop_reason"] === "time_limit";
    if (late && maxTimeMs !== null) this.#clock.set(this.#clock.now() + maxTimeMs);
    else this.#interruption.abort(new DOMException("Interrupted, as it was", "AbortError"));
  };

  async #ports(record: RunRecord): Promise<RunPorts> {
    const { assembled, runId } = this.#run;
    const { answer_schema: schema, model: { binds_answers: bound } } = assembled;
    const outcomes = new ReplayedOutcomes();
    const interrupt = this.#interrupt;
    const pass = (id: string) => this.#turnstile.pass(id);
    const stage = { outcomes, interrupt, pass };
    const tools = this.#tools.map((tool) => replayedTool(tool, this.#calls, stage));
    const readOnly = (request: JudgeRequest) => Promise.resolve(this.#parts.readOnly(request));
    const judge = guardInterrupted(
      (request) => Promise.resolve(this.#parts.judge(request)),
      { record, tools, readOnly },
    );
    const model = replayedModel({
      run: this.#run,
      onAsk: (asked, request) => this.#asked(asked, request),
      onMore: () => this.#more(),
      interrupt,
    });
    const form = schema === null ? {} : { answerForm: await createAnswerForm(schema, { bound }) };
    return {
      model,
      tools: tools.map((tool) => this.#named(tool)),
      judge: (request) => this.#judge(request, judge),
      approve: replayedApprover(this.#calls),
      context: createContext({
        place: assembled.place,
        window: assembled.window,
        clock: this.#clock,
        sendsReasoning: () => assembled.model.sends_reasoning,
      }),
      limits: this.#limits(),
      clock: this.#clock,
      results: outcomes.within(createResults({ spills: NO_SPILLS, secrets: [] })),
      newId: () => runId,
      random: () => 0,
      session: assembled.session,
      openItems: () => this.#parts.openItems([...this.#run.earlier, ...this.#told]),
      readOnly: this.#wasDryRun() ? readOnly : null,
      ...form,
    };
  }

  /** A call that was recorded is told as it was: by arguments without their secrets. */
  #named(tool: Tool): Tool {
    const briefOf = (args: JsonObject) => recordedCallOf(this.#calls, tool.name, args)?.brief;
    return { ...tool, brief: (args) => briefOf(args) ?? tool.brief(args) };
  }

  #limits(): RunPorts["limits"] {
    const { max_steps, max_tokens, max_time_ms, max_cost, prices } = this.#run.assembled.limits;
    return {
      ...DEFAULT_LIMITS,
      maxSteps: max_steps,
      maxTokens: max_tokens,
      maxTimeMs: max_time_ms,
      maxCost: max_cost,
      prices: prices as Prices | null,
    };
  }

  /** Today's tools of the names that were offered, in their order. */
  #toolsOf(): readonly Tool[] {
    const { tools } = this.#parts;
    return this.#run.definitions.map((definition) =>
      tools.find(({ name }) => name === definition.name) ?? unknownTool(definition)
    );
  }

  #wasDryRun(): boolean {
    return this.#calls.some(({ observation }) => observation.data?.["dry_run"] === true);
  }

  /** Today's decision, for the comparison; the run goes on by the recorded one. */
  async #judge(
    request: JudgeRequest,
    judge: (request: JudgeRequest) => Promise<Evaluation>,
  ): Promise<Evaluation> {
    const now = await judge(request);
    const call = this.#takeJudged(request);
    if (call?.evaluation == null) return now;
    const known = this.#parts.tools.some(({ name }) => name === request.tool);
    if (known && call.evaluation.decision !== now.decision) {
      const { id, tool, brief, evaluation: { decision } } = call;
      const was = { run: this.#run.runId, call: id, tool, brief, decision };
      this.differences.push(decisionDifference(was, now));
    }
    return call.evaluation;
  }

  /** The recorded call that this is about: by what its arguments touch. */
  #takeJudged({ tool: name, subjects }: JudgeRequest): RecordedCall | null {
    const tool = this.#tools.find((other) => other.name === name);
    const wanted = JSON.stringify(subjects);
    for (const call of this.#calls) {
      if (call.tool !== name || call.evaluation === null) continue;
      const args = call.arguments;
      if (typeof args !== "object" || args === null || Array.isArray(args)) continue;
      if (tool === undefined || JSON.stringify(tool.subjects(args as JsonObject)) !== wanted) {
        continue;
      }
      const taken = this.#judged.take(name, args);
      if (taken !== null) return taken;
    }
    return null;
  }

  #more(): void {
    const recorded = comparedResult(this.#run.events);
    // A process that was killed has recorded no end: there is nothing to compare with.
    if (recorded === null) this.#beyond = true;
    else if (recorded["stop_reason"] === "interrupted") this.#interrupt();
    else this.#asks++;
  }

  #asked(asked: RecordedAsk, now: ModelRequest): void {
    this.#asks++;
    const difference = compareRequest(this.#run.runId, asked, this.#redacted(now));
    if (difference !== null) this.differences.push(difference);
  }

  #redacted({ messages }: ModelRequest): ModelRequest["messages"] {
    const redacted = this.#parts.redact({ messages: messages as unknown as Json });
    return redacted["messages"] as unknown as ModelRequest["messages"];
  }

  #asksDifference(): readonly Difference[] {
    const { runId: run, asks: { length: recorded } } = this.#run;
    return recorded === this.#asks ? [] : [{ kind: "asks", run, recorded, now: this.#asks }];
  }
}

/**
 * Does a recorded run again, offline.
 *
 * @returns Where today's rein differs; empty if nowhere.
 */
export async function replayOffline(
  recorded: RecordedRun,
  parts: ReplayParts,
): Promise<readonly Difference[]> {
  const replay = new Replay(recorded, parts);
  await replay.play();
  return replay.differences;
}
