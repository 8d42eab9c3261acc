/**
 * What happens to a proposed call, stage by stage: resolve, parse, validate,
 * judge, approve, execute. Each stage hands on or ends the call with an
 * observation; nothing throws past the pipeline.
 *
 * @module
 */

import type { Clock } from "../ports.ts";
import { clip } from "../results/characters.ts";
import { failed } from "../results/observe.ts";
import type { Results } from "../results/results.ts";
import type { EventBody } from "../events.ts";
import type { ComparedCall } from "../repetition.ts";
import type {
  Approval,
  Decision,
  Effect,
  Evaluation,
  FinishReason,
  Json,
  JsonObject,
  JudgeRequest,
  Observation,
  ObservationError,
  Subject,
  Tool,
  ToolCall,
} from "../types.ts";
import { type Breaker, MAX_FAILURES } from "./breaker.ts";
import { closest } from "./closest.ts";
import { denialOf } from "./denial.ts";
import { execute } from "./execute.ts";
import { parseArguments } from "./parse.ts";
import { previewOf } from "./preview.ts";
import { repairArguments } from "./repair.ts";
import { validateArguments } from "./validate.ts";

/** What a person is asked about. */
export interface ApprovalRequest {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The arguments in a few words. */
  readonly brief: string;
  /** What it touches, as it was judged. */
  readonly subjects: readonly Subject[];
  /** What the call would do, or null where its tool does not tell. */
  readonly preview: string | null;
  readonly evaluation: Evaluation;
}

/** Asks whoever is there whether a call may run; never throws. */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<Approval>;

/** What the pipeline needs from its run. */
export interface CallPorts {
  readonly tools: readonly Tool[];
  /** Never rejects: doubt is in the evaluation. */
  readonly judge: (request: JudgeRequest) => Promise<Evaluation>;
  readonly approve: Approver;
  readonly clock: Clock;
  readonly results: Results;
  /** A number from 0 to 1, another one each time. */
  readonly random: () => number;
  readonly breaker: Breaker;
  /** Said to the model of a call that it has made before with the same result, or null. */
  readonly hint: (call: Omit<ComparedCall, "step">) => string | null;
  /** The run in which a call began: an earlier one, where its process has ended. */
  readonly runOf: (callId: string) => string;
  /** In a dry run: what this judge does not allow is only described. Null where all is run. */
  readonly readOnly: ((request: JudgeRequest) => Promise<Evaluation>) | null;
}

/** How a call went. */
export interface FinishedCall {
  readonly call: ToolCall;
  /** The parsed arguments, or the model's text where it did not parse. */
  readonly arguments: Json;
  readonly decision: Decision | null;
  /** The arguments in a few words. */
  readonly brief: string;
  readonly observation: Observation;
  readonly ms: number;
}

/** Characters of a call's brief form. */
const BRIEF_CHARS = 120;

/** A stage: it tells what happens and ends in an observation. */
type Stage = AsyncGenerator<EventBody, Observation>;

/** One call on its way; what the stages learn of it is filled in. */
interface Progress {
  readonly call: ToolCall;
  readonly finishReason: FinishReason;
  readonly ports: CallPorts;
  readonly signal: AbortSignal;
  /** Whether an earlier process had begun it, and ended; whoever had to approve it has done so. */
  readonly again: boolean;
  arguments: Json;
  brief: string;
  decision: Decision | null;
  /** What the model should know beside the result. */
  note: string | null;
}

/** Said of a call whose arguments were mended. */
const REPAIRED = "The arguments were not valid JSON and were mended; send strict JSON.";

/** Said of a call that an earlier process had begun, and that can't be run again. */
const NOT_TAKEN_UP = "rein was ended while this call ran; whether it took effect is not known.";

/** How much of what a call would do the model gets to see. */
const WOULD_LIMIT = { head: 3000, tail: 1000 };

/** Said of a call that a dry run did not run. */
const DRY_RUN = "This is a dry run: the call was not run and changed nothing. Go on as if it had " +
  "succeeded where that makes sense, and list in the answer what would be changed.";

function refused(code: string, message: string, hint: string): Observation {
  return failed("error", { code, message, hint, retriable: false });
}

/** A text without its secrets. */
function withoutSecrets(text: string, { results }: CallPorts): string {
  return String(results.redact({ text })["text"]);
}

/** One line of at most {@linkcode BRIEF_CHARS} characters, without half a secret at its end. */
function oneLine(text: string, ports: CallPorts): string {
  return clip(withoutSecrets(text, ports).replace(/\s+/g, " ").trim(), BRIEF_CHARS);
}

/** Whatever ended a call says its arguments again; secrets among them do not go on from there. */
function cleaned(observation: Observation, ports: CallPorts): Observation {
  const { error, summary } = observation;
  if (error === null) return observation;
  const [message, hint] = [error.message, error.hint].map((text) => withoutSecrets(text, ports));
  return {
    ...observation,
    error: { ...error, message: message ?? "", hint: hint ?? "" },
    summary: withoutSecrets(summary, ports),
  };
}

function outOfUse(name: string): Observation {
  const message = `${name} failed ${MAX_FAILURES} times in a row and is out of use in this run`;
  const hint = "Use another tool, or say what could not be obtained.";
  return failed("unavailable", { code: "unavailable", message, hint, retriable: false });
}

/** A stage that breaks ends the call before it runs. */
async function* guarded(progress: Progress): Stage {
  try {
    return yield* resolve(progress);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return refused("internal", `The call could not be judged: ${message}`, "Try another way.");
  }
}

async function* resolve(progress: Progress): Stage {
  const { call, ports } = progress;
  const tool = ports.tools.find(({ name }) => name === call.name);
  if (tool && !ports.breaker.available(tool.name)) return outOfUse(tool.name);
  if (tool) return yield* parse(progress, tool);
  const names = ports.tools.map(({ name }) => name);
  const near = closest(call.name, names);
  const hint = near.length === 0
    ? `The tools are ${names.join(", ")}.`
    : `Did you mean ${near.join(" or ")}?`;
  return refused("unknown_tool", `There is no tool "${call.name}"`, hint);
}

async function* parse(progress: Progress, tool: Tool): Stage {
  const { call, finishReason } = progress;
  if (finishReason === "length") {
    const message = "The call was cut off by the output limit and was not run";
    return refused("cut_off", message, "Send it again, shorter.");
  }
  const parsed = parseArguments(call.arguments);
  if (parsed.ok) return yield* validate(progress, tool, parsed.args);
  const repaired = await repairArguments(call.arguments);
  if (repaired === null) return notParsed(call.arguments, parsed.error, progress.ports);
  progress.note = REPAIRED;
  return yield* validate(progress, tool, repaired);
}

/** What is wrong with arguments that do not parse; what is shown of them holds no half a secret. */
function notParsed(text: string, error: ObservationError, ports: CallPorts): Observation {
  const clean = withoutSecrets(text, ports);
  if (clean === text) return failed("error", error);
  const again = parseArguments(clean);
  return again.ok
    ? refused("invalid_arguments", "Arguments are not JSON", "Send strict JSON.")
    : failed("error", again.error);
}

async function* validate(progress: Progress, tool: Tool, args: JsonObject): Stage {
  progress.arguments = args;
  const faults = await validateArguments(tool.parameters, args);
  if (faults !== null) {
    const hint = "Correct the arguments and send the call again.";
    // The words show the beginnings of values, which must not be those of secrets.
    const clean = progress.ports.results.redact(args);
    const words = await validateArguments(tool.parameters, clean) ?? "a value does not fit";
    return refused("invalid_arguments", `Arguments of ${tool.name}: ${words}`, hint);
  }
  progress.brief = oneLine(tool.brief(args), progress.ports);
  const error = await tool.check?.(args) ?? null;
  if (error !== null) return failed("error", error);
  return yield* judge(progress, tool, args);
}

async function* judge(progress: Progress, tool: Tool, args: JsonObject): Stage {
  const { call, ports } = progress;
  const subjects = tool.subjects(args);
  const request = { tool: tool.name, effect: tool.effect, subjects };
  const evaluation = await ports.judge(request);
  progress.decision = evaluation.decision;
  yield { type: "call_judged", call_id: call.id, tool: tool.name, evaluation };
  if (evaluation.decision !== "deny" && await isRehearsed(request, ports)) {
    return await rehearse(progress, tool, args);
  }
  switch (evaluation.decision) {
    case "allow":
      return yield* run(progress, tool, args);
    case "ask":
      if (progress.again) return yield* run(progress, tool, args);
      return yield* approve(progress, tool, args, { subjects, evaluation });
    case "deny":
      return failed("denied", denialOf(evaluation, null));
  }
}

/** Whether a call changes something, in a run that is to change nothing. */
async function isRehearsed(request: JudgeRequest, { readOnly }: CallPorts): Promise<boolean> {
  return readOnly !== null && (await readOnly(request)).decision !== "allow";
}

/** What a call would have done, instead of doing it. */
async function rehearse(progress: Progress, tool: Tool, args: JsonObject): Promise<Observation> {
  const { decision, ports } = progress;
  const would = await previewOf(tool, args) ?? tool.brief(args);
  const outcome = {
    ok: true,
    data: { dry_run: true, decision, would },
    summary: `dry run: not run (${decision})`,
  } as const;
  progress.note = DRY_RUN;
  return ports.results.observe(outcome, { would: WOULD_LIMIT });
}

async function* approve(
  progress: Progress,
  tool: Tool,
  args: JsonObject,
  judged: Pick<ApprovalRequest, "subjects" | "evaluation">,
): Stage {
  const { call, ports, brief, signal } = progress;
  yield { type: "approval_requested", call_id: call.id, tool: tool.name };
  const preview = await previewOf(tool, args);
  const request = { tool: tool.name, arguments: args, brief, preview, ...judged };
  const approval = await ports.approve(request, signal);
  yield { type: "approval_answered", call_id: call.id, tool: tool.name, approval };
  if (!approval.granted) return failed("denied", denialOf(judged.evaluation, approval));
  return yield* run(progress, tool, args);
}

async function* run(progress: Progress, tool: Tool, args: JsonObject): Stage {
  const { call, ports, brief, signal, again } = progress;
  if (again) progress.note = null;
  yield { type: "call_started", call_id: call.id, tool: tool.name, brief };
  const may = async (effect: Effect, subject: Subject) => {
    const { decision } = await ports.judge({ tool: tool.name, effect, subjects: [subject] });
    return decision === "allow";
  };
  const mayRead = (path: string) => may("read", { kind: "path", access: "read", path });
  const mayReach = (host: string) => may("network", { kind: "host", host, access: "read" });
  const { clock, random, results } = ports;
  const identity = { run: ports.runOf(call.id), id: call.id, again };
  const context = { call: identity, clock, random, results, signal, mayRead, mayReach };
  const observation = await execute(tool, args, context);
  ports.breaker.note(tool, observation);
  return observation;
}

/**
 * Takes one call through all stages.
 *
 * @param call As the model proposed it.
 * @param finishReason How the model's turn ended; a call that was cut off never runs.
 * @param ports What the stages need.
 * @param signal Aborted when the run is interrupted: the call then ends `cancelled`.
 * @returns How it went; yields what happens, from `call_proposed` to `call_finished`.
 */
export async function* runCall(
  call: ToolCall,
  finishReason: FinishReason,
  ports: CallPorts,
  signal: AbortSignal,
): AsyncGenerator<EventBody, FinishedCall> {
  yield { type: "call_proposed", call_id: call.id, tool: call.name, arguments: call.arguments };
  return yield* take(call, { finishReason, ports, signal, again: false });
}

/**
 * Takes up a call that an earlier process had begun: its tool is run again, told so. It is judged
 * anew, and what asks was answered then.
 *
 * @returns How it went; yields what happens, to `call_finished`.
 */
export function takeUpCall(
  call: ToolCall,
  ports: CallPorts,
  signal: AbortSignal,
): AsyncGenerator<EventBody, FinishedCall> {
  return take(call, { finishReason: "calls", ports, signal, again: true });
}

async function* take(
  call: ToolCall,
  way: Pick<Progress, "finishReason" | "ports" | "signal" | "again">,
): AsyncGenerator<EventBody, FinishedCall> {
  const { ports } = way;
  const startedMs = ports.clock.now();
  const progress: Progress = {
    call,
    ...way,
    arguments: call.arguments,
    brief: oneLine(call.arguments, ports),
    decision: null,
    note: way.again ? NOT_TAKEN_UP : null,
  };
  const ended = cleaned(yield* guarded(progress), ports);
  const { brief, decision, arguments: args } = progress;
  const hint = ports.hint({ tool: call.name, arguments: args, observation: ended });
  const notes = [progress.note, hint].filter((note) => note !== null);
  const observation = notes.length === 0 ? ended : { ...ended, note: notes.join(" ") };
  const ms = ports.clock.now() - startedMs;
  yield {
    type: "call_finished",
    call_id: call.id,
    tool: call.name,
    brief,
    arguments: args,
    decision,
    observation,
    ms,
  };
  return { call, arguments: args, decision, brief, observation, ms };
}
