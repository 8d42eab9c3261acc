/**
 * What went wrong with a model's server, in words that say what to do.
 *
 * @module
 */

import { APIConnectionError, APIError } from "openai";
import { clip } from "../results/characters.ts";
import { ModelError, type ModelErrorCode } from "../types.ts";
import { contextLengthRefusal } from "./context_length.ts";
import { durationText } from "./duration.ts";
import { messageIn, tellingWords } from "./error_body.ts";
import { kindOf, statusIn } from "./error_kind.ts";
import type { ServerSettings } from "./openai.ts";
import { StreamError } from "./stream_error.ts";
import type { TimerName } from "./watch.ts";

/** What to do about a request that does not fit. */
const CONTEXT_LENGTH_HINT =
  "Set the size of the model's window with --context-window TOKENS, or raise it on the server.";

/** What to do, by kind of failure. */
function hintOf(code: ModelErrorCode, settings: ServerSettings): string {
  switch (code) {
    case "unreachable":
      return "Start the server, or set another one with --base-url or OPENAI_BASE_URL.";
    case "unauthorized":
      return settings.apiKey === null
        ? "Set OPENAI_API_KEY, or pass --env-file FILE with it."
        : "Check OPENAI_API_KEY: the server does not accept this key.";
    case "not_found":
      return `Check the model's name, "${settings.model}", and that the address ends as the ` +
        "server wants it, usually in /v1.";
    case "rate_limited":
      return "Wait and try again, or check the account's quota.";
    case "quota_exhausted":
      return "Top the account up, or use another key or model.";
    case "server_error":
      return "Try again; if it stays, look at the server's log.";
    default:
      return "Check the model and the address.";
  }
}

/** What is repeated of others' words, in characters. */
const WORDS_CHARS = 200;

/** A shorter key is a placeholder, such as `ollama`, in characters. */
const LEAST_KEY_CHARS = 8;

/** Some servers repeat the key that they refuse; the runtime repeats one that it can't send. */
export function withoutKey(text: string, { apiKey }: Pick<ServerSettings, "apiKey">): string {
  const secret = apiKey !== null && apiKey.length >= LEAST_KEY_CHARS;
  return secret ? text.replaceAll(apiKey, "[key]") : text;
}

/** The innermost message: the runtime wraps what the system said. */
function rootMessage(error: unknown, settings: ServerSettings): string {
  let current: unknown = error;
  while (current instanceof Error && current.cause instanceof Error) current = current.cause;
  const message = current instanceof Error ? current.message : String(current);
  const told = withoutKey(message, settings).replace(/^.*?client error \(\w+\): /s, "").replace(
    /^.*?: tcp connect/s,
    "tcp connect",
  );
  return clip(told.replace(/\s+/g, " ").trim(), WORDS_CHARS);
}

/** The server's own words, in one short line. */
function serverWords(message: string, settings: ServerSettings): string {
  const words = withoutKey(message, settings).replace(/^\d+ /, "").replace(/<[^>]*>/g, " ");
  return serverText(words, WORDS_CHARS);
}

function serverText(text: string, chars: number): string {
  return clip(text.replace(/\s+/g, " ").trim(), chars);
}

/** Kinds that are about the account, whatever their words say of tokens. */
const OF_ACCOUNT: readonly ModelErrorCode[] = ["unauthorized", "quota_exhausted", "rate_limited"];

/** What a server said, and with what. */
interface Said {
  /** For people. */
  readonly message: string;
  /** To look for words in. */
  readonly words: string;
  /** Of the response, or as an error in a stream has it; null where there is none. */
  readonly status: number | null;
  readonly headers: Pick<Headers, "get"> | null;
  readonly nowMs: number;
  /** What to do, where its kind does not tell. */
  readonly hint?: string;
  readonly cause: unknown;
}

function refusalOf(said: Said, settings: ServerSettings): ModelError {
  const { message, words, hint, cause } = said;
  const kind = kindOf(said);
  const refusal = OF_ACCOUNT.includes(kind.code) ? null : contextLengthRefusal(words);
  if (refusal !== null) {
    const { window } = refusal;
    return new ModelError("context_length", message, { hint: CONTEXT_LENGTH_HINT, window, cause });
  }
  const { code, ...facts } = kind;
  const told = code === "rejected" ? hint : undefined;
  return new ModelError(code, message, { hint: told ?? hintOf(code, settings), cause, ...facts });
}

/** What a response with a status of failure comes to. */
function fromStatus(error: APIError, status: number, at: Place): ModelError {
  const { settings, nowMs, place } = at;
  const words = `${error.message}\n${tellingWords(error.error)}`;
  const message = `${place} answered ${status}: ${serverWords(error.message, settings)}`;
  const headers = error.headers ?? null;
  const refusal = refusalOf({ message, words, status, headers, nowMs, cause: error }, settings);
  const { code, hint, window, retriable, retryAfterMs } = refusal;
  return new ModelError(code, message, {
    hint,
    window,
    retriable,
    retryAfterMs,
    status,
    cause: error,
  });
}

/** What an error in a stream, or in a body that came with 200, comes to. */
function fromSaid(error: unknown, where: "stream" | "body", at: Place, cause: unknown): ModelError {
  const { settings, nowMs, place } = at;
  const said = where === "stream" ? "sent an error" : "answered with an error";
  const message = `${place} ${said}: ${serverWords(messageIn(error), settings)}`;
  const hint = where === "stream" ? {} : { hint: "Check the model's name and the server's log." };
  const words = `${messageIn(error)}\n${tellingWords(error)}`;
  const status = statusIn(error);
  return refusalOf({ message, words, status, headers: null, nowMs, ...hint, cause }, settings);
}

/** What an answer that can't be used comes to. */
function fromStream({ fault }: StreamError, at: Place, cause: unknown): ModelError {
  const { settings, place } = at;
  const bad = (said: string, hint: string, retriable = false) =>
    new ModelError("bad_response", `${place} ${said}`, { hint, retriable, cause });
  const quoted = (text: string) => serverText(withoutKey(text, settings), 60);
  switch (fault.kind) {
    case "said":
      return fromSaid(fault.error, fault.where, at, cause);
    case "not_a_stream":
      return bad(
        `answered "${quoted(fault.text)}", not an event stream`,
        "Check --base-url or OPENAI_BASE_URL; it usually ends in /v1.",
      );
    case "not_understood":
      return bad(
        `sent a stream that is not valid JSON: "${quoted(fault.text)}"`,
        hintOf("bad_response", settings),
      );
    case "cut": {
      const hint = "Try again; if it stays, look at the server's log.";
      return bad("ended its stream before the turn was complete", hint, true);
    }
    case "too_long":
      return bad("sent more than an answer can have", "Look at the server's log.");
  }
}

/** Where a request went, and when. */
interface Place {
  readonly settings: ServerSettings;
  readonly nowMs: number;
  /** As messages begin. */
  readonly place: string;
}

/** Failures of a connection that stay, in the words of the runtime and of systems. */
const LASTING =
  /certificate|redirect|invalid (?:url|header|uri)|requires net access|name or service not known|nodename nor servname|no such host|ports? \d+ (?:is|are) blocked|unsupported scheme/i;

/**
 * Turns what the SDK, the runtime or the reading of the answer threw into a {@linkcode ModelError}.
 *
 * @param error Anything.
 * @param settings Where the request went.
 * @param nowMs Milliseconds since the epoch, to count from to a date that the server names.
 */
export function modelErrorFrom(error: unknown, settings: ServerSettings, nowMs = 0): ModelError {
  if (error instanceof ModelError) return error;
  const place = `The model server at ${settings.baseUrl}`;
  const at = { settings, nowMs, place };
  if (error instanceof StreamError) return fromStream(error, at, error);
  const isAnswer = error instanceof APIError && !(error instanceof APIConnectionError);
  if (isAnswer && error.status !== undefined) return fromStatus(error, error.status, at);
  const told = rootMessage(error, settings);
  return new ModelError("unreachable", `${place} can't be reached: ${told}`, {
    hint: hintOf("unreachable", settings),
    retriable: !LASTING.test(told),
    cause: error,
  });
}

/** Kinds that tell nothing of what a server takes. */
const NOT_OF_REQUEST: readonly ModelErrorCode[] = [
  ...OF_ACCOUNT,
  "context_length",
  "unreachable",
  "timeout",
];

/**
 * What a server said when it refused a request for what is in it.
 *
 * @returns `words` to look in, `why` in one line for people; null where it was something else.
 */
export function refusedWords(
  { code, cause, message }: ModelError,
): { readonly words: string; readonly why: string } | null {
  if (NOT_OF_REQUEST.includes(code)) return null;
  const said = cause instanceof APIError
    ? cause.error
    : cause instanceof StreamError && cause.fault.kind === "said"
    ? cause.fault.error
    : null;
  if (said === null) return null;
  const why = message.replace(
    /^The model server at \S+ (?:answered \d+|sent an error|answered with an error): /,
    "",
  );
  return { words: `${message}\n${tellingWords(said)}`, why };
}

/** What each timer says, and what to do. */
const TIMERS: { readonly [name in TimerName]: readonly [said: string, hint: string] } = {
  connect: [
    "let no connection be made within",
    "Check the address and the network, or allow more",
  ],
  first_byte: [
    "sent nothing within",
    "The model may still be loading, or reading a long request: use a smaller one, or allow more",
  ],
  idle: [
    "stopped in the middle of its answer, and sent nothing more within",
    "Look at the server's log, or allow more",
  ],
  total: ["did not finish its turn within", "Use a faster model, or allow more"],
};

/** The failure where a timer ran out: which one, how long it was, what to do. */
export function timeoutError(
  name: TimerName,
  ms: number,
  settings: Pick<ServerSettings, "baseUrl">,
  cause?: unknown,
): ModelError {
  const [said, hint] = TIMERS[name];
  const setting = `timeouts.${name}`;
  const message = `The model server at ${settings.baseUrl} ${said} ${
    durationText(ms)
  } (${setting})`;
  // Who was asked for that long once is not asked for it again.
  const retriable = name === "connect" || name === "idle";
  const code = name === "connect" ? "unreachable" : "timeout";
  const told = `${hint} with ${setting} in the configuration.`;
  return new ModelError(code, message, { hint: told, retriable, cause });
}
