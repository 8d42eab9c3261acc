/**
 * What an agent's answer over HTTP means.
 *
 * @module
 */

import { isJsonObject } from "../json_object.ts";
import { retryAfterMs } from "../model/retry_after.ts";
import { firstWords, parseForeign } from "./bounded.ts";
import { checkResult } from "./check.ts";
import type { HttpAnswer } from "./http_exchange.ts";
import { type ResultEnvelope, TransportError, type TransportErrorCode } from "./types.ts";

/** The agent has the task, and no result yet. */
export interface Pending {
  readonly kind: "pending";
  /** Where it is asked for; of the same origin as the agent. */
  readonly statusUrl: URL;
  /** How long to wait before that, within bounds. */
  readonly pollAfterMs: number;
}

/** What an agent said of a task. */
export type TaskAnswer = Pending | { readonly kind: "result"; readonly result: ResultEnvelope };

/** The question that was answered. */
export interface Question {
  readonly agentName: string;
  readonly taskId: string;
  /** The address to which the request went. */
  readonly url: URL;
  /** Where the task is asked for, if the answer does not say. */
  readonly statusUrl: URL;
  /** The variable that holds the agent's token; null: it has none. */
  readonly tokenVariable: string | null;
  /** Never shown. */
  readonly token: string | null;
  /** Milliseconds since the epoch, for dates. */
  readonly nowMs: number;
}

/** Bounds of the wait between two questions, in milliseconds. Source: the protocol. */
const MIN_POLL_MS = 100;
const MAX_POLL_MS = 10_000;

/** The wait where the agent does not say. */
const POLL_MS = 1_000;

/** Statuses after which the same request may succeed. Source: the design. */
function mayPass(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}

/** Statuses that say that the request was not taken; the other passing ones leave that open. */
export function isNotTaken(status: number): boolean {
  return status === 429 || status === 503 || (status >= 400 && status < 500 && status !== 408);
}

function codeOf(status: number): TransportErrorCode {
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 408 || status === 429 || status === 503) return "busy";
  if (status === 502 || status === 504) return "unreachable";
  return status >= 400 && status < 500 ? "refused" : "bad_result";
}

/** The error of a result envelope, or of what is nearly one. */
function errorIn(text: string): { readonly words: string; readonly retriable: boolean } | null {
  const value = parseForeign(text);
  const error = isJsonObject(value) ? value["error"] : null;
  if (!isJsonObject(error) || typeof error["message"] !== "string") return null;
  const code = typeof error["code"] === "string" ? `${error["code"]}: ` : "";
  return {
    words: firstWords(`${code}${error["message"]}`),
    retriable: error["retriable"] === true,
  };
}

/** A text without the token, which a server may send back. */
function hidden(text: string, token: string | null): string {
  return token === null ? text : text.replaceAll(token, "***");
}

/** What a status says where the agent has no words for it. */
function wordsOf(status: number, { tokenVariable }: Question): string {
  if (status !== 401 && (status !== 403 || tokenVariable === null)) return "";
  return tokenVariable === null
    ? 'it wants a token; name the variable that holds it as "token" in its directory'
    : `it does not take the token in ${tokenVariable}`;
}

/** The failure that a status is; its words are those of the agent, if it has any. */
export function errorOfStatus(answer: HttpAnswer, question: Question): TransportError {
  const { status, statusText, headers, text } = answer;
  const { agentName, token, nowMs } = question;
  const location = headers.get("location");
  const redirects = status >= 300 && status < 400 && location !== null;
  const said = redirects
    ? `it redirects to ${firstWords(location)}, which is not followed; correct its address`
    : errorIn(text)?.words ?? (firstWords(text) || wordsOf(status, question));
  const words = hidden(said, token);
  const line = `Agent "${agentName}" answered ${`${status} ${statusText}`.trim()}`;
  const waitMs = retryAfterMs(headers, "", nowMs);
  return new TransportError(codeOf(status), words === "" ? line : `${line}: ${words}`, {
    retriable: mayPass(status),
    ...(waitMs === null ? {} : { retryAfterMs: waitMs }),
  });
}

function badResult(message: string, { agentName, token }: Question): TransportError {
  const line = hidden(`Agent "${agentName}" gave no result: ${message}`, token);
  return new TransportError("bad_result", line, { retriable: false });
}

/**
 * The value of an answer that must be JSON.
 *
 * @throws {TransportError} `bad_result`, with its first words.
 */
export function valueOf({ headers, text }: HttpAnswer, question: Question): unknown {
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  // Who does not say what it is may still send JSON.
  const isJson = type === "" || /^application\/(.+\+)?json$/.test(type);
  const value = isJson ? parseForeign(text) : undefined;
  if (value !== undefined) return value;
  const words = firstWords(text);
  const what = type === "" || isJson ? "it is no JSON" : `it is ${type}`;
  throw badResult(words === "" ? `${what}, and empty` : `${what}: ${words}`, question);
}

/** Where the agent says to ask; never another server's, which would get the token. */
function statusUrlOf(said: unknown, question: Question): URL {
  if (typeof said !== "string" || said === "") return question.statusUrl;
  const url = URL.parse(said, question.url);
  if (url !== null && url.origin === question.url.origin) return url;
  throw badResult(`it names ${firstWords(said)} to ask at, which is not its own address`, question);
}

function pendingOf(answer: HttpAnswer, question: Question): Pending {
  const value = answer.text.trim() === "" ? {} : valueOf(answer, question);
  const fields = isJsonObject(value) ? value : {};
  const { task_id: id = question.taskId, status_url: url, poll_after_ms: asked } = fields;
  if (id !== question.taskId) {
    throw badResult(`it speaks of task ${firstWords(String(id))}`, question);
  }
  const wait = typeof asked === "number" && Number.isFinite(asked) ? asked : POLL_MS;
  return {
    kind: "pending",
    statusUrl: statusUrlOf(url ?? answer.headers.get("location"), question),
    pollAfterMs: Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, wait)),
  };
}

/**
 * What an answer says of a task.
 *
 * @throws {TransportError} If it says neither that there is a result nor that there will be one.
 */
export function readAnswer(answer: HttpAnswer, question: Question): TaskAnswer {
  if (answer.status === 202) return pendingOf(answer, question);
  if (answer.status !== 200 && answer.status !== 201) throw errorOfStatus(answer, question);
  const checked = checkResult(valueOf(answer, question), question.taskId);
  if (!checked.ok) throw badResult(checked.error.message, question);
  return { kind: "result", result: checked.value };
}
