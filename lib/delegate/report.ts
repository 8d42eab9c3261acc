/**
 * What came of the tasks of a call, as the model gets it: the summaries first, large data bounded.
 *
 * @module
 */

import { clip } from "../results/characters.ts";
import type { Json, JsonObject, ToolContext, ToolOutcome, Truncation } from "../types.ts";
import { isObtained, type TaskOutcome, TIMEOUT } from "./task_outcome.ts";
import type { Attachment, TaskData } from "./types.ts";

/** Characters that the data of all tasks take together at the most. */
const DATA_CHARS = 5000;

/** The least that one task gets, and what it gets of its summary. */
const LEAST_CHARS = 200;
const SUMMARY_CHARS = 600;

/** How a task stands in the result. */
function statusOf({ end }: TaskOutcome): string {
  switch (end.kind) {
    case "result":
      return end.result.status;
    case "failed":
      return "failed";
    case "not_obtained":
      return `not obtained: ${end.why}`;
  }
}

/** What went wrong, wholly or in part. */
function errorOf({ end }: TaskOutcome): JsonObject | null {
  const error = end.kind === "result" ? end.result.error : end.kind === "failed" ? end.error : null;
  if (error === null) return null;
  const { code, message, retriable } = error;
  return { code, message: clip(message, SUMMARY_CHARS), retriable };
}

function costOf({ end }: TaskOutcome): JsonObject | null {
  if (end.kind !== "result") return null;
  const { input_tokens, output_tokens, latency_ms } = end.result.cost;
  return { input_tokens, output_tokens, latency_ms };
}

/** Data without its summary, which stands by itself if it is short. */
function restOf(data: TaskData): JsonObject {
  if (data.summary.length > SUMMARY_CHARS) return data;
  const { summary: _summary, ...rest } = data as JsonObject;
  return rest;
}

/** What is collected while a report is made. */
interface Pieces {
  /** Long texts, by the names of their fields. */
  readonly texts: { [field: string]: string };
  readonly truncated: Truncation[];
  readonly collect: ToolContext["collect"];
  /** Characters that the data of one task take. */
  readonly share: number;
}

/** Puts a long text into a field of its own, cut. */
function collected(
  field: string,
  text: string,
  { texts, truncated, collect, share }: Pieces,
): void {
  const head = Math.ceil(share * 0.8);
  const collector = collect({ field, limit: { head, tail: share - head }, raw: false });
  collector.push(text);
  const { text: kept, truncated: cuts } = collector.finish();
  texts[field] = kept;
  truncated.push(...cuts);
}

/** Data in place where it is short; else the name of the field that holds it. */
function dataOf(name: string, data: TaskData, pieces: Pieces): JsonObject {
  const rest = restOf(data);
  if (Object.keys(rest).length === 0) return {};
  if (JSON.stringify(rest).length <= pieces.share) return { data: rest };
  const field = `data_of_${name}`;
  // Lines, so that whoever reads on finds their way.
  collected(field, JSON.stringify(rest, null, 1), pieces);
  return { data: `in "${field}"` };
}

function attachmentOf(name: string, attachment: Attachment, pieces: Pieces): Json {
  const { media_type, text, url, bytes } = attachment;
  const about = {
    name: attachment.name,
    media_type,
    ...(bytes === undefined ? {} : { bytes }),
    ...(url === undefined ? {} : { url }),
  };
  if (text === undefined) return about;
  const field = `${attachment.name}_of_${name}`;
  collected(field, text, pieces);
  return { ...about, text: `in "${field}"` };
}

function attachmentsOf(outcome: TaskOutcome, pieces: Pieces): JsonObject {
  const { task, end } = outcome;
  const list = end.kind === "result" ? end.result.attachments ?? [] : [];
  if (list.length === 0) return {};
  return { attachments: list.map((one) => attachmentOf(task.name, one, pieces)) };
}

/** One task, its summary before everything that may be long. */
function entryOf(outcome: TaskOutcome, pieces: Pieces): JsonObject {
  const { task: { name, agent, intent }, end } = outcome;
  const data = end.kind === "result" ? end.result.data : null;
  const error = errorOf(outcome);
  const cost = costOf(outcome);
  return {
    id: name,
    agent: agent.name,
    intent: intent.name,
    ...(outcome.id === null ? {} : { task_id: outcome.id }),
    status: statusOf(outcome),
    ...(data === null ? {} : { summary: clip(data.summary, SUMMARY_CHARS) }),
    ...(error === null ? {} : { error }),
    ...(data === null ? {} : dataOf(name, data, pieces)),
    ...attachmentsOf(outcome, pieces),
    ...(cost === null ? {} : { cost }),
  };
}

/** The tasks in a few words: `2 of 3 obtained, 1 timeout`. */
function summaryOf(outcomes: readonly TaskOutcome[]): string {
  const count = (what: (outcome: TaskOutcome) => boolean) => outcomes.filter(what).length;
  const late = count(({ end }) => end.kind === "not_obtained" && end.why === TIMEOUT);
  const part = count(({ end }) => end.kind === "result" && end.result.status === "partial_success");
  return [
    `${count(isObtained)} of ${outcomes.length} obtained`,
    ...(part === 0 ? [] : [`${part} in part`]),
    ...(late === 0 ? [] : [`${late} timed out`]),
  ].join(", ");
}

/** Said where something is missing. */
const SAY_WHAT_IS_MISSING =
  "Use what was obtained, and say in the answer what was not obtained and why.";

/** The outcome of a call. Tasks that failed are told in it: others may have brought something. */
export function reportOf(
  outcomes: readonly TaskOutcome[],
  collect: ToolContext["collect"],
): ToolOutcome {
  const share = Math.max(LEAST_CHARS, Math.floor(DATA_CHARS / Math.max(1, outcomes.length)));
  const pieces: Pieces = { texts: {}, truncated: [], collect, share };
  const tasks = outcomes.map((outcome) => entryOf(outcome, pieces));
  const obtained = summaryOf(outcomes);
  const whole = outcomes.every(isObtained);
  return {
    ok: true,
    data: { obtained, ...(whole ? {} : { note: SAY_WHAT_IS_MISSING }), tasks, ...pieces.texts },
    summary: obtained,
    truncated: pieces.truncated,
  };
}
