/**
 * What a task and its result are in A2A, and what A2A's messages and tasks are here. Pure.
 *
 * A task is a message with its parameters as data and, for agents that read nothing else, as text.
 * A result is a task with one artifact. What A2A has no place for goes along in `metadata`, under the
 * URI of rein's own extension. What comes without that was made by others, and is read for what it
 * most likely means.
 *
 * @module
 */

import { type Artifact, type Message, type Part, Role, type Task, TaskState } from "@a2a-js/sdk";
import { clip } from "../results/characters.ts";
import type { JsonObject } from "../types.ts";
import {
  type Attachment,
  type Intent,
  RESULT_PROTOCOL,
  type ResultEnvelope,
  TASK_PROTOCOL,
  type TaskEnvelope,
  type TaskError,
} from "./types.ts";
import {
  attachmentOf,
  jsonObjectIn,
  noPart,
  objectOf,
  ownAttachment,
  partOfAttachment,
  textIn,
} from "./a2a_parts.ts";

/** The URI of rein's A2A extension: in the agent card, and the key in `metadata`. */
export const DELEGATION_EXTENSION = "urn:rein:delegation:1";

/** Seconds that a task of others may take: they have no field for it. The design's default. */
export const FOREIGN_TIMEOUT_SEC = 120;

/** What a message was read as. `value` is still to be checked to be a task envelope. */
export type ReadMessage =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly error: TaskError };

/** Where a task of A2A is. `result` is still to be checked to be a result envelope. */
export type ReadTask =
  | { readonly kind: "running" }
  | { readonly kind: "ended"; readonly result: JsonObject }
  /** Its state is none that is known. */
  | { readonly kind: "unclear" };

/** Where a task of ours is, as it is shown in A2A. */
export interface ShownTask {
  readonly task: TaskEnvelope;
  /** False: it has not begun. */
  readonly begun: boolean;
  /** Null until it has ended. */
  readonly result: ResultEnvelope | null;
}

/** Characters of others' texts that are a summary; what is longer goes into an attachment. */
const SUMMARY_CHARACTERS = 4_000;

/** Characters of others' texts about an error; the schema has room for 4,000. */
const ERROR_CHARACTERS = 1_000;

/** Attachments of one envelope, by the schema. */
const MAX_ATTACHMENTS = 64;

/** Top items of one result, by the schema. */
const MAX_TOP_ITEMS = 200;

/** What may be the id of a trace, by the schema. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._:~-]{0,127}$/;

const NO_COST = { input_tokens: 0, output_tokens: 0 };

/** Error codes of the states in which others' tasks end without success, and what they mean. */
const FAILURES = new Map<TaskState, { readonly code: string; readonly message: string }>([
  [TaskState.TASK_STATE_FAILED, { code: "agent_failed", message: "The agent says that it failed" }],
  [TaskState.TASK_STATE_CANCELED, { code: "cancelled", message: "The task was cancelled" }],
  [TaskState.TASK_STATE_REJECTED, { code: "rejected", message: "The agent rejects the task" }],
  [TaskState.TASK_STATE_INPUT_REQUIRED, {
    code: "input_required",
    message: "The agent asks back, and nobody can answer it",
  }],
  [TaskState.TASK_STATE_AUTH_REQUIRED, {
    code: "auth_required",
    message: "The agent wants an authentication that the directory does not have",
  }],
]);

const NO_CONTENT: TaskError = {
  code: "no_content",
  message: "The agent says that it is done, and sent nothing",
  retriable: false,
};

function textPart(value: string): Part {
  return { ...noPart, content: { $case: "text", value }, mediaType: "text/plain" };
}

function dataPart(value: JsonObject): Part {
  return { ...noPart, content: { $case: "data", value }, mediaType: "application/json" };
}

function messageOf(role: Role, messageId: string, parts: Part[]): Message {
  const ids = { contextId: "", taskId: "", referenceTaskIds: [] };
  return { messageId, ...ids, role, parts, metadata: undefined, extensions: [] };
}

/** What agents that read only text are told: the intent, what it is, and one parameter a line. */
function taskText(task: TaskEnvelope, intent: Intent | null): string {
  const params = Object.entries(task.params).map(([name, value]) =>
    `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`
  );
  return [task.intent, ...(intent ? [intent.description] : []), ...params].join("\n");
}

/**
 * The message that hands a task over. Its `messageId` is the task's id, so that an agent can see
 * that it has had it.
 *
 * @param intent What the directory knows of the intent, for agents that read only text.
 */
export function messageOfTask(task: TaskEnvelope, intent: Intent | null): Message {
  const { params, attachments, ...own } = task;
  const parts = [
    dataPart(params),
    textPart(taskText(task, intent)),
    ...(attachments ?? []).map((attachment) => partOfAttachment(attachment, null)),
  ];
  const listed = attachments ? { attachments: attachments.length } : {};
  return {
    ...messageOf(Role.ROLE_USER, task.task_id, parts),
    metadata: { [DELEGATION_EXTENSION]: { ...own, ...listed } },
    extensions: [DELEGATION_EXTENSION],
  };
}

/** The first object among parts that are data of their own, no attachments. */
function dataIn(parts: readonly Part[]): JsonObject | null {
  for (const { content } of parts) {
    const found = content?.$case === "data" ? objectOf(content.value) : null;
    if (found) return found;
  }
  return null;
}

/** rein's own fields, with the attachments that its parts carry; null: others made it. */
function ownFields(
  metadata: { readonly [key: string]: unknown } | undefined,
  parts: readonly Part[],
): JsonObject | null {
  const own = objectOf(metadata?.[DELEGATION_EXTENSION]);
  if (!own?.protocol) return null;
  const { attachments, ...fields } = own;
  if (attachments === undefined) return fields;
  return { ...fields, attachments: parts.flatMap((part) => ownAttachment(part) ?? []) };
}

function refuse(code: string, message: string): ReadMessage {
  return { ok: false, error: { code, message, retriable: false } };
}

/** The intent that a message of others is for: named in its metadata, or by its text, or the only one. */
function intentFor(message: Message, text: string, intents: readonly Intent[]): Intent | null {
  const named = message.metadata?.skill ?? message.metadata?.skillId;
  const asked = typeof named === "string" ? named : text.split("\n", 1)[0]?.trim();
  const found = intents.find(({ name }) => name === asked);
  if (found || typeof named === "string") return found ?? null;
  return intents.length === 1 ? intents[0] ?? null : null;
}

/** What is missing, in words of the parameters' schema: `order (string)`. */
function neededBy({ name, parameters, example }: Intent): string {
  const properties = objectOf(parameters.properties) ?? {};
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  const names = required.map((key) => {
    const type = objectOf(properties[String(key)])?.type;
    return typeof type === "string" ? `${key} (${type})` : String(key);
  });
  const shown = example ? `. Example: ${JSON.stringify(example)}` : "";
  return `${name} needs its parameters as a data part: ${names.join(", ")}${shown}`;
}

function needsNothing({ parameters }: Intent): boolean {
  return !Array.isArray(parameters.required) || parameters.required.length === 0;
}

function filesIn(parts: readonly Part[]): Attachment[] {
  const files = parts.flatMap((part, index) => attachmentOf(part, index) ?? []);
  return files.slice(0, MAX_ATTACHMENTS);
}

/** What others wrote around the parameters, as an attachment that the agent may read. */
function foreignAttachments(message: Message, text: string, used: boolean): Attachment[] {
  const files = filesIn(message.parts);
  if (used || text === "") return files;
  return [{ name: "message.txt", media_type: "text/plain", text }, ...files]
    .slice(0, MAX_ATTACHMENTS);
}

function foreignTask(message: Message, agent: string, intents: readonly Intent[]): ReadMessage {
  const text = textIn(message.parts);
  const intent = intentFor(message, text, intents);
  if (!intent) {
    const names = intents.map(({ name }) => name).join(", ");
    const how = "Name one as metadata.skill, or in the first line of the text";
    return refuse("unknown_intent", `It is not clear which skill is meant. ${how}: ${names}`);
  }
  const data = dataIn(message.parts);
  const written = data ? null : jsonObjectIn(text);
  const params = data ?? written ?? (needsNothing(intent) ? {} : null);
  if (!params) return refuse("invalid_params", neededBy(intent));
  const attachments = foreignAttachments(message, text, written !== null || text === intent.name);
  return {
    ok: true,
    value: {
      task_id: message.messageId,
      protocol: TASK_PROTOCOL,
      agent,
      intent: intent.name,
      params,
      callback: null,
      timeout_sec: FOREIGN_TIMEOUT_SEC,
      ...(ID.test(message.contextId) ? { trace_id: message.contextId } : {}),
      ...(attachments.length === 0 ? {} : { attachments: attachments.map((one) => ({ ...one })) }),
    },
  };
}

/**
 * What a message asks an agent for.
 *
 * @param agent The agent's name.
 * @returns What is still to be checked to be a task envelope; or, for a message of others that does
 *   not say enough, what it should say: `unknown_intent`, `invalid_params`.
 */
export function taskOfMessage(
  message: Message,
  agent: string,
  intents: readonly Intent[],
): ReadMessage {
  const own = ownFields(message.metadata, message.parts);
  if (!own) return foreignTask(message, agent, intents);
  return { ok: true, value: { ...own, params: dataIn(message.parts) ?? {} } };
}

function stateOf({ begun, result }: ShownTask): TaskState {
  if (!result) return begun ? TaskState.TASK_STATE_WORKING : TaskState.TASK_STATE_SUBMITTED;
  if (result.status !== "failed") return TaskState.TASK_STATE_COMPLETED;
  const cancelled = result.error?.code === "cancelled";
  return cancelled ? TaskState.TASK_STATE_CANCELED : TaskState.TASK_STATE_FAILED;
}

/** The id of the context that a task of ours is in: what came of the same question. */
export function contextOf(task: TaskEnvelope): string {
  return task.trace_id ?? task.task_id;
}

/** A message of the agent about a task, for people. */
export function agentMessage(task: TaskEnvelope, id: string, text: string): Message {
  const message = messageOf(Role.ROLE_AGENT, `${task.task_id}.${id}`, [textPart(text)]);
  return { ...message, taskId: task.task_id, contextId: contextOf(task) };
}

function artifactsOf({ data, attachments }: ResultEnvelope, base: URL | null): Artifact[] {
  const parts = [
    ...(data ? [textPart(data.summary), dataPart(data)] : []),
    ...(attachments ?? []).map((attachment) => partOfAttachment(attachment, base)),
  ];
  if (parts.length === 0) return [];
  const named = { artifactId: "result", name: "result", description: "What the task brought" };
  return [{ ...named, parts, metadata: undefined, extensions: [DELEGATION_EXTENSION] }];
}

/**
 * A task of ours, as A2A has it: its id is the task's id, its result the artifact `result`.
 *
 * @param base What addresses of attachments are relative to; null: they stay as they are.
 */
export function a2aTaskOf(shown: ShownTask, base: URL | null): Task {
  const { task, result } = shown;
  const status = { state: stateOf(shown), message: undefined, timestamp: undefined };
  const known = { id: task.task_id, contextId: contextOf(task), history: [] };
  if (!result) return { ...known, status, artifacts: [], metadata: undefined };
  const { data, attachments, ...own } = result;
  const listed = attachments ? { attachments: attachments.length } : {};
  const text = result.error?.message ?? data?.summary ?? "";
  return {
    ...known,
    status: { ...status, message: agentMessage(task, "end", text) },
    artifacts: artifactsOf(result, base),
    metadata: { [DELEGATION_EXTENSION]: { ...own, ...listed } },
  };
}

/** All data of others: the only object as it is, else a list of what there is. */
function foreignData(parts: readonly Part[]): JsonObject {
  const found = parts.flatMap(({ content }) => content?.$case === "data" ? [content.value] : []);
  const only = found.length === 1 ? objectOf(found[0]) : null;
  if (only) return only;
  return found.length === 0 ? {} : { data: found.length === 1 ? found[0] : found };
}

function summaryOf(text: string, data: JsonObject, files: readonly Attachment[]): string | null {
  if (text !== "") return clip(text, SUMMARY_CHARACTERS);
  const { summary } = data;
  if (typeof summary === "string" && summary !== "") return clip(summary, SUMMARY_CHARACTERS);
  const names = Object.keys(data);
  if (names.length > 0) return clip(`Data without a text: ${names.join(", ")}`, ERROR_CHARACTERS);
  if (files.length === 0) return null;
  return clip(`Files: ${files.map(({ name }) => name).join(", ")}`, ERROR_CHARACTERS);
}

/** What others' parts come to; null where there is nothing in them. */
function contentOf(parts: readonly Part[]): JsonObject | null {
  const text = textIn(parts);
  const whole = text.length > SUMMARY_CHARACTERS
    ? [{ name: "answer.txt", media_type: "text/plain", text }]
    : [];
  const files = [...whole, ...filesIn(parts)].slice(0, MAX_ATTACHMENTS);
  const { top_items: top, ...data } = foreignData(parts);
  const summary = summaryOf(text, data, files);
  if (summary === null) return null;
  const items = Array.isArray(top) ? { top_items: top.slice(0, MAX_TOP_ITEMS) } : {};
  const listed = files.length === 0 ? {} : { attachments: files.map((file) => ({ ...file })) };
  return { data: { ...data, summary, ...items }, ...listed };
}

function foreignSuccess(parts: readonly Part[]): JsonObject {
  const content = contentOf(parts);
  if (content) return { status: "success", error: null, ...content };
  const data = { summary: NO_CONTENT.message };
  return { status: "partial_success", error: { ...NO_CONTENT }, data };
}

function foreignResult(task: Task, state: TaskState): JsonObject | null {
  const parts = task.artifacts.flatMap((artifact) => artifact.parts);
  const said = task.status?.message?.parts ?? [];
  if (state === TaskState.TASK_STATE_COMPLETED) {
    return foreignSuccess(parts.length === 0 ? said : parts);
  }
  const failure = FAILURES.get(state);
  if (!failure) return null;
  const message = clip(textIn(said) || failure.message, ERROR_CHARACTERS);
  const error = { code: failure.code, message, retriable: false };
  return { data: null, ...contentOf(parts), status: "failed", error };
}

function envelopeOf(sent: TaskEnvelope, latencyMs: number, fields: JsonObject): JsonObject {
  const { task_id, trace_id } = sent;
  const cost = { ...NO_COST, latency_ms: latencyMs };
  const traced = trace_id === undefined ? {} : { trace_id };
  return { task_id, protocol: RESULT_PROTOCOL, cost, ...traced, ...fields };
}

/** Whether a task of A2A goes on no further, at least not without a person. */
export function hasEnded({ status }: Task): boolean {
  const state = status?.state ?? TaskState.TASK_STATE_UNSPECIFIED;
  return state === TaskState.TASK_STATE_COMPLETED || FAILURES.has(state);
}

function isRunning(state: TaskState): boolean {
  return state === TaskState.TASK_STATE_SUBMITTED || state === TaskState.TASK_STATE_WORKING;
}

/**
 * Where an A2A task is, and what it came to.
 *
 * @param sent The task that it was made of.
 * @param latencyMs Since that was sent; for agents that don't say what it took.
 */
export function readA2aTask(task: Task, sent: TaskEnvelope, latencyMs: number): ReadTask {
  const state = task.status?.state ?? TaskState.TASK_STATE_UNSPECIFIED;
  if (isRunning(state)) return { kind: "running" };
  const parts = task.artifacts.flatMap((artifact) => artifact.parts);
  const own = ownFields(task.metadata, parts);
  if (own) return { kind: "ended", result: { ...own, data: dataIn(parts) } };
  const fields = foreignResult(task, state);
  if (!fields) return { kind: "unclear" };
  return { kind: "ended", result: envelopeOf(sent, latencyMs, fields) };
}

/** What an agent that answers by a message alone said: a success, as A2A means it. */
export function resultOfMessage(
  message: Message,
  sent: TaskEnvelope,
  latencyMs: number,
): JsonObject {
  return envelopeOf(sent, latencyMs, foreignSuccess(message.parts));
}
